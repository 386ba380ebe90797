// All-pairs lower bounds, closed under every arc that is added (a difference-bound matrix, Dill 1989).
// Incremental closure: a new arc x -> y of weight w can only lengthen a -> x -> y -> b, and only for those a
// whose bound to y grows and those b whose bound from x grows. Its history is what takes memory, so bounds are kept
// in 32 bits where they fit.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "periodic/difference_system.hpp"

namespace repetend::periodic {

template <class Value>
class DifferenceMatrix final : public DifferenceSystem {
public:
    explicit DifferenceMatrix(int nodes);
    std::unique_ptr<DifferenceSystem> copy() const override { return std::make_unique<DifferenceMatrix>(*this); }

    void set_root(int from, int to, std::int64_t weight) override;
    void watch(int a, int b) override { watched_[index(a, b)] = 1; }
    bool close_root() override;
    std::int64_t at(int a, int b) const override {
        const Value value = value_[index(a, b)];
        return value == unset ? none : value;
    }
    bool add(const Arc& arc, std::int64_t& work) override;
    std::int32_t num_changes() const override { return static_cast<std::int32_t>(changes_.size()); }
    void undo(std::int32_t num_changes, std::int32_t num_arcs) override;
    void forget_history() override;
    void explain(int a, int b, std::int64_t need, std::int32_t before, std::vector<std::int32_t>& path,
                 std::int64_t& slack) const override;
    std::vector<Ticks> solution() const override;

private:
    // No bound; low enough that sums of three stay in range.
    static constexpr Value unset = -(Value{1} << (8 * sizeof(Value) - 3));

    struct Change {
        Value before = 0;  // the entry's value until then
        std::int32_t entry = 0;
        std::int32_t arc = 0;
        std::int32_t previous = -1;  // earlier change of the same entry
    };

    std::size_t index(int a, int b) const {
        return static_cast<std::size_t>(a) * static_cast<std::size_t>(nodes_) + static_cast<std::size_t>(b);
    }

    std::vector<Value> value_;
    std::vector<std::int32_t> latest_;  // last change of each entry, -1: root
    std::vector<char> watched_;
    std::vector<Change> changes_;
    std::vector<int> sources_, targets_;  // scratch
};

extern template class DifferenceMatrix<std::int32_t>;
extern template class DifferenceMatrix<std::int64_t>;

}  // namespace repetend::periodic
