// Blocks on all devices of a profile: lookups in a sharded embedding, a sharded projection, a tensor-parallel part.
#pragma once

#include <string>
#include <vector>

#include "cost/stages.hpp"

namespace repetend::cost {

enum class GangRole { lookup, projection, joint_part };

struct GangCosts {
    std::vector<TimeTerm> forward, backward;
    double parameters = 0;  // on one GPU
    double kept_bytes = 0;  // forward to backward
    double transient = 0;
};

// `gpus` GPUs together; `parts` whose tokens are looked up, the last part before the projection, or the joint part.
GangCosts gang_costs(const StageSetting& setting, GangRole role, const std::vector<int>& parts, std::int64_t gpus);

}  // namespace repetend::cost
