// Lower bounds on the differences of starts, closed under adding up: for all nodes a, b, c the bound on s(c) - s(a) is
// at least the sum of those on s(b) - s(a) and s(c) - s(b). Bounds grow until they are undone. However much they
// grow, memory stays in proportion to the matrix.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/proof_checks.hpp"

namespace repetend::verify {

class Differences {
public:
    static constexpr std::int64_t none = -(std::int64_t{1} << 61);

    explicit Differences(int nodes);

    // s(to) - s(from) is at least this.
    std::int64_t at(int from, int to) const { return bound_[index(from, to)]; }
    // Adds s(to) - s(from) >= weight; false when that closes a circle with a positive sum.
    bool add(int from, int to, Wide weight, Effort& effort);

    // `next_moved` is to report this entry whenever it has grown.
    void watch(int from, int to) { state_[index(from, to)] |= watched; }
    struct Entry {
        int from = -1;
        int to = -1;
    };
    bool has_moved() const { return next_ < moved_.size(); }
    Entry next_moved();

    // Bounds as they are now become those that `undo` returns to. Both forget what has moved.
    void keep();
    void undo();

private:
    enum State : std::uint8_t { watched = 1, queued = 2, changed = 4 };
    struct Change {
        std::size_t place;
        std::int64_t before;
    };
    std::size_t index(int from, int to) const { return verify::at(from) * verify::at(nodes_) + verify::at(to); }

    int nodes_;
    std::vector<std::int64_t> bound_;
    std::vector<std::uint8_t> state_;
    std::vector<Change> changes_;     // the first of each entry
    std::vector<std::size_t> moved_;  // a queue
    std::size_t next_ = 0;
    std::vector<int> sources_, targets_;
};

}  // namespace repetend::verify
