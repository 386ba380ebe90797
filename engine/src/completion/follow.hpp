// A schedule that follows a repetend: a middle in which every operation runs exactly when the periodic
// pattern says, with a warmup and a cooldown that are searched freely around it.
//
// The pattern, cut to N micro-batches, is a schedule already, but its ends are as slack as its middle is
// tight. So the middle is kept rigid from the first moment from which every block has an instance until the
// last such moment. What comes before is scheduled in reversed time with everything after it frozen, as late
// as possible; what comes after is scheduled forwards. Both are small problems for the key search, and each
// of the moments within one period at which the middle may begin or end is tried, since it decides what is
// still free. Tessel (section on completion) solves both ends with a solver and joins with barriers.
//
// Only a few periods of the middle are needed for that, however large N is: the rest repeats.
#pragma once

#include <memory>

#include "completion/candidate.hpp"
#include "completion/key_search.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend::completion {

class Follower {
public:
    // `pattern` must have the problem's blocks; whether it is valid for N micro-batches is found out here.
    // Stops at a makespan of `target`.
    Follower(const Problem& problem, const PeriodicPattern& pattern, std::int64_t micro_batches, Ticks target,
             std::uint64_t seed);
    ~Follower();

    // How often the middle repeats when it is as long as N allows.
    static std::int64_t repeats(const PeriodicPattern& pattern, std::int64_t micro_batches);

    // False when N leaves no room for two repeats of the middle, or the pattern is no schedule when cut to N.
    bool possible() const { return possible_; }

    // One decode; false when over.
    bool step();
    std::int64_t work() const { return work_; }  // decoded operations
    // The best so far for N micro-batches; the pattern itself to begin with.
    Ticks makespan() const;
    const Followed& best() const { return best_; }
    const PeriodicPattern& pattern() const { return best_.pattern; }

private:
    class End;

    void assemble();

    std::int64_t micro_batches_;
    Ticks target_;
    bool possible_ = false;
    std::int64_t work_ = 0;

    std::unique_ptr<Instance> forward_;
    std::unique_ptr<Instance> backward_;
    Timing rigid_;  // the pattern for few micro-batches, which give a middle just long enough
    std::unique_ptr<End> warmup_;
    std::unique_ptr<End> cooldown_;
    Followed best_;
};

// The pattern cut to `micro_batches`, moved so that it begins at 0.
Timing unroll(const Instance& instance, const PeriodicPattern& pattern, std::int64_t micro_batches);

}  // namespace repetend::completion
