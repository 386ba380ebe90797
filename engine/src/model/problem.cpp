// Names of kinds and sums over a problem.
#include "repetend/model/problem.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace repetend {
namespace {

constexpr std::array<std::string_view, 2> device_kind_names = {"compute", "link"};
constexpr std::array<std::string_view, 6> block_kind_names = {"forward",         "backward", "input_gradient",
                                                              "weight_gradient", "transfer", "other"};

template <class Kind, std::size_t size>
std::optional<Kind> kind_from(std::string_view text, const std::array<std::string_view, size>& names) {
    for (std::size_t k = 0; k < size; ++k) {
        if (names[k] == text) return static_cast<Kind>(k);
    }
    return std::nullopt;
}

// Position of `device` in the block's list, or -1.
int position_of(const Block& block, int device) {
    const auto found = std::find(block.devices.begin(), block.devices.end(), device);
    return found == block.devices.end() ? -1 : static_cast<int>(found - block.devices.begin());
}

}  // namespace

std::string_view to_string(DeviceKind kind) { return device_kind_names[static_cast<std::size_t>(kind)]; }
std::string_view to_string(BlockKind kind) { return block_kind_names[static_cast<std::size_t>(kind)]; }

std::optional<DeviceKind> device_kind_from(std::string_view text) {
    return kind_from<DeviceKind>(text, device_kind_names);
}
std::optional<BlockKind> block_kind_from(std::string_view text) { return kind_from<BlockKind>(text, block_kind_names); }

Memory memory_on(const Block& block, int device) {
    const int position = position_of(block, device);
    return position < 0 ? 0 : block.memory[static_cast<std::size_t>(position)];
}

Memory transient_on(const Block& block, int device) {
    const int position = position_of(block, device);
    return position < 0 ? 0 : block.transient[static_cast<std::size_t>(position)];
}

Ticks work_ticks(const Problem& problem, int device) {
    Ticks sum = 0;
    for (const Block& block : problem.blocks) {
        if (position_of(block, device) >= 0) sum += block.time;
    }
    return sum;
}

Ticks most_work_ticks(const Problem& problem) {
    std::vector<Ticks> work(problem.devices.size(), 0);
    for (const Block& block : problem.blocks) {
        for (const int device : block.devices) work[static_cast<std::size_t>(device)] += block.time;
    }
    return work.empty() ? 0 : *std::max_element(work.begin(), work.end());
}

Memory net_memory(const Problem& problem, int device) {
    Memory sum = 0;
    for (const Block& block : problem.blocks) sum += memory_on(block, device);
    return sum;
}

std::string device_label(const Problem& problem, int device) {
    const std::string& given = problem.devices[static_cast<std::size_t>(device)].name;
    return given.empty() ? "device " + std::to_string(device) : given;
}

}  // namespace repetend
