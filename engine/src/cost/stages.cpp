// What a stage costs: the sum of its layers, with the lookup at its beginning and the projection to the vocabulary at
// its end where they live there. A backward pass is two forwards' worth of arithmetic (one for the gradients of the
// inputs, one for those of the weights; attention has inputs only), and what is recomputed comes on top.
#include "cost/stages.hpp"

#include <algorithm>
#include <cmath>

namespace repetend::cost {

namespace {

std::string plural_layers(std::int64_t count) { return std::to_string(count) + (count == 1 ? " layer" : " layers"); }

// How often each kind of work is done, in forwards.
struct Share {
    double linear = 0, attention = 0;
    int all_reduces = 0;
    const char* suffix = "";
};

class StageBuilder {
public:
    StageBuilder(const StageSetting& setting, std::int64_t first_gpu) : setting_(setting), first_gpu_(first_gpu) {}

    StageCosts run(const StageContent& content) {
        for (const int part : content.lookups) lookup(part);
        for (const LayerRun& run : content.runs) layers(run);
        if (content.head) head(content.runs.back());
        boundaries(content);
        return std::move(costs_);
    }

private:
    const Cluster& cluster() const { return *setting_.cluster; }
    const Model& model() const { return *setting_.model; }
    double width() const { return static_cast<double>(setting_.tensor_parallel); }

    void layers(const LayerRun& run) {
        const ModelPart& part = model().parts[static_cast<std::size_t>(run.part)];
        const LayerSetting layer_setting{setting_.micro_batch_size, setting_.tensor_parallel,
                                         setting_.sequence_parallel, context_of(model(), run.part)};
        const LayerCosts layer = layer_costs(*run.group, part.sequence, layer_setting);
        costs_.parameters += layer.parameters * static_cast<double>(run.count);
        work(costs_.forward, run, layer, {1, 1, 1, ""});
        if (setting_.inference) {
            costs_.forward_transient = std::max(costs_.forward_transient, layer.activation_bytes);
            return;
        }
        work(costs_.backward, run, layer, {2, 2, 1, ", gradients"});
        work(costs_.input_gradient, run, layer, {1, 2, 1, ", input gradients"});
        work(costs_.weight_gradient, run, layer, {1, 0, 0, ", weight gradients"});
        const Share again = setting_.recompute == Recompute::full        ? Share{1, 1, 1, ", recomputed"}
                            : setting_.recompute == Recompute::selective ? Share{0, 1, 0, ", recomputed"}
                                                                         : Share{};
        work(costs_.backward, run, layer, again);
        work(costs_.input_gradient, run, layer, again);
        memory(run, layer);
    }

    void work(std::vector<TimeTerm>& to, const LayerRun& run, const LayerCosts& layer, const Share& share) const {
        const auto count = static_cast<double>(run.count);
        const std::string who = plural_layers(run.count);
        if (share.linear > 0) {
            to.push_back(arithmetic(cluster(), who + ", products with weights" + share.suffix,
                                    count * share.linear * layer.linear_flops, run.group->hidden));
        }
        if (share.attention > 0) {
            to.push_back(arithmetic(cluster(), who + ", attention" + share.suffix,
                                    count * share.attention * layer.attention_flops, run.group->hidden));
        }
        const std::int64_t messages = run.count * layer.all_reduces * share.all_reduces;
        if (messages > 0) {
            const double each = all_reduce_ns(cluster(), first_gpu_, setting_.tensor_parallel, layer.all_reduce_bytes);
            to.push_back(
                {std::to_string(messages) +
                     (setting_.sequence_parallel ? " reduce-scatters with all-gathers" : " all-reduces") + share.suffix,
                 0, layer.all_reduce_bytes * static_cast<double>(messages), each * static_cast<double>(messages)});
        }
    }

