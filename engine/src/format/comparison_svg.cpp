// Small multiples: every schedule is a strip of thin lanes, all on one time axis, so that what differs between them is
// where they end and where they are white. Blocks below a pixel merge into bands of busy time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "repetend/format/comparison_drawing.hpp"
#include "scene.hpp"
#include "svg_drawing.hpp"
#include "svg_kinds.hpp"
#include "svg_text.hpp"

namespace repetend::format {
namespace {

constexpr double margin = 16;
constexpr std::size_t kinds = 6;

class ComparisonDrawing {
public:
    ComparisonDrawing(const Problem& problem, const std::vector<ComparedSchedule>& schedules,
                      const ComparisonOptions& options)
        : problem_(problem), schedules_(schedules), options_(options) {
        width_ = std::clamp(std::isfinite(options.width_px) ? options.width_px : 1200.0, 480.0, 20000.0);
        for (const ComparedSchedule& compared : schedules) {
            if (compared.schedule == nullptr) continue;
            for (const Operation& operation : compared.schedule->operations)
                end_ = std::max(end_, operation.start + problem.blocks[static_cast<std::size_t>(operation.block)].time);
        }
        end_ = std::max(end_, options.makespan_bound);
        px_per_tick_ = (width_ - 2 * margin) / static_cast<double>(end_);
        const int devices = problem.num_devices();
        lane_ = devices <= 4 ? 14 : devices <= 8 ? 10 : devices <= 16 ? 6 : devices <= 64 ? 3 : 1;
        gap_ = lane_ >= 6 ? 2 : 1;
        if (devices > 64) gap_ = 0;
    }

    std::string run() {
        const std::string title = options_.title.empty() ? "Comparison" : options_.title;
        text(margin, 32, 20, label(title, static_cast<std::size_t>(width_ / 11)), " font-weight=\"600\"");
        y_ = 52;
        add_notes(true);
        add_ruler();
        for (const ComparedSchedule& compared : schedules_) add_strip(compared);
        add_bound();
        add_legend();
        add_notes(false);
        const std::string width = num(width_), height = num(y_ + 8);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
               attribute("viewBox", "0 0 " + width + ' ' + height) +
               " role=\"img\" aria-labelledby=\"title\" font-family=\"Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', "
               "sans-serif\"" +
               attribute("fill", text_colour) + ">\n<title id=\"title\">" + xml(title) + "</title>\n<defs>\n" +
               kind_patterns() + "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n" + out_ +
               "</svg>\n";
    }

private:
    double x(Ticks time) const { return margin + static_cast<double>(time) * px_per_tick_; }

    void text(double at_x, double at_y, double size, const std::string& words, const std::string& extra = "") {
        out_ += "<text" + attribute("x", at_x) + attribute("y", at_y) + attribute("font-size", size) + extra + '>' +
                xml(words) + "</text>\n";
    }

    // Words in lines that fit, muted; returns nothing but moves down.
    void paragraph(const std::string& words, double size, const std::string& colour) {
        const auto most = static_cast<std::size_t>((width_ - 2 * margin) / (size * 0.54));
        std::string line;
        const auto put = [&] {
            text(margin, y_, size, line, attribute("fill", colour));
            y_ += size * 1.45;
            line.clear();
        };
        for (std::size_t at = 0; at < words.size();) {
            const std::size_t space = std::min(words.find(' ', at), words.size());
            const std::string word = words.substr(at, space - at);
            if (!line.empty() && line.size() + 1 + word.size() > most) put();
            line += (line.empty() ? "" : " ") + word;
            at = space + 1;
        }
        if (!line.empty()) put();
    }

    // The first note (the costs) stands under the title, the others at the end.
    void add_notes(bool first) {
        for (std::size_t k = 0; k < options_.notes.size(); ++k) {
            if ((k == 0) == first) paragraph(options_.notes[k], first ? 13 : 11.5, muted_colour);
        }
    }

    void add_ruler() {
        y_ += 14;
        const ReadableUnit unit = ReadableUnit::for_time(problem_.time_unit, end_);
        const Ticks step =
            std::max<Ticks>(round_step(80 / px_per_tick_ / static_cast<double>(unit.scale())) * unit.scale(), 1);
        for (Ticks time = 0; time <= end_; time += step) {
            const std::string words = time == 0 ? "0 " + unit.unit() : unit.number(time);
            const bool last = x(time) > width_ - margin - 20;
            text(x(time), y_, 11, words,
                 attribute("fill", muted_colour) + attribute("text-anchor", time == 0 ? "start"
                                                                            : last    ? "end"
                                                                                      : "middle"));
            grid_ += 'M' + num(x(time)) + ' ' + num(y_ + 4) + "V@";
        }
        top_ = y_ + 4;
        y_ += 10;
    }

    void add_strip(const ComparedSchedule& compared) {
        const std::string muted = attribute("fill", muted_colour);
        const bool none = compared.schedule == nullptr;
        y_ += none ? 18 : 22;
        text(margin, y_, none ? 12 : 14, compared.name, none ? muted : " font-weight=\"600\"");
        std::string facts;
        for (const std::string& fact : compared.facts) facts += (facts.empty() ? "" : "  ·  ") + fact;
        const double beside = none ? margin + 120 : margin + 8.5 * static_cast<double>(compared.name.size()) + 14;
        if (!facts.empty()) text(beside, y_, 12, facts, attribute("fill", muted_colour));
        if (!compared.remark.empty()) {
            const std::string red = none ? muted : attribute("fill", "#B42318");
            const std::string words = label(compared.remark, static_cast<std::size_t>((width_ - beside) / 6.4));
            if (facts.empty()) {
                text(beside, y_, 12, words, red);
            } else {
                y_ += 16;
                text(margin, y_, 12, label(compared.remark, static_cast<std::size_t>(width_ / 6.4)), red);
            }
        }
        if (none) return;
        y_ += 7;
        std::vector<std::vector<Operation>> lanes(problem_.devices.size());
        for (const Operation& operation : compared.schedule->operations) {
            for (const int device : problem_.blocks[static_cast<std::size_t>(operation.block)].devices)
                lanes[static_cast<std::size_t>(device)].push_back(operation);
        }
        for (const auto& lane : lanes) {
            add_lane(lane);
            y_ += lane_ + gap_;
        }
    }

