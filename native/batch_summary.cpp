// Time is per sample where a profile knows samples, else per micro-batch of the makespan; memory is the most that any
// device holds. Results in different units do not compare, so each unit of time has its own table and plots.
#include "batch_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "batch_plots.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

using nlohmann::json;

constexpr std::size_t most_rows = 10;

struct Parsed {
    std::vector<BatchPoint> points;
    int errors = 0;
    int without = 0;  // no schedule: infeasible or not found
};

std::string value_text(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// The values of the inputs that vary.
std::vector<std::string> cells_of(const json& line, const std::vector<std::string>& varied) {
    const json& inputs = line.at("inputs");
    std::vector<std::string> cells;
    for (const std::string& name : varied) {
        std::string cell = inputs.contains(name) ? value_text(inputs[name]) : "";
        if (name == "placement" && cell == "auto" && line.contains("placement")) {
            cell += " (" + line["placement"].get<std::string>() + ")";
        }
        cells.push_back(std::move(cell));
    }
    return cells;
}

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::optional<BatchPoint> point_of(const json& line, const std::vector<std::string>& varied) {
    if (!line.at("makespan").is_number() || !line.contains("time_unit")) return std::nullopt;
    BatchPoint point;
    point.cells = cells_of(line, varied);
    for (std::size_t k = 0; k < varied.size(); ++k) {
        point.label += (k > 0 ? ", " : "") + spaced(varied[k]) + ' ' + point.cells[k];
    }
    if (point.label.empty()) point.label = line.at("id").get<std::string>();
    point.unit = line["time_unit"].get<std::string>();
    point.status = line.value("status", std::string());
    point.period = line.at("period").is_number() ? line["period"].get<double>() / line.value("copies", 1.0) : 0;
    point.makespan = line["makespan"].get<double>();
    const double count = line.value("micro_batches", 1.0);
    point.time = point.makespan / std::max(1.0, count);
    for (const json& peak : line.at("peak_memory")) point.memory = std::max(point.memory, peak.get<double>());
    if (line.contains("tokens_per_second")) {
        point.profiled = true;
        point.tokens_per_s = line["tokens_per_second"].get<double>();
        point.utilisation = line.value("model_flops_utilisation", 0.0);
        point.time = 1e9 / std::max(1e-30, line.value("samples_per_second", 1.0));
    }
    return point;
}

// Less time, then less memory; equal ones keep their order.
bool quicker(const BatchPoint& a, const BatchPoint& b) {
    const double first = a.profiled ? -a.tokens_per_s : a.time;
    const double second = b.profiled ? -b.tokens_per_s : b.time;
    return first != second ? first < second : a.memory < b.memory;
}

void mark_front(std::vector<BatchPoint>& points) {
    std::vector<BatchPoint*> order;
    for (BatchPoint& point : points) order.push_back(&point);
    std::stable_sort(order.begin(), order.end(), [](const BatchPoint* a, const BatchPoint* b) {
        return a->memory != b->memory ? a->memory < b->memory : a->time < b->time;
    });
    double best = INFINITY;
    for (BatchPoint* point : order) {
        point->on_front = point->time < best;
        best = std::min(best, point->time);
    }
}

// Columns: the inputs that vary, then the measures.
class Table {
public:
    Table(const std::vector<std::string>& varied, const std::vector<BatchPoint>& points)
        : profiled_(points.front().profiled) {
        for (std::size_t k = 0; k < varied.size(); ++k) {
            heads_.push_back(spaced(varied[k]));
            int width = width_of(heads_.back());
            for (const BatchPoint& point : points) width = std::max(width, width_of(point.cells[k]));
            widths_.push_back(width);
        }
    }

    std::string head() const {
        std::string text = cells(heads_);
        if (profiled_) text += padded_left("tokens/s", 10) + padded_left("MFU", 9);
        return text + padded_left(profiled_ ? "time/sample" : "time/mb", 13) + padded_left("peak", 11) + "  status\n";
    }

    std::string row(const BatchPoint& point) const {
        std::string text = cells(point.cells);
        if (point.profiled) {
            char rates[96];
            std::snprintf(rates, sizeof rates, "%10.0f %6.1f %%", point.tokens_per_s, 100 * point.utilisation);
            text += rates;
        }
        return text + padded_left(batch_time_text(point.time, point.unit), 13) +
               padded_left(batch_memory_text(point.memory, point.profiled), 11) + "  " + point.status + '\n';
    }

private:
    std::string cells(const std::vector<std::string>& values) const {
        std::string text;
        for (std::size_t k = 0; k < values.size(); ++k) text += "  " + padded(values[k], widths_[k]);
        return text;
    }

    bool profiled_;
    std::vector<std::string> heads_;
    std::vector<int> widths_;
};

std::string table_of(const std::vector<std::string>& varied, const std::vector<BatchPoint>& points) {
    const Table table(varied, points);
    std::vector<BatchPoint> best = points;
    std::stable_sort(best.begin(), best.end(), quicker);
    std::string text = points.front().profiled ? "best by tokens per second\n" : "best by time per micro-batch (mb)\n";
    text += table.head();
    for (std::size_t k = 0; k < best.size() && k < most_rows; ++k) text += table.row(best[k]);
    if (best.size() > most_rows) text += "  and " + std::to_string(best.size() - most_rows) + " more\n";
    std::vector<BatchPoint> front;
    for (const BatchPoint& point : points) {
        if (point.on_front) front.push_back(point);
    }
    std::stable_sort(front.begin(), front.end(),
                     [](const BatchPoint& a, const BatchPoint& b) { return a.memory < b.memory; });
    text +=
        "\nno other combination is both quicker and smaller (Pareto front of peak memory and time)\n" + table.head();
    for (const BatchPoint& point : front) text += table.row(point);
    return text;
}

}  // namespace

BatchSummary summarise(const std::vector<std::string>& lines, const std::vector<std::string>& varied) {
    std::map<std::pair<std::string, bool>, Parsed> units;
    int errors = 0;
    int without = 0;
    for (const std::string& text : lines) {
        const json line = json::parse(text, nullptr, false);
        if (!line.is_object()) continue;
        try {
            if (line.at("error").is_string()) {
                ++errors;
            } else if (std::optional<BatchPoint> point = point_of(line, varied)) {
                units[{point->unit, point->profiled}].points.push_back(std::move(*point));
            } else {
                ++without;
            }
        } catch (const json::exception&) {
            ++errors;  // a line that somebody else wrote
        }
    }
    std::string names;
    for (const std::string& name : varied) names += (names.empty() ? "" : ", ") + spaced(name);
    BatchSummary summary;
    summary.table = plural(static_cast<std::int64_t>(lines.size()), "combination", "combinations") + ": " +
                    plural(errors, "error", "errors") + ", " + std::to_string(without) + " without a schedule\n";
    for (auto& [key, parsed] : units) {
        mark_front(parsed.points);
        summary.table += '\n' + table_of(varied, parsed.points);
        const std::string suffix = units.size() == 1 ? "" : "-" + key.first + (key.second ? "-profiles" : "");
        std::vector<BatchPoint> best = parsed.points;
        std::stable_sort(best.begin(), best.end(), quicker);
        summary.plots.emplace_back("memory-time" + suffix + ".svg", front_plot(parsed.points));
        summary.plots.emplace_back("best" + suffix + ".svg", best_plot(best, names));
    }
    return summary;
}

}  // namespace repetend::native
