// From the words of a command line to a command and its checked options. CLI11 does the splitting; what is
// known, and what a value may be, stands in the tables.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"

namespace repetend::native {

enum class HelpWanted { none, brief, full };

struct Arguments {
    const Command* command = nullptr;  // null: none was named
    Invocation invocation;
    HelpWanted help = HelpWanted::none;
    bool version = false;
    std::string source;  // who the faults speak of, when there are some: the command or nothing
    Faults faults;       // usage errors, all of them
};

Arguments read_arguments(const std::vector<std::string>& words);

}  // namespace repetend::native
