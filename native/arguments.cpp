// Splitting with CLI11: one parser per command, every option a text that the table checks. Its own messages,
// help and number parsing are not used, so that all faults look alike and all of them are told at once.
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

namespace repetend::native {
namespace {

Fault usage(std::string path, std::string message) { return {FaultCode::usage, std::move(path), std::move(message)}; }

std::string hint(const std::string& nearest) { return nearest.empty() ? "" : "; did you mean " + nearest + "?"; }

Fault unknown_command(const std::string& word) {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return usage(word, "unknown command" + hint(nearest_name(word, names)) + " (`repetend help` lists them)");
}

Fault unknown_option(const Command& command, const std::string& word) {
    const std::string flag = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const std::string_view name : command.options) names.push_back("--" + std::string(name));
    names.emplace_back("--help");
    std::string message = "unknown option of " + std::string(command.name) + hint(nearest_name(flag, names));
    if (flag.rfind("--", 0) == 0 && find_option(flag.substr(2)) != nullptr) {
        message = std::string(command.name) + " has no such option";
    }
    return usage(flag, message);
}

std::string flag_names(const OptionRow& row) {
    std::string names = "--" + std::string(row.name);
    if (row.letter != '\0') names = std::string("-") + row.letter + "," + names;
    return names;
}

bool is_option_word(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

// What the parser met, in order; options by their long names.
struct Met {
    std::vector<std::pair<std::string, std::string>> options;
};

// A value that itself starts with a dash (`--memory -1`) is joined to its option, so that the table can say
// what is wrong with it rather than that it is missing.
std::vector<std::string> join_dashed_values(const Command& command, const std::vector<std::string>& words) {
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--") {
            joined.insert(joined.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        const OptionRow* row = words[i].rfind("--", 0) == 0 ? find_option(words[i].substr(2)) : nullptr;
        const bool takes_value =
            row != nullptr && row->kind != OptionKind::flag &&
            std::find(command.options.begin(), command.options.end(), row->name) != command.options.end();
        const bool dashed_number = i + 1 < words.size() && words[i + 1].size() > 1 && words[i + 1][0] == '-' &&
                                   words[i + 1][1] >= '0' && words[i + 1][1] <= '9';
        if (takes_value && dashed_number) {
            joined.push_back(words[i] + "=" + words[i + 1]);
            ++i;
        } else {
            joined.push_back(words[i]);
        }
    }
    return joined;
}

void add_options(CLI::App& parser, const Command& command, Met& met) {
    for (const std::string_view name : command.options) {
        const OptionRow* row = find_option(name);
        const std::string long_name(name);
        CLI::Option* option = nullptr;
        if (row->kind == OptionKind::flag) {
            option = parser.add_flag_callback(flag_names(*row),
                                              [&met, long_name] { met.options.emplace_back(long_name, ""); });
            option->disable_flag_override();
        } else {
            option = parser.add_option_function<std::string>(
                flag_names(*row),
                [&met, long_name](const std::string& value) { met.options.emplace_back(long_name, value); });
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        }
    }
}

void read_options(const Command& command, const std::vector<std::string>& words, Arguments& arguments) {
    CLI::App parser;
    parser.set_help_flag("");
    parser.allow_extras();
    Met met;
    add_options(parser, command, met);
    parser.add_flag_callback("-h", [&] { arguments.help = std::max(arguments.help, HelpWanted::brief); });
    parser.add_flag_callback("--help", [&] { arguments.help = HelpWanted::full; });

    std::vector<std::string> reversed = join_dashed_values(command, words);
    std::reverse(reversed.begin(), reversed.end());  // as CLI11 wants them
    try {
        parser.parse(reversed);
    } catch (const CLI::ArgumentMismatch& error) {
        // The message begins with the option, with or without its dashes: `--devices: 1 required ...`.
        const std::string text = error.what();
        std::string name = text.substr(0, text.find_first_of(": "));
        name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
        const OptionRow* row = find_option(name);
        const bool is_flag = row != nullptr && row->kind == OptionKind::flag;
        arguments.faults.push_back(usage("--" + name, is_flag ? "takes no value" : "a value is missing"));
    } catch (const CLI::ParseError& error) {
        arguments.faults.push_back(usage("", error.what()));
    }
    for (const auto& [name, text] : met.options) {
        if (auto fault = arguments.invocation.options.set(name, text)) arguments.faults.push_back(std::move(*fault));
    }
    bool only_words = false;
    for (const std::string& word : parser.remaining()) {
        if (word == "--" && !only_words) {
            only_words = true;
        } else if (!only_words && is_option_word(word)) {
            arguments.faults.push_back(unknown_option(command, word));
        } else {
            arguments.invocation.words.push_back(word);
        }
    }
    const std::vector<std::string>& extra = arguments.invocation.words;
    // Words behind an unknown option may have been meant as its values: one message is enough then.
    if (arguments.faults.empty() && extra.size() > static_cast<std::size_t>(command.most_words)) {
        arguments.faults.push_back(
            usage(extra[static_cast<std::size_t>(command.most_words)],
                  "unexpected; usage: repetend " + std::string(command.name) + " " + std::string(command.arguments)));
    }
}

}  // namespace

Arguments read_arguments(const std::vector<std::string>& words) {
    Arguments arguments;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "-h") {
            arguments.help = std::max(arguments.help, HelpWanted::brief);
        } else if (word == "--help") {
            arguments.help = HelpWanted::full;
        } else if (word == "--version" || word == "-V") {
            arguments.version = true;
        } else if (is_option_word(word)) {
            arguments.faults.push_back(
                usage(word, "the command comes first: repetend COMMAND ... (`repetend help` lists them)"));
            return arguments;
        } else {
            arguments.command = find_command(word);
            if (arguments.command == nullptr) {
                arguments.faults.push_back(unknown_command(word));
                return arguments;
            }
            const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            read_options(*arguments.command, rest, arguments);
            return arguments;
        }
    }
    return arguments;
}

}  // namespace repetend::native
