// A problem that is one chain of stages: forward through all of them, backward the other way. Readers of formats that
// speak of stages end up here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::format {

struct ChainStage {
    int device = 0;
    Ticks forward = 1;
    Ticks backward = 0;  // the full backward, or the input gradient; 0: none
    Ticks weight = 0;    // 0: not split
    Memory forward_memory = 0, backward_memory = 0, weight_memory = 0;
    std::string layers;  // kept with the blocks as x_layers, where not empty
};

// Blocks f0, b0, w0, ... with their stage numbers; `lag` between neighbouring stages on different devices.
Problem make_chain(int devices, const std::vector<ChainStage>& stages, Ticks lag);

}  // namespace repetend::format
