// Operations per device: one pass to hand them out, one sort per device that is skipped where the schedule
// already has its promised order.
#include "schedule/lanes.hpp"

#include <algorithm>
#include <tuple>

namespace repetend {
namespace {

void sort_lane(const Schedule& schedule, std::vector<std::size_t>& lane) {
    const auto earlier = [&](std::size_t a, std::size_t b) {
        const Operation& first = schedule.operations[a];
        const Operation& second = schedule.operations[b];
        return std::tie(first.start, first.micro_batch, first.block, a) <
               std::tie(second.start, second.micro_batch, second.block, b);
    };
    if (!std::is_sorted(lane.begin(), lane.end(), earlier)) std::sort(lane.begin(), lane.end(), earlier);
}

}  // namespace

std::vector<std::vector<std::size_t>> device_lanes(const Problem& problem, const Schedule& schedule) {
    std::vector<std::vector<std::size_t>> lanes(problem.devices.size());
    for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
        const Block& block = problem.blocks[static_cast<std::size_t>(schedule.operations[k].block)];
        for (const int device : block.devices) lanes[static_cast<std::size_t>(device)].push_back(k);
    }
    for (std::vector<std::size_t>& lane : lanes) sort_lane(schedule, lane);
    return lanes;
}

std::vector<std::size_t> device_lane(const Problem& problem, const Schedule& schedule, int device) {
    std::vector<bool> runs_here(problem.blocks.size(), false);
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const std::vector<int>& devices = problem.blocks[b].devices;
        runs_here[b] = std::find(devices.begin(), devices.end(), device) != devices.end();
    }
    std::vector<std::size_t> lane;
    for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
        if (runs_here[static_cast<std::size_t>(schedule.operations[k].block)]) lane.push_back(k);
    }
    sort_lane(schedule, lane);
    return lane;
}

}  // namespace repetend
