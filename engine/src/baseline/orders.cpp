// Earliest starts under fixed orders. Operations are taken from a heap by their earliest start. A lane's next
// operation enters the heap when it stands first in all its lanes and its predecessors have been taken; as whatever
// it can release starts no earlier, starts leave the heap in rising order, and a link that serves whoever comes first
// needs no more than that.
#include "baseline/orders.hpp"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <string>
#include <tuple>
#include <utility>

#include "repetend/model/graph.hpp"

namespace repetend::baseline {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

class Timing {
public:
    Timing(const Pipeline& pipeline, const Orders& orders, std::int64_t micro_batches)
        : problem_(*pipeline.problem),
          orders_(orders),
          micro_batches_(micro_batches),
          successors_(problem_.blocks.size()),
          lanes_of_(problem_.blocks.size()),
          front_(orders.size(), 0),
          free_(problem_.devices.size(), 0) {
        std::vector<int> waits(problem_.blocks.size(), 0);
        for (const Dependency& dependency : merged_dependencies(problem_)) {
            successors_[at(dependency.from)].push_back({dependency.to, dependency.lag});
            ++waits[at(dependency.to)];
        }
        std::vector<int> worker_of(problem_.devices.size(), -1);
        for (int w = 0; w < pipeline.num_workers(); ++w) {
            for (const int device : pipeline.workers[at(w)]) worker_of[at(device)] = w;
        }
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            std::vector<int>& lanes = lanes_of_[at(b)];
            for (const int device : problem_.blocks[at(b)].devices) {
                if (worker_of[at(device)] >= 0) lanes.push_back(worker_of[at(device)]);
            }
            std::sort(lanes.begin(), lanes.end());
            lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
            waits[at(b)] += static_cast<int>(lanes.size());  // each until the operation stands first in it
        }
        for (std::int64_t n = 0; n < micro_batches; ++n) waits_.insert(waits_.end(), waits.begin(), waits.end());
        ready_.assign(waits_.size(), 0);
    }

    Result<Schedule> run() {
        Schedule schedule;
        schedule.micro_batches = micro_batches_;
        schedule.operations.reserve(waits_.size());
        for (std::size_t k = 0; k < waits_.size(); ++k) {
            if (waits_[k] == 0) enter(operation_of(k));
        }
        for (std::size_t lane = 0; lane < orders_.size(); ++lane) show_first(lane);
        while (!heap_.empty()) {
            Operation operation = heap_.top().operation;
            heap_.pop();
            const Block& block = problem_.blocks[at(operation.block)];
            if (const Ticks start = earliest(operation); start > operation.start) {  // a link was faster
                operation.start = start;
                heap_.push({operation});
                continue;
            }
            if (operation.start > largest_number - block.time) {
                return Fault{FaultCode::limit, "", "starts leave the range of numbers"};
            }
            schedule.operations.push_back(operation);
            const Ticks end = operation.start + block.time;
            for (const int device : block.devices) free_[at(device)] = end;
            for (const auto& [next, lag] : successors_[at(operation.block)]) {
                const std::size_t k = index(next, operation.micro_batch);
                ready_[k] = std::max(ready_[k], end + lag);
                settle(k);
            }
            for (const int lane : lanes_of_[at(operation.block)]) {
                ++front_[at(lane)];
                show_first(at(lane));
            }
        }
        if (schedule.operations.size() != waits_.size()) return stuck();
        sort_operations(schedule);
        return schedule;
    }

private:
    struct Entry {
        Operation operation;
        bool operator<(const Entry& other) const {  // least start first out of the heap
            const auto key = [](const Operation& o) { return std::tie(o.start, o.micro_batch, o.block); };
            return key(operation) > key(other.operation);
        }
    };

    std::size_t index(int block, std::int64_t micro_batch) const {
        return at(micro_batch) * problem_.blocks.size() + at(block);
    }
    Operation operation_of(std::size_t k) const {
        return {static_cast<int>(k % problem_.blocks.size()), static_cast<std::int64_t>(k / problem_.blocks.size()), 0};
    }
    Ticks earliest(const Operation& operation) const {
        Ticks start = ready_[index(operation.block, operation.micro_batch)];
        for (const int device : problem_.blocks[at(operation.block)].devices) {
            start = std::max(start, free_[at(device)]);
        }
        return start;
    }
    void enter(Operation operation) {
        operation.start = earliest(operation);
        heap_.push({operation});
    }
    void settle(std::size_t k) {
        if (--waits_[k] == 0) enter(operation_of(k));
    }
    void show_first(std::size_t lane) {
        if (front_[lane] == orders_[lane].size()) return;
        const Task& task = orders_[lane][front_[lane]];
        settle(index(task.block, task.micro_batch));
    }

