// `repetend compare`: the published schedule families and the search on one problem, in one table.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "exit_status.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/format/comparison_drawing.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "report.hpp"
#include "runner.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

struct Row {
    std::string name;
    std::string error;  // why there is no schedule
    std::optional<Ticks> period;
    int copies = 1;
    std::optional<Measures> measures;
    std::optional<Violation> violation;
    std::optional<Schedule> schedule;  // for the drawing
    bool valid() const { return measures && !violation; }
};

struct Comparison {
    const Problem& problem;
    const SearchResult& search;
    double seconds = 0;
    std::vector<Row> rows;
};

Row row_of_search(const Problem& problem, const SearchResult& search) {
    Row row;
    row.name = "search";
    row.period = search.period;
    row.copies = search.copies;
    row.measures = search.measures;
    if (search.schedule) row.violation = verify_schedule(problem, *search.schedule);
    row.schedule = search.schedule;
    if (search.status == SearchStatus::infeasible) {
        row.error = search.infeasible_reason;
    } else if (!search.measures) {
        row.error = "nothing found before the limit was reached";
    }
    return row;
}

Row row_of_baseline(const Problem& problem, const std::string& name, std::int64_t micro_batches) {
    Row row;
    row.name = name;
    const Result<Schedule> schedule = build_baseline(name, problem, micro_batches);
    if (!schedule) {
        row.error = schedule.faults().front().message;
        return row;
    }
    row.schedule = *schedule;
    row.measures = measure(problem, *schedule);
    row.violation = verify_schedule(problem, *schedule);
    if (schedule->repetend) {
        row.period = schedule->repetend->period;
        row.copies = schedule->repetend->copies;
    }
    return row;
}

std::optional<double> steady_bubble(const Problem& problem, const Row& row) {
    if (!row.period) return std::nullopt;
    return 1 - static_cast<double>(most_work_ticks(problem)) * row.copies / static_cast<double>(*row.period);
}

// Idle time as a share of the work instead of the makespan: the Megatron-LM papers' rate.
double bubble_over_work(const Row& row) { return row.measures->bubble_makespan / (1 - row.measures->bubble_makespan); }

// An invalid schedule may well end before the bound: it is no schedule.
std::optional<double> gap(const Comparison& comparison, const Row& row) {
    if (!row.valid() || comparison.search.makespan_lower_bound <= 0) return std::nullopt;
    return gap_share(row.measures->makespan, comparison.search.makespan_lower_bound);
}

std::string fixed(std::optional<double> value, std::string_view otherwise) {
    if (!value) return std::string(otherwise);
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "%.6f", *value);
    return buffer;
}

std::string number(std::optional<Ticks> value, std::string_view otherwise) {
    return value ? std::to_string(*value) : std::string(otherwise);
}

template <class Number>
std::string joined(const std::vector<Number>& values, std::string_view between) {
    std::string text;
    for (const Number value : values) text += (text.empty() ? "" : std::string(between)) + std::to_string(value);
    return text;
}

std::string json_row(const Comparison& comparison, const Row& row) {
    std::string text = "    {\"name\": " + json_text(row.name) +
                       ", \"error\": " + (row.error.empty() ? "null" : json_text(row.error)) +
                       ", \"period\": " + number(row.period, "null") + ", \"copies\": " + std::to_string(row.copies);
    if (row.measures) {
        text += ", \"makespan\": " + std::to_string(row.measures->makespan) +
                ", \"gap\": " + fixed(gap(comparison, row), "null") +
                ", \"bubble\": {\"steady\": " + fixed(steady_bubble(comparison.problem, row), "null") +
                ", \"makespan\": " + fixed(row.measures->bubble_makespan, "") +
                ", \"over_work\": " + fixed(bubble_over_work(row), "") +
                ", \"span\": " + fixed(row.measures->bubble_span, "") + "}, \"peak_memory\": [" +
                joined(row.measures->peak_memory, ", ") + "]";
    } else {
        text += ", \"makespan\": null, \"gap\": null, \"bubble\": null, \"peak_memory\": null";
    }
    text += std::string(", \"valid\": ") + (row.valid() ? "true" : "false");
    if (row.violation) text += ", \"violation\": " + json_text(row.violation->message);
    return text + "}";
}

