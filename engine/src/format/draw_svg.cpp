// A schedule as a standalone SVG picture: no scripts, no fonts from elsewhere, the same bytes for the same
// value. Cost follows pixels: blocks below one pixel merge into bands whose strength is the share of busy
// time, memory curves keep one point per half pixel (the highest), so the largest schedule stays a few
// megabytes.
#include <cmath>

#include "repetend/format/drawing.hpp"
#include "svg_drawing.hpp"
#include "svg_kinds.hpp"
#include "svg_text.hpp"

namespace repetend::format {
namespace {

constexpr double character_px = 6.7;  // of the monospaced labels at 11 px

std::size_t longest_label(const Problem& problem) {
    std::size_t most = 0;
    for (int d = 0; d < problem.num_devices(); ++d) most = std::max(most, label(device_label(problem, d), 18).size());
    return most;
}

double wanted_block_px(const Schedule& schedule) {
    return character_px *
               static_cast<double>(1 + std::to_string(std::max<std::int64_t>(schedule.micro_batches - 1, 0)).size()) +
           5;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& extra) {
    return "<path d=\"M" + num(x1) + ' ' + num(y1) + 'L' + num(x2) + ' ' + num(y2) + '"' + extra + "/>\n";
}

}  // namespace

SvgDrawing::Layout SvgDrawing::make_layout(const Problem& problem, const Scene& scene, const SvgOptions& options) {
    Layout layout;
    const int devices = problem.num_devices();
    layout.width = std::clamp(std::isfinite(options.width_px) ? options.width_px : 1200.0, 480.0, 20000.0);
    layout.left = std::clamp(24 + 7.0 * static_cast<double>(longest_label(problem)), 84.0, 160.0);
    layout.right = layout.width - (options.memory && scene.has_memory ? 100 : 24);
    layout.phases = 84;
    layout.bracket = 94;
    layout.ruler = scene.mark ? 116 : 84;
    layout.lanes = layout.ruler + 10;
    layout.lane_height = devices <= 8 ? 28 : devices <= 16 ? 22 : 16;
    if (options.memory && scene.has_memory) layout.memory_height = devices <= 8 ? 26 : devices <= 16 ? 20 : 14;
    layout.pitch = layout.lane_height + (layout.memory_height > 0 ? layout.memory_height + 4 : 0) + lane_gap;
    return layout;
}

SvgDrawing::SvgDrawing(const Problem& problem, const Schedule& schedule, const SvgOptions& options)
    : problem_(problem),
      schedule_(schedule),
      options_(options),
      scene_(make_scene(problem, schedule)),
      layout_(make_layout(problem, scene_, options)),
      axis_(SvgAxis::choose(scene_, layout_.left, layout_.right - layout_.left, wanted_block_px(schedule))) {
    std::size_t shown = 0;
    for (const std::vector<LaneItem>& lane : scene_.lanes) {
        for (const Stretch& stretch : axis_.stretches) {
            shown += static_cast<std::size_t>(std::count_if(lane.begin(), lane.end(), [&](const LaneItem& item) {
                return item.start < stretch.to && item.end > stretch.from;
            }));
        }
    }
    detailed_ = shown <= 4000;
}

std::string SvgDrawing::run() {
    add_background();
    add_ruler();
    if (scene_.mark) add_phases();
    if (detailed_ && axis_.px_per_tick * static_cast<double>(scene_.typical_time) >= 9) add_lags();
    add_rails();
    for (int d = 0; d < problem_.num_devices(); ++d) {
        add_lane(d);
        if (layout_.memory_height > 0) add_memory(d);
    }
    add_cut();
    double bottom = lanes_bottom() + 16;
    if (options_.legend) bottom = add_measures(add_legend(bottom));
    const std::string body = std::move(out_);
    out_.clear();
    const double more = add_header();
    const std::string header = std::move(out_);
    const std::string width = num(layout_.width), height = num(bottom + more + 8);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
                      attribute("height", height) + attribute("viewBox", "0 0 " + width + ' ' + height) +
                      " role=\"img\" aria-labelledby=\"title desc\""
                      " font-family=\"Inter, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\"" +
                      attribute("fill", text_colour) + ">\n";
    return svg + header + (more > 0 ? "<g transform=\"translate(0 " + num(more) + ")\">\n" + body + "</g>\n" : body) +
           "</svg>\n";
}

void SvgDrawing::add_background() {
    for (int d = 0; d < problem_.num_devices(); ++d) {
        const double top = lane_top(d);
        for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
            out_ += "<rect" + attribute("x", axis_.left(k)) + attribute("y", top) +
                    attribute("width", axis_.right(k) - axis_.left(k)) + attribute("height", layout_.lane_height) +
                    attribute("fill", "#F4F5F7") + "/>\n";
        }
        text(16, top + layout_.lane_height / 2 + 4, 12, label(device_label(problem_, d), 18));
        if (layout_.memory_height >= 20) {
            text(16, top + layout_.lane_height + 4 + layout_.memory_height / 2 + 4, 10, "memory",
                 attribute("fill", muted_colour));
        }
    }
}

