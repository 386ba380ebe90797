// Recognition: kinds say what a block is, device sets say what a worker and what a gang is, dependencies give the
// order of stages. Names and the optional stage numbers of the input play no part.
#include "baseline/pipeline.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "repetend/model/graph.hpp"

namespace repetend::baseline {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_backward(BlockKind kind) { return kind == BlockKind::backward || kind == BlockKind::input_gradient; }

std::string quoted(const std::string& name) { return "`" + name + "`"; }

class Recogniser {
public:
    explicit Recogniser(const Problem& problem)
        : problem_(problem), order_(*topological_order(problem)), successors_(problem.blocks.size()) {
        pipeline_.problem = &problem;
        for (const Dependency& dependency : merged_dependencies(problem)) {
            successors_[at(dependency.from)].push_back(dependency.to);
        }
    }

    Result<Pipeline> run() {
        if (auto reason = sort_out(); !reason.empty()) return unsupported(reason);
        if (auto reason = find_workers(); !reason.empty()) return unsupported(reason);
        if (auto reason = pair_weights(); !reason.empty()) return unsupported(reason);
        contract();
        if (auto reason = find_stages(); !reason.empty()) return unsupported(reason);
        measure_depth();
        if (auto reason = place_gangs(); !reason.empty()) return unsupported(reason);
        find_chains();
        return std::move(pipeline_);
    }

private:
    const Block& block(int b) const { return problem_.blocks[at(b)]; }
    std::string name(int b) const { return quoted(block(b).name); }
    static Fault unsupported(std::string reason) { return {FaultCode::unsupported, "", std::move(reason)}; }

    // Which blocks stand in the chain (forward and backward, `trunk_`), which beside it (weight gradients, transfers).
    std::string sort_out() {
        std::set<int> computing;
        for (const int b : order_) {
            const BlockKind kind = block(b).kind;
            if (kind == BlockKind::transfer) continue;
            if (kind == BlockKind::other) return name(b) + " is neither a forward nor a backward block";
            computing.insert(block(b).devices.begin(), block(b).devices.end());
            if (kind != BlockKind::weight_gradient) trunk_.push_back(b);
            if (is_backward(kind)) pipeline_.training = true;
        }
        for (const int b : order_) {
            if (block(b).kind != BlockKind::transfer) continue;
            for (const int device : block(b).devices) {
                if (!computing.contains(device)) continue;
                return "transfer " + name(b) + " occupies " + device_label(problem_, device) + ", which computes";
            }
        }
        if (trunk_.empty()) return "there are no forward blocks";
        return {};
    }

    std::vector<int> devices_of(int b) const {
        std::vector<int> devices = block(b).devices;
        std::sort(devices.begin(), devices.end());
        return devices;
    }

    // The least device set around each device is a worker; every other set has to be made of whole workers.
    std::string find_workers() {
        std::map<int, std::vector<int>> least;
        std::vector<int> all = trunk_;
        for (const int b : order_) {
            if (block(b).kind == BlockKind::weight_gradient) all.push_back(b);
        }
        for (const int b : all) {
            const std::vector<int> devices = devices_of(b);
            for (const int device : devices) {
                auto& set = least[device];
                if (set.empty() || devices.size() < set.size()) set = devices;
            }
        }
        std::map<std::vector<int>, int> number;
        for (const auto& [device, set] : least) {
            for (const int other : set) {
                if (least.at(other) == set) continue;
                return "devices are shared in part: " + device_label(problem_, device) + " and " +
                       device_label(problem_, other) + " work together for some blocks, with others for others";
            }
            if (number.emplace(set, pipeline_.num_workers()).second) pipeline_.workers.push_back(set);
        }
        worker_.assign(problem_.blocks.size(), -1);
        for (const int b : all) {
            const std::vector<int> devices = devices_of(b);
            const auto found = number.find(devices);
            if (found != number.end()) worker_[at(b)] = found->second;
            for (const int device : devices) {
                const auto& set = least.at(device);
                if (std::includes(devices.begin(), devices.end(), set.begin(), set.end())) continue;
                return name(b) + " takes only a part of the devices that work together elsewhere";
            }
        }
        return {};
    }

