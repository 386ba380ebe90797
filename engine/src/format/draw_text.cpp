// A schedule as text for terminals. Time becomes columns: whole columns for a tick where there is room, else
// whole ticks for a column, so that equal blocks look equal. A block shows its letter, its micro-batch where
// that fits, and a fill that tells the kinds apart without colour. Long schedules lose whole periods of
// their repeating middle, so the picture goes on across the gap as if nothing were missing.
#include <algorithm>
#include <utility>

#include "json_value.hpp"
#include "repetend/format/drawing.hpp"
#include "scene.hpp"
#include "text_axis.hpp"
#include "text_width.hpp"

namespace repetend {
namespace {

using namespace format;

struct Style {
    int background = -1;  // colour of the 256-colour palette
    int foreground = -1;
    bool underline = false;
    bool operator==(const Style&) const = default;
};

struct Cell {
    std::string glyph = " ";
    Style style;
    bool taken = false;
};
using Row = std::vector<Cell>;

constexpr Style quiet{-1, 245, false};

// Okabe-Ito, nearest in the 256-colour palette, with the ink that contrasts more.
Style kind_style(BlockKind kind, bool gang) {
    switch (kind) {
        case BlockKind::forward:
            return {25, 231, gang};
        case BlockKind::backward:
            return {214, 16, gang};
        case BlockKind::input_gradient:
            return {222, 16, gang};
        case BlockKind::weight_gradient:
            return {36, 16, gang};
        case BlockKind::transfer:
            return {247, 16, gang};
        case BlockKind::other:
            break;
    }
    return {175, 16, gang};
}

struct Glyphs {
    const char *forward, *backward, *input_gradient, *weight_gradient, *transfer, *other;
    const char *left, *middle, *right, *line;  // the bracket
    const char *gap, *edge, *clash;
    const char* times;
    std::vector<std::string> density, level;
};

const Glyphs& glyphs(bool unicode) {
    static const Glyphs ascii = {"=",
                                 "-",
                                 "-",
                                 "~",
                                 ".",
                                 "-",
                                 "|",
                                 "|",
                                 "|",
                                 "-",
                                 "~",
                                 "|",
                                 "!",
                                 "x",
                                 {".", ":", "#"},
                                 {" ", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "#"}};
    static const Glyphs fine = {"━",
                                "─",
                                "┄",
                                "≈",
                                "·",
                                "─",
                                "├",
                                "┼",
                                "┤",
                                "─",
                                "┊",
                                "│",
                                "!",
                                "×",
                                {"░", "▒", "▓"},
                                {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}};
    return unicode ? fine : ascii;
}

const char* fill_glyph(const Glyphs& g, BlockKind kind) {
    switch (kind) {
        case BlockKind::forward:
            return g.forward;
        case BlockKind::backward:
            return g.backward;
        case BlockKind::input_gradient:
            return g.input_gradient;
        case BlockKind::weight_gradient:
            return g.weight_gradient;
        case BlockKind::transfer:
            return g.transfer;
        case BlockKind::other:
            break;
    }
    return g.other;
}

class TextDrawing {
public:
    TextDrawing(const Problem& problem, const Schedule& schedule, const TextDrawingOptions& options)
        : problem_(problem),
          options_(options),
          scene_(make_scene(problem, schedule)),
          g_(glyphs(options.unicode)),
          digits_(std::to_string(std::max<std::int64_t>(schedule.micro_batches - 1, 0)).size()),
          width_(std::clamp(options.columns, 40, 1000)),
          left_(label_width()),
          axis_(TextAxis::choose(scene_, width_ - left_, 1.0 + static_cast<double>(digits_))) {
        headline_ = label(problem.name.empty() ? "schedule" : problem.name, 200) + ": " +
                    counted(schedule.micro_batches, "micro-batch") + " in " + time_text(problem_, scene_.end);
    }

    std::string run() {
        add_wrapped("", headline_);
        out_ += '\n';
        if (scene_.mark) add_phases();
        add_ruler();
        for (int d = 0; d < problem_.num_devices(); ++d) {
            add_lane(d);
            if (scene_.has_memory) add_memory(d);
        }
        out_ += '\n';
        add_legend();
        return std::move(out_);
    }

private:
    // Room for the longest device label and the longest memory label.
    int label_width() const {
        int width = 5;
        for (int d = 0; d < problem_.num_devices(); ++d) {
            width = std::max({width, text_width(lane_label(d)), text_width(memory_label(d))});
        }
        return std::min(width, 18) + 1;
    }

