// How far starts may lie apart without losing a solution.
//
// The heights range over all integers; a search needs bounds that some solution keeps whenever there is one.
// Shift argument: move a set L of blocks, closed under descendants, earlier by one whole period. The slots of
// all devices stay as they are; dependencies inside L and outside L stay; those into L stay when each has a
// slack of at least T; memory on a device changes by the net memory of L there.
//   (a) Bridge a -> b of the merged dependency graph (merge parallel edges first: two edges are no bridge):
//       L = the side of b. If its net memory is <= 0 on every device with rows, shift while possible:
//       s_b - s_a <= time_a + lag + T - 1 for every copy (copies keep their order, so one tight copy holds
//       the others within one period).
//   (b) Matched memory: every allocation is matched, on its device, with releases of descendants. Then no L
//       closed under descendants has positive net memory, and some shift applies unless edges with slack < T
//       cover the whole span of a component. A least such cover leaves every block at most once, so the span is
//       at most sum(time + lag) + blocks*T (with several copies blocks*2T, counted between copies 0, plus T).
//   (c) Under (b), with net memory 0 per device, every component has net memory 0 and may be shifted freely:
//       its first block lies within one period of the first block of component 0.
//   (d) With max_in_flight the shift must keep pairs on one device together. Shift whole groups connected by
//       shared devices: a gap larger than (R+2)*T + time + lag has no pair across it, hence (b) with that gap.
//       Groups without a dependency between them are anchored as in (c), which is free: they share no device.
//   (e) Otherwise (an allocation that no descendant releases) memory could want L later. Fix the slots; the
//       period indices then solve a system of difference constraints plus one row per device, and a solvable
//       integer system A x <= b has a solution with |x| <= (n+1)*D, D the largest subdeterminant of [A b]
//       (von zur Gathen and Sieveking 1978). Difference constraints are totally unimodular, so D is at most the
//       product of the rows' weights times the sum of |b|. That is wide, so a search tries a cut horizon first, which
//       finds schedules but proves nothing (`complete` is false), as it does when (e) leaves the range of numbers.
#include <algorithm>
#include <cmath>

#include "periodic/instance.hpp"

