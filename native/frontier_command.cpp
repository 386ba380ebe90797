// `repetend frontier`: what memory buys.
#include <algorithm>
#include <utility>

#include "commands.hpp"
#include "exit_status.hpp"
#include "frontier_plot.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "repetend/session/frontier.hpp"
#include "report.hpp"
#include "runner.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

std::string number_or(const std::optional<Ticks>& value, std::string_view otherwise) {
    return value ? std::to_string(*value) : std::string(otherwise);
}

std::string frontier_json(const Frontier& frontier, const Problem& problem, Memory unit, double seconds) {
    std::string text =
        "{\n  \"format\": \"repetend.frontier\",\n  \"version\": 1,\n  \"problem\": " + json_text(problem.name) +
        ",\n  \"micro_batches\": " + std::to_string(frontier.micro_batches()) +
        ",\n  \"capacity_unit\": " + std::to_string(unit) +
        ",\n  \"resolution\": " + std::to_string(frontier.resolution() / unit) +
        ",\n  \"stop\": " + json_text(to_string(frontier.stop_reason())) + ",\n  \"points\": [";
    bool first = true;
    for (const FrontierPoint& point : frontier.points()) {
        text += first ? "\n" : ",\n";
        first = false;
        text += "    {\"capacity\": " + std::to_string(point.capacity / unit) +
                ", \"period\": " + number_or(point.period, "null") + ", \"copies\": " + std::to_string(point.copies) +
                ", \"period_optimal\": " + (point.period_optimal ? "true" : "false") +
                ", \"makespan\": " + number_or(point.makespan, "null") +
                ", \"makespan_lower_bound\": " + std::to_string(point.makespan_lower_bound) +
                ", \"makespan_optimal\": " + (point.makespan_optimal ? "true" : "false") + "}";
    }
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%.3f", seconds);
    return text + "\n  ],\n  \"search\": {\"nodes\": " + std::to_string(frontier.nodes()) + ", \"seconds\": " + buffer +
           ", \"version\": \"" REPETEND_VERSION "\"}\n}\n";
}

std::string frontier_csv(const Frontier& frontier, Memory unit) {
    std::string text = "capacity,period,copies,period_optimal,makespan,makespan_lower_bound,makespan_optimal\n";
    for (const FrontierPoint& point : frontier.points()) {
        text += std::to_string(point.capacity / unit) + ',' + number_or(point.period, "") + ',' +
                std::to_string(point.copies) + ',' + (point.period_optimal ? "true" : "false") + ',' +
                number_or(point.makespan, "") + ',' + std::to_string(point.makespan_lower_bound) + ',' +
                (point.makespan_optimal ? "true" : "false") + '\n';
    }
    return text;
}

std::string period_cell(const Problem& problem, const FrontierPoint& point) {
    if (!point.period) return "-";
    std::string text = short_time(problem, *point.period);
    if (point.copies > 1) text += "/" + std::to_string(point.copies);
    return text;
}

std::string proof_cell(const Problem& problem, const FrontierPoint& point) {
    std::string text = !point.period          ? "nothing repeats"
                       : point.period_optimal ? "period proved"
                                              : "period at least " + short_time(problem, point.period_lower_bound);
    if (point.makespan_optimal) text += ", makespan proved";
    return text;
}

std::string frontier_table(const Frontier& frontier, const Problem& problem, const CapacityScale& scale, double seconds,
                           const ReportStyle& style) {
    const std::string title = problem.name.empty() ? plural(problem.num_devices(), "device", "devices") : problem.name;
    std::string text =
        wrapped("What memory buys: " + printable(title) + ", N = " + std::to_string(frontier.micro_batches()) +
                    "; one capacity for every device that holds memory",
                style.columns, 0) +
        "\n\n";
    std::vector<std::vector<std::string>> rows = {{scale.name, "period", "makespan", "bound", "gap", ""}};
    for (const FrontierPoint& point : frontier.points()) {
        const bool found = point.makespan.has_value();
        rows.push_back(
            {scale.unit == 1 ? short_memory(problem, point.capacity) : std::to_string(point.capacity / scale.unit),
             period_cell(problem, point), found ? short_time(problem, *point.makespan) : "-",
             point.makespan_lower_bound > 0 ? short_time(problem, point.makespan_lower_bound) : "-",
             found ? percent(gap_share(*point.makespan, point.makespan_lower_bound)) : "-",
             proof_cell(problem, point)});
    }
    text += aligned_table(rows, 0, 1) + '\n';
    if (const Memory resolution = frontier.resolution(); resolution > 0) {
        text +=
            wrapped("Capacities at which something improves, each to within " + memory_text(problem, resolution) + '.',
                    style.columns, 0) +
            '\n';
    }
    if (frontier.stop_reason() != StopReason::finished) {
        text += "Stopped (" + std::string(to_string(frontier.stop_reason())) + "): the table is not complete.\n";
    }
    text += count_text(frontier.nodes()) + " nodes, " + seconds_text(seconds) + '\n';
    return text;
}

