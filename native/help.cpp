#include "help.hpp"

#include <algorithm>

#include "exit_status.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

constexpr int columns = 80;
constexpr int option_width = 28;
constexpr std::string_view tagline = "finds and proves the best repeating schedules for pipeline parallelism";

constexpr OptionGroup groups[] = {OptionGroup::preset, OptionGroup::profile, OptionGroup::search, OptionGroup::effort,
                                  OptionGroup::input,  OptionGroup::output,  OptionGroup::display};

std::vector<const OptionRow*> rows_of(const Command& command, OptionGroup group) {
    std::vector<const OptionRow*> rows;
    for (const OptionRow& row : option_table()) {
        const bool taken = std::find(command.options.begin(), command.options.end(), row.name) != command.options.end();
        if (taken && row.group == group) rows.push_back(&row);
    }
    return rows;
}

std::string option_head(const OptionRow& row) {
    std::string head = row.letter == '\0' ? "    " : std::string("-") + row.letter + ", ";
    head += "--" + std::string(row.name);
    if (!row.placeholder.empty()) head += ' ' + std::string(row.placeholder);
    return head;
}

std::string option_words_text(const OptionRow& row) {
    std::string text(row.usage);
    std::string more;
    const std::string range = describe_range(row);
    if (row.kind == OptionKind::choice) more = range;
    // Ranges that only keep nonsense out are no news.
    const bool wide = row.high >= most_micro_batches || row.kind == OptionKind::duration;
    if (!range.empty() && row.kind != OptionKind::choice && !wide) more = range;
    if (row.kind == OptionKind::amounts) more = "or " + std::string(row.words);
    if (!row.standard.empty()) more += (more.empty() ? "" : "; ") + ("default " + std::string(row.standard));
    if (!more.empty()) text += " (" + more + ')';
    return text;
}

// The meanings stand beside the lines where all of them fit, else below.
std::string examples_text(const std::vector<Example>& examples) {
    constexpr std::size_t margin = 11;  // two spaces and `repetend `
    std::size_t widest_line = 0;
    std::size_t widest_meaning = 0;
    for (const Example& example : examples) {
        widest_line = std::max(widest_line, example.line.size());
        widest_meaning = std::max(widest_meaning, example.meaning.size());
    }
    const bool beside = margin + widest_line + 2 + widest_meaning <= columns;
    std::string text;
    for (const Example& example : examples) {
        const std::string line = "  repetend " + std::string(example.line);
        if (example.meaning.empty()) {
            text += line + '\n';
        } else if (beside) {
            text += padded(line, static_cast<int>(margin + widest_line + 2)) + std::string(example.meaning) + '\n';
        } else {
            text += line + "\n      " + wrapped(example.meaning, columns, 6) + '\n';
        }
    }
    return text;
}

std::vector<Example> first_examples() {
    return {{"search --preset m --memory 6", "a preset, with a drawing"},
            {"search problem.json --json -o result.json", "your own problem"},
            {"show result.json --svg -o schedule.svg", "draw the result"},
            {"frontier --preset nn", "what memory buys"}};
}

std::string command_lines() {
    std::string text;
    for (const Command& command : commands()) {
        text += "  " + padded(command.name, 13) + std::string(command.summary) + '\n';
    }
    return text;
}

std::string usage_line(const Command& command) {
    std::string line = "repetend " + std::string(command.name);
    if (!command.arguments.empty()) line += ' ' + std::string(command.arguments);
    if (!command.options.empty()) line += " [options]";
    return line;
}

// Plain text as roff: backslashes, leading points and dashes that are meant as such.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out = "\\&" + out;
    return out;
}

}  // namespace

std::string brief_help() {
    std::string text = "repetend " + wrapped(std::string(tagline) + ".", columns, 0) + "\n\n";
    text += examples_text(first_examples()) + "Commands\n" + command_lines();
    text += "\n`repetend help COMMAND` explains a command; `repetend help` says more.\n";
    return text;
}

std::string full_help() {
    std::string text = "repetend " + wrapped(std::string(tagline) + ".", columns, 0) + "\n\n";
    text += examples_text(first_examples()) + "\nCommands\n" + command_lines();
    text +=
        "\nFILE may be `-` for standard input. Results go to standard output or to the\n"
        "file of -o, everything else to standard error.\n";
    text += "\nExit status\n";
    for (const ExitStatusRow& row : exit_status_table()) {
        text += padded_left(std::to_string(row.status), 5) + "  " + std::string(row.meaning) + '\n';
    }
    text +=
        "\nProgress (on a terminal, for anything over a second): elapsed time; best period\n"
        "with its proved bound; best makespan with its bound; nodes of the search; what\n"
        "is being done. --progress json writes the same as one JSON object a line.\n"
        "Colours follow --color, NO_COLOR, CLICOLOR_FORCE and TERM.\n";
    text +=
        "\n`repetend help COMMAND` explains a command with all its options;\n"
        "`repetend COMMAND -h` is its short form.\n";
    return text;
}

