// The frontier as a picture.
#pragma once

#include <string>
#include <vector>

#include "repetend/session/frontier.hpp"

namespace repetend::native {

// What one unit of the drawn capacity means, and how to call it.
struct CapacityScale {
    Memory unit = 1;   // capacities are shown divided by this
    std::string name;  // of the axis: `capacity (activations)`
};

// Standalone SVG: steps of the period per micro-batch over the capacity, and of the makespan with its lower
// bound below. The two differ by colour and by dash, so that print and colour-blind readers lose nothing.
std::string frontier_svg(const Problem& problem, std::int64_t micro_batches, const std::vector<FrontierPoint>& points,
                         const CapacityScale& scale);

}  // namespace repetend::native
