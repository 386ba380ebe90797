// The least makespan of a few micro-batches of a tiny problem, by going through every schedule worth looking at.
//
// Which are worth it. Memory on a device changes only through what runs on that device, and the device runs one
// operation at a time: so when an operation starts, everything before it on the device has ended, and what is
// held follows from the order on the device alone. Waiting longer never helps. Hence some optimal schedule starts
// every operation as soon as its device order and its dependencies allow. Listed by (start, block, micro-batch), such a
// schedule is rebuilt by placing one operation after another as early as possible, and in that order starts never
// decrease: the search goes through all such lists. Instances of one block may be taken in order: exchange the
// micro-batch numbers so that the k-th run of every block belongs to micro-batch k, and every dependency still holds.
#pragma once

#include <cstdint>
#include <optional>

#include "repetend/model/schedule.hpp"

namespace repetend::testing {

struct BruteMakespan {
    std::optional<Schedule> schedule;  // an optimal one; none: infeasible
    Ticks makespan = 0;
    bool complete = true;  // false: gave up after `most_nodes`; the schedule is then only some schedule
    std::int64_t nodes = 0;
};

// Up to about 12 operations (micro_batches * blocks).
BruteMakespan brute_makespan(const Problem& problem, std::int64_t micro_batches, std::int64_t most_nodes = 2'000'000);

}  // namespace repetend::testing
