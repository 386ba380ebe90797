#include "completion/counters.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

// The only device of a block, or -1.
int only_device(const Instance& instance, int block) {
    return instance.uses[block].size() == 1 ? instance.uses[block].front().device : -1;
}

bool on_device(const Instance& instance, int block, int device) {
    for (const Use& use : instance.uses[block]) {
        if (use.device == device) return true;
    }
    return false;
}

// Nothing waits for the block on one side, and all on the other side share its only device, without lags.
bool can_share(const Instance& instance, int block) {
    const int device = only_device(instance, block);
    if (device < 0 || (!instance.succs[block].empty() && !instance.preds[block].empty())) return false;
    for (const auto& side : {instance.succs[block], instance.preds[block]}) {
        for (const Edge& edge : side) {
            if (edge.lag != 0 || !on_device(instance, edge.block, device)) return false;
        }
    }
    return true;
}

bool alike(const Instance& instance, int a, int b) {
    const Use& x = instance.uses[a].front();
    const Use& y = instance.uses[b].front();
    return x.device == y.device && x.change == y.change && x.transient == y.transient &&
           instance.time[a] == instance.time[b] && instance.succs[a].empty() == instance.succs[b].empty() &&
           instance.preds[a].empty() == instance.preds[b].empty();
}

// For each block the first one of those it shares a counter with, itself when with none. The same in both directions of
// time. Where some of them wait for each other, the larger number of blocks shares.
std::vector<int> sharing(const Instance& instance) {
    std::vector<std::vector<int>> groups;
    for (int b = 0; b < instance.blocks; ++b) {
        if (!can_share(instance, b)) continue;
        const auto group =
            std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return alike(instance, g.front(), b); });
        if (group == groups.end()) {
            groups.push_back({b});
        } else {
            group->push_back(b);
        }
    }
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    std::vector<int> first(static_cast<std::size_t>(instance.blocks), -1);
    for (const std::vector<int>& group : groups) {
        bool apart = true;
        for (const int b : group) {
            for (const auto& side : {instance.succs[b], instance.preds[b]}) {
                for (const Edge& edge : side) apart = apart && first[edge.block] < 0;
            }
        }
        if (group.size() < 2 || !apart) continue;
        for (const int b : group) first[b] = group.front();
    }
    for (int b = 0; b < instance.blocks; ++b) {
        if (first[b] < 0) first[b] = b;
    }
    return first;
}

}  // namespace

Counters::Counters(const Instance& instance, const std::vector<std::vector<Ticks>>& distances,
                   const std::vector<int>& devices)
    : micro_batches(instance.micro_batches) {
    find_members(instance, devices);
    find_delays(instance, distances);
}

void Counters::find_members(const Instance& instance, const std::vector<int>& devices) {
    of_block.assign(static_cast<std::size_t>(instance.blocks), -1);
    std::vector<int> position(static_cast<std::size_t>(instance.devices), -1);
    for (std::size_t i = 0; i < devices.size(); ++i) position[devices[i]] = static_cast<int>(i);
    const std::vector<int> first = sharing(instance);
    std::vector<int> counter_of(static_cast<std::size_t>(instance.blocks), -1);  // by the first of those that share it
    for (const int b : instance.topological) {
        std::vector<LocalUse> uses;
        bool never_takes = true;
        for (const Use& use : instance.uses[b]) {
            const bool limited = instance.limited[use.device] != 0;
            if (position[use.device] >= 0) uses.push_back({position[use.device], use.change, use.need(), limited});
            never_takes = never_takes && !(limited && use.change > 0);
        }
        if (uses.empty()) continue;
        int& counter = counter_of[first[b]];
        if (counter < 0) {
            counter = size();
            members.emplace_back();
            limit.push_back(0);
            on.push_back(std::move(uses));
            frees.push_back(never_takes);
        }
        members[counter].push_back(b);
        limit[counter] += micro_batches;
        of_block[b] = counter;
    }
}

