// The door: checks the options, lays the model out (layout.hpp), lets the placement family make its blocks with unit
// costs, and gives every block what its stage costs. A unit problem says which blocks hold memory and which edges
// leave a device; nothing here knows a family's order of blocks.
#include "repetend/cost/profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/facts.hpp"
#include "cost/layout.hpp"
#include "cost/transfers.hpp"
#include "repetend/placement/placement.hpp"

namespace repetend::cost {

namespace {

constexpr std::int64_t most_gpus = 1 << 20;

Fault usage(std::string option, std::string message) {
    return {FaultCode::usage, std::move(option), std::move(message)};
}

// Beyond the range of numbers the problem is refused; here it only must not overflow.
Memory to_bytes(double bytes) { return static_cast<Memory>(std::floor(std::min(bytes, 1e18))); }

class ProfileBuilder {
public:
    ProfileBuilder(const Model& model, const Cluster& cluster, const ProfileOptions& options)
        : model_(model), cluster_(cluster), options_(options) {}

    Result<Profile> run() {
        settle();
        if (!faults_.empty()) return faults_;
        Result<Layout> layout = lay_out(setting_, options_);
        // The family's own complaints come first: they are about less.
        Result<Problem> unit = unit_problem();
        if (!unit) return unit.faults();
        if (!layout) return layout.faults();
        layout_ = std::move(*layout);
        count_micro_batches();
        if (!faults_.empty()) return faults_;
        profile_.problem = std::move(*unit);
        profile_.layers_per_stage = layout_.layers_per_stage;
        cost_stages();
        fill_blocks();
        measured();
        if (!faults_.empty()) return faults_;
        devices();
        profile_.transfers = set_transfers(profile_.problem, cluster_, options_, stages_);
        facts();
        name_problem();
        attach_facts(profile_.problem, profile_.facts);
        if (const Faults wrong = validate(profile_.problem); !wrong.empty()) {
            return Fault{FaultCode::limit, "", "these costs leave the range of numbers: " + to_string(wrong.front())};
        }
        return std::move(profile_);
    }

private:
    void fault(const char* option, std::string message) { faults_.push_back(usage(option, std::move(message))); }

    void settle() {
        const TrainingDefaults& defaults = model_.defaults;
        setting_.model = &model_;
        setting_.cluster = &cluster_;
        setting_.micro_batch_size = options_.micro_batch_size.value_or(defaults.micro_batch_size);
        setting_.tensor_parallel = options_.tensor_parallel;
        setting_.sequence_parallel = options_.sequence_parallel;
        setting_.inference = options_.inference.value_or(defaults.inference);
        setting_.recompute = options_.recompute.value_or(defaults.recompute);
        state_ = setting_.inference
                     ? inference_state_bytes()
                     : state_bytes(options_.optimizer.value_or(defaults.optimizer), options_.data_parallel);
        if (setting_.inference && options_.recompute.value_or(Recompute::none) != Recompute::none) {
            fault("--recompute", "inference keeps nothing that could be recomputed");
        }
        if (setting_.inference && options_.split_backward) {
            fault("--split-backward", "inference has no backward blocks");
        }
        if (options_.micro_batches && options_.global_batch) {
            fault("--global-batch", "give --micro-batches or --global-batch, not both");
        }
        if (options_.sequence_parallel && options_.tensor_parallel == 1) {
            fault("--sequence-parallel", "goes with --tensor-parallel 2 or more");
        }
        gpus_ = options_.devices * options_.tensor_parallel * options_.data_parallel;  // each is at most 2^20
        if (gpus_ > most_gpus) {
            fault("--devices", std::to_string(gpus_) + " GPUs are more than this program accepts (" +
                                   std::to_string(most_gpus) + ")");
        } else if (cluster_.nodes && gpus_ > *cluster_.nodes * cluster_.gpus_per_node) {
            fault("--devices", std::to_string(gpus_) + " GPUs are wanted, `" + cluster_.name + "` has " +
                                   std::to_string(*cluster_.nodes * cluster_.gpus_per_node));
        }
        for (const ModelPart& part : model_.parts) {
            for (const LayerGroup& group : part.layers) {
                if (group.heads % options_.tensor_parallel == 0) continue;
                fault("--tensor-parallel", std::to_string(options_.tensor_parallel) + " does not divide the " +
                                               std::to_string(group.heads) + " heads of part `" + part.name + "`");
                return;
            }
        }
    }

