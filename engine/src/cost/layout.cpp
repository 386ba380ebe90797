// Layers to stages, by placement family. Chains (v, x, m, ...) cut all layers in one row; nn gives each of two parts
// its half of the devices, k each of two branches; nn-eager needs no such border, as both lookups are done early.
#include "cost/layout.hpp"

#include <algorithm>
#include <numeric>

#include "repetend/cost/partition.hpp"

namespace repetend::cost {

namespace {

Fault usage(std::string option, std::string message) {
    return {FaultCode::usage, std::move(option), std::move(message)};
}

class LayoutBuilder {
public:
    LayoutBuilder(const StageSetting& setting, const ProfileOptions& options)
        : setting_(setting), model_(*setting.model), options_(options), devices_(options.devices) {}

    Result<Layout> run() {
        const std::string& name = options_.placement;
        if (name == "nn") {
            two_halves();
        } else if (name == "k") {
            branches();
        } else {
            chain(name == "zb-v"          ? 2 * devices_
                  : name == "interleaved" ? options_.chunks.value_or(2) * devices_
                                          : devices_);
        }
        if (name == "x") layout_.runs_per_micro_batch = 2;
        gangs(name);
        if (!faults_.empty()) return faults_;
        if (!layout_.embedding_spread) place_lookups();
        if (model_.head && !head_in_gang()) place_head();
        return std::move(layout_);
    }

private:
    void fault(const char* option, std::string message) { faults_.push_back(usage(option, std::move(message))); }

    std::vector<int> all_parts() const {
        std::vector<int> parts(model_.parts.size());
        std::iota(parts.begin(), parts.end(), 0);
        return parts;
    }

    std::vector<int> lookup_parts() const {
        std::vector<int> parts;
        for (std::size_t k = 0; k < model_.parts.size(); ++k) {
            if (model_.parts[k].embedding) parts.push_back(static_cast<int>(k));
        }
        return parts;
    }

    bool head_in_gang() const {
        return std::any_of(layout_.gangs.begin(), layout_.gangs.end(),
                           [](const Gang& gang) { return gang.role == GangRole::projection; });
    }

    // Extra time of the first and the last stage, forward and backward, where the ends of the model live there.
    std::int64_t end_ns(const LayerRun& run, bool first) const {
        LayerRun one = run;
        one.count = 1;
        const bool spread = options_.placement == "m" || options_.placement == "mllm" ||
                            options_.placement == "finetune" || options_.placement.rfind("nn", 0) == 0;
        StageContent bare{{one}, {}, false};
        StageContent full = bare;
        if (first && !spread && model_.parts[static_cast<std::size_t>(run.part)].embedding) full.lookups = {run.part};
        if (!first && model_.head && options_.placement != "mllm") full.head = true;
        const auto time = [&](const StageContent& content) {
            const StageCosts costs = stage_costs(setting_, content, 0);
            return total_ns(costs.forward) + total_ns(costs.backward);
        };
        return static_cast<std::int64_t>(std::clamp(time(full) - time(bare), 0.0, 9e15));
    }

    // Appends `stages` stages with the layers of `parts`.
    void cut(const std::vector<int>& parts, std::int64_t stages, std::int64_t first_given) {
        const std::vector<LayerRun> runs = layer_runs(model_, parts);
        std::int64_t layers = 0;
        for (const LayerRun& run : runs) layers += run.count;
        if (stages > layers) {
            fault("--devices", std::to_string(stages) + " stages for " + std::to_string(layers) +
                                   (layers == 1 ? " layer" : " layers") + "; every stage needs one");
            return;
        }
        std::vector<std::int64_t> counts;
        if (options_.partition == Partition::uniform) {
            counts = uniform_partition(layers, stages);
        } else if (options_.partition == Partition::balanced) {
            counts = balanced_partition(layer_times(setting_, runs), stages, end_ns(runs.front(), true),
                                        end_ns(runs.back(), false));
        } else {
            const auto begin = options_.given_layers.begin() + static_cast<std::ptrdiff_t>(first_given);
            counts.assign(begin, begin + static_cast<std::ptrdiff_t>(stages));
            std::int64_t given = 0;  // each is at most the layers of a model, so the sum fits
            for (const std::int64_t count : counts) given += count;
            if (given != layers) {
                fault("--partition", counts_text(counts) + " are " + std::to_string(given) + " layers, the model has " +
                                         std::to_string(layers) + " there");
                return;
            }
        }
        for (std::vector<LayerRun>& stage : cut_runs(runs, counts)) {
            layout_.stages.push_back({std::move(stage), {}, false});
        }
        layout_.layers_per_stage.insert(layout_.layers_per_stage.end(), counts.begin(), counts.end());
    }

