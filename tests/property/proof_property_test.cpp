// Period proofs of random problems, the truth known from exhaustive search. What the search proves is accepted. What
// is made out of such proofs, by moving them to longer periods, easier problems, other problems and other numbers of
// copies, by cutting, dropping and altering clauses, may be accepted only where it is true.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "property/brute_period.hpp"
#include "property/random.hpp"
#include "property/random_problems.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/check_proof.hpp"
#include "support/period_proof.hpp"
#include "verify/clause_axioms.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

constexpr int most_without_clauses = 250;
constexpr std::int64_t most_work = 3'000'000;  // of one search; problems that take longer are left out
constexpr std::int64_t truth_work = 1'000'000;

// A schedule with a longer period: starts grow in proportion and are rounded up.
PeriodicPattern stretched(const PeriodicPattern& pattern, Ticks period) {
    __extension__ typedef __int128 Wide;
    PeriodicPattern longer = pattern;
    longer.period = period;
    for (std::vector<Ticks>& copies : longer.start) {
        for (Ticks& start : copies) {
            const Wide product = static_cast<Wide>(start) * period;
            start = static_cast<Ticks>(product / pattern.period + (product % pattern.period > 0 ? 1 : 0));
        }
    }
    return longer;
}

PeriodicPattern pattern_of(const PeriodProof& proof) { return {proof.period, proof.copies, proof.start}; }

void set_pattern(PeriodProof& proof, const PeriodicPattern& pattern) {
    proof.period = pattern.period;
    proof.copies = pattern.copies;
    proof.start = pattern.start;
}

struct Truth {
    bool is_false = false;  // something in the claim is known to be wrong
    bool is_true = false;   // all of it is known to be right
};

