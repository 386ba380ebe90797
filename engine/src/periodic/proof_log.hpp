// What a height solver learned, for a checker that does not trust it (format: model/proof.hpp). Conflict analysis
// meets every clause that a derivation used, so the hints are free; paths of the matrix and memory rows need none,
// because the checker derives them from the problem. While the search runs a clause is copied to the end of two arrays
// and no more; what is needed of the log is found out when somebody asks for the proof.
#pragma once

#include <cstdint>
#include <vector>

#include "periodic/instance.hpp"
#include "repetend/model/proof.hpp"

namespace repetend::periodic {

class ProofLog {
public:
    // `first`: the number of the first clause, where this log is to be appended to another one of that size.
    explicit ProofLog(std::int32_t first = 0) : first_(first), counted_(first) {}

    // Number of the new clause. Once the log is too long to be worth checking, clauses are counted only.
    std::int32_t add(const std::vector<Literal>& literals, const std::vector<std::int32_t>& hints);

    std::int32_t size() const { return counted_; }
    std::int32_t first() const { return first_; }
    // Another log that began where this one ended, or did before others were appended: its own numbers grow by the
    // answer.
    std::int32_t append(const ProofLog& other);

    // The clauses that the last one (the empty clause) rests on, renumbered; unit clauses stay, since the checker
    // holds them at the root. Empty when the log was given up.
    std::vector<ProofClause> trimmed() const;

private:
    void give_up();

    struct Entry {
        std::int32_t literals_end = 0;  // the entry's part of each array ends here, where the next one's begins
        std::int32_t hints_end = 0;
    };
    std::vector<Entry> entries_;
    std::vector<Literal> literals_;
    std::vector<std::int32_t> hints_;
    bool given_up_ = false;
    std::int32_t first_ = 0;
    std::int32_t counted_ = 0;
};

}  // namespace repetend::periodic
