// A GPU cluster: what its cards and links do in a given time. A value made by a reader (format/profile_files.hpp)
// from a file of presets/clusters/ or a person's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repetend/cost/hardware.hpp"

namespace repetend::cost {

// The fraction of the peak that layers of a hidden size reach, from `hidden` up.
struct EfficiencyStep {
    std::int64_t hidden = 0;
    double fraction = 0;
    bool operator==(const EfficiencyStep&) const = default;
};

// An all-reduce among so many GPUs of one node, as measured. The rate is the algorithm bandwidth.
struct AllReduceFit {
    std::int64_t gpus = 2;
    double latency_ns = 0;
    double bytes_per_ns = 0;
    bool operator==(const AllReduceFit&) const = default;
};

// A measured time that replaces the formula: of the block with this name, or of all blocks of a kind in a stage.
struct MeasuredTime {
    std::string block;                  // empty: by stage and kind
    std::optional<std::int64_t> stage;  // with `kind`
    std::string kind;                   // "forward", "backward", "input_gradient", "weight_gradient"
    std::int64_t time_ns = 1;
    bool operator==(const MeasuredTime&) const = default;
};

struct Cluster {
    std::string name;
    std::string source;
    Gpu gpu;  // its single efficiency is that of the first step
    std::vector<EfficiencyStep> efficiency;
    std::int64_t reserve_bytes = 0;  // kept free on every GPU: context, communication buffers, fragmentation
    std::int64_t gpus_per_node = 1;
    std::optional<std::int64_t> nodes;     // none: as many as wanted
    Link inside;                           // GPU to GPU in a node, as reached (not the peak)
    std::vector<AllReduceFit> all_reduce;  // by number of GPUs; empty: ring over `inside`
    Link network;                          // one network card, as reached
    std::int64_t cards_per_node = 1;
    std::vector<MeasuredTime> measured;
};

// Fraction of the peak for layers of this hidden size.
double efficiency_of(const Cluster& cluster, std::int64_t hidden);

// GPUs are numbered node by node; device d of a pipeline is the `width` GPUs from d * width on.
std::int64_t node_of(const Cluster& cluster, std::int64_t gpu);

// Moving `bytes` from one group of `width` GPUs to another, each of them sending its share: over as many links as
// there are GPUs inside a node, over as many cards as both sides have between nodes.
double stage_transfer_ns(const Cluster& cluster, std::int64_t from_device, std::int64_t to_device, std::int64_t width,
                         double bytes);

// An all-reduce of `bytes` among `gpus` GPUs beginning with number `first`: measured fits inside a node (between two
// fits the ring formula alpha + 2(n-1)/n * bytes / bus with the bus bandwidth of the nearest fit), then a ring
// between nodes over all their cards.
double all_reduce_ns(const Cluster& cluster, std::int64_t first, std::int64_t gpus, double bytes);
// The same for one GPU of each of `members` groups that lie `stride` GPUs apart (data-parallel replicas).
double spread_all_reduce_ns(const Cluster& cluster, std::int64_t members, std::int64_t stride, double bytes);

}  // namespace repetend::cost