void SvgDrawing::add_ruler() {
    const Ticks step = round_step(70 / axis_.px_per_tick);
    std::string lines;
    for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
        const Stretch& stretch = axis_.stretches[k];
        Ticks at = stretch.from / step * step;
        if (at < stretch.from) at += step;
        for (; at <= stretch.to; at += step) {
            const double x = axis_.x(k, at);
            const std::string words = scene_.time_unit.number(at);
            const double half = 3.2 * static_cast<double>(words.size());
            lines += 'M' + num(x) + ' ' + num(layout_.ruler + 4) + 'V' + num(lanes_bottom());
            // Near the edges of a stretch a number would meet that of the other stretch.
            if (axis_.stretches.size() > 1 &&
                ((k > 0 && x - half < axis_.left(k)) || (k == 0 && x + half > axis_.right(k)))) {
                continue;
            }
            text(x, layout_.ruler, 11, words, attribute("text-anchor", "middle") + attribute("fill", muted_colour));
        }
    }
    text(16, layout_.ruler, 11, scene_.time_unit.unit(), attribute("fill", muted_colour));
    if (!lines.empty())
        out_ += "<path d=\"" + lines + "\"" + attribute("stroke", line_colour) + attribute("fill", "none") + "/>\n";
}

void SvgDrawing::add_phases() {
    const RepetendMark& mark = *scene_.mark;
    const std::size_t last = axis_.stretches.size() - 1;
    const double begin = axis_.x(0, mark.begin), end = axis_.x(last, scene_.repetend_end);
    const double first_end = axis_.x(0, mark.begin + mark.period);
    // The first occurrence, tinted.
    out_ += "<rect" + attribute("x", begin) + attribute("y", layout_.bracket) + attribute("width", first_end - begin) +
            attribute("height", lanes_bottom() - layout_.bracket) + attribute("fill", accent_colour) +
            attribute("fill-opacity", "0.09") + "/>\n";
    std::string bracket;
    for (std::size_t k = 0; k <= last; ++k) {
        const Stretch& stretch = axis_.stretches[k];
        const Ticks from = std::max(stretch.from, mark.begin), to = std::min(stretch.to, scene_.repetend_end);
        bracket += 'M' + num(axis_.x(k, from)) + ' ' + num(layout_.bracket) + 'H' + num(axis_.x(k, to));
        if (static_cast<double>(mark.period) * axis_.px_per_tick < 4) continue;
        for (Ticks at = from; at <= to; at += mark.period) {
            if (last > 0 && (k < last ? at == to : at == from)) continue;
            const bool outer = at == mark.begin || at == scene_.repetend_end;
            bracket +=
                'M' + num(axis_.x(k, at)) + ' ' + num(layout_.bracket - (outer ? 5 : 3)) + 'v' + (outer ? "10" : "6");
        }
    }
    out_ += "<path d=\"" + bracket + "\"" + attribute("stroke", accent_colour) + attribute("stroke-width", "1.5") +
            attribute("fill", "none") + "/>\n";
    const auto edge =
        attribute("stroke", accent_colour) + attribute("stroke-dasharray", "2 3") + attribute("fill", "none");
    for (const double x : {begin, end}) out_ += line(x, layout_.bracket, x, lanes_bottom(), edge);

    const std::string times = "×" + std::to_string(mark.repeats);
    const std::string period = "period " + time_text(problem_, mark.period);
    const auto centred = [&](double from, double to, const std::vector<std::string>& choices,
                             const std::string& extra) {
        for (const std::string& words : choices) {
            if (static_cast<double>(words.size()) * 6.2 > to - from) continue;
            text((from + to) / 2, layout_.phases, 12, words, attribute("text-anchor", "middle") + extra);
            return;
        }
    };
    centred(begin, end, {"repetend " + times + ", " + period, times + ", " + period, period, times},
            attribute("fill", accent_colour) + attribute("font-weight", "600"));
    centred(axis_.left(0), begin, {"warmup"}, attribute("fill", muted_colour));
    centred(end, axis_.right(last), {"cooldown"}, attribute("fill", muted_colour));
}