    std::string lane_label(int device) const { return ascii_if_asked(label(device_label(problem_, device), 18)); }

    std::string memory_label(int device) const {
        if (!scene_.has_memory) return "";
        const auto d = static_cast<std::size_t>(device);
        const auto capacity = problem_.devices[d].memory_capacity;
        if (!capacity) return " " + scene_.memory_unit.text(scene_.peaks[d], 1);
        return " " + scene_.memory_unit.number(scene_.peaks[d], 1) + "/" + scene_.memory_unit.text(*capacity, 1);
    }

    std::string ascii_if_asked(std::string text) const {
        if (options_.unicode) return text;
        std::string out;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
            out += length == 1 ? text[at] : '?';
            at += length;
        }
        return out;
    }

    Row empty_row() const { return Row(static_cast<std::size_t>(axis_.columns)); }
    static Cell& cell(Row& row, int column) { return row[static_cast<std::size_t>(column)]; }

    // Writes as many characters as fit between two columns.
    void put(Row& row, int from, int to, const std::string& text, const Style& style) const {
        int column = from;
        for (std::size_t at = 0; at < text.size() && column < to;) {
            const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
            cell(row, column++) = {text.substr(at, length), style, true};
            at += length;
        }
    }

    void add_row(const std::string& name, const Row& row, const Style& name_style) {
        std::size_t used = row.size();
        while (used > 0 && row[used - 1].glyph == " " && row[used - 1].style.background < 0) --used;
        if (used == 0 && text_width(name) == 0) {
            out_ += '\n';
            return;
        }
        Style current;
        const auto switch_to = [&](const Style& style) {
            if (!options_.colour || style == current) return;
            out_ += "\x1b[0";
            if (style.background >= 0) out_ += ";48;5;" + std::to_string(style.background);
            if (style.foreground >= 0) out_ += ";38;5;" + std::to_string(style.foreground);
            if (style.underline) out_ += ";4";
            out_ += 'm';
            current = style;
        };
        switch_to(name_style);
        out_ += used == 0 ? name : to_width(name, left_);
        for (std::size_t k = 0; k < used; ++k) {
            switch_to(row[k].style);
            out_ += row[k].glyph;
        }
        switch_to({});
        out_ += '\n';
    }

    void add_phases() {
        Row names = empty_row(), bracket = empty_row();
        const RepetendMark& mark = *scene_.mark;
        const std::size_t last = axis_.stretches.size() - 1;
        const int begin = axis_.column(0, mark.begin), end = axis_.column(last, scene_.repetend_end);
        const std::string times = g_.times + std::to_string(mark.repeats);
        const std::string period = "period " + time_text(problem_, mark.period);
        centre(names, begin, end, {"repetend " + times + ", " + period, times + ", " + period, period, times});
        centre(names, 0, begin, {"warmup"});
        centre(names, end, axis_.columns, {"cooldown"});
        for (std::size_t k = 0; k <= last; ++k) {
            const Stretch& stretch = axis_.stretches[k];
            const Ticks from = std::max(stretch.from, mark.begin), to = std::min(stretch.to, scene_.repetend_end);
            const int most = axis_.end_column(k) - (k < last || axis_.end_column(k) == axis_.columns ? 1 : 0);
            const int left = axis_.column(k, from), right = std::min(axis_.column(k, to), most);
            for (int c = left; c <= right; ++c) cell(bracket, c) = {g_.line, quiet, true};
            // Where periods would touch each other, only the ends are marked.
            if (axis_.columns_for(mark.period) < 2) continue;
            for (Ticks at = from; at <= to; at += mark.period) {
                if (axis_.column(k, at) <= right) cell(bracket, axis_.column(k, at)) = {g_.middle, quiet, true};
            }
        }
        add_gaps(bracket);
        cell(bracket, begin) = {g_.left, quiet, true};
        cell(bracket, std::min(end, axis_.columns - 1)) = {g_.right, quiet, true};
        add_row("", names, {});
        add_row("", bracket, quiet);
    }

    // The first of the texts that fits, in the middle of the columns [from, to).
    void centre(Row& row, int from, int to, const std::vector<std::string>& texts) const {
        for (const std::string& text : texts) {
            const int width = text_width(text);
            if (width > to - from) continue;
            put(row, from + (to - from - width) / 2, to, text, {});
            return;
        }
    }

