// Paints a prepared schedule. What is drawn follows the pixels: see level_of_detail.hpp.
#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/app.hpp"
#include "lane_layout.hpp"
#include "level_of_detail.hpp"
#include "theme/look.hpp"

namespace repetend::web {

class BlockLayer;

struct PaintOptions {
    ColourScheme colours = ColourScheme::kind;
    bool show_idle = false;
    std::int64_t hovered = -1;
    int hovered_idle_device = -1;
    double hovered_tick = 0;
    double playhead = -1;  // negative: none
    double morph = 1;
    const ScheduleView* morph_from = nullptr;
    BlockLayer* layer = nullptr;  // null: every block is drawn as a rectangle of the list
};

class Painter {
public:
    Painter(ImDrawList& list, const Look& look, const ScheduleView& view, const LaneLayout& layout,
            const TimeScale& scale, ImVec2 origin, const PaintOptions& options)
        : list_(list), look_(look), view_(view), layout_(layout), scale_(scale), origin_(origin), options_(options) {}

    void ruler();
    void lanes();
    void memory();
    void lags();
    void playhead();
    // A block outlined, its neighbours as arrows, the chain that fixes its start.
    void selection(std::int64_t operation, const std::vector<std::int64_t>& chain);
    void chain(const std::vector<std::int64_t>& operations, bool strong);
    void area(const App::Area& area);

private:
    float x(double tick) const { return origin_.x + layout_.left + static_cast<float>(scale_.x(tick)); }
    float left() const { return origin_.x + layout_.left; }
    float right() const { return origin_.x + layout_.right; }
    float lane_top(int device) const { return origin_.y + layout_.top_of(device); }
    bool seen(int device) const {
        return layout_.top_of(device) + layout_.pitch > layout_.ruler && layout_.top_of(device) < layout_.bottom;
    }
    void labels();
    void block(float x0, float x1, float top, std::int64_t operation, bool filled);
    void fill_block(ImVec2 from, ImVec2 to, BlockKind kind, Rgb fill, float rounding);
    void rails(std::int64_t operation, float x0, float x1);
    void morphing();
    void hatch(ImVec2 from, ImVec2 to, ImU32 colour, float distance);
    void arrow(std::int64_t from, std::int64_t to, ImU32 colour);
    void outline(std::int64_t operation, ImU32 colour, float thickness);

    ImDrawList& list_;
    const Look& look_;
    const ScheduleView& view_;
    const LaneLayout& layout_;
    const TimeScale& scale_;
    const ImVec2 origin_;
    const PaintOptions options_;
    std::vector<DrawnItem> items_;
};

// The whole schedule in a strip, with the visible part framed.
void paint_minimap(ImDrawList& list, const Look& look, const ScheduleView& view, const TimeScale& scale, ImVec2 from,
                   ImVec2 to, ColourScheme colours);
// A small picture for the gallery.
void paint_thumbnail(ImDrawList& list, const Look& look, const ScheduleView& view, ImVec2 from, ImVec2 to);

}  // namespace repetend::web
