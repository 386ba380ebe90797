// The completion at work.
//
// First a feasible sequence; then schedules that follow the patterns handed in; then rounds, each with twice the
// work of the one before: an epoch of the key search, a few beams, windows, the prover. When N is large, the search
// runs on a core of fewer micro-batches, whose schedules are repeated in the middle, and a few rules are tried on the
// whole. It ends when best and bound meet, or when rounds bring nothing any more. Everything is cut into pieces that
// depend on the work done so far and on nothing else, so how the caller slices its work cannot be seen in the result.
// With workers, the prover runs ahead beside the searches of a round (prover_ahead.hpp), which cannot be seen either.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "completion/beam.hpp"
#include "completion/candidate.hpp"
#include "completion/feasible_order.hpp"
#include "completion/follow.hpp"
#include "completion/key_search.hpp"
#include "completion/prover_ahead.hpp"
#include "completion/window_search.hpp"
#include "repetend/completion/completion.hpp"

namespace repetend {

struct Completion::State {
    using Sequence = completion::Sequence;
    using Instance = completion::Instance;
    using Timing = completion::Timing;

    Problem problem;
    CompletionOptions options;
    std::int64_t micro_batches = 0;
    CompletionStatus status = CompletionStatus::running;
    std::int64_t work = 0;
    std::int64_t allowed = 0;

    // The search runs on `core`, which is the whole when N is small.
    std::int64_t core_size = 0;
    Instance core;
    Instance core_backward;
    Ticks bound = 0;  // of the whole
    Ticks rate = 0;   // long-run time of a micro-batch, about
    std::int64_t in_flight = 0;

    std::unique_ptr<completion::FeasibleOrderSearch> feasible;
    std::unique_ptr<completion::ListScheduler> forward;
    std::unique_ptr<completion::ListScheduler> backward;
    std::unique_ptr<completion::KeySearch> keys;
    std::vector<PeriodicPattern> patterns;                        // all that were added
    std::optional<PeriodicPattern> least;                         // the one to follow
    std::deque<std::unique_ptr<completion::Follower>> followers;  // the first one is at work
    std::int64_t followed_work = 0;                               // theirs

    // Rounds.
    enum class Part { keys, rules, scout, beams, windows, prover, over };
    Part part = Part::over;
    std::int64_t round_work = 0;  // for each part of this round; 0: the next one is the first
    std::int64_t part_end = 0;    // in `work`
    bool improved = false;        // in this round
    int idle_rounds = 0;
    bool searched_out = false;  // rounds bring nothing any more
    std::int64_t tied = 0;
    struct WholeRule {
        WholeRule(const State& state, int by_tail, bool in_reverse);
        bool backwards;
        Instance instance;
        completion::Keys keys;
        completion::Decoded decoded;
        std::optional<completion::ListScheduler> scheduler;
    };
    std::unique_ptr<WholeRule> rule;  // at work on the whole
    std::size_t rules_tried = 0;
    std::unique_ptr<completion::DiagramBound> scout;  // of the core, just below its goal
    Ticks scouted_for = 0;
    std::unique_ptr<completion::Beam> beam;
    int beam_number = 0;
    std::unique_ptr<completion::WindowSearch> windows;
    bool windows_begun = false;  // for the best of this round
    std::unique_ptr<completion::ProverAhead> prover;
    Ticks not_refuted = std::numeric_limits<Ticks>::max();  // by single devices: the least makespan seen so

    std::optional<completion::Candidate> best;
    bool best_follows = false;  // Objective::period: it repeats `least`
    // Written out when somebody asks; a view of `best`, nothing else depends on it.
    mutable std::optional<Schedule> schedule;

    State(const Problem& p, const CompletionOptions& o) : problem(p), options(o), micro_batches(o.micro_batches) {}

    bool whole_core() const { return core_size == micro_batches; }
    bool wants_period() const { return options.objective == Objective::period; }

    // state.cpp: the beginning, and what is found.
    void prepare();
    void choose_core(const Instance& whole);
    void begin_search(const Sequence& sequence);
    void add(const PeriodicPattern& pattern);
    void add(const Schedule& schedule);
    void add_start(const Timing& timing);
    void offer_sequence(const Instance& instance, const Sequence& sequence);
    void offer(completion::Candidate candidate);
    bool follows(const Schedule& small) const;
    void raise_bound(Ticks to);
    const Schedule* written_out() const;

    // rounds.cpp: who works next.
    void step(std::int64_t until);
    void step_once();
    bool prover_can_run_ahead() const;
    bool prover_is_next() const;
    bool too_large_for_diagrams() const;
    void prepare_prover(Ticks low, Ticks high);
    bool follower_turn() const;
    void step_feasible();
    void step_follower();
    void begin_round();
    void end_round();
    void begin_part(Part next);
    void step_keys();
    void step_rules();
    Ticks core_goal() const;
    void step_scout();
    void step_beams();
    std::vector<completion::Diagram::Need> needs(int direction) const;
    bool begin_beam();
    void step_windows();
    void step_prover();
    void offer_to_search(const Sequence& sequence);
};

}  // namespace repetend
