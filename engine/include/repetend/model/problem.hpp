// The problem: the blocks of one micro-batch, the devices they occupy and the dependencies among them.
// Every micro-batch repeats the same blocks; different micro-batches are independent. All times and
// memory amounts are 64-bit integers in the units that the problem names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repetend/model/fault.hpp"

namespace repetend {

using Ticks = std::int64_t;   // a time or a duration, in the problem's time unit
using Memory = std::int64_t;  // an amount of memory, in the problem's memory unit

// Largest absolute value of any number that means time or memory (contract).
inline constexpr std::int64_t largest_number = std::int64_t{1} << 53;

enum class DeviceKind { compute, link };

enum class BlockKind { forward, backward, input_gradient, weight_gradient, transfer, other };

// Fields whose names begin with `x_`: kept as JSON text, otherwise ignored.
using ExtraFields = std::vector<std::pair<std::string, std::string>>;

// One accelerator (or a group that acts as one), or a link; runs one block at a time.
struct Device {
    std::string name;  // may be empty
    DeviceKind kind = DeviceKind::compute;
    std::optional<Memory> memory_capacity;  // none: unlimited
    Memory memory_static = 0;               // held all the time, part of the capacity
    ExtraFields extra;
    bool operator==(const Device&) const = default;
};

// One stage pass of one micro-batch. On several devices it is a gang block: all of them are occupied
// for the whole block with one common start.
struct Block {
    std::string name;  // unique in the problem
    BlockKind kind = BlockKind::other;
    std::optional<std::int64_t> stage;
    std::vector<int> devices;  // at least one, no device twice
    Ticks time = 1;            // >= 1
    // Parallel to `devices`. A positive change is held from the block's start, a negative one is
    // released at its end.
    std::vector<Memory> memory;
    // Parallel to `devices`, >= 0: held from the block's start to its end only.
    std::vector<Memory> transient;
    ExtraFields extra;
    bool operator==(const Block&) const = default;
};

// start(to) >= start(from) + time(from) + lag, inside one micro-batch.
struct Dependency {
    int from = 0;  // index into blocks
    int to = 0;
    Ticks lag = 0;  // >= 0
    ExtraFields extra;
    bool operator==(const Dependency&) const = default;
};

struct Problem {
    std::string name;
    std::string time_unit;    // shown beside numbers; empty: "tick"
    std::string memory_unit;  // empty: no unit
    std::vector<Device> devices;
    std::vector<Block> blocks;
    std::vector<Dependency> dependencies;       // together a DAG; parallel edges allowed, the largest lag counts
    std::optional<std::int64_t> micro_batches;  // default N, >= 1
    ExtraFields extra;
    bool operator==(const Problem&) const = default;

    int num_devices() const { return static_cast<int>(devices.size()); }
    int num_blocks() const { return static_cast<int>(blocks.size()); }
};

// Limits on sizes taken from outside, checked before memory is taken or arithmetic could overflow.
inline constexpr std::int64_t most_devices = 4096;
inline constexpr std::int64_t most_blocks = 16384;
inline constexpr std::int64_t most_dependencies = 1 << 20;
inline constexpr std::int64_t most_micro_batches = std::int64_t{1} << 31;

std::string_view to_string(DeviceKind kind);  // as in the contract: "compute", "link"
std::string_view to_string(BlockKind kind);   // "forward", ..., "input_gradient", ...
std::optional<DeviceKind> device_kind_from(std::string_view text);
std::optional<BlockKind> block_kind_from(std::string_view text);

// Every fault of a problem, each with its path (`blocks[3].devices[1]`, `dependencies[2].from`, ...);
// empty when the problem is valid. Covers: sizes, ranges (0 <= |x| <= 2^53), empty arrays, parallel
// array lengths, duplicate block names, unknown devices and blocks, devices named twice in a block, a
// cycle (named by its blocks), and sums of times that leave the range of the arithmetic.
// That a block alone exceeds a capacity is no fault: such a problem is valid and infeasible.
Faults validate(const Problem& problem);

// Memory change of block `block` on device `device`; 0 when it does not run there.
Memory memory_on(const Block& block, int device);
Memory transient_on(const Block& block, int device);

// Sum over blocks on `device` of their times: the work of one micro-batch there.
Ticks work_ticks(const Problem& problem, int device);
// max over devices of work_ticks: no period per micro-batch can be shorter.
Ticks most_work_ticks(const Problem& problem);
// Sum over blocks on `device` of their memory changes: 0 when one micro-batch leaves nothing behind.
Memory net_memory(const Problem& problem, int device);

// The first device on which some block alone cannot fit (static + its allocation + transient exceeds
// the capacity), with the block, or static memory alone. Such a problem has no schedule at all.
struct Misfit {
    int device = 0;
    int block = -1;  // -1: the static memory alone exceeds the capacity
    Memory needed = 0;
    Memory capacity = 0;
};
std::optional<Misfit> find_misfit(const Problem& problem);
std::string describe(const Misfit& misfit, const Problem& problem);

// Name to show for a device: its name, else `device 3`.
std::string device_label(const Problem& problem, int device);

}  // namespace repetend
