#include "batch_progress.hpp"

#include <cstdio>

#include "terminal.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

constexpr double line_interval_s = 0.2;
constexpr double plain_interval_s = 10;
constexpr double json_interval_s = 1;

void say(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

BatchProgress::BatchProgress(const Invocation& invocation, std::int64_t total, std::int64_t finished)
    : total_(total), finished_(finished) {
    const std::string when = invocation.options.text("progress");
    if (when == "json") {
        mode_ = Mode::json;
    } else if (when == "never" || invocation.options.flag("quiet")) {
        mode_ = Mode::silent;
    } else if (when == "always" || (error_is_terminal() && !terminal_is_dumb())) {
        mode_ = Mode::line;
    } else {
        mode_ = Mode::plain;
        next_ = plain_interval_s;
    }
}

BatchProgress::~BatchProgress() { clear(); }

void BatchProgress::done(bool failed) {
    ++done_;
    if (failed) ++failures_;
}

double BatchProgress::seconds_left(double seconds) const {
    if (done_ == 0) return -1;
    return seconds / static_cast<double>(done_) * static_cast<double>(total_ - finished_ - done_);
}

std::string BatchProgress::words(double seconds) const {
    std::string text = std::to_string(finished_ + done_) + " of " + std::to_string(total_) + " combinations";
    if (failures_ > 0) text += ", " + plural(failures_, "error", "errors");
    text += ", " + seconds_text(seconds);
    if (const double left = seconds_left(seconds); left >= 0) text += ", about " + seconds_text(left) + " left";
    return text;
}

void BatchProgress::update(double seconds) {
    if (mode_ == Mode::silent || seconds < next_) return;
    switch (mode_) {
        case Mode::line: {
            std::string line = words(seconds);
            const int columns = terminal_columns(80) - 1;
            while (width_of(line) > columns) line.pop_back();
            say("\r" + line + "\x1b[K");
            shown_ = true;
            next_ = seconds + line_interval_s;
            return;
        }
        case Mode::plain:
            say("repetend: " + words(seconds) + '\n');
            next_ = seconds + plain_interval_s;
            return;
        case Mode::json: {
            char numbers[96];
            std::snprintf(numbers, sizeof numbers, "\"seconds\": %.3f, \"seconds_left\": ", seconds);
            const double left = seconds_left(seconds);
            char rest[48];
            std::snprintf(rest, sizeof rest, "%.3f", left);
            say("{\"event\": \"batch\", " + std::string(numbers) + (left < 0 ? "null" : rest) +
                ", \"done\": " + std::to_string(finished_ + done_) + ", \"total\": " + std::to_string(total_) +
                ", \"errors\": " + std::to_string(failures_) + "}\n");
            next_ = seconds + json_interval_s;
            return;
        }
        case Mode::silent:
            return;
    }
}

void BatchProgress::clear() {
    if (shown_) say("\r\x1b[K");
    shown_ = false;
}

}  // namespace repetend::native
