// 1F1B: as many forwards as stages follow, then one forward and one backward in turn, then the remaining backwards
// (Narayanan et al., PipeDream-Flush in Memory-Efficient Pipeline-Parallel DNN Training, ICML 2021; Fan et al.,
// DAPPLE, PPoPP 2021). Stage s of p holds min(p - s, m) activations; makespan as GPipe's.
//
// In the grid stage s runs forward n in step s + 2n and backward n in step 2n + 2p - 1 - s; the two never meet, as one
// has the parity of s and the other has not. A split backward stays together.
#include "baseline/one_f_one_b.hpp"

#include <algorithm>

#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    std::string gangs = why_gangs(pipeline);
    if (!gangs.empty()) gangs += ": 1F1B+ orders those";
    return first_of({why_no_training(pipeline), why_not_one_stage_each(pipeline), gangs});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    return earliest_starts(pipeline, insert_gangs(pipeline, one_f_one_b_grid(pipeline, micro_batches), micro_batches),
                           micro_batches);
}

}  // namespace

std::vector<std::vector<Step>> one_f_one_b_grid(const Pipeline& pipeline, std::int64_t micro_batches) {
    int deepest = 0;
    for (const Stage& stage : pipeline.stages) deepest = std::max(deepest, stage.depth);
    std::vector<std::vector<Step>> grid(pipeline.workers.size());
    for (const Stage& stage : pipeline.stages) {
        std::vector<Step>& steps = grid[static_cast<std::size_t>(stage.worker)];
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            add_forward_step(steps, stage.depth + 2 * n, stage, n);
            add_backward_step(steps, 2 * n + 2 * deepest + 1 - stage.depth, stage, n);
        }
    }
    return grid;
}

Family family_1f1b() {
    return {{"1F1B", "one stage a device, no blocks on several devices",
             "as many forwards as stages follow, then one forward and one backward in turn"},
            why_not,
            build};
}

}  // namespace repetend::baseline
