// The least period of a fixed order: a system of arcs s(to) - s(from) >= weight + periods * T.
#pragma once

#include <cstdint>
#include <vector>

#include "periodic/instance.hpp"

namespace repetend::periodic {

struct LeastPeriod {
    Ticks period = 0;
    std::vector<Ticks> start;  // per node, earliest, >= 0
};

// Least integer T >= `at_least` without a positive cycle. Expects some such T to exist (every cycle of
// positive weight crosses a period). Climbs: at an infeasible T the positive cycle found gives the next T, its
// own ratio (Howard's policy turned round; Dasdan 2004 compares such methods). `work` grows with the arcs relaxed.
LeastPeriod least_period(int nodes, const std::vector<FixedArc>& arcs, Ticks at_least, std::int64_t& work);

}  // namespace repetend::periodic
