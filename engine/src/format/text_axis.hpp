// Time to columns of text, over one or two stretches of time: whole columns for a tick where there is room, else
// whole ticks for a column, so that equal blocks look equal.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scene.hpp"

namespace repetend::format {

class TextAxis {
public:
    static constexpr int gap = 3;

    // Cuts only where that lets blocks have clearly more columns than without.
    static TextAxis choose(const Scene& scene, int room, double wanted_columns) {
        const TextAxis whole(scene, {{scene.first, scene.end}}, room);
        const double ticks_fitting = room * static_cast<double>(scene.typical_time) / wanted_columns;
        const TextAxis cut(scene, choose_stretches(scene, ticks_fitting), room);
        return cut.columns_for(scene.typical_time) >= 1.3 * whole.columns_for(scene.typical_time) ? cut : whole;
    }

    // Column at which `time` lies in piece k; may lie outside of it.
    int column(std::size_t k, Ticks time) const {
        const Ticks from = stretches[k].from;
        const Ticks offset = std::clamp(time, from, stretches[k].to) - from;
        return first_column_[k] + static_cast<int>(ticks_per_column_ == 1
                                                       ? offset * columns_per_tick_
                                                       : (offset + ticks_per_column_ / 2) / ticks_per_column_);
    }
    int first_column(std::size_t k) const { return first_column_[k]; }
    int end_column(std::size_t k) const { return first_column_[k] + width_of(stretches[k]); }
    // The ticks that a column of piece k stands for.
    Stretch ticks_of(std::size_t k, int column) const {
        const Ticks offset = column - first_column_[k];
        if (ticks_per_column_ == 1) {
            const Ticks tick = stretches[k].from + offset / columns_per_tick_;
            return {tick, tick + 1};
        }
        const Ticks from = stretches[k].from + offset * ticks_per_column_;
        return {from, from + ticks_per_column_};
    }
    double columns_for(Ticks ticks) const {
        return static_cast<double>(ticks) * columns_per_tick_ / static_cast<double>(ticks_per_column_);
    }
    std::string scale_words(const Problem& problem) const {
        if (columns_per_tick_ > 1) return "1 tick is " + std::to_string(columns_per_tick_) + " columns";
        return "1 column is " + time_text(problem, ticks_per_column_);
    }

    std::vector<Stretch> stretches;
    int columns = 0;

private:
    TextAxis(const Scene& scene, std::vector<Stretch> shown_stretches, int room)
        : stretches(std::move(shown_stretches)) {
        const int usable = std::max(room - gap * static_cast<int>(stretches.size() - 1), 1);
        Ticks shown = 0;
        for (const Stretch& stretch : stretches) shown += stretch.to - stretch.from;
        // More than eight columns for the shortest block would only spread things out.
        const Ticks most = std::max<Ticks>(8 / scene.typical_time, 1);
        columns_per_tick_ = static_cast<int>(std::min<Ticks>(usable / shown, most));
        if (columns_per_tick_ == 0) {
            columns_per_tick_ = 1;
            ticks_per_column_ = comfortable(shown, usable, stretches.size());
        }
        int at = 0;
        for (const Stretch& stretch : stretches) {
            first_column_.push_back(at);
            at += width_of(stretch) + gap;
        }
        columns = at - gap;
    }

    int width_of(const Stretch& stretch) const {
        const Ticks ticks = stretch.to - stretch.from;
        return static_cast<int>(ticks_per_column_ == 1 ? ticks * columns_per_tick_
                                                       : (ticks + ticks_per_column_ - 1) / ticks_per_column_);
    }

    // The least "easy" number of ticks (two digits, then zeros) with which everything fits.
    static Ticks comfortable(Ticks shown, int usable, std::size_t pieces) {
        Ticks power = 1;
        const Ticks columns_left = std::max<Ticks>(usable - static_cast<Ticks>(pieces), 1);
        const Ticks needed = std::max<Ticks>((shown + columns_left - 1) / columns_left, 2);
        while (needed / power >= 100) power *= 10;
        return (needed + power - 1) / power * power;
    }

    int columns_per_tick_ = 1;
    Ticks ticks_per_column_ = 1;
    std::vector<int> first_column_;
};

}  // namespace repetend::format
