// Three real models on four V100 as problems: the 4-GPU settings of Tessel's evaluation (arXiv 2311.15269). Times in
// nanoseconds, memory in bytes, computed from formulas.hpp and hardware.hpp; each problem carries its
// derivation, sentence by sentence with the numbers, as `x_derivation`.
#pragma once

#include <string>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::cost {

// GPT, 10.6 billion parameters, sharded embedding: placement M, 128 micro-batches.
Problem gpt_v100x4();
// mT5, 24 + 24 layers, embedding shared by encoder and decoder and sharded: placement NN, 32 micro-batches of 4.
Problem mt5_v100x4();
// Flava, inference: image and text branches, tensor-parallel multimodal part: placement K, 128 micro-batches.
Problem flava_v100x4();

struct RealModel {
    std::string preset;  // name of the preset and stem of its file in presets/problems/
    Problem problem;
};
// All of them, ordered by name.
std::vector<RealModel> real_models();

}  // namespace repetend::cost
