// The plan of a frontier. First the period without limits and the memory that its pattern needs, then the
// smallest capacity that works at all (at the largest single block's need, else by bisection), then the
// smallest at which the unlimited period is reached (bisection). Where the range between has few steps, every
// one of them is looked at; where it has many (amounts in bytes), only intervals whose ends differ are halved,
// down to a resolution. A pattern found at one capacity also settles every capacity down to its own peak, so the
// halving jumps over what cannot matter and never counts bytes. Makespans follow the same way.
#include "session/frontier_plan.hpp"

#include <algorithm>
#include <iterator>

namespace repetend::frontier {
namespace {

constexpr Steps few_steps = 64;

// Compares period/copies without leaving 64 bits: whole parts first, then the rests crosswise.
int compare_rates(const PeriodSample& a, const PeriodSample& b) {
    const Ticks whole_a = a.period / a.copies;
    const Ticks whole_b = b.period / b.copies;
    if (whole_a != whole_b) return whole_a < whole_b ? -1 : 1;
    const Ticks rest_a = a.period % a.copies * b.copies;
    const Ticks rest_b = b.period % b.copies * a.copies;
    return rest_a == rest_b ? 0 : rest_a < rest_b ? -1 : 1;
}

// Halfway between two steps that differ by at least two.
Steps between(Steps low, Steps high) { return low + (high - low) / 2; }

struct Range {
    Request request;  // what must be known first, if anything
    bool feasible = false;
    Steps low = 0;   // smallest capacity that works
    Steps high = 0;  // smallest capacity as good as the top
};

// The smallest step that works and the largest known below it that does not. (A search that was given up
// counts as not working; above one that works it says nothing.)
template <class Samples, class Works>
Range find_low(const Known& known, const Samples& samples, Steps peak_at_top, Ask ask, const Works& works) {
    Range range;
    range.feasible = true;
    Steps feasible = std::clamp(peak_at_top, known.lowest, known.top);
    for (const auto& [at, sample] : samples) {
        if (works(sample)) feasible = std::min(feasible, at);
    }
    Steps infeasible = known.lowest - 1;
    for (const auto& [at, sample] : samples) {
        if (at < feasible && !works(sample)) infeasible = std::max(infeasible, at);
    }
    range.low = feasible;
    if (feasible - infeasible > 1) {
        // The largest single block's need works nearly always.
        range.request = {ask, infeasible < known.lowest ? known.lowest : between(infeasible, feasible)};
    }
    return range;
}

// The range by periods.
Range period_range(const Known& known) {
    const auto top = known.periods.find(known.top);
    if (top == known.periods.end()) {
        Range range;
        range.request = {Ask::period, known.top};
        return range;
    }
    if (!top->second.feasible) return {};
    Range range = find_low(known, known.periods, top->second.peak, Ask::period,
                           [](const PeriodSample& sample) { return sample.feasible; });
    if (range.request.what != Ask::nothing) return range;
    const auto as_good = [&](const PeriodSample& sample) {
        return sample.feasible && compare_rates(sample, top->second) == 0;
    };
    range.high = std::clamp(top->second.peak, range.low, known.top);
    for (const auto& [at, sample] : known.periods) {
        if (as_good(sample)) range.high = std::min(range.high, at);
    }
    Steps worse = range.low - 1;
    for (const auto& [at, sample] : known.periods) {
        if (at < range.high && !as_good(sample)) worse = std::max(worse, at);
    }
    if (range.high - worse > 1) range.request = {Ask::period, std::max(range.low, between(worse, range.high))};
    return range;
}

// The range by makespans, for problems in which nothing can repeat for ever.
Range makespan_range(const Known& known) {
    const auto top = known.makespans.find(known.top);
    if (top == known.makespans.end()) {
        Range range;
        range.request = {Ask::makespan, known.top};
        return range;
    }
    if (!top->second.makespan) return {};
    Range range = find_low(known, known.makespans, top->second.peak, Ask::makespan,
                           [](const MakespanSample& sample) { return sample.makespan.has_value(); });
    range.high = std::clamp(top->second.peak, range.low, known.top);
    return range;
}

Range find_range(const Known& known) { return known.repeats ? period_range(known) : makespan_range(known); }

bool every_step(const Known& known, const Range& range) { return known.every && range.high - range.low < few_steps; }

Steps wanted_resolution(Steps low, Steps high) { return std::max<Steps>(1, (high - low + few_steps - 1) / few_steps); }

// Periods of the steps in between.
Request refine_periods(const Known& known, const Range& range) {
    if (every_step(known, range)) {
        for (Steps at = range.low; at <= range.high; ++at) {
            if (!period_at(known, at)) return {Ask::period, at};
        }
        return {};
    }
    const Steps resolution = wanted_resolution(range.low, range.high);
    const PeriodSample* before = nullptr;
    Steps before_at = 0;
    for (const auto& [at, sample] : known.periods) {
        if (at > range.high) break;
        if (!sample.feasible) {
            before = nullptr;  // given up: nothing is known about what lies around it
            continue;
        }
        if (before != nullptr && compare_rates(*before, sample) != 0 && at - before_at > resolution) {
            return {Ask::period, between(before_at, at)};
        }
        before = &sample;
        before_at = at;
    }
    return {};
}

// Steps at which the period is less than at the one shown before.
std::vector<Steps> period_steps(const Known& known, const Range& range) {
    std::vector<Steps> list;
    const PeriodSample* before = nullptr;
    for (const auto& [at, sample] : known.periods) {
        if (!sample.feasible || at > range.high) continue;
        if (before == nullptr || compare_rates(sample, *before) < 0) {
            list.push_back(at);
            before = &sample;
        }
    }
    return list;
}

// Steps that need a makespan, whatever the makespans turn out to be.
std::vector<Steps> first_steps(const Known& known, const Range& range) {
    std::vector<Steps> list;
    if (every_step(known, range)) {
        for (Steps at = range.low; at <= range.high; ++at) list.push_back(at);
        return list;
    }
    if (known.repeats) return period_steps(known, range);
    return {range.low, range.high};
}

// Above the range by periods, the smallest capacity at which the makespan is what it is at the top: raised step
// by step where few steps are left, halved where many are.
Request refine_beyond(const Known& known, const Range& range) {
    const auto last = known.makespans.find(range.high);
    if (known.top <= range.high || last == known.makespans.end() || !last->second.makespan) return {};
    const auto top = known.makespans.find(known.top);
    if (top == known.makespans.end()) return {Ask::makespan, known.top};
    if (!top->second.makespan || *last->second.makespan <= *top->second.makespan) return {};
    const Steps end = std::clamp(top->second.peak, range.high, known.top);
    Steps as_good = end;
    for (const auto& [at, sample] : known.makespans) {
        if (at > range.high && sample.makespan && *sample.makespan <= *top->second.makespan) {
            as_good = std::min(as_good, at);
        }
    }
    Steps worse = range.high;
    for (const auto& [at, sample] : known.makespans) {
        if (at < as_good) worse = std::max(worse, at);
    }
    if (known.every && end - range.low < few_steps) {
        if (worse + 1 < as_good) return {Ask::makespan, worse + 1};
        if (!known.makespans.count(as_good)) return {Ask::makespan, as_good};
        return {};
    }
    if (as_good - worse > wanted_resolution(range.low, end)) return {Ask::makespan, between(worse, as_good)};
    return {};
}

// Makespans between two steps whose makespans differ, where steps are too many to take each.
Request refine_makespans(const Known& known, const Range& range) {
    if (every_step(known, range)) return {};
    const Steps resolution = wanted_resolution(range.low, range.high);
    const MakespanSample* before = nullptr;
    Steps before_at = 0;
    for (const auto& [at, sample] : known.makespans) {
        if (at > range.high) break;
        if (!sample.makespan) {
            before = nullptr;
            continue;
        }
        if (before != nullptr && *sample.makespan < *before->makespan && at - before_at > resolution) {
            return {Ask::makespan, between(before_at, at)};
        }
        before = &sample;
        before_at = at;
    }
    return {};
}

}  // namespace

std::optional<PeriodSample> period_at(const Known& known, Steps at) {
    const auto after = known.periods.lower_bound(at);
    if (after != known.periods.end() && after->first == at) return after->second;
    if (after == known.periods.end() || after == known.periods.begin()) return std::nullopt;
    const auto before = std::prev(after);
    if (!before->second.feasible || !after->second.feasible) return std::nullopt;
    // A pattern found above may work from its peak on.
    if (compare_rates(before->second, after->second) == 0 || after->second.peak <= at) return after->second;
    return std::nullopt;
}

Request next_request(const Known& known) {
    const Range range = find_range(known);
    if (range.request.what != Ask::nothing) return range.request;
    if (!range.feasible) return {};
    if (known.repeats) {
        const Request request = refine_periods(known, range);
        if (request.what != Ask::nothing) return request;
    }
    for (const Steps at : first_steps(known, range)) {
        if (!known.makespans.count(at)) return {Ask::makespan, at};
    }
    Request request = refine_beyond(known, range);
    if (request.what == Ask::nothing) request = refine_makespans(known, range);
    if (request.what != Ask::nothing || !known.repeats) return request;
    // Every step that has a makespan also shows a period.
    for (const auto& [at, sample] : known.makespans) {
        if (sample.makespan && !period_at(known, at)) return {Ask::period, at};
    }
    return {};
}

std::vector<Steps> shown(const Known& known) {
    const Range range = find_range(known);
    std::vector<Steps> candidates;
    for (const auto& [at, sample] : known.periods) {
        if (sample.feasible && at != unlimited) candidates.push_back(at);
    }
    for (const auto& [at, sample] : known.makespans) {
        if (sample.makespan && at != unlimited) candidates.push_back(at);
    }
    const bool complete = range.feasible && range.request.what == Ask::nothing;
    const bool every = complete && every_step(known, range);
    if (every) {
        for (Steps at = range.low; at <= range.high; ++at) candidates.push_back(at);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

    // Of the many those that are better than all before; of few every one, up to where nothing improves.
    std::vector<Steps> list;
    std::optional<PeriodSample> best_period;
    std::optional<Ticks> best_makespan;
    for (const Steps at : candidates) {
        const std::optional<PeriodSample> period = period_at(known, at);
        const auto span = known.makespans.find(at);
        bool improves = list.empty();
        if (period && period->feasible && (!best_period || compare_rates(*period, *best_period) < 0)) {
            best_period = period;
            improves = true;
        }
        if (span != known.makespans.end() && span->second.makespan &&
            (!best_makespan || *span->second.makespan < *best_makespan)) {
            best_makespan = span->second.makespan;
            improves = true;
        }
        if (improves || (every && at <= range.high)) list.push_back(at);
    }
    if (every && !list.empty() && list.back() > range.high) {
        // Beyond the range too, each step up to the last that improves.
        const Steps last = list.back();
        list.erase(std::remove_if(list.begin(), list.end(), [&](Steps at) { return at > range.high; }), list.end());
        for (const Steps at : candidates) {
            if (at > range.high && at <= last) list.push_back(at);
        }
    }
    return list;
}

Steps resolution(const Known& known) {
    const Range range = find_range(known);
    return range.feasible && !every_step(known, range) ? wanted_resolution(range.low, range.high) : 1;
}

}  // namespace repetend::frontier
