// Weight gradients as fillers (the idea of Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024): nothing waits for
// them, so they belong where a device would idle. Devices are woken in order of time: when they become free, and when
// their next operation becomes known.
#include "baseline/weight_filling.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "repetend/model/graph.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::baseline {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

class Filling {
public:
    Filling(const Pipeline& pipeline, const Orders& orders, std::int64_t limit, int share, std::int64_t micro_batches)
        : problem_(*pipeline.problem),
          limit_(limit),
          share_(share),
          successors_(problem_.blocks.size()),
          weight_of_(problem_.blocks.size(), -1),
          worker_of_(problem_.blocks.size(), -1),
          change_(problem_.blocks.size(), 0),
          workers_(orders.size()) {
        std::vector<int> waits(problem_.blocks.size(), 0);
        for (const Dependency& dependency : merged_dependencies(problem_)) {
            successors_[at(dependency.from)].push_back({dependency.to, dependency.lag});
            ++waits[at(dependency.to)];
        }
        for (const Stage& stage : pipeline.stages) {
            for (const int block : {stage.forward, stage.backward, stage.weight}) worker_of_[at(block)] = stage.worker;
            change_[at(stage.forward)] = 2;
            change_[at(stage.backward)] = -1;
            change_[at(stage.weight)] = -1;
            weight_of_[at(stage.backward)] = stage.weight;
        }
        for (std::int64_t n = 0; n < micro_batches; ++n) waits_.insert(waits_.end(), waits.begin(), waits.end());
        ready_.assign(waits_.size(), 0);
        for (std::size_t w = 0; w < orders.size(); ++w) {
            for (const Task& task : orders[w]) {
                if (problem_.blocks[at(task.block)].kind != BlockKind::weight_gradient) {
                    workers_[w].order.push_back(task);
                }
            }
            wakes_.push({0, static_cast<int>(w)});
        }
    }

    std::optional<Orders> run() {
        while (!wakes_.empty()) {
            const auto [now, w] = wakes_.top();
            wakes_.pop();
            Worker& worker = workers_[at(w)];
            if (worker.free > now) continue;
            if (now > largest_number) return std::nullopt;
            if (const std::optional<Task> task = choose(worker, now, w)) start(worker, w, *task, now);
        }
        Orders filled;
        std::size_t total = 0;
        for (Worker& worker : workers_) {
            total += worker.done.size();
            filled.push_back(std::move(worker.done));
        }
        if (total != waits_.size()) return std::nullopt;
        return filled;
    }

private:
    struct Worker {
        Lane order;  // without weight gradients
        std::size_t next = 0;
        std::vector<Task> weights;  // possible ones, oldest first
        std::size_t next_weight = 0;
        std::int64_t held = 0;
        Ticks free = 0;
        Lane done;
    };

    std::size_t index(const Task& task) const { return at(task.micro_batch) * problem_.blocks.size() + at(task.block); }

    std::optional<Task> choose(Worker& worker, Ticks now, int w) {
        const bool has_weight = worker.next_weight < worker.weights.size();
        if (worker.next < worker.order.size()) {
            const Task& task = worker.order[worker.next];
            const bool fits = worker.held + std::max<std::int64_t>(0, change_[at(task.block)]) <= limit_;
            const bool known = waits_[index(task)] == 0;
            const Ticks ready = ready_[index(task)];
            if (fits && known) {
                if (ready <= now) {
                    ++worker.next;
                    return task;
                }
                const Ticks weight =
                    has_weight ? problem_.blocks[at(worker.weights[worker.next_weight].block)].time : 0;
                // Divided, as products of times may leave the range of numbers.
                if (!has_weight || ready - now < weight / 4 * share_ + weight % 4 * share_ / 4) {
                    wakes_.push({ready, w});
                    return std::nullopt;
                }
            }
        }
        if (!has_weight) return std::nullopt;
        return worker.weights[worker.next_weight++];
    }

    void start(Worker& worker, int w, const Task& task, Ticks now) {
        const Ticks end = now + problem_.blocks[at(task.block)].time;
        worker.free = end;
        worker.held += change_[at(task.block)];
        worker.done.push_back(task);
        if (const int weight = weight_of_[at(task.block)]; weight >= 0) {
            worker.weights.push_back({weight, task.micro_batch});
        }
        wakes_.push({end, w});
        for (const auto& [next, lag] : successors_[at(task.block)]) {
            const Task following = {next, task.micro_batch};
            Ticks& ready = ready_[index(following)];
            ready = std::max(ready, end + lag);
            if (--waits_[index(following)] == 0) wakes_.push({ready, worker_of_[at(next)]});
        }
    }

    const Problem& problem_;
    std::int64_t limit_;
    int share_;
    std::vector<std::vector<std::pair<int, Ticks>>> successors_;
    std::vector<int> weight_of_;  // by input gradient
    std::vector<int> worker_of_;  // by block
    std::vector<std::int64_t> change_;
    std::vector<std::int32_t> waits_;
    std::vector<Ticks> ready_;
    std::vector<Worker> workers_;
    std::priority_queue<std::pair<Ticks, int>, std::vector<std::pair<Ticks, int>>, std::greater<>> wakes_;
};

}  // namespace

std::optional<Orders> refill_weights(const Pipeline& pipeline, const Orders& orders, std::int64_t limit, int share,
                                     std::int64_t micro_batches) {
    for (const Block& block : pipeline.problem->blocks) {
        if (block.kind == BlockKind::transfer) return std::nullopt;
    }
    return Filling(pipeline, orders, limit, share, micro_batches).run();
}

}  // namespace repetend::baseline
