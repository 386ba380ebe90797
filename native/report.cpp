#include "report.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "exit_status.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "profile_report.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/schedule/measures.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

// More lanes than this say little on a terminal.
constexpr int most_lanes_drawn = 16;
constexpr int widest_report = 120;
constexpr int most_kinds_costed = 8;

std::string signed_number(Memory amount) { return (amount > 0 ? "+" : "") + std::to_string(amount); }

template <class T>
struct Range {
    T low{};
    T high{};
    bool any = false;
    void take(T value) {
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
};

std::string range_text(const std::string& low, const std::string& high) {
    return low == high ? low : low + " to " + high;
}

}  // namespace

std::string costs_text(const Problem& problem) {
    struct Costs {
        Range<Ticks> time;
        Range<Memory> memory, transient;
    };
    std::map<std::pair<int, int>, Costs> kinds;  // by (devices of the block, kind)
    for (const Block& block : problem.blocks) {
        Costs& costs = kinds[{static_cast<int>(block.devices.size()), static_cast<int>(block.kind)}];
        costs.time.take(block.time);
        for (const Memory memory : block.memory) costs.memory.take(memory);
        for (const Memory transient : block.transient) costs.transient.take(transient);
    }
    if (static_cast<int>(kinds.size()) > most_kinds_costed) return "of many kinds";
    std::string text;
    for (const auto& [key, costs] : kinds) {
        if (!text.empty()) text += "; ";
        text += to_string(static_cast<BlockKind>(key.second));
        std::replace(text.begin(), text.end(), '_', ' ');
        if (key.first > 1) text += " on " + std::to_string(key.first) + " devices";
        text += ' ' + range_text(short_time(problem, costs.time.low), short_time(problem, costs.time.high));
        const bool bytes = short_memory(problem, 1) != "1";
        const auto amount = [&](Memory m) { return bytes ? short_memory(problem, m) : signed_number(m); };
        if (costs.memory.low != 0 || costs.memory.high != 0) {
            text += ", memory " + range_text(amount(costs.memory.low), amount(costs.memory.high));
        }
        if (costs.transient.high != 0) {
            text += ", transient " +
                    range_text(short_memory(problem, costs.transient.low), short_memory(problem, costs.transient.high));
        }
    }
    Range<Ticks> lags;
    for (const Dependency& dependency : problem.dependencies) lags.take(dependency.lag);
    if (lags.high > 0) text += "; lags " + range_text(short_time(problem, lags.low), short_time(problem, lags.high));
    return text;
}

namespace {

std::string capacity_text(const Problem& problem, const std::optional<Memory>& capacity) {
    return capacity ? short_memory(problem, *capacity) : "unlimited";
}

// One text per device; of many devices, neighbours with the same text are put together.
std::string by_device(const std::vector<std::string>& texts) {
    constexpr std::size_t most_told_apart = 16;
    std::string list;
    for (std::size_t i = 0; i < texts.size();) {
        std::size_t end = i + 1;
        while (texts.size() > most_told_apart && end < texts.size() && texts[end] == texts[i]) ++end;
        if (!list.empty()) list += ", ";
        list += texts[i];
        if (end - i > 1) list += " (" + std::to_string(end - i) + " times)";
        i = end;
    }
    return list;
}

std::string capacities_text(const Problem& problem) {
    std::vector<std::string> texts;
    for (const Device& device : problem.devices) texts.push_back(capacity_text(problem, device.memory_capacity));
    const bool equal =
        std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts.front(); });
    if (equal) return texts.front() + (texts.size() > 1 ? " on every device" : "");
    return "by device: " + by_device(texts);
}

std::string bounded(const Problem& problem, Ticks value, Ticks bound, bool optimal) {
    std::string text = time_text(problem, value);
    if (optimal) return text + ", proved optimal";
    return text + ", lower bound " + time_text(problem, bound) + " (gap " + percent(gap_share(value, bound)) + ')';
}

std::string unrepeated_text(const Problem& problem, const RunOutcome& outcome) {
    if (!outcome.repetend) {
        return "none: nothing repeats in this schedule (no period can be below " +
               time_text(problem, outcome.result.period_lower_bound) + ')';
    }
    const auto& [period, copies, optimal] = *outcome.repetend;
    std::string text = "this schedule repeats nothing; the shortest repetend found takes " + time_text(problem, period);
    if (copies > 1) text += " for " + std::to_string(copies) + " micro-batches";
    if (optimal) text += ", proved optimal";
    return text + " (--objective period follows it)";
}

std::string period_text(const Problem& problem, const RunOutcome& outcome) {
    const SearchResult& result = outcome.result;
    if (!result.period) return unrepeated_text(problem, outcome);
    std::string text = bounded(problem, *result.period, result.period_lower_bound, result.period_optimal);
    if (result.copies > 1) {
        text += ", for " + std::to_string(result.copies) + " micro-batches together (";
        const double each = static_cast<double>(*result.period) / result.copies;
        char buffer[48];
        std::snprintf(buffer, sizeof buffer, "%.4g", each);
        text += std::string(buffer) + " each)";
    }
    return text;
}

std::string effort_text(const SearchResult& result, double seconds) {
    std::string text = plural(result.nodes, "node", "nodes") + ", " + std::to_string(result.work) + " work units, " +
                       seconds_text(seconds) + ", seed " + std::to_string(result.seed);
    if (result.threads != 1) text += ", " + std::to_string(result.threads) + " threads";
    switch (result.stop) {
        case StopReason::finished:
            return text + ", finished";
        case StopReason::timeout:
            return text + ", stopped by --timeout";
        case StopReason::budget:
            return text + ", stopped by --budget";
        case StopReason::interrupted:
            return text + ", interrupted";
    }
    return text;
}

