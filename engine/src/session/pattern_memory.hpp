// Memory of a pattern that repeats for ever.
#pragma once

#include "repetend/periodic/periodic.hpp"

namespace repetend {

// The most that `device` ever holds while the pattern repeats, static memory and transients included. Expects
// that a micro-batch leaves nothing behind there (net_memory is 0).
Memory steady_peak_memory(const Problem& problem, const PeriodicPattern& pattern, int device);

}  // namespace repetend
