// The one option table. Every option of every host is a row: its name, kind, default, range and usage. From
// these rows come the command line's flags, range checks, help and shell completions, the fields of sweeps
// and links (the same names with `_` for `-`), and the ranges of sliders and fuzzers. OptionValues holds what
// a person gave, checked by the table; the functions at the end turn it into what the engine takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repetend/model/fault.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/session/session.hpp"

namespace repetend {

enum class OptionKind {
    flag,             // present or not
    integer,          // a whole number within [low, high]
    integer_or_word,  // the same, or one of `words`
    choice,           // one of `words`
    amounts,          // one memory amount for all devices, or one per device separated by commas; or a word
    duration,         // `30s`, `500ms`, `1.5m`, `2h`; a bare number means seconds. low and high are milliseconds
    text,             // anything: a name or a file
};

enum class OptionGroup {
    preset,   // which problem
    profile,  // or which model on which cluster
    search,   // how to search: decides the result
    effort,   // how long, with what
    input,    // what is read, and how
    output,   // what is written, and where
    display,  // what is said on the way
};

struct OptionRow {
    std::string_view name;  // long form without the dashes: `micro-batches`
    char letter = '\0';     // short form, or none
    OptionKind kind = OptionKind::text;
    OptionGroup group = OptionGroup::search;
    std::string_view placeholder;  // what help calls the value: `N`
    std::string_view standard;     // the default as it would be written, empty when absence means something else
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::string_view words;  // the words allowed, separated by `|`
    std::string_view usage;  // one line, no final stop
};

// All rows, in the order in which help shows them.
const std::vector<OptionRow>& option_table();
// The row of a name, written with `-` or with `_`; null when there is none.
const OptionRow* find_option(std::string_view name);
// The words of a row, apart.
std::vector<std::string> option_words(const OptionRow& row);
// The range or the words in short, for help: `1 to 4096`, `auto|always|never`; empty when anything goes.
std::string describe_range(const OptionRow& row);
std::string_view title(OptionGroup group);  // heading for help

// Options as given. Every value in it has passed its row's checks.
class OptionValues {
public:
    OptionValues();

    // Takes `text` for the option `name`, in place of an earlier value; for a flag the text is empty, `true`
    // or `false`. Answers what is wrong, with the option as it stands on a command line as the path.
    std::optional<Fault> set(std::string_view name, std::string_view text);

    // The questions below expect the name of a row.
    bool has(std::string_view name) const;          // given, whatever the value
    bool flag(std::string_view name) const;         // given and true
    std::string text(std::string_view name) const;  // as given (in its shortest form), else the default
    std::optional<std::int64_t> integer(std::string_view name) const;  // integers and durations; none for a word
    // Amounts per device, an absent element for `unlimited`; empty when not given.
    std::vector<std::optional<Memory>> amounts(std::string_view name) const;
    // What was given, in the order of the table.
    std::vector<std::pair<std::string, std::string>> given() const;

private:
    struct Value {
        bool given = false;
        std::string text;
        std::optional<std::int64_t> number;
        std::vector<std::optional<Memory>> amounts;
    };
    std::vector<Value> values_;  // parallel to the table
};

// What a preset is built from. Options that were not given stay absent.
PlacementOptions placement_options(const OptionValues& values);
// What a session is started with.
SearchOptions search_options(const OptionValues& values);

}  // namespace repetend
