#include "level_of_detail.hpp"

#include <algorithm>

namespace repetend::web {

void visible_items(const ScheduleView& view, int device, const TimeScale& scale, std::vector<DrawnItem>& out) {
    const std::vector<LaneItem>& items = view.lanes[static_cast<std::size_t>(device)].items;
    std::size_t k = view.first_ending_after(device, scale.from());
    const double ticks_per_pixel = 1 / scale.pixels_per_tick();
    while (k < items.size() && static_cast<double>(items[k].start) < scale.to()) {
        const LaneItem& item = items[k];
        const double x0 = scale.x(static_cast<double>(item.start));
        const double x1 = scale.x(static_cast<double>(item.end));
        if (x1 - x0 >= least_item_pixels) {
            out.push_back({static_cast<float>(x0), static_cast<float>(x1), item.operation, 1, false});
            ++k;
            continue;
        }
        // A cell of fixed width in pixels: at most pixels / band_pixels searches a lane.
        const double until = static_cast<double>(item.start) + band_pixels * ticks_per_pixel;
        const auto next = static_cast<std::size_t>(
            std::partition_point(items.begin() + static_cast<std::ptrdiff_t>(k) + 1, items.end(),
                                 [&](const LaneItem& other) { return static_cast<double>(other.start) < until; }) -
            items.begin());
        // How busy the cell is: exact for few items, else from the distance of its first and last one.
        double busy = 0;
        constexpr std::size_t counted = 16;
        if (next - k <= counted) {
            for (std::size_t i = k; i < next; ++i) busy += static_cast<double>(items[i].end - items[i].start);
        } else {
            for (std::size_t i = 0; i < counted; ++i) {
                const LaneItem& sample = items[k + i * (next - k) / counted];
                busy += static_cast<double>(sample.end - sample.start) * static_cast<double>(next - k) / counted;
            }
        }
        // A wide item that begins inside the cell is drawn by itself.
        std::size_t stop = next;
        const LaneItem& last = items[next - 1];
        if (next - k > 1 && static_cast<double>(last.end - last.start) >= least_item_pixels * ticks_per_pixel) {
            busy -= static_cast<double>(last.end - last.start);
            --stop;
        }
        const double end = std::max(
            static_cast<double>(items[stop - 1].end),
            std::min(until, static_cast<double>(stop < items.size() ? items[stop].start : items[stop - 1].end)));
        const double width = std::max(end - static_cast<double>(item.start), ticks_per_pixel);
        out.push_back({static_cast<float>(x0), static_cast<float>(std::max(scale.x(end), x0 + 1)), item.operation,
                       static_cast<float>(std::clamp(busy / width, 0.08, 1.0)), true});
        k = stop;
    }
}

}  // namespace repetend::web
