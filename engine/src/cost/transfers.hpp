// Transfers between the stages of a profile.
#pragma once

#include <vector>

#include "cost/stages.hpp"

namespace repetend::cost {

// What the placement family is given as its lag: marks the edges that leave a device.
inline constexpr Ticks lag_to_set = 1;

// Replaces the marked edges' lags by transfer times, or by transfer blocks on link devices.
std::vector<TransferTerm> set_transfers(Problem& problem, const Cluster& cluster, const ProfileOptions& options,
                                        const std::vector<StageCosts>& stages);

}  // namespace repetend::cost
