// The playhead: where it is, whether it moves, what it repeats. Times are ticks as doubles: this is for looking only.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace repetend::web {

struct Playback {
    double time = 0;
    double end = 0;
    bool playing = false;
    double speed = 1;
    bool loop_repetend = false;
    double loop_begin = 0, loop_end = 0;  // one period; empty when nothing repeats
    double seconds_for_all = 12;          // at speed 1
    bool shown = false;                   // a playhead that was never moved is not drawn

    double ticks_per_second() const {
        const double length = loops() ? (loop_end - loop_begin) * 4 : end;
        return speed * std::max(length, 1.0) / seconds_for_all;
    }
    bool loops() const { return loop_repetend && loop_end > loop_begin; }

    void toggle() {
        playing = !playing;
        shown = true;
        if (playing && !loops() && time >= end) time = 0;
        if (playing && loops() && (time < loop_begin || time >= loop_end)) time = loop_begin;
    }
    void seek(double to) {
        time = std::clamp(to, 0.0, end);
        shown = true;
    }
    // True while it moves.
    bool advance(double seconds) {
        if (!playing) return false;
        time += std::clamp(seconds, 0.0, 0.1) * ticks_per_second();
        if (loops()) {
            const double period = loop_end - loop_begin;
            if (time >= loop_end) time = loop_begin + std::fmod(time - loop_begin, period);
        } else if (time >= end) {
            time = end;
            playing = false;
        }
        return playing;
    }
    void change_speed(int steps) { speed = std::clamp(speed * std::pow(2.0, steps), 0.25, 16.0); }
};

}  // namespace repetend::web