// Thin rails that join the lanes of a gang block, behind everything else.
void SvgDrawing::add_rails() {
    std::string rails;
    double last_x = -10;
    for (const Operation& operation : schedule_.operations) {
        const auto b = static_cast<std::size_t>(operation.block);
        if (!scene_.gangs[b]) continue;
        const Block& block = problem_.blocks[b];
        const auto [first, last] = std::minmax_element(block.devices.begin(), block.devices.end());
        for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
            const Stretch& stretch = axis_.stretches[k];
            if (operation.start >= stretch.to || operation.start + block.time <= stretch.from) continue;
            const double from = axis_.x(k, operation.start), to = axis_.x(k, operation.start + block.time);
            const double x = (from + to) / 2;
            if (std::abs(x - last_x) < 3) continue;  // rails closer than that say nothing
            last_x = x;
            rails += line(x, lane_top(*first) + layout_.lane_height / 2, x, lane_top(*last) + layout_.lane_height / 2,
                          attribute("stroke", plain_colour(block.kind, 0)) +
                              attribute("stroke-width", to - from >= 8 ? "3" : "1"));
        }
    }
    out_ += rails;
}

// Delays between devices: thin lines from the end of a block to the moment at which the next may start.
void SvgDrawing::add_lags() {
    std::vector<std::vector<const Dependency*>> from_block(problem_.blocks.size());
    for (const Dependency& dependency : problem_.dependencies) {
        if (dependency.lag > 0) from_block[static_cast<std::size_t>(dependency.from)].push_back(&dependency);
    }
    std::string lines;
    for (const Operation& operation : schedule_.operations) {
        const Block& block = problem_.blocks[static_cast<std::size_t>(operation.block)];
        const Ticks end = operation.start + block.time;
        for (const Dependency* dependency : from_block[static_cast<std::size_t>(operation.block)]) {
            const Block& next = problem_.blocks[static_cast<std::size_t>(dependency->to)];
            if (next.devices[0] == block.devices[0]) continue;
            for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
                if (end < axis_.stretches[k].from || end + dependency->lag > axis_.stretches[k].to) continue;
                const double half = layout_.lane_height / 2;
                lines += 'M' + num(axis_.x(k, end)) + ' ' + num(lane_top(block.devices[0]) + half) + 'L' +
                         num(axis_.x(k, end + dependency->lag)) + ' ' + num(lane_top(next.devices[0]) + half);
            }
        }
    }
    if (!lines.empty()) {
        out_ += "<path d=\"" + lines + "\"" + attribute("stroke", "#AEB6BF") + attribute("stroke-width", "0.75") +
                attribute("fill", "none") + "/>\n";
    }
}

void SvgDrawing::add_lane(int device) {
    const std::vector<LaneItem>& lane = scene_.lanes[static_cast<std::size_t>(device)];
    const double top = lane_top(device);
    std::string shapes, texts;
    for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
        add_band(top, k, lane);
        for (const LaneItem& item : lane) {
            if (item.start >= axis_.stretches[k].to || item.end <= axis_.stretches[k].from) continue;
            const double from = axis_.x(k, item.start), to = axis_.x(k, item.end);
            if (static_cast<double>(item.end - item.start) * axis_.px_per_tick >= least_block_px) {
                add_block(shapes, texts, top, from, to, item);
            }
        }
    }
    out_ += shapes;
    if (!texts.empty()) {
        out_ +=
            "<g font-family=\"'JetBrains Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"11\""
            " text-anchor=\"middle\">\n" +
            texts + "</g>\n";
    }
}

