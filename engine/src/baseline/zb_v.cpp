// ZB-V: two chunks a device in V order, split backward, no idle time between a device's first and last operation for
// F = I = W, with the memory of 1F1B: p micro-batches, that is 2p chunk activations (Qi et al., Zero Bubble Pipeline
// Parallelism, ICLR 2024). With F = I = W the makespan is 6m + p - 1.
//
// The original is a greedy scheduler with variants of which the best is kept. Ours starts from a building block whose
// forwards and input gradients advance by 4 slots a device through the first chunk and by 2 through the second (and
// back alike), which uses just 2p activations, and refines it with the variants of building_block.cpp.
#include "baseline/building_block.hpp"
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) { return why_not_v_block(pipeline); }

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::int64_t p = pipeline.num_workers();
    BlockFamily family;
    family.most_activations = 2 * p;
    for (std::int64_t i = 0; i < p; ++i) {
        family.offsets.push_back({4 * i, 6 * p - 5 - 2 * i, 6 * p - 4 + 4 * i, 12 * p - 9 - 2 * i});
    }
    return build_v_block(pipeline, family, micro_batches);
}

}  // namespace

Family family_zb_v() {
    return {{"ZB-V", "two stages a device in V order, split backward",
             "no idle time inside at equal times, with the memory of 1F1B"},
            why_not,
            build};
}

}  // namespace repetend::baseline
