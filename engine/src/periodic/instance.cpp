// From a problem to the repetend search's view of it: nodes, pairs that share a device, memory rows.
//
// Memory rows (design.md section 2): after instance a of an allocating block has started, a device holds
// static + the changes of every instance started before; micro-batches below index 0 count as complete, which
// is exact in the periodic schedule because one micro-batch leaves nothing behind. Devices where it leaves
// something (net memory > 0) admit no repetend; where it takes more than it gives (net < 0) the level falls
// without end, so that no row can bind in the steady state and none is placed.
#include "periodic/instance.hpp"

#include <algorithm>

namespace repetend::periodic {

namespace {

// Largest sum of allocations that can be held at once never exceeds a multiple of their greatest common
// divisor, so the room above the last multiple is useless; rounding it off tightens every row.
Memory usable_room(const Problem& problem, int device, Memory room) {
    Memory divisor = 0;
    for (const Block& block : problem.blocks) {
        Memory a = memory_on(block, device) < 0 ? -memory_on(block, device) : memory_on(block, device);
        Memory b = transient_on(block, device);
        for (Memory value : {a, b}) {
            while (value != 0) {
                const Memory rest = divisor % value;
                divisor = value;
                value = rest;
            }
        }
    }
    return divisor > 1 && room > 0 ? room - room % divisor : room;
}

void add_rows(const Problem& problem, Instance& instance, int device) {
    const Device& where = problem.devices[static_cast<std::size_t>(device)];
    const Memory room = usable_room(problem, device, *where.memory_capacity - where.memory_static);
    std::vector<int> here;
    for (int i = 0; i < instance.num_blocks; ++i) {
        const auto& on = problem.blocks[static_cast<std::size_t>(i)].devices;
        if (std::find(on.begin(), on.end(), device) != on.end()) here.push_back(i);
    }
    for (int a : here) {
        const Block& block = problem.blocks[static_cast<std::size_t>(a)];
        const Memory change = memory_on(block, device);
        const Memory peak = std::max<Memory>(change, 0) + transient_on(block, device);
        if (peak <= 0) continue;
        for (int c = 0; c < instance.copies; ++c) {
            MemoryRow row{device, a, c, room - peak - change * c, {}};
            for (int i : here) {
                const Memory weight = memory_on(problem.blocks[static_cast<std::size_t>(i)], device);
                if (i != a && weight != 0) row.terms.push_back({i, weight});
            }
            instance.rows.push_back(std::move(row));
        }
    }
}

}  // namespace

std::int64_t Instance::reach(Ticks period) const {
    // Every pair of nodes is bounded through the horizon's arcs, its components and its copies.
    std::int64_t widest = sum_ticks + period;
    for (const FixedArc& arc : horizon) widest = std::max(widest, -(arc.weight + arc.periods * period));
    return 4 * widest + 4 * period + 2 * sum_ticks;
}

Instance make_instance(const Problem& problem, int copies, std::optional<std::int64_t> max_in_flight, bool cut) {
    Instance instance;
    instance.copies = copies;
    instance.num_blocks = problem.num_blocks();
    instance.num_nodes = instance.num_blocks * copies;
    instance.edges = merged_dependencies(problem);
    instance.max_in_flight = max_in_flight;
    for (const Block& block : problem.blocks) instance.time.push_back(block.time);

    std::vector<Ticks> lag(static_cast<std::size_t>(instance.num_blocks), 0);
    for (const Dependency& edge : instance.edges) {
        Ticks& most = lag[static_cast<std::size_t>(edge.from)];
        most = std::max(most, edge.lag);
    }
    for (int i = 0; i < instance.num_blocks; ++i)
        instance.sum_ticks += instance.time[static_cast<std::size_t>(i)] + lag[static_cast<std::size_t>(i)];
    // A simple cycle leaves every node once, with at most time + lag, and spans at least one period: the
    // least period of any order is at most this.
    instance.largest_period = instance.sum_ticks * copies;

    instance.pair_of.assign(
        static_cast<std::size_t>(instance.num_blocks) * static_cast<std::size_t>(instance.num_blocks), -1);
    std::vector<std::vector<int>> on(static_cast<std::size_t>(problem.num_devices()));
    for (int i = 0; i < instance.num_blocks; ++i) {
        const Block& block = problem.blocks[static_cast<std::size_t>(i)];
        for (int device : block.devices) on[static_cast<std::size_t>(device)].push_back(i);
        if (block.devices.size() > 1) instance.gangs.push_back(i);
    }
    int variables = 0;
    for (int i = 0; i < instance.num_blocks; ++i) {
        std::vector<int> others;
        for (int device : problem.blocks[static_cast<std::size_t>(i)].devices)
            for (int j : on[static_cast<std::size_t>(device)])
                if (j > i) others.push_back(j);
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (int j : others) {
            const int index = static_cast<int>(instance.pairs.size());
            instance.pair_of[static_cast<std::size_t>(i * instance.num_blocks + j)] = index;
            instance.pair_of[static_cast<std::size_t>(j * instance.num_blocks + i)] = index;
            instance.pairs.push_back({i, j, variables});
            variables += copies;
        }
    }

    instance.device_group.assign(static_cast<std::size_t>(instance.num_blocks), -1);
    for (int i = 0; i < instance.num_blocks; ++i) {
        if (instance.device_group[static_cast<std::size_t>(i)] >= 0) continue;
        std::vector<int> open{i};
        instance.device_group[static_cast<std::size_t>(i)] = i;
        while (!open.empty()) {
            const int a = open.back();
            open.pop_back();
            for (int device : problem.blocks[static_cast<std::size_t>(a)].devices) {
                for (int b : on[static_cast<std::size_t>(device)]) {
                    if (instance.device_group[static_cast<std::size_t>(b)] >= 0) continue;
                    instance.device_group[static_cast<std::size_t>(b)] = i;
                    open.push_back(b);
                }
            }
        }
    }

    for (int device = 0; device < problem.num_devices(); ++device) {
        const Device& where = problem.devices[static_cast<std::size_t>(device)];
        if (!where.memory_capacity) continue;
        const Memory net = net_memory(problem, device);
        if (where.memory_static > *where.memory_capacity) {
            instance.infeasible_device = device;
            instance.infeasible_reason =
                device_label(problem, device) + " holds " + std::to_string(where.memory_static) +
                " of static memory, more than its capacity " + std::to_string(*where.memory_capacity);
        } else if (net > 0) {
            instance.infeasible_device = device;
            instance.infeasible_reason = "every micro-batch leaves " + std::to_string(net) + " behind on " +
                                         device_label(problem, device) + ", so nothing can repeat for ever";
        } else if (net == 0) {
            instance.rowed_devices.push_back(device);
            add_rows(problem, instance, device);
        }
    }
    if (const auto misfit = find_misfit(problem)) {
        instance.infeasible_device = misfit->device;
        instance.infeasible_reason = describe(*misfit, problem);
    }
    add_horizon(problem, instance, cut);
    return instance;
}

}  // namespace repetend::periodic