std::string comparison_json(const Comparison& comparison) {
    const SearchResult& search = comparison.search;
    std::string text =
        "{\n  \"format\": \"repetend.comparison\",\n  \"version\": 1,\n  \"problem\": " +
        json_text(comparison.problem.name) + ",\n  \"micro_batches\": " + std::to_string(search.micro_batches) +
        ",\n  \"costs\": " + json_text(costs_text(comparison.problem)) +
        ",\n  \"copies\": " + std::to_string(search.copies) +
        ",\n  \"period_lower_bound\": " + std::to_string(search.period_lower_bound) +
        ",\n  \"makespan_lower_bound\": " + std::to_string(search.makespan_lower_bound) + ",\n  \"rows\": [";
    for (const Row& row : comparison.rows) {
        text += (&row == &comparison.rows.front() ? "\n" : ",\n") + json_row(comparison, row);
    }
    char seconds[48];
    std::snprintf(seconds, sizeof seconds, "%.3f", comparison.seconds);
    return text + "\n  ],\n  \"search\": {\"status\": " + json_text(to_string(search.status)) +
           ", \"stop\": " + json_text(to_string(search.stop)) + ", \"nodes\": " + std::to_string(search.nodes) +
           ", \"seconds\": " + seconds + ", \"version\": \"" REPETEND_VERSION "\"}\n}\n";
}

std::string csv_text(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string comparison_csv(const Comparison& comparison) {
    std::string text =
        "name,error,period,copies,makespan,gap,bubble_steady,bubble_makespan,bubble_over_work,bubble_span,peak_memory,"
        "valid,violation\n";
    for (const Row& row : comparison.rows) {
        text += csv_text(row.name) + ',' + csv_text(row.error) + ',' + number(row.period, "") + ',' +
                std::to_string(row.copies) + ',';
        if (row.measures) {
            text += std::to_string(row.measures->makespan) + ',' + fixed(gap(comparison, row), "") + ',' +
                    fixed(steady_bubble(comparison.problem, row), "") + ',' + fixed(row.measures->bubble_makespan, "") +
                    ',' + fixed(bubble_over_work(row), "") + ',' + fixed(row.measures->bubble_span, "") + ',' +
                    joined(row.measures->peak_memory, " ");
        } else {
            text += ",,,,,,";
        }
        text += std::string(",") + (row.valid() ? "true" : "false") + ',' +
                (row.violation ? csv_text(row.violation->message) : "") + '\n';
    }
    return text;
}

// One amount per device, or how far they reach where the devices are many.
std::string peaks_cell(const Problem& problem, const std::vector<Memory>& peaks) {
    constexpr std::size_t most_told_apart = 8;
    const auto [least, most] = std::minmax_element(peaks.begin(), peaks.end());
    if (*least == *most) return short_memory(problem, *most) + (peaks.size() > 1 ? " each" : "");
    if (peaks.size() > most_told_apart) return short_memory(problem, *least) + " to " + short_memory(problem, *most);
    std::string text;
    for (const Memory peak : peaks) text += (text.empty() ? "" : ", ") + short_memory(problem, peak);
    return text;
}

std::string verdict(const Row& row) {
    if (!row.violation) return "";
    return row.violation->kind == ViolationKind::memory ? "over capacity" : "invalid";
}

std::vector<std::string> cells(const Comparison& comparison, const Row& row) {
    const Problem& problem = comparison.problem;
    const auto share = [](std::optional<double> value) { return value ? percent(*value) : "-"; };
    const Measures& measures = *row.measures;
    std::string period = row.period ? short_time(problem, *row.period) : "-";
    if (row.period && row.copies > 1) period += '/' + std::to_string(row.copies);
    return {row.name,
            period,
            short_time(problem, measures.makespan),
            share(gap(comparison, row)),
            share(steady_bubble(problem, row)),
            percent(measures.bubble_makespan),
            percent(bubble_over_work(row)),
            percent(measures.bubble_span),
            peaks_cell(problem, measures.peak_memory),
            verdict(row)};
}

// What there is to say of rows, those of which the same is to be said together.
template <class Words>
void append_list(std::string& text, const std::string& heading, const std::vector<Row>& rows, const ReportStyle& style,
                 Words words_of) {
    std::vector<std::pair<std::string, std::string>> list;  // words, names
    for (const Row& row : rows) {
        const std::string words = words_of(row);
        if (words.empty()) continue;
        const auto found = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.first == words; });
        if (found == list.end()) {
            list.emplace_back(words, row.name);
        } else {
            found->second += ", " + row.name;
        }
    }
    if (!list.empty()) text += '\n' + heading + '\n';
    for (const auto& [words, names] : list) {
        text += "  " + wrapped(names + ": " + printable(words), style.columns, 4) + '\n';
    }
}

