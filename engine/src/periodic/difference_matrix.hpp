// All-pairs lower bounds on s(b) - s(a), closed under every arc that is added (a difference-bound matrix),
// with a history: every entry remembers the arc and the moment that set it, so that the path behind any bound
// at any past moment can be rebuilt. That is what makes clause learning over difference constraints possible.
//
// Incremental closure: a new arc x -> y of weight w can only lengthen a -> x -> y -> b, and only for those a
// whose entry to y grows and those b whose entry from x grows.
#pragma once

#include <cstdint>
#include <vector>

#include "periodic/instance.hpp"

namespace repetend::periodic {

class DifferenceMatrix {
public:
    static constexpr std::int64_t none = -(std::int64_t{1} << 61);

    struct Arc {
        int from = 0;
        int to = 0;
        std::int64_t weight = 0;
        Literal reason;           // half -1: holds at the root
        Literal other_reason;     // half -1: one literal is enough
        std::int32_t moment = 0;  // number of changes when the arc was added
    };

    struct Change {
        std::int64_t before = 0;  // the entry's value until then
        std::int32_t entry = 0;
        std::int32_t arc = 0;
        std::int32_t previous = -1;  // earlier change of the same entry
    };

    explicit DifferenceMatrix(int nodes);

    int nodes() const { return nodes_; }
    std::int64_t at(int a, int b) const { return value_[index(a, b)]; }

    // Adds an arc and closes the matrix. False: it closes a positive cycle (the matrix stays as it was; the arc
    // is kept as the last one so that the cycle can be explained). `work` grows with the entries touched.
    bool add(const Arc& arc, std::int64_t& work);

    // Sets an entry without history or closure; only before `close_root`.
    void set_root(int a, int b, std::int64_t weight);
    // Floyd-Warshall over what set_root gave; false on a positive cycle.
    bool close_root();
    // Makes the present state the root: forgets history.
    void forget_history();

    std::int32_t num_changes() const { return static_cast<std::int32_t>(changes_.size()); }
    std::int32_t num_arcs() const { return static_cast<std::int32_t>(arcs_.size()); }
    // Entries marked as watched are listed here when they change (possibly more than once); the owner empties it.
    std::vector<std::int32_t>& changed() { return changed_; }
    void watch(int a, int b) { watched_[index(a, b)] = 1; }
    const Arc& arc(std::int32_t k) const { return arcs_[static_cast<std::size_t>(k)]; }
    void undo(std::int32_t num_changes, std::int32_t num_arcs);

    // Appends to `path` the non-root arcs behind "entry (a, b) was at least `need` before moment `before`".
    // `slack` (in: how much the bound exceeded what is wanted beyond need; normally 0) returns what was left
    // over: every path found is at least need + (returned slack) long. Earlier, weaker bounds are preferred.
    void explain(int a, int b, std::int64_t need, std::int32_t before, std::vector<std::int32_t>& path,
                 std::int64_t& slack) const;

private:
    std::size_t index(int a, int b) const {
        return static_cast<std::size_t>(a) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(b);
    }

    int nodes_;
    std::vector<std::int64_t> value_;
    std::vector<std::int32_t> latest_;  // last change of each entry, -1: root
    std::vector<char> watched_;
    std::vector<std::int32_t> changed_;
    std::vector<Change> changes_;
    std::vector<Arc> arcs_;
    std::vector<int> sources_, targets_;  // scratch
};

}  // namespace repetend::periodic
