// The independent checker of period proofs: uses model/ only and shares no code with the search. It derives every
// axiom from the problem itself; engine/src/verify/check_proof.cpp states what is claimed, lemma by lemma, and why.
#pragma once

#include <cstdint>
#include <string>

#include "repetend/model/proof.hpp"

namespace repetend {

struct ProofVerdict {
    bool accepted = false;
    // Accepted: what has been proved, in words. Refused: the first step that does not follow.
    std::string words;
    std::int64_t work = 0;  // numbers touched
};

// Some fifty times what the longest proof so far needs; about twenty minutes.
inline constexpr std::int64_t most_proof_work = 200'000'000'000;

// Checks that the given starts are a valid periodic schedule of proof.period, and that no integer period below it
// exists for this number of copies. Expects a problem without faults; expects nothing of the rest. A proof that
// would take more than `most_work` is refused.
ProofVerdict check_proof(const PeriodProof& proof, std::int64_t most_work = most_proof_work);

}  // namespace repetend
