// Is there a schedule of a few micro-batches that ends by a given time? By going through all counts of operations
// started, for problems a little larger than brute_makespan.hpp can list; written apart from the engine's diagrams.
//
// Operations are placed in order of start, each as early as it can be (brute_makespan.hpp says why that is enough).
// What the rest depends on: how many instances of each block have started (memory follows from that), when each device
// is free, and when the operations end that somebody still waits for. Of two such states with equal counts, the one
// that is later everywhere is dropped, and so is a state from which work left on a device or a chain cannot end in
// time.
#pragma once

#include <cstdint>
#include <optional>

#include "repetend/model/problem.hpp"

namespace repetend::testing {

// None: more than `most_states` states were met.
std::optional<bool> can_end_by(const Problem& problem, std::int64_t micro_batches, Ticks makespan,
                               std::size_t most_states);

}  // namespace repetend::testing
