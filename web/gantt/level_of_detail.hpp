// What of a lane is worth drawing: the visible items, and runs of items too narrow to tell apart folded into bands. The
// cost follows the pixels of the lane, not the number of operations: after each band the next item is found by search.
// Idea from the folding of small zones in trace viewers (Tracy); here a band keeps how busy it is.
#pragma once

#include <cstdint>
#include <vector>

#include "app/schedule_view.hpp"
#include "gantt/time_scale.hpp"

namespace repetend::web {

struct DrawnItem {
    float x0 = 0, x1 = 0;         // pixels from the left of the lane
    std::int32_t operation = -1;  // of a band: the first one
    float density = 1;            // of a band: busy share, 0..1
    bool band = false;
};

inline constexpr double least_item_pixels = 3;
inline constexpr double band_pixels = 4;

// Appends to `out`.
void visible_items(const ScheduleView& view, int device, const TimeScale& scale, std::vector<DrawnItem>& out);

}  // namespace repetend::web
