// Every fault of a problem with its path, not only the first one. Sizes come first: a problem that is too
// large is not looked at any further. Sums are kept small enough that no sum of times, or of memory
// amounts on one device, over the blocks of one micro-batch leaves the range of the arithmetic.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "repetend/model/graph.hpp"
#include "repetend/model/problem.hpp"

namespace repetend {
namespace {

constexpr std::size_t most_named_blocks = 16;  // of a cycle, so that the message stays readable

// Sums that stop growing just above the largest number: enough to know that they are too large.
class BoundedSum {
public:
    void add(std::int64_t amount) {
        const std::int64_t size = amount < 0 ? -std::max(amount, -largest_number) : std::min(amount, largest_number);
        sum_ = std::min(sum_ + size, largest_number + 1);
    }
    bool too_large() const { return sum_ > largest_number; }

private:
    std::int64_t sum_ = 0;
};

std::string at(const char* array, std::size_t index) { return std::string(array) + "[" + std::to_string(index) + "]"; }

std::string exists_only(const char* what, std::int64_t named, std::size_t count) {
    return std::string(what) + " " + std::to_string(named) + " does not exist (there are " + std::to_string(count) +
           ")";
}

class Validation {
public:
    explicit Validation(const Problem& problem) : problem_(problem) {}

    Faults run() {
        check_sizes();
        if (!faults_.empty()) return std::move(faults_);
        if (problem_.devices.empty()) fault(FaultCode::missing, "devices", "at least one device is needed");
        if (problem_.blocks.empty()) fault(FaultCode::missing, "blocks", "at least one block is needed");
        for (std::size_t d = 0; d < problem_.devices.size(); ++d) check_device(d);
        for (std::size_t b = 0; b < problem_.blocks.size(); ++b) check_block(b);
        for (std::size_t e = 0; e < problem_.dependencies.size(); ++e) check_dependency(e);
        check_cycles();
        if (problem_.micro_batches) check_range("micro_batches", *problem_.micro_batches, 1, most_micro_batches);
        check_sums();
        return std::move(faults_);
    }

private:
    void fault(FaultCode code, std::string path, std::string message) {
        faults_.push_back(Fault{code, std::move(path), std::move(message)});
    }

    void check_range(const std::string& path, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value >= least && value <= most) return;
        fault(FaultCode::range, path,
              std::to_string(value) + " is out of range (from " + std::to_string(least) + " to " +
                  std::to_string(most) + ")");
    }

    void check_size(const char* path, std::size_t count, std::int64_t most) {
        if (count <= static_cast<std::size_t>(most)) return;
        fault(FaultCode::limit, path,
              std::to_string(count) + " entries are more than this program accepts (" + std::to_string(most) + ")");
    }

    void check_sizes() {
        check_size("devices", problem_.devices.size(), most_devices);
        check_size("blocks", problem_.blocks.size(), most_blocks);
        check_size("dependencies", problem_.dependencies.size(), most_dependencies);
    }

    void check_device(std::size_t index) {
        const Device& device = problem_.devices[index];
        const std::string path = at("devices", index);
        if (device.memory_capacity) {
            check_range(path + ".memory_capacity", *device.memory_capacity, -largest_number, largest_number);
        }
        check_range(path + ".memory_static", device.memory_static, -largest_number, largest_number);
    }

    void check_block(std::size_t index) {
        const Block& block = problem_.blocks[index];
        const std::string path = at("blocks", index);
        if (block.name.empty()) {
            fault(FaultCode::missing, path + ".name", "a block needs a name");
        } else if (const auto [first, fresh] = names_.try_emplace(block.name, index); !fresh) {
            fault(FaultCode::duplicate, path + ".name",
                  "the name \"" + block.name + "\" is already used by " + at("blocks", first->second));
        }
        if (block.stage) check_range(path + ".stage", *block.stage, -largest_number, largest_number);
        check_range(path + ".time", block.time, 1, largest_number);
        check_block_devices(block, path);
        check_amounts(block, path + ".memory", block.memory, -largest_number);
        check_amounts(block, path + ".transient", block.transient, 0);
    }

