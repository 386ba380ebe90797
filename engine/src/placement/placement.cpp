// The door of the room: checks the options once for all families, lets the family build its blocks and edges,
// then sets capacities and names.
#include "repetend/placement/placement.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "placement/family.hpp"

namespace repetend {

namespace {

using placement::Costs;
using placement::Family;
using placement::Sketch;

const std::vector<Family>& families() {
    using namespace placement;
    static const std::vector<Family> all = {family_v(),         family_x(),    family_m(),           family_nn(),
                                            family_nn_eager(),  family_k(),    family_mllm(),        family_finetune(),
                                            family_alphafold(), family_zb_v(), family_interleaved(), family_v_split()};
    return all;
}

Fault usage(std::string option, std::string message) {
    return {FaultCode::usage, std::move(option), std::move(message)};
}

// Takes an option if it is given, or notes a fault when it lies outside its bounds.
class OptionReader {
public:
    explicit OptionReader(Faults& faults) : faults_(faults) {}

    std::int64_t read(const char* option, std::optional<std::int64_t> given, std::int64_t otherwise, std::int64_t least,
                      std::int64_t most) {
        if (!given) return otherwise;
        if (*given < least || *given > most) {
            faults_.push_back(usage(
                option, std::to_string(*given) + " is outside " + std::to_string(least) + ".." + std::to_string(most)));
            return otherwise;
        }
        return *given;
    }

private:
    Faults& faults_;
};

// Blocks of one micro-batch; the arguments are bounded, so this cannot overflow.
std::int64_t count_blocks(const Family& family, const Costs& costs) {
    std::int64_t per_device = family.forwards_per_device;
    if (costs.training) per_device += family.backwards_per_device * (costs.split() ? 2 : 1);
    if (family.chunked) per_device *= costs.chunks;
    return per_device * costs.devices + family.gangs;
}

void check_uses(const Family& family, const PlacementOptions& options, Faults& faults) {
    const std::string& name = family.info.name;
    if (options.chunks && !family.chunked) {
        faults.push_back(usage("--chunks", "`" + name + "` has a fixed number of chunks a device"));
    }
    if (options.gang && family.gangs == 0) {
        faults.push_back(usage("--gang", "`" + name + "` has no block on all devices"));
    }
    if (!options.inference) return;
    if (!family.info.has_inference) {
        faults.push_back(usage("--inference", "`" + name + "` has no inference variant"));
    }
    if (options.backward) faults.push_back(usage("--backward", "inference has no backward blocks"));
    if (options.weight.value_or(0) > 0) faults.push_back(usage("--weight", "inference has no backward blocks"));
}

Costs read_costs(const Family& family, const PlacementOptions& options, Faults& faults) {
    OptionReader reader(faults);
    const std::size_t before = faults.size();
    Costs costs;
    costs.training = !options.inference;
    costs.devices = static_cast<int>(reader.read("--devices", options.devices, 4, family.least_devices, most_devices));
    if (family.even_devices && costs.devices % 2 != 0) {
        faults.push_back(usage("--devices", "`" + family.info.name + "` needs an even number of devices, not " +
                                                std::to_string(costs.devices)));
    }
    costs.chunks = static_cast<int>(reader.read("--chunks", options.chunks, 2, 1, most_blocks));
    costs.forward = reader.read("--forward", options.forward, 1, 1, largest_number);
    costs.weight = reader.read("--weight", options.weight, family.info.splits_backward ? 1 : 0, 0, largest_number);
    costs.backward =
        reader.read("--backward", options.backward, costs.weight > 0 ? 1 : family.backward, 1, largest_number);
    costs.gang = reader.read("--gang", options.gang, 1, 1, largest_number);
    costs.lag = reader.read("--lag", options.lag, 0, 0, largest_number);
    const std::int64_t blocks = count_blocks(family, costs);
    if (faults.size() == before && blocks > most_blocks) {
        faults.push_back(usage("--devices", std::to_string(blocks) + " blocks are more than " +
                                                std::to_string(most_blocks) + ", the most that is accepted"));
    }
    return costs;
}

std::string title(const Family& family, const Costs& costs) {
    std::string text = family.info.name;
    if (costs.split() && !family.info.splits_backward) text += ", backward split";
    if (!costs.training) text += ", inference";
    text += ", " + std::to_string(costs.devices) + (costs.devices == 1 ? " device" : " devices");
    if (family.chunked) text += " of " + std::to_string(costs.chunks) + (costs.chunks == 1 ? " chunk" : " chunks");
    return text;
}

}  // namespace

Faults set_capacities(Problem& problem, const std::vector<std::optional<Memory>>& values, Memory unit) {
    if (values.empty()) return {};
    if (values.size() != 1 && values.size() != problem.devices.size()) {
        return {usage("--memory", std::to_string(values.size()) + " values for " +
                                      std::to_string(problem.devices.size()) +
                                      " devices; give one for all, or one each")};
    }
    for (const std::optional<Memory>& value : values) {
        if (value && (*value < 0 || *value > largest_number / unit)) {
            return {
                usage("--memory", std::to_string(*value) + " is outside 0.." + std::to_string(largest_number / unit))};
        }
    }
    for (std::size_t device = 0; device < problem.devices.size(); ++device) {
        const std::optional<Memory>& value = values.size() == 1 ? values.front() : values[device];
        problem.devices[device].memory_capacity = value ? std::optional<Memory>(*value * unit) : std::nullopt;
    }
    return {};
}

const std::vector<PlacementInfo>& placements() {
    static const std::vector<PlacementInfo> infos = [] {
        std::vector<PlacementInfo> list;
        for (const Family& family : families()) list.push_back(family.info);
        return list;
    }();
    return infos;
}

Result<Problem> build_placement(std::string_view name, const PlacementOptions& options) {
    const auto family = std::find_if(families().begin(), families().end(),
                                     [&](const Family& candidate) { return candidate.info.name == name; });
    if (family == families().end()) {
        std::vector<std::string> names;
        for (const PlacementInfo& info : placements()) names.push_back(info.name);
        std::string message = "there is no placement `" + std::string(name) + "`";
        const std::string near = nearest_name(name, names);
        if (!near.empty()) message += "; did you mean `" + near + "`?";
        return usage("", std::move(message));
    }

    Faults faults;
    check_uses(*family, options, faults);
    const Costs costs = read_costs(*family, options, faults);
    OptionReader reader(faults);
    const std::int64_t micro_batches = reader.read("--micro-batches", options.micro_batches, 1, 1, most_micro_batches);
    if (!faults.empty()) return faults;

    Sketch sketch(costs);
    family->build(sketch);
    Problem problem = sketch.take();
    problem.name = title(*family, costs);
    if (options.micro_batches) problem.micro_batches = micro_batches;
    if (Faults wrong = set_capacities(problem, options.memory, costs.split() ? 2 : 1); !wrong.empty()) return wrong;
    // What can still be wrong are times that are each in range but not all together.
    if (const Faults wrong = validate(problem); !wrong.empty()) return usage("", wrong.front().message);
    return problem;
}

}  // namespace repetend