std::string comparison_text(const Comparison& comparison, const ReportStyle& style) {
    const SearchResult& search = comparison.search;
    std::string text = describe_problem(comparison.problem, search.micro_batches, style) + '\n';
    std::vector<std::vector<std::string>> table = {
        {"", "period", "makespan", "gap", "steady", "bubble", "/work", "span", "peak memory", ""}};
    for (const Row& row : comparison.rows) {
        if (row.measures) table.push_back(cells(comparison, row));
    }
    if (table.size() > 1) text += aligned_table(table, 1, 2) + '\n';

    const auto line = [&](const std::string& label, const std::string& words) {
        text += labelled(label, words, style.columns);
    };
    const auto formula = [](Measure measure) {
        const std::string_view words = definition(measure);
        return std::string(words.substr(0, words.find(':')));
    };
    line("period", "for one micro-batch, or (period/copies) for several; - where nothing repeats");
    line("gap", "of the makespan to the proved bound, " + short_time(comparison.problem, search.makespan_lower_bound) +
                    "; no period is below " + short_time(comparison.problem, search.period_lower_bound) +
                    (search.copies > 1 ? " for " + std::to_string(search.copies) + " micro-batches" : ""));
    line("steady", formula(Measure::bubble_steady));
    line("bubble", formula(Measure::bubble_makespan));
    line("/work", "makespan / (N * work) - 1 on the same device");
    line("span", formula(Measure::bubble_span));
    append_list(text, "Over capacity or invalid", comparison.rows, style,
                [](const Row& row) { return row.violation ? row.violation->message : std::string(); });
    append_list(text, "Not in the table", comparison.rows, style, [](const Row& row) { return row.error; });
    if (search.stop != StopReason::finished) {
        text += "\nThe search was stopped (" + std::string(to_string(search.stop)) + ") after " +
                seconds_text(comparison.seconds) + '\n';
    }
    return text;
}

