// The checker of schedules: sort, sweep, compare. It judges what it is given and repairs nothing, so it
// begins with what makes the rest meaningful (every operation there once, starts in range) and then looks
// for the earliest of all other violations. Memory is swept per device with the ends still to come in a
// heap, so that the sweep stays right even where operations overlap. Amounts are summed in 128 bits: with
// N micro-batches that leave something behind they can pass any 64-bit number.
#include "repetend/verify/verify_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace repetend {
namespace {

__extension__ typedef __int128 Wide;

std::string decimal(Wide number) {
    if (number == 0) return "0";
    std::string digits;
    const bool negative = number < 0;
    for (; number != 0; number /= 10)
        digits += static_cast<char>('0' + static_cast<int>(negative ? -(number % 10) : number % 10));
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

class Check {
public:
    Check(const Problem& problem, const Schedule& schedule) : problem_(problem), schedule_(schedule) {}

    std::optional<Violation> run() {
        if (auto violation = check_count()) return violation;
        if (auto violation = check_starts()) return violation;
        sort_by_device();
        for (int device = 0; device < problem_.num_devices(); ++device) {
            check_overlap(device);
            check_memory(device);
        }
        for (const Dependency& dependency : problem_.dependencies) check_dependency(dependency);
        if (schedule_.repetend) check_repetend(*schedule_.repetend);
        return std::move(first_);
    }

private:
    const Block& block_of(const Operation& operation) const {
        return problem_.blocks[static_cast<std::size_t>(operation.block)];
    }
    Ticks end_of(const Operation& operation) const { return operation.start + block_of(operation).time; }
    std::string label(int block, std::int64_t micro_batch) const {
        return problem_.blocks[static_cast<std::size_t>(block)].name + " of micro-batch " + std::to_string(micro_batch);
    }
    std::string label(const Operation& operation) const { return label(operation.block, operation.micro_batch); }
    std::string span(const Operation& operation) const {
        return label(operation) + " (" + std::to_string(operation.start) + ".." + std::to_string(end_of(operation)) +
               ")";
    }
    // Where the operation (block, n) stands in the sorted copy; only after check_count.
    const Operation& find(int block, std::int64_t micro_batch) const {
        return operations_[static_cast<std::size_t>(micro_batch * problem_.num_blocks() + block)];
    }

    // Keeps the earliest violation; at one moment the kind named first in ViolationKind.
    void found(ViolationKind kind, Ticks time, std::string message) {
        if (first_ && std::pair(first_->time, first_->kind) <= std::pair(time, kind)) return;
        first_ = Violation{kind, time, std::move(message)};
    }
    bool interesting(ViolationKind kind, Ticks time) const {
        return !first_ || std::pair(time, kind) < std::pair(first_->time, first_->kind);
    }

    // Every operation exactly once: the operations in order of (micro-batch, block) must count through.
    // The first mismatch tells what is missing or there twice without ever looping over N.
    std::optional<Violation> check_count() {
        const auto count_violation = [](std::string message) {
            return Violation{ViolationKind::count, 0, std::move(message)};
        };
        const std::int64_t n = schedule_.micro_batches;
        if (n < 1)
            return count_violation("the schedule has " + std::to_string(n) + " micro-batches: at least one is needed");
        const int blocks = problem_.num_blocks();
        operations_ = schedule_.operations;
        for (std::size_t k = 0; k < operations_.size(); ++k) {
            const Operation& operation = operations_[k];
            if (operation.block < 0 || operation.block >= blocks) {
                return count_violation("operation " + std::to_string(k) + " names block " +
                                       std::to_string(operation.block) + ", which does not exist (there are " +
                                       std::to_string(blocks) + ")");
            }
            if (operation.micro_batch < 0 || operation.micro_batch >= n) {
                return count_violation("operation " + std::to_string(k) + " is " + label(operation) +
                                       ", but there are only " + std::to_string(n) + " micro-batches");
            }
        }
        std::sort(operations_.begin(), operations_.end(), [](const Operation& a, const Operation& b) {
            return std::tie(a.micro_batch, a.block, a.start) < std::tie(b.micro_batch, b.block, b.start);
        });
        std::int64_t micro_batch = 0;
        int block = 0;
        for (std::size_t k = 0; k < operations_.size(); ++k) {
            const Operation& operation = operations_[k];
            if (k > 0 && operation.block == operations_[k - 1].block &&
                operation.micro_batch == operations_[k - 1].micro_batch) {
                return count_violation(label(operation) + " is there twice (at " +
                                       std::to_string(operations_[k - 1].start) + " and at " +
                                       std::to_string(operation.start) + ")");
            }
            if (operation.micro_batch != micro_batch || operation.block != block) break;
            if (++block == blocks) {
                block = 0;
                ++micro_batch;
            }
        }
        if (micro_batch < n) return count_violation(label(block, micro_batch) + " is missing");
        return std::nullopt;
    }

    std::optional<Violation> check_starts() const {
        for (const Operation& operation : schedule_.operations) {
            const auto start_violation = [&](const std::string& what) {
                return Violation{ViolationKind::start, operation.start,
                                 label(operation) + " starts at " + std::to_string(operation.start) + what};
            };
            if (operation.start < 0) return start_violation(", before time 0");
            if (operation.start > largest_number - block_of(operation).time) {
                return start_violation(": it would end after " + std::to_string(largest_number) + ", the largest time");
            }
        }
        return std::nullopt;
    }

    // Operations of each device in order of start.
    void sort_by_device() {
        lanes_.resize(problem_.devices.size());
        for (std::size_t k = 0; k < operations_.size(); ++k) {
            for (const int device : block_of(operations_[k]).devices)
                lanes_[static_cast<std::size_t>(device)].push_back(k);
        }
        for (std::vector<std::size_t>& lane : lanes_) {
            std::sort(lane.begin(), lane.end(), [this](std::size_t a, std::size_t b) {
                return std::tie(operations_[a].start, a) < std::tie(operations_[b].start, b);
            });
        }
    }

    void check_overlap(int device) {
        const Operation* running = nullptr;  // the one that ends last so far
        for (const std::size_t k : lanes_[static_cast<std::size_t>(device)]) {
            const Operation& operation = operations_[k];
            if (running != nullptr && end_of(*running) > operation.start) {
                found(ViolationKind::overlap, operation.start,
                      device_label(problem_, device) + " runs " + span(*running) + " and " + span(operation) +
                          " at the same time");
                return;
            }
            if (running == nullptr || end_of(operation) > end_of(*running)) running = &operation;
        }
    }

    void check_memory(int device) {
        const Device& place = problem_.devices[static_cast<std::size_t>(device)];
        if (!place.memory_capacity) return;
        const Memory capacity = *place.memory_capacity;
        const std::string limit = ": the capacity is " + std::to_string(capacity);
        if (place.memory_static > capacity) {
            found(ViolationKind::memory, 0,
                  device_label(problem_, device) + " holds " + std::to_string(place.memory_static) +
                      " before anything starts" + limit);
            return;
        }
        Wide held = place.memory_static;
        using Release = std::pair<Ticks, Wide>;
        std::priority_queue<Release, std::vector<Release>, std::greater<>> to_come;
        for (const std::size_t k : lanes_[static_cast<std::size_t>(device)]) {
            const Operation& operation = operations_[k];
            while (!to_come.empty() && to_come.top().first <= operation.start) {
                held -= to_come.top().second;
                to_come.pop();
            }
            const Memory change = memory_on(block_of(operation), device);
            const Memory transient = transient_on(block_of(operation), device);
            held += Wide{std::max<Memory>(change, 0)} + transient;
            to_come.push({end_of(operation), Wide{transient} - std::min<Memory>(change, 0)});
            if (held > capacity) {
                found(ViolationKind::memory, operation.start,
                      device_label(problem_, device) + " holds " + decimal(held) + " at time " +
                          std::to_string(operation.start) + " when " + label(operation) + " starts" + limit);
                return;
            }
        }
    }

    void check_dependency(const Dependency& dependency) {
        for (std::int64_t n = 0; n < schedule_.micro_batches; ++n) {
            const Operation& before = find(dependency.from, n);
            const Operation& after = find(dependency.to, n);
            // Not `end + lag`: both may be near the largest number.
            if (after.start - end_of(before) >= dependency.lag) continue;
            if (!interesting(ViolationKind::dependency, after.start)) continue;
            std::string message = label(after) + " starts at " + std::to_string(after.start) + ", but " +
                                  problem_.blocks[static_cast<std::size_t>(dependency.from)].name +
                                  ", on which it depends, ends at " + std::to_string(end_of(before));
            if (dependency.lag > 0) message += " and then needs a lag of " + std::to_string(dependency.lag);
            found(ViolationKind::dependency, after.start, std::move(message));
        }
    }

    void check_repetend(const RepetendMark& mark) {
        if (mark.period < 1 || mark.copies < 1 || mark.repeats < 1 || mark.begin < 0) {
            found(ViolationKind::repetend, 0,
                  "the repetend is marked with period " + std::to_string(mark.period) + ", " +
                      std::to_string(mark.copies) + " copies, begin " + std::to_string(mark.begin) + " and " +
                      std::to_string(mark.repeats) +
                      " repeats: period, copies and repeats must be at least 1, begin at least 0");
            return;
        }
        Ticks makespan = 0;
        for (const Operation& operation : operations_) makespan = std::max(makespan, end_of(operation));
        if (mark.begin > makespan || mark.repeats > (makespan - mark.begin) / mark.period) {
            found(ViolationKind::repetend, std::min(mark.begin, makespan),
                  "the repetend begins at " + std::to_string(mark.begin) + " and is marked to last " +
                      std::to_string(mark.repeats) + " times " + std::to_string(mark.period) +
                      " ticks, but the schedule ends at " + std::to_string(makespan));
            return;
        }
        const Ticks last_begin = mark.begin + (mark.repeats - 1) * mark.period;
        for (const Operation& operation : operations_) {
            if (operation.start < mark.begin || operation.start >= last_begin) continue;
            if (interesting(ViolationKind::repetend, operation.start)) check_recurrence(operation, mark);
        }
    }

    void check_recurrence(const Operation& operation, const RepetendMark& mark) {
        const Ticks expected = operation.start + mark.period;
        const std::string claim =
            label(operation) + " starts at " + std::to_string(operation.start) + " inside the repetend, ";
        if (mark.copies > schedule_.micro_batches - 1 - operation.micro_batch) {
            found(ViolationKind::repetend, operation.start,
                  claim + "but there is no micro-batch " + std::to_string(operation.micro_batch + mark.copies) +
                      " to repeat it");
            return;
        }
        const Operation& recurrence = find(operation.block, operation.micro_batch + mark.copies);
        if (recurrence.start == expected) return;
        found(ViolationKind::repetend, operation.start,
              claim + "but " + label(recurrence) + " starts at " + std::to_string(recurrence.start) + ", not at " +
                  std::to_string(expected));
    }

    const Problem& problem_;
    const Schedule& schedule_;
    std::vector<Operation> operations_;            // in order of (micro-batch, block)
    std::vector<std::vector<std::size_t>> lanes_;  // per device, into operations_
    std::optional<Violation> first_;
};

}  // namespace

std::optional<Violation> verify_schedule(const Problem& problem, const Schedule& schedule) {
    return Check(problem, schedule).run();
}

}  // namespace repetend