Truth truth_of(const PeriodProof& proof) {
    if (!pattern_fault(proof.problem, pattern_of(proof)).empty()) return {true, false};
    if (proof.problem.num_blocks() * proof.copies <= 10) {
        const BrutePeriod brute = brute_period(proof.problem, proof.copies, 20'000);
        if (brute.pattern && brute.pattern->period < proof.period) return {true, false};
        return {false, brute.complete && brute.allocations_matched};
    }
    // Too large to try everything, but a shorter schedule speaks for itself.
    PeriodicOptions options;
    options.copies = proof.copies;
    Result<PeriodicSearch> search = PeriodicSearch::start(proof.problem, options);
    REQUIRE(search);
    search->step(truth_work);
    const PeriodicPattern* best = search->best();
    if (!best || best->period >= proof.period) return {};
    REQUIRE(pattern_fault(proof.problem, *best).empty());
    return {true, false};
}

// What is done to a proof that holds.
enum Move { longer_period, more_capacity, dropped_dependency, shorter_time, other_problem, other_copies };
constexpr int number_of_moves = 6;
// And to the log of a claim that does not.
enum Alteration { dropped_clause, cut, cut_and_ended, stronger, moved_bound, turned_bound, other_variable, early_use };
constexpr int number_of_alterations = 8;

struct Tally {
    int proofs = 0;
    int clauses = 0;
    int with_clauses = 0;
    int with_positions = 0;
    int of_kind[4] = {};
    int claims = 0;         // made out of proofs
    int false_claims = 0;   // known to be wrong
    int true_accepted = 0;  // of the others
    int altered = 0;        // false claims with altered logs
    // Of the false claims, by what was done to a proof that holds; and problems with at least one.
    int by_move[number_of_moves] = {};
    int by_alteration[number_of_alterations] = {};
    int problems_with_false_claims = 0;
};

// The heart of it: no false claim is accepted.
void judge(const PeriodProof& claim, Move move, Random& random, Tally& tally);

// What an enemy might do to the log of a false claim.
void alter(Refutation& refutation, Random& random, Tally& tally) {
    std::vector<ProofClause>& clauses = refutation.clauses;
    if (clauses.empty()) return;
    const std::size_t k = static_cast<std::size_t>(random.index(clauses.size()));
    const auto what = static_cast<Alteration>(random.from_to(0, number_of_alterations - 1));
    ++tally.by_alteration[what];
    switch (what) {
        case dropped_clause:  // the others moved up
            clauses.erase(clauses.begin() + static_cast<std::ptrdiff_t>(k));
            for (ProofClause& clause : clauses) {
                std::erase(clause.hints, static_cast<std::int64_t>(k));
                for (std::int64_t& hint : clause.hints) hint -= hint > static_cast<std::int64_t>(k) ? 1 : 0;
            }
            return;
        case cut:
            clauses.resize(k);
            return;
        case cut_and_ended:  // an end put on that uses all there is
            clauses.resize(k);
            clauses.emplace_back();
            for (std::size_t h = 0; h < k; ++h) clauses.back().hints.push_back(static_cast<std::int64_t>(h));
            return;
        case stronger:
            if (!clauses[k].literals.empty()) clauses[k].literals.pop_back();
            return;
        case moved_bound:
            if (!clauses[k].literals.empty()) {
                ProofLiteral& literal = clauses[k].literals[0];
                literal.value += literal.at_least ? 1 : -1;
            }
            return;
        case turned_bound:
            if (!clauses[k].literals.empty()) clauses[k].literals[0].at_least ^= true;
            return;
        case other_variable:
            if (!clauses[k].literals.empty())
                clauses[k].literals[0].variable = random.index(refutation.variables.size());
            return;
        case early_use:  // a clause used before its time
            clauses[k].hints.push_back(random.from_to(0, static_cast<std::int64_t>(clauses.size()) - 1));
            return;
    }
}

void judge(const PeriodProof& claim, Move move, Random& random, Tally& tally) {
    const ProofVerdict verdict = check_proof(claim);
    const Truth truth = truth_of(claim);
    ++tally.claims;
    INFO(verdict.words << "\nclaimed period " << claim.period << ", copies " << claim.copies << "\n"
                       << text_of(claim.problem));
    REQUIRE_FALSE((verdict.accepted && truth.is_false));
    if (verdict.accepted && truth.is_true) ++tally.true_accepted;
    if (!truth.is_false) return;
    ++tally.false_claims;
    ++tally.by_move[move];
    for (int round = 0; round < 6; ++round) {
        PeriodProof altered = claim;
        for (std::int64_t times = random.from_to(1, 3); times > 0; --times) alter(altered.refutation, random, tally);
        ++tally.altered;
        REQUIRE_FALSE(check_proof(altered).accepted);
    }
}

// One thing made easier, such that the schedule stays valid.
std::optional<Move> relax(Problem& problem, Random& random) {
    switch (random.from_to(0, 4)) {
        case 0:
        case 1: {
            Device& device = random.percent(50) ? problem.devices.front() : problem.devices.back();
            if (!device.memory_capacity) return std::nullopt;
            *device.memory_capacity += random.percent(50) ? 1 : 1'000'000'007;
            return more_capacity;
        }
        case 2:
            if (problem.dependencies.empty()) return std::nullopt;
            problem.dependencies.erase(problem.dependencies.begin() + random.index(problem.dependencies.size()));
            return dropped_dependency;
        case 3: {
            Block& block = problem.blocks[static_cast<std::size_t>(random.index(problem.blocks.size()))];
            if (block.time == 1) return std::nullopt;
            block.time -= random.percent(50) ? 1 : block.time - 1;
            return shorter_time;
        }
        default:
            for (Dependency& edge : problem.dependencies) {
                if (edge.lag == 0) continue;
                --edge.lag;
                return dropped_dependency;  // in part
            }
            return std::nullopt;
    }
}

// The same schedule with all copies twice.
PeriodicPattern doubled(const PeriodicPattern& pattern) {
    PeriodicPattern twice = pattern;
    twice.copies *= 2;
    twice.period *= 2;
    for (std::size_t i = 0; i < pattern.start.size(); ++i)
        for (const Ticks start : pattern.start[i]) twice.start[i].push_back(start + pattern.period);
    return twice;
}

// A placement of the literature with uneven times and capacities: small problems that still need long logs.
Problem uneven_placement(std::uint64_t seed) {
    Random random(seed);
    const std::string shapes[] = {"m", "nn", "k", "mllm", "x", "v"};
    PlacementOptions options;
    options.devices = 4;
    Problem problem = build_placement(shapes[random.index(6)], options).value();
    for (Block& block : problem.blocks) block.time = random.from_to(1, 4);
    for (Device& device : problem.devices) device.memory_capacity = random.from_to(2, 4);
    return problem;
}

auto random_of(const ProblemShape& shape) {
    return [shape](std::uint64_t seed) { return random_problem(seed, shape); };
}

template <class Make>
void check_claims(std::uint64_t seed, Make make, int copies, Tally& tally) {
    const Problem problem = make(seed);
    const std::optional<PeriodProof> proof = test::find_proof(problem, copies, most_work);
    if (!proof) return;
    INFO("seed " << seed << ", copies " << copies << "\n" << text_of(problem));
    const ProofVerdict verdict = check_proof(*proof);
    INFO(verdict.words);
    REQUIRE(verdict.accepted);
    REQUIRE_FALSE(truth_of(*proof).is_false);
    // Proofs by one bound are frequent; logs are what needs many tries.
    if (proof->refutation.clauses.empty() && tally.proofs - tally.with_clauses >= most_without_clauses) return;
    ++tally.proofs;
    ++tally.of_kind[static_cast<int>(proof->refutation.kind)];
    const auto& variables = proof->refutation.variables;
    tally.with_clauses += proof->refutation.clauses.empty() ? 0 : 1;
    tally.clauses += static_cast<int>(proof->refutation.clauses.size());
    tally.with_positions += std::any_of(variables.begin(), variables.end(),
                                        [](const ProofVariable& v) { return v.kind == ProofVariable::Kind::carry; })
                                ? 1
                                : 0;

    Random random(seed);
    PeriodProof longer = *proof;
    set_pattern(longer, stretched(pattern_of(*proof), proof->period + random.from_to(1, 2)));
    REQUIRE(pattern_fault(problem, pattern_of(longer)).empty());
    judge(longer, longer_period, random, tally);

    for (int round = 0; round < 4; ++round) {
        PeriodProof easier = *proof;
        if (const auto move = relax(easier.problem, random)) judge(easier, *move, random, tally);
    }

    // Another problem with the same blocks, and its own schedule stretched to this period.
    Problem other = make(seed + 1'000'000);
    for (std::uint64_t k = 2; other.blocks.size() != problem.blocks.size(); ++k) other = make(seed + k * 1'000'000);
    PeriodicOptions options;
    options.copies = copies;
    Result<PeriodicSearch> search = PeriodicSearch::start(other, options);
    REQUIRE(search);
    search->step(truth_work);
    if (search->best() && search->best()->period <= proof->period) {
        PeriodProof moved = *proof;
        moved.problem = other;
        set_pattern(moved, stretched(*search->best(), proof->period));
        judge(moved, other_problem, random, tally);
    }

    // Twice the copies, once with the variables as they are and once with variables for all copies.
    if (copies * problem.num_blocks() > 5) return;
    PeriodProof more = *proof;
    set_pattern(more, doubled(pattern_of(*proof)));
    judge(more, other_copies, random, tally);
    std::vector<ProofVariable> second;
    for (ProofVariable variable : variables) {
        if (variable.kind != ProofVariable::Kind::count) continue;
        variable.copy += copies;
        second.push_back(variable);
    }
    more.refutation.variables.insert(more.refutation.variables.end(), second.begin(), second.end());
    judge(more, other_copies, random, tally);
}

template <class Make>
Tally check_all(Make make, int copies, std::uint64_t first, std::uint64_t count) {
    Tally tally;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const int before = tally.false_claims;
        check_claims(seed, make, copies, tally);
        tally.problems_with_false_claims += tally.false_claims > before ? 1 : 0;
    }
    // The problems must keep asking something of the checker.
    CHECK(tally.with_clauses > static_cast<int>(count) / 20);
    CHECK(tally.false_claims > tally.claims / 5);
    CHECK(tally.altered > tally.proofs);
    return tally;
}

}  // namespace

