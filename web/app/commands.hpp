// The command table: keys, the `?` page, the palette and the menus are made from it, so that every action has a name, a
// key and a place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repetend::web {

struct CommandRow {
    std::string_view id;     // what scripts and tests call it
    std::string_view title;  // what people read
    std::string_view group;
    // As the browser names keys: "Space", "k", "Shift+Z", "Ctrl+z"; several separated by blanks. A letter stands for
    // its key without Shift.
    std::string_view keys;
};

const std::vector<CommandRow>& command_table();
const CommandRow* find_command(std::string_view id);
// The command of a key, or null.
const CommandRow* command_of_key(std::string_view key);
// Rows whose title or id has all words of a query, best first.
std::vector<const CommandRow*> matching_commands(std::string_view query);

}  // namespace repetend::web
