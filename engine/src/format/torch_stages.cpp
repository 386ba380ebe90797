// Stages for PyTorch; see torch_stages.hpp. What the runtime would not do (pass data to a stage further on, run a
// stage on two ranks, start all devices of a gang block together) is refused, never dropped.
#include "torch_stages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "json_value.hpp"
#include "repetend/model/graph.hpp"

namespace repetend::format {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool is_back(BlockKind kind) { return kind == BlockKind::backward || kind == BlockKind::input_gradient; }

class Finder {
public:
    Finder(const Problem& problem, FaultList& faults)
        : problem_(problem), faults_(faults), stage_(problem.blocks.size(), -1) {
        for (int d = 0; d < problem.num_devices(); ++d) {
            if (problem.devices[at(d)].kind != DeviceKind::compute) {
                rank_.push_back(-1);
                continue;
            }
            rank_.push_back(static_cast<int>(found_.device_of_rank.size()));
            found_.device_of_rank.push_back(d);
        }
    }

    TorchStages run() {
        sort_out();
        if (faults_.empty()) number();
        if (faults_.empty()) fill();
        if (faults_.empty()) check_edges();
        return std::move(found_);
    }

private:
    const Block& block(int b) const { return problem_.blocks[at(b)]; }
    std::string name(int b) const { return "block " + in_quotes(block(b).name); }
    bool is_transfer(int b) const {
        return std::all_of(block(b).devices.begin(), block(b).devices.end(),
                           [&](int device) { return rank_[at(device)] < 0; });
    }
    void refuse(int b, const std::string& message) {
        faults_.add(FaultCode::unsupported, "blocks[" + std::to_string(b) + ']', message);
    }

    void sort_out() {
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            if (is_transfer(b)) continue;
            computing_.push_back(b);
            if (block(b).devices.size() > 1) {
                refuse(b, name(b) + " runs on " + std::to_string(block(b).devices.size()) +
                              " devices at once; PyTorch's schedules have no action for that");
            } else if (block(b).kind == BlockKind::other || block(b).kind == BlockKind::transfer) {
                refuse(b, name(b) + " is of kind " + std::string(to_string(block(b).kind)) +
                              "; PyTorch's schedules know forward, backward, input and weight gradient");
            }
        }
        if (computing_.empty()) faults_.add(FaultCode::unsupported, "blocks", "no block runs on a compute device");
    }

    // The given numbers count if all blocks have one; they must be 0, 1, 2, ...
    void number() {
        const bool given =
            std::all_of(computing_.begin(), computing_.end(), [&](int b) { return block(b).stage.has_value(); });
        if (!given) {
            count_stages();
            return;
        }
        for (const int b : computing_) {
            if (*block(b).stage >= 0 && *block(b).stage < problem_.num_blocks()) {
                stage_[at(b)] = static_cast<int>(*block(b).stage);
            } else {
                refuse(b, "stage " + std::to_string(*block(b).stage) + ": stages count from 0 without gaps");
            }
        }
    }

    // Along the forward blocks; a backward belongs to the last forward of its device that has none yet.
    void count_stages() {
        std::map<int, std::vector<int>> open;
        int count = 0;
        const std::vector<int> order = *topological_order(problem_);
        for (const int b : order) {
            if (is_transfer(b) || block(b).kind == BlockKind::weight_gradient) continue;
            auto& unpaired = open[block(b).devices.front()];
            if (block(b).kind == BlockKind::forward) {
                stage_[at(b)] = count++;
                unpaired.push_back(stage_[at(b)]);
            } else if (unpaired.empty()) {
                refuse(b, name(b) + " follows no forward block on its device");
            } else {
                stage_[at(b)] = unpaired.back();
                unpaired.pop_back();
            }
        }
        for (const Dependency& edge : problem_.dependencies) {
            if (block(edge.to).kind == BlockKind::weight_gradient && is_back(block(edge.from).kind))
                stage_[at(edge.to)] = stage_[at(edge.from)];
        }
        for (const int b : computing_) {
            if (stage_[at(b)] < 0 && faults_.empty()) refuse(b, name(b) + " belongs to no stage");
        }
    }

    void fill() {
        for (const int b : computing_) {
            const std::size_t s = at(stage_[at(b)]);
            if (s >= found_.stages.size()) found_.stages.resize(s + 1, {-1, -1, -1, -1});
            TorchStage& stage = found_.stages[s];
            const int rank = rank_[at(block(b).devices.front())];
            if (stage.rank >= 0 && stage.rank != rank) {
                refuse(b, "stage " + std::to_string(s) + " is on device " +
                              std::to_string(found_.device_of_rank[at(stage.rank)]) + " and on device " +
                              std::to_string(block(b).devices.front()) + "; in PyTorch a stage lives on one rank");
                return;
            }
            stage.rank = rank;
            int& place = block(b).kind == BlockKind::forward ? stage.forward
                         : is_back(block(b).kind)            ? stage.backward
                                                             : stage.weight;
            if (place >= 0) {
                refuse(b, name(b) + " and " + name(place) + " are the same action of stage " + std::to_string(s));
                return;
            }
            place = b;
        }
        for (std::size_t s = 0; s < found_.stages.size(); ++s) {
            if (std::string reason = why_incomplete(found_.stages[s]); !reason.empty()) {
                faults_.add(FaultCode::unsupported, "blocks", "stage " + std::to_string(s) + ' ' + reason);
                return;
            }
        }
    }

