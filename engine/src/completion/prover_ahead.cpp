#include "completion/prover_ahead.hpp"

#include <utility>

namespace repetend::completion {
namespace {
constexpr std::int64_t slice = 50'000;
}

ProverAhead::ProverAhead(const Instance& forward, const Instance& backward, Ticks low, Ticks best, Ticks alive)
    : prover_(forward, backward, low, best, alive), best_(best) {}

ProverAhead::Step ProverAhead::run() {
    Step step;
    const std::int64_t before = prover_.work();
    step.more = prover_.step(slice);
    step.work = prover_.work() - before;
    step.bound = prover_.bound();
    step.alive = prover_.alive();
    step.found = prover_.take_found();
    return step;
}

ProverAhead::Step ProverAhead::step() {
    if (ahead_.empty()) return run();
    Step step = std::move(ahead_.front());
    ahead_.pop_front();
    work_ahead_ -= step.work;
    return step;
}

void ProverAhead::run_ahead(std::int64_t work, std::int64_t most) {
    while (work > 0 && work_ahead_ < most && (ahead_.empty() || ahead_.back().more)) {
        ahead_.push_back(run());
        work_ahead_ += ahead_.back().work;
        work -= ahead_.back().work + 1;
    }
}

}  // namespace repetend::completion
