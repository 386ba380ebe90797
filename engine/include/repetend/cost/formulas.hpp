// What a transformer layer costs: arithmetic, parameters, activation memory. Counts are exact integers; only
// durations (hardware.hpp) are real numbers, rounded once on entry into a problem.
//
// Sources: Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters (SC 2021) for arithmetic;
// Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models (arXiv 2205.05198) for
// activations. All of it for 16-bit numbers and a feed-forward part of width 4h.
#pragma once

#include <cstdint>

namespace repetend::cost {

// Symbols as in those papers: b, s, h, a. Values are positive and at most a few millions, so that no
// count below leaves 63 bits for any layer that exists.
struct LayerShape {
    std::int64_t micro_batch_size = 1;  // b
    std::int64_t sequence = 1;          // s, tokens
    std::int64_t hidden = 1;            // h
    std::int64_t heads = 1;             // a
    bool cross_attention = false;       // a decoder layer that also attends to an encoder's output (same s)
};

// 12h^2 + 13h; with cross attention 16h^2 (terms in h left out, as in the source).
std::int64_t layer_parameters(const LayerShape& layer);
// V*h. Learned positions (s*h more) are not counted.
std::int64_t embedding_parameters(std::int64_t vocabulary, std::int64_t hidden);

// 24bsh^2 + 4bs^2h; with cross attention 32bsh^2 + 8bs^2h. Counts a multiply-add as two.
std::int64_t forward_flops(const LayerShape& layer);
// Forward passes' worth of arithmetic in a backward pass: 2, and 3 when the forward is recomputed in full.
inline constexpr std::int64_t backward_factor = 2;
inline constexpr std::int64_t backward_factor_full_recompute = 3;

// The input of a layer, one boundary between stages, the output of an embedding: 2bsh bytes. All that full
// recompute keeps for each layer.
std::int64_t boundary_bytes(const LayerShape& layer);

// Everything that one layer keeps for its backward pass without recompute, split over `tensor_parallel` devices
// (without sequence parallelism): bsh*(10 + 24/t) + 5abs^2/t. The working set of a layer under full
// recompute. With cross attention (t = 1) the attention term 11bsh + 5abs^2 and one more layer norm, 2bsh, are
// added: an estimate, the source covers self-attention only. `tensor_parallel` divides the sum.
std::int64_t activation_bytes(const LayerShape& layer, std::int64_t tensor_parallel);

// Bytes that a device holds for each parameter.
inline constexpr std::int64_t adam_half_bytes = 8;       // 16-bit weight, gradient and two moments
inline constexpr std::int64_t inference_half_bytes = 2;  // 16-bit weight

// Memory traffic of looking b*s rows of a sharded embedding up: at most every row is read (2bsh) and a partial
// output is written (2bsh).
std::int64_t lookup_traffic_bytes(const LayerShape& layer);
// Its backward: the gradient is read (2bsh) and added to the rows of the table's gradient (2bsh read, 2bsh written).
std::int64_t lookup_backward_traffic_bytes(const LayerShape& layer);

}  // namespace repetend::cost
