// What fixes each start: the operation before it on one of its devices, or one that it depends on, whichever
// ends (with the lag) exactly then. Where several do, the one whose own chain of such predecessors reaches
// back furthest in time is taken, so following predecessors from an operation gives its longest chain. An
// operation that ends the schedule with the longest chain ends the critical path; where that chain does not
// begin at 0, memory or a choice of the search holds the schedule up there.
#include <algorithm>
#include <cstddef>
#include <tuple>

#include "repetend/schedule/measures.hpp"
#include "schedule/lanes.hpp"

namespace repetend {
namespace {

struct Chains {
    std::vector<std::int64_t> predecessor;
    std::vector<Ticks> begin;  // start of the first operation of the longest binding chain to this one
};

// Per block, what it depends on.
std::vector<std::vector<Dependency>> incoming(const Problem& problem) {
    std::vector<std::vector<Dependency>> into(problem.blocks.size());
    for (const Dependency& dependency : problem.dependencies) {
        into[static_cast<std::size_t>(dependency.to)].push_back(dependency);
    }
    return into;
}

// Per operation, those that run directly before it on its devices.
std::vector<std::vector<std::int64_t>> device_predecessors(const Problem& problem, const Schedule& schedule) {
    std::vector<std::vector<std::int64_t>> before(schedule.operations.size());
    for (const std::vector<std::size_t>& lane : device_lanes(problem, schedule)) {
        for (std::size_t k = 1; k < lane.size(); ++k) before[lane[k]].push_back(static_cast<std::int64_t>(lane[k - 1]));
    }
    return before;
}

Chains binding_chains(const Problem& problem, const Schedule& schedule) {
    const std::vector<Operation>& operations = schedule.operations;
    const std::size_t blocks = problem.blocks.size();
    std::vector<std::int64_t> index_of(operations.size(), -1);  // by micro-batch * blocks + block
    for (std::size_t k = 0; k < operations.size(); ++k) {
        const auto place = static_cast<std::size_t>(operations[k].micro_batch) * blocks +
                           static_cast<std::size_t>(operations[k].block);
        index_of[place] = static_cast<std::int64_t>(k);
    }
    std::vector<std::size_t> order(operations.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(operations[a].start, a) < std::tie(operations[b].start, b);
    });

    const std::vector<std::vector<Dependency>> into = incoming(problem);
    const std::vector<std::vector<std::int64_t>> before = device_predecessors(problem, schedule);
    const auto end_of = [&](std::int64_t k) {
        const Operation& operation = operations[static_cast<std::size_t>(k)];
        return operation.start + problem.blocks[static_cast<std::size_t>(operation.block)].time;
    };
    Chains chains{std::vector<std::int64_t>(operations.size(), -1), std::vector<Ticks>(operations.size(), 0)};
    for (const std::size_t k : order) {  // times are positive: whatever binds k comes before it in this order
        const Operation& operation = operations[k];
        chains.begin[k] = operation.start;
        const auto offer = [&](std::int64_t other, Ticks lag) {
            if (end_of(other) + lag != operation.start) return;
            const Ticks begin = chains.begin[static_cast<std::size_t>(other)];
            if (chains.predecessor[k] >= 0 && begin >= chains.begin[k]) return;
            chains.predecessor[k] = other;
            chains.begin[k] = begin;
        };
        for (const Dependency& dependency : into[static_cast<std::size_t>(operation.block)]) {
            const auto place =
                static_cast<std::size_t>(operation.micro_batch) * blocks + static_cast<std::size_t>(dependency.from);
            offer(index_of[place], dependency.lag);
        }
        for (const std::int64_t other : before[k]) offer(other, 0);
    }
    return chains;
}

}  // namespace

std::vector<std::int64_t> binding_predecessors(const Problem& problem, const Schedule& schedule) {
    return binding_chains(problem, schedule).predecessor;
}

std::vector<std::int64_t> critical_path(const Problem& problem, const Schedule& schedule) {
    const Chains chains = binding_chains(problem, schedule);
    const Ticks makespan = makespan_ticks(problem, schedule);
    std::int64_t last = -1;
    for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
        const Operation& operation = schedule.operations[k];
        const Ticks end = operation.start + problem.blocks[static_cast<std::size_t>(operation.block)].time;
        if (end != makespan) continue;
        if (last < 0 || chains.begin[k] < chains.begin[static_cast<std::size_t>(last)])
            last = static_cast<std::int64_t>(k);
    }
    std::vector<std::int64_t> path;
    for (; last >= 0; last = chains.predecessor[static_cast<std::size_t>(last)]) path.push_back(last);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace repetend
