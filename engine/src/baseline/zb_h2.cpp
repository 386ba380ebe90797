// ZB-H2: as ZB-H1 with more forwards in the warmup, so that no device idles between its first and its last operation
// (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024). Stage s begins with 2(p - s) - 1 forwards and puts weight
// gradients off by 2s micro-batches: 2p - 1 micro-batches hold memory, and with F = I = W (and m at least 2p - 1) the
// span of every device is its work. The published bubble (p-1)(F+I-2W) is that of the span.
#include "baseline/family.hpp"
#include "baseline/zb_h.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) { return why_not_zb_h(pipeline); }

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    Orders orders(pipeline.workers.size());
    for (const Stage& stage : pipeline.stages) {
        orders[static_cast<std::size_t>(stage.worker)] = zb_h_lane(
            stage, 2 * std::int64_t{pipeline.num_workers() - stage.depth} - 1, 2 * stage.depth, micro_batches);
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Family family_zb_h2() {
    return {{"ZB-H2", "one stage a device, split backward", "as ZB-H1, with twice the memory and no idle time inside"},
            why_not,
            build};
}

}  // namespace repetend::baseline
