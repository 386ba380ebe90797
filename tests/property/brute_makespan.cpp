// See the header for which schedules are gone through, and why that is enough.
#include "property/brute_makespan.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace repetend::testing {
namespace {

class Search {
public:
    Search(const Problem& problem, std::int64_t micro_batches, std::int64_t most_nodes)
        : problem_(problem), micro_batches_(micro_batches), most_nodes_(most_nodes) {
        next_.assign(problem.blocks.size(), 0);
        ends_.resize(problem.blocks.size());
        free_.assign(problem.devices.size(), 0);
        for (const Device& device : problem.devices) held_.push_back(device.memory_static);
        find_tails();
    }

    BruteMakespan run() {
        for (const Device& device : problem_.devices) {
            if (device.memory_capacity && device.memory_static > *device.memory_capacity) return result_;
        }
        extend();
        if (result_.schedule) sort_operations(*result_.schedule);
        return result_;
    }

private:
    const Block& block(int b) const { return problem_.blocks[static_cast<std::size_t>(b)]; }

    // Longest way from the end of a block to the end of its micro-batch.
    void find_tails() {
        tail_.assign(problem_.blocks.size(), 0);
        for (std::size_t round = 0; round < problem_.blocks.size(); ++round) {
            for (const Dependency& edge : problem_.dependencies) {
                Ticks& tail = tail_[static_cast<std::size_t>(edge.from)];
                tail = std::max(tail, edge.lag + block(edge.to).time + tail_[static_cast<std::size_t>(edge.to)]);
            }
        }
    }

    // The earliest start of the next instance of block b; none when it waits for something not placed yet, or
    // would not fit beside what its devices hold.
    std::optional<Ticks> earliest(int b) const {
        const std::int64_t n = next_[static_cast<std::size_t>(b)];
        if (n == micro_batches_) return std::nullopt;
        Ticks start = 0;
        for (std::size_t k = 0; k < block(b).devices.size(); ++k) {
            const auto device = static_cast<std::size_t>(block(b).devices[k]);
            const std::optional<Memory> capacity = problem_.devices[device].memory_capacity;
            const Memory needed = held_[device] + std::max<Memory>(block(b).memory[k], 0) + block(b).transient[k];
            if (capacity && needed > *capacity) return std::nullopt;
            start = std::max(start, free_[device]);
        }
        for (const Dependency& edge : problem_.dependencies) {
            if (edge.to != b) continue;
            const std::vector<Ticks>& ends = ends_[static_cast<std::size_t>(edge.from)];
            if (static_cast<std::int64_t>(ends.size()) <= n) return std::nullopt;
            start = std::max(start, ends[static_cast<std::size_t>(n)] + edge.lag);
        }
        return start;
    }

    void extend() {
        if (++result_.nodes > most_nodes_) {
            result_.complete = false;
            return;
        }
        if (placed_.size() == problem_.blocks.size() * static_cast<std::size_t>(micro_batches_)) {
            result_.makespan = last_end_;
            result_.schedule = Schedule();
            result_.schedule->micro_batches = micro_batches_;
            result_.schedule->operations = placed_;
            return;
        }
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            const std::optional<Ticks> start = earliest(b);
            if (!start) continue;
            if (!placed_.empty()) {
                const Operation& last = placed_.back();
                if (std::pair(*start, b) < std::pair(last.start, last.block)) continue;
            }
            const Ticks end = *start + block(b).time;
            if (result_.schedule && end + tail_[static_cast<std::size_t>(b)] >= result_.makespan) continue;
            place(b, *start, end);
        }
    }

    void place(int b, Ticks start, Ticks end) {
        const std::vector<Ticks> free_before = free_;
        const Ticks last_end_before = last_end_;
        std::int64_t& n = next_[static_cast<std::size_t>(b)];
        for (std::size_t k = 0; k < block(b).devices.size(); ++k) {
            const auto device = static_cast<std::size_t>(block(b).devices[k]);
            free_[device] = end;
            held_[device] += block(b).memory[k];
        }
        last_end_ = std::max(last_end_, end);
        ends_[static_cast<std::size_t>(b)].push_back(end);
        placed_.push_back({b, n, start});
        ++n;
        extend();
        --n;
        placed_.pop_back();
        ends_[static_cast<std::size_t>(b)].pop_back();
        last_end_ = last_end_before;
        for (std::size_t k = 0; k < block(b).devices.size(); ++k) {
            held_[static_cast<std::size_t>(block(b).devices[k])] -= block(b).memory[k];
        }
        free_ = free_before;
    }

    const Problem& problem_;
    std::int64_t micro_batches_;
    std::int64_t most_nodes_;
    std::vector<Ticks> tail_;
    std::vector<std::int64_t> next_;        // per block: the next instance to place
    std::vector<std::vector<Ticks>> ends_;  // per block: ends of the instances placed
    std::vector<Ticks> free_;               // per device: end of the last operation placed there
    std::vector<Memory> held_;              // per device, when that operation has ended
    std::vector<Operation> placed_;
    Ticks last_end_ = 0;
    BruteMakespan result_;
};

}  // namespace

BruteMakespan brute_makespan(const Problem& problem, std::int64_t micro_batches, std::int64_t most_nodes) {
    return Search(problem, micro_batches, most_nodes).run();
}

}  // namespace repetend::testing
