// What a finished batch says: the best combinations, the Pareto front of memory and time, plots.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace repetend::native {

struct BatchSummary {
    std::string table;
    // File name and SVG text.
    std::vector<std::pair<std::string, std::string>> plots;
};

// From the lines of a batch, in order; `varied` are the fields that differ between combinations.
BatchSummary summarise(const std::vector<std::string>& lines, const std::vector<std::string>& varied);

}  // namespace repetend::native
