// The independent checker of period proofs: uses model/ only and shares no code with the search. It derives every
// axiom from the problem itself; engine/src/verify/check_proof.cpp states them lemma by lemma.
#pragma once

#include <string>

#include "repetend/model/proof.hpp"

namespace repetend {

struct ProofVerdict {
    bool accepted = false;
    // Accepted: what has been proved, in words. Refused: the first step that does not follow.
    std::string words;
};

// Checks that the given starts are a valid periodic schedule of proof.period, and that no integer period below it
// exists for this number of copies. Expects a problem without faults; expects nothing of the rest.
ProofVerdict check_proof(const PeriodProof& proof);

}  // namespace repetend
