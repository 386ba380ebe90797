// ZB-H1: the order of 1F1B with its backward split; the input gradient runs at once, the weight gradient waits until
// the device holds as much as the first one (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024). Stage s begins
// with p - s forwards and puts weight gradients off by s micro-batches: at most p micro-batches hold memory on any
// device, and the bubble shrinks from (p-1)(F+I+W) to (p-1)(F+I-W).
#include <algorithm>

#include "baseline/family.hpp"
#include "baseline/zb_h.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) { return why_not_zb_h(pipeline); }

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    Orders orders(pipeline.workers.size());
    for (const Stage& stage : pipeline.stages) {
        orders[static_cast<std::size_t>(stage.worker)] =
            zb_h_lane(stage, pipeline.num_workers() - stage.depth, stage.depth, micro_batches);
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

std::string why_not_zb_h(const Pipeline& pipeline) {
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_all_split(pipeline),
                     why_not_one_stage_each(pipeline), pipeline.no_chain});
}

Lane zb_h_lane(const Stage& stage, std::int64_t ahead, std::int64_t put_off, std::int64_t micro_batches) {
    Lane lane;
    for (std::int64_t n = 0; n < std::min(ahead, micro_batches); ++n) add_forward(lane, stage, n);
    for (std::int64_t n = 0; n < micro_batches; ++n) {
        lane.push_back({stage.backward, n});
        if (n >= put_off) lane.push_back({stage.weight, n - put_off});
        if (n + ahead < micro_batches) add_forward(lane, stage, n + ahead);
    }
    for (std::int64_t n = std::max<std::int64_t>(0, micro_batches - put_off); n < micro_batches; ++n) {
        lane.push_back({stage.weight, n});
    }
    return lane;
}

Family family_zb_h1() {
    return {{"ZB-H1", "one stage a device, split backward",
             "1F1B with weight gradients put off as long as memory stays at its level"},
            why_not,
            build};
}

}  // namespace repetend::baseline
