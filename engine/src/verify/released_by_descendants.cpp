// Condition 2 of check_proof.cpp, by augmenting paths (L. R. Ford and D. R. Fulkerson, 1956; shortest paths first as
// J. Edmonds and R. M. Karp, 1972): push what each allocation holds to releases by descendants, taking earlier choices
// back where that helps.
#include <algorithm>

#include "verify/clause_axioms.hpp"

namespace repetend::verify {

bool released_by_descendants(const std::vector<Memory>& change, const std::vector<std::vector<bool>>& descends,
                             Effort& effort) {
    std::vector<int> takers, givers;
    std::vector<Memory> held, room;
    for (std::size_t i = 0; i < change.size(); ++i) {
        if (change[i] > 0) takers.push_back(static_cast<int>(i)), held.push_back(change[i]);
        if (change[i] < 0) givers.push_back(static_cast<int>(i)), room.push_back(-change[i]);
    }
    std::vector<std::vector<Memory>> moved(takers.size(), std::vector<Memory>(givers.size(), 0));
    for (std::size_t source = 0; source < takers.size(); ++source) {
        while (held[source] > 0) {
            // Breadth first from the source: to a release that descends, back from it to an allocation that uses it.
            std::vector<int> giver_from(givers.size(), -1), taker_from(takers.size(), -1);
            std::vector<std::size_t> open{source};
            int end = -1;
            for (std::size_t next = 0; next < open.size() && end < 0; ++next) {
                const std::size_t taker = open[next];
                for (std::size_t g = 0; g < givers.size() && end < 0; ++g) {
                    if (giver_from[g] >= 0 || !descends[at(takers[taker])][at(givers[g])]) continue;
                    giver_from[g] = static_cast<int>(taker);
                    if (room[g] > 0) end = static_cast<int>(g);
                    for (std::size_t t = 0; t < takers.size(); ++t) {
                        if (moved[t][g] == 0 || taker_from[t] >= 0 || t == source) continue;
                        taker_from[t] = static_cast<int>(g);
                        open.push_back(t);
                    }
                    effort.spend(static_cast<std::int64_t>(takers.size()));
                }
                effort.spend(static_cast<std::int64_t>(givers.size()));
            }
            if (end < 0 || effort.exhausted()) return false;
            Memory amount = std::min(held[source], room[at(end)]);
            for (std::size_t t = at(giver_from[at(end)]); t != source; t = at(giver_from[at(taker_from[t])]))
                amount = std::min(amount, moved[t][at(taker_from[t])]);
            held[source] -= amount;
            room[at(end)] -= amount;
            for (std::size_t g = at(end);;) {
                const std::size_t t = at(giver_from[g]);
                moved[t][g] += amount;
                if (t == source) break;
                g = at(taker_from[t]);
                moved[t][g] -= amount;
            }
        }
    }
    return true;
}

}  // namespace repetend::verify
