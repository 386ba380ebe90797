// V-Half: half the memory of 1F1B and about half its bubble, on ZB-V's placement (Qi et al., Pipeline Parallelism with
// Controllable Memory, NeurIPS 2024). In the building block the first chunk's forwards advance by 2 slots a device, the
// second chunk's by 1, and the same on the way back; e keeps copies apart.
#include "baseline/building_block.hpp"
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) { return why_not_v_block(pipeline); }

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::int64_t p = pipeline.num_workers();
    const std::int64_t e = p % 2 == 0 ? 3 : 0;
    BlockFamily family;
    for (std::int64_t i = 0; i < p; ++i) {
        family.offsets.push_back({2 * i, 3 * p - i - 2, 3 * p + e + 2 * i - 1, 6 * p + e - i - 2});
    }
    return build_v_block(pipeline, family, micro_batches);
}

}  // namespace

Family family_v_half() {
    return {{"V-Half", "two stages a device in V order, split backward", "half the memory of 1F1B, half its bubble"},
            why_not,
            build};
}

}  // namespace repetend::baseline
