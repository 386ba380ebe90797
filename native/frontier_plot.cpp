#include "frontier_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "text.hpp"

namespace repetend::native {
namespace {

constexpr double width_px = 720;
constexpr double panel_height_px = 190;
constexpr double left_px = 96;
constexpr double right_px = 24;
constexpr double top_px = 56;
constexpr double gap_px = 44;
constexpr double bottom_px = 56;
constexpr double tail_px = 36;  // the last step runs on so far: more memory changes nothing

std::string number(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.2f", value);
    std::string text = buffer;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
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

// Round steps of 1, 2 or 5 times a power of ten, so that about `wanted` of them fit.
double tick_step(double span, int wanted) {
    const double raw = span / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (raw <= factor * power) return factor * power;
    }
    return 10 * power;
}

struct Series {
    std::string name;
    std::string colour;
    std::string dash;                               // empty: solid
    bool marked = true;                             // with a dot at every point
    std::vector<std::pair<double, double>> values;  // capacity, value
};

class Plot {
public:
    Plot(double low_x, double high_x) : low_x_(low_x), high_x_(std::max(high_x, low_x + 1)) {}

    std::string panel(double top, const std::string& title, const std::vector<Series>& all,
                      const Problem& problem) const {
        double high = 0;
        for (const Series& series : all) {
            for (const auto& value : series.values) high = std::max(high, value.second);
        }
        if (high <= 0) high = 1;
        const double step = std::max(1.0, tick_step(high, 4));
        high = std::ceil(high / step) * step;
        const double bottom = top + panel_height_px;
        const auto y = [&](double value) { return bottom - value / high * panel_height_px; };

        std::string out = text_at(left_px, top - 12, "start", title, " font-weight=\"bold\"");
        for (double tick = 0; tick <= high * 1.0001; tick += step) {
            out += line(left_px, y(tick), width_px - right_px, y(tick), "stroke=\"#dddddd\"");
            const Ticks ticks = std::llround(tick);
            out += text_at(left_px - 8, y(tick) + 4, "end", ticks == 0 ? "0" : short_time(problem, ticks));
        }
        double legend_x = width_px - right_px;
        for (const Series& series : all) {
            const std::string stroke = "fill=\"none\" stroke=\"" + series.colour + "\" stroke-width=\"2\"" +
                                       (series.dash.empty() ? "" : " stroke-dasharray=\"" + series.dash + "\"");
            std::string path;
            for (std::size_t i = 0; i < series.values.size(); ++i) {
                const auto& [x, value] = series.values[i];
                path += i == 0 ? "M" + number(at(x)) + " " + number(y(value))
                               : "H" + number(at(x)) + "V" + number(y(value));
            }
            if (!path.empty()) path += "h" + number(tail_px);
            out += "<path d=\"" + path + "\" " + stroke + "/>\n";
            if (series.marked) {
                for (const auto& [x, value] : series.values) {
                    out += "<circle cx=\"" + number(at(x)) + "\" cy=\"" + number(y(value)) + "\" r=\"3.5\" fill=\"" +
                           series.colour + "\"/>\n";
                }
            }
            // Legend, from right to left beside the title.
            const double text_width = 7.4 * static_cast<double>(series.name.size());
            out += text_at(legend_x, top - 12, "end", series.name);
            out += line(legend_x - text_width - 32, top - 16, legend_x - text_width - 8, top - 16, stroke);
            legend_x -= text_width + 52;
        }
        return out + line(left_px, bottom, width_px - right_px, bottom, "stroke=\"#444444\"");
    }

    double at(double x) const {
        const double room = width_px - left_px - right_px - tail_px - 16;
        return left_px + 16 + (x - low_x_) / (high_x_ - low_x_) * room;
    }

private:
    double low_x_, high_x_;
};

}  // namespace

std::string frontier_svg(const Problem& problem, std::int64_t micro_batches, const std::vector<FrontierPoint>& points,
                         const CapacityScale& scale) {
    Series period{"period", "#0072B2", "", true, {}};
    Series makespan{"makespan", "#D55E00", "", true, {}};
    Series bound{"lower bound", "#000000", "4 4", false, {}};
    for (const FrontierPoint& point : points) {
        const double x = static_cast<double>(point.capacity) / static_cast<double>(scale.unit);
        if (point.period) period.values.emplace_back(x, static_cast<double>(*point.period) / point.copies);
        if (point.makespan) makespan.values.emplace_back(x, static_cast<double>(*point.makespan));
        if (point.makespan) bound.values.emplace_back(x, static_cast<double>(point.makespan_lower_bound));
    }
    const double low =
        points.empty() ? 0 : static_cast<double>(points.front().capacity) / static_cast<double>(scale.unit);
    const double high =
        points.empty() ? 1 : static_cast<double>(points.back().capacity) / static_cast<double>(scale.unit);
    const Plot plot(low, high);
    const double second = top_px + panel_height_px + gap_px;
    const double height = second + panel_height_px + bottom_px;
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width_px) + " " +
                      number(height) + "\" width=\"" + number(width_px) + "\" height=\"" + number(height) +
                      "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>" +
                      escaped("What memory buys: " + problem.name) +
                      "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    out += text_at(left_px, 24, "start", "What memory buys: " + problem.name, " font-size=\"15\"");
    out += plot.panel(top_px, "Least period per micro-batch", {period}, problem);
    out += plot.panel(second, "Makespan of N = " + std::to_string(micro_batches), {bound, makespan}, problem);
    // Capacities below; labels that would touch are left out.
    double free_from = 0;
    for (const FrontierPoint& point : points) {
        const double x = plot.at(static_cast<double>(point.capacity) / static_cast<double>(scale.unit));
        const std::string label = short_memory(problem, scale.unit == 1 ? point.capacity : point.capacity / scale.unit);
        const double half = 3.6 * static_cast<double>(label.size()) + 4;
        if (x - half < free_from) continue;
        out += line(x, height - bottom_px, x, height - bottom_px + 5, "stroke=\"#444444\"");
        out += text_at(x, height - bottom_px + 20, "middle", label);
        free_from = x + half;
    }
    out += text_at((left_px + width_px - right_px) / 2, height - 14, "middle", scale.name);
    return out + "</svg>\n";
}

}  // namespace repetend::native
