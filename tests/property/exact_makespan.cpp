#include "property/exact_makespan.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace repetend::testing {
namespace {

using Counts = std::vector<int>;

struct State {
    std::vector<Ticks> free;               // per device
    std::vector<std::vector<Ticks>> ends;  // per block: of the instances that a successor still waits for, oldest first
};

class Search {
public:
    Search(const Problem& problem, std::int64_t micro_batches, Ticks makespan)
        : problem_(problem), micro_batches_(static_cast<int>(micro_batches)), makespan_(makespan) {
        const auto blocks = static_cast<std::size_t>(problem.num_blocks());
        tail_.assign(blocks, 0);
        // As many rounds as there are blocks: enough for any order of the edges.
        for (std::size_t b = 0; b < blocks; ++b) tail_[b] = problem.blocks[b].time;
        for (std::size_t round = 0; round < blocks; ++round)
            for (const Dependency& edge : problem.dependencies)
                tail_[index(edge.from)] = std::max(
                    tail_[index(edge.from)], problem.blocks[index(edge.from)].time + edge.lag + tail_[index(edge.to)]);
    }

    std::optional<bool> run(std::size_t most_states) {
        std::map<Counts, std::vector<State>> level;
        const auto blocks = static_cast<std::size_t>(problem_.num_blocks());
        State first;
        first.free.assign(static_cast<std::size_t>(problem_.num_devices()), 0);
        first.ends.resize(blocks);
        level[Counts(blocks, 0)].push_back(first);
        std::size_t met = 0;
        for (int placed = 0; placed < micro_batches_ * problem_.num_blocks(); ++placed) {
            std::map<Counts, std::vector<State>> next;
            for (const auto& [counts, states] : level) {
                for (const State& state : states) {
                    if (++met > most_states) return std::nullopt;
                    for (int b = 0; b < problem_.num_blocks(); ++b) place(counts, state, b, next);
                }
            }
            if (next.empty()) return false;
            level = std::move(next);
        }
        return true;
    }

private:
    static std::size_t index(int at) { return static_cast<std::size_t>(at); }

    // Ends that are kept of `block`: from the least count of a successor on.
    int oldest_kept(const Counts& counts, int block) const {
        int least = counts[index(block)];
        for (const Dependency& edge : problem_.dependencies)
            if (edge.from == block) least = std::min(least, counts[index(edge.to)]);
        return least;
    }

    bool fits(const Counts& counts, int block) const {
        for (const int d : problem_.blocks[index(block)].devices) {
            const Device& device = problem_.devices[index(d)];
            if (!device.memory_capacity) continue;
            Memory held = device.memory_static;
            for (int b = 0; b < problem_.num_blocks(); ++b)
                held += memory_on(problem_.blocks[index(b)], d) * counts[index(b)];
            held += std::max<Memory>(0, memory_on(problem_.blocks[index(block)], d)) +
                    transient_on(problem_.blocks[index(block)], d);
            if (held > *device.memory_capacity) return false;
        }
        return true;
    }

    // Start of the next instance, or none while something is missing.
    std::optional<Ticks> start(const Counts& counts, const State& state, int block) const {
        Ticks at = 0;
        for (const int d : problem_.blocks[index(block)].devices) at = std::max(at, state.free[index(d)]);
        for (const Dependency& edge : problem_.dependencies) {
            if (edge.to != block) continue;
            const int wanted = counts[index(block)];
            if (counts[index(edge.from)] <= wanted) return std::nullopt;
            const int oldest = oldest_kept(counts, edge.from);
            at = std::max(at, state.ends[index(edge.from)][index(wanted - oldest)] + edge.lag);
        }
        return at;
    }

    bool hopeless(const Counts& counts, const State& state) const {
        for (int d = 0; d < problem_.num_devices(); ++d) {
            Ticks work = 0, least_rest = makespan_;
            for (int b = 0; b < problem_.num_blocks(); ++b) {
                const Block& block = problem_.blocks[index(b)];
                const int left = micro_batches_ - counts[index(b)];
                if (left == 0 || std::find(block.devices.begin(), block.devices.end(), d) == block.devices.end())
                    continue;
                work += block.time * left;
                least_rest = std::min(least_rest, tail_[index(b)] - block.time);
                if (state.free[index(d)] + tail_[index(b)] + (left - 1) * block.time > makespan_) return true;
            }
            if (work > 0 && state.free[index(d)] + work + least_rest > makespan_) return true;
        }
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            if (counts[index(b)] == micro_batches_) continue;
            const auto at = start(counts, state, b);
            if (at && *at + tail_[index(b)] > makespan_) return true;
        }
        return false;
    }

    void place(const Counts& counts, const State& state, int block, std::map<Counts, std::vector<State>>& next) const {
        if (counts[index(block)] == micro_batches_ || !fits(counts, block)) return;
        const auto at = start(counts, state, block);
        if (!at) return;
        const Block& placed = problem_.blocks[index(block)];
        State child = state;
        // Nothing starts before this any more.
        for (Ticks& free : child.free) free = std::max(free, *at);
        for (const int d : placed.devices) child.free[index(d)] = *at + placed.time;
        child.ends[index(block)].push_back(*at + placed.time);
        Counts after = counts;
        ++after[index(block)];
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            auto& ends = child.ends[index(b)];
            const auto kept = index(after[index(b)] - oldest_kept(after, b));
            ends.erase(ends.begin(), ends.end() - static_cast<std::ptrdiff_t>(kept));
        }
        if (hopeless(after, child)) return;
        std::vector<State>& known = next[after];
        for (const State& other : known)
            if (no_later(other, child)) return;
        known.erase(
            std::remove_if(known.begin(), known.end(), [&](const State& other) { return no_later(child, other); }),
            known.end());
        known.push_back(std::move(child));
    }

    static bool no_later(const State& a, const State& b) {
        for (std::size_t d = 0; d < a.free.size(); ++d)
            if (a.free[d] > b.free[d]) return false;
        for (std::size_t k = 0; k < a.ends.size(); ++k)
            for (std::size_t n = 0; n < a.ends[k].size(); ++n)
                if (a.ends[k][n] > b.ends[k][n]) return false;
        return true;
    }

    const Problem& problem_;
    int micro_batches_;
    Ticks makespan_;
    std::vector<Ticks> tail_;  // from a block's start to the end of its micro-batch at least
};

}  // namespace

std::optional<bool> can_end_by(const Problem& problem, std::int64_t micro_batches, Ticks makespan,
                               std::size_t most_states) {
    return Search(problem, micro_batches, makespan).run(most_states);
}

}  // namespace repetend::testing