    void check_block_devices(const Block& block, const std::string& path) {
        if (block.devices.empty()) {
            fault(FaultCode::missing, path + ".devices", "a block needs at least one device");
        }
        std::map<int, std::size_t> named;
        for (std::size_t k = 0; k < block.devices.size(); ++k) {
            const int device = block.devices[k];
            const std::string place = path + at(".devices", k);
            if (device < 0 || device >= problem_.num_devices()) {
                fault(FaultCode::reference, place, exists_only("device", device, problem_.devices.size()));
            } else if (!named.try_emplace(device, k).second) {
                fault(FaultCode::duplicate, place, "device " + std::to_string(device) + " is named twice");
            }
        }
    }

    void check_amounts(const Block& block, const std::string& path, const std::vector<Memory>& amounts, Memory least) {
        if (amounts.size() != block.devices.size()) {
            fault(FaultCode::range, path,
                  std::to_string(amounts.size()) + " amounts for " + std::to_string(block.devices.size()) +
                      " devices: one for each is needed");
        }
        for (std::size_t k = 0; k < amounts.size(); ++k)
            check_range(path + at("", k), amounts[k], least, largest_number);
    }

    void check_dependency(std::size_t index) {
        const Dependency& dependency = problem_.dependencies[index];
        const std::string path = at("dependencies", index);
        const auto block_exists = [&](const char* end, int block) {
            if (block >= 0 && block < problem_.num_blocks()) return true;
            fault(FaultCode::reference, path + end, exists_only("block", block, problem_.blocks.size()));
            return false;
        };
        const bool from = block_exists(".from", dependency.from);
        const bool to = block_exists(".to", dependency.to);
        if (from && to && dependency.from == dependency.to) {
            fault(FaultCode::cycle, path, "block " + name_of(dependency.from) + " depends on itself");
        }
        check_range(path + ".lag", dependency.lag, 0, largest_number);
    }

    void check_cycles() {
        for (const std::vector<int>& cycle : find_cycles(problem_)) {
            if (cycle.size() < 2) continue;  // a block on itself: told with the dependency
            std::string words = "these blocks wait for each other: ";
            for (std::size_t k = 0; k < std::min(cycle.size(), most_named_blocks); ++k) {
                words += name_of(cycle[k]) + " -> ";
            }
            if (cycle.size() > most_named_blocks) {
                words += std::to_string(cycle.size() - most_named_blocks) + " more -> ";
            }
            fault(FaultCode::cycle, "dependencies", words + name_of(cycle.front()));
        }
    }

    void check_sums() {
        BoundedSum ticks;
        for (const Block& block : problem_.blocks) ticks.add(block.time);
        for (const Dependency& dependency : problem_.dependencies) ticks.add(dependency.lag);
        if (ticks.too_large()) {
            fault(FaultCode::range, "blocks",
                  "all times and lags together exceed " + std::to_string(largest_number) + ": use a coarser time unit");
        }
        std::vector<BoundedSum> held(problem_.devices.size());
        for (std::size_t d = 0; d < held.size(); ++d) held[d].add(problem_.devices[d].memory_static);
        for (const Block& block : problem_.blocks) {
            for (std::size_t k = 0; k < block.devices.size(); ++k) {
                const int device = block.devices[k];
                if (device < 0 || device >= problem_.num_devices()) continue;
                if (k < block.memory.size()) held[static_cast<std::size_t>(device)].add(block.memory[k]);
                if (k < block.transient.size()) held[static_cast<std::size_t>(device)].add(block.transient[k]);
            }
        }
        for (std::size_t d = 0; d < held.size(); ++d) {
            if (!held[d].too_large()) continue;
            fault(FaultCode::range, at("devices", d),
                  "all memory amounts on this device together exceed " + std::to_string(largest_number) +
                      ": use a coarser memory unit");
        }
    }

    std::string name_of(int block) const {
        const std::string& name = problem_.blocks[static_cast<std::size_t>(block)].name;
        return name.empty() ? at("blocks", static_cast<std::size_t>(block)) : name;
    }

    const Problem& problem_;
    Faults faults_;
    std::map<std::string, std::size_t> names_;
};

}  // namespace

Faults validate(const Problem& problem) { return Validation(problem).run(); }

}  // namespace repetend
