// One chain of stages; see stage_chain.hpp.
#include "stage_chain.hpp"

#include <cstddef>

#include "json_value.hpp"

namespace repetend::format {

Problem make_chain(int devices, const std::vector<ChainStage>& stages, Ticks lag) {
    Problem problem;
    problem.devices.resize(static_cast<std::size_t>(devices));
    const auto add = [&](char letter, BlockKind kind, std::size_t s, Ticks time, Memory memory) {
        Block& block = problem.blocks.emplace_back();
        block.name = letter + std::to_string(s);
        block.kind = kind;
        block.stage = static_cast<std::int64_t>(s);
        block.devices = {stages[s].device};
        block.time = time;
        block.memory = {memory};
        block.transient = {0};
        if (!stages[s].layers.empty()) {
            std::string json;
            append_json_string(json, stages[s].layers);
            block.extra.emplace_back("x_layers", json);
        }
        return problem.num_blocks() - 1;
    };
    const auto join = [&](int from, int to) {
        const auto& blocks = problem.blocks;
        const bool apart =
            blocks[static_cast<std::size_t>(from)].devices != blocks[static_cast<std::size_t>(to)].devices;
        problem.dependencies.push_back({from, to, apart ? lag : 0, {}});
    };
    int last = -1;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const int forward = add('f', BlockKind::forward, s, stages[s].forward, stages[s].forward_memory);
        if (last >= 0) join(last, forward);
        last = forward;
    }
    for (std::size_t s = stages.size(); s-- > 0;) {
        const ChainStage& stage = stages[s];
        if (stage.backward == 0) continue;
        const BlockKind kind = stage.weight > 0 ? BlockKind::input_gradient : BlockKind::backward;
        const int back = add('b', kind, s, stage.backward, stage.backward_memory);
        join(last, back);
        last = back;
        if (stage.weight > 0) join(back, add('w', BlockKind::weight_gradient, s, stage.weight, stage.weight_memory));
    }
    return problem;
}

}  // namespace repetend::format
