// What stands over and under the blocks: memory, lags, playhead, selection, arrows; minimap and small pictures.
#include <algorithm>
#include <cmath>

#include "painter.hpp"

namespace repetend::web {

void Painter::memory() {
    if (layout_.memory <= 0) return;
    list_.PushClipRect({left(), origin_.y + layout_.ruler}, {right(), origin_.y + layout_.bottom}, true);
    const float x_end = std::min(x(static_cast<double>(view_.end)), right());
    const Rgb tint = look_.colours.dark ? mix(0x0F1317, 0x9AA7B4, 0.55) : mix(0xFFFFFF, 0x59636E, 0.45);
    for (int d = 0; d < layout_.lanes; ++d) {
        if (!seen(d)) continue;
        const Lane& lane = view_.lanes[static_cast<std::size_t>(d)];
        const Device& device = view_.problem.devices[static_cast<std::size_t>(d)];
        const float base = lane_top(d) + layout_.lane + 3 + layout_.memory;
        const auto height = [&](Memory memory) {
            return static_cast<float>(static_cast<double>(memory) / static_cast<double>(view_.most_memory)) *
                   (layout_.memory - 2);
        };
        float pending = left();  // a column of at least one pixel; the largest value in it counts
        Memory most = view_.memory_at(d, static_cast<Ticks>(std::max(0.0, scale_.from())));
        Memory current = most;
        const auto step_after = std::partition_point(
            lane.memory.begin(), lane.memory.end(),
            [&](const MemoryStep& step) { return static_cast<double>(step.time) <= scale_.from(); });
        const auto flush = [&](float to) {
            if (to - pending < 0.75f) return;
            const float tall = height(most);
            if (tall > 0) list_.AddRectFilled({pending, base - tall}, {to, base}, look_.colour(tint, 0.75));
            pending = to;
            most = current;
        };
        pending = std::max(pending, x(0));
        for (auto step = step_after; step != lane.memory.end(); ++step) {
            const float at = x(static_cast<double>(step->time));
            if (at > right()) break;
            flush(at);
            current = step->memory;
            most = pending >= at - 0.01f ? current : std::max(most, current);
        }
        most = std::max(most, current);
        flush(x_end);
        list_.AddLine({std::max(x(0), left()), base}, {x_end, base}, look_.colour(look_.colours.line),
                      look_.hairline());
        if (device.memory_static > 0)
            list_.AddRectFilled({std::max(x(0), left()), base - height(device.memory_static)}, {x_end, base},
                                look_.colour(look_.colours.muted, 0.5));
        if (device.memory_capacity) {
            const float y = look_.snap(base - height(*device.memory_capacity));
            const bool full = lane.peak >= *device.memory_capacity;
            const ImU32 colour = look_.colour(full ? look_.colours.bad : look_.colours.muted, 0.8);
            for (float at = std::max(x(0), left()); at < x_end; at += 8)
                list_.AddLine({at, y}, {std::min(at + 4, x_end), y}, colour, look_.hairline());
        }
    }
    list_.PopClipRect();
}

void Painter::lags() {
    bool any = false;
    for (const Dependency& dependency : view_.dependencies) any |= dependency.lag > 0;
    if (!any || scale_.span() > 4000 * 1e9) return;
    list_.PushClipRect({left(), origin_.y + layout_.ruler}, {right(), origin_.y + layout_.bottom}, true);
    for (const Dependency& dependency : view_.dependencies) {
        const double pixels = static_cast<double>(dependency.lag) * scale_.pixels_per_tick();
        if (pixels < 3) continue;
        const Block& from = view_.problem.blocks[static_cast<std::size_t>(dependency.from)];
        const Block& to = view_.problem.blocks[static_cast<std::size_t>(dependency.to)];
        for (std::int64_t m = 0; m < view_.schedule.micro_batches; ++m) {
            const std::int64_t k = view_.find(dependency.from, m);
            const auto end = static_cast<double>(view_.end_of(k));
            if (end + static_cast<double>(dependency.lag) < scale_.from() || end > scale_.to()) continue;
            const int a = from.devices.front(), b = to.devices.front();
            const float y0 = lane_top(a) + (b > a ? layout_.lane : b < a ? 0 : layout_.lane / 2);
            const float y1 = lane_top(b) + (b > a ? 0 : b < a ? layout_.lane : layout_.lane / 2);
            const float x0 = x(end), x1 = x(end + static_cast<double>(dependency.lag));
            list_.AddBezierCubic({x0, y0}, {x0 + (x1 - x0) * 0.6f, y0}, {x1 - (x1 - x0) * 0.6f, y1}, {x1, y1},
                                 look_.colour(look_.colours.muted, 0.75), 1.2f, 12);
        }
    }
    list_.PopClipRect();
}

void Painter::playhead() {
    if (options_.playhead < 0) return;
    const float at = look_.snap(x(options_.playhead));
    if (at < left() - 1 || at > right() + 1) return;
    list_.PushClipRect({left() - 8, origin_.y}, {right() + 8, origin_.y + layout_.bottom}, true);
    for (int d = 0; d < layout_.lanes; ++d) {
        if (!seen(d)) continue;
        const std::int64_t running = view_.running_at(d, static_cast<Ticks>(options_.playhead));
        if (running < 0) continue;
        const float x0 = x(static_cast<double>(view_.operation(running).start));
        const float x1 = x(static_cast<double>(view_.end_of(running)));
        if (x1 - x0 < 3) continue;
        list_.AddRect({x0 - 1.5f, lane_top(d) - 1.5f}, {x1 + 1.5f, lane_top(d) + layout_.lane + 1.5f},
                      look_.colour(look_.colours.accent, 0.45), 4, 0, 3);
    }
    const float top = origin_.y + layout_.ruler - 8;
    list_.AddLine({at, top}, {at, std::min(origin_.y + layout_.bottom, lane_top(layout_.lanes - 1) + layout_.pitch)},
                  look_.colour(look_.colours.bad), 1.5f);
    list_.AddTriangleFilled({at - 6, top - 8}, {at + 6, top - 8}, {at, top + 1}, look_.colour(look_.colours.bad));
    list_.PopClipRect();
}

void Painter::outline(std::int64_t operation, ImU32 colour, float thickness) {
    const float x0 = x(static_cast<double>(view_.operation(operation).start));
    const float x1 = std::max(x(static_cast<double>(view_.end_of(operation))), x0 + 2);
    if (x1 < left() || x0 > right()) return;
    for (const int device : view_.block_of(operation).devices)
        if (seen(device))
            list_.AddRect({x0 - 1, lane_top(device) - 1}, {x1 + 1, lane_top(device) + layout_.lane + 1}, colour, 3, 0,
                          thickness);
}

void Painter::arrow(std::int64_t from, std::int64_t to, ImU32 colour) {
    const int a = view_.block_of(from).devices.front(), b = view_.block_of(to).devices.front();
    const float x0 = x(static_cast<double>(view_.end_of(from))), x1 = x(static_cast<double>(view_.operation(to).start));
    const float y0 = lane_top(a) + layout_.lane / 2, y1 = lane_top(b) + layout_.lane / 2;
    if (std::max(x0, x1) < left() || std::min(x0, x1) > right()) return;
    const float bend = std::max(18.f, std::min(std::abs(x1 - x0) * 0.5f, 60.f));
    list_.AddBezierCubic({x0, y0}, {x0 + bend, y0}, {x1 - bend, y1}, {x1 - 3, y1},
                         look_.colour(look_.colours.page, 0.8), 4);
    list_.AddBezierCubic({x0, y0}, {x0 + bend, y0}, {x1 - bend, y1}, {x1 - 3, y1}, colour, 1.8f);
    list_.AddTriangleFilled({x1 + 1, y1}, {x1 - 7, y1 - 4}, {x1 - 7, y1 + 4}, colour);
    list_.AddCircleFilled({x0, y0}, 2.5f, colour);
}

void Painter::chain(const std::vector<std::int64_t>& operations, bool strong) {
    list_.PushClipRect({left(), origin_.y + layout_.ruler - 2}, {right(), origin_.y + layout_.bottom}, true);
    const ImU32 colour = look_.colour(look_.colours.bad, strong ? 0.95 : 0.55);
    constexpr std::size_t most_drawn = 3000;
    for (std::size_t k = 0; k < std::min(operations.size(), most_drawn); ++k) {
        outline(operations[k], colour, strong ? 2.f : 1.4f);
        if (k == 0) continue;
        const int a = view_.block_of(operations[k - 1]).devices.front(),
                  b = view_.block_of(operations[k]).devices.front();
        if (a == b) continue;
        const float x0 = x(static_cast<double>(view_.end_of(operations[k - 1])));
        const float x1 = x(static_cast<double>(view_.operation(operations[k]).start));
        list_.AddLine({x0, lane_top(a) + layout_.lane / 2}, {x1, lane_top(b) + layout_.lane / 2}, colour, 1.6f);
    }
    list_.PopClipRect();
}

void Painter::selection(std::int64_t operation, const std::vector<std::int64_t>& before) {
    chain(before, false);
    list_.PushClipRect({left(), origin_.y + layout_.ruler - 2}, {right(), origin_.y + layout_.bottom}, true);
    for (const Edge& edge : view_.predecessors(operation)) arrow(edge.from, operation, look_.accent());
    for (const Edge& edge : view_.successors(operation)) arrow(operation, edge.to, look_.ink());
    outline(operation, look_.page(), 4.5f);
    outline(operation, look_.ink(), 2.2f);
    list_.PopClipRect();
}

void Painter::area(const App::Area& area) {
    if (area.last < area.first) return;
    const ImVec2 from{std::max(x(area.from), left()), lane_top(area.first) - 2};
    const ImVec2 to{std::min(x(area.to), right()), lane_top(area.last) + layout_.lane + 2};
    list_.AddRectFilled(from, to, look_.colour(look_.colours.accent, 0.12));
    list_.AddRect(from, to, look_.accent(), 0, 0, 1.2f);
}

namespace {

// Lanes as thin rows; more lanes than rows are sampled.
void paint_rows(ImDrawList& list, const Look& look, const ScheduleView& view, const TimeScale& scale, ImVec2 from,
                ImVec2 to, ColourScheme colours, float gap) {
    std::vector<DrawnItem> items;
    const int devices = view.problem.num_devices();
    const int rows = std::max(1, std::min(devices, static_cast<int>((to.y - from.y) / 2)));
    const float pitch = (to.y - from.y) / static_cast<float>(rows);
    for (int row = 0; row < rows; ++row) {
        items.clear();
        visible_items(view, row * devices / rows, scale, items);
        const float top = from.y + pitch * static_cast<float>(row);
        for (const DrawnItem& item : items) {
            const Rgb fill = block_colour(view.block_of(item.operation), view.operation(item.operation).micro_batch,
                                          colours, look.colours.dark);
            list.AddRectFilled({from.x + item.x0, top}, {from.x + std::max(item.x1, item.x0 + 1), top + pitch - gap},
                               look.colour(fill, item.band ? 0.25 + 0.6 * item.density : 0.9));
        }
    }
}

}  // namespace

void paint_minimap(ImDrawList& list, const Look& look, const ScheduleView& view, const TimeScale& scale, ImVec2 from,
                   ImVec2 to, ColourScheme colours) {
    TimeScale whole;
    whole.set_pixels(to.x - from.x);
    whole.set_end(scale.end());
    whole.fit(false);
    list.AddRectFilled(from, to, look.colour(mix(look.colours.page, look.colours.text, 0.04)), 3);
    list.PushClipRect(from, to, true);
    paint_rows(list, look, view, whole, {from.x, from.y + 2}, {to.x, to.y - 2}, colours, 0.5f);
    const float x0 = from.x + static_cast<float>(whole.x(scale.from())),
                x1 = from.x + static_cast<float>(whole.x(scale.to()));
    const ImU32 veil = look.colour(look.colours.page, 0.7);
    if (!scale.fitted()) {
        list.AddRectFilled(from, {x0, to.y}, veil);
        list.AddRectFilled({x1, from.y}, to, veil);
        list.AddRect({std::max(x0, from.x + 1), from.y + 1}, {std::min(x1, to.x - 1), to.y - 1}, look.accent(), 3, 0,
                     1.6f);
    }
    list.PopClipRect();
}

void paint_thumbnail(ImDrawList& list, const Look& look, const ScheduleView& view, ImVec2 from, ImVec2 to) {
    TimeScale whole;
    whole.set_pixels(to.x - from.x);
    whole.set_end(static_cast<double>(view.end));
    whole.fit(false);
    paint_rows(list, look, view, whole, from, to, ColourScheme::kind, 1.5f);
}

}  // namespace repetend::web
