// The eight phases of DualPipe on one device, for DualPipe and for DualPipeV.
#pragma once

#include <cstdint>

#include "baseline/orders.hpp"

namespace repetend::baseline {

// `own` is the stage of the device that micro-batches reach first, `other` the second one; `rank` of `ranks` its place,
// counted from the end of the pipeline at which it stands. Each of the two stages runs `micro_batches`, at least
// 2 * ranks (the phases are in dualpipe.cpp).
Lane dualpipe_lane(const Stage& own, const Stage& other, std::int64_t rank, std::int64_t ranks,
                   std::int64_t micro_batches);

}  // namespace repetend::baseline
