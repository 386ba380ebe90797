// What the three real models share: costs set block by block on a placement with unit costs, and the
// sentences that explain them.
#pragma once

#include <string>

#include "cost/derivation.hpp"
#include "repetend/cost/formulas.hpp"
#include "repetend/cost/hardware.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::cost {

// Kept free of the model on every device: CUDA context, communication buffers, fragmentation.
inline constexpr std::int64_t reserve_bytes = std::int64_t{2} << 30;

// A placement's problem with times and memory to be filled in. Names the units, the devices and the capacity.
class CostedProblem {
public:
    // `placement` for 4 devices, training or inference.
    CostedProblem(const char* placement, bool inference, std::string name, std::int64_t micro_batches);

    const Gpu& gpu() const { return gpu_; }
    void set_static(int device, std::int64_t bytes);
    // Sets time, memory change and transient (the same on every device of the block).
    void set_block(const std::string& block, Ticks time_ns, Memory change, Memory transient);
    // The lag of every dependency between blocks that share no device.
    void set_lag(Ticks lag_ns);
    // The same for dependencies out of `block` alone.
    void set_lag(const std::string& block, Ticks lag_ns);
    // The finished problem with its derivation.
    Problem finish(const Derivation& derivation, const std::string& teaches);

private:
    Block& find(const std::string& name);

    Gpu gpu_ = v100_sxm_32gb();
    Problem problem_;
};

// Says the hardware figures that every file uses.
void say_hardware(Derivation& derivation);

// 4-device all-reduce plus memory traffic of one lookup in a sharded embedding, forward or backward.
std::int64_t lookup_ns(const LayerShape& layer, bool backward);
// `count` layers on one device.
std::int64_t layers_ns(const LayerShape& layer, std::int64_t count, std::int64_t factor);

}  // namespace repetend::cost
