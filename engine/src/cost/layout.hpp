// Which part of a model goes where in a placement family: stages with their layers, and the work of the blocks on all
// devices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cost/gangs.hpp"
#include "repetend/model/fault.hpp"

namespace repetend::cost {

struct Gang {
    std::string forward, backward;  // names of its blocks; an empty backward: none is needed
    GangRole role = GangRole::lookup;
    std::vector<int> parts;
};

struct Layout {
    std::vector<StageContent> stages;
    std::vector<std::int64_t> layers_per_stage;
    std::vector<Gang> gangs;
    bool embedding_spread = false;  // over all devices by a gang, else where parts begin
    bool embedding_frozen = false;
    std::int64_t runs_per_micro_batch = 1;  // 2: both directions of a bidirectional placement
};

// Faults (usage, path = the option) when the model has no such layout.
Result<Layout> lay_out(const StageSetting& setting, const ProfileOptions& options);

// How a list of layer counts is written: `8,8,8,6`.
std::string counts_text(const std::vector<std::int64_t>& counts);

}  // namespace repetend::cost
