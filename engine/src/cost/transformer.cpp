// One transformer layer, counted: formulas.hpp for layers of any shape. For the plain layer (feed-forward 4h, as many
// key and value heads as heads) every count equals the published formula:
//   12h^2 + 13h parameters, 24bsh^2 + 4bs^2h FLOP, bsh(10 + 24/t) + 5abs^2/t bytes (Korthikanti et al., arXiv
//   2205.05198); 32sbh kept for the weight gradients (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024).
// Ours beyond those: gated feed-forward parts, grouped queries, experts (all of them on the layer's own GPUs: no
// all-to-all is counted), and cross attention, whose activations are an estimate.
#include "repetend/cost/transformer.hpp"

namespace repetend::cost {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

constexpr double half = 2;  // bytes of a 16-bit number

}  // namespace

std::int64_t count_layers(const Model& model) {
    std::int64_t count = 0;
    for (const ModelPart& part : model.parts) {
        for (const LayerGroup& group : part.layers) count += group.count;
    }
    return count;
}

LayerCosts layer_costs(const LayerGroup& layer, std::int64_t sequence, const LayerSetting& setting) {
    const double h = real(layer.hidden);
    const double b = real(setting.micro_batch_size);
    const double s = real(sequence);
    const double t = real(setting.tensor_parallel);
    const double tokens = b * s;
    const double keys = h * real(layer.kv_heads) / real(layer.heads);  // width of the keys, and of the values
    const double wide = real(layer.feed_forward);
    const double active = real(layer.experts_per_token);

    const double attention_weights = 2 * h * h + 2 * h * keys;
    const double expert_weights = (layer.gated ? 3 : 2) * h * wide;
    const double router_weights = layer.experts > 1 ? h * real(layer.experts) : 0;
    const double cross_weights = layer.cross_attention ? attention_weights : 0;
    // Norms, and the biases of layers that have them; the source leaves them out for cross attention.
    const double vectors = layer.cross_attention ? 0 : layer.gated ? 2 * h : 4 * h + h + 2 * keys + h + wide + h;

    LayerCosts costs;
    costs.parameters = (attention_weights + cross_weights + expert_weights * real(layer.experts) + router_weights) / t +
                       (setting.tensor_parallel == 1 ? vectors : vectors / t);
    const double context = b * real(setting.context);
    // Queries and output of a cross attention run over the tokens, keys and values over the context.
    const double cross_flops = layer.cross_attention ? 4 * tokens * h * h + 4 * context * h * keys : 0;
    costs.linear_flops =
        (2 * tokens * (attention_weights + expert_weights * active + router_weights) + cross_flops) / t;
    costs.attention_flops =
        (4 * tokens * s * h + (layer.cross_attention ? 4 * tokens * real(setting.context) * h : 0)) / t;

    costs.boundary_bytes = half * tokens * h;
    costs.all_reduces = setting.tensor_parallel == 1 ? 0 : layer.cross_attention ? 3 : 2;
    costs.all_reduce_bytes = costs.boundary_bytes;

    const double replicated_share = setting.sequence_parallel ? t : 1;
    const double masks = layer.gated ? 0 : 2;  // dropout after attention and feed-forward, a byte each
    const double replicated = tokens * h * (4 + 2 + 2 + masks);
    const double inner = tokens * (4 * h + 4 * keys + (layer.gated ? 6 : 4) * wide * active);
    costs.attention_bytes = 5 * real(layer.heads) * tokens * s / t;
    double cross_bytes = 0;
    if (layer.cross_attention) {
        cross_bytes = 13 * tokens * h / t;
        costs.attention_bytes += 5 * real(layer.heads) * tokens * real(setting.context) / t;
    }
    costs.activation_bytes = replicated / replicated_share + inner / t + cross_bytes + costs.attention_bytes;
    // Inputs of the products with weights, and the gradients of their results.
    const double inputs_whole = tokens * h * (2 + 2);
    const double inputs_split = tokens * (2 * h + 2 * wide * active);
    const double gradients_whole = tokens * h * (2 + 2);
    const double gradients_split = tokens * (2 * h + 4 * keys + (layer.gated ? 4 : 2) * wide * active);
    costs.weight_gradient_bytes =
        (inputs_whole + gradients_whole) / replicated_share + (inputs_split + gradients_split) / t;
    if (layer.cross_attention) costs.weight_gradient_bytes += (8 * tokens * h + 4 * context * keys) / t;
    costs.gradient_working_bytes = 2 * costs.boundary_bytes + half * tokens * wide * active / t;
    return costs;
}

StateBytes state_bytes(Optimizer optimizer, std::int64_t data_parallel) {
    switch (optimizer) {
        case Optimizer::adam:
            return {2, 2, 12};
        case Optimizer::adam_fp32_gradients:
            return {2, 4, 12};
        case Optimizer::distributed_adam:
            return {2, 4, 12 / real(data_parallel)};
        case Optimizer::half_adam:
            break;
    }
    return {2, 2, 4};
}

StateBytes inference_state_bytes() { return {2, 0, 0}; }

std::string to_string(Recompute recompute) {
    switch (recompute) {
        case Recompute::none:
            return "none";
        case Recompute::selective:
            return "selective";
        case Recompute::full:
            break;
    }
    return "full";
}

std::string to_string(Optimizer optimizer) {
    switch (optimizer) {
        case Optimizer::adam:
            return "adam";
        case Optimizer::adam_fp32_gradients:
            return "adam-fp32-gradients";
        case Optimizer::distributed_adam:
            return "distributed-adam";
        case Optimizer::half_adam:
            break;
    }
    return "half-adam";
}

std::optional<Recompute> recompute_from(const std::string& text) {
    for (const Recompute value : {Recompute::none, Recompute::selective, Recompute::full}) {
        if (to_string(value) == text) return value;
    }
    return std::nullopt;
}

std::optional<Optimizer> optimizer_from(const std::string& text) {
    for (const Optimizer value :
         {Optimizer::adam, Optimizer::adam_fp32_gradients, Optimizer::distributed_adam, Optimizer::half_adam}) {
        if (to_string(value) == text) return value;
    }
    return std::nullopt;
}

}  // namespace repetend::cost
