// Files that describe a problem: our own, and those of other tools.
#include <optional>
#include <string_view>
#include <utility>

#include "files.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "repetend/format/cost_tables.hpp"
#include "repetend/presets.hpp"

namespace repetend::native {
namespace {

// Options that build a preset and mean nothing for a file, unless its format leaves them open.
constexpr std::string_view building_options[] = {"devices", "chunks", "forward", "backward",
                                                 "weight",  "lag",    "loss",    "embedding"};

Faults misplaced_options(const Invocation& invocation, const std::string& format) {
    Faults faults;
    for (const std::string_view name : building_options) {
        if (format != "megatron-layout" && invocation.options.has(name)) {
            faults.push_back({FaultCode::usage, "--" + std::string(name),
                              "goes with --preset or a file that leaves it open, not with a " + format});
        }
    }
    return faults;
}

Result<ImportedProblem> read_layout(const OptionValues& options, const std::string& text) {
    const auto given = [&](std::string_view name) {
        return options.has(name) ? options.integer(name) : std::optional<std::int64_t>();
    };
    LayoutOptions layout;
    layout.devices = given("devices");
    layout.chunks = given("chunks");
    layout.micro_batches = given("micro-batches");
    layout.costs = assumed_costs(options);
    layout.embedding = given("embedding").value_or(0);
    layout.loss = given("loss").value_or(0);
    return read_megatron_layout(text, layout);
}

Result<ImportedProblem> read_any(const Invocation& invocation, const std::string& format, const std::string& text) {
    if (format == "megatron-layout") return read_layout(invocation.options, text);
    if (format == "zb-costs") return read_zb_costs(text);
    if (format == "url") {
        const Result<Recipe> recipe = read_url(text);
        if (!recipe) return recipe.faults();
        Result<Problem> problem = build_recipe(*recipe);
        if (!problem) return problem.faults();
        return ImportedProblem{std::move(*problem), {}};
    }
    if (format != "problem" && format != "schedule")
        return Fault{FaultCode::unknown, "", "looks like " + format + ", a problem was expected"};
    Result<Problem> problem = read_problem(text);
    if (!problem) return problem.faults();
    return ImportedProblem{std::move(*problem), {}};
}

}  // namespace

Faults options_of_presets_alone(const Invocation& invocation) {
    Faults faults;
    for (const std::string_view name : {"gang", "inference"}) {
        if (invocation.options.has(name))
            faults.push_back({FaultCode::usage, "--" + std::string(name), "goes with --preset, not with a FILE"});
    }
    return faults;
}

bool is_problem_format(const std::string& format) {
    return format == "problem" || format == "megatron-layout" || format == "zb-costs";
}

AssumedCosts assumed_costs(const OptionValues& options) {
    const auto given = [&](std::string_view name) {
        return options.has(name) ? options.integer(name) : std::optional<std::int64_t>();
    };
    AssumedCosts costs;
    costs.forward = given("forward");
    costs.backward = given("backward");
    costs.weight = given("weight");
    costs.lag = given("lag").value_or(0);
    return costs;
}

Loaded<ProblemInput> read_problem_text(const Invocation& invocation, const std::string& format,
                                       const std::string& text) {
    const std::string label = input_label(invocation.words.front());
    if (const Faults faults = misplaced_options(invocation, format); !faults.empty()) return complain("", faults);
    Result<ImportedProblem> imported = read_any(invocation, format, text);
    if (!imported) return complain(label, imported.faults());
    ProblemInput input;
    input.problem = std::move(imported->problem);
    input.note = std::move(imported->note);
    input.label = label;
    const Faults wrong = set_capacities(input.problem, invocation.options.amounts("memory"), 1);
    if (!wrong.empty()) return complain("", wrong);
    if (const auto micro_batches = invocation.options.integer("micro-batches")) {
        input.problem.micro_batches = micro_batches;
    }
    return input;
}

Loaded<Problem> load_problem_file(const std::string& path) {
    Loaded<std::string> text = load_text(path);
    if (!text) return text.exit_status();
    if (tell_format(*text) == "zb-costs") {
        Result<ImportedProblem> table = read_zb_costs(*text);
        if (!table) return complain(input_label(path), table.faults());
        return std::move(table->problem);
    }
    Result<Problem> problem = read_problem(*text);
    if (!problem) return complain(input_label(path), problem.faults());
    return std::move(*problem);
}

}  // namespace repetend::native
