#include "completion/instance.hpp"

#include <algorithm>

#include "repetend/model/graph.hpp"

namespace repetend::completion {
namespace {

void set_heads_and_tails(Instance& instance) {
    const auto blocks = static_cast<std::size_t>(instance.blocks);
    instance.head.assign(blocks, 0);
    instance.tail.assign(blocks, 0);
    for (const int b : instance.topological) {
        for (const Edge& edge : instance.preds[b]) {
            instance.head[b] =
                std::max(instance.head[b], instance.head[edge.block] + instance.time[edge.block] + edge.lag);
        }
    }
    for (auto b = instance.topological.rbegin(); b != instance.topological.rend(); ++b) {
        for (const Edge& edge : instance.succs[*b]) {
            instance.tail[*b] =
                std::max(instance.tail[*b], instance.tail[edge.block] + instance.time[edge.block] + edge.lag);
        }
    }
}

// A capacity that all allocations together respect never binds.
void set_limited(Instance& instance) {
    for (int d = 0; d < instance.devices; ++d) {
        if (!instance.limited[d]) continue;
        Memory positive = 0;
        Memory most_transient = 0;
        for (const int b : instance.on_device[d]) {
            for (const Use& use : instance.uses[b]) {
                if (use.device != d) continue;
                if (use.change > 0) positive += use.change;
                most_transient = std::max(most_transient, use.transient);
            }
        }
        if (instance.base[d] + instance.micro_batches * positive + most_transient <= instance.capacity[d]) {
            instance.limited[d] = 0;
        }
    }
}

void set_edges(Instance& instance, const std::vector<std::vector<Edge>>& preds) {
    std::vector<std::vector<Edge>> succs(preds.size());
    for (std::size_t to = 0; to < preds.size(); ++to) {
        for (const Edge& edge : preds[to]) succs[edge.block].push_back({static_cast<int>(to), edge.lag});
    }
    instance.preds = {};
    instance.succs = {};
    for (std::size_t b = 0; b < preds.size(); ++b) {
        instance.preds.add(preds[b]);
        instance.succs.add(succs[b]);
    }
}

}  // namespace

Ticks Instance::work(int device) const {
    Ticks sum = 0;
    for (const int b : on_device[device]) sum += time[b];
    return sum;
}

Memory Instance::net(int device) const {
    Memory sum = 0;
    for (const int b : on_device[device]) {
        for (const Use& use : uses[b]) {
            if (use.device == device) sum += use.change;
        }
    }
    return sum;
}

Ticks Instance::critical_path() const {
    Ticks longest = 0;
    for (int b = 0; b < blocks; ++b) longest = std::max(longest, head[b] + time[b] + tail[b]);
    return longest;
}

Instance make_instance(const Problem& problem, std::int64_t micro_batches, const std::vector<Memory>& reserve) {
    Instance instance;
    instance.devices = problem.num_devices();
    instance.blocks = problem.num_blocks();
    instance.micro_batches = micro_batches;
    std::vector<std::vector<int>> on_device(problem.devices.size());
    for (int b = 0; b < instance.blocks; ++b) {
        const Block& block = problem.blocks[b];
        instance.time.push_back(block.time);
        std::vector<Use> uses;
        for (std::size_t k = 0; k < block.devices.size(); ++k) {
            uses.push_back({block.devices[k], block.memory[k], block.transient[k]});
            on_device[block.devices[k]].push_back(b);
        }
        instance.uses.add(uses);
    }
    for (const auto& list : on_device) instance.on_device.add(list);
    std::vector<std::vector<Edge>> preds(problem.blocks.size());
    for (const Dependency& dependency : merged_dependencies(problem)) {
        preds[dependency.to].push_back({dependency.from, dependency.lag});
    }
    set_edges(instance, preds);
    instance.topological = topological_order(problem).value_or(std::vector<int>{});
    for (int d = 0; d < instance.devices; ++d) {
        const Device& device = problem.devices[d];
        instance.base.push_back(device.memory_static + (reserve.empty() ? 0 : reserve[d]));
        instance.capacity.push_back(device.memory_capacity.value_or(0));
        instance.limited.push_back(device.memory_capacity.has_value());
    }
    set_limited(instance);
    set_heads_and_tails(instance);
    return instance;
}

Instance reversed(const Instance& instance) {
    Instance result = instance;
    result.uses = {};
    for (int b = 0; b < instance.blocks; ++b) {
        std::vector<Use> uses(instance.uses[b].begin(), instance.uses[b].end());
        for (Use& use : uses) use.change = -use.change;
        result.uses.add(uses);
    }
    std::swap(result.preds, result.succs);
    std::swap(result.head, result.tail);
    std::reverse(result.topological.begin(), result.topological.end());
    for (int d = 0; d < instance.devices; ++d) {
        result.base[d] = instance.base[d] + instance.micro_batches * instance.net(d);
    }
    return result;
}

Sequence reversed(const Sequence& sequence) { return {sequence.rbegin(), sequence.rend()}; }

Instance without_gangs(const Instance& instance, Ticks& cut_ticks) {
    Instance result = instance;
    cut_ticks = 0;
    int used_devices = 0;
    for (int d = 0; d < instance.devices; ++d) used_devices += !instance.on_device[d].empty();
    for (int b = 0; b < instance.blocks; ++b) {
        if (static_cast<int>(instance.uses[b].size()) < used_devices) continue;
        cut_ticks += instance.micro_batches * instance.time[b];
        result.time[b] = 0;
    }
    if (cut_ticks > 0) {
        std::vector<std::vector<Edge>> preds(static_cast<std::size_t>(instance.blocks));
        for (int b = 0; b < instance.blocks; ++b) {
            for (const Edge& edge : instance.preds[b]) preds[b].push_back({edge.block, 0});
        }
        set_edges(result, preds);
        set_heads_and_tails(result);
    }
    return result;
}

void distances_from(const Instance& instance, int from, std::vector<Ticks>& distance) {
    distance.assign(static_cast<std::size_t>(instance.blocks), no_path);
    for (const int b : instance.topological) {
        for (const Edge& edge : instance.preds[b]) {
            Ticks length = no_path;
            if (edge.block == from) {
                length = edge.lag;
            } else if (distance[edge.block] != no_path) {
                length = distance[edge.block] + instance.time[edge.block] + edge.lag;
            }
            distance[b] = std::max(distance[b], length);
        }
    }
}

bool is_feasible(const Instance& instance, const Sequence& sequence) {
    if (static_cast<std::int64_t>(sequence.size()) != instance.operations()) return false;
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    std::vector<Memory> level = instance.base;
    for (int d = 0; d < instance.devices; ++d) {
        if (instance.limited[d] && level[d] > instance.capacity[d]) return false;
    }
    for (const int b : sequence) {
        if (b < 0 || b >= instance.blocks || count[b] == instance.micro_batches) return false;
        for (const Edge& edge : instance.preds[b]) {
            if (count[edge.block] <= count[b]) return false;
        }
        for (const Use& use : instance.uses[b]) {
            if (instance.limited[use.device] && level[use.device] + use.need() > instance.capacity[use.device])
                return false;
            level[use.device] += use.change;
        }
        ++count[b];
    }
    return true;
}

}  // namespace repetend::completion
