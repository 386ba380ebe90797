// Time to pixels, over one or two stretches of time.
#pragma once

#include <algorithm>
#include <vector>

#include "scene.hpp"

namespace repetend::format {

class SvgAxis {
public:
    static constexpr double gap_px = 26;

    // Cuts the repeating middle out only where that makes blocks clearly larger than `wanted_px` allows
    // without.
    static SvgAxis choose(const Scene& scene, double left_px, double width_px, double wanted_px) {
        const SvgAxis whole({{scene.first, scene.end}}, left_px, width_px);
        const double typical = static_cast<double>(scene.typical_time);
        if (whole.px_per_tick * typical >= wanted_px) return whole;
        const SvgAxis cut(choose_stretches(scene, (width_px - gap_px) / wanted_px * typical), left_px, width_px);
        return cut.px_per_tick >= 1.3 * whole.px_per_tick ? cut : whole;
    }

    double x(std::size_t k, Ticks time) const {
        const Stretch& stretch = stretches[k];
        const Ticks inside = std::clamp(time, stretch.from, stretch.to);
        return starts_[k] + static_cast<double>(inside - stretch.from) * px_per_tick;
    }
    double left(std::size_t k) const { return starts_[k]; }
    double right(std::size_t k) const { return x(k, stretches[k].to); }

    std::vector<Stretch> stretches;
    double px_per_tick = 1;

private:
    SvgAxis(std::vector<Stretch> shown, double left_px, double width_px) : stretches(std::move(shown)) {
        Ticks ticks = 0;
        for (const Stretch& stretch : stretches) ticks += stretch.to - stretch.from;
        const double gaps = gap_px * static_cast<double>(stretches.size() - 1);
        px_per_tick = (width_px - gaps) / static_cast<double>(ticks);
        for (const Stretch& stretch : stretches) {
            starts_.push_back(left_px);
            left_px += static_cast<double>(stretch.to - stretch.from) * px_per_tick + gap_px;
        }
    }

    std::vector<double> starts_;
};

}  // namespace repetend::format