TEST_CASE("one copy: proofs are accepted, and what is made of them only where it is true", "[property][proof]") {
    const Tally tally = check_all(random_of({2, 3, 3, 7}), 1, 0, 2500);
    for (const int of_kind : tally.of_kind) CHECK(of_kind > 0);
    CHECK(tally.true_accepted > tally.claims / 10);
    // Enough of every kind: none of them was accepted. (Twice the copies rarely have a shorter period.)
    constexpr int least_of_move[number_of_moves] = {500, 150, 200, 200, 250, 10};
    CHECK(tally.problems_with_false_claims >= 500);
    for (int move = 0; move < number_of_moves; ++move) {
        INFO("move " << move << ": " << tally.by_move[move]);
        CHECK(tally.by_move[move] >= least_of_move[move]);
    }
    for (int alteration = 0; alteration < number_of_alterations; ++alteration) {
        INFO("alteration " << alteration << ": " << tally.by_alteration[alteration]);
        CHECK(tally.by_alteration[alteration] >= 1000);
    }
}

TEST_CASE("one copy, more gangs: proofs with positions are accepted, and only where true", "[property][proof]") {
    const Tally tally = check_all(random_of({3, 4, 6, 9}), 1, 10'000, 300);
    CHECK(tally.with_positions > 0);
}

TEST_CASE("uneven placements: long logs are accepted, and what is made of them only where it is true",
          "[property][proof]") {
    CHECK(check_all(uneven_placement, 1, 50'000, 60).clauses > 500);
    check_all(uneven_placement, 2, 60'000, 12);
}

TEST_CASE("several copies: proofs are accepted, and what is made of them only where it is true", "[property][proof]") {
    check_all(random_of({2, 3, 3, 5}), 2, 20'000, 500);
    check_all(random_of({2, 3, 3, 4}), 3, 30'000, 500);
}

// The strongest log that random guesses can build: every clause that follows is kept and may be used by all later
// ones. Where a schedule exists, the empty clause must never follow.
TEST_CASE("a feasible period is not refuted, whatever else follows", "[property][proof]") {
    int problems = 0;
    int kept = 0;
    for (std::uint64_t seed = 40'000; problems < 150; ++seed) {
        const int copies = seed % 3 == 0 ? 2 : 1;
        const Problem problem = random_problem(seed, copies == 1 ? ProblemShape{2, 3, 4, 7} : ProblemShape{2, 3, 3, 4});
        const BrutePeriod brute = brute_period(problem, copies, 20'000);
        const std::optional<PeriodProof> proof = test::find_proof(problem, copies, most_work);
        if (!brute.pattern || !brute.allocations_matched || !proof || proof->refutation.variables.empty()) continue;
        ++problems;
        INFO("seed " << seed << "\n" << text_of(problem));
        const std::vector<ProofVariable>& variables = proof->refutation.variables;
        verify::Effort effort{most_proof_work};
        verify::ClauseAxioms axioms;
        REQUIRE(verify::derive_axioms(problem, copies, brute.pattern->period, variables, effort, axioms).empty());
        Random random(seed);
        std::vector<ProofClause> log;
        for (int guess = 0; guess < 120; ++guess) {
            ProofClause clause;
            for (std::int64_t n = random.from_to(1, 2); n > 0; --n)
                clause.literals.push_back({random.index(variables.size()), random.percent(50), random.from_to(-2, 4)});
            for (std::size_t k = 0; k < log.size(); ++k) clause.hints.push_back(static_cast<std::int64_t>(k));
            log.push_back(clause);
            const std::string verdict = verify::check_clauses(axioms, log, effort);
            REQUIRE_FALSE(verdict.empty());
            if (verdict != "the log does not end with the empty clause") log.pop_back();
        }
        kept += static_cast<int>(log.size());
        ProofClause end;
        for (std::size_t k = 0; k < log.size(); ++k) end.hints.push_back(static_cast<std::int64_t>(k));
        log.push_back(end);
        REQUIRE_FALSE(verify::check_clauses(axioms, log, effort).empty());
    }
    CHECK(kept > 20 * problems);
}
