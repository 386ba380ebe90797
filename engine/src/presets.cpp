// Presets: the placement families, which are built, and the problem files, whose text is compiled in.
#include "repetend/presets.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "presets_embedded.hpp"
#include "repetend/format/json.hpp"

namespace repetend {

namespace {

std::string text_field(const Problem& problem, std::string_view name) {
    for (const auto& [field, text] : problem.extra) {
        if (field != name) continue;
        const nlohmann::json value = nlohmann::json::parse(text.data(), text.data() + text.size(), nullptr, false);
        if (value.is_string()) return value.get<std::string>();
    }
    return {};
}

std::vector<PresetInfo> list_presets() {
    std::vector<PresetInfo> list;
    for (const PlacementInfo& info : placements()) list.push_back({info.name, info.summary, info.teaches, false});
    for (const auto& [name, text] : embedded_problems()) {
        const Result<Problem> problem = read_problem(text);
        if (!problem) continue;  // build_preset says why; a test keeps every file readable
        list.push_back({std::string(name), problem->name, text_field(*problem, "x_teaches"), true});
    }
    return list;
}

// What only makes sense where the problem is built from options.
Faults refuse_building_options(std::string_view preset, const PlacementOptions& options) {
    const std::pair<const char*, bool> given[] = {
        {"--devices", options.devices.has_value()},   {"--forward", options.forward.has_value()},
        {"--backward", options.backward.has_value()}, {"--weight", options.weight.has_value()},
        {"--gang", options.gang.has_value()},         {"--lag", options.lag.has_value()},
        {"--chunks", options.chunks.has_value()},     {"--inference", options.inference},
    };
    Faults faults;
    for (const auto& [option, present] : given) {
        if (!present) continue;
        faults.push_back(
            {FaultCode::usage, option,
             "`" + std::string(preset) + "` is a fixed problem; only --micro-batches and --memory change it"});
    }
    return faults;
}

Result<Problem> from_file(std::string_view name, std::string_view text, const PlacementOptions& options) {
    Faults faults = refuse_building_options(name, options);
    Result<Problem> problem = read_problem(text);
    if (!problem) return problem.faults();
    if (options.micro_batches) {
        if (*options.micro_batches < 1 || *options.micro_batches > most_micro_batches) {
            faults.push_back(
                {FaultCode::usage, "--micro-batches",
                 std::to_string(*options.micro_batches) + " is outside 1.." + std::to_string(most_micro_batches)});
        }
        problem->micro_batches = options.micro_batches;
    }
    for (Fault& fault : set_capacities(*problem, options.memory, 1)) faults.push_back(std::move(fault));
    if (!faults.empty()) return faults;
    return problem;
}

}  // namespace

const std::vector<PresetInfo>& presets() {
    static const std::vector<PresetInfo> list = list_presets();
    return list;
}

Result<Problem> build_preset(std::string_view name, const PlacementOptions& options) {
    for (const auto& [file, text] : embedded_problems()) {
        if (file == name) return from_file(name, text, options);
    }
    std::vector<std::string> names;
    for (const PresetInfo& info : presets()) {
        if (info.name == name) return build_placement(name, options);
        names.push_back(info.name);
    }
    std::string message = "there is no preset `" + std::string(name) + "`";
    const std::string near = nearest_name(name, names);
    if (!near.empty()) message += "; did you mean `" + near + "`?";
    return Fault{FaultCode::usage, "", std::move(message)};
}

Result<Problem> build_recipe(const Recipe& recipe) {
    Result<Problem> problem = recipe.problem ? Result<Problem>(*recipe.problem)
                                             : build_preset(recipe.preset, placement_options(recipe.options));
    if (!problem) return problem;
    if (recipe.problem) {
        if (recipe.options.has("micro-batches")) problem->micro_batches = recipe.options.integer("micro-batches");
        if (Faults faults = set_capacities(*problem, recipe.options.amounts("memory"), 1); !faults.empty())
            return faults;
    }
    if (Faults faults = validate(*problem); !faults.empty()) return faults;
    return problem;
}

}  // namespace repetend
