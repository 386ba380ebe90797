// What a running search has said so far: the numbers for the status line, the steps for the chart, the improvements
// that can be looked at again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule_view.hpp"

namespace repetend::web {

enum class SearchPhase { idle, running, paused, done, failed };

struct ChartPoint {
    double seconds = 0;
    std::int64_t value = 0;
};

struct Improvement {
    double seconds = 0;
    std::shared_ptr<const ScheduleView> view;
};

// The fields of a repetend.result that the page shows.
struct ResultSummary {
    std::string status, stop, certificate_kind, certificate, reason, copies_note;
    std::optional<Ticks> period, makespan;
    int copies = 1;
    Ticks period_lower_bound = 0, makespan_lower_bound = 0;
    bool period_optimal = false, makespan_optimal = false;
    std::int64_t nodes = 0;
    std::uint64_t seed = 1;
    double seconds = 0;
};

// Reads a result's summary; its schedule is read by the engine's own reader.
std::optional<ResultSummary> read_summary(std::string_view result_json);

class SearchMonitor {
public:
    SearchPhase phase = SearchPhase::idle;
    std::string error;     // what refused the start
    std::string activity;  // what the search does now, in words
    double seconds = 0;
    std::int64_t nodes = 0, work = 0;
    double nodes_per_second = 0;
    int copies = 1;
    std::optional<Ticks> period, makespan;
    Ticks period_bound = 0, makespan_bound = 0;
    std::vector<ChartPoint> periods, period_bounds, makespans, makespan_bounds;
    std::vector<Improvement> improvements;

    bool running() const { return phase == SearchPhase::running || phase == SearchPhase::paused; }
    void begin();
    // Events as the worker's module writes them, at `seconds` since the start; shown are those that `counts` lets
    // through. False for text that is no list of events.
    using Counts = std::function<bool(std::string_view kind, std::int64_t value, int copies)>;
    bool take_events(std::string_view events_json, double at_seconds, const Counts& counts);
    void keep_improvement(std::shared_ptr<const ScheduleView> view);

private:
    static constexpr std::size_t most_improvements = 64;
    static constexpr std::size_t most_points = 4096;
    static void add(std::vector<ChartPoint>& points, double at_seconds, std::int64_t value);
};

}  // namespace repetend::web
