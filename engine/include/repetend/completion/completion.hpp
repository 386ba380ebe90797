// Completion: from periodic patterns to a schedule of N micro-batches (warmup, repetend, cooldown,
// compacted across the phases, never over capacity), with a lower bound on the makespan.
#pragma once

#include <cstdint>
#include <memory>

#include "repetend/model/schedule.hpp"
#include "repetend/model/workers.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend {

enum class Objective {
    makespan,  // least makespan for N, whatever the period
    period,    // least period first; then the best makespan among schedules that follow that repetend
};

struct CompletionOptions {
    std::int64_t micro_batches = 1;  // N >= 1
    Objective objective = Objective::makespan;
    std::uint64_t seed = 1;
    Workers* workers = nullptr;  // changes nothing but the time; must outlive the completion
};

enum class CompletionStatus {
    running,
    optimal,     // makespan == lower bound (Objective::makespan)
    exhausted,   // the improvement has come to its natural end: more work would not help
    infeasible,  // proved: no schedule of N micro-batches exists
};

// A resumable improvement. Counts decoded operations as work; no clock. Same calls, same result.
class Completion {
public:
    // Faults: N*blocks above most_operations, numbers that leave the range.
    static Result<Completion> start(const Problem& problem, const CompletionOptions& options);
    Completion(Completion&&) noexcept;
    Completion& operator=(Completion&&) noexcept;
    ~Completion();

    // Another start. With Objective::period the last pattern added with the least period/copies is the
    // repetend to follow.
    void add_pattern(const PeriodicPattern& pattern);

    // Micro-batches that starts are wanted for: N, or fewer where N is so large that the middle is repeated.
    std::int64_t start_micro_batches() const;
    // Another start: a valid schedule of that many micro-batches, or of N (another number, or one that is not valid, is
    // ignored). Of any origin: nothing but its starts is looked at. O(operations).
    void add_schedule(const Schedule& schedule);

    CompletionStatus step(std::int64_t work);
    CompletionStatus status() const;

    // The best schedule so far, with its repetend marked where something repeats; null when none is
    // known yet. Written out when asked for, which takes O(N): for a look in passing there are the two below.
    const Schedule* best() const;
    bool has_best() const;
    Ticks best_makespan() const;  // of best(); 0 without one
    Ticks lower_bound() const;    // every schedule of N micro-batches takes at least this long
    std::int64_t work() const;

private:
    struct State;
    explicit Completion(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace repetend
