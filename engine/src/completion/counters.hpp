// What a diagram counts: the blocks of a set of devices, and what each of them waits for.
//
// Blocks of a device that are alike share a counter. In forward time these are last blocks (weight gradients) that wait
// only for blocks of their device; in reversed time first ones that only such blocks wait for. Which of them runs makes
// no difference to anything else, so counting how many have run is exact, with a fraction of the states: the count may
// not exceed what is available, nor fall short of what has been used.
//
// A dependency between blocks that share a device, without a lag, holds by the order on the device; only the others
// have a delay that must be remembered.
#pragma once

#include <cstdint>
#include <vector>

#include "completion/instance.hpp"

namespace repetend::completion {

struct Counters {
    struct Delay {
        int counter;
        Ticks ticks;
    };
    // A block's use of a device of the set.
    struct LocalUse {
        int device;  // position in the set
        Memory change;
        Memory need;
        bool limited;
    };

    // `distances[b]` = distances_from(instance, b) for each block of the devices.
    Counters(const Instance& instance, const std::vector<std::vector<Ticks>>& distances,
             const std::vector<int>& devices);

    int size() const { return static_cast<int>(members.size()); }
    // May the counter be raised, as far as dependencies go?
    bool available(int counter, const std::int64_t* counts) const;
    // A sequence of counters as one of blocks.
    Sequence blocks_of(const std::vector<int>& raised) const;

    std::int64_t micro_batches;
    std::vector<std::vector<int>> members;  // the blocks that share each counter
    std::vector<int> of_block;              // -1: on none of the devices
    std::vector<std::int64_t> limit;        // instances of all members
    std::vector<std::vector<LocalUse>> on;
    std::vector<std::uint8_t> frees;  // never takes memory that is limited
    // Dependencies between counters of single blocks, those that other ones imply left out; `before` and `after` are
    // the ones with a delay to remember.
    std::vector<std::vector<int>> waits_for;
    std::vector<std::vector<Delay>> before, after;

private:
    void find_members(const Instance& instance, const std::vector<int>& devices);
    void find_delays(const Instance& instance, const std::vector<std::vector<Ticks>>& distances);

    // Shared counters only, per member: the counters whose least count is what is available of it (none: all of it),
    // or those whose largest count is what has been used of it.
    std::vector<std::vector<std::vector<int>>> supply_, demand_;
    std::vector<std::vector<int>> draws_on_;  // shared counters that a block uses
};

}  // namespace repetend::completion
