#include "completion/prover.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

constexpr std::int64_t most_blocks = 1024;  // more need too large a matrix of distances
constexpr std::int64_t single_allowance = 4'000'000;
constexpr std::int64_t pair_allowance = 24'000'000;
constexpr std::int64_t small_complete_allowance = 1'500'000;
constexpr std::int64_t complete_allowance = 6'000'000;
constexpr DiagramOptions small_complete_options{0, 200'000, 30'000, true};
constexpr DiagramOptions complete_options{0, 1'000'000, 120'000, true};
// Bisection stops where the rest is less than this part of the makespan: finer answers nobody needs, and the
// one that matters, just below the best, is tried by itself.
constexpr Ticks bisection_part = 2048;

}  // namespace

Prover::Prover(const Instance& forward, const Instance& backward, Ticks low, Ticks best, Ticks alive)
    : forward_(forward), low_(low), best_(best), alive_(alive) {
    if (forward.blocks > most_blocks || low_ >= best_) return;
    bound_ = std::make_unique<DiagramBound>(forward, backward);
    if (bound_->usable()) begin_stage(Stage::singles);
}

void Prover::begin_stage(Stage stage) {
    stage_ = stage;
    testing_ = false;
    switch (stage) {
        case Stage::singles:
            begin_test(best_ - 1, false);
            break;
        case Stage::singles_between:
            high_ = std::min(best_ - 1, alive_);
            break;
        case Stage::pairs_between:
            high_ = best_ - 1;
            break;
        case Stage::pairs:
            begin_test(best_ - 1, forward_.devices > 1);
            break;
        case Stage::small_complete:
            begin_complete(small_complete_options, small_complete_allowance);
            break;
        case Stage::complete:
            begin_complete(complete_options, complete_allowance);
            break;
        case Stage::over:
            break;
    }
}

void Prover::begin_test(Ticks makespan, bool pairs) {
    testing_ = true;
    tested_ = makespan;
    test_end_ = work_ + (pairs ? pair_allowance : single_allowance);
    bound_->begin(makespan, pairs);
}

void Prover::end_test(DiagramVerdict verdict) {
    testing_ = false;
    const bool refuted = verdict == DiagramVerdict::dead;
    if (refuted) low_ = std::max(low_, tested_ + 1);
    if (low_ >= best_) {
        stage_ = Stage::over;
        return;
    }
    if (!refuted && (stage_ == Stage::singles || stage_ == Stage::singles_between)) alive_ = std::min(alive_, tested_);
    switch (stage_) {
        case Stage::singles:
            begin_stage(Stage::small_complete);
            break;
        case Stage::pairs:
            begin_stage(Stage::complete);
            break;
        case Stage::singles_between:
        case Stage::pairs_between:
            if (!refuted) high_ = std::min(high_, tested_);
            break;
        case Stage::small_complete:
        case Stage::complete:
        case Stage::over:
            break;
    }
}

// All devices at once, with the windows and needs just below the best: a test for
// that has just ended.
void Prover::begin_complete(const DiagramOptions& options, std::int64_t allowance) {
    if (distances_.empty()) {
        distances_.resize(static_cast<std::size_t>(forward_.blocks));
        for (int b = 0; b < forward_.blocks; ++b) distances_from(forward_, b, distances_[b]);
    }
    std::vector<int> devices;
    std::vector<Diagram::Need> needs;
    for (int d = 0; d < forward_.devices; ++d) {
        if (forward_.on_device[d].empty()) continue;
        devices.push_back(d);
        needs.push_back(bound_->need(0, d));
    }
    complete_ = std::make_unique<Diagram>(forward_, distances_, devices);
    if (!complete_->usable()) {
        end_complete(DiagramVerdict::too_large);
        return;
    }
    complete_->begin(bound_->windows(0), options, needs, best_ - 1);
    test_end_ = work_ + allowance;
}

void Prover::end_complete(DiagramVerdict verdict) {
    if (verdict == DiagramVerdict::dead) {
        low_ = best_;
        stage_ = Stage::over;
    } else if (verdict == DiagramVerdict::alive) {
        found_ = complete_->path();
        stage_ = Stage::over;
    } else {
        complete_.reset();
        begin_stage(stage_ == Stage::complete ? Stage::pairs_between
                    : bisected_               ? Stage::pairs
                                              : Stage::singles_between);
        return;
    }
    complete_.reset();
}

bool Prover::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    while (stage_ != Stage::over && work_ < until) {
        if (complete_) {
            const std::int64_t before = complete_->work();
            const DiagramVerdict verdict = complete_->step(std::min(until, test_end_) - work_);
            work_ += std::max<std::int64_t>(1, complete_->work() - before);
            if (verdict != DiagramVerdict::running || work_ >= test_end_) end_complete(verdict);
            continue;
        }
        if (testing_) {
            const std::int64_t before = bound_->work();
            const DiagramVerdict verdict = bound_->step(std::min(until, test_end_) - work_);
            work_ += std::max<std::int64_t>(1, bound_->work() - before);
            if (verdict != DiagramVerdict::running || work_ >= test_end_) end_test(verdict);
            continue;
        }
        ++work_;
        if (high_ <= low_ || high_ - low_ <= low_ / bisection_part) {
            bisected_ = true;
            begin_stage(stage_ == Stage::singles_between ? Stage::pairs : Stage::over);
        } else {
            // Refuting is quicker than not refuting, and the best is often far above what single devices refute.
            const bool pairs = stage_ == Stage::pairs_between;
            begin_test(low_ + (high_ - low_) / (pairs ? 2 : 3), pairs);
        }
    }
    return stage_ != Stage::over;
}

}  // namespace repetend::completion
