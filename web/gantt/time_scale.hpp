// Ticks to pixels and back, for the part of a schedule that is seen. Zooming keeps the tick under the cursor where it
// is; the range is clamped to the schedule with a little room at both ends; changes of range can be animated.
#pragma once

#include <algorithm>
#include <cmath>

namespace repetend::web {

class TimeScale {
public:
    double from() const { return from_; }
    double to() const { return to_; }
    double span() const { return to_ - from_; }
    double end() const { return end_; }
    double pixels() const { return pixels_; }
    double pixels_per_tick() const { return pixels_ / span(); }
    double x(double tick) const { return (tick - from_) * pixels_per_tick(); }
    double tick(double x) const { return from_ + x / pixels_per_tick(); }
    bool fitted() const { return fitted_; }
    bool moving() const { return progress_ < 1; }

    // The schedule's length; keeps showing everything when everything was shown.
    void set_end(double end) {
        end = std::max(end, 1.0);
        if (end == end_) return;
        end_ = end;
        if (fitted_)
            fit(false);
        else
            show(from_, to_, false);
    }
    void set_pixels(double pixels) { pixels_ = std::max(pixels, 1.0); }

    void fit(bool animated) {
        aim(0, end_ * (1 + room), animated);
        fitted_ = true;
    }
    void show(double from, double to, bool animated) {
        fitted_ = false;
        const double least = least_span();
        double wanted = std::clamp(to - from, least, end_ * (1 + room));
        double begin = (from + to) / 2 - wanted / 2;
        begin = std::clamp(begin, -wanted * 0.05, std::max(end_ * (1 + room) - wanted * 0.9, -wanted * 0.05));
        if (wanted >= end_ * (1 + room) * 0.999) {
            fit(animated);
            return;
        }
        aim(begin, begin + wanted, animated);
    }
    void zoom(double factor, double at_x) {
        finish();
        const double fixed = tick(at_x);
        const double wanted = std::clamp(span() / factor, least_span(), end_ * (1 + room));
        const double begin = fixed - at_x / pixels_ * wanted;
        show(begin, begin + wanted, false);
    }
    void pan(double dx) {
        finish();
        if (fitted_) return;
        show(from_ - dx / pixels_per_tick(), to_ - dx / pixels_per_tick(), false);
    }
    // True while the animation goes on.
    bool advance(double seconds) {
        if (progress_ >= 1) return false;
        progress_ = std::min(1.0, progress_ + seconds / animation_seconds);
        const double eased = 1 - std::pow(1 - progress_, 3);
        from_ = start_from_ + (aim_from_ - start_from_) * eased;
        to_ = start_to_ + (aim_to_ - start_to_) * eased;
        return progress_ < 1;
    }
    void finish() {
        if (progress_ < 1) advance(animation_seconds);
    }
    // Distance between ruler marks: the least of 1, 2, 5 times a power of ten that is wide enough, at least one tick.
    double mark_distance(double least_pixels) const {
        const double least = std::max(1.0, least_pixels / pixels_per_tick());
        const double power = std::pow(10.0, std::floor(std::log10(least)));
        for (const double step : {1.0, 2.0, 5.0, 10.0})
            if (step * power >= least * 0.999999) return step * power;
        return 10 * power;
    }

private:
    static constexpr double room = 0.015;  // beyond the end
    static constexpr double animation_seconds = 0.22;

    double least_span() const { return std::min(end_, std::max(2.0, pixels_ / 240)); }
    void aim(double from, double to, bool animated) {
        if (!animated) {
            from_ = from;
            to_ = to;
            progress_ = 1;
            return;
        }
        start_from_ = from_;
        start_to_ = to_;
        aim_from_ = from;
        aim_to_ = to;
        progress_ = 0;
    }

    double from_ = 0, to_ = 1 + room, end_ = 1, pixels_ = 1;
    bool fitted_ = true;
    double start_from_ = 0, start_to_ = 1, aim_from_ = 0, aim_to_ = 1, progress_ = 1;
};

}  // namespace repetend::web
