// Where weight gradients go when everything else has its order.
#pragma once

#include <cstdint>
#include <optional>

#include "baseline/orders.hpp"

namespace repetend::baseline {

// The same orders with the weight gradients placed anew, oldest first, on the problem's own times: one starts when its
// device would otherwise wait at least `share` quarters of its time, or wait for it is not known how long, or hold more
// than `limit` (a chunk's forward takes 2, its input and weight gradient free 1 each). Nothing when a device gets stuck
// on the limit, or when there are transfers on links.
std::optional<Orders> refill_weights(const Pipeline& pipeline, const Orders& orders, std::int64_t limit, int share,
                                     std::int64_t micro_batches);

}  // namespace repetend::baseline