    void add_ruler() {
        Row row = empty_row();
        const std::string longest = scene_.time_unit.number(scene_.end);
        const double width = static_cast<double>(longest.size()) + 3;
        const Ticks step = round_step(width / axis_.columns_for(1));
        for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
            const Stretch& stretch = axis_.stretches[k];
            Ticks at = stretch.from / step * step;
            if (at < stretch.from) at += step;
            for (; at <= stretch.to; at += step) {
                const std::string text = scene_.time_unit.number(at);
                const int column = axis_.column(k, at);
                if (column + static_cast<int>(text.size()) <= axis_.end_column(k))
                    put(row, column, axis_.columns, text, quiet);
            }
        }
        add_gaps(row);
        add_row(scene_.time_unit.unit(), row, quiet);
    }

    void add_gaps(Row& row) const {
        for (std::size_t k = 0; k + 1 < axis_.stretches.size(); ++k) {
            for (int c = axis_.end_column(k) + 1; c + 1 < axis_.first_column(k + 1); ++c) {
                cell(row, c) = {g_.gap, quiet, true};
            }
        }
    }

    void add_lane(int device) {
        Row row = empty_row();
        const std::vector<LaneItem>& lane = scene_.lanes[static_cast<std::size_t>(device)];
        for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
            std::vector<Ticks> specks(row.size(), 0);  // ticks of blocks too short for a column of their own
            const auto first = std::partition_point(lane.begin(), lane.end(), [&](const LaneItem& item) {
                return item.start < axis_.stretches[k].from && item.end <= axis_.stretches[k].from;
            });
            Ticks busy_until = axis_.stretches[k].from;
            for (auto item = first; item != lane.end() && item->start < axis_.stretches[k].to; ++item) {
                const int from = axis_.column(k, item->start), to = axis_.column(k, item->end);
                if (to > from) {
                    paint(row, from, to, *item);
                } else if (from < axis_.end_column(k)) {
                    specks[static_cast<std::size_t>(from)] += item->end - item->start;
                }
                // Two at once: an invalid schedule, shown as such.
                if (item->start < busy_until && item != first) {
                    for (int c = from; c < axis_.column(k, std::min(busy_until, item->end)); ++c) {
                        cell(row, c) = {g_.clash, {160, 231, false}, true};
                    }
                }
                busy_until = std::max(busy_until, item->end);
            }
            for (int c = axis_.first_column(k); c < axis_.end_column(k); ++c) {
                const Ticks amount = specks[static_cast<std::size_t>(c)];
                if (amount == 0 || cell(row, c).taken) continue;
                const Stretch ticks = axis_.ticks_of(k, c);
                const double share = static_cast<double>(amount) / static_cast<double>(ticks.to - ticks.from);
                cell(row, c) = {g_.density[share < 0.34 ? 0 : share < 0.67 ? 1 : 2], {}, true};
            }
        }
        add_gaps(row);
        add_row(lane_label(device), row, {});
    }

    void paint(Row& row, int from, int to, const LaneItem& item) const {
        const auto b = static_cast<std::size_t>(item.block);
        const BlockKind kind = problem_.blocks[b].kind;
        const Style style = kind_style(kind, scene_.gangs[b]);
        const char* fill = options_.colour ? " " : fill_glyph(g_, kind);
        for (int c = from; c < to; ++c) cell(row, c) = {fill, style, true};
        std::string text(1, scene_.letters[b]);
        const std::string number = std::to_string(item.micro_batch);
        if (static_cast<int>(number.size()) + 1 <= to - from) text += number;
        put(row, from, to, text, style);
    }

    void add_memory(int device) {
        Row row = empty_row();
        const auto d = static_cast<std::size_t>(device);
        const std::vector<MemoryStep>& curve = scene_.memory[d];
        const auto capacity = problem_.devices[d].memory_capacity;
        const Memory full = std::max<Memory>(capacity ? *capacity : scene_.most_memory, 1);
        for (std::size_t k = 0; k < axis_.stretches.size(); ++k) {
            std::size_t step = 0;
            for (int c = axis_.first_column(k); c < axis_.end_column(k); ++c) {
                const Stretch ticks = axis_.ticks_of(k, c);
                while (step + 1 < curve.size() && curve[step + 1].time <= ticks.from) ++step;
                Memory most = curve[step].memory;
                for (std::size_t s = step + 1; s < curve.size() && curve[s].time < ticks.to; ++s) {
                    most = std::max(most, curve[s].memory);
                }
                cell(row, c) = {level_glyph(most, full), quiet, true};
            }
        }
        add_gaps(row);
        add_row(memory_label(device), row, quiet);
    }

    // Where the scale has at most nine steps, plain text shows the number itself.
    bool shows_numbers() const { return !options_.unicode && scene_.most_memory <= 9; }

    std::string level_glyph(Memory level, Memory full) const {
        if (level <= 0) return g_.level[0];
        if (shows_numbers()) return std::to_string(level);
        if (level >= full) return g_.level.back();
        const double share = static_cast<double>(level) / static_cast<double>(full);
        const std::size_t steps = g_.level.size() - 2;  // without nothing and full
        return g_.level[1 + std::min(static_cast<std::size_t>(share * static_cast<double>(steps)), steps - 1)];
    }

    // Text in lines of the width; the first begins with `start`, the others with `indent`.
    void add_wrapped(const std::string& indent, const std::string& text, const std::string& start = "") {
        std::string line = start;
        bool empty = true;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t space = std::min(text.find(' ', at), text.size());
            const std::string word = text.substr(at, space - at);
            if (!empty && text_width(line) + 1 + text_width(word) > width_) {
                out_ += ascii_if_asked(line) + '\n';
                line = indent;
                empty = true;
            }
            if (!empty) line += ' ';
            line += word;
            empty = false;
            at = space + 1;
        }
        out_ += ascii_if_asked(line) + '\n';
    }

    void add_legend() {
        std::string blocks;
        for (const LetterMeaning& meaning : letter_meanings(problem_, scene_)) {
            if (!blocks.empty()) blocks += "; ";
            blocks += std::string(1, meaning.letter) + ' ' + meaning.words;
        }
        add_wrapped("", "Blocks: " + blocks + "; the number is the micro-batch.");
        const std::int64_t left_out = periods_left_out(scene_, axis_.stretches);
        if (left_out > 0) {
            add_wrapped("", "Cut at " + std::string(g_.gap) + ": " + std::to_string(left_out) + " of " +
                                std::to_string(scene_.mark->repeats) + " repeats are left out (" +
                                time_text(problem_, left_out * scene_.mark->period) + ").");
        }
        std::string scale = "Scale: " + axis_.scale_words(problem_) + ".";
        if (scene_.has_memory) {
            scale += shows_numbers() ? " Memory under each lane: the amount held."
                     : any_capacity()
                         ? " Memory under each lane: peak/capacity; " + g_.level.back() + " is full."
                         : " Memory under each lane: " + g_.level.back() + " is " +
                               scene_.memory_unit.text(scene_.most_memory, 2) + ", the most on any device.";
        }
        add_wrapped("", scale);
        if (!options_.measures) return;
        out_ += '\n';
        const std::vector<FactLine> lines = facts(problem_, scene_);
        int names = 0, values = 0;
        for (const FactLine& fact : lines) {
            names = std::max(names, text_width(fact.name) + 2);
            values = std::max(values, text_width(fact.value) + 2);
        }
        const int indent = names + values;
        for (const FactLine& fact : lines) {
            const std::string start = to_width(fact.name, names) + to_width(fact.value, values);
            if (width_ - indent >= 30) {
                add_wrapped(std::string(static_cast<std::size_t>(indent), ' '), fact.definition, start);
            } else {  // too narrow for three columns
                add_wrapped("", fact.name + ": " + fact.value);
                add_wrapped("  ", fact.definition, "  ");
            }
        }
    }

    bool any_capacity() const {
        return std::any_of(problem_.devices.begin(), problem_.devices.end(),
                           [](const Device& device) { return device.memory_capacity.has_value(); });
    }

    const Problem& problem_;
    const TextDrawingOptions options_;
    const Scene scene_;
    const Glyphs& g_;
    const std::size_t digits_;
    const int width_;
    const int left_;
    const TextAxis axis_;
    std::string headline_;
    std::string out_;
};

}  // namespace

std::string draw_text(const Problem& problem, const Schedule& schedule, const TextDrawingOptions& options) {
    return TextDrawing(problem, schedule, options).run();
}

}  // namespace repetend
