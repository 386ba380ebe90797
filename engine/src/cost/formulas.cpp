#include "repetend/cost/formulas.hpp"

namespace repetend::cost {

namespace {

std::int64_t bsh(const LayerShape& layer) { return layer.micro_batch_size * layer.sequence * layer.hidden; }

// Attention scores of all heads: a*b*s^2.
std::int64_t scores(const LayerShape& layer) {
    return layer.heads * layer.micro_batch_size * layer.sequence * layer.sequence;
}

}  // namespace

std::int64_t layer_parameters(const LayerShape& layer) {
    const std::int64_t h = layer.hidden;
    return layer.cross_attention ? 16 * h * h : 12 * h * h + 13 * h;
}

std::int64_t embedding_parameters(std::int64_t vocabulary, std::int64_t hidden) { return vocabulary * hidden; }

std::int64_t forward_flops(const LayerShape& layer) {
    const std::int64_t projections = layer.cross_attention ? 32 : 24;
    const std::int64_t attention = layer.cross_attention ? 8 : 4;
    return bsh(layer) * (projections * layer.hidden + attention * layer.sequence);
}

std::int64_t boundary_bytes(const LayerShape& layer) { return 2 * bsh(layer); }

std::int64_t activation_bytes(const LayerShape& layer, std::int64_t tensor_parallel) {
    const std::int64_t replicated = 10 * bsh(layer);
    const std::int64_t divided = 24 * bsh(layer) + 5 * scores(layer);
    const std::int64_t cross = layer.cross_attention ? (11 + 2) * bsh(layer) + 5 * scores(layer) : 0;
    return replicated + (divided + cross) / tensor_parallel;
}

std::int64_t lookup_traffic_bytes(const LayerShape& layer) { return 2 * boundary_bytes(layer); }

std::int64_t lookup_backward_traffic_bytes(const LayerShape& layer) { return 3 * boundary_bytes(layer); }

}  // namespace repetend::cost
