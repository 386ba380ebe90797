// What the program's exit status means (contract). The same table stands in the help and in a test.
#pragma once

#include <string_view>
#include <vector>

namespace repetend::native {

enum ExitStatus : int {
    exit_good = 0,
    exit_failure = 1,
    exit_usage = 2,
    exit_bad_input = 3,
    exit_infeasible = 4,
    exit_nothing_found = 5,
    exit_violation = 6,
    exit_interrupted = 130,
};

struct ExitStatusRow {
    ExitStatus status;
    std::string_view meaning;
};

inline const std::vector<ExitStatusRow>& exit_status_table() {
    static const std::vector<ExitStatusRow> table = {
        {exit_good, "a result was produced"},
        {exit_failure, "internal or input/output failure"},
        {exit_usage, "usage: unknown command or option, or a value that it cannot take"},
        {exit_bad_input, "bad input: every fault is named with its place"},
        {exit_infeasible, "proved infeasible: no schedule exists"},
        {exit_nothing_found, "a limit was reached with nothing found"},
        {exit_violation, "check or compare found a violation"},
        {exit_interrupted, "interrupted: the best so far was printed"},
    };
    return table;
}

}  // namespace repetend::native
