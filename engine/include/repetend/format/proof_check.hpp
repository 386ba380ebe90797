// A text that is a proof, checked: what `repetend check` and the page's checker say of it. Needs the readers of
// problems, schedules and proofs, what measures a schedule, and the checkers in verify/; nothing of any search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "repetend/model/problem.hpp"

namespace repetend {

struct CheckedProof {
    bool accepted = false;
    std::string words;  // accepted: what has been proved; refused: the first step that does not follow
    Problem problem;    // what it is about
    bool of_makespan = false;
    Ticks value = 0;         // the period or the makespan that the proof says is least
    std::int64_t count = 0;  // of so many copies or micro-batches
};

// Is a document of this format (`document_format`) a proof?
bool is_proof_format(std::string_view format);

// Reads and checks. Faults where the text is no proof at all; a proof that does not hold is refused, not faulty.
Result<CheckedProof> check_proof_text(std::string_view text);

// Refuses the proof unless it is about `given`. What things are called does not count.
void hold_against(CheckedProof& proof, const Problem& given, std::string_view what_given);

// {"format": "repetend.check", "version": 1, "valid": ..., "proof": {...}} on one line.
std::string write_check(const CheckedProof& proof);

}  // namespace repetend
