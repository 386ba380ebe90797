// What a height solver learned, for a checker that does not trust it (format: model/proof.hpp). Conflict analysis
// meets every clause that a derivation used, so the hints are free; paths of the matrix and memory rows need none,
// because the checker derives them from the problem.
#pragma once

#include <cstdint>
#include <vector>

#include "periodic/instance.hpp"
#include "repetend/model/proof.hpp"

namespace repetend::periodic {

class ProofLog {
public:
    // Number of the new clause. Once the log is too long to be worth checking, clauses are counted only.
    std::int32_t add(const std::vector<Literal>& literals, const std::vector<std::int32_t>& hints);

    // The clauses that the last one (the empty clause) rests on, renumbered; unit clauses stay, since the checker
    // holds them at the root. Empty when the log was given up.
    std::vector<ProofClause> trimmed() const;

private:
    struct Entry {
        std::vector<Literal> literals;
        std::vector<std::int32_t> hints;
    };
    std::vector<Entry> entries_;
    std::int64_t size_ = 0;  // literals and hints
    bool given_up_ = false;
    std::int32_t counted_ = 0;
};

}  // namespace repetend::periodic