    void add_lane(const std::vector<Operation>& lane) {
        out_ += "<rect" + attribute("x", margin) + attribute("y", y_) + attribute("width", width_ - 2 * margin) +
                attribute("height", lane_) + attribute("fill", "#F4F5F7") + "/>\n";
        std::vector<std::array<double, kinds>> pixels;
        for (const Operation& operation : lane) {
            const Block& block = problem_.blocks[static_cast<std::size_t>(operation.block)];
            const double width = static_cast<double>(block.time) * px_per_tick_;
            if (width >= 1) {
                const double gap = width >= 5 ? 0.4 : 0;
                out_ += "<rect" + attribute("x", x(operation.start) + gap) + attribute("y", y_) +
                        attribute("width", std::max(width - 2 * gap, 0.5)) + attribute("height", lane_) +
                        kind_fill(block.kind, lane_ >= 6 ? width : 3) + "/>\n";
                continue;
            }
            if (pixels.empty()) pixels.resize(static_cast<std::size_t>(width_) + 1);
            const auto pixel = std::min(static_cast<std::size_t>(x(operation.start)), pixels.size() - 1);
            pixels[pixel][static_cast<std::size_t>(block.kind)] += width;
        }
        add_bands(pixels);
    }

    // Runs of pixels with the same kind in front and the same strength, in eighths.
    void add_bands(const std::vector<std::array<double, kinds>>& pixels) {
        const auto look = [&](std::size_t pixel) {
            const auto& share = pixels[pixel];
            const auto most = std::max_element(share.begin(), share.end());
            double all = 0;
            for (const double part : share) all += part;
            return std::pair(most - share.begin(), static_cast<int>(std::ceil(std::min(all, 1.0) * 8)));
        };
        for (std::size_t pixel = 0; pixel < pixels.size();) {
            const auto [kind, strength] = look(pixel);
            std::size_t end = pixel + 1;
            while (end < pixels.size() && look(end) == std::pair(kind, strength)) ++end;
            if (strength > 0) {
                out_ += "<rect" + attribute("x", static_cast<double>(pixel)) + attribute("y", y_) +
                        attribute("width", static_cast<double>(end - pixel)) + attribute("height", lane_) +
                        attribute("fill", plain_colour(static_cast<BlockKind>(kind), 0)) +
                        attribute("fill-opacity", 0.2 + 0.1 * strength) + "/>\n";
            }
            pixel = end;
        }
    }

    void add_bound() {
        std::string lines;
        for (const char c : grid_) lines += c == '@' ? num(y_) : std::string(1, c);
        // The grid goes behind the strips, the bound before them.
        out_ = "<path d=\"" + lines + "\"" + attribute("stroke", line_colour) + " fill=\"none\"/>\n" + out_;
        if (options_.makespan_bound <= 0) return;
        const double at_x = x(options_.makespan_bound);
        out_ += "<path d=\"M" + num(at_x) + ' ' + num(top_) + 'V' + num(y_ + 4) + "\"" +
                attribute("stroke", accent_colour) + " stroke-width=\"1.5\" stroke-dasharray=\"5 3\" fill=\"none\"/>\n";
        text(at_x - 4, y_ + 16, 11,
             "no schedule ends before " + time_text(problem_, options_.makespan_bound) + " (proved)",
             attribute("fill", accent_colour) + attribute("text-anchor", "end"));
        y_ += 16;
    }

    void add_legend() {
        static constexpr const char* names[kinds] = {"forward",         "backward", "input gradient",
                                                     "weight gradient", "transfer", "other"};
        y_ += 26;
        double at_x = margin;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const auto wanted = static_cast<BlockKind>(kind);
            if (std::none_of(problem_.blocks.begin(), problem_.blocks.end(),
                             [&](const Block& block) { return block.kind == wanted; }))
                continue;
            out_ += "<rect" + attribute("x", at_x) + attribute("y", y_ - 11) + " width=\"24\" height=\"14\"" +
                    kind_fill(wanted, 24) + "/>\n";
            text(at_x + 30, y_, 12, names[kind]);
            at_x += 50 + 7.2 * static_cast<double>(std::string_view(names[kind]).size());
        }
        y_ += 24;
    }

    const Problem& problem_;
    const std::vector<ComparedSchedule>& schedules_;
    const ComparisonOptions& options_;
    double width_ = 0;
    Ticks end_ = 1;
    double px_per_tick_ = 1;
    double lane_ = 10, gap_ = 2;
    double y_ = 0, top_ = 0;
    std::string grid_;  // lines whose ends (@) are known at the end
    std::string out_;
};

}  // namespace
}  // namespace repetend::format

namespace repetend {

std::string draw_comparison(const Problem& problem, const std::vector<ComparedSchedule>& schedules,
                            const ComparisonOptions& options) {
    return format::ComparisonDrawing(problem, schedules, options).run();
}

}  // namespace repetend
