// All blocks of a schedule in one draw call from a static vertex buffer: panning and zooming upload nothing but a few
// numbers. Where a shader does not compile or a buffer cannot be had, `usable` is false and the painter draws
// rectangles itself. Blocks too narrow to tell apart are left to the painter's bands in both ways.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>

#include "app/app.hpp"
#include "lane_layout.hpp"
#include "theme/look.hpp"

namespace repetend::web {

class BlockLayer {
public:
    BlockLayer();
    ~BlockLayer();
    BlockLayer(const BlockLayer&) = delete;
    BlockLayer& operator=(const BlockLayer&) = delete;
    bool usable() const { return program_ != 0 && !refused_; }
    // Queues the blocks behind what is already in `list`; `clip` in page pixels.
    void draw(ImDrawList& list, const Look& look, const ScheduleView& view, const LaneLayout& layout,
              const TimeScale& scale, ImVec2 origin, ColourScheme colours);
    void refuse() { refused_ = true; }  // for tests of the other way

private:
    struct Call {
        BlockLayer* layer = nullptr;
        float from_high = 0, from_low = 0, scale = 0;
        float left = 0, top = 0, pitch = 0, lane = 0;
        float width = 0, height = 0, least = 0, gap = 0, dpr = 1;
        float clip[4] = {};
    };
    void upload(const ScheduleView& view, ColourScheme colours, bool dark);
    static void run(const ImDrawList* list, const ImDrawCmd* command);
    void run(const Call& call) const;

    unsigned program_ = 0, array_ = 0, vertices_ = 0, indices_ = 0;
    int u_from_ = -1, u_scale_ = -1, u_lanes_ = -1, u_screen_ = -1, u_gap_ = -1, u_pixel_ = -1;
    std::int32_t count_ = 0;
    bool refused_ = false;
    std::int64_t uploaded_id_ = -1;
    int uploaded_colours_ = -1;
    Call call_;
};

}  // namespace repetend::web
