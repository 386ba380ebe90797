// The axioms of Lemma 4 (check_proof.cpp) for one problem and period, as plain data: everything that a clause may be
// derived from besides earlier clauses. Nothing here comes from the proof except the names of its variables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/proof_checks.hpp"

namespace repetend::verify {

// A bound on a variable x is kept as a lower bound of x (half 2x) or of -x (half 2x + 1).
inline constexpr std::int64_t unbounded = -(std::int64_t{1} << 60);

// s(to) - s(from) >= weight; node = block * copies + copy.
struct Arc {
    int from = 0;
    int to = 0;
    std::int64_t weight = 0;
};

// Two blocks that share a device.
struct Pair {
    int first = 0;
    int second = 0;
    std::vector<int> count;  // per copy of second
    int position = -1;
};

// weight * value, weight > 0. The value is that of a half, or the count of a later block before copy `copy` of an
// earlier one, seen from their pair (negated when `negative`).
struct RowTerm {
    std::int64_t weight = 0;
    int half = -1;
    int pair = -1;
    int copy = 0;
    bool negative = false;
};

// The sum of the terms is at most `limit`.
struct Row {
    std::vector<RowTerm> terms;
    std::int64_t limit = 0;
};

struct ClauseAxioms {
    int copies = 1;
    Ticks period = 0;
    std::vector<Ticks> time;  // per block
    int nodes = 0;
    std::vector<Pair> pairs;
    std::vector<int> pair_of;           // [i * blocks + j], see pair_of_blocks
    std::vector<int> pair_of_variable;  // -1: a carry
    std::vector<int> copy_of_variable;
    std::vector<std::int64_t> bound;  // per half
    std::vector<Arc> arcs;            // a, e, f
    std::vector<Row> rows;            // c, d

    int pair_of_blocks(int i, int j) const { return pair_of[at(i) * time.size() + at(j)]; }  // -1: no shared device
    int node(int block, std::int64_t copy) const { return block * copies + static_cast<int>(copy); }
};

// Condition 2 on every device with rows; an empty text, or where it does not hold.
std::string test_conditions(const Problem& problem, Effort& effort);

// Fills `axioms` and answers an empty text, or why clause logs do not cover this. Expects the conditions, and (A).
std::string derive_axioms(const Problem& problem, int copies, Ticks period, const std::vector<ProofVariable>& variables,
                          Effort& effort, ClauseAxioms& axioms);

// Whether all its allocations of a device can be matched with releases by descendants.
bool released_by_descendants(const std::vector<Memory>& change, const std::vector<std::vector<bool>>& descends,
                             Effort& effort);

// Whether the clauses, each following from the axioms and earlier ones, end with the empty clause; else the first
// that does not follow. clause_check.cpp.
std::string check_clauses(const ClauseAxioms& axioms, const std::vector<ProofClause>& clauses, Effort& effort);

}  // namespace repetend::verify
