// Checking that a period is least: what is claimed, and why nothing is lost. This page needs no knowledge of the
// search; the files named below hold the checks. How long a log may keep the checker busy is bounded by its size.
//
// THE CLAIM. For the problem, u copies and the period T of the proof: (A) the given starts are a periodic schedule
// with period T; (B) no periodic schedule has an integer period below T. Copy c of block i starts at s(i,c) + k*T for
// every integer k; it is instance c + u*k of the block and belongs to the micro-batch of that number. Instances of a
// block run in order. Starts are integers, which is no loss: times, lags and the period are.
//
// MEMORY. Level of a device at a moment: static memory, plus for every block its change times the number of its
// instances that have begun to hold it (an allocation at its start, a release at its end), counted from instance 0 and
// negative for instances below 0 still to come; plus transients of what runs. It may never exceed the capacity. Where
// the changes of a micro-batch sum to 0 the level is periodic: such devices, if their capacity is finite, "have rows".
// Where the sum is positive there is no periodic schedule; where it is negative the level falls for ever and nothing
// binds in the steady state, which is what this claim is about.
//
// (A), check_pattern.cpp: order, precedence, devices modulo T, levels.
//
// (B), LEMMA 0. A schedule of period P gives one of period P + 1: replace every start s by ceil(s * (P+1)/P). Every
// condition has the form s' - s >= w - k*P with w >= 0 and becomes one with k*(P+1); the order on every device stays,
// so all levels after a start stay. Hence it is enough to refute P = T - 1, in one of four ways.
//
// LEMMA 1 (load), check_bounds.cpp. A device runs u * (its work) ticks in every period: more than P is impossible.
//
// LEMMA 2 (memory energy), check_bounds.cpp. On a device with rows match every allocation with releases by
// descendants of the block, all amounts used up. Then the level is static + for every match its amount times the
// number of micro-batches between the start of the allocation and the end of the release, + transients. Integrate over
// a period: u * (sum of amount * longest path from that start to that end + transient * time) <= room * P, where the
// room is capacity - static, rounded down to a multiple of the common divisor of all amounts.
//
// LEMMA 3 (gangs), check_bounds.cpp. While a block that occupies all devices runs, nothing else does. Cut these
// stretches out of the time axis: other blocks keep their length, gangs last 0, lags may have passed meanwhile and
// count 0, levels stay. Lemma 2 holds for what is left, with period P - u * (time of the gangs).
//
// LEMMA 4 (clause log), clause_axioms.cpp and clause_check.cpp. N(i,j,c) is the number of instances of block i (from
// index 0) that start before copy c of block j, for i < j that share a device. N >= v says that instance v-1 of i
// ends before copy c of j starts, N <= v that copy c of j ends before instance v of i starts; one of N >= v and
// N <= v-1 always holds. If there is a schedule of period P, there is one that meets all of these axioms:
//   a. s(i,c) + t(i) <= s(i,c+1), and s(i,u-1) + t(i) <= s(i,0) + P; s(i,c) + t(i) + lag <= s(j,c) for dependencies;
//   b. the differences of starts that the bounds on N stand for, read both ways: a bound gives a difference, and a
//      difference too large for one order decides for the other;
//   c. on a device with rows, the level just after copy c of block a starts: static + its own c earlier instances +
//      its allocation and transient + sum over the others of change(i) * N(i,a,c) <= capacity. For i > a, instance x of
//      i is counted when not N(a,i,x) > c;
//   d. one copy, blocks x < y < z on several devices each: position(x,y) = s(y) - s(x) - (N(x,y,0) - 1)*P lies
//      between t(x) and P - t(y), because instance N-1 of x is the last before y and instance N the first after it. By
//      the definition position(x,y) + position(y,z) - position(x,z) = P * carry with carry = N(x,z) - N(x,y) - N(y,z)
//      + 1; as positions lie between 0 and P, carry is 0 or 1;
//   e. e1. s(b,c) - s(a,c) <= t(a) + lag + P - 1 for every bridge a -> b of the dependency graph;
//      e2. |s(i,c) - s(j,c)| <= sum over all blocks of (time + largest lag) + (number of blocks) * P for blocks i, j of
//          one component;
//      e3. 0 <= s(f,0) - s(g,0) <= P - 1, where f is the first block of a component and g that of component 0;
//   f. several copies: s(0,1) - s(0,0) >= P / u.
// WHY e AND f LOSE NOTHING. Let L be a set of blocks that holds all descendants of its members. Shift L by one
// micro-batch: let instance q of its blocks start where instance q-1 did. The slots of all devices stay, and so does
// the order of instances. Dependencies inside L and outside L stay; none leads out of L; a dependency a -> b into L
// holds when s(b,q-1) - s(a,q) >= t(a) + lag for all q (q-1 and q range over all instances, starts as before): then
// call it loose, else tight. The level of every device rises by the sum of its changes over L, at all times.
//   CONDITION 2: on every device with rows, all allocations are matched with releases by descendants. L then holds
// the releases of its allocations, its sum is at most 0, and no level rises. So L may be shifted whenever all
// dependencies into it are loose. Each shift shortens some dependency, unless L is a union of components, so that only
// finitely many are possible: take a schedule where none is left. Then
//   - a tight dependency has s(b,q-1) <= s(a,q) + t(a) + lag - 1 for some q. For any copy c there is such a q (moved
//     by whole periods) with c <= q-1 and q <= c + u, thus s(b,c) <= s(b,q-1) and s(a,q) <= s(a,c) + P: every copy
//     has s(b,c) - s(a,c) <= t(a) + lag + P - 1;
//   - CONDITION 1: parallel dependencies are merged, the largest lag kept, before bridges are looked for. The side of a
//     bridge a -> b that holds b is such an L, with that one dependency into it, which is therefore tight: e1;
//   - walk from block to block of a component, along tight dependencies or back along any. What cannot be reached from
//     a block is such an L with no tight dependency into it, so it is empty. A walk leaves every block at most once; a
//     step along gains at most t(a) + lag + P - 1, a step back at most 0: e2.
// Number the instances of all blocks anew so that the largest gap between two of block 0 lies after instance 0: f. That
// leaves e1 and e2, which hold for every copy, and all levels, since a whole micro-batch sums to 0. A component and
// its complement both sum to at most 0 and together to 0, so that each may be moved by whole periods: e3. It leaves
// e1, e2 and f, as component 0 stays.
//   CONDITION 3: rows stand only on devices where a micro-batch sums to 0 (used for e3, f and the levels themselves).
// The axioms are derived from the problem, conditions tested; without condition 2 a clause log is refused.
//
// A clause is a set of bounds on variables of which one holds. It follows when the negations of all its bounds,
// propagated through the axioms and the earlier clauses that it names, end in a contradiction: a bound above its
// opposite, a sum of differences around a circle above 0, a level above the capacity. The empty clause refutes P.
#include "repetend/verify/check_proof.hpp"