    Fault stuck() const {
        std::string message = "its order contradicts the dependencies of this problem";
        for (std::size_t lane = 0; lane < orders_.size(); ++lane) {
            if (front_[lane] == orders_[lane].size()) continue;
            const Task& task = orders_[lane][front_[lane]];
            message += ": `" + problem_.blocks[at(task.block)].name + "` of micro-batch " +
                       std::to_string(task.micro_batch) + " waits for ever";
            break;
        }
        return {FaultCode::unsupported, "", message};
    }

    const Problem& problem_;
    const Orders& orders_;
    std::int64_t micro_batches_;
    std::vector<std::vector<std::pair<int, Ticks>>> successors_;
    std::vector<std::vector<int>> lanes_of_;  // by block
    std::vector<std::size_t> front_;          // by lane: the first task that has not been taken
    std::vector<Ticks> free_;                 // by device
    std::vector<std::int32_t> waits_;         // by operation: predecessors and lanes
    std::vector<Ticks> ready_;                // by operation: when its predecessors are done
    std::priority_queue<Entry> heap_;
};

// Order inside one step: gangs before it, the step, gangs after it.
struct Place {
    std::int64_t step = 0;
    int phase = 1;
    std::int64_t rank = 0;  // older micro-batches first; after a step the newer ones, as each goes directly after it
    int part = 0;           // of a step, or the gang's number
    Task task;
    bool operator<(const Place& other) const {
        return std::tie(step, phase, rank, part, task.block) <
               std::tie(other.step, other.phase, other.rank, other.part, other.task.block);
    }
};

}  // namespace

void add_forward(Lane& lane, const Stage& stage, std::int64_t micro_batch) {
    lane.push_back({stage.forward, micro_batch});
}

void add_backward(Lane& lane, const Stage& stage, std::int64_t micro_batch) {
    lane.push_back({stage.backward, micro_batch});
    if (stage.weight >= 0) lane.push_back({stage.weight, micro_batch});
}

void add_forward_step(std::vector<Step>& steps, std::int64_t step, const Stage& stage, std::int64_t micro_batch) {
    steps.push_back({step, {stage.forward, micro_batch}, 0});
}

void add_backward_step(std::vector<Step>& steps, std::int64_t step, const Stage& stage, std::int64_t micro_batch) {
    steps.push_back({step, {stage.backward, micro_batch}, 0});
    if (stage.weight >= 0) steps.push_back({step, {stage.weight, micro_batch}, 1});
}

Result<Schedule> earliest_starts(const Pipeline& pipeline, const Orders& orders, std::int64_t micro_batches) {
    return Timing(pipeline, orders, micro_batches).run();
}

Orders insert_gangs(const Pipeline& pipeline, std::vector<std::vector<Step>> grid, std::int64_t micro_batches) {
    const Problem& problem = *pipeline.problem;
    const std::size_t blocks = problem.blocks.size();
    std::vector<std::int64_t> step_of(pipeline.gangs.empty() ? 0 : blocks * at(micro_batches), 0);
    std::vector<std::vector<Place>> places(grid.size());
    for (std::size_t w = 0; w < grid.size(); ++w) {
        for (const Step& step : grid[w]) {
            places[w].push_back({step.step, 1, step.task.micro_batch, step.part, step.task});
            if (!step_of.empty()) step_of[at(step.task.micro_batch) * blocks + at(step.task.block)] = step.step;
        }
    }
    for (std::size_t g = 0; g < pipeline.gangs.size(); ++g) {
        const Gang& gang = pipeline.gangs[g];
        const std::vector<int>& devices = problem.blocks[at(gang.block)].devices;
        for (std::size_t w = 0; w < places.size(); ++w) {
            const int device = pipeline.workers[w].front();
            if (std::find(devices.begin(), devices.end(), device) == devices.end()) continue;
            for (std::int64_t n = 0; n < micro_batches; ++n) {
                places[w].push_back({step_of[at(n) * blocks + at(gang.anchor)],
                                     gang.after ? 2 : 0,
                                     gang.after ? -n : n,
                                     static_cast<int>(g),
                                     {gang.block, n}});
            }
        }
    }
    Orders orders(places.size());
    for (std::size_t w = 0; w < places.size(); ++w) {
        std::sort(places[w].begin(), places[w].end());
        for (const Place& place : places[w]) orders[w].push_back(place.task);
    }
    return orders;
}

}  // namespace repetend::baseline
