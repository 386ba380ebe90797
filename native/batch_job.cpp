#include "batch_job.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include "files.hpp"
#include "profile_build.hpp"
#include "progress.hpp"
#include "repetend/cost/profile.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/share.hpp"
#include "repetend/presets.hpp"
#include "runner.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

std::string told(const Faults& faults) {
    std::string text;
    for (const Fault& fault : faults) text += (text.empty() ? "" : "; ") + to_string(fault);
    return text;
}

struct JobProblem {
    std::optional<Problem> problem;
    std::string error;
};

JobProblem refused(const Faults& faults) { return {std::nullopt, told(faults)}; }

JobProblem problem_of_file(const SweepCombination& combination) {
    const ReadText text = read_file(combination.file);
    if (!text.text) return {std::nullopt, combination.file + ": " + text.error};
    Result<Problem> problem = read_problem(*text.text);
    if (!problem) return {std::nullopt, combination.file + ": " + told(problem.faults())};
    for (const char* name : {"devices", "forward", "backward", "weight", "gang", "lag", "chunks", "inference"}) {
        if (combination.values.has(name)) {
            return {std::nullopt, std::string("--") + name + ": goes with --preset, not with a file"};
        }
    }
    Faults faults = set_capacities(*problem, combination.values.amounts("memory"), 1);
    if (!faults.empty()) return refused(faults);
    if (const auto count = combination.values.integer("micro-batches")) problem->micro_batches = count;
    return {std::move(*problem), ""};
}

JobProblem problem_of(const SweepCombination& combination) {
    const OptionValues& values = combination.values;
    const int sources =
        (combination.file.empty() ? 0 : 1) + (values.has("preset") ? 1 : 0) + (wants_profile(values) ? 1 : 0);
    if (sources != 1) {
        return {std::nullopt, sources == 0 ? "nothing to search: a file, a preset or a model is missing"
                                           : "give one of a file, a preset and a model"};
    }
    if (!combination.file.empty()) return problem_of_file(combination);
    if (values.has("preset")) {
        Result<Problem> problem = build_preset(values.text("preset"), placement_options(values));
        if (!problem) return refused(problem.faults());
        return {std::move(*problem), ""};
    }
    Result<BuiltProfile> built = build_profile_of(values);
    if (!built) return refused(built.faults());
    return {std::move(built->profile.problem), ""};
}