    std::string pair_weights() {
        weight_.assign(problem_.blocks.size(), -1);
        for (const int b : order_) {
            if (block(b).kind != BlockKind::input_gradient) continue;
            for (const int next : successors_[at(b)]) {
                if (block(next).kind != BlockKind::weight_gradient || devices_of(next) != devices_of(b)) continue;
                if (weight_[at(b)] >= 0) return name(b) + " has several weight gradients";
                weight_[at(b)] = next;
                pipeline_.split = true;
            }
        }
        std::vector<int> uses(problem_.blocks.size(), 0);
        for (const int w : weight_) {
            if (w >= 0) ++uses[at(w)];
        }
        for (const int b : order_) {
            if (block(b).kind != BlockKind::weight_gradient || uses[at(b)] == 1) continue;
            return "weight gradient " + name(b) + " follows " + (uses[at(b)] == 0 ? "no" : "more than one") +
                   " input gradient on its device";
        }
        return {};
    }

    // Edges between blocks of the chain, transfers between them left out.
    void contract() {
        edges_.resize(problem_.blocks.size());
        std::vector<int> position(problem_.blocks.size(), 0);
        for (std::size_t k = 0; k < order_.size(); ++k) position[at(order_[k])] = static_cast<int>(k);
        std::vector<char> in_trunk(problem_.blocks.size(), 0);
        for (const int b : trunk_) in_trunk[at(b)] = 1;
        std::vector<int> seen(problem_.blocks.size(), -1);
        for (const int b : trunk_) {
            std::vector<int> open = {b};
            while (!open.empty()) {
                const int from = open.back();
                open.pop_back();
                for (const int next : successors_[at(from)]) {
                    if (seen[at(next)] == b) continue;
                    seen[at(next)] = b;
                    if (in_trunk[at(next)] != 0) {
                        edges_[at(b)].push_back(next);
                    } else if (block(next).kind == BlockKind::transfer) {
                        open.push_back(next);
                    }
                }
            }
            std::sort(edges_[at(b)].begin(), edges_[at(b)].end(),
                      [&](int x, int y) { return position[at(x)] < position[at(y)]; });
        }
    }

    // A worker's first backward block in a part of the micro-batch belongs to its last forward block there, and so on.
    std::string find_stages() {
        const std::vector<int> part = components(problem_);
        std::map<std::pair<int, int>, std::vector<std::size_t>> open;  // (worker, part): stages without backward
        for (const int b : trunk_) {
            const int worker = worker_[at(b)];
            if (worker < 0) continue;
            auto& unpaired = open[{worker, part[at(b)]}];
            if (block(b).kind == BlockKind::forward) {
                unpaired.push_back(pipeline_.stages.size());
                pipeline_.stages.push_back({b, -1, -1, worker, 0});
                continue;
            }
            if (unpaired.empty()) return "backward block " + name(b) + " mirrors no forward block";
            Stage& stage = pipeline_.stages[unpaired.back()];
            unpaired.pop_back();
            stage.backward = b;
            stage.weight = weight_[at(b)];
        }
        if (pipeline_.stages.empty()) return "every block is on several devices at once";
        return {};
    }

    void measure_depth() {
        depth_.assign(problem_.blocks.size(), 0);
        for (const int b : trunk_) {
            const bool counts = block(b).kind == BlockKind::forward && worker_[at(b)] >= 0;
            for (const int next : edges_[at(b)]) {
                depth_[at(next)] = std::max(depth_[at(next)], depth_[at(b)] + (counts ? 1 : 0));
            }
        }
        for (Stage& stage : pipeline_.stages) {
            stage.depth = depth_[at(stage.forward)];
            if (stage.backward >= 0) depth_[at(stage.backward)] = stage.depth;
        }
    }

    // Forward gangs go before the stages that follow them, backward gangs after the stages that precede them; where
    // there are none on that side, the other way round. Of several stages the one counts whose step leaves no
    // dependency behind: in both passes that is the shallowest in the first case, the deepest in the second.
    std::string place_gangs() {
        std::vector<std::vector<int>> before(problem_.blocks.size());
        for (const int b : trunk_) {
            for (const int next : edges_[at(b)]) before[at(next)].push_back(b);
        }
        for (const int b : trunk_) {
            if (worker_[at(b)] >= 0) continue;
            const bool backward_pass = is_backward(block(b).kind);
            bool after = backward_pass;
            int anchor = beside(b, after ? before : edges_, true);
            if (anchor < 0) {
                after = !after;
                anchor = beside(b, after ? before : edges_, false);
            }
            if (anchor < 0) return name(b) + " on several devices stands beside no stage";
            pipeline_.gangs.push_back({b, anchor, after});
        }
        return {};
    }

