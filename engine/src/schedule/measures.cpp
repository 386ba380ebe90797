// Makespan, memory curves, peaks, spans and bubbles of a valid schedule. Everything is integer except the
// three bubble rates, which are for display.
#include "repetend/schedule/measures.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "schedule/lanes.hpp"

namespace repetend {
namespace {

__extension__ typedef __int128 Wide;

// What a device without a capacity would hold can pass any 64-bit number; it is shown as the largest one.
Memory shown(Wide held) {
    constexpr Wide least = std::numeric_limits<Memory>::min();
    constexpr Wide most = std::numeric_limits<Memory>::max();
    return static_cast<Memory>(std::clamp(held, least, most));
}

struct Change {
    Ticks time = 0;
    bool allocates = false;  // releases of one moment come first
    Wide amount = 0;
};

std::vector<Change> memory_changes(const Problem& problem, const Schedule& schedule,
                                   const std::vector<std::size_t>& lane, int device) {
    std::vector<Change> changes;
    changes.reserve(2 * lane.size());
    for (const std::size_t k : lane) {
        const Operation& operation = schedule.operations[k];
        const Block& block = problem.blocks[static_cast<std::size_t>(operation.block)];
        const Memory change = memory_on(block, device);
        const Memory transient = transient_on(block, device);
        const Wide taken = Wide{std::max<Memory>(change, 0)} + transient;
        const Wide given_back = Wide{transient} - std::min<Memory>(change, 0);
        if (taken != 0) changes.push_back({operation.start, true, taken});
        if (given_back != 0) changes.push_back({operation.start + block.time, false, -given_back});
    }
    std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return std::pair(a.time, a.allocates) < std::pair(b.time, b.allocates);
    });
    return changes;
}

Memory peak(const Problem& problem, const Schedule& schedule, const std::vector<std::size_t>& lane, int device) {
    Wide held = problem.devices[static_cast<std::size_t>(device)].memory_static;
    Wide most = held;
    for (const Change& change : memory_changes(problem, schedule, lane, device)) {
        held += change.amount;
        most = std::max(most, held);
    }
    return shown(most);
}

double rate_of_idle(double work, double whole) { return whole > 0 ? 1.0 - work / whole : 0.0; }

}  // namespace

Ticks makespan_ticks(const Problem& problem, const Schedule& schedule) {
    Ticks last = 0;
    for (const Operation& operation : schedule.operations) {
        last = std::max(last, operation.start + problem.blocks[static_cast<std::size_t>(operation.block)].time);
    }
    return last;
}

std::vector<MemoryStep> memory_curve(const Problem& problem, const Schedule& schedule, int device) {
    Wide held = problem.devices[static_cast<std::size_t>(device)].memory_static;
    std::vector<MemoryStep> curve = {{0, shown(held)}};
    const std::vector<std::size_t> lane = device_lane(problem, schedule, device);
    const std::vector<Change> changes = memory_changes(problem, schedule, lane, device);
    for (std::size_t k = 0; k < changes.size();) {
        const Ticks time = changes[k].time;
        for (; k < changes.size() && changes[k].time == time; ++k) held += changes[k].amount;
        if (curve.back().time == time) {
            curve.back().memory = shown(held);
        } else if (curve.back().memory != shown(held)) {
            curve.push_back({time, shown(held)});
        }
    }
    return curve;
}

Measures measure(const Problem& problem, const Schedule& schedule) {
    Measures measures;
    measures.makespan = makespan_ticks(problem, schedule);
    const std::vector<std::vector<std::size_t>> lanes = device_lanes(problem, schedule);
    Ticks most_busy = 0;
    for (int d = 0; d < problem.num_devices(); ++d) {
        const std::vector<std::size_t>& lane = lanes[static_cast<std::size_t>(d)];
        measures.peak_memory.push_back(peak(problem, schedule, lane, d));
        Ticks first_start = std::numeric_limits<Ticks>::max();
        Ticks last_end = 0;
        Ticks busy = 0;
        for (const std::size_t k : lane) {
            const Operation& operation = schedule.operations[k];
            const Ticks time = problem.blocks[static_cast<std::size_t>(operation.block)].time;
            first_start = std::min(first_start, operation.start);
            last_end = std::max(last_end, operation.start + time);
            busy += time;
        }
        const Ticks span = lane.empty() ? 0 : last_end - first_start;
        measures.busy_ticks.push_back(busy);
        measures.span_ticks.push_back(span);
        most_busy = std::max(most_busy, busy);
        measures.bubble_span =
            std::max(measures.bubble_span, rate_of_idle(static_cast<double>(busy), static_cast<double>(span)));
    }
    measures.bubble_makespan = rate_of_idle(static_cast<double>(most_busy), static_cast<double>(measures.makespan));
    if (schedule.repetend) {
        const double work = schedule.repetend->copies * static_cast<double>(most_work_ticks(problem));
        measures.bubble_steady = rate_of_idle(work, static_cast<double>(schedule.repetend->period));
    }
    return measures;
}

std::string_view name(Measure measure) {
    switch (measure) {
        case Measure::period:
            return "period";
        case Measure::period_lower_bound:
            return "period lower bound";
        case Measure::makespan:
            return "makespan";
        case Measure::makespan_lower_bound:
            return "makespan lower bound";
        case Measure::bubble_steady:
            return "steady bubble";
        case Measure::bubble_makespan:
            return "makespan bubble";
        case Measure::bubble_span:
            return "span bubble";
        case Measure::peak_memory:
            return "peak memory";
    }
    return {};
}

std::string_view definition(Measure measure) {
    switch (measure) {
        case Measure::period:
            return "time after which the repeating part starts again, with every micro-batch index higher by the "
                   "number of copies";
        case Measure::period_lower_bound:
            return "no schedule with this number of copies repeats in less time: proved";
        case Measure::makespan:
            return "end of the last operation, counted from time 0";
        case Measure::makespan_lower_bound:
            return "no schedule of this number of micro-batches ends earlier: proved";
        case Measure::bubble_steady:
            return "1 - copies * work / period on the device with the most work per micro-batch: its idle share while "
                   "the schedule repeats, warmup and cooldown left out";
        case Measure::bubble_makespan:
            return "1 - N * work / makespan on the device with the most work per micro-batch: its idle share over the "
                   "whole schedule of N micro-batches";
        case Measure::bubble_span:
            return "the largest over all devices of 1 - N * work / (last end - first start on that device): idle share "
                   "between a device's first and last operation, as in the zero-bubble papers";
        case Measure::peak_memory:
            return "the most a device holds at any moment, static memory and transients included; at one moment "
                   "releases come before allocations";
    }
    return {};
}

}  // namespace repetend
