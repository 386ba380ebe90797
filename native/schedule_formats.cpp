// Files that hold a schedule, or the orders of one: our own, and those of other tools; and how they are told apart.
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "exit_status.hpp"
#include "files.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/presets.hpp"

namespace repetend::native {
namespace {

// The same operations for the blocks of `target` that have the same names.
Result<Schedule> rename_blocks(const Problem& source, const Schedule& schedule, const Problem& target) {
    std::map<std::string_view, int> index;
    std::vector<std::string> names;
    for (int b = 0; b < target.num_blocks(); ++b) {
        names.push_back(target.blocks[static_cast<std::size_t>(b)].name);
        index.emplace(target.blocks[static_cast<std::size_t>(b)].name, b);
    }
    Faults faults;
    std::vector<int> renamed;
    for (const Block& block : source.blocks) {
        const auto found = index.find(block.name);
        renamed.push_back(found == index.end() ? -1 : found->second);
        if (found != index.end()) continue;
        const std::string near = nearest_name(block.name, names);
        faults.push_back({FaultCode::reference, "",
                          "block `" + block.name + "` does not exist in the problem given with --problem" +
                              (near.empty() ? "" : "; did you mean `" + near + "`?")});
    }
    if (!faults.empty()) return faults;
    Schedule moved = schedule;
    for (Operation& operation : moved.operations) operation.block = renamed[static_cast<std::size_t>(operation.block)];
    for (OperationExtra& extra : moved.operation_extra) extra.block = renamed[static_cast<std::size_t>(extra.block)];
    const auto before = [](const OperationExtra& a, const OperationExtra& b) {
        return std::pair(a.micro_batch, a.block) < std::pair(b.micro_batch, b.block);
    };
    std::sort(moved.operation_extra.begin(), moved.operation_extra.end(), before);
    sort_operations(moved);
    return moved;
}

// A rank's row begins with gaps and then a token: `2F0`, `1RECV_F3`, `(0F3;7B1)OVERLAP_F_B`.
bool looks_like_torch_csv(std::string_view text) {
    std::size_t i = text.find_first_not_of(" \t\r\n,\xef\xbb\xbf");
    if (i == std::string_view::npos) return false;
    if (text[i] == '(') ++i;
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i > first && i < text.size() && text[i] >= 'A' && text[i] <= 'Z';
}

// E, t, m, L, bars, brackets and repeats; at least an embedding or a layer.
bool looks_like_layout(std::string_view text) {
    return text.size() < 100'000 && text.find_first_of("Et") != std::string_view::npos &&
           text.find_first_not_of("EtmL|()*,0123456789 \t\r\n") == std::string_view::npos;
}

// Start times for orders: every operation as early as they allow.
Loaded<ScheduleInput> follow(const Invocation& invocation, ScheduleInput input, OrderedPlan plan) {
    const Faults wrong = set_capacities(plan.problem, invocation.options.amounts("memory"), 1);
    if (!wrong.empty()) return complain("", wrong);
    input.problem = std::move(plan.problem);
    input.note = std::move(plan.note);
    const bool blocking = invocation.options.text("sends") == "blocking";
    const Semantics semantics = plan.program.routes.empty() ? Semantics::direct
                                : blocking                  ? Semantics::rendezvous
                                                            : Semantics::buffered;
    Execution execution = execute(input.problem, plan.program, semantics);
    input.obstacle = std::move(execution.obstacle);
    if (input.obstacle.empty()) input.obstacle = std::move(plan.obstacle);
    if (execution.schedule) input.schedule = std::move(*execution.schedule);
    input.program = std::move(plan.program);
    return input;
}

// Costs and capacities for a file that carries none; with --problem they come from there.
Faults misplaced_costs(const Invocation& invocation, const std::string& format) {
    Faults faults;
    const bool carries_none = format == "torch-csv";
    for (const std::string_view name : {"forward", "backward", "weight", "lag", "memory"}) {
        if (!invocation.options.has(name)) continue;
        if (!carries_none) {
            faults.push_back({FaultCode::usage, "--" + std::string(name),
                              "goes with files that carry no costs (torch-csv), this is " + format});
        } else if (invocation.options.has("problem") && name != "memory") {
            faults.push_back({FaultCode::usage, "--" + std::string(name), "the costs come from --problem"});
        }
    }
    return faults;
}

// The schedule as one of another problem: its blocks are found by their names.
Loaded<ScheduleInput> judge_by(Problem problem, ScheduleInput input) {
    Result<Schedule> moved = rename_blocks(input.problem, input.schedule, problem);
    if (!moved) return complain(input.label, moved.faults());
    input.schedule = std::move(*moved);
    input.problem = std::move(problem);
    return input;
}

}  // namespace

bool can_be_followed(const ScheduleInput& input) {
    if (!input.obstacle.empty()) complain(input.label, "not a valid schedule: " + input.obstacle);
    return input.obstacle.empty();
}

Result<Recipe> read_url(const std::string& text) {
    return read_link(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
}

bool url_carries_schedule(const std::string& text) {
    const Result<Recipe> recipe = read_url(text);
    return recipe && recipe->schedule;
}

std::string tell_format(const std::string& text) {
    const std::string format = document_format(text);
    if (format == "repetend.problem") return "problem";
    if (format == "repetend.instructions") return "instructions";
    if (!format.empty()) return "schedule";
    const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (first == std::string::npos || (text[first] != '{' && text[first] != '[')) {
        const std::string line = text.substr(0, text.find('\n'));
        if (line.find("micro_batch") != std::string::npos && line.find(',') != std::string::npos) return "csv";
        if (line.find("v=1&") != std::string::npos) return "url";
        if (looks_like_torch_csv(text)) return "torch-csv";
    }
    if (looks_like_layout(text)) return "megatron-layout";
    if (text.find("\"cost_f\"") != std::string::npos) return "zb-costs";
    if (text.find("\"traceEvents\"") != std::string::npos) return "trace";
    if (text.find("\"ndevs\"") != std::string::npos) return "tessel";
    return "schedule";
}

Loaded<ScheduleInput> read_schedule_text(const Invocation& invocation, const std::string& format,
                                         const std::string& text) {
    ScheduleInput input;
    input.label = input_label(invocation.words.front());
    if (is_problem_format(format)) {
        complain(input.label, "is a problem (" + format + ") and holds no schedule: search it first");
        return exit_bad_input;
    }
    if (const Faults faults = misplaced_costs(invocation, format); !faults.empty()) return complain("", faults);
    std::optional<Problem> given;
    if (invocation.options.has("problem")) {
        const std::string path = invocation.options.text("problem");
        if (path == "-" && invocation.words.front() == "-") {
            complain("--problem", "standard input cannot be both FILE and the problem");
            return exit_usage;
        }
        Loaded<Problem> problem = load_problem_file(path);
        if (!problem) return problem.exit_status();
        given = std::move(*problem);
    }
    if (format == "torch-csv") {
        Result<OrderedPlan> plan = read_torch_csv(text, given ? &*given : nullptr, assumed_costs(invocation.options));
        if (!plan) return complain(input.label, plan.faults());
        return follow(invocation, std::move(input), std::move(*plan));
    }
    if (format == "instructions") {
        Result<OrderedPlan> plan = read_instructions(text, given ? &*given : nullptr);
        if (!plan) return complain(input.label, plan.faults());
        return follow(invocation, std::move(input), std::move(*plan));
    }
    if (format == "trace") {
        Result<ProblemSchedule> traced = read_trace(text, given ? &*given : nullptr);
        if (!traced) return complain(input.label, traced.faults());
        input.problem = std::move(traced->problem);
        input.schedule = std::move(traced->schedule);
        return input;
    }
    if (format == "tessel") {
        Result<TesselPlan> plan = read_tessel(text, given ? &*given : nullptr);
        if (!plan) return complain(input.label, plan.faults());
        input.problem = std::move(plan->problem);
        input.schedule = std::move(plan->schedule);
        input.note = std::move(plan->note);
        return input;
    }
    if (format == "url") {
        const Result<Recipe> recipe = read_url(text);
        if (!recipe) return complain(input.label, recipe.faults());
        if (!recipe->schedule) {
            complain(input.label, "is a link to a search and carries no schedule: search it first");
            return exit_bad_input;
        }
        Result<Problem> problem = build_recipe(*recipe);
        if (!problem) return complain(input.label, problem.faults());
        input.problem = std::move(*problem);
        input.schedule = *recipe->schedule;
        return given ? judge_by(std::move(*given), std::move(input)) : input;
    }
    if (format == "csv") {
        if (!given) {
            complain(input.label, "a CSV file names blocks of a problem: give it with --problem FILE");
            return exit_usage;
        }
        Result<Schedule> schedule = read_csv(text, *given);
        if (!schedule) return complain(input.label, schedule.faults());
        input.problem = std::move(*given);
        input.schedule = std::move(*schedule);
        return input;
    }
    Result<ProblemSchedule> both = read_schedule(text);
    if (!both) return complain(input.label, both.faults());
    input.problem = std::move(both->problem);
    input.schedule = std::move(both->schedule);
    return given ? judge_by(std::move(*given), std::move(input)) : input;
}

}  // namespace repetend::native
