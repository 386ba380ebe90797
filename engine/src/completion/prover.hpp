// Raising the lower bound by refuting makespans.
//
// The makespan that matters is the one just below the best known: refuted, the best is optimal. A diagram over all
// devices without merging is a complete search: it ends with a better schedule or with the proof that there is none, if
// its size allows. It is tried twice, small after the single devices have been looked at, larger after the pairs. In
// between, bisection finds about the largest makespan that single devices, and pairs at last, do refute.
#pragma once

#include <memory>

#include "completion/diagram_bound.hpp"

namespace repetend::completion {

class Prover {
public:
    // `low` is a proved lower bound, `best` the makespan of a known schedule; the diagrams over single devices do
    // not refute best - 1, nor what a former prover's did not (`alive`). Both instances must outlive it.
    Prover(const Instance& forward, const Instance& backward, Ticks low, Ticks best, Ticks alive);

    // Works for about `work`; false when there is nothing left to try, or the bound has reached the best.
    bool step(std::int64_t work);
    std::int64_t work() const { return work_; }
    Ticks bound() const { return low_; }
    // The least makespan that diagrams over single devices were seen not to refute.
    Ticks alive() const { return alive_; }
    // A sequence with a makespan below `best`, found by the complete search; empty without one.
    Sequence take_found() { return std::exchange(found_, {}); }

private:
    enum class Stage { singles, small_complete, singles_between, pairs, complete, pairs_between, over };

    void begin_stage(Stage stage);
    void begin_test(Ticks makespan, bool pairs);
    void end_test(DiagramVerdict verdict);
    void begin_complete(const DiagramOptions& options, std::int64_t allowance);
    void end_complete(DiagramVerdict verdict);

    const Instance& forward_;
    std::unique_ptr<DiagramBound> bound_;
    std::unique_ptr<Diagram> complete_;
    std::vector<std::vector<Ticks>> distances_;
    Ticks low_;
    Ticks best_;
    Ticks alive_;
    Ticks high_ = 0;  // between: not refuted here
    Ticks tested_ = 0;
    Stage stage_ = Stage::over;
    bool testing_ = false;
    bool bisected_ = false;      // with single devices
    std::int64_t test_end_ = 0;  // in work_: a test that takes longer counts as not refuting
    std::int64_t work_ = 0;
    Sequence found_;
};

}  // namespace repetend::completion
