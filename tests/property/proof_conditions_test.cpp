// The three conditions of Lemma 4 (engine/src/verify/check_proof.cpp): for each a small problem with a schedule, found
// by exhaustive search, that would be refuted if the condition were dropped.
#include <catch2/catch_test_macros.hpp>

#include "property/brute_period.hpp"
#include "repetend/verify/check_proof.hpp"
#include "unit/problem_builder.hpp"
#include "verify/clause_axioms.hpp"

using namespace repetend;
using namespace repetend::testing;
using namespace repetend::verify;

namespace {

std::vector<ProofVariable> all_counts(const Problem& problem) {
    std::vector<ProofVariable> variables;
    for (int j = 0; j < problem.num_blocks(); ++j)
        for (int i = 0; i < j; ++i)
            if (problem.blocks[static_cast<std::size_t>(i)].devices ==
                problem.blocks[static_cast<std::size_t>(j)].devices)
                variables.push_back({ProofVariable::Kind::count, i, j, -1, 0});
    return variables;
}

ClauseAxioms axioms_of(const Problem& problem, Ticks period) {
    Effort effort{most_proof_work};
    ClauseAxioms axioms;
    REQUIRE(derive_axioms(problem, 1, period, all_counts(problem), effort, axioms).empty());
    return axioms;
}

// Whether the axioms contradict each other at sight: the log is the empty clause alone.
bool refuted(const ClauseAxioms& axioms) {
    Effort effort{most_proof_work};
    return check_clauses(axioms, {ProofClause{}}, effort).empty();
}

// A proof whose schedule is right and whose claim is false: the period below its own is possible as well.
ProofVerdict claim_one_more(const Problem& problem, const PeriodicPattern& least) {
    PeriodProof proof;
    proof.problem = problem;
    proof.period = least.period + 1;
    for (const std::vector<Ticks>& start : least.start)
        proof.start.push_back({(start[0] * proof.period + least.period - 1) / least.period});
    proof.refutation.kind = RefutationKind::clauses;
    proof.refutation.variables = all_counts(problem);
    proof.refutation.clauses.emplace_back();
    PeriodicPattern longer = least;
    longer.period = proof.period;
    longer.start = proof.start;
    REQUIRE(pattern_fault(problem, longer).empty());
    return check_proof(proof);
}

}  // namespace

TEST_CASE("condition 1: parallel dependencies that are not merged would refute what is possible", "[proof]") {
    const Problem problem =
        ProblemBuilder({-1, -1}).block("a", {0}, 1).block("b", {1}, 1).edge(0, 1).edge(0, 1, 5).build();
    const BrutePeriod brute = brute_period(problem, 1);
    REQUIRE(brute.pattern->period == 1);

    ClauseAxioms axioms = axioms_of(problem, 1);
    CHECK_FALSE(refuted(axioms));
    // The bound of a bridge, for the dependency without lag as if it stood alone: s(b) - s(a) <= 1 + 0 + P - 1.
    axioms.arcs.push_back({axioms.node(1, 0), axioms.node(0, 0), -1});
    CHECK(refuted(axioms));
    CHECK(claim_one_more(problem, *brute.pattern).words == "clause 0 does not follow");
}

TEST_CASE("condition 2: shifting closed sets whose memory is not released inside would refute what is possible",
          "[proof]") {
    // What x holds until y leaves no room for b, unless it runs several periods after a.
    const Problem problem = ProblemBuilder({3})
                                .block("a", {0}, 1, -1)
                                .block("b", {0}, 1, 1)
                                .block("x", {0}, 1, 1)
                                .block("y", {0}, 1, -1)
                                .edge(0, 1)
                                .edge(2, 3, 19)
                                .build();
    const BrutePeriod brute = brute_period(problem, 1);
    REQUIRE(brute.pattern);
    REQUIRE(brute.pattern->period == 4);
    REQUIRE_FALSE(brute.allocations_matched);

    CHECK(refuted(axioms_of(problem, 4)));
    CHECK(claim_one_more(problem, *brute.pattern).words ==
          "descendants do not release all that is allocated on device 0: clause logs do not cover this");
}

TEST_CASE("condition 2: nor may components be anchored whose memory does not sum to nothing", "[proof]") {
    const Problem problem = ProblemBuilder({0}).block("a", {0}, 1, 1).block("b", {0}, 1, -1).build();
    const BrutePeriod brute = brute_period(problem, 1);
    REQUIRE(brute.pattern);
    REQUIRE(brute.pattern->period == 2);

    CHECK(refuted(axioms_of(problem, 2)));
    CHECK_FALSE(claim_one_more(problem, *brute.pattern).accepted);
}

TEST_CASE("condition 3: rows where micro-batches release more than they hold would refute what is possible",
          "[proof]") {
    const Problem problem = ProblemBuilder({1})
                                .block("a", {0}, 1, 1)
                                .block("b", {0}, 1, 1)
                                .block("c", {0}, 1, -3)
                                .edge(0, 1)
                                .edge(1, 2)
                                .build();
    const BrutePeriod brute = brute_period(problem, 1);
    REQUIRE(brute.pattern);
    REQUIRE(brute.pattern->period == 3);

    ClauseAxioms axioms = axioms_of(problem, 3);
    CHECK(axioms.rows.empty());
    CHECK_FALSE(refuted(axioms));
    // After b starts: 1 + N(a,b) - 3 * N(c,b) <= 1, with N(c,b) seen from the pair (b, c).
    const auto pair = [&](int i, int j) { return axioms.pair_of_blocks(i, j); };
    Row row;
    row.terms.push_back({1, 2 * axioms.pairs[static_cast<std::size_t>(pair(0, 1))].count[0], pair(0, 1), 0, false});
    row.terms.push_back({3, -1, pair(2, 1), 0, true});
    row.limit = 0;
    axioms.rows.push_back(row);
    CHECK(refuted(axioms));
    CHECK_FALSE(claim_one_more(problem, *brute.pattern).accepted);
}
