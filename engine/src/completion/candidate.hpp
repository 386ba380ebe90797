// A schedule of N micro-batches in the form in which it was found. The operations themselves are written out
// only when somebody asks for them: that is the one cost that grows with N.
#pragma once

#include <variant>

#include "completion/compaction.hpp"
#include "completion/repeat.hpp"
#include "repetend/model/schedule.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend::completion {

// The left shift of a window that is run `times` more often.
struct Repeated {
    Window window;
    std::int64_t times = 0;
    Ticks growth = 0;  // what one more repeat adds, when many have been added
};

// Start of the pattern's instance n (any integer) of a block.
Ticks pattern_start(const PeriodicPattern& pattern, int block, std::int64_t n);

// A timing for few micro-batches, and how it grows: the middle of it runs with the pattern.
struct Followed {
    PeriodicPattern pattern;
    std::int64_t small = 0;  // micro-batches of the timing
    Timing timing;
    Ticks shift = 0;                   // timing minus pattern, in the middle
    std::vector<std::int64_t> before;  // per block: instances before the middle
    std::vector<std::int64_t> after;   // per block: instances after the middle
};

struct Candidate {
    std::variant<Timing, Repeated, Followed> form;
    std::int64_t micro_batches = 0;
    Ticks makespan = 0;

    // Starts of all operations.
    Timing expand(const Instance& instance) const;
    // About what `fewer` micro-batches less would take less.
    Ticks growth(std::int64_t fewer) const;
    // The same for a number of micro-batches small enough to check in passing, where the form allows it.
    Candidate reduced() const;
};

Candidate make_candidate(Timing timing, const Instance& instance);
Candidate make_candidate(Followed followed, std::int64_t micro_batches);

// The operations of a timing, in the order that Schedule promises.
Schedule make_schedule(const Timing& timing, int blocks);

}  // namespace repetend::completion
