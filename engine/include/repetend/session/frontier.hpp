// The frontier: what memory buys. One capacity for all devices that hold memory is raised from the smallest
// that works to the one beyond which nothing improves; each step has its least period, proved, and its best
// makespan with a bound. A value machine like Session: no clock, the same work gives the same points.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repetend/model/problem.hpp"
#include "repetend/session/session.hpp"

namespace repetend {

struct FrontierOptions {
    SearchOptions search;           // copies, max_in_flight, micro_batches, seed, work_budget; objective is not used
    Memory unit = 1;                // capacities are multiples of this (2: activations of a split backward)
    std::optional<Memory> highest;  // nothing above this is tried; none: no limit
};

struct FrontierPoint {
    Memory capacity = 0;
    std::optional<Ticks> period;  // least for `copies`; none when nothing can repeat for ever
    int copies = 1;
    Ticks period_lower_bound = 0;
    bool period_optimal = false;
    std::optional<Ticks> makespan;  // none while it has not been searched
    Ticks makespan_lower_bound = 0;
    bool makespan_optimal = false;
};

class Frontier {
public:
    // Faults of the problem or of the options, as Session has them.
    static Result<Frontier> start(Problem problem, const FrontierOptions& options);
    Frontier(Frontier&&) noexcept;
    Frontier& operator=(Frontier&&) noexcept;
    ~Frontier();

    // Does about `work` units; true while there is more to do.
    bool step(std::int64_t work);
    // Ends it; the points so far stay.
    void stop(StopReason reason);
    StopReason stop_reason() const;

    // What is known, by rising capacity. Once finished: every capacity of the range where there are few, else
    // those at which the period (or a makespan) changes.
    std::vector<FrontierPoint> points() const;
    // 0: nothing changes between two neighbouring points. Else the range was too wide for that, and each point
    // may lie this far above the least capacity with its values.
    Memory resolution() const;
    // Why there is no point at all; empty unless that is proved.
    std::string infeasible_reason() const;
    std::int64_t micro_batches() const;
    std::int64_t nodes() const;

    // The search that runs now; `phase` says for which capacity.
    Session::Progress progress() const;

private:
    struct State;
    explicit Frontier(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace repetend
