// Proofs for tests, as the search writes them.
#pragma once

#include <optional>

#include "repetend/periodic/periodic.hpp"

namespace repetend::test {

// A search up to its end, or until it has done `most_work`; a proof when it is optimal and can write one.
inline std::optional<PeriodProof> find_proof(const Problem& problem, int copies,
                                             std::int64_t most_work = 20'000'000'000) {
    PeriodicOptions options;
    options.copies = copies;
    options.log_proof = true;
    Result<PeriodicSearch> search = PeriodicSearch::start(problem, options);
    if (!search) return std::nullopt;
    while (search->step(1'000'000) == PeriodicStatus::running && search->work() < most_work) continue;
    if (search->status() != PeriodicStatus::optimal || !search->refutation()) return std::nullopt;
    PeriodProof proof;
    proof.problem = problem;
    proof.copies = copies;
    proof.period = search->best()->period;
    proof.start = search->best()->start;
    proof.refutation = *search->refutation();
    return proof;
}

}  // namespace repetend::test
