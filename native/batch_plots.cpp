#include "batch_plots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "repetend/model/problem.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

constexpr double width_px = 720;
constexpr double height_px = 420;
constexpr double left_px = 96;
constexpr double right_px = 24;
constexpr double top_px = 56;
constexpr double bottom_px = 56;
constexpr std::size_t most_bars = 20;
constexpr double most_times_the_front = 3;

std::string number(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.2f", value);
    return buffer;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '&') {
            out += "&amp;";
        } else {
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text, std::string_view extra = "") {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + std::string(anchor) + "\"" +
           std::string(extra) + ">" + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, std::string_view style) {
    return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
           "\" " + std::string(style) + "/>\n";
}

double tick_step(double span, int wanted) {
    const double raw = span / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (raw <= factor * power) return factor * power;
    }
    return 10 * power;
}

std::string opening(double height, const std::string& title) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width_px) + " " + number(height) +
           "\" width=\"" + number(width_px) + "\" height=\"" + number(height) +
           "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" + escaped(title) +
           "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
           text_at(left_px, 24, "start", title, " font-size=\"15\"");
}

// A linear axis from 0 to a round number above the largest value.
struct Axis {
    double high = 1, step = 1;
    explicit Axis(double largest) {
        if (largest <= 0) largest = 1;
        step = tick_step(largest, 5);
        high = std::ceil(largest / step) * step;
    }
};

}  // namespace

std::string batch_time_text(double time, const std::string& unit) {
    Problem problem;
    problem.time_unit = unit == "tick" ? "" : unit;
    const std::string text = short_time(problem, std::llround(time));
    if (text != std::to_string(std::llround(time))) return text;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.4g", time);
    return buffer;
}

std::string batch_memory_text(double memory, bool bytes) {
    Problem problem;
    if (bytes) problem.memory_unit = "byte";
    return short_memory(problem, std::llround(memory));
}