std::string label(const ReportStyle& style, std::string_view text, const std::string& body) {
    std::string line = labelled(text, printable(body), style.columns);
    if (style.colour) line = "\x1b[1m" + std::string(text) + "\x1b[0m" + line.substr(text.size());
    return line;
}

// Lines that `labelled` must not take for control characters are already wrapped.
std::string drawing(const Problem& problem, const Schedule& schedule, const ReportStyle& style) {
    if (problem.num_devices() > most_lanes_drawn) {
        return "(" + std::to_string(problem.num_devices()) +
               " devices are too many for a drawing here: `repetend show RESULT` draws them)\n";
    }
    TextDrawingOptions options;
    options.columns = style.columns;
    options.colour = style.colour;
    options.unicode = style.unicode;
    options.measures = false;  // they stand above
    return draw_text(problem, schedule, options);
}

}  // namespace

ReportStyle report_style(const Invocation& invocation) {
    ReportStyle style;
    // What goes to a file or a pipe does not depend on the terminal that happens to be there.
    const bool seen = output_is_seen(invocation);
    const int columns = seen ? std::clamp(terminal_columns(100), 40, widest_report) : 100;
    style.columns = static_cast<int>(invocation.options.integer("columns").value_or(columns));
    const std::string when = invocation.options.text("color");
    const bool to_file = invocation.options.has("output") && when == "auto";
    style.colour = !to_file && use_colour(when);
    style.unicode = !invocation.options.flag("ascii") && use_unicode();
    return style;
}

std::string describe_problem(const Problem& problem, std::int64_t micro_batches, const ReportStyle& style) {
    std::string text = problem.name.empty() ? "" : problem.name + ": ";
    text += plural(problem.num_blocks(), "block", "blocks") + " a micro-batch on " +
            plural(problem.num_devices(), "device", "devices") + ", N = " + std::to_string(micro_batches) +
            "; time in " + (problem.time_unit.empty() || problem.time_unit == "tick" ? "ticks" : problem.time_unit);
    if (!problem.memory_unit.empty()) {
        text += ", memory in " + problem.memory_unit + (problem.memory_unit == "byte" ? "s" : "");
    }
    return label(style, "Problem", text) + label(style, "Costs", costs_text(problem)) +
           label(style, "Capacity", capacities_text(problem));
}

std::string describe_measures(const Problem& problem, const Measures& measures, bool repeats,
                              const ReportStyle& style) {
    const std::array<std::pair<Measure, double>, 3> bubbles = {{{Measure::bubble_steady, measures.bubble_steady},
                                                                {Measure::bubble_makespan, measures.bubble_makespan},
                                                                {Measure::bubble_span, measures.bubble_span}}};
    std::string text;
    for (const auto& [measure, share] : bubbles) {
        if (measure == Measure::bubble_steady && !repeats) continue;
        // The formula alone; the words behind it stand in the documentation.
        const std::string_view meaning = definition(measure);
        text += label(style, text.empty() ? "Bubbles" : "",
                      percent(share) + ' ' + std::string(name(measure)) + ": " +
                          std::string(meaning.substr(0, meaning.find(':'))));
    }
    std::vector<std::string> peaks;
    for (std::size_t d = 0; d < problem.devices.size(); ++d) {
        const auto& capacity = problem.devices[d].memory_capacity;
        peaks.push_back(short_memory(problem, measures.peak_memory[d]) +
                        (capacity ? " of " + short_memory(problem, *capacity) : ""));
    }
    return text + label(style, "Memory", "peak by device: " + by_device(peaks));
}

std::string search_report(const Problem& problem, const RunOutcome& outcome, const ReportStyle& style) {
    const SearchResult& result = outcome.result;
    std::string text = describe_problem(problem, result.micro_batches, style) + '\n';
    if (result.status == SearchStatus::infeasible) {
        text += label(style, "Infeasible", result.infeasible_reason);
    } else if (result.period || result.schedule) {
        text += label(style, "Period", period_text(problem, outcome));
        // Why the bound holds, which is why the period is least only where they meet.
        if (!result.certificate.words.empty())
            text += label(style, "", (result.period_optimal ? "" : "the bound: ") + result.certificate.words);
    } else {
        text +=
            label(style, "Period", "none found; none can be below " + time_text(problem, result.period_lower_bound));
    }
    if (!result.copies_note.empty()) text += label(style, "Copies", result.copies_note);
    if (result.makespan) {
        text += label(style, "Makespan",
                      bounded(problem, *result.makespan, result.makespan_lower_bound, result.makespan_optimal));
    } else if (result.status != SearchStatus::infeasible) {
        text += label(style, "Makespan",
                      "no schedule found; none can be below " + time_text(problem, result.makespan_lower_bound));
    }
    if (result.measures && result.schedule) {
        text += describe_measures(problem, *result.measures, result.schedule->repetend.has_value(), style);
    }
    if (const auto facts = cost::facts_of(problem); facts && result.makespan) {
        text += throughput_report(problem, *facts, result, style.columns);
    }
    text += label(style, "Search", effort_text(result, outcome.seconds));
    if (result.schedule) text += '\n' + drawing(problem, *result.schedule, style);
    return text;
}

int exit_status_of(const SearchResult& result) {
    if (result.stop == StopReason::interrupted) return exit_interrupted;
    switch (result.status) {
        case SearchStatus::optimal:
        case SearchStatus::feasible:
            return exit_good;
        case SearchStatus::infeasible:
            return exit_infeasible;
        case SearchStatus::unknown:
            break;
    }
    return exit_nothing_found;
}

}  // namespace repetend::native
