// Short notation for small problems and schedules in tests.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repetend/model/problem.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend::testing {

class ProblemBuilder {
public:
    // `capacities` has one entry per device; -1 means unlimited.
    explicit ProblemBuilder(std::initializer_list<Memory> capacities) {
        for (const Memory capacity : capacities) {
            Device& device = problem_.devices.emplace_back();
            if (capacity >= 0) device.memory_capacity = capacity;
        }
    }
    // The same change and transient on every device of the block.
    ProblemBuilder& block(std::string name, std::vector<int> devices, Ticks time, Memory change = 0,
                          Memory transient = 0) {
        Block& block = problem_.blocks.emplace_back();
        block.name = std::move(name);
        block.memory.assign(devices.size(), change);
        block.transient.assign(devices.size(), transient);
        block.devices = std::move(devices);
        block.time = time;
        return *this;
    }
    ProblemBuilder& edge(int from, int to, Ticks lag = 0) {
        Dependency& dependency = problem_.dependencies.emplace_back();
        dependency.from = from;
        dependency.to = to;
        dependency.lag = lag;
        return *this;
    }
    Problem build() const { return problem_; }

private:
    Problem problem_;
};

// F0 on device 0, F1 and B1 on device 1, B0 on device 0: a pipeline of two stages. Forward takes 1 and holds
// 1, backward takes 2 and releases it.
inline Problem two_stages(Memory capacity) {
    return ProblemBuilder({capacity, capacity})
        .block("F0", {0}, 1, 1)
        .block("F1", {1}, 1, 1)
        .block("B1", {1}, 2, -1)
        .block("B0", {0}, 2, -1)
        .edge(0, 1)
        .edge(1, 2)
        .edge(2, 3)
        .build();
}

// Operations as {block, micro-batch, start}.
inline Schedule schedule_of(std::int64_t micro_batches, std::vector<Operation> operations) {
    Schedule schedule;
    schedule.micro_batches = micro_batches;
    schedule.operations = std::move(operations);
    sort_operations(schedule);
    return schedule;
}

// One forward, one backward on two_stages with three micro-batches, worked out by hand (block:micro-batch
// start-end):
//   device 0   F0:0 0-1   F0:1 1-2   B0:0 4-6   F0:2 6-7   B0:1 7-9   B0:2 10-12
//   device 1   F1:0 1-2   B1:0 2-4   F1:1 4-5   B1:1 5-7   F1:2 7-8   B1:2 8-10
inline Schedule two_stages_schedule() {
    return schedule_of(3, {{0, 0, 0},
                           {1, 0, 1},
                           {2, 0, 2},
                           {3, 0, 4},
                           {0, 1, 1},
                           {1, 1, 4},
                           {2, 1, 5},
                           {3, 1, 7},
                           {0, 2, 6},
                           {1, 2, 7},
                           {2, 2, 8},
                           {3, 2, 10}});
}

}  // namespace repetend::testing