void Counters::find_delays(const Instance& instance, const std::vector<std::vector<Ticks>>& distances) {
    const auto counters = members.size();
    waits_for.resize(counters);
    before.resize(counters);
    after.resize(counters);
    supply_.resize(counters);
    demand_.resize(counters);
    draws_on_.resize(counters);
    for (std::size_t k = 0; k < counters; ++k) {
        if (members[k].size() == 1) continue;
        const bool last = instance.succs[members[k].front()].empty();
        for (const int b : members[k]) {
            std::vector<int> other;
            for (const Edge& edge : last ? instance.preds[b] : instance.succs[b]) {
                other.push_back(of_block[edge.block]);
                if (!last) draws_on_[of_block[edge.block]].push_back(static_cast<int>(k));
            }
            (last ? supply_ : demand_)[k].push_back(std::move(other));
        }
    }
    for (auto& list : draws_on_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    std::vector<int> blocks;  // those with a counter of their own, in topological order
    for (const int b : instance.topological) {
        if (of_block[b] >= 0 && members[of_block[b]].size() == 1) blocks.push_back(b);
    }
    for (std::size_t from = 0; from < blocks.size(); ++from) {
        for (std::size_t to = from + 1; to < blocks.size(); ++to) {
            const Ticks delay = distances[blocks[from]][blocks[to]];
            if (delay == no_path) continue;
            bool implied = false;
            for (std::size_t via = from + 1; via < to && !implied; ++via) {
                const Ticks first = distances[blocks[from]][blocks[via]];
                const Ticks second = distances[blocks[via]][blocks[to]];
                implied = first != no_path && second != no_path && first + instance.time[blocks[via]] + second >= delay;
            }
            if (implied) continue;
            const int a = of_block[blocks[from]], b = of_block[blocks[to]];
            waits_for[b].push_back(a);
            bool in_order = false;
            for (const Use& use : instance.uses[blocks[from]])
                in_order = in_order || (delay == 0 && on_device(instance, blocks[to], use.device));
            if (in_order) continue;
            before[b].push_back({a, delay});
            after[a].push_back({b, delay});
        }
    }
}

bool Counters::available(int counter, const std::int64_t* counts) const {
    if (counts[counter] == limit[counter]) return false;
    for (const int other : waits_for[counter]) {
        if (counts[other] <= counts[counter]) return false;
    }
    if (!supply_[counter].empty()) {
        std::int64_t supplied = 0;
        for (const auto& member : supply_[counter]) {
            std::int64_t least = micro_batches;
            for (const int other : member) least = std::min(least, counts[other]);
            supplied += least;
        }
        if (counts[counter] >= supplied) return false;
    }
    for (const int shared : draws_on_[counter]) {
        std::int64_t used = 0;
        for (const auto& member : demand_[shared]) {
            std::int64_t most = 0;
            for (const int other : member) most = std::max(most, counts[other] + (other == counter ? 1 : 0));
            used += most;
        }
        if (used > counts[shared]) return false;
    }
    return true;
}

Sequence Counters::blocks_of(const std::vector<int>& raised) const {
    Sequence sequence;
    std::vector<std::int64_t> counts(members.size(), 0);
    std::vector<std::vector<std::int64_t>> run(members.size());
    std::vector<std::vector<std::size_t>> open(members.size());  // positions not yet given to a member
    for (std::size_t k = 0; k < members.size(); ++k) run[k].assign(members[k].size(), 0);
    const auto give = [&](int shared, std::size_t member) {
        sequence[open[shared].front()] = members[shared][member];
        open[shared].erase(open[shared].begin());
        ++run[shared][member];
    };
    for (const int k : raised) {
        sequence.push_back(members[k].front());
        ++counts[k];
        if (members[k].size() > 1) open[k].push_back(sequence.size() - 1);
        // To a member that is available; first ones are given when they are used.
        for (std::size_t m = 0; m < supply_[k].size() && !open[k].empty(); ++m) {
            std::int64_t least = micro_batches;
            for (const int other : supply_[k][m]) least = std::min(least, counts[other]);
            if (run[k][m] < least) give(k, m);
        }
        for (const int shared : draws_on_[k]) {
            for (std::size_t m = 0; m < demand_[shared].size(); ++m) {
                const auto& users = demand_[shared][m];
                if (std::find(users.begin(), users.end(), k) == users.end()) continue;
                while (run[shared][m] < counts[k] && !open[shared].empty()) give(shared, m);
            }
        }
    }
    for (int k = 0; k < size(); ++k) {
        for (std::size_t m = 0; m < members[k].size(); ++m) {
            while (run[k][m] < micro_batches && !open[k].empty()) give(k, m);
        }
    }
    return sequence;
}

}  // namespace repetend::completion
