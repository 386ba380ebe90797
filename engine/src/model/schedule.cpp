// The order of operations, and the stretch of a schedule that repeats.
//
// An operation (block, n) recurs when (block, n + copies) starts exactly one period later. A stretch
// [begin, end) repeats when everything that starts in it more than a period before its end recurs, and
// everything that starts in it more than a period after its begin is such a recurrence: the windows of one
// period are then images of each other. Both conditions forbid single points for `begin`'s window
// [begin, end - period): the start of an operation that does not recur, and the start minus one period of an
// operation that is no recurrence. So the longest stretches lie between neighbouring forbidden points, and
// sorting those is all the work. A stretch counts as a repetend only when each window holds every block
// exactly `copies` times; windows of one stretch agree, so its first one is enough to look at.
#include "repetend/model/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

namespace repetend {
namespace {

// Starts by (block, micro-batch) of a schedule that holds every operation exactly once.
class Starts {
public:
    // Invalid when operations are missing, repeated, unknown or start out of range.
    Starts(const Problem& problem, const Schedule& schedule)
        : blocks_(problem.num_blocks()), micro_batches_(schedule.micro_batches) {
        if (blocks_ == 0 || micro_batches_ < 1 || micro_batches_ > most_operations / blocks_) return;
        if (static_cast<std::int64_t>(schedule.operations.size()) != micro_batches_ * blocks_) return;
        starts_.assign(schedule.operations.size(), -1);
        for (const Operation& operation : schedule.operations) {
            if (operation.block < 0 || operation.block >= blocks_ || operation.micro_batch < 0 ||
                operation.micro_batch >= micro_batches_ || operation.start < 0 || operation.start > largest_number) {
                return;
            }
            Ticks& start = starts_[index(operation.block, operation.micro_batch)];
            if (start >= 0) return;
            start = operation.start;
            const Ticks time = problem.blocks[static_cast<std::size_t>(operation.block)].time;
            makespan_ = std::max(makespan_, operation.start + time);
        }
        valid_ = true;
    }

    bool valid() const { return valid_; }
    int blocks() const { return blocks_; }
    std::int64_t micro_batches() const { return micro_batches_; }
    Ticks makespan() const { return makespan_; }
    Ticks of(int block, std::int64_t micro_batch) const { return starts_[index(block, micro_batch)]; }
    // Whether `micro_batch` exists and the block starts at `start` in it.
    bool has(int block, std::int64_t micro_batch, Ticks start) const {
        return micro_batch >= 0 && micro_batch < micro_batches_ && of(block, micro_batch) == start;
    }

private:
    std::size_t index(int block, std::int64_t micro_batch) const {
        return static_cast<std::size_t>(micro_batch * blocks_ + block);
    }