CapacityScale scale_of(const ProblemInput& input) {
    CapacityScale scale;
    scale.unit = input.memory_unit;
    scale.name = "capacity";
    if (input.memory_unit > 1) scale.name += " (activations)";
    return scale;
}

std::string frontier_text(const Invocation& invocation, const Frontier& frontier, const ProblemInput& input,
                          double seconds) {
    const CapacityScale scale = scale_of(input);
    if (invocation.options.flag("json")) return frontier_json(frontier, input.problem, scale.unit, seconds);
    if (invocation.options.flag("csv")) return frontier_csv(frontier, scale.unit);
    if (invocation.options.flag("svg")) {
        return frontier_svg(input.problem, frontier.micro_batches(), frontier.points(), scale);
    }
    return frontier_table(frontier, input.problem, scale, seconds, report_style(invocation));
}

// --memory is the highest capacity looked at: one number, since the frontier is about one.
std::optional<Fault> take_highest(const Invocation& invocation, Memory unit, std::optional<Memory>& highest) {
    const auto amounts = invocation.options.amounts("memory");
    if (amounts.size() > 1) {
        return Fault{FaultCode::usage, "--memory", "one capacity for all devices is expected: the highest to look at"};
    }
    if (amounts.size() == 1 && amounts.front()) {
        if (*amounts.front() > largest_number / unit) return Fault{FaultCode::usage, "--memory", "is too large"};
        highest = *amounts.front() * unit;
    }
    return std::nullopt;
}

}  // namespace

int run_frontier(const Invocation& invocation) {
    int forms = 0;
    for (const std::string_view form : {"json", "csv", "svg"}) forms += invocation.options.flag(form) ? 1 : 0;
    if (forms > 1) {
        complain("frontier", "give one of --json, --csv and --svg");
        return exit_usage;
    }
    Loaded<ProblemInput> input = load_problem(invocation);
    if (!input) return input.exit_status();
    FrontierOptions options;
    options.search = search_options(invocation.options);
    options.unit = input->memory_unit;
    if (const auto fault = take_highest(invocation, options.unit, options.highest)) return complain("", Faults{*fault});
    if (!output_is_writable(invocation)) return exit_failure;

    Result<Frontier> started = Frontier::start(input->problem, options);
    if (!started) return complain_about(*input, invocation, started.faults());
    Frontier frontier = std::move(*started);
    watch_interrupts();
    const Clock clock(invocation);
    ProgressReporter progress(invocation, input->problem);
    const auto reason = drive(
        clock, [&](std::int64_t work) { return frontier.step(work); },
        [&] {
            if (progress.due(clock.seconds())) progress.update(frontier.progress(), clock.seconds());
        });
    if (reason) frontier.stop(*reason);
    progress.finish();

    const bool interrupted = frontier.stop_reason() == StopReason::interrupted;
    const bool empty = frontier.points().empty();
    if (empty && !frontier.infeasible_reason().empty()) {
        complain(input->label, "infeasible: " + frontier.infeasible_reason());
    } else if (empty) {
        complain(input->label, "nothing found before the limit was reached");
    }
    const int status = interrupted                            ? exit_interrupted
                       : !empty                               ? exit_good
                       : frontier.infeasible_reason().empty() ? exit_nothing_found
                                                              : exit_infeasible;
    return write_output(invocation, frontier_text(invocation, frontier, *input, clock.seconds()), status);
}

}  // namespace repetend::native
