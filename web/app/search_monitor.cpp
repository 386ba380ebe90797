#include "search_monitor.hpp"

#include <nlohmann/json.hpp>

namespace repetend::web {
namespace {

using Json = nlohmann::json;

std::int64_t whole(const Json& object, const char* name, std::int64_t absent = 0) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : absent;
}
std::optional<Ticks> whole_or_none(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                               : std::nullopt;
}
std::string words(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool truth(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::optional<ResultSummary> read_summary(std::string_view text) {
    // The schedule is by far the largest part and not wanted here: its members are dropped while they are parsed.
    const auto drop = [](int depth, Json::parse_event_t event, Json& value) {
        return !(depth == 1 && event == Json::parse_event_t::key && value == "schedule");
    };
    const Json result = Json::parse(text, drop, false);
    if (!result.is_object() || words(result, "format") != "repetend.result") return std::nullopt;
    ResultSummary summary;
    summary.status = words(result, "status");
    summary.stop = words(result, "stop");
    summary.reason = words(result, "reason");
    summary.copies_note = words(result, "copies_note");
    summary.period = whole_or_none(result, "period");
    summary.makespan = whole_or_none(result, "makespan");
    summary.copies = static_cast<int>(whole(result, "copies", 1));
    summary.period_lower_bound = whole(result, "period_lower_bound");
    summary.makespan_lower_bound = whole(result, "makespan_lower_bound");
    summary.period_optimal = truth(result, "period_optimal");
    summary.makespan_optimal = truth(result, "makespan_optimal");
    if (const auto certificate = result.find("certificate"); certificate != result.end() && certificate->is_object()) {
        summary.certificate = words(*certificate, "words");
        summary.certificate_kind = words(*certificate, "kind");
    }
    if (const auto search = result.find("search"); search != result.end() && search->is_object()) {
        summary.nodes = whole(*search, "nodes");
        summary.seed = static_cast<std::uint64_t>(whole(*search, "seed", 1));
        if (const auto seconds = search->find("seconds"); seconds != search->end() && seconds->is_number())
            summary.seconds = seconds->get<double>();
    }
    return summary;
}

void SearchMonitor::begin() {
    *this = SearchMonitor();
    phase = SearchPhase::running;
    activity = "starting";
}

void SearchMonitor::add(std::vector<ChartPoint>& points, double at_seconds, std::int64_t value) {
    if (points.size() < most_points)
        points.push_back({at_seconds, value});
    else
        points.back() = {at_seconds, value};
}

bool SearchMonitor::take_events(std::string_view text, double at_seconds, const Counts& counts) {
    const Json events = Json::parse(text, nullptr, false);
    if (!events.is_array()) return false;
    seconds = at_seconds;
    for (const Json& event : events) {
        if (!event.is_object()) return false;
        const std::string kind = words(event, "kind");
        const std::int64_t value = whole(event, "value");
        nodes = whole(event, "nodes", nodes);
        work = whole(event, "work", work);
        copies = static_cast<int>(whole(event, "copies", copies));
        if (!counts(kind, value, copies)) continue;
        if (kind == "period") {
            period = value;
            add(periods, at_seconds, value);
        } else if (kind == "period_bound") {
            period_bound = value;
            add(period_bounds, at_seconds, value);
        } else if (kind == "makespan") {
            makespan = value;
            add(makespans, at_seconds, value);
        } else if (kind == "makespan_bound") {
            makespan_bound = value;
            add(makespan_bounds, at_seconds, value);
        } else if (kind == "phase") {
            activity = words(event, "text");
        }
    }
    if (seconds > 0) nodes_per_second = static_cast<double>(nodes) / seconds;
    return true;
}

void SearchMonitor::keep_improvement(std::shared_ptr<const ScheduleView> view) {
    if (!improvements.empty() && improvements.back().view->schedule == view->schedule) return;
    if (improvements.size() >= most_improvements) improvements.erase(improvements.begin() + 1);
    improvements.push_back({seconds, std::move(view)});
}

}  // namespace repetend::web
