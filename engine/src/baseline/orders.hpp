// From the order in which each worker runs its operations to a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "baseline/pipeline.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend::baseline {

struct Task {
    int block = 0;
    std::int64_t micro_batch = 0;
};

using Lane = std::vector<Task>;
using Orders = std::vector<Lane>;  // by worker; a gang's task stands in the lane of each of its workers

void add_forward(Lane& lane, const Stage& stage, std::int64_t micro_batch);
// The backward block, and directly after it the weight gradient where there is one.
void add_backward(Lane& lane, const Stage& stage, std::int64_t micro_batch);

// Starts everything as early as the orders and the problem's dependencies allow. Links serve whoever comes
// first. Faults: the orders contradict the dependencies (unsupported), starts beyond the range of numbers (limit).
Result<Schedule> earliest_starts(const Pipeline& pipeline, const Orders& orders, std::int64_t micro_batches);

// A task and its step in a grid in which every forward and every backward of a stage takes one step; of a split
// backward the weight gradient is the second part of the step.
struct Step {
    std::int64_t step = 0;
    Task task;
    int part = 0;
};

void add_forward_step(std::vector<Step>& steps, std::int64_t step, const Stage& stage, std::int64_t micro_batch);
void add_backward_step(std::vector<Step>& steps, std::int64_t step, const Stage& stage, std::int64_t micro_batch);

// Puts the gangs in as extra steps of their own, directly before or after the step of their anchors, and answers
// the orders. `grid` holds the steps of each worker in any order; steps of one worker that coincide are taken by
// rising micro-batch.
Orders insert_gangs(const Pipeline& pipeline, std::vector<std::vector<Step>> grid, std::int64_t micro_batches);

}  // namespace repetend::baseline
