// V-Min: the least memory of the V-shaped building blocks, about a third of 1F1B's (Qi et al., Pipeline Parallelism
// with Controllable Memory, NeurIPS 2024). Everything advances by one slot a device, as fast as dependencies allow;
// e keeps copies apart. Sensitive to unequal times.
#include "baseline/building_block.hpp"
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) { return why_not_v_block(pipeline); }

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::int64_t p = pipeline.num_workers();
    const std::int64_t e = p % 3 == 0 ? 2 : 0;
    BlockFamily family;
    for (std::int64_t i = 0; i < p; ++i) {
        family.offsets.push_back({i, 2 * p - i - 1, 2 * p + e + i, 4 * p + e - i - 1});
    }
    return build_v_block(pipeline, family, micro_batches);
}

}  // namespace

Family family_v_min() {
    return {
        {"V-Min", "two stages a device in V order, split backward", "a third of the memory of 1F1B"}, why_not, build};
}

}  // namespace repetend::baseline
