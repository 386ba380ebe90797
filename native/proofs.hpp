// Proofs between the search and files: nothing is written that the independent checker has not accepted.
#pragma once

#include <string>

#include "commands.hpp"
#include "input.hpp"
#include "repetend/model/proof.hpp"

namespace repetend::native {

// Checks the proof and writes it under `path`, compressed with --gzip. Answers `status`, or the failure's (told).
int write_checked_proof(const PeriodProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status);

// The same for a makespan.
int write_checked_proof(const MakespanProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status);

// `check` of a text that is a proof; answers the exit status.
int run_check_proof(const Invocation& invocation, const std::string& text, const std::string& label);

}  // namespace repetend::native
