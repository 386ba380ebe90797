// What is said while a search runs: a line on a terminal that is rewritten in place and erased at the end, a
// plain line every ten seconds elsewhere, or one JSON event a line.
#pragma once

#include <string>
#include <vector>

#include "commands.hpp"
#include "repetend/session/session.hpp"

namespace repetend::native {

class ProgressReporter {
public:
    // `problem` gives the units; it must outlive the reporter.
    ProgressReporter(const Invocation& invocation, const Problem& problem);
    ~ProgressReporter();
    ProgressReporter(const ProgressReporter&) = delete;
    ProgressReporter& operator=(const ProgressReporter&) = delete;

    // Cheap enough to be called after every slice: says only as much as the eye can follow.
    bool due(double seconds) const;
    // `prefix` says which search of several this is; usually empty.
    void update(const Session::Progress& progress, double seconds, const std::string& prefix = "");
    void events(const std::vector<Event>& events, double seconds);
    // Takes the line away.
    void finish();

private:
    enum class Mode { silent, line, plain, json };
    void show_line(const std::string& text);

    Mode mode_ = Mode::silent;
    const Problem& problem_;
    double next_ = 0;  // seconds at which the next update is due
    bool shown_ = false;
};

}  // namespace repetend::native
