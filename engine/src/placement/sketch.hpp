// Shared by the placement families: the costs that a family works with and a small builder for the chains
// that every placement is made of.
//
// Rules that hold for all families (contract, "Preset options"):
// - Training: a forward block holds one activation, its backward block frees it. Without a split an
//   activation counts 1 unit. With a split it counts 2: the forward takes +2, the input-gradient block (B)
//   frees 1, the weight-gradient block (W) frees the other; W depends on its B alone and nothing depends on W.
// - Gang blocks (on all devices) are never split: the embedding has no input gradient, so its whole backward
//   is one block. Gangs that hold memory (K) hold one activation, in the same units as the stages.
// - Inference: forward blocks only, no memory.
// - The lag delays an edge whose two blocks share no device; a gang shares one with every block.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "repetend/placement/placement.hpp"

namespace repetend::placement {

struct Costs {
    int devices = 4;
    int chunks = 2;
    Ticks forward = 1;
    Ticks backward = 3;  // with a split: the input-gradient part
    Ticks weight = 0;    // 0: not split
    Ticks gang = 1;
    Ticks lag = 0;
    bool training = true;

    bool split() const { return training && weight > 0; }
    // What one stage holds for one micro-batch, in memory units.
    Memory activation() const { return !training ? 0 : split() ? 2 : 1; }
};

class Sketch {
public:
    explicit Sketch(const Costs& costs);

    const Costs& costs() const { return costs_; }
    int devices() const { return costs_.devices; }
    bool training() const { return costs_.training; }

    int add(Block block);
    // Adds the edge, with the lag when the two blocks share no device.
    void connect(int from, int to);
    Problem take() { return std::move(problem_); }

private:
    Costs costs_;
    Problem problem_;
};

// Blocks one after the other. Each new block depends on the one before and on the chains joined since.
class Chain {
public:
    explicit Chain(Sketch& sketch) : sketch_(sketch) {}

    // A forward block on one device, holding an activation, or nothing.
    void forward(const std::string& name, int stage, int device);
    void forward_without_memory(const std::string& name, int stage, int device);
    // Backward of a stage: block prefix + "b" + stage; with a split also prefix + "w" + stage beside the chain.
    void backward(const std::string& prefix, int stage, int device);
    // A block on all devices, each charged `memory`.
    void gang(const std::string& name, BlockKind kind, Memory memory);
    // The next block of this chain depends on the last one of `other` too.
    void join(const Chain& other);
    // A chain that goes on from where this one stands.
    Chain fork() const { return *this; }

private:
    void append(Block block);

    Sketch& sketch_;
    std::vector<int> last_;
};

// Sweeps that several families share: stages first..last-1 with stage k on device k.
void forward_sweep(Chain& chain, int first, int last);
// Stages last-1..first, in this order.
void backward_sweep(Chain& chain, int first, int last);

}  // namespace repetend::placement
