// What capacities would be enough where a problem has no schedule: those with which one micro-batch after another
// runs, its blocks one at a time. Enough, not least: a better order may do with less on some devices.
#pragma once

#include <cstdint>
#include <string>

#include "repetend/model/problem.hpp"

namespace repetend {

// A sentence that names every device whose capacity is below that, as in "enough would be: device 0 with 3 (it has
// 2)"; empty when there is none, or with more than
// 4096 blocks. O(blocks * (blocks + dependencies)).
std::string enough_memory(const Problem& problem, std::int64_t micro_batches);

}  // namespace repetend
