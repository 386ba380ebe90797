// Lifetimes of data on one device. A value lives from the action that makes or receives it to its last use there: a
// block that depends on it, or a send. How often each is used follows from the problem alone, so one walk along the
// list with the live values at hand is enough.
#include <algorithm>
#include <cstddef>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

#include "execution/faults.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/model/graph.hpp"

namespace repetend {
namespace {

using execution::label;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool runs_on(const Block& block, int device) {
    return std::find(block.devices.begin(), block.devices.end(), device) != block.devices.end();
}

// Who needs what on a device, in every micro-batch.
struct Needs {
    std::vector<std::vector<int>> inputs;  // by block: the blocks whose data it reads here
    std::vector<int> uses;                 // by block: reads and sends of its data here

    Needs(const Problem& problem, const Program& program, int device)
        : inputs(problem.blocks.size()), uses(problem.blocks.size(), 0) {
        for (const Dependency& edge : merged_dependencies(problem)) {
            if (runs_on(problem.blocks[at(edge.from)], device) && runs_on(problem.blocks[at(edge.to)], device))
                inputs[at(edge.to)].push_back(edge.from);
        }
        for (const Route& route : program.routes) {
            if (route.sender == device) ++uses[at(route.from)];
            if (route.receiver != device) continue;
            for (const int consumer : route.consumers) inputs[at(consumer)].push_back(route.from);
        }
        for (auto& list : inputs) {
            std::sort(list.begin(), list.end());
            for (const int from : list) ++uses[at(from)];
        }
    }
};

// Values are few at any moment; the hash of both numbers only has to spread them.
using Value = std::pair<int, std::int64_t>;  // block, micro-batch
struct ValueHash {
    std::size_t operator()(const Value& value) const {
        return static_cast<std::size_t>(static_cast<std::uint64_t>(value.second) * 0x9e3779b97f4a7c15u +
                                        static_cast<std::uint64_t>(value.first));
    }
};

}  // namespace

class BufferPlan::Impl {
public:
    Impl(const Problem& problem, const Program& program, int device)
        : program_(program), list_(program.devices[at(device)]), needs_(problem, program, device) {
        slots_.resize(problem.blocks.size());
        offset_.assign(problem.blocks.size(), 0);
        // Once along the list for the sizes of the pools, then again from the start for whoever asks.
        while (at_ < list_.size()) next();
        int first = 0;
        for (std::size_t b = 0; b < slots_.size(); ++b) {
            if (slots_[b].count == 0) continue;
            pools_.push_back({static_cast<int>(b), first, slots_[b].count});
            offset_[b] = first;
            first += slots_[b].count;
            slots_[b] = {};
        }
        at_ = 0;
        live_.clear();
    }

    BufferUse next() {
        const Action& action = list_[at_++];
        BufferUse use;
        if (action.kind == ActionKind::compute) {
            for (const int from : needs_.inputs[at(action.index)]) use.read.push_back(read({from, action.micro_batch}));
            use.written = write({action.index, action.micro_batch});
        } else {
            const Value value{program_.routes[at(action.index)].from, action.micro_batch};
            if (action.kind == ActionKind::send) {
                use.read.push_back(read(value));
            } else {
                use.written = write(value);
            }
        }
        return use;
    }

    std::vector<BufferPool> pools_;

private:
    struct Slots {
        int count = 0;
        std::priority_queue<int, std::vector<int>, std::greater<>> free;
    };
    struct Live {
        int slot = 0;
        int uses = 0;
    };

    int write(const Value& value) {
        const std::size_t block = at(value.first);
        if (needs_.uses[block] == 0) return -1;
        Slots& slots = slots_[block];
        if (slots.free.empty()) slots.free.push(slots.count++);
        const int slot = slots.free.top();
        slots.free.pop();
        live_[value] = {slot, needs_.uses[block]};
        return offset_[block] + slot;
    }

    int read(const Value& value) {
        const auto found = live_.find(value);
        if (found == live_.end()) return -1;
        const int slot = found->second.slot;
        if (--found->second.uses == 0) {
            slots_[at(value.first)].free.push(slot);
            live_.erase(found);
        }
        return offset_[at(value.first)] + slot;
    }

    const Program& program_;
    const std::vector<Action>& list_;
    const Needs needs_;
    std::vector<Slots> slots_;  // by block
    std::vector<int> offset_;   // by block
    std::unordered_map<Value, Live, ValueHash> live_;
    std::size_t at_ = 0;
};

BufferPlan::BufferPlan(const Problem& problem, const Program& program, int device)
    : impl_(std::make_unique<Impl>(problem, program, device)) {}
BufferPlan::~BufferPlan() = default;
const std::vector<BufferPool>& BufferPlan::pools() const { return impl_->pools_; }
BufferUse BufferPlan::next() { return impl_->next(); }

std::string find_buffer_fault(const Problem& problem, const Program& program, int device,
                              const std::vector<BufferUse>& uses) {
    const Needs needs(problem, program, device);
    struct Held {
        Value value;
        int uses = 0;
    };
    std::map<int, Held> buffers;
    const std::string who = device_label(problem, device);
    const auto named = [&](const Value& value) { return label(problem, value.first, value.second); };
    const auto read = [&](int buffer, const Value& value, const std::string& what) -> std::string {
        const auto found = buffers.find(buffer);
        if (found == buffers.end() || found->second.value != value) {
            return who + ": " + what + " reads " + named(value) + " from buffer " + std::to_string(buffer) +
                   ", which holds " + (found == buffers.end() ? "nothing" : named(found->second.value));
        }
        if (--found->second.uses == 0) buffers.erase(found);
        return {};
    };
    const auto write = [&](int buffer, const Value& value) -> std::string {
        if (needs.uses[at(value.first)] == 0) return {};
        if (buffer < 0) return who + ": " + named(value) + " is needed later and has no buffer";
        const auto [place, fresh] = buffers.try_emplace(buffer, Held{value, needs.uses[at(value.first)]});
        if (fresh) return {};
        return who + ": " + named(value) + " goes to buffer " + std::to_string(buffer) + ", which still holds " +
               named(place->second.value);
    };
    const std::vector<Action>& list = program.devices[at(device)];
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Action& action = list[k];
        const BufferUse& use = uses[k];
        std::string fault;
        if (action.kind == ActionKind::receive) {
            fault = write(use.written, {program.routes[at(action.index)].from, action.micro_batch});
        } else if (action.kind == ActionKind::send) {
            const Value value{program.routes[at(action.index)].from, action.micro_batch};
            fault = read(use.read.empty() ? -1 : use.read.front(), value, "the send");
        } else {
            const std::string what = label(problem, action.index, action.micro_batch);
            const std::vector<int>& inputs = needs.inputs[at(action.index)];
            if (use.read.size() != inputs.size()) {
                return who + ": " + what + " reads " + std::to_string(use.read.size()) +
                       " buffers, but needs the data of " + std::to_string(inputs.size()) + " blocks";
            }
            for (std::size_t i = 0; i < inputs.size() && fault.empty(); ++i)
                fault = read(use.read[i], {inputs[i], action.micro_batch}, what);
            if (fault.empty()) fault = write(use.written, {action.index, action.micro_batch});
        }
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace repetend
