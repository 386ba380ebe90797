// DualPipeV: DualPipe cut in half, so that no parameters are held twice: p devices for 2p stages in V order, device r
// holds stages r and 2p-1-r (Sea AI Lab, 2025; also in DeepSeek's DualPipe repository). The phases of DualPipe with
// H = p and h = r; 0 and 1 are the device's chunks; m at least 2p, odd m allowed.
#include "baseline/dualpipe.hpp"
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::int64_t least = 2 * std::int64_t{pipeline.num_workers()};
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_v_shaped(pipeline),
                     micro_batches < least
                         ? "at least " + std::to_string(least) + " micro-batches (two a device) are needed"
                         : ""});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    const std::size_t devices = pipeline.workers.size();
    Orders orders(devices);
    for (std::size_t r = 0; r < devices; ++r) {
        orders[static_cast<std::size_t>(stages[r].worker)] =
            dualpipe_lane(stages[r], stages[stages.size() - 1 - r], static_cast<std::int64_t>(r),
                          static_cast<std::int64_t>(devices), micro_batches);
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Family family_dualpipe_v() {
    return {
        {"DualPipeV", "two stages a device in V order, at least two micro-batches a device", "DualPipe cut in half"},
        why_not,
        build};
}

}  // namespace repetend::baseline
