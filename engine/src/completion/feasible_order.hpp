// A first feasible sequence, or the proof that there is none.
//
// Whether a sequence fits is a question about counts alone, never about time: a walk on the lattice of
// count vectors from all zero to all N. First one micro-batch is ordered on its own (then N of them in
// turn fit as well); if that fails, a depth-first search over count vectors with a memory of the dead ones
// decides, as far as its limit goes. Preferring the oldest micro-batch and, within it, blocks that free
// memory makes the search go straight through on any usual problem.
#pragma once

#include <memory>

#include "completion/instance.hpp"

namespace repetend::completion {

enum class Feasibility { unknown, feasible, infeasible };

class FeasibleOrderSearch {
public:
    // `most_states`: how many dead count vectors may be remembered before the search gives up. The instance
    // must outlive the search.
    FeasibleOrderSearch(const Instance& instance, std::int64_t most_states);
    ~FeasibleOrderSearch();

    // Takes about `steps` steps; true while there is more to do.
    bool step(std::int64_t steps);
    Feasibility verdict() const { return verdict_; }
    const Sequence& sequence() const { return sequence_; }  // when feasible
    // When infeasible: one micro-batch alone is, and others can never make room for it.
    bool for_any_number() const { return for_any_number_; }
    std::int64_t work() const { return work_; }

private:
    class Walk;
    enum class Phase { one, all, over };

    bool finish(Feasibility verdict);

    const Instance& instance_;
    std::int64_t most_states_;
    Instance one_;  // one micro-batch beside all that the others may leave behind
    std::unique_ptr<Walk> walk_;
    Phase phase_ = Phase::one;
    Feasibility verdict_ = Feasibility::unknown;
    bool for_any_number_ = false;
    Sequence sequence_;
    std::int64_t work_ = 0;
};

// True when no prefix of a micro-batch leaves less on a device than nothing, so that other micro-batches
// can never make room: infeasible for one micro-batch then means infeasible for any number of them.
bool only_takes_room(const Instance& instance);

}  // namespace repetend::completion
