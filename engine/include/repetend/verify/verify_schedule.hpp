// The independent checker of schedules: uses model/ only and shares no code with anything that makes a
// schedule. Every schedule made anywhere passes it before anyone sees it.
#pragma once

#include <optional>
#include <string>

#include "repetend/model/schedule.hpp"

namespace repetend {

enum class ViolationKind { count, start, overlap, dependency, memory, repetend };

struct Violation {
    ViolationKind kind = ViolationKind::count;
    Ticks time = 0;       // when it happens
    std::string message;  // one sentence a person understands, naming blocks, micro-batches, device, amounts
};

// The first violation in time, or none when the schedule is valid:
// - count: every block of every micro-batch 0..N-1 exactly once; N >= 1
// - start: no negative start, no start so large that ends leave the range of numbers
// - overlap: no device runs two operations at once
// - dependency: start(to) >= end(from) + lag inside each micro-batch
// - memory: no device above its capacity at any instant; at one instant releases come first
// - repetend: what the mark promises (operations recur; the repeating part lies inside the schedule)
// O(operations log operations). Expects a problem without faults; expects nothing of the schedule.
std::optional<Violation> verify_schedule(const Problem& problem, const Schedule& schedule);

}  // namespace repetend
