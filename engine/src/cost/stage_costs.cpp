#include "cost/stage_costs.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "repetend/placement/placement.hpp"

namespace repetend::cost {

namespace {

// The lag of edges between devices until set_lag replaces it; 0 marks the edges inside a device.
constexpr Ticks lag_to_set = 1;

Problem unit_problem(const char* placement, bool inference) {
    PlacementOptions options;
    options.devices = 4;
    options.inference = inference;
    options.lag = lag_to_set;
    Result<Problem> problem = build_placement(placement, options);
    assert(problem);
    return std::move(problem).value();
}

}  // namespace

CostedProblem::CostedProblem(const char* placement, bool inference, std::string name, std::int64_t micro_batches)
    : problem_(unit_problem(placement, inference)) {
    problem_.name = std::move(name);
    problem_.time_unit = "ns";
    problem_.memory_unit = "byte";
    problem_.micro_batches = micro_batches;
    for (std::size_t device = 0; device < problem_.devices.size(); ++device) {
        problem_.devices[device].name = "V100 " + std::to_string(device);
        problem_.devices[device].memory_capacity = gpu_.memory_bytes - reserve_bytes;
    }
}

void CostedProblem::set_static(int device, std::int64_t bytes) {
    problem_.devices[static_cast<std::size_t>(device)].memory_static = bytes;
}

Block& CostedProblem::find(const std::string& name) {
    const auto found = std::find_if(problem_.blocks.begin(), problem_.blocks.end(),
                                    [&](const Block& block) { return block.name == name; });
    assert(found != problem_.blocks.end());
    return *found;
}

void CostedProblem::set_block(const std::string& name, Ticks time_ns, Memory change, Memory transient) {
    Block& block = find(name);
    block.time = time_ns;
    std::fill(block.memory.begin(), block.memory.end(), change);
    std::fill(block.transient.begin(), block.transient.end(), transient);
}

void CostedProblem::set_lag(Ticks lag_ns) {
    for (Dependency& dependency : problem_.dependencies) {
        if (dependency.lag == lag_to_set) dependency.lag = lag_ns;
    }
}

void CostedProblem::set_lag(const std::string& block, Ticks lag_ns) {
    for (Dependency& dependency : problem_.dependencies) {
        const bool leaves = problem_.blocks[static_cast<std::size_t>(dependency.from)].name == block;
        if (leaves && dependency.lag == lag_to_set) dependency.lag = lag_ns;
    }
}

Problem CostedProblem::finish(const Derivation& derivation, const std::string& teaches) {
    derivation.attach(problem_, teaches);
    return std::move(problem_);
}

void say_hardware(Derivation& derivation) {
    const Gpu gpu = v100_sxm_32gb();
    derivation.say("Every time is computed from its formula and rounded once, to the nearest nanosecond.");
    derivation.say("GPU: " + gpu.name + ", 125 TFLOP/s in 16 bits of which a stage reaches 40 %, so " +
                   decimal(gpu.peak_flops_per_ns * gpu.efficiency, 0) + " FLOP/ns; memory 900 GB/s (" + gpu.source +
                   ").");
    derivation.say(
        "Capacity: 32 GiB minus a reserve of 2 GiB for the CUDA context, communication buffers and "
        "fragmentation = " +
        bytes(gpu.memory_bytes - reserve_bytes) + ".");
    derivation.say("Stage to stage: 10000 ns + bytes / 97.5 bytes/ns (" + v100_nvlink().source + ").");
    derivation.say("All-reduce over 4 devices: 45000 ns + bytes / 57.2 bytes/ns (" + v100_all_reduce_4().source + ").");
}

std::int64_t lookup_ns(const LayerShape& layer, bool backward) {
    const std::int64_t traffic = backward ? lookup_backward_traffic_bytes(layer) : lookup_traffic_bytes(layer);
    return round_ns(memory_ns(v100_sxm_32gb(), traffic) + transfer_ns(v100_all_reduce_4(), boundary_bytes(layer)));
}

std::int64_t layers_ns(const LayerShape& layer, std::int64_t count, std::int64_t factor) {
    const double flops = static_cast<double>(count * factor * forward_flops(layer));
    return round_ns(compute_ns(v100_sxm_32gb(), flops));
}

}  // namespace repetend::cost
