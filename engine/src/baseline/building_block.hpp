// The machinery of the V-shaped zero-bubble families: device r of p holds stages r and 2p-1-r, backwards are split. A
// family gives a building block, that is four offsets for each device, and what memory its order may use; the rest is
// common to all (see building_block.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "baseline/orders.hpp"

namespace repetend::baseline {

// Slots of equal length at which micro-batch 0 runs on one device; micro-batch n runs 6n slots later. Chunk 0 is the
// device's first stage, chunk 1 its second. The remaining two slots of six are for weight gradients.
struct Offsets {
    std::int64_t forward_0 = 0;
    std::int64_t forward_1 = 0;
    std::int64_t input_1 = 0;
    std::int64_t input_0 = 0;
};

struct BlockFamily {
    std::vector<Offsets> offsets;  // by device, in order of their first stage
    // Chunk activations that a device may hold; 0: as many as the repeated block itself does.
    std::int64_t most_activations = 0;
};

// Why a V-shaped family is not defined for this placement; empty when it is.
std::string why_not_v_block(const Pipeline& pipeline);

// The best schedule among the family's variants: least makespan, then least span of a device.
Result<Schedule> build_v_block(const Pipeline& pipeline, const BlockFamily& family, std::int64_t micro_batches);

}  // namespace repetend::baseline
