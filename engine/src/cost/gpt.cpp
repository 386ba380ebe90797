// GPT on four V100, placement M: stages of 8 layers, an embedding of 4.2 billion parameters over all devices.
#include "cost/stage_costs.hpp"
#include "repetend/cost/real_models.hpp"

namespace repetend::cost {

namespace {

constexpr std::int64_t devices = 4;
constexpr std::int64_t layers = 32;
constexpr std::int64_t layers_each = layers / devices;
constexpr std::int64_t vocabulary = 1'024'000;
constexpr LayerShape layer{1, 2048, 4096, 32, false};

}  // namespace

Problem gpt_v100x4() {
    const std::int64_t forward = layers_ns(layer, layers_each, 1);
    const std::int64_t backward = layers_ns(layer, layers_each, backward_factor_full_recompute);
    const std::int64_t lookup = lookup_ns(layer, false);
    const std::int64_t lookup_back = lookup_ns(layer, true);
    const std::int64_t boundary = boundary_bytes(layer);
    const std::int64_t lag = round_ns(transfer_ns(v100_nvlink(), boundary));
    const std::int64_t stored = layers_each * boundary;
    const std::int64_t working = activation_bytes(layer, 1);
    const std::int64_t shard = embedding_parameters(vocabulary, layer.hidden) / devices;
    const std::int64_t parameters = layers_each * layer_parameters(layer) + shard;
    const std::int64_t fixed = parameters * adam_half_bytes;

    CostedProblem costed("m", false, "GPT 10.6 B on 4 V100, embedding over all devices (M)", 128);
    for (int device = 0; device < devices; ++device) {
        const std::string number = std::to_string(device);
        costed.set_static(device, fixed);
        costed.set_block("f" + number, forward, stored, working);
        costed.set_block("b" + number, backward, -stored, working);
    }
    costed.set_block("F", lookup, 0, boundary);
    costed.set_block("B", lookup_back, 0, boundary);
    costed.set_lag(lag);

    Derivation say;
    say.say(
        "Model: GPT as in the 4-GPU setting of Tessel (arXiv 2311.15269): L = 32 layers, h = 4096, a = 32 heads, "
        "V = 1024000, s = 2048 tokens, micro-batch b = 1, global batch 128, so 128 micro-batches; full recompute, "
        "Adam with 16-bit states, no language model head.");
    say_hardware(say);
    say.say("Partition: 8 layers on each device (uniform), the embedding spread over all four.");
    say.say("Forward of a layer: 24bsh^2 + 4bs^2h = " + std::to_string(forward_flops(layer)) +
            " FLOP; f0..f3: 8 layers / 50000 FLOP/ns = " + std::to_string(forward) + " ns (" + milliseconds(forward) +
            ").");
    say.say("Backward under full recompute is 3 forwards: b0..b3 take " + std::to_string(backward) + " ns (" +
            milliseconds(backward) + ").");
    say.say("Lookup F: memory traffic 4bsh = " + std::to_string(lookup_traffic_bytes(layer)) +
            " bytes (rows read, partial output written) at 75 % of 900 GB/s, then an all-reduce of 2bsh = " +
            std::to_string(boundary) + " bytes: " + std::to_string(lookup) + " ns.");
    say.say("Lookup backward B: the gradient reaches every device at the price of the same all-reduce, and 6bsh = " +
            std::to_string(lookup_backward_traffic_bytes(layer)) +
            " bytes of traffic add it to the table's gradient: " + std::to_string(lookup_back) + " ns.");
    say.say("Lag between stages: 2bsh bytes = " + std::to_string(lag) +
            " ns; F leaves its output on every device and needs none.");
    say.say(
        "Static memory at 8 bytes a parameter (16-bit weight, gradient and two moments): 8 layers of 12h^2 + 13h = " +
        std::to_string(layer_parameters(layer)) + " and a quarter of V*h = " + std::to_string(shard) + ", together " +
        std::to_string(parameters) + " parameters = " + bytes(fixed) + " on each device.");
    say.say("Memory held by f0..f3 until their backward ends: the inputs of 8 layers, 2bsh bytes each = " +
            bytes(stored) + ".");
    say.say(
        "Transient: one layer at a time is recomputed with all its activations, bsh*34 + 5abs^2 = " + bytes(working) +
        "; the same bound is used for the forward, which keeps less. F and B hold a buffer of 2bsh bytes.");
    return costed.finish(say,
                         "On real costs the blocks on all devices and the transfers are short against the stages: "
                         "the steady state has no bubble at all.");
}

}  // namespace repetend::cost
