// The commands, as a table: help, completions, the man page and the dispatch all come from it. One file per
// command runs it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repetend/session/options.hpp"

namespace repetend::native {

// A command line that has been read: its options have passed their checks.
struct Invocation {
    OptionValues options;
    std::vector<std::string> words;  // what stands beside the options, such as FILE
};

struct Example {
    std::string_view line;     // without `repetend`
    std::string_view meaning;  // what it does
};

struct Command {
    std::string_view name;
    std::string_view arguments;  // as in the usage line: `FILE | --preset NAME`
    std::string_view summary;    // one line
    std::string_view details;    // a paragraph for the long help
    std::vector<std::string_view> options;
    std::vector<Example> examples;
    int most_words = 1;  // how many words beside the options make sense
    int (*run)(const Invocation&) = nullptr;
};

const std::vector<Command>& commands();
const Command* find_command(std::string_view name);

// Each in its own file; the answer is the exit status.
int run_search(const Invocation& invocation);
int run_frontier(const Invocation& invocation);
int run_compare(const Invocation& invocation);
int run_check(const Invocation& invocation);
int run_prove(const Invocation& invocation);
int run_show(const Invocation& invocation);
int run_convert(const Invocation& invocation);
int run_presets(const Invocation& invocation);
int run_profile(const Invocation& invocation);
int run_batch(const Invocation& invocation);

int run_serve(const Invocation& invocation);
int run_view(const Invocation& invocation);
int run_version(const Invocation& invocation);
int run_help(const Invocation& invocation);
int run_completions(const Invocation& invocation);

}  // namespace repetend::native