#include <algorithm>

#include "verify/proof_checks.hpp"

namespace repetend {

namespace {

constexpr int most_copies = 4096;

std::string ticks(const Problem& problem, Ticks time) {
    if (!problem.time_unit.empty()) return std::to_string(time) + " " + problem.time_unit;
    return std::to_string(time) + (time == 1 ? " tick" : " ticks");
}

std::string refutation_words(const PeriodProof& proof) {
    if (proof.period == 1) return "periods are at least 1";
    const std::string refuted = ticks(proof.problem, proof.period - 1);
    switch (proof.refutation.kind) {
        case RefutationKind::load:
            return device_label(proof.problem, proof.refutation.device) + " has more work than fits into " + refuted;
        case RefutationKind::energy:
            return device_label(proof.problem, proof.refutation.device) +
                   " would have to hold more memory over time than its capacity allows in " + refuted;
        case RefutationKind::gang:
            return "beside the blocks on all devices, " + device_label(proof.problem, proof.refutation.device) +
                   " would have to hold more memory over time than its capacity allows in " + refuted;
        case RefutationKind::clauses:
            break;
    }
    return "every order of the blocks is refuted for " + refuted + ", in " +
           std::to_string(proof.refutation.clauses.size()) + " steps";
}

std::string check_refutation(const PeriodProof& proof, verify::Effort& effort) {
    const Ticks refuted = proof.period - 1;
    if (refuted == 0) return "";
    switch (proof.refutation.kind) {
        case RefutationKind::load:
            return verify::check_load(proof, refuted);
        case RefutationKind::energy:
            return verify::check_energy(proof, refuted, false, effort);
        case RefutationKind::gang:
            return verify::check_energy(proof, refuted, true, effort);
        case RefutationKind::clauses:
            return verify::check_clauses(proof, refuted, effort);
    }
    return "the kind of the refutation is unknown";
}

}  // namespace

ProofVerdict check_proof(const PeriodProof& proof, std::int64_t most_work) {
    verify::Effort effort{most_work};
    ProofVerdict verdict;
    if (proof.copies < 1 || proof.copies > most_copies)
        verdict.words = "the number of copies is out of range";
    else if (proof.period < 1 || proof.period > largest_number)
        verdict.words = "the period is out of range";
    else
        verdict.words = verify::check_pattern(proof);
    if (verdict.words.empty()) verdict.words = check_refutation(proof, effort);
    verdict.accepted = verdict.words.empty();
    verdict.work = effort.spent;
    if (!verdict.accepted) return verdict;
    const std::string copies = proof.copies == 1 ? "one copy" : std::to_string(proof.copies) + " copies";
    verdict.words = "no schedule with an integer period below " + ticks(proof.problem, proof.period) + " exists for " +
                    copies + ": " + refutation_words(proof) + "; the given one has this period";
    return verdict;
}

}  // namespace repetend
