#include "progress.hpp"

#include <cstdio>

#include "terminal.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

constexpr double first_line_s = 1;  // nothing is said about quicker searches
constexpr double line_interval_s = 0.1;
constexpr double plain_interval_s = 10;
constexpr double json_interval_s = 0.5;

void say(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

// `period 24/3 (bound 22/3)`: `copies` micro-batches together take so long.
std::string value_and_bound(const Problem& problem, std::string_view what, const std::optional<Ticks>& value,
                            Ticks bound, int copies) {
    const std::string each = copies == 1 ? "" : '/' + std::to_string(copies);
    std::string text(what);
    text += ' ';
    text += value ? short_time(problem, *value) + each : "-";
    if (value && *value == bound) return text + " (proved)";
    return text + " (bound " + short_time(problem, bound) + each + ')';
}

std::string progress_text(const Problem& problem, const Session::Progress& progress, double seconds) {
    char clock[32];
    std::snprintf(clock, sizeof clock, "%.1f s", seconds);
    std::string text = clock;
    text += "  " + value_and_bound(problem, "period", progress.period, progress.period_lower_bound, progress.copies);
    if (progress.makespan || progress.makespan_lower_bound > 0) {
        text += "  " + value_and_bound(problem, "makespan", progress.makespan, progress.makespan_lower_bound, 1);
    }
    text += "  " + count_text(progress.nodes) + " nodes";
    if (!progress.phase.empty()) text += "  " + progress.phase;
    return text;
}

std::string optional_number(const std::optional<Ticks>& value) { return value ? std::to_string(*value) : "null"; }

std::string_view event_name(EventKind kind) {
    switch (kind) {
        case EventKind::period:
            return "period";
        case EventKind::period_bound:
            return "period_bound";
        case EventKind::makespan:
            return "makespan";
        case EventKind::makespan_bound:
            return "makespan_bound";
        case EventKind::copies:
            return "copies";
        case EventKind::phase:
            return "phase";
        case EventKind::finished:
            return "finished";
    }
    return "";
}

std::string seconds_field(double seconds) {
    char buffer[48];
    std::snprintf(buffer, sizeof buffer, "\"seconds\": %.3f", seconds);
    return buffer;
}

}  // namespace

ProgressReporter::ProgressReporter(const Invocation& invocation, const Problem& problem) : problem_(problem) {
    const std::string when = invocation.options.text("progress");
    if (when == "json") {
        mode_ = Mode::json;
        next_ = json_interval_s;
    } else if (when == "never" || invocation.options.flag("quiet")) {
        mode_ = Mode::silent;
    } else if (when == "always" || (error_is_terminal() && !terminal_is_dumb())) {
        mode_ = Mode::line;
        next_ = when == "always" ? 0 : first_line_s;
    } else {
        mode_ = Mode::plain;
        next_ = plain_interval_s;
    }
}

ProgressReporter::~ProgressReporter() { finish(); }

bool ProgressReporter::due(double seconds) const { return mode_ != Mode::silent && seconds >= next_; }

void ProgressReporter::update(const Session::Progress& progress, double seconds, const std::string& prefix) {
    switch (mode_) {
        case Mode::silent:
            return;
        case Mode::line:
            show_line(prefix + progress_text(problem_, progress, seconds));
            next_ = seconds + line_interval_s;
            return;
        case Mode::plain:
            say("repetend: " + prefix + progress_text(problem_, progress, seconds) + '\n');
            next_ = seconds + plain_interval_s;
            return;
        case Mode::json:
            say("{\"event\": \"progress\", " + seconds_field(seconds) + ", \"work\": " + std::to_string(progress.work) +
                ", \"nodes\": " + std::to_string(progress.nodes) + ", \"copies\": " + std::to_string(progress.copies) +
                ", \"period\": " + optional_number(progress.period) + ", \"period_lower_bound\": " +
                std::to_string(progress.period_lower_bound) + ", \"makespan\": " + optional_number(progress.makespan) +
                ", \"makespan_lower_bound\": " + std::to_string(progress.makespan_lower_bound) +
                ", \"phase\": " + json_text(progress.phase) + "}\n");
            next_ = seconds + json_interval_s;
            return;
    }
}

void ProgressReporter::events(const std::vector<Event>& events, double seconds) {
    if (mode_ != Mode::json) return;
    for (const Event& event : events) {
        std::string line = "{\"event\": \"" + std::string(event_name(event.kind)) + "\", " + seconds_field(seconds) +
                           ", \"work\": " + std::to_string(event.work) + ", \"nodes\": " + std::to_string(event.nodes) +
                           ", \"copies\": " + std::to_string(event.copies);
        const bool has_value = event.kind != EventKind::phase && event.kind != EventKind::finished;
        if (has_value) line += ", \"value\": " + std::to_string(event.value);
        if (!event.text.empty()) line += ", \"text\": " + json_text(event.text);
        say(line + "}\n");
    }
}

void ProgressReporter::show_line(const std::string& text) {
    // Cut, so that the line never wraps: a wrapped line could not be taken back.
    const int columns = terminal_columns(80) - 1;
    std::string line = text;
    while (width_of(line) > columns) line.pop_back();
    say("\r" + line + "\x1b[K");
    shown_ = true;
}

void ProgressReporter::finish() {
    if (shown_) say("\r\x1b[K");
    shown_ = false;
}

}  // namespace repetend::native
