#include "program.hpp"

#include <exception>
#include <new>

#include "arguments.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "help.hpp"
#include "messages.hpp"

namespace repetend::native {
namespace {

int print(const std::string& text) {
    const std::string error = write_file("-", text);
    if (error.empty()) return exit_good;
    complain("standard output", error);
    return exit_failure;
}

int help_of(const Arguments& arguments) {
    const bool full = arguments.help == HelpWanted::full;
    if (arguments.command == nullptr) return print(full ? full_help() : brief_help());
    return print(full ? full_help(*arguments.command) : brief_help(*arguments.command));
}

int run(const std::vector<std::string>& words) {
    const Arguments arguments = read_arguments(words);
    if (arguments.help != HelpWanted::none) return help_of(arguments);
    if (!arguments.faults.empty()) return complain("", arguments.faults);
    if (arguments.version) return run_version(arguments.invocation);
    if (arguments.command != nullptr) return arguments.command->run(arguments.invocation);
    complain("", "a command is missing");
    const std::string text = brief_help();
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_usage;
}

}  // namespace

int run_program(const std::vector<std::string>& words) {
    try {
        return run(words);
    } catch (const std::bad_alloc&) {
        complain("", "out of memory");
    } catch (const std::exception& error) {
        complain("internal error", error.what());
    }
    return exit_failure;
}

}  // namespace repetend::native