std::string front_plot(const std::vector<BatchPoint>& points) {
    const bool bytes = points.front().profiled;
    double most_memory = 0;
    double most_time = 0;
    double front_time = 0;
    for (const BatchPoint& point : points) {
        most_memory = std::max(most_memory, point.memory);
        most_time = std::max(most_time, point.time);
        if (point.on_front) front_time = std::max(front_time, point.time);
    }
    // A few slow combinations would flatten all the others: what lies far above the front stands on the upper edge.
    most_time = std::min(most_time, most_times_the_front * front_time);
    // Bytes are shown in GiB, so that their ticks are round there.
    const double unit = bytes && most_memory >= 1073741824.0 ? 1073741824.0 : 1;
    const Axis across(most_memory / unit);
    const Axis up(most_time);
    const auto x = [&](double memory) {
        return left_px + memory / unit / across.high * (width_px - left_px - right_px);
    };
    const auto y = [&](double time) {
        return height_px - bottom_px - time / up.high * (height_px - top_px - bottom_px);
    };
    const std::string what = bytes ? "time per sample" : "time per micro-batch";
    std::string out = opening(height_px, "Peak memory against " + what);
    for (double tick = 0; tick <= up.high * 1.0001; tick += up.step) {
        out += line(left_px, y(tick), width_px - right_px, y(tick), "stroke=\"#dddddd\"");
        out += text_at(left_px - 8, y(tick) + 4, "end", tick == 0 ? "0" : batch_time_text(tick, points.front().unit));
    }
    for (double tick = 0; tick <= across.high * 1.0001; tick += across.step) {
        char label[32];
        std::snprintf(label, sizeof label, "%.4g", tick);
        out += line(x(tick * unit), height_px - bottom_px, x(tick * unit), height_px - bottom_px + 5,
                    "stroke=\"#444444\"");
        out += text_at(x(tick * unit), height_px - bottom_px + 20, "middle", label);
    }
    out += line(left_px, height_px - bottom_px, width_px - right_px, height_px - bottom_px, "stroke=\"#444444\"");
    std::vector<BatchPoint> front;
    int above = 0;
    for (const BatchPoint& point : points) {
        if (point.on_front) {
            front.push_back(point);
            continue;
        }
        const std::string title = "<title>" + escaped(point.label) + "</title>";
        if (point.time > up.high) {
            const double tip = x(point.memory);
            out += "<path d=\"M" + number(tip) + " " + number(top_px) + "l4 8h-8z\" fill=\"#56B4E9\">" + title +
                   "</path>\n";
            ++above;
            continue;
        }
        out += "<circle cx=\"" + number(x(point.memory)) + "\" cy=\"" + number(y(point.time)) +
               "\" r=\"3\" fill=\"#56B4E9\" fill-opacity=\"0.6\">" + title + "</circle>\n";
    }
    std::stable_sort(front.begin(), front.end(),
                     [](const BatchPoint& a, const BatchPoint& b) { return a.memory < b.memory; });
    std::string path;
    for (const BatchPoint& point : front) {
        path += path.empty() ? "M" + number(x(point.memory)) + " " + number(y(point.time))
                             : "H" + number(x(point.memory)) + "V" + number(y(point.time));
    }
    out += "<path d=\"" + path + "\" fill=\"none\" stroke=\"#D55E00\" stroke-width=\"2\"/>\n";
    for (const BatchPoint& point : front) {
        out += "<rect x=\"" + number(x(point.memory) - 4) + "\" y=\"" + number(y(point.time) - 4) +
               "\" width=\"8\" height=\"8\" fill=\"#D55E00\"><title>" + escaped(point.label) + "</title></rect>\n";
    }
    out += text_at(width_px - right_px, top_px - 14, "end", "squares: no other is both quicker and smaller",
                   " fill=\"#D55E00\"");
    out += text_at(left_px, top_px - 14, "start",
                   what + (above > 0 ? " (triangles: " + std::to_string(above) + " above)" : ""));
    out += text_at((left_px + width_px - right_px) / 2, height_px - 14, "middle",
                   unit > 1 ? "peak memory of the fullest device (GiB)"
                   : bytes  ? "peak memory of the fullest device (bytes)"
                            : "peak memory of the fullest device");
    return out + "</svg>\n";
}

std::string best_plot(const std::vector<BatchPoint>& best, const std::string& names) {
    const std::size_t count = std::min(best.size(), most_bars);
    const bool profiled = best.front().profiled;
    constexpr double row_px = 24;
    constexpr double label_px = 330;
    const double height = top_px + row_px * static_cast<double>(count) + 24;
    double most = 0;
    for (std::size_t k = 0; k < count; ++k) most = std::max(most, profiled ? best[k].tokens_per_s : best[k].time);
    std::string out = opening(height, profiled ? "Tokens per second" : "Time per micro-batch");
    out += text_at(left_px, top_px - 14, "start", names);
    for (std::size_t k = 0; k < count; ++k) {
        const double value = profiled ? best[k].tokens_per_s : best[k].time;
        const double top = top_px + row_px * static_cast<double>(k);
        const double length = value / std::max(most, 1e-30) * (width_px - label_px - 110);
        constexpr std::size_t longest = 46;
        std::string label;
        for (const std::string& one : best[k].cells) label += (label.empty() ? "" : ", ") + one;
        if (label.empty()) label = best[k].label;
        if (label.size() > longest) label = label.substr(0, longest - 2) + "..";
        char text[64];
        std::snprintf(text, sizeof text, "%.0f", value);
        out += text_at(label_px - 8, top + 14, "end", label);
        out += "<rect x=\"" + number(label_px) + "\" y=\"" + number(top + 3) + "\" width=\"" + number(length) +
               "\" height=\"" + number(row_px - 8) + "\" fill=\"#0072B2\"/>\n";
        out += text_at(label_px + length + 6, top + 14, "start",
                       profiled ? std::string(text) : batch_time_text(value, best[k].unit));
    }
    return out + "</svg>\n";
}

}  // namespace repetend::native
