// From a model, a cluster and a placement to a problem in nanoseconds and bytes, with every term that went into it.
// Layers are cut into stages, stages become blocks of the placement family (placement/), and each block gets its
// time, memory and transfers from the formulas of transformer.hpp and cluster.hpp. Times are sums of terms, rounded
// once, to the nearest nanosecond, where they enter the problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repetend/cost/cluster.hpp"
#include "repetend/cost/transformer.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::cost {

enum class Partition { balanced, uniform, given };
enum class Transfers {
    lag,   // delays on edges: the links never wait
    link,  // blocks on devices of kind link: transfers that share a link wait for each other
};

// Absent values take the model's defaults.
struct ProfileOptions {
    std::string placement;             // a family of placement/
    std::int64_t devices = 4;          // pipeline devices
    std::int64_t tensor_parallel = 1;  // GPUs of each
    std::int64_t data_parallel = 1;    // replicas of the whole pipeline
    bool sequence_parallel = false;
    std::optional<std::int64_t> micro_batch_size;
    std::optional<std::int64_t> micro_batches;
    std::optional<std::int64_t> global_batch;
    std::optional<Recompute> recompute;
    std::optional<Optimizer> optimizer;
    bool split_backward = false;
    std::optional<bool> inference;
    std::optional<std::int64_t> chunks;
    Partition partition = Partition::balanced;
    std::vector<std::int64_t> given_layers;  // with Partition::given: layers of each stage
    Transfers transfers = Transfers::lag;
};

// One summand of a block's time.
struct TimeTerm {
    std::string what;  // "8 layers, products with weights"
    double flops = 0;  // arithmetic, or
    double bytes = 0;  // what is moved
    double time_ns = 0;
};

struct BlockTerms {
    std::string block;  // name
    std::vector<TimeTerm> terms;
    bool measured = false;  // a measured time replaced them
    Ticks time_ns = 0;      // as in the problem
};

// What a GPU holds all the time, and what one micro-batch adds.
struct MemoryTerms {
    double parameters = 0;  // a count
    double weight_bytes = 0;
    double gradient_bytes = 0;
    double optimizer_bytes = 0;
    double activation_bytes = 0;  // of one micro-batch, from its forward to its backward blocks
    double transient_bytes = 0;   // most that a running block holds besides
};

struct TransferTerm {
    std::string from, to;  // blocks
    double bytes = 0;
    Ticks time_ns = 0;
};

// What turns a schedule into a user's terms.
struct ProfileFacts {
    std::string model, cluster, placement;
    std::int64_t gpus = 1;
    std::int64_t data_parallel = 1;
    std::int64_t layers = 0;
    std::int64_t samples_per_micro_batch = 1;  // of one replica
    std::int64_t tokens_per_micro_batch = 1;
    double model_flops_per_micro_batch = 0;  // without recomputation
    double peak_flops_per_ns = 0;            // of one GPU
    Ticks gradients_ns = 0;                  // after the last block: all-reduce over the replicas
    Ticks optimizer_ns = 0;                  // and the step of the optimizer
    std::vector<MemoryTerms> memory;         // per pipeline device
};

struct Profile {
    Problem problem;  // carries the facts as `x_profile`
    ProfileFacts facts;
    std::vector<std::int64_t> layers_per_stage;
    std::vector<BlockTerms> blocks;
    std::vector<TransferTerm> transfers;
};

// Faults (usage; the path is the option's name) for options that make no sense for this model, placement or cluster.
Result<Profile> build_profile(const Model& model, const Cluster& cluster, const ProfileOptions& options);

// The results of a schedule in a user's terms.
struct Throughput {
    double iteration_s = 0;  // makespan, gradient all-reduce and optimizer step
    double tokens_per_s = 0;
    double samples_per_s = 0;
    double model_flops_utilisation = 0;  // model FLOPs / (iteration * peak * GPUs)
};
Throughput throughput(const ProfileFacts& facts, std::int64_t micro_batches, Ticks makespan_ns);

// The facts of a problem that a profile made (its `x_profile`); none when it carries none that can be read.
std::optional<ProfileFacts> facts_of(const Problem& problem);

}  // namespace repetend::cost
