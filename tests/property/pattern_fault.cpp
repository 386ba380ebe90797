// A pattern judged from its start times alone: which instances have started before a moment is counted by
// division, and nothing is known of orders or heights.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "property/brute_period.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend::testing {
namespace {

Ticks floor_divide(Ticks a, Ticks b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

// Instances (numbered from 0, negative ones counting negative) of the block that start before `time`.
std::int64_t started_before(const std::vector<Ticks>& starts, Ticks period, Ticks time) {
    std::int64_t count = 0;
    for (const Ticks start : starts) count += floor_divide(time - 1 - start, period) + 1;
    return count;
}

bool on_device(const Block& block, int device) {
    return std::find(block.devices.begin(), block.devices.end(), device) != block.devices.end();
}

std::string overlap_fault(const Problem& problem, const PeriodicPattern& pattern, int device) {
    struct Slot {
        Ticks at;
        Ticks time;
        std::string name;
    };
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
        if (!on_device(problem.blocks[i], device)) continue;
        for (const Ticks start : pattern.start[i]) {
            const Ticks at = start - floor_divide(start, pattern.period) * pattern.period;
            slots.push_back({at, problem.blocks[i].time, problem.blocks[i].name});
        }
    }
    std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.at < b.at; });
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const bool last = k + 1 == slots.size();
        const Slot& next = slots[last ? 0 : k + 1];
        if (slots[k].at + slots[k].time > next.at + (last ? pattern.period : 0)) {
            return slots[k].name + " runs into " + next.name + " on device " + std::to_string(device);
        }
    }
    return {};
}

std::string memory_fault(const Problem& problem, const PeriodicPattern& pattern, int device) {
    const Device& place = problem.devices[static_cast<std::size_t>(device)];
    if (!place.memory_capacity) return {};
    Memory net = 0;
    for (const Block& block : problem.blocks) net += memory_on(block, device);
    const std::string name = "device " + std::to_string(device);
    if (place.memory_static > *place.memory_capacity) return name + " cannot hold its static memory";
    if (net > 0) return name + " keeps memory of every micro-batch";
    if (net < 0) return {};
    for (std::size_t a = 0; a < problem.blocks.size(); ++a) {
        if (!on_device(problem.blocks[a], device)) continue;
        for (const Ticks start : pattern.start[a]) {
            Memory held = place.memory_static + transient_on(problem.blocks[a], device) +
                          std::max<Memory>(memory_on(problem.blocks[a], device), 0);
            for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
                held += memory_on(problem.blocks[i], device) * started_before(pattern.start[i], pattern.period, start);
            }
            if (held > *place.memory_capacity) {
                return name + " holds " + std::to_string(held) + " when " + problem.blocks[a].name + " starts";
            }
        }
    }
    return {};
}

}  // namespace

std::string pattern_fault(const Problem& problem, const PeriodicPattern& pattern) {
    const auto copies = static_cast<std::size_t>(pattern.copies);
    if (pattern.period < 1 || pattern.copies < 1) return "no period or no copies";
    if (pattern.start.size() != problem.blocks.size()) return "not every block has starts";
    for (std::size_t i = 0; i < pattern.start.size(); ++i) {
        const std::vector<Ticks>& starts = pattern.start[i];
        const Ticks time = problem.blocks[i].time;
        if (starts.size() != copies) return problem.blocks[i].name + " has the wrong number of copies";
        for (std::size_t c = 0; c < copies; ++c) {
            const Ticks next = c + 1 < copies ? starts[c + 1] : starts[0] + pattern.period;
            if (starts[c] + time > next) return "copies of " + problem.blocks[i].name + " are out of order";
        }
    }
    for (const Dependency& edge : problem.dependencies) {
        const auto from = static_cast<std::size_t>(edge.from);
        const auto to = static_cast<std::size_t>(edge.to);
        for (std::size_t c = 0; c < copies; ++c) {
            if (pattern.start[to][c] - pattern.start[from][c] < problem.blocks[from].time + edge.lag) {
                return problem.blocks[to].name + " starts before " + problem.blocks[from].name + " lets it";
            }
        }
    }
    for (int d = 0; d < problem.num_devices(); ++d) {
        if (std::string fault = overlap_fault(problem, pattern, d); !fault.empty()) return fault;
        if (std::string fault = memory_fault(problem, pattern, d); !fault.empty()) return fault;
    }
    return {};
}

Schedule unroll(const Problem& problem, const PeriodicPattern& pattern, std::int64_t micro_batches) {
    Schedule schedule;
    schedule.micro_batches = micro_batches;
    for (int b = 0; b < problem.num_blocks(); ++b) {
        const std::vector<Ticks>& starts = pattern.start[static_cast<std::size_t>(b)];
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            const Ticks start =
                starts[static_cast<std::size_t>(n % pattern.copies)] + n / pattern.copies * pattern.period;
            schedule.operations.push_back({b, n, start});
        }
    }
    Ticks first = schedule.operations.front().start;
    for (const Operation& o : schedule.operations) first = std::min(first, o.start);
    for (Operation& o : schedule.operations) o.start -= first;
    sort_operations(schedule);
    return schedule;
}

}  // namespace repetend::testing
