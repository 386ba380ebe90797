// Raising the lower bound by refuting makespans.
//
// First the makespan just below the best known: refuted, the best is optimal. Otherwise the largest one that the
// diagrams refute is found by bisection. Diagrams over single devices come first, over pairs next; last a diagram
// over all devices without merging, which is a complete search: it ends with a better schedule or with the
// proof that there is none, as far as its size allows.
#pragma once

#include <memory>

#include "completion/diagram_bound.hpp"

namespace repetend::completion {

class Prover {
public:
    // `low` is a proved lower bound, `best` the makespan of a known schedule. Both instances must outlive it.
    Prover(const Instance& forward, const Instance& backward, Ticks low, Ticks best);

    // A better schedule is known.
    void set_best(Ticks best);
    // Works for about `work`; false when there is nothing left to try, or the bound has reached the best.
    bool step(std::int64_t work);
    std::int64_t work() const { return work_; }
    Ticks bound() const { return low_; }
    // A sequence with a makespan below `best`, found by the complete search; empty without one.
    Sequence take_found() { return std::exchange(found_, {}); }

    // Windows and needs for makespans below `best`, once the single devices have been looked at.
    // (null before). They change when the prover goes on.
    DiagramBound* for_best() { return known_for_ == best_ - 1 && tested_ == known_for_ ? bound_.get() : nullptr; }

private:
    enum class Stage { singles, singles_between, pairs, complete, pairs_between, over };

    void begin_stage(Stage stage);
    void begin_test(Ticks makespan, bool pairs);
    void end_test(DiagramVerdict verdict);
    void begin_complete();
    void end_complete(DiagramVerdict verdict);

    const Instance& forward_;
    const Instance& backward_;
    std::unique_ptr<DiagramBound> bound_;
    std::unique_ptr<Diagram> complete_;
    std::vector<std::vector<Ticks>> distances_;
    Ticks low_;
    Ticks best_;
    Ticks high_ = 0;        // between: not refuted here
    Ticks tested_ = 0;
    Ticks known_for_ = -1;
    Stage stage_ = Stage::over;
    bool testing_ = false;
    std::int64_t test_end_ = 0;  // in work_: a test that takes longer counts as not refuting
    std::int64_t work_ = 0;
    Sequence found_;
};

}  // namespace repetend::completion
