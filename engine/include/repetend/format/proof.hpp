// Proofs that a period is least, as text: `repetend.proof`, version 1. A JSON object with these members; names that
// begin with `x_` are ignored, other unknown ones refused.
//
//   format, version   "repetend.proof", 1
//   problem           the whole problem, as in a repetend.problem
//   copies            u >= 1: micro-batches per repetend
//   period            T >= 1, in the problem's time unit
//   starts            [{"block": name, "starts": [s0, ..., s(u-1)]}, ...]: a schedule with period T, every block once;
//                     copy c of the block starts at sc + k*T for every integer k
//   refutation        why no schedule has the period T - 1 (hence none has a shorter one):
//     period            T - 1
//     kind              "load": the device has more work than fits
//                       "energy": the device holds more memory over time than its capacity allows
//                       "gang": the same with the blocks that occupy all devices cut out
//                       "clauses": a log of consequences that ends with a contradiction
//     device            load, energy, gang: number of the device, from 0
//     matches           energy, gang: [{"allocation": block, "release": block, "amount": m}, ...]: which release, by a
//                       descendant, frees what an allocation holds on the device; all amounts used up
//     variables         clauses: what the variables stand for, numbered from 0 in this order; i, j, k number the
//                       problem's blocks from 0, i < j < k:
//                         ["count", i, j, c]   instances of block i (from 0) that start before copy c of block j
//                         ["position", i, j]   start of j minus start of i modulo T - 1 (one copy, i and j on
//                                              several devices)
//                         ["carry", i, j, k]   (position(i,j) + position(j,k) - position(i,k)) / (T - 1)
//     clauses           clauses: [[bounds, uses], ...], one line each, numbered from 0. `bounds` lists one or more
//                       bounds, two numbers each, of which at least one holds: x+1, v says that variable x is at
//                       least v; -(x+1), v that it is at most v. `uses` lists the earlier clauses that are needed to
//                       see that. The last clause has no bounds: it is the contradiction
//
// What the axioms are from which clauses follow, and why a schedule of period T - 1 would have to obey them, stands
// in engine/src/verify/check_proof.cpp. All numbers are integers within +-2^53. Readers may refuse what is longer than
// the limits below, and this one does before taking memory.
//
// The format is stable: version 1 will stay readable, and a proof accepted once stays accepted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "repetend/model/proof.hpp"

namespace repetend {

inline constexpr std::int64_t most_proof_variables = 4'000'000;
inline constexpr std::int64_t most_proof_clauses = 4'000'000;
inline constexpr std::int64_t most_proof_steps = 32'000'000;  // bounds and uses of all clauses together
inline constexpr std::int64_t most_proof_copies = 4096;

// Parses and validates as the other formats do (format/json.hpp): every fault with its path. Whether the proof holds
// is the checker's business.
Result<PeriodProof> read_proof(std::string_view text);

// Same value, same bytes. Expects a proof whose numbers name blocks that exist.
std::string write_proof(const PeriodProof& proof);

}  // namespace repetend