    // The stage block of the gang's own pass that comes first along `edges`, over other gangs; -1 when there is none.
    int beside(int gang, const std::vector<std::vector<int>>& edges, bool shallowest) const {
        std::set<int> seen = {gang};
        std::vector<int> open = {gang};
        int best = -1;
        for (std::size_t k = 0; k < open.size(); ++k) {
            for (const int next : edges[at(open[k])]) {
                if (is_backward(block(next).kind) != is_backward(block(gang).kind)) continue;
                if (!seen.insert(next).second) continue;
                if (worker_[at(next)] < 0) {
                    open.push_back(next);
                } else if (best < 0 ||
                           (shallowest ? depth_[at(next)] < depth_[at(best)] : depth_[at(next)] > depth_[at(best)])) {
                    best = next;
                }
            }
        }
        return best;
    }

    void find_chains() {
        const std::vector<int> part = components(problem_);
        std::map<int, std::vector<int>> parts;
        for (const int b : trunk_) parts[part[at(b)]].push_back(b);
        std::map<int, Stage> stage_of;
        for (const Stage& stage : pipeline_.stages) stage_of.emplace(stage.forward, stage);
        for (const auto& [number, blocks] : parts) {
            Chain chain;
            for (std::size_t k = 0; k < blocks.size(); ++k) {
                const int b = blocks[k];
                const auto& next = edges_[at(b)];
                if (k + 1 < blocks.size() && std::find(next.begin(), next.end(), blocks[k + 1]) == next.end()) {
                    pipeline_.no_chain = "the stages are no chain: " + name(b) + " and " + name(blocks[k + 1]) +
                                         " do not wait for each other";
                } else if (k > 0 && block(b).kind == BlockKind::forward && is_backward(block(blocks[k - 1]).kind)) {
                    pipeline_.no_chain = "forward block " + name(b) + " comes after a backward block";
                }
                if (!pipeline_.no_chain.empty()) {
                    pipeline_.chains.clear();
                    return;
                }
                if (const auto found = stage_of.find(b); found != stage_of.end()) chain.stages.push_back(found->second);
            }
            pipeline_.chains.push_back(std::move(chain));
        }
    }

    const Problem& problem_;
    std::vector<int> order_;
    std::vector<std::vector<int>> successors_;
    std::vector<int> trunk_;               // in topological order
    std::vector<int> worker_;              // by block; -1: gang or transfer
    std::vector<int> weight_;              // by block
    std::vector<int> depth_;               // of stage blocks: that of their stage
    std::vector<std::vector<int>> edges_;  // by trunk block, in topological order
    Pipeline pipeline_;
};

// Why the pairs of forward and backward blocks in a chain do not mirror each other.
std::string why_not_mirrored(const Pipeline& pipeline, const Chain& chain, std::size_t first_kept) {
    for (std::size_t k = 0; k < chain.stages.size(); ++k) {
        const Stage& stage = chain.stages[k];
        if ((stage.backward >= 0) == (k >= first_kept)) continue;
        return "forward block " + quoted(pipeline.problem->blocks[at(stage.forward)].name) +
               (stage.backward >= 0 ? " has a backward block" : " has no backward block");
    }
    return {};
}

std::string why_not_on(const Pipeline& pipeline, const Chain& chain, std::size_t stage, int worker) {
    if (chain.stages[stage].worker == worker) return {};
    return "stage " + std::to_string(stage) + " is on " + pipeline.worker_name(chain.stages[stage].worker) +
           ", expected on " + pipeline.worker_name(worker);
}

std::string why_not_chains(const Pipeline& pipeline, std::size_t wanted) {
    if (!pipeline.no_chain.empty()) return pipeline.no_chain;
    if (pipeline.chains.size() == wanted) return {};
    return "a micro-batch has " + std::to_string(pipeline.chains.size()) +
           (pipeline.chains.size() == 1 ? " chain of stages" : " independent chains of stages") + ", expected " +
           std::to_string(wanted);
}

}  // namespace

std::string Pipeline::worker_name(int worker) const { return device_label(*problem, workers[at(worker)].front()); }

Result<Pipeline> recognise(const Problem& problem) { return Recogniser(problem).run(); }

std::string why_no_training(const Pipeline& pipeline) {
    return pipeline.training ? "" : "there are no backward blocks (inference)";
}

