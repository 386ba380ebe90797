// Interleaved 1F1B: v chunks a device, stage k on device k mod p (Narayanan et al., Efficient Large-Scale Language
// Model Training on GPU Clusters Using Megatron-LM, SC 2021). Forwards come in groups of p micro-batches: the first
// chunk for the whole group, then the second, ...; backwards the same from the last chunk on. Device r begins with
// min(2(p-1-r) + (v-1)p, m v) forwards, then forward and backward take turns.
//
// The original wants m to be a multiple of p. Here the batch is cut into floor(m / p) groups (at least one) as equal as
// can be, the larger ones first, and the largest takes the place of p in the warmup (PyTorch's schedule does this with
// equal groups). A short last group, as in later versions of Megatron-LM, would stall, and with four chunks and one
// micro-batch left over it would wait for itself.
#include <algorithm>

#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_looped(pipeline, 2, 0)});
}

struct Turn {
    std::int64_t chunk = 0;
    std::int64_t micro_batch = 0;
};

// The chunks and micro-batches of one direction, in groups.
std::vector<Turn> turns(std::int64_t chunks, std::int64_t micro_batches, std::int64_t groups) {
    std::vector<Turn> list;
    std::int64_t first = 0;
    for (std::int64_t group = 0; group < groups; ++group) {
        const std::int64_t last = first + micro_batches / groups + (group < micro_batches % groups ? 1 : 0);
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            for (std::int64_t n = first; n < last; ++n) list.push_back({chunk, n});
        }
        first = last;
    }
    return list;
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    const std::int64_t workers = pipeline.num_workers();
    const std::int64_t chunks = static_cast<std::int64_t>(stages.size()) / workers;
    const std::int64_t groups = std::max<std::int64_t>(1, micro_batches / workers);
    const std::int64_t largest = (micro_batches + groups - 1) / groups;
    const std::vector<Turn> list = turns(chunks, micro_batches, groups);
    const auto total = static_cast<std::int64_t>(list.size());
    Orders orders(pipeline.workers.size());
    for (std::int64_t rank = 0; rank < workers; ++rank) {
        Lane& lane = orders[static_cast<std::size_t>(stages[static_cast<std::size_t>(rank)].worker)];
        const auto stage = [&](std::int64_t chunk) -> const Stage& {
            return stages[static_cast<std::size_t>(chunk * workers + rank)];
        };
        const std::int64_t warmup = std::min(2 * (workers - 1 - rank) + (chunks - 1) * largest, total);
        for (std::int64_t k = 0; k < total + warmup; ++k) {
            if (k < total) {
                const Turn& turn = list[static_cast<std::size_t>(k)];
                add_forward(lane, stage(turn.chunk), turn.micro_batch);
            }
            if (k >= warmup) {
                const Turn& turn = list[static_cast<std::size_t>(k - warmup)];
                add_backward(lane, stage(chunks - 1 - turn.chunk), turn.micro_batch);
            }
        }
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Family family_interleaved() {
    return {{"interleaved-1F1B", "several stages a device, stage k on device k mod p",
             "1F1B over chunks, in groups of as many micro-batches as devices"},
            why_not,
            build,
            true};
}

}  // namespace repetend::baseline
