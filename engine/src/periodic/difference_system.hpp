// Lower bounds on s(b) - s(a) under a growing set of arcs s(to) - s(from) >= weight, with a history: every bound
// remembers the arc and the moment that set it, so that the path behind any bound at any past moment can be
// rebuilt. That is what makes clause learning over difference constraints possible.
//
// Two ways to keep them: difference_matrix (all pairs, closed; quick for small systems) and difference_graph
// (watched pairs only, longest paths on demand; memory and time follow the arcs). The search sees this face only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "periodic/instance.hpp"

namespace repetend::periodic {

class DifferenceSystem {
public:
    static constexpr std::int64_t none = -(std::int64_t{1} << 61);

    struct Arc {
        int from = 0;
        int to = 0;
        std::int64_t weight = 0;
        Literal reason{-1, 0};        // half -1: holds at the root
        Literal other_reason{-1, 0};  // half -1: one literal is enough
        std::int32_t moment = 0;      // number of changes when the arc was added
    };

    explicit DifferenceSystem(int nodes) : nodes_(nodes) {}
    virtual ~DifferenceSystem() = default;
    virtual std::unique_ptr<DifferenceSystem> copy() const = 0;

    int nodes() const { return nodes_; }

    // Set-up, in this order: arcs of the root, pairs to be watched, then `close_root` (false: positive cycle).
    virtual void set_root(int from, int to, std::int64_t weight) = 0;
    virtual void watch(int a, int b) = 0;
    virtual bool close_root() = 0;

    // Greatest lower bound on s(b) - s(a) for a watched pair (`none`: unbounded).
    virtual std::int64_t at(int a, int b) const = 0;

    // Adds an arc between a watched pair (watched both ways). False: it closes a positive cycle; the bounds stay as
    // they were, and the arc is kept as the last one so that the cycle can be explained. `work` grows with the effort.
    virtual bool add(const Arc& arc, std::int64_t& work) = 0;
    // Watched pairs whose bound grew, as a * nodes + b, possibly more than once; the owner empties it.
    std::vector<std::int32_t>& changed() { return changed_; }

    virtual std::int32_t num_changes() const = 0;
    std::int32_t num_arcs() const { return static_cast<std::int32_t>(arcs_.size()); }
    const Arc& arc(std::int32_t k) const { return arcs_[static_cast<std::size_t>(k)]; }
    virtual void undo(std::int32_t num_changes, std::int32_t num_arcs) = 0;
    // Makes the present state the root.
    virtual void forget_history() = 0;

    // Appends to `path` the arcs (those that do not hold at the root) behind "the bound of the watched pair (a, b)
    // was at least `need` before moment `before`"; earlier, weaker bounds are preferred. `slack` goes in as 0 and
    // returns by how much the path found is longer than `need`.
    virtual void explain(int a, int b, std::int64_t need, std::int32_t before, std::vector<std::int32_t>& path,
                         std::int64_t& slack) const = 0;

    // A solution of all arcs.
    virtual std::vector<Ticks> solution() const = 0;

protected:
    DifferenceSystem(const DifferenceSystem&) = default;

    int nodes_;
    std::vector<Arc> arcs_;
    std::vector<std::int32_t> changed_;
};

// The kind that suits a system of this size. `reach`: no bound that is not refuted exceeds it, either way.
std::unique_ptr<DifferenceSystem> make_difference_system(int nodes, std::int64_t reach);

}  // namespace repetend::periodic