    Result<Problem> unit_problem() const {
        PlacementOptions unit;
        unit.devices = options_.devices;
        unit.inference = setting_.inference;
        unit.lag = lag_to_set;
        unit.chunks = options_.chunks;
        if (options_.split_backward) unit.weight = 1;
        Result<Problem> problem = build_placement(options_.placement, unit);
        if (problem) return problem;
        Faults faults = problem.faults();
        for (Fault& fault : faults) {
            if (fault.path.empty()) fault.path = "--placement";
        }
        return faults;
    }

    void count_micro_batches() {
        const std::int64_t samples = setting_.micro_batch_size * layout_.runs_per_micro_batch;
        const std::int64_t together = samples * options_.data_parallel;
        if (options_.micro_batches) {
            micro_batches_ = *options_.micro_batches;
        } else {
            const std::int64_t batch = options_.global_batch.value_or(model_.defaults.global_batch);
            if (batch % together != 0) {
                fault("--global-batch", std::to_string(batch) + " samples are no whole number of micro-batches of " +
                                            std::to_string(together) +
                                            (options_.data_parallel > 1         ? " on all replicas together"
                                             : layout_.runs_per_micro_batch > 1 ? " (both directions)"
                                                                                : ""));
                return;
            }
            micro_batches_ = batch / together;
        }
        profile_.facts.samples_per_micro_batch = samples;
    }

    void cost_stages() {
        for (std::size_t k = 0; k < layout_.stages.size(); ++k) {
            std::int64_t device = 0;
            for (const Block& block : profile_.problem.blocks) {
                if (block.stage && *block.stage == static_cast<std::int64_t>(k)) {
                    device = block.devices.front();
                    break;
                }
            }
            stages_.push_back(stage_costs(setting_, layout_.stages[k], device * setting_.tensor_parallel));
        }
        for (const Gang& gang : layout_.gangs) {
            gangs_.push_back(gang_costs(setting_, gang.role, gang.parts, options_.devices * options_.tensor_parallel));
        }
    }

    void fill_blocks() {
        for (Block& block : profile_.problem.blocks) {
            BlockTerms terms;
            terms.block = block.name;
            if (block.stage) {
                fill_stage(block, terms);
            } else {
                fill_gang(block, terms);
            }
            block.time = rounded(total_ns(terms.terms), block.name);
            terms.time_ns = block.time;
            profile_.blocks.push_back(std::move(terms));
        }
    }

    Ticks rounded(double ns, const std::string& block) {
        if (ns < static_cast<double>(largest_number)) return round_ns(ns);
        faults_.push_back({FaultCode::limit, "", "block " + block + " would take more than 2^53 ns"});
        return 1;
    }

    static void set_memory(Block& block, double change, double transient) {
        const Memory amount = change < 0 ? -to_bytes(-change) : to_bytes(change);
        std::fill(block.memory.begin(), block.memory.end(), amount);
        std::fill(block.transient.begin(), block.transient.end(), to_bytes(transient));
    }

    void fill_stage(Block& block, BlockTerms& terms) {
        const StageCosts& stage = stages_[static_cast<std::size_t>(*block.stage)];
        // The bytes of a stage are whole, so that what a forward block takes is what its backward blocks release.
        const double kept = std::floor(stage.kept_bytes);
        const double for_weights = std::floor(stage.kept_for_weights);
        const bool holds = block.memory.front() != 0;
        switch (block.kind) {
            case BlockKind::backward:
                terms.terms = stage.backward;
                set_memory(block, -kept, stage.backward_transient);
                break;
            case BlockKind::input_gradient:
                terms.terms = stage.input_gradient;
                set_memory(block, for_weights - kept, stage.backward_transient);
                break;
            case BlockKind::weight_gradient:
                terms.terms = stage.weight_gradient;
                set_memory(block, -for_weights, 0);
                break;
            default:
                terms.terms = stage.forward;
                set_memory(block, holds ? kept : 0, stage.forward_transient);
                break;
        }
    }

