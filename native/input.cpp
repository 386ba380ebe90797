#include "input.hpp"

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "exit_status.hpp"
#include "files.hpp"
#include "gzip.hpp"
#include "messages.hpp"
#include "profile_build.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/presets.hpp"

namespace repetend::native {
namespace {

constexpr std::size_t most_unzipped_bytes = std::size_t{1} << 30;  // as for files that are not packed

// Options that build a preset and mean nothing for a file.
constexpr std::string_view building_options[] = {"devices", "forward", "backward", "weight",
                                                 "gang",    "lag",     "chunks",   "inference"};

Loaded<ProblemInput> problem_of_preset(const Invocation& invocation, const std::string& name) {
    PlacementOptions options = placement_options(invocation.options);
    Result<Problem> problem = build_preset(name, options);
    if (!problem) return complain("--preset", problem.faults());
    ProblemInput input;
    input.problem = std::move(*problem);
    input.label = name;
    // Asked of the preset itself, which alone knows whether its backward is split.
    options.memory = {Memory{1}};
    if (const Result<Problem> measured = build_preset(name, options)) {
        input.memory_unit = measured->devices.front().memory_capacity.value_or(1);
    }
    return input;
}

Loaded<ProblemInput> problem_of_file(const Invocation& invocation, const std::string& path) {
    Faults faults;
    for (const std::string_view name : building_options) {
        if (invocation.options.has(name)) {
            faults.push_back({FaultCode::usage, "--" + std::string(name), "goes with --preset, not with a FILE"});
        }
    }
    if (!faults.empty()) return complain("", faults);
    Loaded<Problem> problem = load_problem_file(path);
    if (!problem) return problem.exit_status();
    ProblemInput input;
    input.problem = std::move(*problem);
    input.label = input_label(path);
    const Faults wrong = set_capacities(input.problem, invocation.options.amounts("memory"), 1);
    if (!wrong.empty()) return complain("", wrong);
    if (const auto micro_batches = invocation.options.integer("micro-batches")) {
        input.problem.micro_batches = micro_batches;
    }
    return input;
}

Loaded<ProblemInput> problem_of_profile(const Invocation& invocation) {
    Result<BuiltProfile> built = build_profile_of(invocation.options);
    if (!built) return complain("", built.faults());
    if (!built->note.empty() && !invocation.options.flag("quiet")) complain("", built->note);
    ProblemInput input;
    input.problem = std::move(built->profile.problem);
    input.label = input.problem.name;
    return input;
}

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

}  // namespace

bool can_be_followed(const ScheduleInput& input) {
    if (!input.obstacle.empty()) complain(input.label, "not a valid schedule: " + input.obstacle);
    return input.obstacle.empty();
}

Loaded<std::string> needed_word(const Invocation& invocation, std::string_view command, std::string_view what) {
    if (!invocation.words.empty()) return invocation.words.front();
    complain(command, std::string(what) + " is missing; usage: repetend " + std::string(command) + ' ' +
                          std::string(find_command(command)->arguments));
    return exit_usage;
}

Loaded<std::string> load_text(const std::string& path) {
    ReadText answer = read_file(path);
    if (!answer.text) {
        complain(input_label(path), answer.error);
        return answer.too_large ? exit_bad_input : exit_failure;
    }
    if (!is_gzip(*answer.text)) return std::move(*answer.text);
    Unzipped unzipped = gunzip(*answer.text, most_unzipped_bytes);
    if (unzipped.text) return std::move(*unzipped.text);
    complain(input_label(path), unzipped.error);
    return exit_bad_input;
}

Loaded<Problem> load_problem_file(const std::string& path) {
    Loaded<std::string> text = load_text(path);
    if (!text) return text.exit_status();
    Result<Problem> problem = read_problem(*text);
    if (!problem) return complain(input_label(path), problem.faults());
    return std::move(*problem);
}

int complain_about(const ProblemInput& input, const Invocation& invocation, Faults faults) {
    for (Fault& fault : faults) {
        if (fault.path == "micro_batches" && invocation.options.has("micro-batches")) fault.path = "--micro-batches";
    }
    return complain(input.label, faults);
}

Loaded<ProblemInput> load_problem(const Invocation& invocation) {
    const bool preset = invocation.options.has("preset");
    if (wants_profile(invocation.options)) {
        if (preset || !invocation.words.empty()) {
            complain("--model", "goes with neither a FILE nor --preset");
            return exit_usage;
        }
        return problem_of_profile(invocation);
    }
    if (preset && !invocation.words.empty()) {
        complain(invocation.words.front(), "give a FILE or --preset, not both");
        return exit_usage;
    }
    if (preset) return problem_of_preset(invocation, invocation.options.text("preset"));
    if (invocation.words.empty()) {
        complain("", "a FILE or --preset NAME is missing (`repetend presets` lists the presets)");
        return exit_usage;
    }
    return problem_of_file(invocation, invocation.words.front());
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
        if (looks_like_torch_csv(text)) return "torch-csv";
    }
    if (text.find("\"traceEvents\"") != std::string::npos) return "trace";
    if (text.find("\"ndevs\"") != std::string::npos) return "tessel";
    return "schedule";
}

Loaded<ScheduleInput> read_schedule_text(const Invocation& invocation, const std::string& format,
                                         const std::string& text) {
    ScheduleInput input;
    input.label = input_label(invocation.words.front());
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
    if (given) {
        // The schedule is judged by the problem that was asked for: its blocks are found by their names.
        Result<Schedule> moved = rename_blocks(input.problem, input.schedule, *given);
        if (!moved) return complain(input.label, moved.faults());
        input.schedule = std::move(*moved);
        input.problem = std::move(*given);
    }
    return input;
}

Loaded<ScheduleInput> load_schedule(const Invocation& invocation) {
    Loaded<std::string> text = load_text(invocation.words.front());
    if (!text) return text.exit_status();
    return load_schedule(invocation, std::move(*text));
}

Loaded<ScheduleInput> load_schedule(const Invocation& invocation, std::string text) {
    const std::string format = invocation.options.has("from") ? invocation.options.text("from") : tell_format(text);
    if (format == "problem") {
        // Read as a schedule it says of itself what it is.
        const Result<ProblemSchedule> refused = read_schedule(text);
        if (!refused) return complain(input_label(invocation.words.front()), refused.faults());
    }
    Loaded<ScheduleInput> input = read_schedule_text(invocation, format, text);
    // Another problem than the document's own makes another schedule of it; its claims are then no longer about that.
    if (input && format == "schedule" && !invocation.options.has("problem")) input->text = std::move(text);
    return input;
}

}  // namespace repetend::native
