// Lower bounds on the period that need no search; each is a certificate that a person understands, and each
// holds for any number of copies.
#pragma once

#include "periodic/instance.hpp"
#include "repetend/model/proof.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend::periodic {

// A bound on period/copies as an exact fraction (ticks / per), with the argument behind it.
struct RateBound {
    Ticks ticks = 0;
    std::int64_t per = 1;
    std::vector<ProofMatch> matches;  // energy, gang
    Certificate certificate;          // bound left 0: it depends on the number of copies

    // Least integer period for `copies` that the bound allows.
    Ticks period(int copies) const;
};

// A device runs one block at a time: period/copies >= its work.
RateBound load_bound(const Problem& problem);

// What a device holds, summed over time, is at most (capacity - static) * T; one micro-batch holds at least
// amount * longest path from allocation to release. None when no device has such a bound.
std::optional<RateBound> energy_bound(const Problem& problem, const Instance& instance);

// Blocks that occupy every device stop everything else. Cut them out of all timelines and join what is left:
// period >= their time + bound of the rest (load and energy with these blocks at length 0 and lags at 0,
// because a lag may pass while such a block runs).
std::optional<RateBound> gang_bound(const Problem& problem, const Instance& instance);

// The strongest of the above for this number of copies (the first named among equals).
RateBound best_rate_bound(const Problem& problem, const Instance& instance, int copies);

// Compares a.ticks/a.per with b.ticks/b.per exactly.
bool less_rate(const RateBound& a, const RateBound& b);

}  // namespace repetend::periodic
