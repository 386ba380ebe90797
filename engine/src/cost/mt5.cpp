// mT5 on four V100, placement NN: encoder on two devices, decoder on two, one embedding for both over all devices.
#include "cost/stage_costs.hpp"
#include "repetend/cost/real_models.hpp"

namespace repetend::cost {

namespace {

constexpr std::int64_t devices = 4;
constexpr std::int64_t layers_each = 24 / 2;  // 24 encoder layers on two devices, 24 decoder layers on two
constexpr std::int64_t vocabulary = 1'024'000;
constexpr LayerShape encoder{4, 1024, 1024, 16, false};
constexpr LayerShape decoder{4, 1024, 1024, 16, true};

}  // namespace

Problem mt5_v100x4() {
    const std::int64_t boundary = boundary_bytes(encoder);
    const std::int64_t lag = round_ns(transfer_ns(v100_nvlink(), boundary));
    const std::int64_t lookup = lookup_ns(encoder, false);
    const std::int64_t lookup_back = lookup_ns(encoder, true);
    const std::int64_t shard = embedding_parameters(vocabulary, encoder.hidden) / devices;

    CostedProblem costed("nn", false, "mT5 1.75 B on 4 V100, embedding over all devices (NN)", 32);
    for (int device = 0; device < devices; ++device) {
        const bool decodes = device >= devices / 2;
        const LayerShape& layer = decodes ? decoder : encoder;
        const std::string number = std::to_string(device);
        // A decoder stage keeps the encoder's output as well.
        const std::int64_t stored = (layers_each + (decodes ? 1 : 0)) * boundary;
        const std::int64_t working = activation_bytes(layer, 1);
        costed.set_static(device, (layers_each * layer_parameters(layer) + shard) * adam_half_bytes);
        costed.set_block("f" + number, layers_ns(layer, layers_each, 1), stored, working);
        costed.set_block("b" + number, layers_ns(layer, layers_each, backward_factor_full_recompute), -stored, working);
    }
    for (const char* gang : {"F1", "F2"}) costed.set_block(gang, lookup, 0, boundary);
    for (const char* gang : {"B1", "B2"}) costed.set_block(gang, lookup_back, 0, boundary);
    costed.set_lag(lag);

    Derivation say;
    say.say(
        "Model: mT5 as in the 4-GPU setting of Tessel (arXiv 2311.15269): 24 encoder and 24 decoder layers, h = "
        "1024, a = 16 heads, feed-forward 4h, V = 1024000, s = 1024 tokens, micro-batch b = 4, global batch 128, "
        "so 32 micro-batches; full recompute, Adam with 16-bit states, no language model head.");
    say_hardware(say);
    say.say(
        "Partition: 12 encoder layers on devices 0 and 1 each, 12 decoder layers on 2 and 3 each (uniform), the "
        "embedding that both share spread over all four.");
    say.say("Forward of an encoder layer: 24bsh^2 + 4bs^2h = " + std::to_string(forward_flops(encoder)) +
            " FLOP; f0, f1: 12 layers / 50000 FLOP/ns = " + std::to_string(layers_ns(encoder, layers_each, 1)) +
            " ns, b0, b1 with full recompute 3 times that: " +
            std::to_string(layers_ns(encoder, layers_each, backward_factor_full_recompute)) + " ns.");
    say.say("Forward of a decoder layer (with cross attention): 32bsh^2 + 8bs^2h = " +
            std::to_string(forward_flops(decoder)) +
            " FLOP; f2, f3: " + std::to_string(layers_ns(decoder, layers_each, 1)) +
            " ns, b2, b3: " + std::to_string(layers_ns(decoder, layers_each, backward_factor_full_recompute)) + " ns.");
    say.say("Lookups F1, F2: memory traffic 4bsh = " + std::to_string(lookup_traffic_bytes(encoder)) +
            " bytes at 75 % of 900 GB/s, then an all-reduce of 2bsh = " + std::to_string(boundary) +
            " bytes: " + std::to_string(lookup) +
            " ns; backward B2, B1 with 6bsh = " + std::to_string(lookup_backward_traffic_bytes(encoder)) +
            " bytes of traffic: " + std::to_string(lookup_back) + " ns.");
    say.say("Lag between stages: 2bsh bytes = " + std::to_string(lag) +
            " ns. The encoder's output travels from device 1 to 2, and its gradient back, while F2 and B2 run, which "
            "take longer than that, so no edge is needed for it.");
    say.say("Static memory at 8 bytes a parameter: 12 encoder layers of 12h^2 + 13h = " +
            std::to_string(layer_parameters(encoder)) + " or 12 decoder layers of 16h^2 = " +
            std::to_string(layer_parameters(decoder)) + ", and a quarter of V*h = " + std::to_string(shard) + ": " +
            bytes((layers_each * layer_parameters(encoder) + shard) * adam_half_bytes) + " on devices 0 and 1, " +
            bytes((layers_each * layer_parameters(decoder) + shard) * adam_half_bytes) + " on 2 and 3.");
    say.say("Memory held from forward to backward: the inputs of 12 layers, 2bsh bytes each = " +
            bytes(layers_each * boundary) +
            " on devices 0 and 1; on 2 and 3 also the encoder's output: " + bytes((layers_each + 1) * boundary) + ".");
    say.say("Transient: one layer at a time is recomputed with all its activations, bsh*34 + 5abs^2 = " +
            bytes(activation_bytes(encoder, 1)) +
            "; a decoder layer adds bsh*13 + 5abs^2 for its cross attention: " + bytes(activation_bytes(decoder, 1)) +
            " (an estimate: the published count covers self-attention only). The same bound is used for the forward. "
            "Lookups hold a buffer of 2bsh bytes.");
    return costed.finish(say,
                         "The decoder's devices have the most work and set the period; the four lookups force "
                         "everybody to meet between them.");
}

}  // namespace repetend::cost
