// The inference pipeline: every micro-batch passes through the stages in turn (forward-only baseline of Lin et al.,
// Tessel, HPCA 2024, on one stage a device).
//
// In the grid micro-batch n runs a stage that d stages precede in step d + n. Where a device holds several stages
// (chunks, two directions, sweeps), those of the older micro-batch come first in a step; gangs are steps of their own
// as in 1F1B+.
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return pipeline.training ? "there are backward blocks" : "";
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    std::vector<std::vector<Step>> grid(pipeline.workers.size());
    for (const Stage& stage : pipeline.stages) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            add_forward_step(grid[static_cast<std::size_t>(stage.worker)], stage.depth + n, stage, n);
        }
    }
    return earliest_starts(pipeline, insert_gangs(pipeline, std::move(grid), micro_batches), micro_batches);
}

}  // namespace

Family family_inference() {
    return {{"inference", "forward blocks only", "one micro-batch after the other through the stages"}, why_not, build};
}

}  // namespace repetend::baseline
