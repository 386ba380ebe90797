// The independent checker of makespan proofs: uses model/ alone. engine/src/verify/check_makespan.cpp holds the
// argument in full.
#pragma once

#include <optional>

#include "repetend/model/proof.hpp"
#include "repetend/verify/check_proof.hpp"

namespace repetend {

// Whether the schedule is valid and the argument shows that no schedule of as many micro-batches is shorter; in words
// either way. Bounded: problems of any size, at most 20 blocks on the argument's device.
ProofVerdict check_makespan_proof(const MakespanProof& proof);

// An argument that shows that `micro_batches` take at least `makespan`, found by trying devices, windows and prices on
// the checker itself; none when none of them does (the bound may have been proved in a way that has no such form).
// Expects a problem without faults.
std::optional<MakespanArgument> find_makespan_argument(const Problem& problem, std::int64_t micro_batches,
                                                       Ticks makespan);

}  // namespace repetend