    std::string why_incomplete(const TorchStage& stage) const {
        if (stage.forward < 0) return "has no forward block";
        if ((stage.backward >= 0) != found_.training())
            return stage.backward >= 0 ? "has a backward block, stage 0 has none" : "has no backward block";
        const bool split = stage.backward >= 0 && block(stage.backward).kind == BlockKind::input_gradient;
        if (split != (stage.weight >= 0))
            return split ? "has an input gradient and no weight gradient"
                         : "has a weight gradient beside no input gradient";
        return {};
    }

    // Neighbouring stages are joined, and nothing else is: what no message carries must stay inside a stage.
    void check_edges() {
        std::set<std::pair<int, int>> joined;
        for (std::size_t e = 0; e < problem_.dependencies.size(); ++e) {
            const Dependency& edge = problem_.dependencies[e];
            if (is_transfer(edge.from)) continue;
            std::vector<int> open = {edge.to};
            std::set<int> seen;
            while (!open.empty()) {
                const int to = open.back();
                open.pop_back();
                if (!is_transfer(to)) {
                    check_edge(e, edge.from, to);
                    joined.emplace(edge.from, to);
                    continue;
                }
                for (const Dependency& further : problem_.dependencies) {
                    if (further.from == to && seen.insert(further.to).second) open.push_back(further.to);
                }
            }
        }
        const auto& stages = found_.stages;
        for (std::size_t s = 0; s + 1 < stages.size() && faults_.empty(); ++s) {
            const bool forward = joined.contains({stages[s].forward, stages[s + 1].forward});
            const bool back = !found_.training() || joined.contains({stages[s + 1].backward, stages[s].backward});
            if (forward && back) continue;
            faults_.add(FaultCode::unsupported, "dependencies",
                        "the " + std::string(forward ? "backward" : "forward") + " blocks of stages " +
                            std::to_string(s) + " and " + std::to_string(s + 1) +
                            " are not joined; PyTorch's stages form one chain");
        }
    }

    void check_edge(std::size_t e, int from, int to) {
        const int a = stage_[at(from)], b = stage_[at(to)];
        const BlockKind first = block(from).kind, second = block(to).kind;
        const bool inside = a == b && (first == BlockKind::forward || (is_back(first) && !is_back(second)));
        const bool forward = b == a + 1 && first == BlockKind::forward && second == BlockKind::forward;
        const bool back = b == a - 1 && is_back(first) && is_back(second);
        if (inside || forward || back) return;
        faults_.add(FaultCode::unsupported, "dependencies[" + std::to_string(e) + ']',
                    name(to) + " (stage " + std::to_string(b) + ") needs " + name(from) + " (stage " +
                        std::to_string(a) +
                        "); in PyTorch activations go to the next stage and gradients to the one before, nothing else");
    }

    const Problem& problem_;
    FaultList& faults_;
    TorchStages found_;
    std::vector<int> rank_;   // by device; -1: a link
    std::vector<int> stage_;  // by block
    std::vector<int> computing_;
};

}  // namespace

Result<TorchStages> find_torch_stages(const Problem& problem) {
    FaultList faults;
    TorchStages stages = Finder(problem, faults).run();
    if (!faults.empty()) return faults.take();
    return stages;
}

std::string stage_map_words(const std::vector<int>& rank_of_stage) {
    const std::size_t count = rank_of_stage.size();
    const std::set<int> ranks(rank_of_stage.begin(), rank_of_stage.end());
    bool loop = true, v = count == 2 * ranks.size();
    for (std::size_t s = 0; s < count; ++s) {
        loop = loop && rank_of_stage[s] == rank_of_stage[s % ranks.size()];
        v = v && rank_of_stage[s] == rank_of_stage[count - 1 - s];
    }
    std::string text = count == 1 ? "stage 0 on rank" : "stages 0 to " + std::to_string(count - 1) + " on ranks";
    constexpr std::size_t most_shown = 64;
    for (std::size_t s = 0; s < count && s < most_shown; ++s) text += ' ' + std::to_string(rank_of_stage[s]);
    if (count > most_shown) text += " ...";
    if (ranks.size() > 1 && count > ranks.size())
        text += v ? " (V order)" : loop ? " (looped order)" : " (an order of its own)";
    return text;
}

}  // namespace repetend::format
