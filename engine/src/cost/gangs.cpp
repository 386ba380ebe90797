// Blocks on all devices. A lookup reads the rows that a device has and adds the partial results of all up; a
// projection is split by vocabulary and gets its input on every device at the price of one all-reduce; a joint part
// is tensor parallel over all GPUs and gets the branches' results on every device likewise.
#include "cost/gangs.hpp"

#include <algorithm>

namespace repetend::cost {

namespace {

TimeTerm all_reduces(const StageSetting& setting, std::string what, std::int64_t count, std::int64_t gpus,
                     double bytes) {
    const auto times = static_cast<double>(count);
    return {std::move(what), 0, bytes * times, all_reduce_ns(*setting.cluster, 0, gpus, bytes) * times};
}

GangCosts lookups(const StageSetting& setting, const std::vector<int>& parts, std::int64_t gpus) {
    GangCosts costs;
    for (const int part : parts) {
        const double bytes = part_boundary(setting, part);
        costs.forward.push_back(memory_traffic(*setting.cluster, "lookup", 2 * bytes));
        costs.backward.push_back(memory_traffic(*setting.cluster, "lookup, gradients", 3 * bytes));
        for (auto* terms : {&costs.forward, &costs.backward}) {
            if (gpus > 1) terms->push_back(all_reduces(setting, "all-reduce of the lookup", 1, gpus, bytes));
        }
        costs.transient = std::max(costs.transient, bytes);
    }
    return costs;
}

GangCosts projection(const StageSetting& setting, int part, std::int64_t gpus) {
    const std::int64_t hidden = setting.model->parts[static_cast<std::size_t>(part)].layers.back().hidden;
    const double bytes = part_boundary(setting, part);
    const auto wide = static_cast<double>(gpus);
    const auto vocabulary = static_cast<double>(setting.model->vocabulary);
    const double flops = bytes * vocabulary / wide;  // 2bshV
    GangCosts costs;
    costs.forward.push_back(arithmetic(*setting.cluster, "projection to the vocabulary", flops, hidden));
    costs.backward.push_back(arithmetic(*setting.cluster, "projection, gradients", 2 * flops, hidden));
    if (gpus > 1) {
        costs.forward.push_back(all_reduces(setting, "its input to all devices", 1, gpus, bytes));
        costs.backward.push_back(all_reduces(setting, "all-reduce of its gradient", 1, gpus, bytes));
    }
    // Input and logits in 32 bits.
    costs.kept_bytes = bytes + 4 * (bytes / 2 / static_cast<double>(hidden)) * vocabulary / wide;
    costs.transient = bytes;
    if (setting.inference) {
        costs.transient = costs.kept_bytes;
        costs.kept_bytes = 0;
    }
    return costs;
}

GangCosts joint_part(const StageSetting& setting, int part, std::int64_t gpus) {
    StageSetting wide = setting;
    wide.tensor_parallel = gpus;
    StageContent content;
    content.runs = layer_runs(*setting.model, {part});
    StageCosts stage = stage_costs(wide, content, 0);
    GangCosts costs;
    costs.forward = std::move(stage.forward);
    costs.backward = std::move(stage.backward);
    costs.parameters = stage.parameters;
    costs.kept_bytes = setting.inference ? 0 : stage.kept_bytes;
    costs.transient = std::max(stage.forward_transient, stage.backward_transient);
    if (gpus > 1) {
        const double bytes = part_boundary(setting, part);
        costs.forward.push_back(all_reduces(setting, "branches' results to all devices", 1, gpus, bytes));
        if (!setting.inference) {
            costs.backward.push_back(all_reduces(setting, "branches' gradients", 1, gpus, bytes));
        }
    }
    return costs;
}

}  // namespace

GangCosts gang_costs(const StageSetting& setting, GangRole role, const std::vector<int>& parts, std::int64_t gpus) {
    switch (role) {
        case GangRole::lookup:
            return lookups(setting, parts, gpus);
        case GangRole::projection:
            return projection(setting, parts.front(), gpus);
        case GangRole::joint_part:
            break;
    }
    return joint_part(setting, parts.front(), gpus);
}

}  // namespace repetend::cost
