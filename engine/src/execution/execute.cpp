// Following the lists, event by event in order of time. An action becomes possible when it stands first on its devices
// and what it waits for has happened; as nothing that it can release starts earlier, events leave the heap in rising
// order, and a link that serves whoever comes first needs no more than that. When nothing is possible and something
// is left, every device waits at the head of its list for another one: following that leads round in a circle.
#include <algorithm>
#include <cstddef>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "execution/faults.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/model/graph.hpp"

namespace repetend {
namespace {

using execution::label;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

enum class EventKind { send, message, block };

struct Event {
    Ticks time = 0;
    EventKind kind = EventKind::block;
    std::int64_t micro_batch = 0;
    int index = 0;
    bool operator<(const Event& other) const {  // the earliest first out of the heap
        const auto key = [](const Event& e) { return std::tie(e.time, e.kind, e.micro_batch, e.index); };
        return key(other) < key(*this);
    }
};

class Run {
public:
    Run(const Problem& problem, const Program& program, Semantics semantics)
        : problem_(problem),
          program_(program),
          semantics_(semantics),
          num_blocks_(problem.blocks.size()),
          next_(num_blocks_),
          before_(num_blocks_),
          gates_(num_blocks_),
          lanes_(num_blocks_),
          front_(problem.devices.size(), 0),
          free_(problem.devices.size(), 0) {}

    Execution run() {
        Execution result;
        prepare();
        Schedule schedule;
        schedule.micro_batches = program_.micro_batches;
        schedule.operations.reserve(waits_.size());
        for (std::size_t k = 0; k < waits_.size(); ++k) {
            if (waits_[k] == 0) enter_block(k);
        }
        for (std::size_t d = 0; d < program_.devices.size(); ++d) show_first(d);
        while (!heap_.empty()) {
            Event event = heap_.top();
            heap_.pop();
            if (const Ticks time = earliest(event); time > event.time) {  // a link was taken meanwhile
                event.time = time;
                heap_.push(event);
                continue;
            }
            if (event.time > largest_number) {
                result.obstacle = "starts leave the range of numbers";
                return result;
            }
            take(event, schedule);
        }
        if (std::string stuck = find_circle(); !stuck.empty()) {
            result.obstacle = std::move(stuck);
            result.deadlock = true;
            return result;
        }
        for (const Operation& operation : schedule.operations) {
            result.makespan = std::max(result.makespan, operation.start + problem_.blocks[at(operation.block)].time);
        }
        sort_operations(schedule);
        result.schedule = std::move(schedule);
        return result;
    }

private:
    bool has_messages() const { return semantics_ != Semantics::direct; }
    std::size_t operation(int block, std::int64_t n) const { return at(n) * num_blocks_ + at(block); }
    std::size_t message(int route, std::int64_t n) const { return at(n) * program_.routes.size() + at(route); }
    const Route& route(int index) const { return program_.routes[at(index)]; }

    void prepare() {
        std::vector<int> waits(num_blocks_, 0);
        for (const Dependency& dependency : merged_dependencies(problem_)) {
            next_[at(dependency.from)].push_back(dependency);
            before_[at(dependency.to)].push_back(dependency.from);
            ++waits[at(dependency.to)];
        }
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            for (const int device : problem_.blocks[at(b)].devices) {
                if (!execution::is_unlisted(problem_, program_, device)) lanes_[at(b)].push_back(device);
            }
            waits[at(b)] += static_cast<int>(lanes_[at(b)].size());
        }
        if (has_messages()) {
            for (int r = 0; r < static_cast<int>(program_.routes.size()); ++r) {
                for (const int transfer : route(r).transfers) {
                    gates_[at(transfer)].push_back(r);
                    ++waits[at(transfer)];
                }
            }
            message_waits_.assign(program_.routes.size() * at(program_.micro_batches), 2);
            message_ready_.assign(message_waits_.size(), 0);
        }
        waits_.reserve(num_blocks_ * at(program_.micro_batches));
        for (std::int64_t n = 0; n < program_.micro_batches; ++n)
            waits_.insert(waits_.end(), waits.begin(), waits.end());
        ready_.assign(waits_.size(), 0);
        done_.assign(waits_.size(), false);
    }

