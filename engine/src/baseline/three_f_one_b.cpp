// 3F1B: a model that passes the devices several times before its backward pass, as AlphaFold does when it recycles its
// output; only the last sweep keeps activations (Lin et al., nnScaler, OSDI 2024). In the steady state a device runs
// one forward of every sweep, each for a later micro-batch the earlier the sweep, and one backward; backwards as in
// 1F1B.
//
// The original lets each sweep run one micro-batch ahead of the next. A sweep reaches the end of p devices p forwards
// later, which is more than one round of k forwards and a backward as soon as p > k + 1; the lead here is therefore
// ceil(p / (k + 1)) micro-batches, the original's 1 for 3 sweeps on up to 4 devices. Any number of sweeps from two up.
#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

std::string why_not(const Pipeline& pipeline, std::int64_t /*micro_batches*/) {
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_looped(pipeline, 2, 1)});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    const std::int64_t devices = pipeline.num_workers();
    const std::int64_t sweeps = static_cast<std::int64_t>(stages.size()) / devices;
    const std::int64_t lead = (devices + sweeps) / (sweeps + 1);
    Orders orders(pipeline.workers.size());
    for (std::int64_t r = 0; r < devices; ++r) {
        const auto stage = [&](std::int64_t sweep) -> const Stage& {
            return stages[static_cast<std::size_t>(sweep * devices + r)];
        };
        Lane& lane = orders[static_cast<std::size_t>(stage(0).worker)];
        // In round k the last sweep runs micro-batch k.
        for (std::int64_t round = -(sweeps - 1) * lead; round < micro_batches + devices - 1 - r; ++round) {
            for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
                const std::int64_t n = round + (sweeps - 1 - sweep) * lead;
                if (n >= 0 && n < micro_batches) add_forward(lane, stage(sweep), n);
            }
            const std::int64_t n = round - (devices - 1 - r);
            if (n >= 0 && n < micro_batches) add_backward(lane, stage(sweeps - 1), n);
        }
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Family family_three_f_one_b() {
    return {{"3F1B", "several forward sweeps over the devices and one backward sweep (alphafold)",
             "one forward of every sweep and one backward in turn"},
            why_not,
            build};
}

}  // namespace repetend::baseline
