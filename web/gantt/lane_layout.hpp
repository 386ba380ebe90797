// Where lanes stand, and what is under a point. Pixels from the top left of the chart; lanes scroll, the ruler does
// not.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/schedule_view.hpp"
#include "gantt/time_scale.hpp"

namespace repetend::web {

struct LaneLayout {
    float left = 0;  // of the time axis
    float right = 0;
    float ruler = 0;   // height of phases, bracket and ruler above the lanes
    float bottom = 0;  // of the visible lanes
    float lane = 0;    // height of the blocks
    float memory = 0;  // height of the memory strip, 0: none
    float pitch = 0;
    float scroll = 0;
    int lanes = 0;

    float top_of(int device) const { return ruler + pitch * static_cast<float>(device) - scroll; }
    float content() const { return pitch * static_cast<float>(lanes); }
    float most_scroll() const { return std::max(0.f, content() - (bottom - ruler)); }
    // Lane under a height, -1 when there is none.
    int lane_at(float y) const {
        if (y < ruler || y > bottom || pitch <= 0) return -1;
        const int device = static_cast<int>((y - ruler + scroll) / pitch);
        return device < lanes ? device : -1;
    }
};

inline constexpr float ruler_height = 50;
inline constexpr float least_lane = 14;
inline constexpr float most_lane = 52;
inline constexpr float memory_share = 0.55f;  // of the lane

// Shares the height among the lanes: as tall as useful, as low as readable, then scrolling.
inline LaneLayout make_lane_layout(int lanes, float width, float height, float label_width, bool memory,
                                   double scroll) {
    LaneLayout layout;
    layout.lanes = lanes;
    layout.left = label_width;
    layout.right = width;
    layout.ruler = ruler_height;
    layout.bottom = height;
    const float room = std::max(1.f, (height - ruler_height) / static_cast<float>(std::max(lanes, 1)));
    const float gap = std::clamp(room * 0.16f, 3.f, 16.f);
    const float share = memory && room >= 30 ? memory_share : 0;
    layout.lane = std::clamp((room - gap - (share > 0 ? 3.f : 0.f)) / (1 + share), least_lane, most_lane);
    layout.memory = share > 0 ? std::clamp(layout.lane * share, 9.f, 32.f) : 0;
    layout.pitch = layout.lane + (layout.memory > 0 ? layout.memory + 3 : 0) + gap;
    layout.scroll = std::clamp(static_cast<float>(scroll), 0.f, layout.most_scroll());
    return layout;
}

struct Hit {
    int device = -1;
    double tick = 0;
    std::int64_t operation = -1;  // -1: idle
    bool memory = false;          // over the memory strip
};

inline Hit hit_test(const ScheduleView& view, const LaneLayout& layout, const TimeScale& scale, float x, float y) {
    Hit hit;
    if (x < layout.left || x > layout.right) return hit;
    hit.device = layout.lane_at(y);
    hit.tick = scale.tick(x - layout.left);
    if (hit.device < 0) return hit;
    const float within = y - layout.top_of(hit.device);
    hit.memory = within > layout.lane + 1 && layout.memory > 0;
    if (within <= layout.lane && hit.tick >= 0)
        hit.operation = view.running_at(hit.device, static_cast<Ticks>(hit.tick));
    return hit;
}

}  // namespace repetend::web
