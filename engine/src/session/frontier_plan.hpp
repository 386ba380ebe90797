// Which capacities of a frontier to look at, as a pure function of what is known so far. Both the least period
// and the least makespan fall (or stay) as the capacity rises; the plan lives on that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "repetend/periodic/periodic.hpp"

namespace repetend::frontier {

// Capacities are counted in steps: capacity = offset + steps * quantum. Every amount that a device can ever
// hold is of that form, so nothing changes between two steps.
using Steps = std::int64_t;
inline constexpr Steps unlimited = std::int64_t{1} << 60;

struct PeriodSample {
    bool feasible = false;
    Ticks period = 0;
    int copies = 1;
    Ticks lower_bound = 0;
    bool optimal = false;
    Steps peak = 0;  // least capacity at which the same pattern works
};

struct MakespanSample {
    bool infeasible = false;
    std::optional<Ticks> makespan;
    Ticks lower_bound = 0;
    Steps peak = 0;  // least capacity at which the same schedule works
};

struct Known {
    bool repeats = true;    // whether anything can repeat for ever
    bool every = true;      // show every step of the range where it has few, not just those that improve
    Steps lowest = 0;       // no device could run its largest block with less
    Steps top = unlimited;  // nothing above is looked at
    std::map<Steps, PeriodSample> periods;
    std::map<Steps, MakespanSample> makespans;
};

enum class Ask { nothing, period, makespan };
struct Request {
    Ask what = Ask::nothing;
    Steps at = 0;
};

// The next thing to find out; nothing when the frontier is complete.
Request next_request(const Known& known);
// The capacities to show, rising.
std::vector<Steps> shown(const Known& known);
// The period at a step, where samples on both sides or at it determine it.
std::optional<PeriodSample> period_at(const Known& known, Steps at);
// The largest distance between two shown capacities between which something might change; 1 when none is left
// out.
Steps resolution(const Known& known);

}  // namespace repetend::frontier
