// A problem as PyTorch's pipelining runtime sees it: numbered stages, each on one rank, each with a forward (F), a full
// backward (B) or an input gradient (I) and a weight gradient (W); data pass between neighbouring stages only.
#pragma once

#include <string>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::format {

struct TorchStage {
    int rank = 0;
    int forward = -1;
    int backward = -1;  // the full backward, or the input gradient
    int weight = -1;    // -1: the backward is not split
};

struct TorchStages {
    std::vector<TorchStage> stages;
    std::vector<int> device_of_rank;  // compute devices in order
    bool training() const { return stages.front().backward >= 0; }
};

// Faults (unsupported, with the path of a block or a dependency) where there is no such view. Stage numbers are those
// of the problem where every block has one, else counted along the forward blocks.
Result<TorchStages> find_torch_stages(const Problem& problem);

// `stages 0 to 7 on ranks 0 1 2 3 3 2 1 0 (V order)`.
std::string stage_map_words(const std::vector<int>& rank_of_stage);

}  // namespace repetend::format