    bool given_fits(std::int64_t stages) {
        if (options_.partition != Partition::given) return true;
        if (static_cast<std::int64_t>(options_.given_layers.size()) == stages) return true;
        fault("--partition", std::to_string(options_.given_layers.size()) + " numbers for " + std::to_string(stages) +
                                 " stages; give one for each");
        return false;
    }

    void chain(std::int64_t stages) {
        if (given_fits(stages)) cut(all_parts(), stages, 0);
    }

    void two_halves() {
        if (model_.parts.size() != 2 || lookup_parts().size() != 2) {
            fault("--placement",
                  "`nn` is for models of two parts, an encoder and a decoder, that each begin with a "
                  "lookup");
            return;
        }
        const std::int64_t half = devices_ / 2;
        if (half < 1 || !given_fits(devices_)) return;
        cut({0}, half, 0);
        cut({1}, devices_ - half, half);
    }

    void branches() {
        const auto& parts = model_.parts;
        if (parts.size() != 3 || !parts[0].after.empty() || !parts[1].after.empty() || parts[2].after.size() != 2) {
            fault("--placement", "`k` is for models of three parts: two branches, and a third after both");
            return;
        }
        const std::int64_t half = devices_ / 2;
        if (half < 1 || devices_ % 2 != 0 || !given_fits(devices_)) return;  // the family says what is wrong
        cut({0}, half, 0);
        cut({1}, devices_ - half, half);
    }

    void gangs(const std::string& name) {
        const std::vector<int> lookups = lookup_parts();
        const auto spread = [&] {
            layout_.embedding_spread = true;
            if (lookups.empty() && faults_.empty()) {
                fault("--placement", "`" + name + "` spreads an embedding over all devices, and this model has none");
            }
        };
        if (name == "m") {
            spread();
            layout_.gangs = {{"F", "B", GangRole::lookup, lookups}};
        } else if (name == "finetune") {
            spread();
            layout_.embedding_frozen = true;
            layout_.gangs = {{"F", "", GangRole::lookup, lookups}};
        } else if (name == "nn" || name == "nn-eager") {
            spread();
            if (lookups.size() != 2 && faults_.empty()) {
                fault("--placement",
                      "`" + name + "` has two lookups, this model has " + std::to_string(lookups.size()));
            }
            if (!faults_.empty()) return;
            layout_.gangs = {{"F1", "B1", GangRole::lookup, {lookups[0]}},
                             {"F2", "B2", GangRole::lookup, {lookups[1]}}};
        } else if (name == "mllm") {
            spread();
            if (!model_.head) fault("--placement", "`mllm` spreads a head over all devices, and this model has none");
            layout_.gangs = {{"F1", "B1", GangRole::lookup, lookups},
                             {"F2", "B2", GangRole::projection, {static_cast<int>(model_.parts.size()) - 1}}};
        } else if (name == "k") {
            if (model_.parts.size() == 3) layout_.gangs = {{"F", "B", GangRole::joint_part, {2}}};
            if (model_.head && faults_.empty()) fault("--placement", "`k` has no stage for the head of this model");
        }
    }

    void place_lookups() {
        for (const int part : lookup_parts()) {
            for (StageContent& stage : layout_.stages) {
                const bool begins = std::any_of(stage.runs.begin(), stage.runs.end(), [&](const LayerRun& run) {
                    return run.part == part && run.begins_part;
                });
                if (begins) stage.lookups.push_back(part);
            }
        }
    }

    void place_head() { layout_.stages.back().head = true; }

    const StageSetting& setting_;
    const Model& model_;
    const ProfileOptions& options_;
    std::int64_t devices_;
    Layout layout_;
    Faults faults_;
};

}  // namespace

std::string counts_text(const std::vector<std::int64_t>& counts) {
    std::string text;
    for (const std::int64_t count : counts) text += (text.empty() ? "" : ",") + std::to_string(count);
    return text;
}

Result<Layout> lay_out(const StageSetting& setting, const ProfileOptions& options) {
    return LayoutBuilder(setting, options).run();
}

}  // namespace repetend::cost
