// A model as its layers. Parts are chains of layers with their own inputs; where a part begins from the outputs of
// others they are joined. A value made by a reader (format/profile_files.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace repetend::cost {

// Equal layers, one after the other.
struct LayerGroup {
    std::int64_t count = 1;
    std::int64_t hidden = 1;        // h
    std::int64_t heads = 1;         // a
    std::int64_t kv_heads = 1;      // heads of keys and values: fewer with grouped queries
    std::int64_t feed_forward = 4;  // width of the feed-forward part
    bool gated = false;             // three matrices there (SwiGLU), no biases, no dropout
    std::int64_t experts = 1;       // feed-forward parts to choose from
    std::int64_t experts_per_token = 1;
    bool cross_attention = false;  // attends to the output of the part before it too
    bool operator==(const LayerGroup&) const = default;
};

struct ModelPart {
    std::string name;
    std::vector<int> after;     // parts whose outputs it begins from or attends to; none: it begins from data
    std::int64_t sequence = 1;  // s, tokens
    bool embedding = false;     // begins with a lookup of its tokens
    std::vector<LayerGroup> layers;
    bool operator==(const ModelPart&) const = default;
};

enum class Recompute { none, selective, full };
enum class Optimizer { adam, adam_fp32_gradients, distributed_adam, half_adam };

// What a run takes when nobody says otherwise.
struct TrainingDefaults {
    std::int64_t micro_batch_size = 1;
    std::int64_t global_batch = 1;
    Recompute recompute = Recompute::none;
    Optimizer optimizer = Optimizer::adam;
    bool inference = false;
    bool operator==(const TrainingDefaults&) const = default;
};

struct Model {
    std::string name;
    std::string source;
    std::int64_t vocabulary = 0;        // V; 0: no embedding anywhere
    std::int64_t embedding_hidden = 0;  // its width: the hidden size of the first part that looks tokens up
    bool head = false;                  // a projection to the vocabulary at the end
    bool tied = false;                  // head and embedding share their weights when they live together
    std::vector<ModelPart> parts;
    TrainingDefaults defaults;
    bool operator==(const Model&) const = default;
};

std::int64_t count_layers(const Model& model);

// One layer's share of one of `tensor_parallel` GPUs for one micro-batch. Real numbers: exact below 2^53.
struct LayerCosts {
    double parameters = 0;
    double linear_flops = 0;      // forward, products with weights
    double attention_flops = 0;   // forward, scores and their product with the values
    double all_reduce_bytes = 0;  // each of
    int all_reduces = 0;          // in forward, and again in backward
    double activation_bytes = 0;  // kept without recompute
    double attention_bytes = 0;   // of which selective recompute drops
    double weight_gradient_bytes =
        0;                      // kept between the input-gradient and the weight-gradient half of a backward pass
    double boundary_bytes = 0;  // its input, whole: what full recompute keeps and what travels between stages
    double gradient_working_bytes = 0;  // largest gradients of inner results alive at once in a backward pass
};

struct LayerSetting {
    std::int64_t micro_batch_size = 1;
    std::int64_t tensor_parallel = 1;
    bool sequence_parallel = false;
    std::int64_t context = 1;  // tokens that cross attention looks at
};

LayerCosts layer_costs(const LayerGroup& layer, std::int64_t sequence, const LayerSetting& setting);

// Bytes that a GPU holds for each parameter, `data_parallel` replicas sharing the states of a distributed optimizer.
struct StateBytes {
    double weight = 2, gradient = 2, optimizer = 12;
    double all() const { return weight + gradient + optimizer; }
};
StateBytes state_bytes(Optimizer optimizer, std::int64_t data_parallel);
StateBytes inference_state_bytes();

std::string to_string(Recompute recompute);
std::string to_string(Optimizer optimizer);
std::optional<Recompute> recompute_from(const std::string& text);
std::optional<Optimizer> optimizer_from(const std::string& text);

}  // namespace repetend::cost
