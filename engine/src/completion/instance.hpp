// What the completion works on: the problem for a given number of micro-batches, flattened for speed.
//
// Micro-batches are identical, so instance n of a block may run before instance n + 1 without loss (swap
// two of them otherwise: devices, dependencies and memory see no difference). A whole schedule is therefore
// described by one sequence of block numbers, each block N times: occurrence n of a block is its instance n,
// and the sequence is any order that respects dependencies and the order on every device. Memory on a
// device depends on the counts of started instances alone.
//
// Reversing time gives a problem of the same class: dependencies flip, memory changes change sign, a device
// starts with what the forward problem ends with, and instance n becomes N - 1 - n. The reverse of a
// sequence is a sequence of the reversed instance.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::completion {

inline constexpr std::int64_t no_path = std::numeric_limits<std::int64_t>::min();

// Lists of lists in one array.
template <class T>
class Lists {
public:
    Lists() : begin_(1, 0) {}
    std::span<const T> operator[](int k) const {
        return {items_.data() + begin_[static_cast<std::size_t>(k)],
                items_.data() + begin_[static_cast<std::size_t>(k) + 1]};
    }
    int size() const { return static_cast<int>(begin_.size()) - 1; }
    int first(int k) const { return begin_[static_cast<std::size_t>(k)]; }
    int total() const { return begin_.back(); }
    void add(std::span<const T> list) {
        items_.insert(items_.end(), list.begin(), list.end());
        begin_.push_back(static_cast<int>(items_.size()));
    }

private:
    std::vector<int> begin_;
    std::vector<T> items_;
};

// A block's effect on one of its devices. A positive change holds from the start, a negative one frees at
// the end, the transient holds in between.
struct Use {
    int device = 0;
    Memory change = 0;
    Memory transient = 0;
    // What must be free on the device to start the block.
    Memory need() const { return (change > 0 ? change : 0) + transient; }
};

struct Edge {
    int block = 0;
    Ticks lag = 0;
};

using Sequence = std::vector<int>;

struct Instance {
    int devices = 0;
    int blocks = 0;
    std::int64_t micro_batches = 0;
    std::vector<Ticks> time;
    Lists<Use> uses;
    Lists<Edge> preds;
    Lists<Edge> succs;
    Lists<int> on_device;               // blocks of each device, ascending
    std::vector<int> topological;       // blocks in an order that respects dependencies
    std::vector<Memory> base;           // per device: memory held before anything runs
    std::vector<Memory> capacity;       // per device; meaningless where not limited
    std::vector<std::uint8_t> limited;  // per device: the capacity can bind at all
    std::vector<Ticks> head;            // longest path to each block's start
    std::vector<Ticks> tail;            // longest path from each block's end

    std::int64_t operations() const { return blocks * micro_batches; }
    std::size_t at(int block, std::int64_t micro_batch) const {
        return static_cast<std::size_t>(block * micro_batches + micro_batch);
    }
    Ticks work(int device) const;
    Memory net(int device) const;
    Ticks critical_path() const;
};

// The instance of a problem without faults. `reserve` is added to the static memory of each device (empty:
// nothing): what other micro-batches will leave behind.
Instance make_instance(const Problem& problem, std::int64_t micro_batches, const std::vector<Memory>& reserve = {});

// Time runs backwards.
Instance reversed(const Instance& instance);
Sequence reversed(const Sequence& sequence);

// Blocks that occupy every device take no time and lags vanish: what is left of any schedule when the
// moments in which such a block runs are cut out of it. `cut_ticks` receives the time of the blocks cut.
Instance without_gangs(const Instance& instance, Ticks& cut_ticks);

// Longest path from the end of `from` to the start of every block, or no_path. O(edges).
void distances_from(const Instance& instance, int from, std::vector<Ticks>& distance);

// True when the sequence holds every block N times, respects dependencies and never exceeds a capacity.
bool is_feasible(const Instance& instance, const Sequence& sequence);

}  // namespace repetend::completion
