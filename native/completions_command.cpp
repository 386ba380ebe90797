// `repetend completions`: scripts for bash, zsh and fish, made from the tables.
#include <algorithm>
#include <functional>

#include "commands.hpp"
#include "exit_status.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/presets.hpp"

namespace repetend::native {
namespace {

std::vector<const OptionRow*> rows_of(const Command& command) {
    std::vector<const OptionRow*> rows;
    for (const OptionRow& row : option_table()) {
        if (std::find(command.options.begin(), command.options.end(), row.name) != command.options.end()) {
            rows.push_back(&row);
        }
    }
    return rows;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : std::string(separator)) + word;
    return text;
}

// What can follow an option: words; nothing said when it is a file or free.
std::vector<std::string> value_words(const OptionRow& row) {
    if (row.name != "preset") return option_words(row);
    std::vector<std::string> names;
    for (const PresetInfo& preset : presets()) names.push_back(preset.name);
    return names;
}

bool takes_file(const OptionRow& row) { return row.placeholder == "FILE"; }

// What can stand beside the options of a command: words, or files when there are none.
std::vector<std::string> argument_words(const Command& command) {
    if (command.name == "presets") return value_words(*find_option("preset"));
    if (command.name == "completions") return {"bash", "zsh", "fish"};
    std::vector<std::string> names;
    if (command.name == "help") {
        for (const Command& other : commands()) names.emplace_back(other.name);
    }
    return names;
}

bool takes_files(const Command& command) { return command.arguments.rfind("FILE", 0) == 0; }

std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// Inside single quotes of a shell.
std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    return names;
}

std::string bash_script() {
    std::string text =
        "# bash completion for repetend\n"
        "_repetend() {\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "    local options= arguments= files=\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"" +
        joined(command_names(), " ") +
        " --help --version\" -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    case \"$before\" in\n";
    for (const OptionRow& row : option_table()) {
        if (row.kind == OptionKind::flag) continue;
        std::string pattern = "--" + std::string(row.name);
        if (row.letter != '\0') pattern = std::string("-") + row.letter + "|" + pattern;
        const std::vector<std::string> words = value_words(row);
        text += "        " + pattern + ") ";
        if (!words.empty()) {
            text += "COMPREPLY=($(compgen -W \"" + joined(words, " ") + "\" -- \"$word\")); ";
        } else if (takes_file(row)) {
            text += "COMPREPLY=($(compgen -f -- \"$word\")); ";
        }
        text += "return ;;\n";
    }
    text += "    esac\n    case \"${COMP_WORDS[1]}\" in\n";
    for (const Command& command : commands()) {
        std::vector<std::string> options;
        for (const OptionRow* row : rows_of(command)) options.push_back("--" + std::string(row->name));
        options.emplace_back("--help");
        text += "        " + std::string(command.name) + ") options=\"" + joined(options, " ") + "\"";
        const std::vector<std::string> words = argument_words(command);
        if (!words.empty()) text += " arguments=\"" + joined(words, " ") + "\"";
        if (takes_files(command)) text += " files=1";
        text += " ;;\n";
    }
    text +=
        "    esac\n"
        "    if [ \"${word#-}\" != \"$word\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    elif [ -n \"$files\" ]; then\n"
        "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
        "    else\n"
        "        COMPREPLY=($(compgen -W \"$arguments\" -- \"$word\"))\n"
        "    fi\n"
        "}\n"
        "complete -o filenames -F _repetend repetend\n";
    return text;
}

// One argument specification of zsh's _arguments.
std::string zsh_option(const OptionRow& row) {
    std::string value;
    if (row.kind != OptionKind::flag) {
        value = ":" + std::string(row.placeholder) + ":";
        const std::vector<std::string> words = value_words(row);
        if (!words.empty()) value += "(" + joined(words, " ") + ")";
        if (takes_file(row)) value += "_files";
    }
    const std::string usage = "[" + escaped(row.usage, "[]:\\") + "]";
    const std::string name = "--" + std::string(row.name);
    if (row.letter == '\0') return shell_quoted(name + usage + value);
    const std::string letter = std::string("-") + row.letter;
    return shell_quoted("(" + letter + " " + name + ")") + "{" + letter + "," + name + "}" +
           shell_quoted(usage + value);
}

std::string zsh_script() {
    std::string text =
        "#compdef repetend\n# zsh completion for repetend\n_repetend() {\n    local -a commands\n    commands=(\n";
    for (const Command& command : commands()) {
        text += "        " + shell_quoted(std::string(command.name) + ":" + escaped(command.summary, ":\\")) + "\n";
    }
    text +=
        "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n";
    for (const Command& command : commands()) {
        text += "        " + std::string(command.name) + ")\n            _arguments -s";
        for (const OptionRow* row : rows_of(command)) text += " \\\n                " + zsh_option(*row);
        text += " \\\n                '(- *)'{-h,--help}'[help]'";
        const std::vector<std::string> words = argument_words(command);
        if (!words.empty()) text += " \\\n                '1:word:(" + joined(words, " ") + ")'";
        if (takes_files(command)) text += " \\\n                '1:file:_files'";
        text += "\n            ;;\n";
    }
    // Works both from fpath, where the file is the function's body, and when sourced.
    text +=
        "    esac\n}\nif [ \"$funcstack[1]\" = \"_repetend\" ]; then\n    _repetend \"$@\"\nelse\n    compdef "
        "_repetend repetend\nfi\n";
    return text;
}

std::string fish_script() {
    std::string text = "# fish completion for repetend\ncomplete -c repetend -f\n";
    for (const Command& command : commands()) {
        text += "complete -c repetend -n __fish_use_subcommand -a " + std::string(command.name) + " -d " +
                shell_quoted(command.summary) + "\n";
    }
    for (const Command& command : commands()) {
        const std::string when =
            "complete -c repetend -n " + shell_quoted("__fish_seen_subcommand_from " + std::string(command.name));
        for (const OptionRow* row : rows_of(command)) {
            text += when + " -l " + std::string(row->name);
            if (row->letter != '\0') text += std::string(" -s ") + row->letter;
            if (row->kind != OptionKind::flag) text += takes_file(*row) ? " -r -F" : " -x";
            const std::vector<std::string> words = value_words(*row);
            if (!words.empty()) text += " -a " + shell_quoted(joined(words, " "));
            text += " -d " + shell_quoted(row->usage) + "\n";
        }
        text += when + " -l help -s h -d help\n";
        const std::vector<std::string> words = argument_words(command);
        if (!words.empty()) text += when + " -a " + shell_quoted(joined(words, " ")) + "\n";
        if (takes_files(command)) text += when + " -F\n";
    }
    return text;
}

}  // namespace

int run_completions(const Invocation& invocation) {
    Loaded<std::string> shell = needed_word(invocation, "completions", "SHELL");
    if (!shell) return shell.exit_status();
    const std::vector<std::pair<std::string, std::function<std::string()>>> scripts = {
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};
    std::vector<std::string> names;
    for (const auto& [name, script] : scripts) {
        if (name == *shell) return write_output(invocation, script(), exit_good);
        names.push_back(name);
    }
    const std::string nearest = nearest_name(*shell, names);
    complain(*shell, "unknown shell" + (nearest.empty() ? "" : "; did you mean " + nearest + "?") +
                         " (bash, zsh and fish are known)");
    return exit_usage;
}

}  // namespace repetend::native