std::string brief_help(const Command& command) {
    std::string text = examples_text(command.examples) + "\nUsage: " + usage_line(command) + "\n  " +
                       wrapped(std::string(command.summary) + ".", columns, 2) + '\n';
    for (const OptionGroup group : groups) {
        std::string list;
        for (const OptionRow* row : rows_of(command, group)) {
            if (!list.empty()) list += ", ";
            if (row->letter != '\0') list += std::string("-") + row->letter + "|";
            list += "--" + std::string(row->name);
            // The value stays on the line of its option.
            if (!row->placeholder.empty()) list += "\x01" + std::string(row->placeholder);
        }
        if (list.empty()) continue;
        std::string lines = padded(title(group), 9) + wrapped(list, columns, 9) + '\n';
        std::replace(lines.begin(), lines.end(), '\x01', ' ');
        text += lines;
    }
    return text + "\n`repetend help " + std::string(command.name) + "` explains them.\n";
}

std::string full_help(const Command& command) {
    std::string text = examples_text(command.examples) + "\nUsage: " + usage_line(command) + "\n\n";
    const std::string_view body = command.details.empty() ? command.summary : command.details;
    std::string paragraph(body);
    paragraph.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(paragraph.front())));
    if (paragraph.back() != '.') paragraph += '.';
    text += wrapped(paragraph, columns, 0) + '\n';
    for (const OptionGroup group : groups) {
        const std::vector<const OptionRow*> rows = rows_of(command, group);
        if (rows.empty()) continue;
        text += '\n' + std::string(title(group)) + '\n';
        for (const OptionRow* row : rows) {
            text += padded("  " + option_head(*row), option_width) +
                    wrapped(option_words_text(*row), columns, option_width) + '\n';
        }
    }
    return text;
}

std::string manual_page() {
    std::string text =
        ".TH REPETEND 1 \"\" \"repetend " REPETEND_VERSION "\" \"User Commands\"\n.SH NAME\nrepetend \\- ";
    text += roff(tagline) + "\n.SH SYNOPSIS\n";
    for (const Command& command : commands()) {
        std::string arguments = roff(command.arguments);
        if (!command.options.empty()) arguments += " [options]";
        if (!arguments.empty()) arguments += '\n';
        text += ".B repetend " + std::string(command.name) + "\n" + arguments + ".br\n";
    }
    text +=
        ".SH DESCRIPTION\nA schedule says when every block of every micro\\-batch runs on every device. Good "
        "schedules repeat a pattern, the repetend. "
        "repetend searches the shortest one, proves that no shorter one exists, and completes it with warmup and "
        "cooldown for any number of micro\\-batches.\n.PP\nFILE may be \\- for standard input. Results go to standard "
        "output or to the file of \\-\\-output, everything else to standard error.\n.SH EXAMPLES\n";
    for (const Example& example : first_examples()) {
        text += ".TP\n.B repetend " + roff(example.line) + "\n" + roff(example.meaning) + "\n";
    }
    text += ".SH COMMANDS\n";
    for (const Command& command : commands()) {
        text += ".SS " + roff("repetend " + std::string(command.name) + " " + std::string(command.arguments)) + "\n";
        text +=
            roff(command.details.empty() ? std::string(command.summary) + "." : std::string(command.details)) + "\n";
        std::string list;
        for (const std::string_view name : command.options)
            list += (list.empty() ? "" : ", ") + ("--" + std::string(name));
        if (!list.empty()) text += ".PP\nOptions: " + roff(list) + ".\n";
    }
    text += ".SH OPTIONS\n";
    for (const OptionGroup group : groups) {
        text += ".SS " + std::string(title(group)) + "\n";
        for (const OptionRow& row : option_table()) {
            if (row.group != group) continue;
            std::string head = row.letter == '\0' ? "" : std::string("-") + row.letter + ", ";
            head += "--" + std::string(row.name);
            text += ".TP\n.B " + roff(head) +
                    (row.placeholder.empty() ? "" : " \\fI" + std::string(row.placeholder) + "\\fR");
            text += "\n" + roff(option_words_text(row)) + "\n";
        }
    }
    text += ".SH EXIT STATUS\n";
    for (const ExitStatusRow& row : exit_status_table()) {
        text += ".TP\n.B " + std::to_string(row.status) + "\n" + roff(row.meaning) + "\n";
    }
    text +=
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colours unless \\-\\-color says otherwise\n"
        ".TP\n.B CLICOLOR_FORCE\ncolours even where no terminal is\n"
        ".TP\n.B TERM\ndumb: no colours, progress in plain lines\n"
        ".TP\n.B LC_ALL, LC_CTYPE, LANG\na locale without UTF\\-8: drawings in ASCII\n";
    return text;
}

}  // namespace repetend::native