std::string why_gangs(const Pipeline& pipeline) {
    if (pipeline.gangs.empty()) return {};
    return quoted(pipeline.problem->blocks[at(pipeline.gangs.front().block)].name) + " is a block on several devices";
}

std::string why_not_all_split(const Pipeline& pipeline) {
    for (const Stage& stage : pipeline.stages) {
        if (stage.backward < 0 || stage.weight >= 0) continue;
        return "backward block " + quoted(pipeline.problem->blocks[at(stage.backward)].name) +
               " is not split into input and weight gradient";
    }
    return {};
}

std::string why_not_one_stage_each(const Pipeline& pipeline) {
    std::vector<int> stages(pipeline.workers.size(), 0);
    for (const Stage& stage : pipeline.stages) ++stages[at(stage.worker)];
    for (int worker = 0; worker < pipeline.num_workers(); ++worker) {
        if (stages[at(worker)] == 1) continue;
        return pipeline.worker_name(worker) + " holds " + std::to_string(stages[at(worker)]) + " stages, expected one";
    }
    for (const Stage& stage : pipeline.stages) {
        if (!pipeline.training || stage.backward >= 0) continue;
        return "forward block " + quoted(pipeline.problem->blocks[at(stage.forward)].name) + " has no backward block";
    }
    return {};
}

std::string why_not_looped(const Pipeline& pipeline, int least_chunks, int kept) {
    if (std::string reason = why_not_chains(pipeline, 1); !reason.empty()) return reason;
    const Chain& chain = pipeline.chains.front();
    const std::size_t workers = pipeline.workers.size();
    if (chain.stages.size() % workers != 0) {
        return std::to_string(chain.stages.size()) + " stages do not fill " + std::to_string(workers) +
               " devices evenly";
    }
    const auto chunks = static_cast<int>(chain.stages.size() / workers);
    if (chunks < least_chunks) {
        return "at least " + std::to_string(least_chunks) + " stages a device are needed, there " +
               (chunks == 1 ? "is " : "are ") + std::to_string(chunks);
    }
    std::set<int> distinct;
    for (std::size_t k = 0; k < workers; ++k) {
        if (distinct.insert(chain.stages[k].worker).second) continue;
        return "the first " + std::to_string(workers) + " stages are not on different devices";
    }
    for (std::size_t k = workers; k < chain.stages.size(); ++k) {
        if (std::string reason = why_not_on(pipeline, chain, k, chain.stages[k - workers].worker); !reason.empty()) {
            return reason;
        }
    }
    const std::size_t dropped = kept == 0 ? 0 : (chain.stages.size() - at(kept) * workers);
    return why_not_mirrored(pipeline, chain, dropped);
}

std::string why_not_v_shaped(const Pipeline& pipeline) {
    if (std::string reason = why_not_chains(pipeline, 1); !reason.empty()) return reason;
    const Chain& chain = pipeline.chains.front();
    const std::size_t workers = pipeline.workers.size();
    if (chain.stages.size() != 2 * workers) {
        return "two stages a device are needed, there are " + std::to_string(chain.stages.size()) + " on " +
               std::to_string(workers) + " devices";
    }
    for (std::size_t k = 0; k < workers; ++k) {
        const std::size_t twin = 2 * workers - 1 - k;
        if (std::string reason = why_not_on(pipeline, chain, twin, chain.stages[k].worker); !reason.empty()) {
            return reason;
        }
    }
    return why_not_mirrored(pipeline, chain, 0);
}

std::string why_not_two_way(const Pipeline& pipeline) {
    if (std::string reason = why_not_chains(pipeline, 2); !reason.empty()) return reason;
    const std::size_t workers = pipeline.workers.size();
    for (const Chain& chain : pipeline.chains) {
        if (chain.stages.size() != workers) {
            return "each direction needs one stage a device, there are " + std::to_string(chain.stages.size()) +
                   " stages on " + std::to_string(workers) + " devices";
        }
        if (std::string reason = why_not_mirrored(pipeline, chain, 0); !reason.empty()) return reason;
    }
    for (std::size_t k = 0; k < workers; ++k) {
        const int worker = pipeline.chains.front().stages[workers - 1 - k].worker;
        if (std::string reason = why_not_on(pipeline, pipeline.chains.back(), k, worker); !reason.empty()) {
            return "second direction: " + reason;
        }
    }
    return {};
}

}  // namespace repetend::baseline
