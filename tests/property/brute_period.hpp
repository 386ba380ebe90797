// An exhaustive search for the minimal integer period of small problems: the truth that the engine's search is
// tested against. It is slow, simple, and shares nothing with the engine but the definition.
//
// Definition. Copy c of block i starts at s[i][c] + n*T for every integer n; instance number c + n*u of the block.
// - Instances of a block start in order, and no device runs two instances at once.
// - s[j][c] >= s[i][c] + t_i + lag for every dependency i -> j.
// - Memory on a device just after an instance starts there is static memory, plus the change of every instance
//   that has started (allocations) or ended (releases), counted from instance number 0 on (instances before it
//   count negative when they are still to come), plus the instance's own allocation and transient. It may not
//   exceed the capacity. Where one micro-batch leaves memory behind (net > 0) on a device with a capacity, there
//   is no repetend; where it releases more than it takes (net < 0), the device places no bound. Static memory
//   above the capacity leaves no schedule at all.
//
// Method. For two blocks i, j that share a device, and each copy of j, branch on how many instances of i start
// before it. These numbers fix the cyclic order on every device and by how many micro-batches the blocks lag one
// another. What is left is a system of difference constraints; a partial choice is dropped when a positive cycle
// shows in its longest distances, or when a memory row exceeds the capacity whatever the open numbers become.
//
// Which T to try. With all numbers fixed, a cycle of constraints reads (sum of times and lags) <= K*T with an
// integer K, so the least T follows by bisection, and it is never more than the sum of all times and lags: if that
// T fails, every T does. From a solution, the search asks for one with a period shorter by at least 1, until none
// exists.
//
// Why the horizon loses nothing (`allocations_matched`). Call a set H of blocks closed when it holds all
// descendants of its blocks. Take a solution and let every instance of H start T earlier. Slots modulo T stay, so
// devices stay free of overlaps; dependencies into H hold as long as none of them has less than T to spare in some
// copy; none leads out of H. In every memory row the sum of changes over H is added (u times). If this sum is never
// positive, for any closed H and any device whose rows count, memory only falls. Repeat until no closed set can move:
// each move shortens some dependency by T, so this ends. Then
// - a bridge (an edge whose removal splits its component) has less than T to spare in some copy, since the side it
//   leads to is closed and it is the only edge into it;
// - for any closed set, some edge into it has less than T to spare. Call such edges tight, and join blocks that are
//   connected by them. Between the joined groups the other edges must make the whole strongly connected (else a
//   last strong component would be closed and without tight edges into it). So from the end of any edge one gets
//   back to its start along edges, which only lead forward in time, and along tight edges, at most
//   one per block: no edge is longer than the sum of all (time + lag) and (blocks - 1) times the spare time;
// - components do not see each other except through slots and memory, and on the devices whose rows count each has
//   net 0 (its closed sets are never positive, and the sum is 0): each may be shifted so that its first block lies
//   within T.
// "Less than T to spare in some copy" means less than 2T in every copy, and less than T where there is one.
// The condition is tested by going through all closed sets. Where it fails, the horizon is only generous, and the
// result says so.
//
// With `max_in_flight` = R (one copy only) every block also has an index m within R consecutive values, where for
// blocks i, j on one device, with N runs of i before run 0 of j, m_j - m_i is -N or 1 - N. So |N| <= R for such pairs,
// and they start less than (R + 1)*T apart. Sort all starts: across a gap of (R + 2)*T and the longest time and lag no
// pair shares a device, so everything behind the gap may move T closer, whatever the memory. All gaps are shorter than
// that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "repetend/model/problem.hpp"
#include "repetend/model/schedule.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend::testing {

struct BrutePeriod {
    std::optional<PeriodicPattern> pattern;  // one with the minimal period; none: infeasible
    bool allocations_matched = true;         // the horizon is proved to lose nothing
    bool complete = true;                    // false: gave up after `most_nodes`
    std::int64_t nodes = 0;
};

// At most about 12 blocks * copies; more is possible and slow.
BrutePeriod brute_period(const Problem& problem, int copies, std::int64_t most_nodes = 2'000'000,
                         std::optional<std::int64_t> max_in_flight = std::nullopt);

// What is wrong with a pattern, by counting instances straight from its start times; empty when nothing is.
std::string pattern_fault(const Problem& problem, const PeriodicPattern& pattern);

// The first N micro-batches of a pattern, moved so that the first operation starts at 0.
Schedule unroll(const Problem& problem, const PeriodicPattern& pattern, std::int64_t micro_batches);

}  // namespace repetend::testing
