// 1F1B+: 1F1B on the stage blocks, and every gang as an extra step of its own in the grid of 1F1B, directly before the
// forward block that follows it, in the backward pass directly after the block that mirrors it (baseline of Lin et
// al., Tessel, HPCA 2024, for the M and NN placements).
//
// Where no forward block follows a gang (mllm, K), it goes directly after the one before, and so on in mirror image:
// the reference does not cover these.
#include "baseline/family.hpp"
#include "baseline/one_f_one_b.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return first_of({why_no_training(pipeline), why_not_one_stage_each(pipeline),
                     pipeline.gangs.empty() ? "there are no blocks on several devices: 1F1B is the same" : ""});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    return earliest_starts(pipeline, insert_gangs(pipeline, one_f_one_b_grid(pipeline, micro_batches), micro_batches),
                           micro_batches);
}

}  // namespace

Family family_1f1b_plus() {
    return {{"1F1B+", "one stage a device and blocks on several devices",
             "1F1B with each block on several devices as a step of its own beside its stage"},
            why_not,
            build};
}

}  // namespace repetend::baseline
