// Windows of a schedule, one after another, decided anew.
//
// Everything before a window of time and everything after it keeps its order; what lies between is searched by the
// beam for an end earlier than the whole schedule's. Every critical path crosses every window, so each of them can
// shorten the schedule on its own, and a schedule that no longer moves as a whole often still yields piece by piece.
// (Large neighbourhood search by time windows: Carchrae and Beck, 2009; here the neighbourhood is searched by the
// restricted decision diagram.) A sweep takes windows of one micro-batch's work, then of two, four and eight, each half
// over the one before it, in both directions of time. It is over when a whole sweep brought nothing.
#pragma once

#include <memory>

#include "completion/beam.hpp"

namespace repetend::completion {

class WindowSearch {
public:
    // `backward` is the reverse of `forward`; both must outlive the search.
    WindowSearch(const Instance& forward, const Instance& backward) : sides_{&forward, &backward} {}

    // A feasible sequence of the forward instance, how many partial schedules a beam keeps, and per direction and
    // device what it still needs (see Diagram::Need).
    void begin(const Sequence& sequence, int width, std::vector<Diagram::Need> forward_needs,
               std::vector<Diagram::Need> backward_needs);
    // Goes on for about `work`; false when nothing is left to try. `improved` tells whether `best` got better.
    bool step(std::int64_t work);
    bool improved() const { return improved_; }
    const Sequence& best() const { return best_; }
    std::int64_t work() const { return work_; }

private:
    void turn();
    bool begin_window();
    void take(const Sequence& sequence);

    const Instance* sides_[2];
    std::vector<Diagram::Need> needs_[2];
    Sequence best_;  // of the forward instance
    bool improved_ = false;
    std::int64_t work_ = 0;
    int width_ = 0;
    bool over_ = true;
    // The side at work: its sequence in order of start.
    int side_ = 0;
    Sequence sequence_;
    Timing timing_;
    std::size_t size_ = 0;    // of a window, in operations
    std::size_t first_ = 0;   // of the window at work
    int sweeps_idle_ = 0;     // of one side and size, in a row
    std::int64_t sweep_ = 0;  // which lambda
    bool sweep_improved_ = false;
    std::unique_ptr<Beam> beam_;
};

}  // namespace repetend::completion
