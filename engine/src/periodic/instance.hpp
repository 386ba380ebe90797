// The repetend search's own view of a problem: everything that does not depend on the period.
//
// Node (block i, copy c) has index i*copies + c and a start s; instance c + copies*k of block i starts at
// s + k*T. For two blocks i < j that share a device and each copy c of j there is one integer variable
//     N(i, j, c) = number of instances of block i (index counted from 0) that start before copy c of j,
// which may be negative or large. "N >= v" says that instance v-1 of i runs before copy c of j, "N <= v"
// that instance v of i runs after it: each is one difference arc, so N chooses order and micro-batch index at
// once (design.md's height is 1 - N for one copy). The reverse count N(j, i, .) follows: a literal on the one
// is a literal on the other, see `Instance::before`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repetend/model/graph.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::periodic {

// A bound on one integer variable. `half` 2x stands for x >= value, 2x+1 for -x >= value (x <= -value).
struct Literal {
    int half = 0;
    std::int64_t value = 0;
    bool operator==(const Literal&) const = default;
};
inline Literal operator!(Literal literal) { return {literal.half ^ 1, 1 - literal.value}; }

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return q - static_cast<std::int64_t>((a % b != 0) && ((a < 0) != (b < 0)));
}
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

// s(to) - s(from) >= weight + periods * T
struct FixedArc {
    int from = 0;
    int to = 0;
    std::int64_t weight = 0;
    std::int64_t periods = 0;
};

struct Pair {
    int first = 0;  // block, first < second
    int second = 0;
    int variable = 0;  // of copy 0; copies follow
};

// static + memory of the instances started: one term of a memory row. Counts instances of `block` before copy
// `copy` of the row's block; weight is the block's memory change on the device.
struct RowTerm {
    int block = 0;
    Memory weight = 0;
};

// After copy c of `block` has started on `device`: sum of weight * N(term, block, c) <= limit - held*c.
struct MemoryRow {
    int device = 0;
    int block = 0;
    int copy = 0;
    Memory limit = 0;
    std::vector<RowTerm> terms;
};

// How an allocation is matched with a release of a descendant on one device.
struct MemoryMatch {
    int allocation = 0;  // block
    int release = 0;     // block, a descendant
    Memory amount = 0;
};

struct Instance {
    int copies = 1;
    int num_blocks = 0;
    int num_nodes = 0;  // num_blocks * copies
    std::vector<Ticks> time;
    std::vector<Dependency> edges;  // merged
    std::vector<Pair> pairs;
    std::vector<int> pair_of;  // [i * num_blocks + j] -> index into pairs, -1 when no device is shared
    std::vector<MemoryRow> rows;
    std::vector<int> gangs;          // blocks on two or more devices
    std::vector<int> rowed_devices;  // devices whose capacity places rows: finite, net memory 0
    std::optional<std::int64_t> max_in_flight;
    std::vector<int> device_group;  // per block: least block it is connected to through shared devices
    Ticks sum_ticks = 0;            // sum over blocks of time + largest outgoing lag
    Ticks largest_period = 0;       // feasible at all => feasible at this period
    bool matched = false;           // every allocation is released by descendants, and every net memory with a row is 0
    // Arcs that hold in some solution whenever there is one (see horizon.cpp) and so lose nothing.
    std::vector<FixedArc> horizon;
    // False when the horizon is cut: then schedules found are schedules, but refutations prove nothing.
    bool complete = true;
    // Why there is no repetend at all, whatever the period; empty when that is not known.
    std::string infeasible_reason;
    int infeasible_device = -1;

    // With this period no two starts need lie further apart, and no arc that could matter is longer.
    std::int64_t reach(Ticks period) const;

    int node(int block, int copy) const { return block * copies + copy; }
    // The literal "instance a of block i starts before instance b of block j" (they share a device).
    Literal before(int i, std::int64_t a, int j, std::int64_t b) const {
        if (copies == 1) {
            const int x =
                pairs[static_cast<std::size_t>(pair_of[static_cast<std::size_t>(i * num_blocks + j)])].variable;
            return i < j ? Literal{2 * x, a - b + 1} : Literal{2 * x + 1, a - b};
        }
        if (i < j) {
            const std::int64_t k = floor_div(b, copies);
            const int x =
                pairs[static_cast<std::size_t>(pair_of[static_cast<std::size_t>(i * num_blocks + j)])].variable +
                static_cast<int>(b - k * copies);
            return {2 * x, a - k * copies + 1};
        }
        const std::int64_t k = floor_div(a, copies);
        const int x = pairs[static_cast<std::size_t>(pair_of[static_cast<std::size_t>(j * num_blocks + i)])].variable +
                      static_cast<int>(a - k * copies);
        return {2 * x + 1, k * copies - b};
    }
};

// Builds the instance; expects a problem without faults whose sizes were checked by the caller. `cut`: where only
// the widest horizon of horizon.cpp, (e), loses nothing, takes a short one instead and says so in `complete`.
Instance make_instance(const Problem& problem, int copies, std::optional<std::int64_t> max_in_flight, bool cut);

// Adds `horizon` (and `complete`) to an instance; horizon.cpp states what is claimed and why.
void add_horizon(const Problem& problem, Instance& instance, bool cut);

// A full matching of allocations with releases of descendants on `device`, of greatest total path length;
// none when there is no full matching. `path[i][j]` is the longest path in ticks from the start of i to the
// end of j, -1 when j is no descendant of i. Expects net memory 0 on the device.
std::optional<std::vector<MemoryMatch>> match_memory(const Problem& problem, int device,
                                                     const std::vector<std::vector<Ticks>>& path);

// path[i][j] as match_memory wants it. `time` replaces the blocks' times, `with_lags` counts lags.
std::vector<std::vector<Ticks>> longest_paths(const Problem& problem, const std::vector<Ticks>& time, bool with_lags);

}  // namespace repetend::periodic
