// What stands around the lanes of an SVG drawing: title and caption, legend, costs, measures.
#include <algorithm>
#include <map>

#include "svg_drawing.hpp"
#include "svg_kinds.hpp"
#include "svg_text.hpp"

namespace repetend::format {
namespace {

std::string signed_text(const Problem& problem, Memory amount) {
    return amount == 0 ? "0" : (amount > 0 ? "+" : "") + memory_text(problem, amount);
}

}  // namespace

void SvgDrawing::text(double x, double y, double size, const std::string& words, const std::string& extra) {
    out_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) + extra + '>' + xml(words) +
            "</text>\n";
}

std::vector<std::string> SvgDrawing::wrap(const std::string& words, std::size_t most) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t space = std::min(words.find(' ', at), words.size());
        const std::string word = words.substr(at, space - at);
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
        at = space + 1;
    }
    return lines;
}

std::string SvgDrawing::caption() const {
    std::string words = counted(problem_.num_devices(), "device") + ", " +
                        counted(schedule_.micro_batches, "micro-batch") + ", makespan " +
                        time_text(problem_, scene_.end) + ".";
    if (scene_.mark) {
        words += " The bracket repeats every " + time_text(problem_, scene_.mark->period);
        if (scene_.mark->copies > 1) words += " with " + std::to_string(scene_.mark->copies) + " micro-batches";
        words += ", " + std::to_string(scene_.mark->repeats) + " times.";
    }
    if (const std::int64_t missing = periods_left_out(scene_, axis_.stretches)) {
        words += " " + std::to_string(missing) + " of them are left out at the gap.";
    }
    return words;
}

double SvgDrawing::add_header() {
    const std::string given = options_.title.empty() ? problem_.name : options_.title;
    const std::string title = given.empty() ? "Schedule" : given;
    out_ += "<title id=\"title\">" + xml(title) + "</title>\n<desc id=\"desc\">" + xml(caption() + " " + costs()) +
            "</desc>\n";
    out_ += "<defs>\n" + kind_patterns() + "</defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n";
    text(16, 32, 20, label(title, static_cast<std::size_t>(layout_.width / 11)), attribute("font-weight", "600"));
    const std::vector<std::string> lines = wrap(caption(), static_cast<std::size_t>((layout_.width - 32) / 7));
    double y = 54;
    for (const std::string& words : lines) {
        text(16, y, 13, words, attribute("fill", muted_colour));
        y += 18;
    }
    return 18 * static_cast<double>(lines.size() - 1);
}

std::string SvgDrawing::block_title(const LaneItem& item) const {
    const Block& block = problem_.blocks[static_cast<std::size_t>(item.block)];
    return label(block.name, 80) + ", micro-batch " + std::to_string(item.micro_batch) + ": " +
           scene_.time_unit.number(item.start) + " to " + scene_.time_unit.text(item.end);
}

// Times and memory that the schedule was made for, one part for each letter.
std::string SvgDrawing::costs() const {
    struct Range {
        Ticks least_time = 0, most_time = 0;
        Memory least_memory = 0, most_memory = 0, most_transient = 0;
        bool any = false;
    };
    std::map<char, Range> ranges;
    for (std::size_t b = 0; b < problem_.blocks.size(); ++b) {
        const Block& block = problem_.blocks[b];
        Range& range = ranges[scene_.letters[b]];
        for (std::size_t k = 0; k < block.memory.size(); ++k) {
            const Memory amount = block.memory[k];
            range.least_time = range.any ? std::min(range.least_time, block.time) : block.time;
            range.most_time = std::max(range.most_time, block.time);
            range.least_memory = range.any ? std::min(range.least_memory, amount) : amount;
            range.most_memory = range.any ? std::max(range.most_memory, amount) : amount;
            if (k < block.transient.size()) range.most_transient = std::max(range.most_transient, block.transient[k]);
            range.any = true;
        }
    }
    std::string words;
    for (const LetterMeaning& meaning : letter_meanings(problem_, scene_)) {
        const Range& range = ranges[meaning.letter];
        words += words.empty() ? "Costs: " : "; ";
        words += std::string(1, meaning.letter) + " takes " + time_text(problem_, range.least_time);
        if (range.most_time != range.least_time) words += " to " + time_text(problem_, range.most_time);
        if (!scene_.has_memory) continue;
        words += ", memory " + signed_text(problem_, range.least_memory);
        if (range.most_memory != range.least_memory) words += " to " + signed_text(problem_, range.most_memory);
        if (range.most_transient > 0) {
            words += " and " + memory_text(problem_, range.most_transient) + " while it runs";
        }
    }
    return words + ".";
}

