// Proofs between the search and files: nothing is written that the independent checker has not accepted.
#pragma once

#include <optional>
#include <string>

#include "commands.hpp"
#include "input.hpp"
#include "repetend/model/proof.hpp"

namespace repetend::native {

// What a proof says about its problem, or why it was refused, in one line.
struct CheckedProof {
    bool accepted = false;
    std::string words;
};
CheckedProof judge(const PeriodProof& proof);

// Checks the proof and writes it under `path`, compressed with --gzip. Answers `status`, or the failure's (told).
int write_checked_proof(const PeriodProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status);

// The same for a makespan.
CheckedProof judge(const MakespanProof& proof);
int write_checked_proof(const MakespanProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status);

// `check` of a text that is a proof; answers the exit status.
int run_check_proof(const Invocation& invocation, const std::string& text, const std::string& label);
int run_check_makespan_proof(const Invocation& invocation, const std::string& text, const std::string& label);

// Said where a period is proved least but the argument has no written form.
inline constexpr const char* no_written_proof =
    "the period is proved least, but not in a form that can be written down (memory that later blocks do not "
    "release, a limit on micro-batches in flight, or a search too long to log)";

}  // namespace repetend::native
