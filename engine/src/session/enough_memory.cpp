#include "session/enough_memory.hpp"

#include <algorithm>
#include <vector>

namespace repetend {

namespace {

constexpr std::size_t most_named = 4;
constexpr int most_counted_blocks = 4096;

// Peaks of one micro-batch alone, static memory not counted, and what it leaves behind, per device.
struct Held {
    std::vector<Memory> peak, left;
};

Held one_at_a_time(const Problem& problem) {
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    Held held;
    held.peak.assign(problem.devices.size(), 0);
    held.left.assign(problem.devices.size(), 0);
    std::vector<int> waits(problem.blocks.size(), 0);
    for (const Dependency& edge : problem.dependencies) ++waits[at(edge.to)];
    std::vector<std::uint8_t> done(problem.blocks.size(), 0);
    for (int left = problem.num_blocks(); left > 0; --left) {
        // Of those that may run the one that releases most, in all.
        int next = -1;
        Memory least = 0;
        for (int b = 0; b < problem.num_blocks(); ++b) {
            if (done[at(b)] || waits[at(b)] > 0) continue;
            Memory sum = 0;
            for (const int device : problem.blocks[at(b)].devices) sum += memory_on(problem.blocks[at(b)], device);
            if (next < 0 || sum < least) next = b, least = sum;
        }
        const Block& block = problem.blocks[at(next)];
        for (const int device : block.devices) {
            const Memory change = memory_on(block, device);
            Memory& now = held.left[at(device)];
            held.peak[at(device)] =
                std::max(held.peak[at(device)], now + std::max<Memory>(change, 0) + transient_on(block, device));
            now += change;
        }
        done[at(next)] = 1;
        for (const Dependency& edge : problem.dependencies)
            if (edge.from == next) --waits[at(edge.to)];
    }
    return held;
}

}  // namespace

std::string enough_memory(const Problem& problem, std::int64_t micro_batches) {
    if (problem.num_blocks() > most_counted_blocks) return "";
    const Held held = one_at_a_time(problem);
    std::string names;
    std::size_t named = 0, more = 0;
    for (int d = 0; d < problem.num_devices(); ++d) {
        const Device& device = problem.devices[static_cast<std::size_t>(d)];
        if (!device.memory_capacity) continue;
        __extension__ typedef __int128 Wide;
        const auto k = static_cast<std::size_t>(d);
        const Wide need = static_cast<Wide>(device.memory_static) + held.peak[k] +
                          static_cast<Wide>(std::max<Memory>(held.left[k], 0)) * (micro_batches - 1);
        if (need <= *device.memory_capacity) continue;
        if (need > largest_number) return "";
        if (named == most_named) {
            ++more;
            continue;
        }
        names += (named++ == 0 ? "" : ", ") + device_label(problem, d) + " with " +
                 std::to_string(static_cast<Memory>(need)) + " (it has " + std::to_string(*device.memory_capacity) +
                 ")";
    }
    if (names.empty()) return "";
    if (more > 0) names += " and " + std::to_string(more) + " more devices";
    return "enough would be " + names + ", for one micro-batch after another";
}

}  // namespace repetend