// Small multiples on one time axis. The facts are those of the table, each by its full name.
std::string comparison_svg(const Comparison& comparison) {
    const Problem& problem = comparison.problem;
    const SearchResult& search = comparison.search;
    std::vector<ComparedSchedule> strips;
    for (const Row& row : comparison.rows) {
        ComparedSchedule strip;
        strip.name = row.name;
        if (row.measures && row.schedule) {
            strip.schedule = &*row.schedule;
            strip.facts.push_back("makespan " + short_time(problem, row.measures->makespan));
            if (const auto share = gap(comparison, row)) strip.facts.push_back("gap " + percent(*share));
            if (row.period)
                strip.facts.push_back("period " + short_time(problem, *row.period) +
                                      (row.copies > 1 ? "/" + std::to_string(row.copies) : ""));
            std::string bubbles = "bubbles: ";
            if (const auto steady = steady_bubble(problem, row)) bubbles += "steady " + percent(*steady) + ", ";
            bubbles += "makespan " + percent(row.measures->bubble_makespan) + ", over work " +
                       percent(bubble_over_work(row)) + ", span " + percent(row.measures->bubble_span);
            strip.facts.push_back(bubbles);
            strip.facts.push_back("peak memory " + peaks_cell(problem, row.measures->peak_memory));
        }
        if (row.violation) strip.remark = row.violation->message;
        if (!row.error.empty()) strip.remark = row.error;
        strips.push_back(std::move(strip));
    }
    std::stable_partition(strips.begin(), strips.end(),
                          [](const ComparedSchedule& strip) { return strip.schedule != nullptr; });
    ComparisonOptions options;
    options.title = problem.name + ", " + plural(search.micro_batches, "micro-batch", "micro-batches");
    options.makespan_bound = search.makespan_lower_bound;
    const auto formula = [](Measure measure) { return std::string(definition(measure)); };
    options.notes = {"Costs used: " + costs_text(problem) + ".",
                     "Gap: of the makespan to the proved bound. Bubbles: steady, " + formula(Measure::bubble_steady) +
                         "; makespan, " + formula(Measure::bubble_makespan) +
                         "; over work, makespan / (N * work) - 1 on the same device; span, " +
                         formula(Measure::bubble_span) + "."};
    return draw_comparison(problem, strips, options);
}

// The families of --with, each once and in the order given; all of them without it.
Result<std::vector<std::string>> wanted_families(const Invocation& invocation) {
    std::vector<std::string> names;
    if (!invocation.options.has("with")) {
        for (const BaselineInfo& info : baselines()) names.push_back(info.name);
        return names;
    }
    std::string rest = invocation.options.text("with") + ',';
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        const std::string name = rest.substr(0, comma);
        rest = rest.substr(comma + 1);
        const BaselineInfo* info = find_baseline(name);
        if (info == nullptr) return build_baseline(name, Problem(), 1).faults();
        if (std::find(names.begin(), names.end(), info->name) == names.end()) names.push_back(info->name);
    }
    return names;
}

int status_of(const Comparison& comparison) {
    const auto any = [&](auto what) { return std::any_of(comparison.rows.begin(), comparison.rows.end(), what); };
    if (comparison.search.stop == StopReason::interrupted) return exit_interrupted;
    if (comparison.search.status == SearchStatus::infeasible) return exit_infeasible;
    if (any([](const Row& row) { return row.violation.has_value(); })) return exit_violation;
    return any([](const Row& row) { return row.valid(); }) ? exit_good : exit_nothing_found;
}

}  // namespace

int run_compare(const Invocation& invocation) {
    const int formats = static_cast<int>(invocation.options.flag("json")) +
                        static_cast<int>(invocation.options.flag("csv")) +
                        static_cast<int>(invocation.options.flag("svg"));
    if (formats > 1) {
        complain("compare", "give one of --json, --csv and --svg");
        return exit_usage;
    }
    const Result<std::vector<std::string>> families = wanted_families(invocation);
    if (!families) return complain("", families.faults());
    Loaded<ProblemInput> input = load_problem(invocation);
    if (!input) return input.exit_status();
    if (!output_is_writable(invocation)) return exit_failure;

    watch_interrupts();
    ProgressReporter progress(invocation, input->problem);
    const Result<RunOutcome> outcome = run_sessions(input->problem, invocation, progress);
    progress.finish();
    if (!outcome) return complain_about(*input, invocation, outcome.faults());

    Comparison comparison{input->problem, outcome->result, outcome->seconds, {}};
    comparison.rows.push_back(row_of_search(input->problem, outcome->result));
    for (const std::string& name : *families) {
        comparison.rows.push_back(row_of_baseline(input->problem, name, outcome->result.micro_batches));
    }
    const std::string text = invocation.options.flag("json")  ? comparison_json(comparison)
                             : invocation.options.flag("csv") ? comparison_csv(comparison)
                             : invocation.options.flag("svg") ? comparison_svg(comparison)
                                                              : comparison_text(comparison, report_style(invocation));
    return write_output(invocation, text, status_of(comparison));
}

}  // namespace repetend::native
