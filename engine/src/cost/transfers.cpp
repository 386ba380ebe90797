// Transfers between stages: 2bsh bytes and what later stages need beside them. As lags they never wait for each
// other. As blocks they do: inside a node every ordered pair of devices has a link of its own, between nodes the
// transfers of a direction share the cards of the two nodes.
#include "cost/transfers.hpp"

#include <map>
#include <string>

namespace repetend::cost {

namespace {

class TransferSetter {
public:
    TransferSetter(Problem& problem, const Cluster& cluster, const ProfileOptions& options,
                   const std::vector<StageCosts>& stages)
        : problem_(problem), cluster_(cluster), options_(options), stages_(stages) {}

    std::vector<TransferTerm> run() {
        const std::vector<Dependency> edges = std::move(problem_.dependencies);
        problem_.dependencies.clear();
        for (Dependency edge : edges) {
            if (edge.lag != lag_to_set) {
                problem_.dependencies.push_back(std::move(edge));
                continue;
            }
            // Copies: blocks are added below.
            const Block from = problem_.blocks[static_cast<std::size_t>(edge.from)];
            const Block to = problem_.blocks[static_cast<std::size_t>(edge.to)];
            const std::int64_t source = from.devices.front();
            const std::int64_t target = to.devices.front();
            TransferTerm term{from.name, to.name, bytes_of(from), 1};
            term.time_ns = round_ns(stage_transfer_ns(cluster_, source, target, options_.tensor_parallel, term.bytes));
            if (options_.transfers == Transfers::lag) {
                edge.lag = term.time_ns;
                problem_.dependencies.push_back(std::move(edge));
            } else {
                add_block(edge, term, link_between(source, target));
            }
            terms_.push_back(std::move(term));
        }
        return std::move(terms_);
    }

private:
    // What a block hands on: results forward, the gradient of its inputs backward.
    double bytes_of(const Block& from) const {
        if (!from.stage) return 0;
        const StageCosts& stage = stages_[static_cast<std::size_t>(*from.stage)];
        if (from.kind != BlockKind::forward) return stage.in_bytes;
        // The next stage's needs contain this one's output; the last stage of a sweep hands on its output alone.
        const auto next = static_cast<std::size_t>(*from.stage) + 1;
        return next < stages_.size() ? stages_[next].in_bytes : stage.out_bytes;
    }

    int link_between(std::int64_t source, std::int64_t target) {
        const std::int64_t wide = options_.tensor_parallel;
        const std::int64_t source_node = node_of(cluster_, source * wide);
        const std::int64_t target_node = node_of(cluster_, target * wide);
        const bool inside = source_node == target_node;
        const std::string name =
            inside ? "link GPU " + std::to_string(source * wide) + " > " + std::to_string(target * wide)
                   : "link node " + std::to_string(source_node) + " > " + std::to_string(target_node);
        const auto [found, added] = links_.try_emplace(name, problem_.num_devices());
        if (added) {
            Device link;
            link.name = name;
            link.kind = DeviceKind::link;
            problem_.devices.push_back(std::move(link));
        }
        return found->second;
    }

    void add_block(const Dependency& edge, const TransferTerm& term, int link) {
        Block block;
        block.name = term.from + ">" + term.to;
        block.kind = BlockKind::transfer;
        block.devices = {link};
        block.time = term.time_ns;
        block.memory = {0};
        block.transient = {0};
        const int added = problem_.num_blocks();
        problem_.blocks.push_back(std::move(block));
        problem_.dependencies.push_back({edge.from, added, 0, {}});
        problem_.dependencies.push_back({added, edge.to, 0, {}});
    }

    Problem& problem_;
    const Cluster& cluster_;
    const ProfileOptions& options_;
    const std::vector<StageCosts>& stages_;
    std::map<std::string, int> links_;
    std::vector<TransferTerm> terms_;
};

}  // namespace

std::vector<TransferTerm> set_transfers(Problem& problem, const Cluster& cluster, const ProfileOptions& options,
                                        const std::vector<StageCosts>& stages) {
    return TransferSetter(problem, cluster, options, stages).run();
}

}  // namespace repetend::cost
