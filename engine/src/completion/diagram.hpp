// Decision diagrams over the counts of a set of devices: can a makespan be reached?
//
// A state says how many instances of each block of the set have run; its memory follows exactly. A label holds
// what time knows about it: when each device of the set is free, and from when the next instances may start
// given what has run. Dependencies that lead through other devices become delays, so a diagram over some devices
// relaxes the problem, and one over all of them is exact. Operations are taken in order of start, and every device
// counts as busy until the last start, so nothing is put before what has been decided.
//
// Labels dominate componentwise. Above `labels` per state two are merged by their componentwise minimum: any
// completion of either remains possible, so the diagram still shows everything that can happen, only more.
// Every operation has a window: it starts no earlier and no later. If no path reaches the end, no schedule
// keeps the windows. (Relaxed decision diagrams: Andersen, Hadzic, Hooker and Tiedemann, CP 2007; here the
// state is a count vector, because micro-batches are interchangeable.)
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "completion/counters.hpp"

namespace repetend::completion {

__extension__ typedef unsigned __int128 CountKey;

// For each operation [block * N + n] its earliest and latest start.
struct Windows {
    std::vector<Ticks> earliest;
    std::vector<Ticks> latest;
};

// For count vectors of one device (as keys): a time. Open addressing, no order.
class KeyTable {
public:
    void clear();
    // The value of `key`, created as `initial`.
    Ticks& at(CountKey key, Ticks initial);
    // The value, or null.
    const Ticks* find(CountKey key) const;
    std::size_t size() const { return size_; }

private:
    struct Slot {
        CountKey key;
        Ticks value;
        bool used;
    };
    void grow();
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

struct DiagramOptions {
    int labels = 2;  // per state; 0: no limit, and the diagram is exact for its devices
    std::int64_t most_states = 30'000;
    std::int64_t most_labels = 200'000;  // in one level: as many operations run
    // Remember how each label arose: for a complete search, which may also drop what is dominated.
    bool keep_path = false;
};

enum class DiagramVerdict { running, alive, dead, too_large };

class Diagram {
public:
    // `distances[b]` = distances_from(instance, b) for each block of the devices. The instance must outlive it.
    Diagram(const Instance& instance, const std::vector<std::vector<Ticks>>& distances, std::vector<int> devices);

    // Count vectors fit into keys.
    bool usable() const { return usable_; }
    const Counters& counters() const { return counters_; }
    CountKey full_key() const { return full_key_; }
    // How much an instance of the block adds to the key of a state; 0 where the block is on other devices.
    CountKey weight_of(int block) const;

    // `needs[i]`: for device i of the set (or null) the least time from when the device is free until the end of
    // everything, by the key of a single-device diagram of the *remaining* counts; states beyond `deadline`
    // by that measure are dropped. A state missing there is dropped too.
    struct Need {
        const Diagram* of = nullptr;  // a single-device diagram of the reversed instance, which made the table
        const KeyTable* table = nullptr;
    };
    void begin(const Windows& windows, const DiagramOptions& options, std::vector<Need> needs, Ticks deadline);
    // Goes on until about `work` more transitions are done.
    DiagramVerdict step(std::int64_t work);
    std::int64_t work() const { return work_; }

    // After an end: the earliest start seen of what raised a counter from n, no_start when none did. No block that
    // shares the counter starts its instance n before that.
    static constexpr Ticks no_start = std::numeric_limits<Ticks>::max();
    Ticks earliest_seen(int counter, std::int64_t n) const {
        return seen_[offset_[counter] + static_cast<std::size_t>(n)];
    }
    // One device: per state the least time at which it can be free.
    const KeyTable& reached() const { return reached_; }
    // With keep_path and verdict alive: one sequence of the blocks of the set (global numbers).
    Sequence path() const;

private:
    using Delay = Counters::Delay;
    using LocalUse = Counters::LocalUse;
    struct State {
        CountKey key;
        std::int32_t first_label;
        std::int32_t labels;
    };
    struct Label {
        std::size_t times;    // offset into times_
        std::int32_t next;    // in the state
        std::int32_t parent;  // index into history_, -1
        std::int16_t counter;
    };
    struct Step {
        std::int32_t parent;
        std::int16_t counter;
    };
    struct Level {
        std::vector<State> states;
        std::vector<std::int64_t> counts;  // [state * counters + counter]
        std::vector<Label> labels;
        std::vector<Ticks> times;
        KeyTable index;
        void clear();
    };

    Ticks time_of(int counter) const { return instance_.time[counters_.members[counter].front()]; }
    void take_windows(const Windows& windows);
    void expand(std::size_t state);
    void look_at(std::size_t state);
    bool may_run(int counter, const std::int64_t* counts) const;
    Ticks start_of(int counter, const std::int64_t* counts, const Ticks* times) const;
    bool in_time(int counter, const Ticks* times, Ticks start) const;
    bool is_dominated(int counter, const std::int64_t* counts, const Ticks* times, Ticks start) const;
    void child_label(int counter, const std::int64_t* counts, const Ticks* times, Ticks start);
    std::size_t child_state(int counter, const State& state, const std::int64_t* counts);
    void insert(std::size_t child, const Ticks* times, std::size_t length, std::int32_t parent, int counter);

    const Instance& instance_;
    std::vector<int> devices_;
    Counters counters_;
    std::vector<std::size_t> offset_;  // per counter: where its instances begin in lists of them
    bool usable_ = false;
    std::vector<CountKey> weight_;
    CountKey full_key_ = 0;
    std::vector<std::vector<CountKey>> need_weight_;  // per need: weight of each counter in its keys

    // Per counter and instance: the windows; of blocks that share a counter, the n-th earliest and n-th latest.
    std::vector<Ticks> earliest_, latest_;
    DiagramOptions options_;
    std::vector<Need> needs_;
    Ticks deadline_ = 0;
    DiagramVerdict verdict_ = DiagramVerdict::running;
    std::int64_t work_ = 0;
    std::int64_t states_ = 0;
    std::int64_t level_number_ = 0;
    std::size_t at_ = 0;  // next state of the level to expand
    Level level_;
    Level next_;
    std::vector<Step> history_;
    std::vector<Ticks> seen_;
    KeyTable reached_;
    // Of the state looked at.
    std::vector<std::int32_t> first_;    // per counter: where its times begin in a label
    std::vector<Memory> memory_;         // per device
    std::vector<CountKey> left_;         // per device: key of what is left, for its need
    std::vector<Ticks> need_;            // per device
    std::vector<std::uint8_t> may_run_;  // per counter
    std::vector<Ticks> need_after_;      // per need: once the one at hand has run
    // Of its child.
    std::vector<std::int32_t> child_first_;
    std::vector<Ticks> child_times_;
};

}  // namespace repetend::completion
