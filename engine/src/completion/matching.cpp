#include "completion/matching.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

struct Side {
    int block;
    Memory left;
};

// Augments the flow from allocation `a` by one path through releases that can be paid back otherwise.
// Returns the amount moved.
class Augmenter {
public:
    Augmenter(std::vector<Side>& allocations, std::vector<Side>& releases,
              const std::vector<std::vector<std::uint8_t>>& allowed, std::vector<std::vector<Memory>>& flow)
        : allocations_(allocations), releases_(releases), allowed_(allowed), flow_(flow) {}

    Memory run(std::size_t allocation) {
        visited_.assign(allocations_.size(), 0);
        const Memory moved = visit(allocation, allocations_[allocation].left);
        allocations_[allocation].left -= moved;
        return moved;
    }

private:
    Memory visit(std::size_t a, Memory amount) {
        visited_[a] = 1;
        for (std::size_t r = 0; r < releases_.size(); ++r) {
            if (!allowed_[a][r]) continue;
            if (releases_[r].left > 0) {
                const Memory moved = std::min(amount, releases_[r].left);
                releases_[r].left -= moved;
                flow_[a][r] += moved;
                return moved;
            }
            for (std::size_t other = 0; other < allocations_.size(); ++other) {
                if (visited_[other] || flow_[other][r] == 0) continue;
                const Memory moved = visit(other, std::min(amount, flow_[other][r]));
                if (moved == 0) continue;
                flow_[other][r] -= moved;
                flow_[a][r] += moved;
                return moved;
            }
        }
        return 0;
    }

    std::vector<Side>& allocations_;
    std::vector<Side>& releases_;
    const std::vector<std::vector<std::uint8_t>>& allowed_;
    std::vector<std::vector<Memory>>& flow_;
    std::vector<std::uint8_t> visited_;
};

}  // namespace

Matching match_memory(const Instance& instance, int device, const std::vector<std::vector<Ticks>>& distances) {
    std::vector<Side> allocations;
    std::vector<Side> releases;
    for (const int b : instance.on_device[device]) {
        for (const Use& use : instance.uses[b]) {
            if (use.device != device || use.change == 0) continue;
            (use.change > 0 ? allocations : releases).push_back({b, use.change > 0 ? use.change : -use.change});
        }
    }
    std::vector<std::vector<std::uint8_t>> allowed(allocations.size(), std::vector<std::uint8_t>(releases.size(), 0));
    std::vector<std::vector<Memory>> flow(allocations.size(), std::vector<Memory>(releases.size(), 0));
    struct Pair {
        Ticks holding;
        std::size_t allocation, release;
    };
    std::vector<Pair> pairs;
    const auto holding = [&](std::size_t a, std::size_t r) {
        const int from = allocations[a].block;
        const int to = releases[r].block;
        return instance.time[from] + distances[from][to] + instance.time[to];
    };
    for (std::size_t a = 0; a < allocations.size(); ++a) {
        for (std::size_t r = 0; r < releases.size(); ++r) {
            if (distances[allocations[a].block][releases[r].block] == no_path) continue;
            allowed[a][r] = 1;
            pairs.push_back({holding(a, r), a, r});
        }
    }
    std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
        if (x.holding != y.holding) return x.holding > y.holding;
        return x.allocation != y.allocation ? x.allocation < y.allocation : x.release < y.release;
    });
    for (const Pair& pair : pairs) {
        const Memory moved = std::min(allocations[pair.allocation].left, releases[pair.release].left);
        allocations[pair.allocation].left -= moved;
        releases[pair.release].left -= moved;
        flow[pair.allocation][pair.release] += moved;
    }
    Augmenter augmenter(allocations, releases, allowed, flow);
    for (std::size_t a = 0; a < allocations.size(); ++a) {
        while (allocations[a].left > 0 && augmenter.run(a) > 0) {
        }
    }
    Matching result;
    result.allocations_covered =
        std::all_of(allocations.begin(), allocations.end(), [](const Side& s) { return s.left == 0; });
    result.releases_covered = std::all_of(releases.begin(), releases.end(), [](const Side& s) { return s.left == 0; });
    for (std::size_t a = 0; a < allocations.size(); ++a) {
        for (std::size_t r = 0; r < releases.size(); ++r) {
            if (flow[a][r] > 0)
                result.matches.push_back({allocations[a].block, releases[r].block, flow[a][r], holding(a, r)});
        }
    }
    return result;
}

}  // namespace repetend::completion
