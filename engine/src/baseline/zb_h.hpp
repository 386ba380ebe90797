// What the two handcrafted zero-bubble orders share.
#pragma once

#include <cstdint>
#include <string>

#include "baseline/orders.hpp"

namespace repetend::baseline {

// Why the handcrafted orders are not defined; empty when they are.
std::string why_not_zb_h(const Pipeline& pipeline);

// `ahead` forwards first, then input gradient, weight gradient and forward in turn; each weight gradient waits until
// `put_off` later input gradients have run on its device.
Lane zb_h_lane(const Stage& stage, std::int64_t ahead, std::int64_t put_off, std::int64_t micro_batches);

}  // namespace repetend::baseline