    Ticks earliest(const Event& event) const {
        if (event.kind == EventKind::send) return free_[at(route(event.index).sender)];
        if (event.kind == EventKind::message) {
            const Route& way = route(event.index);
            const Ticks time =
                std::max(message_ready_[message(event.index, event.micro_batch)], free_[at(way.receiver)]);
            return semantics_ == Semantics::rendezvous ? std::max(time, free_[at(way.sender)]) : time;
        }
        Ticks time = ready_[operation(event.index, event.micro_batch)];
        for (const int device : problem_.blocks[at(event.index)].devices) time = std::max(time, free_[at(device)]);
        return time;
    }

    void enter(EventKind kind, int index, std::int64_t n) {
        Event event{0, kind, n, index};
        event.time = earliest(event);
        heap_.push(event);
    }
    void enter_block(std::size_t k) {
        enter(EventKind::block, static_cast<int>(k % num_blocks_), static_cast<std::int64_t>(k / num_blocks_));
    }
    void settle(std::size_t k) {
        if (--waits_[k] == 0) enter_block(k);
    }
    void settle_message(int index, std::int64_t n) {
        if (--message_waits_[message(index, n)] == 0) enter(EventKind::message, index, n);
    }

    void show_first(std::size_t device) {
        const std::vector<Action>& list = program_.devices[device];
        // Without messages the lists may hold their sends and receives all the same.
        while (!has_messages() && front_[device] < list.size() && list[front_[device]].kind != ActionKind::compute)
            ++front_[device];
        if (front_[device] == list.size()) return;
        const Action& action = list[front_[device]];
        if (action.kind == ActionKind::compute) {
            settle(operation(action.index, action.micro_batch));
        } else if (action.kind == ActionKind::send && semantics_ == Semantics::buffered) {
            enter(EventKind::send, action.index, action.micro_batch);
        } else {
            settle_message(action.index, action.micro_batch);
        }
    }
    void advance(int device) {
        ++front_[at(device)];
        show_first(at(device));
    }

    void start_transfers(const Route& way, std::int64_t n, Ticks time) {
        for (const int transfer : way.transfers) {
            const std::size_t k = operation(transfer, n);
            ready_[k] = std::max(ready_[k], time);
            settle(k);
        }
    }

    void take(const Event& event, Schedule& schedule) {
        if (event.kind == EventKind::block) {
            take_block(event, schedule);
            return;
        }
        const Route& way = route(event.index);
        if (event.kind == EventKind::send) {
            message_ready_[message(event.index, event.micro_batch)] = event.time + way.lag;
            start_transfers(way, event.micro_batch, event.time);
            settle_message(event.index, event.micro_batch);
            advance(way.sender);
            return;
        }
        free_[at(way.receiver)] = event.time;
        if (semantics_ == Semantics::rendezvous) {
            free_[at(way.receiver)] = free_[at(way.sender)] = event.time + way.lag;
            start_transfers(way, event.micro_batch, event.time);
            advance(way.sender);
        }
        advance(way.receiver);
    }

    void take_block(const Event& event, Schedule& schedule) {
        const Block& block = problem_.blocks[at(event.index)];
        schedule.operations.push_back({event.index, event.micro_batch, event.time});
        const Ticks end = event.time + block.time;
        done_[operation(event.index, event.micro_batch)] = true;
        for (const int device : block.devices) free_[at(device)] = end;
        for (const Dependency& dependency : next_[at(event.index)]) {
            const std::size_t k = operation(dependency.to, event.micro_batch);
            ready_[k] = std::max(ready_[k], end + dependency.lag);
            settle(k);
        }
        for (const int device : lanes_[at(event.index)]) advance(device);
    }

    bool is_done(int block, std::int64_t n) const { return done_[operation(block, n)]; }
    bool is_first(int device, ActionKind kind, int index, std::int64_t n) const {
        const auto& list = program_.devices[at(device)];
        return front_[at(device)] < list.size() && list[front_[at(device)]] == Action{kind, index, n};
    }

    // Whom a device waits for, and in which words.
    struct Wait {
        int device = -1;
        std::string words;
    };

