#include "periodic/cycle_ratio.hpp"

#include <algorithm>

namespace repetend::periodic {

namespace {

// A node on a cycle of the predecessor graph, or -1.
int node_on_cycle(const std::vector<int>& arc_into, const std::vector<FixedArc>& arcs) {
    std::vector<int> mark(arc_into.size(), -1);
    for (int root = 0; root < static_cast<int>(arc_into.size()); ++root) {
        int node = root;
        while (node >= 0 && mark[static_cast<std::size_t>(node)] < 0) {
            mark[static_cast<std::size_t>(node)] = root;
            const int arc = arc_into[static_cast<std::size_t>(node)];
            node = arc < 0 ? -1 : arcs[static_cast<std::size_t>(arc)].from;
        }
        if (node >= 0 && mark[static_cast<std::size_t>(node)] == root) return node;
    }
    return -1;
}

}  // namespace

LeastPeriod least_period(int nodes, const std::vector<FixedArc>& arcs, Ticks at_least, std::int64_t& work) {
    LeastPeriod answer;
    answer.period = at_least;
    for (;;) {
        std::vector<Ticks> start(static_cast<std::size_t>(nodes), 0);
        std::vector<int> arc_into(static_cast<std::size_t>(nodes), -1);
        bool changed = true;
        int cycle = -1;
        for (int round = 0; changed && cycle < 0; ++round) {
            changed = false;
            for (std::size_t k = 0; k < arcs.size(); ++k) {
                const FixedArc& arc = arcs[k];
                const Ticks reached =
                    start[static_cast<std::size_t>(arc.from)] + arc.weight + arc.periods * answer.period;
                if (reached <= start[static_cast<std::size_t>(arc.to)]) continue;
                start[static_cast<std::size_t>(arc.to)] = reached;
                arc_into[static_cast<std::size_t>(arc.to)] = static_cast<int>(k);
                changed = true;
            }
            work += static_cast<std::int64_t>(arcs.size()) / 4;
            if (changed && round % 8 == 7) cycle = node_on_cycle(arc_into, arcs);
        }
        if (cycle < 0) {
            answer.start = std::move(start);
            return answer;
        }
        std::int64_t weight = 0, periods = 0;
        int node = cycle;
        do {
            const FixedArc& arc = arcs[static_cast<std::size_t>(arc_into[static_cast<std::size_t>(node)])];
            weight += arc.weight;
            periods += arc.periods;
            node = arc.from;
        } while (node != cycle);
        answer.period = std::max(answer.period + 1, ceil_div(weight, -periods));
    }
}

}  // namespace repetend::periodic
