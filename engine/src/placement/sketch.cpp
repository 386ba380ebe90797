#include "placement/sketch.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace repetend::placement {

namespace {

bool share_a_device(const Block& a, const Block& b) {
    return std::any_of(a.devices.begin(), a.devices.end(), [&](int device) {
        return std::find(b.devices.begin(), b.devices.end(), device) != b.devices.end();
    });
}

Block one_device_block(std::string name, BlockKind kind, int stage, int device, Ticks time, Memory memory) {
    Block block;
    block.name = std::move(name);
    block.kind = kind;
    block.stage = stage;
    block.devices = {device};
    block.time = time;
    block.memory = {memory};
    block.transient = {0};
    return block;
}

}  // namespace

Sketch::Sketch(const Costs& costs) : costs_(costs) { problem_.devices.resize(static_cast<std::size_t>(costs.devices)); }

int Sketch::add(Block block) {
    problem_.blocks.push_back(std::move(block));
    return problem_.num_blocks() - 1;
}

void Sketch::connect(int from, int to) {
    const bool together =
        share_a_device(problem_.blocks[static_cast<std::size_t>(from)], problem_.blocks[static_cast<std::size_t>(to)]);
    problem_.dependencies.push_back({from, to, together ? 0 : costs_.lag, {}});
}

void Chain::append(Block block) {
    const int added = sketch_.add(std::move(block));
    for (const int before : last_) sketch_.connect(before, added);
    last_ = {added};
}

void Chain::forward(const std::string& name, int stage, int device) {
    const Costs& costs = sketch_.costs();
    append(one_device_block(name, BlockKind::forward, stage, device, costs.forward, costs.activation()));
}

void Chain::forward_without_memory(const std::string& name, int stage, int device) {
    append(one_device_block(name, BlockKind::forward, stage, device, sketch_.costs().forward, 0));
}

void Chain::backward(const std::string& prefix, int stage, int device) {
    const Costs& costs = sketch_.costs();
    const BlockKind kind = costs.split() ? BlockKind::input_gradient : BlockKind::backward;
    const std::string number = std::to_string(stage);
    append(one_device_block(prefix + "b" + number, kind, stage, device, costs.backward, -1));
    if (!costs.split()) return;
    const int weight = sketch_.add(
        one_device_block(prefix + "w" + number, BlockKind::weight_gradient, stage, device, costs.weight, -1));
    sketch_.connect(last_.front(), weight);
}

void Chain::gang(const std::string& name, BlockKind kind, Memory memory) {
    Block block;
    block.name = name;
    block.kind = kind;
    block.devices.resize(static_cast<std::size_t>(sketch_.devices()));
    std::iota(block.devices.begin(), block.devices.end(), 0);
    block.time = sketch_.costs().gang;
    block.memory.assign(block.devices.size(), memory);
    block.transient.assign(block.devices.size(), 0);
    append(std::move(block));
}

void Chain::join(const Chain& other) { last_.insert(last_.end(), other.last_.begin(), other.last_.end()); }

void forward_sweep(Chain& chain, int first, int last) {
    for (int stage = first; stage < last; ++stage) chain.forward("f" + std::to_string(stage), stage, stage);
}

void backward_sweep(Chain& chain, int first, int last) {
    for (int stage = last - 1; stage >= first; --stage) chain.backward("", stage, stage);
}

}  // namespace repetend::placement