    void fill_gang(Block& block, BlockTerms& terms) {
        for (std::size_t k = 0; k < layout_.gangs.size(); ++k) {
            const bool forward = layout_.gangs[k].forward == block.name;
            if (!forward && layout_.gangs[k].backward != block.name) continue;
            terms.terms = forward ? gangs_[k].forward : gangs_[k].backward;
            const double kept = std::floor(gangs_[k].kept_bytes);
            set_memory(block, forward ? kept : -kept, gangs_[k].transient);
        }
    }

    void measured() {
        for (std::size_t k = 0; k < cluster_.measured.size(); ++k) {
            const MeasuredTime& time = cluster_.measured[k];
            bool used = false;
            for (std::size_t b = 0; b < profile_.problem.blocks.size(); ++b) {
                Block& block = profile_.problem.blocks[b];
                const bool meant = time.block.empty() ? block.stage == time.stage && to_string(block.kind) == time.kind
                                                      : block.name == time.block;
                if (!meant) continue;
                used = true;
                block.time = time.time_ns;
                profile_.blocks[b].measured = true;
                profile_.blocks[b].time_ns = time.time_ns;
            }
            if (used) continue;
            faults_.push_back({FaultCode::reference, "measured[" + std::to_string(k) + "]",
                               time.block.empty() ? "no " + time.kind + " block of stage " +
                                                        std::to_string(time.stage.value_or(0)) + " in this problem"
                                                  : "block `" + time.block + "` is not in this problem"});
        }
    }

    // Parameters of the embedding and the head on a device whose stages are `held`.
    double vocabulary_parameters(const std::vector<std::size_t>& held) const {
        const double table = static_cast<double>(model_.vocabulary) * static_cast<double>(model_.embedding_hidden);
        const double local = table / static_cast<double>(options_.tensor_parallel);
        const double shared = local / static_cast<double>(options_.devices);
        bool lookup = false;
        bool head = false;
        for (const std::size_t stage : held) {
            lookup = lookup || !layout_.stages[stage].lookups.empty();
            head = head || layout_.stages[stage].head;
        }
        double parameters = 0;
        if (lookup) parameters += local;
        if (head && !(lookup && model_.tied)) parameters += local;
        if (layout_.embedding_spread && !layout_.embedding_frozen) parameters += shared;
        const bool head_spread = std::any_of(layout_.gangs.begin(), layout_.gangs.end(),
                                             [](const Gang& gang) { return gang.role == GangRole::projection; });
        if (head_spread && !model_.tied) parameters += shared;
        return parameters;
    }

    void devices() {
        Problem& problem = profile_.problem;
        for (std::size_t d = 0; d < problem.devices.size(); ++d) {
            std::vector<std::size_t> held;
            MemoryTerms memory;
            for (const Block& block : problem.blocks) {
                const auto on = std::find(block.devices.begin(), block.devices.end(), static_cast<int>(d));
                if (on == block.devices.end()) continue;
                const auto slot = static_cast<std::size_t>(on - block.devices.begin());
                memory.transient_bytes = std::max(memory.transient_bytes, static_cast<double>(block.transient[slot]));
                if (block.memory[slot] > 0) memory.activation_bytes += static_cast<double>(block.memory[slot]);
                if (!block.stage) continue;
                const auto stage = static_cast<std::size_t>(*block.stage);
                if (std::find(held.begin(), held.end(), stage) == held.end()) held.push_back(stage);
            }
            for (const std::size_t stage : held) memory.parameters += stages_[stage].parameters;
            for (const GangCosts& gang : gangs_) memory.parameters += gang.parameters;
            memory.parameters += vocabulary_parameters(held);
            memory.weight_bytes = memory.parameters * state_.weight;
            memory.gradient_bytes = memory.parameters * state_.gradient;
            memory.optimizer_bytes = memory.parameters * state_.optimizer;
            if (layout_.embedding_frozen) {
                const double table = static_cast<double>(model_.vocabulary) *
                                     static_cast<double>(model_.embedding_hidden) /
                                     static_cast<double>(options_.tensor_parallel * options_.devices);
                memory.parameters += table;
                memory.weight_bytes += table * state_.weight;
            }
            Device& device = problem.devices[d];
            const std::int64_t first = static_cast<std::int64_t>(d) * options_.tensor_parallel;
            device.name = "GPU " + std::to_string(first);
            if (options_.tensor_parallel > 1) {
                device.name =
                    "GPUs " + std::to_string(first) + "-" + std::to_string(first + options_.tensor_parallel - 1);
            }
            device.memory_capacity = cluster_.gpu.memory_bytes - cluster_.reserve_bytes;
            device.memory_static = std::min(
                to_bytes(memory.weight_bytes + memory.gradient_bytes + memory.optimizer_bytes), largest_number);
            profile_.facts.memory.push_back(memory);
        }
    }

