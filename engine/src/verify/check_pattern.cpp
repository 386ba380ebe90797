// (A) of check_proof.cpp: are the given starts a periodic schedule? Levels follow from one sweep over a period: the
// level at its beginning, by counting the instances before it, then every slot in order.
#include <algorithm>

#include "verify/proof_checks.hpp"

namespace repetend::verify {

namespace {

struct Slot {
    Ticks begin;  // within [0, period)
    Ticks end;
    Memory change;
    Memory transient;
    int block;
};

std::string check_order(const PeriodProof& proof) {
    const Problem& problem = proof.problem;
    if (proof.start.size() != problem.blocks.size()) return "the schedule does not list every block";
    for (std::size_t i = 0; i < proof.start.size(); ++i) {
        const std::vector<Ticks>& start = proof.start[i];
        const std::string& name = problem.blocks[i].name;
        if (start.size() != at(proof.copies)) return "block " + name + " does not have one start per copy";
        for (const Ticks s : start)
            if (s < -largest_number || s > largest_number) return "a start of block " + name + " is out of range";
        for (std::size_t c = 0; c < start.size(); ++c) {
            const Ticks next = c + 1 < start.size() ? start[c + 1] : start[0] + proof.period;
            if (start[c] + problem.blocks[i].time > next)
                return "copies of block " + name + " overlap or are out of order";
        }
    }
    for (const Dependency& edge : problem.dependencies) {
        const Block& from = problem.blocks[at(edge.from)];
        for (std::size_t c = 0; c < at(proof.copies); ++c)
            if (proof.start[at(edge.from)][c] + from.time + edge.lag > proof.start[at(edge.to)][c])
                return "block " + problem.blocks[at(edge.to)].name + " starts before " + from.name + " allows";
    }
    return "";
}

std::string check_device(const PeriodProof& proof, int d, std::vector<Slot>& slots, Wide level) {
    const Problem& problem = proof.problem;
    std::sort(slots.begin(), slots.end(),
              [](const Slot& a, const Slot& b) { return a.begin != b.begin ? a.begin < b.begin : a.block < b.block; });
    for (std::size_t k = 0; k < slots.size(); ++k) {
        const Ticks next = k + 1 < slots.size() ? slots[k + 1].begin : slots[0].begin + proof.period;
        if (slots[k].end > next) return device_label(problem, d) + " runs two blocks at the same time";
    }
    const Device& device = problem.devices[at(d)];
    if (!device.memory_capacity) return "";
    if (device.memory_static > *device.memory_capacity)
        return device_label(problem, d) + " cannot hold its static memory";
    Wide net = 0;  // of all copies
    for (const Slot& slot : slots) net += slot.change;
    if (net > 0) return device_label(problem, d) + " keeps memory of every micro-batch, so nothing can repeat for ever";
    if (net < 0) return "";
    for (const Slot& slot : slots) {
        if (level + std::max<Memory>(slot.change, 0) + slot.transient > *device.memory_capacity)
            return device_label(problem, d) + " holds more than its capacity when " +
                   problem.blocks[at(slot.block)].name + " starts";
        level += slot.change;
    }
    return "";
}

}  // namespace

std::string check_pattern(const PeriodProof& proof) {
    if (std::string why = check_order(proof); !why.empty()) return why;
    const Problem& problem = proof.problem;
    std::vector<std::vector<Slot>> slots(problem.devices.size());
    std::vector<Wide> level;
    for (const Device& device : problem.devices) level.push_back(device.memory_static);
    for (int i = 0; i < problem.num_blocks(); ++i) {
        const Block& block = problem.blocks[at(i)];
        for (const Ticks s : proof.start[at(i)]) {
            const Ticks instances = -floor_divide(s, proof.period);  // those, from index 0, that start below 0
            const Ticks begin = s + instances * proof.period;
            for (std::size_t k = 0; k < block.devices.size(); ++k) {
                const std::size_t d = at(block.devices[k]);
                level[d] += static_cast<Wide>(block.memory[k]) * instances;
                slots[d].push_back({begin, begin + block.time, block.memory[k], block.transient[k], i});
            }
        }
    }
    for (int d = 0; d < problem.num_devices(); ++d)
        if (std::string why = check_device(proof, d, slots[at(d)], level[at(d)]); !why.empty()) return why;
    return "";
}

}  // namespace repetend::verify
