// Cutting a chain of layers into stages.
#pragma once

#include <cstdint>
#include <vector>

namespace repetend::cost {

// How many layers each of `stages` stages gets, so that the longest stage is as short as possible, among those the
// one with the least sum of squares, and among those more layers to later stages (the first ones hold more
// micro-batches). `layer_ns` are the layers' times; the first and the last stage have `head_ns` and `tail_ns` more.
// Exact. Every stage gets at least one layer: expects 1 <= stages <= layers.
std::vector<std::int64_t> balanced_partition(const std::vector<std::int64_t>& layer_ns, std::int64_t stages,
                                             std::int64_t head_ns, std::int64_t tail_ns);

// Equal numbers of layers; what is left over goes to the last stages, one each.
std::vector<std::int64_t> uniform_partition(std::int64_t layers, std::int64_t stages);

}  // namespace repetend::cost