    void facts() {
        ProfileFacts& facts = profile_.facts;
        facts.model = model_.name;
        facts.cluster = cluster_.name;
        facts.placement = options_.placement;
        facts.gpus = gpus_;
        facts.data_parallel = options_.data_parallel;
        facts.layers = count_layers(model_);
        facts.peak_flops_per_ns = cluster_.gpu.peak_flops_per_ns;
        std::int64_t tokens = 0;
        double flops = 0;
        for (std::size_t k = 0; k < model_.parts.size(); ++k) {
            const ModelPart& part = model_.parts[k];
            if (part.embedding || part.after.empty()) tokens += part.sequence;
            const LayerSetting whole{setting_.micro_batch_size, 1, false, context_of(model_, static_cast<int>(k))};
            for (const LayerGroup& group : part.layers) {
                const LayerCosts layer = layer_costs(group, part.sequence, whole);
                flops += static_cast<double>(group.count) * (layer.linear_flops + layer.attention_flops);
            }
        }
        if (model_.head) {
            flops += part_boundary(setting_, static_cast<int>(model_.parts.size()) - 1) *
                     static_cast<double>(model_.vocabulary);
        }
        const auto runs = static_cast<double>(layout_.runs_per_micro_batch);
        facts.tokens_per_micro_batch = tokens * facts.samples_per_micro_batch;
        facts.model_flops_per_micro_batch = flops * runs * (setting_.inference ? 1 : 3);
        if (setting_.inference) return;
        double most = 0;
        for (const MemoryTerms& memory : facts.memory) most = std::max(most, memory.parameters);
        if (options_.data_parallel > 1) {
            facts.gradients_ns = round_ns(spread_all_reduce_ns(
                cluster_, options_.data_parallel, options_.devices * options_.tensor_parallel, most * state_.gradient));
        }
        // Every byte of state is read once, and all but the gradients written.
        facts.optimizer_ns = round_ns(memory_ns(cluster_.gpu, to_bytes(most * (2 * state_.all() - state_.gradient))));
    }

    void name_problem() {
        Problem& problem = profile_.problem;
        problem.name =
            model_.name + " on " + std::to_string(gpus_) + " " + cluster_.gpu.name + ", " + options_.placement;
        if (options_.tensor_parallel > 1)
            problem.name += ", tensor parallel " + std::to_string(options_.tensor_parallel);
        if (options_.data_parallel > 1) problem.name += ", " + std::to_string(options_.data_parallel) + " replicas";
        problem.time_unit = "ns";
        problem.memory_unit = "byte";
        problem.micro_batches = micro_batches_;
    }

    const Model& model_;
    const Cluster& cluster_;
    const ProfileOptions& options_;
    StageSetting setting_;
    StateBytes state_;
    std::int64_t gpus_ = 1;
    std::int64_t micro_batches_ = 1;
    Layout layout_;
    std::vector<StageCosts> stages_;
    std::vector<GangCosts> gangs_;
    Profile profile_;
    Faults faults_;
};

}  // namespace

Result<Profile> build_profile(const Model& model, const Cluster& cluster, const ProfileOptions& options) {
    return ProfileBuilder(model, cluster, options).run();
}

}  // namespace repetend::cost
