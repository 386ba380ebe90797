// Breadth-first (looped): stage k on device k mod p; all micro-batches pass the first chunk of each device, then all
// the second, and back in the reverse order of chunks (Lamy-Poirier, Breadth-First Pipeline Parallelism, MLSys 2023).
// Bubble of interleaved 1F1B, memory of GPipe.
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_looped(pipeline, 2, 0)});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    Orders orders(pipeline.workers.size());
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    for (const Stage& stage : stages) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            add_forward(orders[static_cast<std::size_t>(stage.worker)], stage, n);
        }
    }
    for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            add_backward(orders[static_cast<std::size_t>(stage->worker)], *stage, n);
        }
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Family family_breadth_first() {
    return {{"breadth-first", "several stages a device, stage k on device k mod p",
             "all micro-batches through one chunk, then through the next, and back"},
            why_not,
            build};
}

}  // namespace repetend::baseline
