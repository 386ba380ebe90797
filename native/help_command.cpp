// `repetend help`.
#include "commands.hpp"
#include "exit_status.hpp"
#include "help.hpp"
#include "messages.hpp"
#include "output.hpp"

namespace repetend::native {

int run_help(const Invocation& invocation) {
    if (invocation.words.empty()) return write_output(invocation, full_help(), exit_good);
    const std::string& word = invocation.words.front();
    if (const Command* command = find_command(word)) return write_output(invocation, full_help(*command), exit_good);
    if (word == "man") return write_output(invocation, manual_page(), exit_good);
    std::vector<std::string> names = {"man"};
    for (const Command& command : commands()) names.emplace_back(command.name);
    const std::string nearest = nearest_name(word, names);
    complain(word, "unknown command" + (nearest.empty() ? "" : "; did you mean " + nearest + "?") +
                       " (`repetend help` lists them)");
    return exit_usage;
}

}  // namespace repetend::native
