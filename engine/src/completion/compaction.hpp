// Compaction: every operation as early as the orders allow. Taking the whole schedule at once, across
// warmup, repetend and cooldown, removes the barriers that joining three finished phases leaves behind
// (Tessel, section on completion, joins them with barriers).
#pragma once

#include "completion/instance.hpp"

namespace repetend::completion {

// Start of instance n of block b at [b * micro-batches + n].
struct Timing {
    std::vector<Ticks> start;
    Ticks makespan = 0;
};

// Left shift of a sequence that keeps the order on every device. The number of micro-batches is the
// sequence's own (its length over the number of blocks). O(operations + dependencies).
void left_shift(const Instance& instance, const Sequence& sequence, Timing& timing);

// Operations that run at given times whatever follows: the first ones of a sequence.
struct Frozen {
    Sequence sequence;
    std::vector<Ticks> start;  // of each, in the order of `sequence`
};

// As left_shift, with the operations of `frozen`, which `sequence` begins with, at their own times.
void left_shift_after(const Instance& instance, const Frozen& frozen, const Sequence& sequence, Timing& timing);

// The makespan alone.
Ticks makespan_of(const Instance& instance, const Sequence& sequence);

// The operations of a timing in order of start, as a sequence.
Sequence by_start(const Instance& instance, const Timing& timing);

}  // namespace repetend::completion
