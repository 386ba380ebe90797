// The operations of each device in order of start: what every measure of a device begins with.
#pragma once

#include <cstddef>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend {

// Per device, indices into schedule.operations in order of (start, micro-batch, block).
std::vector<std::vector<std::size_t>> device_lanes(const Problem& problem, const Schedule& schedule);

// The same for one device.
std::vector<std::size_t> device_lane(const Problem& problem, const Schedule& schedule, int device);

}  // namespace repetend
