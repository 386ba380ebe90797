// Lower bounds for watched pairs only, by longest paths in the graph of arcs.
//
// A potential (some solution of all arcs) makes every arc's slack non-negative, so that longest paths are
// Dijkstra's shortest paths by slack. A new arc x -> y first repairs the potential (Cotton and Maler 2006, after
// Ramalingam et al. 1999), then one search forward from y and one backward from x give all lengths through it; the
// watched pairs that gain are recorded together with the two search trees, which are the explanations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "periodic/difference_system.hpp"

namespace repetend::periodic {

class DifferenceGraph final : public DifferenceSystem {
public:
    explicit DifferenceGraph(int nodes);
    std::unique_ptr<DifferenceSystem> copy() const override { return std::make_unique<DifferenceGraph>(*this); }

    void set_root(int from, int to, std::int64_t weight) override;
    void watch(int a, int b) override;
    bool close_root() override;
    std::int64_t at(int a, int b) const override;
    bool add(const Arc& arc, std::int64_t& work) override;
    std::int32_t num_changes() const override { return static_cast<std::int32_t>(changes_.size()); }
    void undo(std::int32_t num_changes, std::int32_t num_arcs) override;
    void forget_history() override;
    void explain(int a, int b, std::int64_t need, std::int32_t before, std::vector<std::int32_t>& path,
                 std::int64_t& slack) const override;
    std::vector<Ticks> solution() const override;

private:
    struct Link {  // an arc as its end nodes see it
        int other = 0;
        std::int32_t arc = -1;  // into arcs_, -1: root
        std::int64_t weight = 0;
    };
    // A pair's strongest arc, where it stands among the links of its ends (-1: there is none).
    struct Place {
        std::int32_t out = -1;
        std::int32_t in = -1;
    };
    // What an arc took the place of.
    struct Replaced {
        std::int32_t slot = -1;
        bool fresh = false;  // nothing: the links were new
        std::int32_t arc = -1;
        std::int64_t weight = 0;
    };
    struct Watched {
        int target = 0;
        std::int64_t value = none;
        std::int32_t latest = -1;
    };
    struct Change {
        std::int64_t before = 0;
        std::int32_t slot = 0;
        std::int32_t arc = 0;
        std::int32_t previous = -1;
    };
    struct Search {  // longest lengths to or from one node
        std::vector<std::int64_t> slack;
        std::vector<std::int32_t> link_arc;  // arc that reaches a node (-1: root arc)
        std::vector<int> link_node;          // the node before it on the way, -1: the root of the search
        std::vector<int> reached;
    };

    int slot(int a, int b) const;
    void repair_potential(const Arc& arc, std::int64_t& work);
    void search(int root, bool forward, Search& found, std::int64_t& work);

    std::vector<std::vector<Link>> out_, in_;
    std::vector<std::int64_t> potential_;
    std::vector<std::size_t> first_slot_;  // per node into watched_
    std::vector<Watched> watched_;         // by (node, target)
    std::vector<std::vector<int>> wanted_;
    std::vector<Place> place_;        // per watched pair
    std::vector<Replaced> replaced_;  // per arc
    std::vector<Change> changes_;
    // Search trees of the arcs that changed something, 4 * nodes numbers each: forward arc, forward node, backward
    // arc, backward node.
    std::vector<std::int32_t> trees_;
    std::vector<std::int32_t> tree_of_arc_;  // -1: none
    Search forward_, backward_;
    std::vector<std::pair<std::int64_t, int>> heap_;
    std::vector<std::int64_t> raise_;
};

}  // namespace repetend::periodic
