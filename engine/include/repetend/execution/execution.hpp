// What devices execute: lists of instructions (compute, send, receive) instead of start times. From a schedule to such
// lists, with sends and receives that cannot deadlock; from lists to start times; and what stands in the way when a
// list cannot be followed, the circle of waiting devices named.
//
// A *route* says how data get from a block to another device. A block leaves its result on each of its devices, so a
// device that is not among them receives one copy per micro-batch, however many of its blocks need it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend {

struct Route {
    int from = 0;  // the block whose result is sent
    int sender = 0;
    int receiver = 0;
    Ticks lag = 0;               // from the send to the arrival; 0 where links carry it
    std::vector<int> consumers;  // blocks on the receiver that need it
    std::vector<int> transfers;  // blocks on links that start with the send
    bool operator==(const Route&) const = default;
};

// All routes of a problem without faults, in order of (from, receiver). Where a block has several devices, receivers
// take turns at them.
std::vector<Route> find_routes(const Problem& problem);

enum class ActionKind { compute, send, receive };

struct Action {
    ActionKind kind = ActionKind::compute;
    int index = 0;  // compute: the block; send and receive: the route
    std::int64_t micro_batch = 0;
    bool operator==(const Action&) const = default;
};

struct Program {
    std::int64_t micro_batches = 0;
    std::vector<Route> routes;  // empty: devices take what they need, no matter how
    std::vector<std::vector<Action>>
        devices;  // by device, in order; an empty list leaves a link to whoever comes first
    bool operator==(const Program&) const = default;
};

// The order of a schedule on each device, nothing but compute actions.
Program program_of(const Problem& problem, const Schedule& schedule);

// Where the two ends of a message stand. Both ends of all messages follow one order of time, so devices can always
// follow the lists, whether a send waits for its receive or not.
enum class Receives {
    early,  // as soon as the data exist
    late,   // directly before the block that needs them
};
Program with_communication(const Problem& problem, const Schedule& schedule, Receives receives);

// How sends and receives behave.
enum class Semantics {
    direct,      // there are none: a block starts when what it depends on has ended
    buffered,    // a send ends at once; a receive waits until the data have arrived
    rendezvous,  // a send waits for its receive, and both until the data have arrived
    // Where a link carries the data, a receive waits for the send only, and the block that needs them for the transfer.
};
std::string_view to_string(Semantics semantics);  // "buffered", ...

// What became of a program: start times, or the reason in one sentence.
struct Execution {
    std::optional<Schedule> schedule;
    std::string obstacle;   // empty when there is a schedule
    bool deadlock = false;  // the obstacle is a circle of waiting devices
    Ticks makespan = 0;
};

// Every action starts as early as the order of its device, the dependencies with their lags and the messages allow.
// Capacities are not looked at. The program may come from anywhere: what does not belong (an operation missing or
// twice, a block before what it depends on, a message without its other end) is told, never waited for.
// O(actions log actions).
Execution execute(const Problem& problem, const Program& program, Semantics semantics);

// Buffers for the data that pass between the blocks of a device and between devices: where each is written (-1: nobody
// needs it) and which are read. A buffer is free again after the last read. What a block keeps for its own backward is
// not among them, that is the memory of the problem.
struct BufferUse {
    int written = -1;
    std::vector<int> read;  // in order of the blocks that made the data
    bool operator==(const BufferUse&) const = default;
};

// Buffers of equal size: what one block makes.
struct BufferPool {
    int block = 0;
    int first = 0;  // number of the first one
    int count = 0;
    bool operator==(const BufferPool&) const = default;
};

// Gives out buffers along the list of one device, always the lowest free one of the pool. For programs with routes that
// `execute` accepts.
class BufferPlan {
public:
    BufferPlan(const Problem& problem, const Program& program, int device);
    ~BufferPlan();
    const std::vector<BufferPool>& pools() const;
    // The buffers of the device's next action, from the first one on.
    BufferUse next();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// What is wrong with given buffers of a device, parallel to its list, in one sentence: data overwritten before their
// last use, or read where they are not. Empty when nothing is.
std::string find_buffer_fault(const Problem& problem, const Program& program, int device,
                              const std::vector<BufferUse>& uses);

}  // namespace repetend
