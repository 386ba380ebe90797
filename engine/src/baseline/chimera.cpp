// Chimera, direct concatenation: two pipelines in opposite directions over the same devices (Li and Hoefler, Chimera,
// SC 2021), in the form for 4 stages that Tessel's evaluation compares with (Lin et al., HPCA 2024). A unit holds two
// micro-batches in each direction; in the grid it takes 16 steps, a backward two of them, and the first two forwards of
// a unit start 3 steps early, inside the unit before.
#include <array>
#include <cstddef>
#include <utility>

#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

constexpr std::size_t stages = 4;
// Steps of a unit by stage, for the first and the second micro-batch of either direction.
constexpr std::array<std::array<int, stages>, 2> forward_step = {{{0, 1, 2, 3}, {2, 3, 4, 6}}};
constexpr std::array<std::array<int, stages>, 2> backward_step = {{{10, 8, 6, 4}, {14, 12, 10, 8}}};
constexpr int unit_steps = 16;
constexpr int overlap_steps = 3;

std::string why_not(const Pipeline& pipeline, std::int64_t micro_batches) {
    return first_of({why_no_training(pipeline), why_gangs(pipeline), why_not_two_way(pipeline),
                     pipeline.workers.size() != stages
                         ? "4 devices are needed, there are " + std::to_string(pipeline.workers.size())
                         : "",
                     micro_batches % 2 != 0
                         ? "micro-batches come in pairs, " + std::to_string(micro_batches) + " is an odd number"
                         : ""});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    std::vector<std::vector<Step>> grid(pipeline.workers.size());
    for (const Chain& chain : pipeline.chains) {
        for (std::size_t k = 0; k < stages; ++k) {
            const Stage& stage = chain.stages[k];
            std::vector<Step>& steps = grid[static_cast<std::size_t>(stage.worker)];
            for (std::int64_t n = 0; n < micro_batches; ++n) {
                const std::int64_t unit = n / 2;
                const auto which = static_cast<std::size_t>(n % 2);
                const bool early = unit > 0 && which == 0 && k < 2;
                const std::int64_t first = unit * unit_steps - (early ? overlap_steps : 0);
                add_forward_step(steps, first + forward_step[which][k], stage, n);
                add_backward_step(steps, unit * unit_steps + backward_step[which][k], stage, n);
            }
        }
    }
    return earliest_starts(pipeline, insert_gangs(pipeline, std::move(grid), micro_batches), micro_batches);
}

}  // namespace

Family family_chimera() {
    return {{"Chimera-direct", "two directions over 4 devices (x), an even number of micro-batches",
             "units of two micro-batches a direction, one after the other"},
            why_not,
            build};
}

}  // namespace repetend::baseline