double SvgDrawing::add_legend(double top) {
    double x = 16, y = top + 12;
    const auto entry = [&](const std::string& swatch, const std::string& words) {
        const double width = 30 + 7.2 * static_cast<double>(words.size()) + 18;
        if (x + width > layout_.width && x > 16) {
            x = 16;
            y += 20;
        }
        out_ += "<g transform=\"translate(" + num(x) + ' ' + num(y - 11) + ")\">" + swatch + "</g>\n";
        text(x + 30, y, 12, words);
        x += width;
    };
    for (const LetterMeaning& meaning : letter_meanings(problem_, scene_)) {
        entry("<rect x=\"0.5\" y=\"0.5\" width=\"23\" height=\"14\" rx=\"2\"" + kind_fill(meaning.kind, 23) +
                  "/><text x=\"12\" y=\"11.5\" font-size=\"11\" text-anchor=\"middle\"" +
                  attribute("fill", kind_look(meaning.kind).ink) + '>' + meaning.letter + "</text>",
              meaning.words);
    }
    if (layout_.memory_height > 0) {
        entry("<rect y=\"4\" width=\"24\" height=\"11\" fill=\"#B7C0CB\"/>", "memory");
        const auto constant = [](const Device& device) { return device.memory_static > 0; };
        if (std::any_of(problem_.devices.begin(), problem_.devices.end(), constant)) {
            entry("<rect y=\"4\" width=\"24\" height=\"11\" fill=\"#7D8794\"/>", "static memory");
        }
        const auto limited = [](const Device& device) { return device.memory_capacity.has_value(); };
        if (std::any_of(problem_.devices.begin(), problem_.devices.end(), limited)) {
            entry("<path d=\"M0 8H24\" stroke=\"#1F2328\" stroke-dasharray=\"5 3\"/>", "capacity");
        }
        entry("<circle cx=\"12\" cy=\"8\" r=\"2\"/>", "first peak");
    }
    y += 22;
    for (const std::string& line : wrap(costs(), static_cast<std::size_t>((layout_.width - 32) / 6.3))) {
        text(16, y, 12, line, attribute("fill", muted_colour));
        y += 17;
    }
    return y;
}

// Each measure with its value and what it means, side by side.
double SvgDrawing::add_measures(double top) {
    const std::vector<FactLine> lines = facts(problem_, scene_);
    if (lines.empty()) return top;
    const double column_px = 230;
    const std::size_t columns =
        std::clamp(static_cast<std::size_t>((layout_.width - 32) / column_px), std::size_t{1}, lines.size());
    const double pitch = (layout_.width - 32) / static_cast<double>(columns);
    out_ +=
        "<path d=\"M16 " + num(top) + 'H' + num(layout_.width - 16) + "\"" + attribute("stroke", line_colour) + "/>\n";
    double bottom = top;
    for (std::size_t k = 0; k < lines.size(); k += columns) {
        const double row = bottom;
        for (std::size_t c = 0; c < columns && k + c < lines.size(); ++c) {
            const FactLine& fact = lines[k + c];
            const double x = 16 + pitch * static_cast<double>(c);
            text(x, row + 22, 11, fact.name, attribute("fill", muted_colour));
            text(x, row + 42, 16, fact.value, attribute("font-weight", "600"));
            double y = row + 58;
            for (const std::string& line : wrap(fact.definition, static_cast<std::size_t>((pitch - 16) / 5.4))) {
                text(x, y, 10, line, attribute("fill", muted_colour));
                y += 13;
            }
            bottom = std::max(bottom, y);
        }
    }
    return bottom;
}

}  // namespace repetend::format