void SvgDrawing::add_block(std::string& shapes, std::string& texts, double top, double from, double to,
                           const LaneItem& item) {
    const BlockKind kind = problem_.blocks[static_cast<std::size_t>(item.block)].kind;
    const double width = to - from;
    const bool border = kind_look(kind).border != nullptr && width >= 4;
    // A gap between neighbours and round corners, where there is room for them.
    const double gap = width >= 6 ? 0.5 : width >= 3 ? 0.25 : 0, inset = gap + (border ? 0.5 : 0);
    shapes += "<rect" + attribute("x", from + inset) + attribute("y", top + (border ? 0.5 : 0)) +
              attribute("width", std::max(width - 2 * inset, 0.25)) +
              attribute("height", layout_.lane_height - (border ? 1 : 0));
    if (width >= 6) shapes += attribute("rx", "2");
    shapes += kind_fill(kind, width);
    shapes += detailed_ ? "><title>" + xml(block_title(item)) + "</title></rect>\n" : "/>\n";
    if (width < 9 || layout_.lane_height < 12) return;
    std::string words(1, scene_.letters[static_cast<std::size_t>(item.block)]);
    const std::string number = std::to_string(item.micro_batch);
    if (static_cast<double>(number.size() + 1) * character_px + 2 <= width) words += number;
    texts += "<text" + attribute("x", (from + to) / 2) + attribute("y", top + layout_.lane_height / 2 + 4) +
             attribute("fill", kind_look(kind).ink) + '>' + words + "</text>\n";
}

// Blocks below one pixel: per pixel the share of busy time, in the colour of the kind that fills most of it.
void SvgDrawing::add_band(double top, std::size_t piece, const std::vector<LaneItem>& lane) {
    const Stretch& stretch = axis_.stretches[piece];
    const double left = axis_.left(piece);
    const std::size_t bins = static_cast<std::size_t>(std::ceil(axis_.right(piece) - left)) + 1;
    struct Bin {
        double share[6] = {};
    };
    std::vector<Bin> filled;
    for (const LaneItem& item : lane) {
        if (item.start >= stretch.to || item.end <= stretch.from) continue;
        const double width = static_cast<double>(item.end - item.start) * axis_.px_per_tick;
        if (width >= least_block_px) continue;
        if (filled.empty()) filled.resize(bins);
        const auto kind = static_cast<std::size_t>(problem_.blocks[static_cast<std::size_t>(item.block)].kind);
        filled[std::min(static_cast<std::size_t>(axis_.x(piece, item.start) - left), bins - 1)].share[kind] += width;
    }
    const auto look = [&](std::size_t bin) {  // kind and strength in eighths
        std::pair<std::size_t, int> result{0, 0};
        double all = 0;
        for (std::size_t kind = 0; kind < 6; ++kind) {
            all += filled[bin].share[kind];
            if (filled[bin].share[kind] > filled[bin].share[result.first]) result.first = kind;
        }
        result.second = static_cast<int>(std::ceil(std::min(all, 1.0) * 8));
        return result;
    };
    for (std::size_t bin = 0; bin < filled.size();) {
        const auto [kind, strength] = look(bin);
        std::size_t end = bin + 1;
        while (end < filled.size() && look(end) == std::pair{kind, strength}) ++end;
        if (strength > 0) {
            out_ += "<rect" + attribute("x", left + static_cast<double>(bin)) + attribute("y", top) +
                    attribute("width", static_cast<double>(end - bin)) + attribute("height", layout_.lane_height) +
                    attribute("fill", plain_colour(static_cast<BlockKind>(kind), 0)) +
                    attribute("fill-opacity", 0.2 + 0.1 * strength) + "/>\n";
        }
        bin = end;
    }
}

