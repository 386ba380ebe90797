#include "completion/window_search.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

constexpr std::size_t sizes = 4;               // 1, 2, 4, 8 micro-batches' work
constexpr int lambdas_16[] = {16, 48, 4, 96};  // see BeamOptions

}  // namespace

void WindowSearch::begin(const Sequence& sequence, int width, std::vector<Diagram::Need> forward_needs,
                         std::vector<Diagram::Need> backward_needs) {
    needs_[0] = std::move(forward_needs);
    needs_[1] = std::move(backward_needs);
    best_ = sequence;
    width_ = width;
    over_ = false;
    side_ = 0;
    size_ = static_cast<std::size_t>(sides_[0]->blocks);
    first_ = 0;
    sweeps_idle_ = 0;
    sweep_improved_ = false;
    beam_.reset();
    turn();
}

// The best schedule as the side at work sees it.
void WindowSearch::turn() {
    const Instance& instance = *sides_[side_];
    left_shift(instance, side_ == 0 ? best_ : reversed(best_), timing_);
    sequence_ = by_start(instance, timing_);
}

// False when all windows have been tried in vain.
bool WindowSearch::begin_window() {
    const std::size_t all = sequence_.size();
    if (first_ >= all) {
        // The other side, then the next size.
        sweeps_idle_ = sweep_improved_ ? 0 : sweeps_idle_ + 1;
        sweep_improved_ = false;
        if (sweeps_idle_ == static_cast<int>(2 * sizes)) return false;
        side_ = 1 - side_;
        if (side_ == 0) {
            ++sweep_;
            const auto blocks = static_cast<std::size_t>(sides_[0]->blocks);
            size_ = size_ >= blocks << (sizes - 1) ? blocks : 2 * size_;
        }
        first_ = 0;
        turn();
    }
    BeamOptions options;
    options.width = width_;
    options.lambda_16 = lambdas_16[sweep_ % 4];
    beam_ = std::make_unique<Beam>(*sides_[side_], sequence_);
    beam_->begin_window(options, needs_[side_], sequence_, timing_, first_, std::min(all, first_ + size_),
                        timing_.makespan - 1);
    work_ += static_cast<std::int64_t>(all) / 8;
    return true;
}

bool WindowSearch::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    improved_ = false;
    while (!over_ && work_ < until && !improved_) {
        if (!beam_ && !begin_window()) {
            over_ = true;
            break;
        }
        const std::int64_t before = beam_->work();
        const BeamVerdict verdict = beam_->step(until - work_);
        work_ += beam_->work() - before + 1;
        if (verdict == BeamVerdict::running) continue;
        const Sequence found = beam_->sequence();
        beam_.reset();
        if (verdict == BeamVerdict::found) {
            take(found);
        } else {
            first_ += std::max<std::size_t>(1, size_ / 2);
        }
    }
    return !over_;
}

void WindowSearch::take(const Sequence& sequence) {
    best_ = side_ == 0 ? sequence : reversed(sequence);
    improved_ = true;
    sweep_improved_ = true;
    turn();
}

}  // namespace repetend::completion