    void memory(const LayerRun& run, const LayerCosts& layer) {
        const auto count = static_cast<double>(run.count);
        double kept = layer.activation_bytes;
        double again = 0;  // comes back for one layer at a time
        if (setting_.recompute == Recompute::selective) {
            kept -= layer.attention_bytes;
            again = layer.attention_bytes;
        } else if (setting_.recompute == Recompute::full) {
            kept = layer.boundary_bytes;
            again = layer.activation_bytes;
        }
        costs_.kept_bytes += count * kept;
        costs_.kept_for_weights += count * layer.weight_gradient_bytes;
        // Forward: the layer that is running holds all of its results, whatever is kept of them, or its output.
        costs_.forward_transient = std::max({costs_.forward_transient, again, layer.boundary_bytes});
        // The published count of a recomputed layer contains its gradients' room; otherwise they are added.
        const double gradients = setting_.recompute == Recompute::full ? 0 : layer.gradient_working_bytes;
        costs_.backward_transient = std::max(costs_.backward_transient, again + gradients);
    }

    void lookup(int part) {
        const double bytes = part_boundary(setting_, part);
        const double message = all_reduce_ns(cluster(), first_gpu_, setting_.tensor_parallel, bytes);
        const auto add = [&](std::vector<TimeTerm>& to, const char* what, double traffic, bool share) {
            to.push_back(memory_traffic(cluster(), what, traffic));
            if (share && message > 0) to.push_back({"all-reduce of the lookup", 0, bytes, message});
        };
        add(costs_.forward, "lookup", 2 * bytes, true);
        if (setting_.inference) return;
        add(costs_.backward, "lookup, gradients", 3 * bytes, false);
        add(costs_.weight_gradient, "lookup, gradients", 3 * bytes, false);
    }

    void head(const LayerRun& last) {
        const std::int64_t hidden = last.group->hidden;
        const double boundary = part_boundary(setting_, last.part);
        const double tokens = boundary / 2 / static_cast<double>(hidden);
        const double vocabulary = static_cast<double>(model().vocabulary);
        const double flops = boundary * vocabulary / width();  // 2bshV
        const double logits = 4 * tokens * vocabulary / width();
        costs_.forward.push_back(arithmetic(cluster(), "projection to the vocabulary", flops, hidden));
        if (setting_.inference) {
            costs_.forward_transient = std::max(costs_.forward_transient, logits);
            return;
        }
        costs_.backward.push_back(arithmetic(cluster(), "projection, gradients", 2 * flops, hidden));
        costs_.input_gradient.push_back(arithmetic(cluster(), "projection, input gradients", flops, hidden));
        costs_.weight_gradient.push_back(arithmetic(cluster(), "projection, weight gradients", flops, hidden));
        const double message = all_reduce_ns(cluster(), first_gpu_, setting_.tensor_parallel, boundary);
        if (message > 0) {
            for (auto* terms : {&costs_.backward, &costs_.input_gradient}) {
                terms->push_back({"all-reduce of the projection", 0, boundary, message});
            }
        }
        // Its input, the norm before it, and the logits in 32 bits (arXiv 2205.05198, section 4.3).
        const double share = setting_.sequence_parallel ? width() : 1;
        costs_.kept_bytes += 2 * boundary / share + logits;
        costs_.kept_for_weights += boundary / share + logits;
    }

    void boundaries(const StageContent& content) {
        const LayerRun& first = content.runs.front();
        const ModelPart& part = model().parts[static_cast<std::size_t>(first.part)];
        bool crosses = false;
        for (const LayerRun& run : content.runs) crosses = crosses || run.group->cross_attention;
        const auto of_sources = [&](const ModelPart& consumer) {
            double bytes = 0;
            for (const int source : consumer.after) bytes += part_boundary(setting_, source);
            return bytes;
        };
        costs_.in_bytes = first.begins_part ? of_sources(part) : part_boundary(setting_, first.part);
        if (!first.begins_part && first.group->cross_attention) costs_.in_bytes += of_sources(part);
        costs_.out_bytes = part_boundary(setting_, content.runs.back().part);
        // Recomputation needs what cross attention looks at, once for all layers of the stage.
        if (crosses && !setting_.inference && setting_.recompute == Recompute::full) {
            const LayerRun& last = content.runs.back();
            costs_.kept_bytes += of_sources(model().parts[static_cast<std::size_t>(last.part)]);
        }
    }

