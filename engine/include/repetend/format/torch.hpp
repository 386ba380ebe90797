// CSV files of PyTorch's pipelining runtime, in and out: compute actions alone, or with sends and receives.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repetend/format/assumed_costs.hpp"
#include "repetend/format/ordered_plan.hpp"

namespace repetend {

// Row k is what rank k runs. Times, memory and lags come from `problem` when given: its stages are matched by number,
// its compute devices in order are the ranks. Without one, stages get the assumed costs. A full backward of a stage
// whose backward is split elsewhere is taken as its two parts, one directly after the other.
Result<OrderedPlan> read_torch_csv(std::string_view text, const Problem* problem, const AssumedCosts& costs);

// Row k is what the k-th compute device runs; with `communication` also its sends and receives. Faults where the
// format cannot express the problem: a block on several devices, a stage on two, an edge past a neighbouring stage.
Result<std::string> write_torch_csv(const Problem& problem, const Schedule& schedule,
                                    std::optional<Receives> communication);

// Which rank holds which stage, in words: `stages 0 to 7 on ranks 0 1 2 3 3 2 1 0 (V order)`. Empty for problems that
// write_torch_csv refuses.
std::string describe_torch_stages(const Problem& problem);

}  // namespace repetend