    Wait wait_of(int device) const {
        const Action& action = program_.devices[at(device)][front_[at(device)]];
        const std::string who = device_label(problem_, device);
        if (action.kind != ActionKind::compute) {
            const Route& way = route(action.index);
            const bool sends = action.kind == ActionKind::send;
            const int other = sends ? way.receiver : way.sender;
            return {other, who + (sends ? " waits to send " : " waits to receive ") +
                               label(problem_, way.from, action.micro_batch) + (sends ? " to " : " from ") +
                               device_label(problem_, other)};
        }
        const std::string what = who + " waits with " + label(problem_, action.index, action.micro_batch) + " for ";
        for (const int other : lanes_[at(action.index)]) {
            if (!is_first(other, ActionKind::compute, action.index, action.micro_batch))
                return {other, what + device_label(problem_, other)};
        }
        int needed = missing_before(action.index, action.micro_batch);
        while (needed >= 0 && lanes_[at(needed)].empty()) {  // a transfer on a link
            const int earlier = missing_before(needed, action.micro_batch);
            if (earlier < 0) {
                const int sender = route(gates_[at(needed)].front()).sender;
                return {sender, what + "the transfer " + label(problem_, needed, action.micro_batch) + " from " +
                                    device_label(problem_, sender)};
            }
            needed = earlier;
        }
        const int other = lanes_[at(needed)].front();
        return {other, what + label(problem_, needed, action.micro_batch) + " on " + device_label(problem_, other)};
    }

    int missing_before(int block, std::int64_t n) const {
        for (const int before : before_[at(block)]) {
            if (!is_done(before, n)) return before;
        }
        return -1;
    }

    std::string find_circle() const {
        int device = -1;
        for (std::size_t d = 0; d < program_.devices.size() && device < 0; ++d) {
            if (front_[d] < program_.devices[d].size()) device = static_cast<int>(d);
        }
        if (device < 0) return {};
        std::vector<int> place(program_.devices.size(), -1);
        std::vector<std::string> words;
        while (place[at(device)] < 0) {
            place[at(device)] = static_cast<int>(words.size());
            Wait wait = wait_of(device);
            words.push_back(std::move(wait.words));
            device = wait.device;
        }
        words.erase(words.begin(), words.begin() + place[at(device)]);
        std::string text = "deadlock: ";
        for (std::size_t k = 0; k < words.size(); ++k) text += (k == 0 ? "" : ", ") + words[k];
        return text + (words.size() == 1 ? ", which comes later in its own list"
                                         : ", which closes the circle: none of them can go on");
    }

    const Problem& problem_;
    const Program& program_;
    Semantics semantics_;
    std::size_t num_blocks_;
    std::vector<std::vector<Dependency>> next_;
    std::vector<std::vector<int>> before_;
    std::vector<std::vector<int>> gates_;  // by transfer: the routes that start it
    std::vector<std::vector<int>> lanes_;  // by block: its devices that follow a list
    std::vector<std::size_t> front_;       // by device: the first action that has not been taken
    std::vector<Ticks> free_;              // by device
    std::vector<std::int32_t> waits_;      // by operation: what it still waits for
    std::vector<Ticks> ready_;             // by operation
    std::vector<std::int8_t> message_waits_;
    std::vector<Ticks> message_ready_;
    std::vector<bool> done_;
    std::priority_queue<Event> heap_;
};

}  // namespace

Execution execute(const Problem& problem, const Program& program, Semantics semantics) {
    Execution result;
    result.obstacle = execution::find_fault(problem, program);
    if (!result.obstacle.empty()) return result;
    // Transfers on links stand in no list. A problem with thousands that nobody sends for must not make a short list
    // long.
    std::int64_t listed = 0;
    for (const auto& list : program.devices) listed += static_cast<std::int64_t>(list.size());
    constexpr std::int64_t most_unlisted = 8;  // for each action that is listed
    if (program.micro_batches > (most_unlisted + 1) * listed / std::max(1, problem.num_blocks())) {
        result.obstacle = "the lists have " + std::to_string(listed) + " actions, but the problem has " +
                          std::to_string(problem.num_blocks()) + " blocks for each of " +
                          std::to_string(program.micro_batches) + " micro-batches, most of them on links";
        return result;
    }
    if (program.micro_batches > most_operations / std::max(1, problem.num_blocks())) {
        result.obstacle = "more than " + std::to_string(most_operations) + " operations";
        return result;
    }
    return Run(problem, program, semantics).run();
}

}  // namespace repetend