std::string fixed_text(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string or_null(const std::optional<Ticks>& value) { return value ? std::to_string(*value) : "null"; }

std::string amounts_text(const std::vector<Memory>& amounts) {
    std::string text = "[";
    for (const Memory amount : amounts) text += (text.size() > 1 ? ", " : "") + std::to_string(amount);
    return text + ']';
}

// Members of one JSON object on one line.
class Line {
public:
    void raw(const char* name, const std::string& json) {
        text_ += text_.empty() ? "{" : ", ";
        text_ += json_text(name) + ": " + json;
    }
    void text(const char* name, const std::string& value) { raw(name, json_text(value)); }
    std::string take() { return text_ + "}\n"; }

private:
    std::string text_;
};

std::string bubble_text(const Problem& problem, const SearchResult& result) {
    if (!result.measures) return "null";
    std::string steady = "null";
    if (result.period && *result.period > 0) {
        steady = fixed_text("%.6f", 1 - static_cast<double>(most_work_ticks(problem)) * result.copies /
                                            static_cast<double>(*result.period));
    }
    return "{\"steady\": " + steady + ", \"makespan\": " + fixed_text("%.6f", result.measures->bubble_makespan) +
           ", \"span\": " + fixed_text("%.6f", result.measures->bubble_span) + "}";
}

// What a GPU holds at its peak, by part, on the device that comes nearest to its capacity.
std::string memory_parts(const Problem& problem, const cost::ProfileFacts& facts, const std::vector<Memory>& peak) {
    std::size_t fullest = 0;
    const std::size_t count = std::min(facts.memory.size(), peak.size());
    for (std::size_t d = 1; d < count; ++d) {
        if (peak[d] > peak[fullest]) fullest = d;
    }
    if (count == 0) return "null";
    const cost::MemoryTerms& memory = facts.memory[fullest];
    return "{\"device\": " + std::to_string(fullest) + ", \"weights\": " + fixed_text("%.0f", memory.weight_bytes) +
           ", \"gradients\": " + fixed_text("%.0f", memory.gradient_bytes) +
           ", \"optimizer\": " + fixed_text("%.0f", memory.optimizer_bytes) +
           ", \"activations\": " + std::to_string(peak[fullest] - problem.devices[fullest].memory_static) + "}";
}

void add_result(Line& line, const Problem& problem, const SearchResult& result) {
    line.raw("error", "null");
    line.text("status", std::string(to_string(result.status)));
    line.text("stop", std::string(to_string(result.stop)));
    line.raw("period", or_null(result.period));
    line.raw("copies", std::to_string(result.copies));
    line.raw("period_lower_bound", std::to_string(result.period_lower_bound));
    line.raw("period_optimal", result.period_optimal ? "true" : "false");
    line.raw("makespan", or_null(result.makespan));
    line.raw("makespan_lower_bound", std::to_string(result.makespan_lower_bound));
    line.raw("makespan_optimal", result.makespan_optimal ? "true" : "false");
    line.raw("micro_batches", std::to_string(result.micro_batches));
    line.raw("bubble", bubble_text(problem, result));
    line.raw("peak_memory", result.measures ? amounts_text(result.measures->peak_memory) : "null");
    line.text("time_unit", problem.time_unit.empty() ? "tick" : problem.time_unit);
    if (!result.infeasible_reason.empty()) line.text("reason", result.infeasible_reason);
    const std::optional<cost::ProfileFacts> facts = cost::facts_of(problem);
    if (!facts) return;
    line.text("placement", facts->placement);
    line.raw("gpus", std::to_string(facts->gpus));
    if (!result.makespan) return;
    const cost::Throughput rates = cost::throughput(*facts, result.micro_batches, *result.makespan);
    line.raw("iteration_seconds", fixed_text("%.9f", rates.iteration_s));
    line.raw("tokens_per_second", fixed_text("%.3f", rates.tokens_per_s));
    line.raw("samples_per_second", fixed_text("%.6f", rates.samples_per_s));
    line.raw("model_flops_utilisation", fixed_text("%.6f", rates.model_flops_utilisation));
    if (result.measures) line.raw("memory_parts", memory_parts(problem, *facts, result.measures->peak_memory));
}

void add_error(Line& line, const std::string& error) {
    line.text("error", error);
    for (const char* name :
         {"status", "stop", "period", "copies", "period_lower_bound", "period_optimal", "makespan",
          "makespan_lower_bound", "makespan_optimal", "micro_batches", "bubble", "peak_memory", "link"}) {
        line.raw(name, "null");
    }
}

// Empty, or why the result could not be kept.
std::string write_schedule_of(const std::string& folder, const std::string& id, const Problem& problem,
                              const SearchResult& result, double seconds) {
    if (folder.empty() || !result.schedule) return {};
    const std::string path = folder + "/" + id + ".json";
    const std::string error = write_file(path, write_result(problem, result, seconds, REPETEND_VERSION));
    return error.empty() ? error : path + ": " + error;
}

constexpr std::size_t longest_line_link = 8000;  // what browsers and chats still take

// How to open a combination in the explorer: its preset with the options, else its problem; none when that gets long.
std::string link_of(const SweepCombination& combination, const Problem& problem) {
    Recipe recipe;
    const bool preset = combination.values.has("preset") && !combination.values.has("model");
    for (const auto& [name, text] : combination.values.given()) {
        const OptionRow* row = find_option(name);
        if (row == nullptr || !travels_in_links(*row)) continue;
        // A packed problem holds all that made it.
        if (!preset && row->group == OptionGroup::preset && name != "micro-batches") continue;
        if (recipe.options.set(name, text)) return "null";
    }
    if (preset) {
        recipe.preset = combination.values.text("preset");
    } else {
        recipe.problem = problem;
    }
    const std::string link = write_address(recipe);
    return link.size() > longest_line_link ? "null" : json_text(link);
}

// False when it was interrupted.
bool search_into(Line& line, const SweepCombination& combination, const std::string& schedules) {
    const JobProblem made = problem_of(combination);
    if (!made.problem) {
        add_error(line, made.error);
        return true;
    }
    Invocation invocation;
    invocation.options = combination.values;
    invocation.options.set("progress", "never");
    if (!combination.values.has("budget") && !combination.values.has("timeout")) {
        invocation.options.set("budget", std::to_string(standard_budget));
    }
    ProgressReporter silent(invocation, *made.problem);
    const Result<RunOutcome> outcome = run_sessions(*made.problem, invocation, silent);
    if (!outcome) {
        add_error(line, told(outcome.faults()));
        return true;
    }
    if (outcome->result.stop == StopReason::interrupted) return false;
    const std::string error =
        write_schedule_of(schedules, combination.id, *made.problem, outcome->result, outcome->seconds);
    if (error.empty()) {
        add_result(line, *made.problem, outcome->result);
        line.raw("link", link_of(combination, *made.problem));
    } else {
        add_error(line, error);
    }
    return true;
}

// One combination that goes wrong must not take the others with it.
Line failed_line(const SweepCombination& combination, const std::string& error) {
    Line line;
    line.text("id", combination.id);
    line.raw("inputs", combination.inputs);
    add_error(line, error);
    return line;
}

}  // namespace

std::optional<std::string> run_job(const SweepCombination& combination, const std::string& schedules) {
    const auto start = std::chrono::steady_clock::now();
    Line line;
    line.text("id", combination.id);
    line.raw("inputs", combination.inputs);
    try {
        if (!search_into(line, combination, schedules)) return std::nullopt;
    } catch (const std::bad_alloc&) {
        line = failed_line(combination, "out of memory");
    } catch (const std::exception& error) {
        line = failed_line(combination, std::string("internal error: ") + error.what());
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    line.raw("seconds", fixed_text("%.3f", seconds));
    return line.take();
}

}  // namespace repetend::native
