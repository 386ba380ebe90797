// Can a makespan be reached? Windows of start, tightened by one decision diagram per device and direction.
//
// Every operation of a schedule with makespan M starts no earlier than its head and no later than M minus its
// tail. The diagram of a device shows which starts are really possible: the least start seen forward is a head for
// every feasible schedule, and the diagram of the reversed problem gives deadlines, and the least time that the
// device still needs from each state on, which prunes the forward diagram. What is learned is carried over by
// dependencies to the other devices, until nothing changes. Waves, ramps, load, memory deadlock and contention
// inside holding times all show up as a diagram that dies; then M + 1 is a lower bound.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "completion/diagram.hpp"

namespace repetend::completion {

class DiagramBound {
public:
    // `backward` is the reverse of `forward`; both must outlive it.
    DiagramBound(const Instance& forward, const Instance& backward);

    // False when no device's diagram can be used at all.
    bool usable() const;
    // `pairs`: also diagrams over two devices, which see what devices do to each other.
    void begin(Ticks makespan, bool pairs);
    // running; dead: no schedule has this makespan or less; alive: not refuted.
    DiagramVerdict step(std::int64_t work);
    std::int64_t work() const { return work_; }
    // After `alive`, seen forward (0) or backward (1): the windows, and what a device still needs until the end by the
    // counts left (empty where the diagram was too large).
    const Windows& windows(int direction);
    Diagram::Need need(int direction, int device) const;

private:
    struct Direction {
        const Instance* instance = nullptr;
        std::vector<std::vector<Ticks>> distances;
        std::vector<std::unique_ptr<Diagram>> single;  // per device; null where it has no blocks or no keys
        std::vector<std::uint8_t> complete;            // per device: the diagram was not too large
        std::vector<std::unique_ptr<Diagram>> pair;    // as pairs_
        Windows windows;
    };
    // What runs next: the devices one by one, backwards and forwards, until nothing changes; then the pairs.
    struct Turn {
        bool pairs = false;
        std::size_t at = 0;
        int direction = 1;  // 1 backward, 0 forward
        int round = 0;
        int pair_round = 0;
        bool changed = false;
    };

    void prepare(int direction, const Instance& instance);
    void choose_pairs();
    bool propagate();
    void mirror(int from);
    bool take_starts(int direction, const Diagram& diagram);
    Diagram* begin_turn();
    bool end_turn();

    Direction directions_[2];  // forward, backward
    std::vector<std::pair<int, int>> pairs_;
    Ticks makespan_ = 0;
    bool with_pairs_ = false;
    DiagramVerdict verdict_ = DiagramVerdict::alive;
    Turn turn_;
    Diagram* running_ = nullptr;
    std::int64_t work_ = 0;
};

}  // namespace repetend::completion
