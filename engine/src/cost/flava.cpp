// Flava inference on four V100, placement K: image branch on two devices, text branch on two, multimodal part on all
// four by tensor parallelism.
#include "cost/stage_costs.hpp"
#include "repetend/cost/real_models.hpp"

namespace repetend::cost {

namespace {

constexpr std::int64_t devices = 4;
constexpr std::int64_t layers_each = 24 / 2;  // each branch: 24 layers on two devices
constexpr std::int64_t multimodal_layers = 12;
constexpr std::int64_t vocabulary = 30'522;
constexpr LayerShape image{1, 901, 4096, 32, false};  // (480 / 16)^2 patches and one class token
constexpr LayerShape text{1, 1024, 4096, 32, false};
constexpr LayerShape multimodal{1, 901 + 1024, 4096, 32, false};

}  // namespace

Problem flava_v100x4() {
    const Gpu gpu = v100_sxm_32gb();
    const std::int64_t boundary = boundary_bytes(multimodal);
    const std::int64_t image_stage = layers_ns(image, layers_each, 1);
    const std::int64_t text_stage = layers_ns(text, layers_each, 1);
    const std::int64_t text_first = round_ns(compute_ns(gpu, static_cast<double>(layers_each * forward_flops(text))) +
                                             memory_ns(gpu, lookup_traffic_bytes(text)));
    // Two all-reduces a layer, and one more to bring the branches' results to every device.
    constexpr std::int64_t all_reduces = 2 * multimodal_layers + 1;
    const double gang_compute =
        compute_ns(gpu, static_cast<double>(multimodal_layers * forward_flops(multimodal)) / devices);
    const std::int64_t gang =
        round_ns(gang_compute + static_cast<double>(all_reduces) * transfer_ns(v100_all_reduce_4(), boundary));
    const std::int64_t image_lag = round_ns(transfer_ns(v100_nvlink(), boundary_bytes(image)));
    const std::int64_t text_lag = round_ns(transfer_ns(v100_nvlink(), boundary_bytes(text)));
    const std::int64_t branch_parameters = layers_each * layer_parameters(text);
    const std::int64_t shared_parameters = multimodal_layers * layer_parameters(multimodal) / devices;
    const std::int64_t embedding = embedding_parameters(vocabulary, text.hidden);
    const std::int64_t held = (branch_parameters + shared_parameters) * inference_half_bytes;

    CostedProblem costed("k", true, "Flava inference on 4 V100, multimodal part over all devices (K)", 128);
    for (int device = 0; device < devices; ++device) {
        costed.set_static(device, held + (device == 2 ? embedding * inference_half_bytes : 0));
    }
    costed.set_block("f0", image_stage, 0, activation_bytes(image, 1));
    costed.set_block("f1", image_stage, 0, activation_bytes(image, 1));
    costed.set_block("f2", text_first, 0, activation_bytes(text, 1));
    costed.set_block("f3", text_stage, 0, activation_bytes(text, 1));
    costed.set_block("F", gang, 0, activation_bytes(multimodal, devices));
    costed.set_lag("f0", image_lag);
    costed.set_lag("f2", text_lag);

    Derivation say;
    say.say(
        "Model: Flava inference as in the 4-GPU setting of Tessel (arXiv 2311.15269): 24 image layers, 24 text "
        "layers, 12 multimodal layers, h = 4096, a = 32 heads, image of 480 x 480 pixels in patches of 16, text of "
        "1024 tokens, micro-batch b = 1, global batch up to 128: 128 micro-batches.");
    say_hardware(say);
    say.say("Tokens: image 900 patches + 1 = 901, text 1024, multimodal 901 + 1024 = 1925.");
    say.say(
        "Partition: 12 image layers on devices 0 and 1 each, 12 text layers on 2 and 3 each (uniform); the "
        "multimodal part on all four by tensor parallelism.");
    say.say("Forward of an image layer: 24bsh^2 + 4bs^2h = " + std::to_string(forward_flops(image)) +
            " FLOP; f0, f1: 12 layers / 50000 FLOP/ns = " + std::to_string(image_stage) +
            " ns. The patch embedding is left out (under a thousandth of a stage).");
    say.say("Forward of a text layer: " + std::to_string(forward_flops(text)) +
            " FLOP; f3: " + std::to_string(text_stage) +
            " ns; f2 looks the tokens up as well, 4bsh = " + std::to_string(lookup_traffic_bytes(text)) +
            " bytes at 75 % of 900 GB/s: " + std::to_string(text_first) + " ns.");
    say.say("Forward of a multimodal layer: " + std::to_string(forward_flops(multimodal)) +
            " FLOP, a quarter on each device; F: 12 layers / (4 * 50000 FLOP/ns) = " +
            std::to_string(round_ns(gang_compute)) + " ns, and 25 all-reduces of 2bsh = " + std::to_string(boundary) +
            " bytes (two a layer, one to bring the branches together on all devices): " + std::to_string(gang) +
            " ns.");
    say.say("Lag between stages: 2bsh bytes = " + std::to_string(image_lag) + " ns (image), " +
            std::to_string(text_lag) + " ns (text).");
    say.say(
        "Static memory at 2 bytes a parameter: 12 layers of 12h^2 + 13h = " + std::to_string(layer_parameters(text)) +
        " and a quarter of 12 multimodal layers = " + std::to_string(shared_parameters) + ": " + bytes(held) +
        "; device 2 also the text embedding, V*h = " + std::to_string(embedding) + " parameters.");
    say.say(
        "Memory changes are 0: inference keeps nothing for a backward pass, and each result that waits for the "
        "next stage (8 MiB at most) is covered by the reserve.");
    say.say("Transient: at most all activations of one layer, bsh*34 + 5abs^2 = " + bytes(activation_bytes(image, 1)) +
            " (image), " + bytes(activation_bytes(text, 1)) +
            " (text); multimodal bsh*(10 + 24/4) + 5abs^2/4 = " + bytes(activation_bytes(multimodal, devices)) + ".");
    return costed.finish(say,
                         "Two branches of unequal length meet in a block on all devices: the longer one sets the "
                         "period, the other waits.");
}

std::vector<RealModel> real_models() {
    return {{"flava-v100x4", flava_v100x4()}, {"gpt-v100x4", gpt_v100x4()}, {"mt5-v100x4", mt5_v100x4()}};
}

}  // namespace repetend::cost