void SvgDrawing::add_memory(int device) {
    const auto d = static_cast<std::size_t>(device);
    const std::vector<MemoryStep>& curve = scene_.memory[d];
    const double base = lane_top(device) + layout_.lane_height + 4 + layout_.memory_height;
    const double scale = (layout_.memory_height - 2) / static_cast<double>(scene_.most_memory);
    const auto y = [&](Memory amount) { return base - static_cast<double>(std::max<Memory>(amount, 0)) * scale; };
    const Memory constant = problem_.devices[d].memory_static;
    for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
        const Stretch& stretch = axis_.stretches[k];
        const double left = axis_.left(k), right = axis_.right(k);
        std::string path = 'M' + num(left) + ' ' + num(base);
        std::size_t step = 0;
        while (step + 1 < curve.size() && curve[step + 1].time <= stretch.from) ++step;
        double at = left;
        Memory level = curve[step].memory;
        path += 'V' + num(y(level));
        while (++step < curve.size() && curve[step].time < stretch.to) {
            // All changes within half a pixel become one, the highest.
            const double x = axis_.x(k, curve[step].time);
            Memory highest = curve[step].memory, final = highest;
            while (step + 1 < curve.size() && curve[step + 1].time < stretch.to &&
                   axis_.x(k, curve[step + 1].time) < x + 0.5) {
                final = curve[++step].memory;
                highest = std::max(highest, final);
            }
            path += 'H' + num(std::max(x, at)) + 'V' + num(y(highest));
            if (final != highest) path += 'h' + num(0.5) + 'V' + num(y(final));
            at = final != highest ? x + 0.5 : x;
        }
        path += 'H' + num(right) + 'V' + num(base) + 'Z';
        out_ += "<path d=\"" + path + "\"" + attribute("fill", "#B7C0CB") + "/>\n";
        if (constant > 0) {
            out_ += "<rect" + attribute("x", left) + attribute("y", y(constant)) + attribute("width", right - left) +
                    attribute("height", base - y(constant)) + attribute("fill", "#7D8794") + "/>\n";
        }
        out_ += line(left, base, right, base, attribute("stroke", "#7D8794") + attribute("stroke-width", "0.75"));
        if (const auto capacity = problem_.devices[d].memory_capacity) {
            out_ += line(left, y(*capacity), right, y(*capacity),
                         attribute("stroke", text_colour) + attribute("stroke-dasharray", "5 3"));
        }
    }
    // The peak, where it is reached first.
    const Memory peak = scene_.peaks[d];
    const auto reached =
        std::find_if(curve.begin(), curve.end(), [&](const MemoryStep& s) { return s.memory == peak; });
    for (std::size_t k = 0; reached != curve.end() && k < axis_.stretches.size(); ++k) {
        if (reached->time < axis_.stretches[k].from || reached->time > axis_.stretches[k].to) continue;
        out_ += "<circle" + attribute("cx", axis_.x(k, reached->time)) + attribute("cy", y(peak)) +
                attribute("r", "2") + "/>\n";
        break;
    }
    const auto small = attribute("fill", muted_colour);
    const double x = layout_.right + 8;
    const bool two_lines = layout_.memory_height >= 20;
    if (const auto capacity = problem_.devices[d].memory_capacity; capacity && two_lines) {
        text(x, base - layout_.memory_height + 8, 10, "of " + scene_.memory_unit.text(*capacity, 1), small);
    }
    text(x, base - 1, 10,
         "peak " + (two_lines ? scene_.memory_unit.text(peak, 1) : scene_.memory_unit.number(peak, 1)));
}

// The gap of a cut: two broken lines with how much is missing.
void SvgDrawing::add_cut() {
    for (std::size_t k = 0; k + 1 < axis_.stretches.size(); ++k) {
        const double from = axis_.right(k), to = axis_.left(k + 1);
        const auto dashes =
            attribute("stroke", muted_colour) + attribute("stroke-dasharray", "1 4") + attribute("fill", "none");
        out_ += "<rect" + attribute("x", from) + attribute("y", layout_.ruler - 14) + attribute("width", to - from) +
                attribute("height", lanes_bottom() - layout_.ruler + 14) + attribute("fill", "#FFFFFF") + "/>\n";
        for (const double x : {from + 5, to - 5}) out_ += line(x, layout_.bracket - 5, x, lanes_bottom(), dashes);
    }
}

}  // namespace repetend::format

namespace repetend {

std::string draw_svg(const Problem& problem, const Schedule& schedule, const SvgOptions& options) {
    return format::SvgDrawing(problem, schedule, options).run();
}

}  // namespace repetend
