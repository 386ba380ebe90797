// Costs for files that carry none.
#pragma once

#include <optional>

#include "repetend/model/problem.hpp"

namespace repetend {

struct AssumedCosts {
    std::optional<Ticks> forward;   // 1
    std::optional<Ticks> backward;  // full backward 3; where the backward is split, the input gradient: 1
    std::optional<Ticks> weight;    // weight gradient 1
    Ticks lag = 0;                  // between neighbouring stages on different devices
};

}  // namespace repetend
