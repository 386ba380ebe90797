// What a family has to know of a placement, recognised from the blocks of a problem.
//
// - A *worker* is a device, or several that always work together (tensor parallelism inside a stage).
// - A *stage* is a forward block on one worker, with the backward block that mirrors it, and with the weight
//   gradient where the backward is split. Forward blocks without a backward (sweeps that are not kept) are
//   stages too.
// - A *gang* is a block on several workers, such as an embedding that is spread over all devices.
// - Transfers on links are no work of a worker: they run in the order in which they become possible.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::baseline {

struct Stage {
    int forward = -1;
    int backward = -1;  // the full backward, or the input gradient; -1: forward only
    int weight = -1;    // -1: the backward is not split
    int worker = 0;
    int depth = 0;  // most stages before it on a path of forward blocks, gangs and transfers not counted
};

// A gang block and where it goes: directly before or after the block that it stands beside in the chain.
struct Gang {
    int block = 0;
    int anchor = 0;
    bool after = false;
};

// Stages of one chain of dependencies, in order of their forward blocks; gangs are left out.
struct Chain {
    std::vector<Stage> stages;
};

struct Pipeline {
    const Problem* problem = nullptr;
    std::vector<std::vector<int>> workers;  // their devices
    std::vector<Stage> stages;              // all, in topological order of their forward blocks
    std::vector<Gang> gangs;                // in topological order
    bool training = false;                  // there are backward blocks
    bool split = false;                     // some backward is split

    // One chain for each independent part of a micro-batch. Empty when some part is no chain: `no_chain` then
    // says why.
    std::vector<Chain> chains;
    std::string no_chain;

    int num_workers() const { return static_cast<int>(workers.size()); }
    std::string worker_name(int worker) const;  // `device 3`, or the device's own name
};

// Faults (unsupported): blocks that no family orders, such as fillers or devices that are shared in part.
Result<Pipeline> recognise(const Problem& problem);

// Each of these answers why a placement is not what its name says; empty when it is.
std::string why_no_training(const Pipeline& pipeline);
std::string why_gangs(const Pipeline& pipeline);          // there must be none
std::string why_not_all_split(const Pipeline& pipeline);  // every backward must be split
// One stage a worker, with its backward when training.
std::string why_not_one_stage_each(const Pipeline& pipeline);
// One chain, at least `least_chunks` chunks a worker, stage k on the worker of stage k mod p. `kept` of the chunks
// (counted from the last; 0: all) must have backward blocks, the others none.
std::string why_not_looped(const Pipeline& pipeline, int least_chunks, int kept);
// One chain of 2p stages; stages k and 2p-1-k share a worker.
std::string why_not_v_shaped(const Pipeline& pipeline);
// Two chains of p stages in opposite directions over p workers.
std::string why_not_two_way(const Pipeline& pipeline);

}  // namespace repetend::baseline
