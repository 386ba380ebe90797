// The grid of 1F1B, for the families that build on it.
#pragma once

#include <cstdint>
#include <vector>

#include "baseline/orders.hpp"

namespace repetend::baseline {

// By worker: every forward and backward in its step of the textbook picture, in which both take one step.
std::vector<std::vector<Step>> one_f_one_b_grid(const Pipeline& pipeline, std::int64_t micro_batches);

}  // namespace repetend::baseline
