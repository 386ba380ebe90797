// The search over keys of the list scheduler, in both time directions.
//
// Three stages, each a share of the work it is given:
// - samples: keys from the starts that were handed in, from a few fixed rules `rate*n - b*tail` (n the micro-batch),
// which
//   let what is far from its end run ahead and are hard to beat on large problems with enough memory, and from random
//   rules `rate*n + a*head - b*tail + noise`: cheap, and often enough on their own;
// - halving: simulated annealing over one offset per block (`base + offset`, so a move acts on all
//   micro-batches alike) from the best samples, half of the chains dropped after each round;
// - keys: annealing over single keys, a block over a range, a window of time, a whole micro-batch, from the
//   best schedule, whose own start times are the keys; the direction of time flips when nothing moves.
// Accepted by makespan plus a twentieth of the mean span of the devices, which gives slopes to plateaus of
// equal makespan. The best schedule is the reference of the memory check from then on.
//
// Work is counted in decoded operations; one step is one decode.
#pragma once

#include <memory>
#include <vector>

#include "completion/list_scheduler.hpp"
#include "completion/random.hpp"

namespace repetend::completion {

// One direction of time.
struct Side {
    const Instance* instance = nullptr;
    ListScheduler* scheduler = nullptr;
    const Frozen* frozen = nullptr;  // may be null
};

class KeySearch {
public:
    // One side, or two that are each other's reverse. `sequence` is feasible for the first side. `rate` is the time
    // that a micro-batch takes in the long run, about. Stops at a makespan of `target`.
    KeySearch(std::vector<Side> sides, const Sequence& sequence, Ticks rate, Ticks target, std::uint64_t seed);

    // Lets most samples run ahead by a little more than `in_flight` micro-batches only, so that their middle can
    // be repeated.
    void limit_run_ahead(std::int64_t in_flight) { in_flight_ = in_flight; }
    // Keys to sample first, for side `side`.
    void add_start(int side, Keys keys);
    // A feasible sequence of the first side found elsewhere.
    void offer(const Sequence& sequence);

    // Begins the three stages anew with about this much work for them.
    void begin_epoch(std::int64_t work);
    // One decode; false when the epoch is over. `improved` tells whether the best got better, `tied` whether
    // the decode was as good as the best.
    bool step();
    bool improved() const { return improved_; }
    bool tied() const { return tied_; }
    bool reached_target() const { return best_makespan_ <= target_; }
    void set_target(Ticks target) { target_ = target; }

    Ticks best_makespan() const { return best_makespan_; }
    const Sequence& best() const { return best_; }  // of the first side
    const Sequence& last() const { return last_; }  // of the first side; of a decode that improved or tied
    std::int64_t work() const { return work_; }

private:
    enum class Stage { sample, halve, keys, over };
    struct Chain {
        int side = 0;
        DecodeOptions options;
        Keys base;
        std::vector<std::int64_t> offset;  // per block
        Ticks cost = 0;
        Ticks makespan = 0;
    };

    void decode(int side, const Keys& keys, const DecodeOptions& options);
    Ticks cost_of(int side) const;
    void shift(int side, const Sequence& sequence, Timing& timing) const;
    void take_best(int side, const Sequence& sequence, Ticks makespan);
    void sample();
    bool rule_chain(Chain& chain);
    void random_chain(Chain& chain);
    void keep_sample(const Chain& chain);
    void begin_halving();
    void halve();
    void begin_chain();
    void begin_keys();
    void keys_from_best();
    void perturb_offsets(Chain& chain);
    void perturb_keys(Chain& chain);
    void fill(const Chain& chain, Keys& keys) const;

    std::vector<Side> sides_;
    Ticks rate_;
    Ticks target_;
    Random random_;
    std::int64_t in_flight_ = 0;  // 0: no limit on running ahead
    Sequence best_;
    Sequence last_;
    Ticks best_makespan_ = 0;
    bool improved_ = false;
    bool tied_ = false;
    std::int64_t work_ = 0;
    std::vector<std::vector<std::size_t>> free_;  // per side: the operations that are not frozen, [block * N + n]

    Stage stage_ = Stage::over;
    std::int64_t epoch_work_ = 0;
    std::int64_t stage_end_ = 0;  // in work_
    Decoded decoded_;
    Keys keys_;

    struct Given {
        int side;
        Keys keys;
    };
    std::vector<Given> given_;  // starts not yet sampled
    int given_wait_ = 0;
    std::size_t rules_tried_ = 0;  // per side in turn
    std::vector<Chain> pool_;
    int epoch_ = 0;
    int round_ = 0;
    std::size_t chain_ = 0;  // of pool_, being annealed
    std::int64_t chain_end_ = 0;
    Chain current_;
    Chain chain_best_;
    std::int64_t idle_ = 0;  // decodes without progress, stage keys
};

// Of the fixed rules: how often a tail counts. Decode with wait 0.
inline constexpr int rule_tails[] = {4, 2, 1};
Keys rule_keys(const Instance& instance, Ticks rate, int by_tail);

// Keys that follow given starts (of the first side), for the first side or its reverse.
Keys keys_of(const Timing& timing);
Keys reversed_keys_of(const Instance& instance, const Timing& timing);

}  // namespace repetend::completion
