// How far a batch is: a line on a terminal that is rewritten in place, a plain line every ten seconds elsewhere, or
// one JSON event a line.
#pragma once

#include <cstdint>
#include <string>

#include "commands.hpp"

namespace repetend::native {

class BatchProgress {
public:
    // `finished` stood in the output already.
    BatchProgress(const Invocation& invocation, std::int64_t total, std::int64_t finished);
    ~BatchProgress();
    BatchProgress(const BatchProgress&) = delete;
    BatchProgress& operator=(const BatchProgress&) = delete;

    void done(bool failed);
    // Says what there is to say, if it is time to.
    void update(double seconds);
    // Takes the line away.
    void clear();

    std::int64_t count() const { return done_; }
    std::int64_t failures() const { return failures_; }

private:
    enum class Mode { silent, line, plain, json };
    std::string words(double seconds) const;
    double seconds_left(double seconds) const;

    Mode mode_ = Mode::silent;
    std::int64_t total_, finished_;
    std::int64_t done_ = 0;  // in this run
    std::int64_t failures_ = 0;
    double next_ = 0;
    bool shown_ = false;
};

}  // namespace repetend::native