    const StageSetting& setting_;
    std::int64_t first_gpu_;
    StageCosts costs_;
};

}  // namespace

double total_ns(const std::vector<TimeTerm>& terms) {
    double sum = 0;
    for (const TimeTerm& term : terms) sum += term.time_ns;
    return sum;
}

void append(std::vector<TimeTerm>& to, const std::vector<TimeTerm>& terms) {
    to.insert(to.end(), terms.begin(), terms.end());
}

TimeTerm arithmetic(const Cluster& cluster, std::string what, double flops, std::int64_t hidden) {
    const double rate = cluster.gpu.peak_flops_per_ns * efficiency_of(cluster, hidden);
    return {std::move(what), flops, 0, flops / rate};
}

TimeTerm memory_traffic(const Cluster& cluster, std::string what, double bytes) {
    return {std::move(what), 0, bytes, memory_ns(cluster.gpu, static_cast<std::int64_t>(std::min(bytes, 1e18)))};
}

std::int64_t context_of(const Model& model, int part) {
    const ModelPart& asked = model.parts[static_cast<std::size_t>(part)];
    std::int64_t tokens = 0;
    for (const int source : asked.after) tokens += model.parts[static_cast<std::size_t>(source)].sequence;
    return tokens;
}

double part_boundary(const StageSetting& setting, int part) {
    const ModelPart& asked = setting.model->parts[static_cast<std::size_t>(part)];
    return 2.0 * static_cast<double>(setting.micro_batch_size) * static_cast<double>(asked.sequence) *
           static_cast<double>(asked.layers.back().hidden);
}

std::vector<LayerRun> layer_runs(const Model& model, const std::vector<int>& parts) {
    std::vector<LayerRun> runs;
    for (const int part : parts) {
        bool first = true;
        for (const LayerGroup& group : model.parts[static_cast<std::size_t>(part)].layers) {
            runs.push_back({part, &group, group.count, first});
            first = false;
        }
    }
    return runs;
}

std::vector<std::int64_t> layer_times(const StageSetting& setting, const std::vector<LayerRun>& runs) {
    std::vector<std::int64_t> times;
    for (const LayerRun& run : runs) {
        LayerRun one = run;
        one.count = 1;
        const StageCosts costs = stage_costs(setting, {{one}, {}, false}, 0);
        constexpr std::int64_t most = largest_number / 2;  // so that sums stay in range
        const std::int64_t time = std::min(most, round_ns(total_ns(costs.forward) + total_ns(costs.backward)));
        times.insert(times.end(), static_cast<std::size_t>(run.count), time);
    }
    return times;
}

std::vector<std::vector<LayerRun>> cut_runs(const std::vector<LayerRun>& runs,
                                            const std::vector<std::int64_t>& layers_per_stage) {
    std::vector<std::vector<LayerRun>> stages;
    std::size_t at = 0;
    std::int64_t used = 0;  // of runs[at]
    for (const std::int64_t wanted : layers_per_stage) {
        std::vector<LayerRun> stage;
        std::int64_t missing = wanted;
        while (missing > 0) {
            LayerRun piece = runs[at];
            piece.count = std::min(missing, runs[at].count - used);
            piece.begins_part = runs[at].begins_part && used == 0;
            missing -= piece.count;
            used += piece.count;
            if (used == runs[at].count) {
                ++at;
                used = 0;
            }
            stage.push_back(piece);
        }
        stages.push_back(std::move(stage));
    }
    return stages;
}

StageCosts stage_costs(const StageSetting& setting, const StageContent& content, std::int64_t first_gpu) {
    return StageBuilder(setting, first_gpu).run(content);
}

}  // namespace repetend::cost