namespace repetend::periodic {

namespace {

// Blocks on the far side of edge `removed` (the side of its `to`), by search in the undirected graph.
std::vector<bool> far_side(const Instance& instance, std::size_t removed) {
    std::vector<std::vector<int>> next(static_cast<std::size_t>(instance.num_blocks));
    for (std::size_t e = 0; e < instance.edges.size(); ++e) {
        if (e == removed) continue;
        const Dependency& edge = instance.edges[e];
        next[static_cast<std::size_t>(edge.from)].push_back(edge.to);
        next[static_cast<std::size_t>(edge.to)].push_back(edge.from);
    }
    std::vector<bool> seen(static_cast<std::size_t>(instance.num_blocks), false);
    std::vector<int> open{instance.edges[removed].to};
    seen[static_cast<std::size_t>(open.front())] = true;
    while (!open.empty()) {
        const int i = open.back();
        open.pop_back();
        for (int j : next[static_cast<std::size_t>(i)]) {
            if (seen[static_cast<std::size_t>(j)]) continue;
            seen[static_cast<std::size_t>(j)] = true;
            open.push_back(j);
        }
    }
    return seen;
}

bool never_gains(const Problem& problem, const Instance& instance, const std::vector<bool>& side) {
    return std::all_of(instance.rowed_devices.begin(), instance.rowed_devices.end(), [&](int device) {
        Memory net = 0;
        for (int i = 0; i < instance.num_blocks; ++i)
            if (side[static_cast<std::size_t>(i)])
                net += memory_on(problem.blocks[static_cast<std::size_t>(i)], device);
        return net <= 0;
    });
}

bool memory_is_matched(const Problem& problem, const Instance& instance) {
    const auto path = longest_paths(problem, instance.time, true);
    return std::all_of(instance.rowed_devices.begin(), instance.rowed_devices.end(),
                       [&](int device) { return match_memory(problem, device, path).has_value(); });
}

// (e): a bound on the period index of any node, or none when it leaves the range of the arithmetic. Doubles
// only decide between "fits" and "does not fit", with a wide margin.
std::optional<std::int64_t> index_bound(const Problem& problem, const Instance& instance) {
    double rows = 1;
    double right_hand_side = 0;
    for (int device : instance.rowed_devices) {
        double weight = 1;
        for (const Block& block : problem.blocks)
            weight += std::abs(static_cast<double>(memory_on(block, device))) * instance.copies;
        rows *= weight;
        const Device& where = problem.devices[static_cast<std::size_t>(device)];
        right_hand_side += std::abs(static_cast<double>(*where.memory_capacity)) +
                           static_cast<double>(where.memory_static) + 2 * weight;
        if (rows > 1e15) return std::nullopt;
    }
    // Any difference constraint has |b| <= (time + lag)/T + 2, and T is at least the largest time; lags may be
    // longer than T.
    for (const Dependency& edge : instance.edges)
        right_hand_side += instance.copies * (4.0 + static_cast<double>(edge.lag));
    right_hand_side += 2.0 * instance.num_nodes;
    const double bound = (instance.num_nodes + 2.0) * rows * right_hand_side;
    if (bound * static_cast<double>(instance.largest_period) > 1e17) return std::nullopt;
    return static_cast<std::int64_t>(bound) + 1;
}

}  // namespace

void add_horizon(const Problem& problem, Instance& instance, bool cut) {
    const int copies = instance.copies;
    const auto component = components(problem);
    const bool limited = instance.max_in_flight.has_value();
    instance.matched = memory_is_matched(problem, instance);
    const bool matched = limited || instance.matched;

    if (!limited) {
        const auto bridge = bridges(problem);
        for (std::size_t e = 0; e < instance.edges.size(); ++e) {
            if (!bridge[e]) continue;
            if (!matched && !never_gains(problem, instance, far_side(instance, e))) continue;
            const Dependency& edge = instance.edges[e];
            const Ticks reach = instance.time[static_cast<std::size_t>(edge.from)] + edge.lag;
            for (int c = 0; c < copies; ++c)
                instance.horizon.push_back({instance.node(edge.to, c), instance.node(edge.from, c), -(reach - 1), -1});
        }
    }

    std::vector<int> first;  // least block of each component
    for (int i = 0; i < instance.num_blocks; ++i)
        if (component[static_cast<std::size_t>(i)] == static_cast<int>(first.size())) first.push_back(i);

    if (matched) {
        // (b), (d): inside a component, relative to its first block, both ways.
        const std::int64_t gaps = limited ? *instance.max_in_flight + 2 : (copies > 1 ? 2 : 1);
        for (int i = 0; i < instance.num_blocks; ++i) {
            const int root = first[static_cast<std::size_t>(component[static_cast<std::size_t>(i)])];
            if (i == root) continue;
            instance.horizon.push_back(
                {instance.node(i, 0), instance.node(root, 0), -instance.sum_ticks, -gaps * instance.num_blocks});
            instance.horizon.push_back(
                {instance.node(root, 0), instance.node(i, 0), -instance.sum_ticks, -gaps * instance.num_blocks});
        }
        for (std::size_t k = 1; k < first.size(); ++k) {
            const int anchor = instance.node(first[0], 0);
            const int node = instance.node(first[k], 0);
            if (limited) {
                // (d): components may share devices, and with a limit they may not be shifted past one
                // another; pairs bound them, and the sum of both spans bounds any chain of pairs.
                const std::int64_t span = gaps * 2 * instance.num_blocks;
                instance.horizon.push_back({anchor, node, -instance.sum_ticks, -span});
                instance.horizon.push_back({node, anchor, -instance.sum_ticks, -span});
            } else {
                instance.horizon.push_back({anchor, node, 0, 0});
                instance.horizon.push_back({node, anchor, 1, -1});
            }
        }
        return;
    }

    auto bound = index_bound(problem, instance);
    if (cut || !bound) {
        bound = std::int64_t{8} * instance.num_nodes;
        instance.complete = false;
    }
    for (int i = 1; i < instance.num_blocks; ++i) {
        instance.horizon.push_back({instance.node(i, 0), instance.node(0, 0), 0, -2 * *bound});
        instance.horizon.push_back({instance.node(0, 0), instance.node(i, 0), 0, -2 * *bound});
    }
}

}  // namespace repetend::periodic
