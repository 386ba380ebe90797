// A prover that may be run before its turn. What each of its steps brings is kept until the step is asked for: who asks
// sees the same steps, with the same work, whether they have been run ahead or not. So a second thread can refute
// makespans while the first one looks for schedules, and when the best schedule changes meanwhile nothing is lost but
// the second thread's time.
#pragma once

#include <deque>

#include "completion/prover.hpp"

namespace repetend::completion {

class ProverAhead {
public:
    struct Step {
        std::int64_t work = 0;
        Ticks bound = 0;
        Ticks alive = 0;  // see Prover::alive
        Sequence found;   // see Prover::take_found
        bool more = true;
    };

    ProverAhead(const Instance& forward, const Instance& backward, Ticks low, Ticks best, Ticks alive);
    Ticks best() const { return best_; }

    // The next step.
    Step step();
    // Runs about `work` ahead, no further than `most` beyond what was asked for.
    void run_ahead(std::int64_t work, std::int64_t most);

private:
    Step run();

    Prover prover_;
    Ticks best_;
    std::deque<Step> ahead_;
    std::int64_t work_ahead_ = 0;
};

}  // namespace repetend::completion
