// Layers cut into stages, and what each stage costs; between the model (transformer.hpp) and its blocks (profile.cpp).
#pragma once

#include <string>
#include <vector>

#include "repetend/cost/profile.hpp"

namespace repetend::cost {

// What all stages of a profile share.
struct StageSetting {
    const Model* model = nullptr;
    const Cluster* cluster = nullptr;
    std::int64_t micro_batch_size = 1;
    std::int64_t tensor_parallel = 1;
    bool sequence_parallel = false;
    bool inference = false;
    Recompute recompute = Recompute::none;
};

// Neighbouring equal layers of one part.
struct LayerRun {
    int part = 0;
    const LayerGroup* group = nullptr;
    std::int64_t count = 0;
    bool begins_part = false;
};

// What one stage holds.
struct StageContent {
    std::vector<LayerRun> runs;
    std::vector<int> lookups;  // parts whose tokens are looked up here
    bool head = false;
};

struct StageCosts {
    std::vector<TimeTerm> forward, backward, input_gradient, weight_gradient;
    double parameters = 0;        // of the layers, on one GPU
    double kept_bytes = 0;        // forward to backward
    double kept_for_weights = 0;  // input gradient to weight gradient
    double forward_transient = 0;
    double backward_transient = 0;
    double in_bytes = 0;   // what comes from the stage before, whole
    double out_bytes = 0;  // what leaves, whole
};

double total_ns(const std::vector<TimeTerm>& terms);

// Tokens that cross attention of a part looks at; 0 without.
std::int64_t context_of(const Model& model, int part);
// 2bsh bytes of a part's layers, whole.
double part_boundary(const StageSetting& setting, int part);

// All layers of the parts `first`..`last` as runs, in order.
std::vector<LayerRun> layer_runs(const Model& model, const std::vector<int>& parts);
// Times of single layers for the partition: forward and backward together.
std::vector<std::int64_t> layer_times(const StageSetting& setting, const std::vector<LayerRun>& runs);
// Runs cut into stages of so many layers.
std::vector<std::vector<LayerRun>> cut_runs(const std::vector<LayerRun>& runs,
                                            const std::vector<std::int64_t>& layers_per_stage);

StageCosts stage_costs(const StageSetting& setting, const StageContent& content, std::int64_t first_gpu);

// Summands of other work, for stages and for blocks on all devices alike.
TimeTerm arithmetic(const Cluster& cluster, std::string what, double flops, std::int64_t hidden);
TimeTerm memory_traffic(const Cluster& cluster, std::string what, double bytes);
void append(std::vector<TimeTerm>& to, const std::vector<TimeTerm>& terms);

}  // namespace repetend::cost
