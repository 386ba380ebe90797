#include "completion/compaction.hpp"

#include <algorithm>

namespace repetend::completion {

void left_shift(const Instance& instance, const Sequence& sequence, Timing& timing) {
    left_shift_after(instance, {}, sequence, timing);
}

void left_shift_after(const Instance& instance, const Frozen& frozen, const Sequence& sequence, Timing& timing) {
    const auto micro_batches = static_cast<std::int64_t>(sequence.size()) / instance.blocks;
    timing.start.resize(sequence.size());
    timing.makespan = 0;
    std::vector<Ticks> free(static_cast<std::size_t>(instance.devices), 0);
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    for (std::size_t k = 0; k < sequence.size(); ++k) {
        const int b = sequence[k];
        const std::int64_t n = count[b]++;
        Ticks start = 0;
        if (k < frozen.sequence.size()) {
            start = frozen.start[k];
        } else {
            for (const Use& use : instance.uses[b]) start = std::max(start, free[use.device]);
            for (const Edge& edge : instance.preds[b]) {
                const Ticks before = timing.start[static_cast<std::size_t>(edge.block * micro_batches + n)];
                start = std::max(start, before + instance.time[edge.block] + edge.lag);
            }
        }
        const Ticks end = start + instance.time[b];
        for (const Use& use : instance.uses[b]) free[use.device] = end;
        timing.start[static_cast<std::size_t>(b * micro_batches + n)] = start;
        timing.makespan = std::max(timing.makespan, end);
    }
}

Ticks makespan_of(const Instance& instance, const Sequence& sequence) {
    Timing timing;
    left_shift(instance, sequence, timing);
    return timing.makespan;
}

Sequence by_start(const Instance& instance, const Timing& timing) {
    struct Item {
        Ticks start;
        int block;
    };
    const std::size_t micro_batches = timing.start.size() / static_cast<std::size_t>(instance.blocks);
    std::vector<Item> items;
    items.reserve(timing.start.size());
    for (std::size_t k = 0; k < timing.start.size(); ++k) {
        items.push_back({timing.start[k], static_cast<int>(k / micro_batches)});
    }
    // Times are positive, so operations that start together do not depend on each other.
    std::sort(items.begin(), items.end(),
              [](const Item& a, const Item& b) { return a.start != b.start ? a.start < b.start : a.block < b.block; });
    Sequence sequence;
    sequence.reserve(items.size());
    for (const Item& item : items) sequence.push_back(item.block);
    return sequence;
}

}  // namespace repetend::completion
