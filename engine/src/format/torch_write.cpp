// Schedules as CSV for PyTorch's pipelining runtime (the grammar is in torch_read.cpp). Like the writer there, one row
// a rank, lines ended by CR LF. Slots carry no time, so no gaps are written.
#include <cstddef>

#include "repetend/format/torch.hpp"
#include "torch_stages.hpp"

namespace repetend {
namespace {

using namespace format;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// What stands around the micro-batch: `3SEND_F` for each action of a program.
struct Tokens {
    std::vector<std::string> compute, send, receive;  // by block, by route
};

Tokens make_tokens(const Problem& problem, const TorchStages& view, const std::vector<Route>& routes) {
    Tokens tokens;
    tokens.compute.resize(problem.blocks.size());
    std::vector<int> stage_of(problem.blocks.size(), -1);
    for (std::size_t s = 0; s < view.stages.size(); ++s) {
        const TorchStage& stage = view.stages[s];
        const std::string number = std::to_string(s);
        tokens.compute[at(stage.forward)] = number + 'F';
        stage_of[at(stage.forward)] = static_cast<int>(s);
        if (stage.backward < 0) continue;
        tokens.compute[at(stage.backward)] = number + (stage.weight < 0 ? 'B' : 'I');
        stage_of[at(stage.backward)] = static_cast<int>(s);
        if (stage.weight >= 0) tokens.compute[at(stage.weight)] = number + 'W';
    }
    for (const Route& route : routes) {
        const int stage = stage_of[at(route.from)];
        const bool forward = problem.blocks[at(route.from)].kind == BlockKind::forward;
        tokens.send.push_back(std::to_string(stage) + (forward ? "SEND_F" : "SEND_B"));
        tokens.receive.push_back(std::to_string(stage + (forward ? 1 : -1)) + (forward ? "RECV_F" : "RECV_B"));
    }
    return tokens;
}

}  // namespace

Result<std::string> write_torch_csv(const Problem& problem, const Schedule& schedule,
                                    std::optional<Receives> communication) {
    const Result<TorchStages> view = find_torch_stages(problem);
    if (!view) return view.faults();
    const Program program =
        communication ? with_communication(problem, schedule, *communication) : program_of(problem, schedule);
    const Tokens tokens = make_tokens(problem, *view, program.routes);
    std::string out;
    for (const int device : view->device_of_rank) {
        const auto& list = program.devices[at(device)];
        for (std::size_t k = 0; k < list.size(); ++k) {
            const Action& action = list[k];
            if (k > 0) out += ',';
            out += action.kind == ActionKind::compute ? tokens.compute[at(action.index)]
                   : action.kind == ActionKind::send  ? tokens.send[at(action.index)]
                                                      : tokens.receive[at(action.index)];
            out += std::to_string(action.micro_batch);
        }
        out += "\r\n";
    }
    return out;
}

std::string describe_torch_stages(const Problem& problem) {
    const Result<TorchStages> view = find_torch_stages(problem);
    if (!view) return {};
    std::vector<int> ranks;
    for (const TorchStage& stage : view->stages) ranks.push_back(stage.rank);
    return stage_map_words(ranks);
}

}  // namespace repetend
