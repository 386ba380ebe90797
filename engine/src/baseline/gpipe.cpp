// GPipe: all forwards of the batch, then all backwards (Huang et al., GPipe, NeurIPS 2019). Every device holds the
// activations of all micro-batches.
//
// With gangs (as Tessel's evaluation applies the order to the M and NN placements) each of them is an extra step
// directly before the forward block that follows it, or directly after the backward block that precedes it.
#include <algorithm>

#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return first_of({why_no_training(pipeline), why_not_one_stage_each(pipeline)});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    int deepest = 0;
    for (const Stage& stage : pipeline.stages) deepest = std::max(deepest, stage.depth);
    std::vector<std::vector<Step>> grid(pipeline.workers.size());
    for (const Stage& stage : pipeline.stages) {
        std::vector<Step>& steps = grid[static_cast<std::size_t>(stage.worker)];
        const std::int64_t turn = micro_batches + deepest;
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            add_forward_step(steps, stage.depth + n, stage, n);
            add_backward_step(steps, turn + deepest - stage.depth + n, stage, n);
        }
    }
    return earliest_starts(pipeline, insert_gangs(pipeline, std::move(grid), micro_batches), micro_batches);
}

}  // namespace

Family family_gpipe() { return {{"GPipe", "one stage a device", "all forwards, then all backwards"}, why_not, build}; }

}  // namespace repetend::baseline
