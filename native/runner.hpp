// Runs engine searches against the clock: in slices short enough that an interrupt or the deadline is noticed
// at once, long enough that asking costs nothing. The engine's results do not depend on the slices.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "progress.hpp"
#include "repetend/session/session.hpp"

namespace repetend::native {

// Chooses how much work the next slice gets from how long the last one took.
class SliceSizer {
public:
    std::int64_t work() const { return work_; }
    // The last slice took `seconds`; the next one may take `left` at most.
    void took(double seconds, double left);

private:
    std::int64_t work_ = 2000;
};

// Time since it was made, and the deadline of --timeout.
class Clock {
public:
    explicit Clock(const Invocation& invocation);
    double seconds() const;
    double seconds_left() const;  // huge without a deadline
    // The reason to stop now, if there is one: the deadline or an interrupt.
    std::optional<StopReason> reason_to_stop() const;

private:
    std::chrono::steady_clock::time_point start_;
    std::optional<double> limit_s_;
};

// Calls `step` until it answers false or there is a reason to stop, which is the answer; `after` is called
// after every slice.
std::optional<StopReason> drive(const Clock& clock, const std::function<bool(std::int64_t)>& step,
                                const std::function<void()>& after);

// The shortest repetend per micro-batch that a session told of, whether or not its schedule follows it.
class ShortestRepetend {
public:
    struct Found {
        Ticks period = 0;
        int copies = 1;
        bool optimal = false;
    };
    void take(const std::vector<Event>& events);
    std::optional<Found> found() const;

private:
    struct Known {
        std::optional<Ticks> period;
        Ticks bound = 0;
    };
    std::map<int, Known> by_copies_;
};

struct RunOutcome {
    SearchResult result;
    std::optional<ShortestRepetend::Found> repetend;
    std::optional<PeriodProof> proof;  // when the options ask for it
    double seconds = 0;
};

// Runs one session, with the threads of --threads lent to it: they change nothing but the time it takes.
Result<RunOutcome> run_sessions(const Problem& problem, const Invocation& invocation, ProgressReporter& progress);
// The same with other options than the command line's; its limits and threads count.
Result<RunOutcome> run_sessions(const Problem& problem, const Invocation& invocation, const SearchOptions& options,
                                ProgressReporter& progress);

}  // namespace repetend::native
