// Ruler, lanes and blocks; what stands over them is in painter_marks.cpp.
#include "painter.hpp"

#include <algorithm>
#include <cmath>

#include "block_layer.hpp"

namespace repetend::web {
namespace {

constexpr float least_letter = 9;
constexpr float least_label = 14;

std::string tick_text(const Problem& problem, double tick) {
    if (problem.time_unit == "ns" || !problem.time_unit.empty())
        return amount(static_cast<std::int64_t>(tick), problem.time_unit == "tick" ? "" : problem.time_unit, "");
    return std::to_string(static_cast<std::int64_t>(tick));
}

}  // namespace

void Painter::ruler() {
    const float base = origin_.y + layout_.ruler - 6;
    const float foot = std::min(origin_.y + layout_.bottom, lane_top(layout_.lanes - 1) + layout_.pitch);
    list_.PushClipRect({left(), origin_.y}, {right(), origin_.y + layout_.bottom}, true);
    const double step = scale_.mark_distance(64);
    const double first = std::max(0.0, std::ceil(scale_.from() / step) * step);
    for (double tick = first; tick <= std::min(scale_.to(), static_cast<double>(view_.end) * 1.02); tick += step) {
        const float at = look_.snap(x(tick));
        list_.AddLine({at, base - 3}, {at, base + 3}, look_.colour(look_.colours.muted, 0.7), look_.hairline());
        list_.AddLine({at, base + 6}, {at, foot}, look_.colour(look_.colours.line, 0.55), look_.hairline());
        const std::string text = tick_text(view_.problem, tick);
        if (at + 4 + look_.small->CalcTextSizeA(look_.small->FontSize * look_.small->Scale, 1e9f, 0, text.c_str()).x >
            right())
            continue;
        list_.AddText(look_.small, look_.small->FontSize * look_.small->Scale, {at + 4, base - 10}, look_.muted(),
                      text.c_str());
    }
    // Warmup, repetend, cooldown.
    const auto phase = [&](double from, double to, const char* words, ImU32 colour) {
        const float x0 = std::max(x(from), left()), x1 = std::min(x(to), right());
        const ImVec2 size = look_.text->CalcTextSizeA(look_.text->FontSize * look_.text->Scale, 1e9f, 0, words);
        if (x1 - x0 < size.x + 8) return false;
        list_.AddText(look_.text, look_.text->FontSize * look_.text->Scale, {(x0 + x1 - size.x) / 2, origin_.y - 2},
                      colour, words);
        return true;
    };
    if (const auto& mark = view_.schedule.repetend) {
        const auto begin = static_cast<double>(mark->begin);
        const double end = begin + static_cast<double>(mark->period) * static_cast<double>(mark->repeats);
        const float y = look_.snap(origin_.y + 22);
        const float x0 = x(begin), x1 = x(end);
        const float thick = look_.colours.contrast ? 2.5f : 1.6f;
        list_.AddRectFilled({x0, origin_.y + layout_.ruler}, {x(begin + static_cast<double>(mark->period)), foot},
                            look_.colour(look_.colours.accent, look_.colours.dark ? 0.11 : 0.07));
        list_.AddLine({x0, y}, {x1, y}, look_.accent(), thick);
        const double pixels = static_cast<double>(mark->period) * scale_.pixels_per_tick();
        if (pixels >= 5) {
            const auto skipped = static_cast<std::int64_t>(
                std::max(0.0, std::floor((scale_.from() - begin) / static_cast<double>(mark->period))));
            for (std::int64_t k = skipped; k <= mark->repeats; ++k) {
                const double at = begin + static_cast<double>(k * mark->period);
                if (at > scale_.to()) break;
                const bool outer = k == 0 || k == mark->repeats;
                list_.AddLine({look_.snap(x(at)), y - (outer ? 5.f : 2.f)},
                              {look_.snap(x(at)), y + (outer ? 5.f : 3.f)}, look_.accent(),
                              outer ? thick : look_.hairline());
            }
        } else {
            for (const float at : {x0, x1}) list_.AddLine({at, y - 5}, {at, y + 5}, look_.accent(), thick);
        }
        std::string words = "repetend ×" + std::to_string(mark->repeats) + ", period " + time_text(view_, mark->period);
        if (mark->copies > 1) words += " for " + std::to_string(mark->copies) + " micro-batches";
        if (!phase(begin, end, words.c_str(), look_.accent()))
            phase(begin, end, ("period " + std::to_string(mark->period)).c_str(), look_.accent());
        phase(0, begin, "warmup", look_.muted());
        phase(end, static_cast<double>(view_.end), "cooldown", look_.muted());
    }
    list_.PopClipRect();
}

void Painter::labels() {
    list_.PushClipRect({origin_.x, origin_.y + layout_.ruler - 2}, {left(), origin_.y + layout_.bottom}, true);
    const float size = look_.text->FontSize * look_.text->Scale;
    for (int d = 0; d < layout_.lanes; ++d) {
        if (!seen(d)) continue;
        const float top = lane_top(d);
        std::string name = device_label(view_.problem, d);
        if (layout_.left < 60 && view_.problem.devices[static_cast<std::size_t>(d)].name.empty())
            name = std::to_string(d);
        list_.AddText(look_.text, std::min(size, layout_.lane), {origin_.x + 2, top + (layout_.lane - size) / 2},
                      look_.ink(), name.c_str());
        if (layout_.memory <= 0) continue;
        const Device& device = view_.problem.devices[static_cast<std::size_t>(d)];
        std::string memory = amount(view_.lanes[static_cast<std::size_t>(d)].peak, view_.problem.memory_unit, "");
        if (device.memory_capacity) memory += "/" + amount(*device.memory_capacity, view_.problem.memory_unit, "");
        const float small = look_.small->FontSize * look_.small->Scale;
        if (look_.small->CalcTextSizeA(small, 1e9f, 0, memory.c_str()).x > layout_.left - 6)
            memory = amount(view_.lanes[static_cast<std::size_t>(d)].peak, view_.problem.memory_unit, "");
        list_.AddText(look_.small, small, {origin_.x + 2, top + layout_.lane + 2 + (layout_.memory - small) / 2},
                      look_.muted(), memory.c_str());
    }
    list_.PopClipRect();
}

void Painter::hatch(ImVec2 from, ImVec2 to, ImU32 colour, float distance) {
    const float height = to.y - from.y;
    const float first = std::floor((from.x - height) / distance) * distance;
    for (float at = first; at < to.x; at += distance) {
        const float x0 = std::max(at, from.x), x1 = std::min(at + height, to.x);
        if (x1 <= x0) continue;
        list_.AddLine({x0, to.y - (x0 - at)}, {x1, to.y - (x1 - at)}, colour, 1);
    }
}

void Painter::fill_block(ImVec2 from, ImVec2 to, BlockKind kind, Rgb fill, float rounding) {
    const float width = to.x - from.x;
    if (kind == BlockKind::transfer && width >= 4) {
        list_.AddRectFilled(from, to, look_.colour(fill, 0.16), rounding);
        list_.AddRect({from.x + 0.5f, from.y + 0.5f}, {to.x - 0.5f, to.y - 0.5f}, look_.colour(fill), rounding, 0,
                      1.2f);
        return;
    }
    list_.AddRectFilled(from, to, look_.colour(fill), rounding);
    if (options_.colours != ColourScheme::kind || width < 7) return;
    if (kind == BlockKind::weight_gradient)
        hatch({from.x + 1, from.y + 1}, {to.x - 1, to.y - 1}, look_.colour(mix(fill, 0xFFFFFF, 0.4), 0.8), 6);
    if (kind == BlockKind::input_gradient)
        list_.AddRect({from.x + 0.75f, from.y + 0.75f}, {to.x - 0.75f, to.y - 0.75f}, look_.colour(0x7A5200), rounding,
                      0, 1.5f);
    if (kind == BlockKind::backward)
        list_.AddRectFilled({from.x, to.y - 3}, to, look_.colour(mix(fill, 0x000000, 0.22)), rounding,
                            ImDrawFlags_RoundCornersBottom);
}

void Painter::block(float x0, float x1, float top, std::int64_t operation, bool filled) {
    const Block& block = view_.block_of(operation);
    const std::int64_t micro_batch = view_.operation(operation).micro_batch;
    const float gap = x1 - x0 >= 4 ? 1.f : 0.f;
    // One pixel between neighbours, half from each.
    x0 = look_.snap(x0 + gap / 2);
    x1 = std::max(look_.snap(x1 - gap / 2), x0 + 1 / look_.dpr);
    const float bottom = top + layout_.lane;
    const float width = x1 - x0;
    const Rgb fill = block_colour(block, micro_batch, options_.colours, look_.colours.dark);
    const float rounding = width >= 6 ? 2.f : 0.f;
    const bool outlined = block.kind == BlockKind::transfer;
    if (filled) fill_block({x0, top}, {x1, bottom}, block.kind, fill, rounding);
    if (operation == options_.hovered)
        list_.AddRect({x0 - 1, top - 1}, {x1 + 1, bottom + 1}, look_.ink(), rounding + 1, 0, 1.5f);
    if (width < least_letter || layout_.lane < 12) return;
    std::string words = width >= least_label ? label(view_, operation) : std::string(1, kind_letter(block));
    const float size = std::min(look_.number->FontSize * look_.number->Scale, layout_.lane - 1);
    ImVec2 extent = look_.number->CalcTextSizeA(size, 1e9f, 0, words.c_str());
    ImFont* font = look_.number;
    float used = size;
    if (extent.x > width - 2) {
        font = look_.small;
        used = std::min(look_.small->FontSize * look_.small->Scale, layout_.lane - 1);
        extent = font->CalcTextSizeA(used, 1e9f, 0, words.c_str());
    }
    if (extent.x > width - 1) {
        words.resize(1);
        extent = font->CalcTextSizeA(used, 1e9f, 0, words.c_str());
        if (extent.x > width) return;
    }
    list_.AddText(font, used, {(x0 + x1 - extent.x) / 2, top + (layout_.lane - extent.y) / 2},
                  look_.colour(outlined ? look_.colours.text : ink_on(fill)), words.c_str());
}

// Gang blocks look like one thing: rails join them across the lanes between.
void Painter::rails(std::int64_t operation, float x0, float x1) {
    const Block& block = view_.block_of(operation);
    const Rgb fill = block_colour(block, view_.operation(operation).micro_batch, options_.colours, look_.colours.dark);
    const float inset = std::min((x1 - x0) * 0.3f, 6.f);
    for (std::size_t k = 0; k + 1 < block.devices.size(); ++k) {
        const int upper = std::min(block.devices[k], block.devices[k + 1]);
        const int lower = std::max(block.devices[k], block.devices[k + 1]);
        if (!seen(upper) && !seen(lower)) continue;
        const float top = lane_top(upper) + layout_.lane, bottom = lane_top(lower);
        list_.AddRectFilled({x0 + inset, top}, {std::max(x1 - inset, x0 + inset + 1), bottom},
                            look_.colour(fill, 0.28));
    }
}

void Painter::lanes() {
    labels();
    list_.PushClipRect({left(), origin_.y + layout_.ruler - 1}, {right(), origin_.y + layout_.bottom}, true);
    const float end = std::min(x(static_cast<double>(view_.end)), right());
    for (int d = 0; d < layout_.lanes; ++d) {
        if (!seen(d)) continue;
        const float top = lane_top(d);
        const Rgb idle = mix(look_.colours.page, look_.colours.text, look_.colours.dark ? 0.07 : 0.045);
        list_.AddRectFilled({std::max(x(0), left()), top}, {end, top + layout_.lane}, look_.colour(idle), 2);
        if (options_.show_idle)
            hatch({std::max(x(0), left()), top}, {end, top + layout_.lane}, look_.colour(look_.colours.muted, 0.35), 7);
    }
    if (options_.morph < 1 && options_.morph_from != nullptr) {
        morphing();
        list_.PopClipRect();
        return;
    }
    if (options_.layer != nullptr)
        options_.layer->draw(list_, look_, view_, layout_, scale_, origin_, options_.colours);
    const bool filled = options_.layer == nullptr || !options_.layer->usable();
    for (int d = 0; d < layout_.lanes; ++d) {
        if (!seen(d)) continue;
        const float top = lane_top(d);
        items_.clear();
        visible_items(view_, d, scale_, items_);
        for (const DrawnItem& item : items_) {
            const float x0 = left() + item.x0, x1 = left() + item.x1;
            if (item.band) {
                const Rgb fill =
                    block_colour(view_.block_of(item.operation), view_.operation(item.operation).micro_batch,
                                 options_.colours, look_.colours.dark);
                list_.AddRectFilled({x0, top}, {x1, top + layout_.lane},
                                    look_.colour(fill, 0.25 + 0.75 * item.density));
                continue;
            }
            const Block& shown = view_.block_of(item.operation);
            if (shown.devices.size() > 1 && shown.devices.front() == d) rails(item.operation, x0, x1);
            block(x0, x1, top, item.operation, filled);
        }
    }
    list_.PopClipRect();
}

// From one schedule to the next: every block travels on a straight line.
void Painter::morphing() {
    const double share = options_.morph * options_.morph * (3 - 2 * options_.morph);
    const Schedule& schedule = view_.schedule;
    for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
        const Operation& operation = schedule.operations[k];
        const Block& shown = view_.problem.blocks[static_cast<std::size_t>(operation.block)];
        const std::int64_t before = options_.morph_from->find(operation.block, operation.micro_batch);
        auto start = static_cast<double>(operation.start);
        if (before >= 0) {
            const auto old = static_cast<double>(options_.morph_from->operation(before).start);
            start = old + (start - old) * share;
        }
        const float x0 = x(start), x1 = x(start + static_cast<double>(shown.time));
        if (x1 < left() || x0 > right()) continue;
        for (const int device : shown.devices)
            if (seen(device)) block(x0, x1, lane_top(device), static_cast<std::int64_t>(k), true);
    }
}

}  // namespace repetend::web
