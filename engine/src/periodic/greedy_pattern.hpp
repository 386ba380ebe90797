// A periodic schedule of a large problem in a moment, to have one while the exact search works.
//
// Modulo scheduling as for loops on processors (B. R. Rau, Iterative Modulo Scheduling, MICRO 1994): blocks in order of
// their heads, each at the first moment from which its devices are free in every period. There all operations take a
// slot or two; here lengths differ, and first fits leave gaps that no block fits into, so that a period near the load
// is never met. Hence two passes: the first, at a longer period, only settles the order around the period on every
// device; the second squeezes that order into the period wanted, without gaps where need be, and lets every block wait
// for its place. Longer lags in the first pass keep blocks from just missing their places in the second. Memory is not
// steered, only looked at: where capacities leave room, the load is met at once; where they do not, a longer period
// is answered or none.
#pragma once

#include <optional>
#include <vector>

#include "periodic/instance.hpp"

namespace repetend::periodic {

struct GreedyPattern {
    Ticks period = 0;
    std::vector<Ticks> start;  // per block
};

// Expects one copy. A valid pattern of a period of at least `at_least`, the shortest of those tried; none when none of
// them fits the capacities. O(blocks * blocks on a device) for each of some dozens of tries, counted in `work`.
std::optional<GreedyPattern> greedy_pattern(const Problem& problem, const Instance& instance, Ticks at_least,
                                            std::int64_t& work);

}  // namespace repetend::periodic