    int blocks_;
    std::int64_t micro_batches_;
    std::vector<Ticks> starts_;
    Ticks makespan_ = 0;
    bool valid_ = false;
};

using Operations = std::vector<Operation>;

bool in_order(const Operation& a, const Operation& b) {
    return std::tie(a.start, a.micro_batch, a.block) < std::tie(b.start, b.micro_batch, b.block);
}

Operations::const_iterator first_from(const Operations& operations, Ticks time) {
    return std::lower_bound(operations.begin(), operations.end(), time,
                            [](const Operation& operation, Ticks t) { return operation.start < t; });
}

bool holds_every_block(const Starts& starts, const Operations& operations, Ticks begin, Ticks period, int copies) {
    const auto first = first_from(operations, begin);
    const auto last = first_from(operations, begin + period);
    if (last - first != std::int64_t{copies} * starts.blocks()) return false;
    std::vector<int> count(static_cast<std::size_t>(starts.blocks()), 0);
    return std::all_of(first, last, [&](const Operation& operation) {
        return ++count[static_cast<std::size_t>(operation.block)] <= copies;
    });
}

// The longest repeating stretch inside [low, high), the earliest of equals. `operations` are in order.
std::optional<RepetendMark> longest_stretch(const Starts& starts, const Operations& operations, Ticks period,
                                            int copies, Ticks low, Ticks high) {
    if (high - low < 2 * period) return std::nullopt;
    std::vector<Ticks> forbidden;
    for (auto o = first_from(operations, low); o != operations.end() && o->start < high; ++o) {
        if (!starts.has(o->block, o->micro_batch + copies, o->start + period)) forbidden.push_back(o->start);
        if (!starts.has(o->block, o->micro_batch - copies, o->start - period)) forbidden.push_back(o->start - period);
    }
    std::sort(forbidden.begin(), forbidden.end());
    forbidden.push_back(high - period);

    std::optional<RepetendMark> best;
    Ticks free_from = low;
    for (const Ticks point : forbidden) {
        const Ticks free_to = std::min(point, high - period);
        const Ticks length = free_to - free_from;
        const std::int64_t repeats = length / period + 1;
        if (length >= period && (!best || repeats > best->repeats)) {
            // Begin with an operation where the spare length allows it: the mark then starts at a block's edge.
            const auto first = first_from(operations, free_from);
            const bool fits = first != operations.end() && free_to - first->start >= (repeats - 1) * period;
            const Ticks begin = fits ? first->start : free_from;
            if (holds_every_block(starts, operations, begin, period, copies)) {
                best = RepetendMark{period, copies, begin, repeats};
            }
        }
        free_from = std::max(free_from, point + 1);
    }
    return best;
}

Operations ordered(const Schedule& schedule) {
    Operations operations = schedule.operations;
    if (!std::is_sorted(operations.begin(), operations.end(), in_order)) {
        std::sort(operations.begin(), operations.end(), in_order);
    }
    return operations;
}

bool covers_more(const RepetendMark& a, const RepetendMark& b) { return a.period * a.repeats > b.period * b.repeats; }

}  // namespace

void sort_operations(Schedule& schedule) {
    // Every field takes part in the order, so operations that tie are equal.
    std::sort(schedule.operations.begin(), schedule.operations.end(), in_order);
}

std::optional<RepetendMark> find_repetend(const Problem& problem, const Schedule& schedule, Ticks period, int copies) {
    const Starts starts(problem, schedule);
    if (!starts.valid() || period < 1 || period > largest_number || copies < 1) return std::nullopt;
    return longest_stretch(starts, ordered(schedule), period, copies, 0, starts.makespan());
}

// Any repetend shifts block 0 by its period too, so only differences of block 0's starts can be periods, and
// a stretch lies within a period of the run of micro-batches that show its difference. Runs of one number
// of copies barely overlap in time; that keeps the whole search close to linear.
std::optional<RepetendMark> find_any_repetend(const Problem& problem, const Schedule& schedule, int most_copies) {
    const Starts starts(problem, schedule);
    if (!starts.valid()) return std::nullopt;
    const Operations operations = ordered(schedule);
    std::optional<RepetendMark> best;
    for (int copies = 1; copies <= most_copies && copies < starts.micro_batches(); ++copies) {
        const std::int64_t last = starts.micro_batches() - copies;  // differences exist for 0 .. last - 1
        const auto difference = [&](std::int64_t n) { return starts.of(0, n + copies) - starts.of(0, n); };
        for (std::int64_t first = 0, next = 0; first < last; first = next) {
            const Ticks period = difference(first);
            next = first + 1;
            while (next < last && difference(next) == period) ++next;
            if (next - first < copies || period < 1) continue;
            const Ticks low = std::max<Ticks>(0, starts.of(0, first) - period);
            const Ticks high = std::min(starts.makespan(), starts.of(0, next - 1) + 2 * period);
            const std::optional<RepetendMark> mark = longest_stretch(starts, operations, period, copies, low, high);
            if (mark && (!best || covers_more(*mark, *best))) best = mark;
        }
    }
    return best;
}

}  // namespace repetend
