#include <algorithm>
#include <iterator>

#include "completion/state.hpp"

namespace repetend {

using namespace completion;

namespace {

constexpr std::int64_t feasibility_steps = 4096;
constexpr std::int64_t first_round_decodes = 1000;
constexpr std::int64_t first_round_decodes_beside = 200;
constexpr std::int64_t most_first_round = 1'000'000;
constexpr std::int64_t most_round_work = 16'000'000;
constexpr int most_idle_rounds = 4;     // in a row, without anything better
constexpr std::int64_t most_tied = 24;  // tied core schedules per round whose windows are looked at
constexpr std::int64_t most_rule_operations = 400'000;
constexpr std::int64_t rule_slice = 10'000;  // operations
constexpr std::int64_t slice = 50'000;       // of the beams
constexpr std::int64_t first_followed_work = 1'000'000;
constexpr std::int64_t most_ahead_at_once = 400'000;
constexpr std::int64_t most_scouted_operations = 60'000;
constexpr int most_scouted_blocks = 1024;
constexpr int lambdas_16[] = {16, 4, 48};  // see BeamOptions
constexpr int beams_per_round = 6;         // each of these in both directions
constexpr std::int64_t prover_share = 8;   // times the work of a round: what it proves saves all further rounds
constexpr std::int64_t least_width = 8;
constexpr std::int64_t most_width = 400;
constexpr std::int64_t work_per_beam_state = 4;
constexpr std::int64_t work_per_window_state = 20'000;

}  // namespace

// With workers, two at a time: the searches of the round, and the prover, which comes after them, for what is the best
// schedule now. Both get the same work; what the prover finds out is looked at when it is its turn.
void Completion::State::step(std::int64_t until) {
    while (status == CompletionStatus::running && work < until) {
        if (!prover_can_run_ahead()) {
            step_once();
            continue;
        }
        const std::int64_t pause = std::min(until, work + most_ahead_at_once);
        const std::int64_t share = pause - work, most_ahead = prover_share * round_work;
        const Ticks bound_now = bound, best_now = best->makespan;
        run_tasks(options.workers, 2, [&](int task) {
            if (task == 1) {
                prepare_prover(bound_now, best_now);
                prover->run_ahead(share, most_ahead);
                return;
            }
            while (status == CompletionStatus::running && work < pause && !prover_is_next()) step_once();
        });
    }
}

// Not while schedules still get better: a prover is for one makespan, and making one is not cheap.
bool Completion::State::prover_can_run_ahead() const {
    if (!options.workers || !keys || feasible || !whole_core() || best_follows || improved) return false;
    if (prover_is_next() || part == Part::over || too_large_for_diagrams()) return false;
    return part == Part::beams || (prover && prover->best() == best->makespan);
}

bool Completion::State::prover_is_next() const { return part == Part::prover && !follower_turn(); }

bool Completion::State::too_large_for_diagrams() const {
    return core.blocks > most_scouted_blocks || core.operations() > most_scouted_operations;
}

// Where the makespan is all that counts, following repetends gets no more than the free search does.
bool Completion::State::follower_turn() const {
    if (followers.empty()) return false;
    return wants_period() || !keys || searched_out || followed_work <= first_followed_work + (work - followed_work) / 4;
}

void Completion::State::step_once() {
    if (feasible) {
        step_feasible();
    } else if (follower_turn()) {
        step_follower();
    } else if (!keys || searched_out || (best_follows && best->makespan <= bound)) {
        status = CompletionStatus::exhausted;
    } else {
        switch (part) {
            case Part::keys:
                step_keys();
                break;
            case Part::rules:
                step_rules();
                break;
            case Part::scout:
                step_scout();
                break;
            case Part::beams:
                step_beams();
                break;
            case Part::windows:
                step_windows();
                break;
            case Part::prover:
                step_prover();
                break;
            case Part::over:
                begin_round();
                break;
        }
    }
}

void Completion::State::step_feasible() {
    const std::int64_t before = feasible->work();
    const bool more = feasible->step(feasibility_steps);
    work += feasible->work() - before;
    if (more) return;
    const auto search = std::move(feasible);
    if (search->verdict() == Feasibility::feasible) {
        begin_search(search->sequence());
    } else if (search->verdict() == Feasibility::infeasible && (whole_core() || search->for_any_number())) {
        status = CompletionStatus::infeasible;  // otherwise, memory set aside for the rest may be to blame
    }
}

void Completion::State::step_follower() {
    Follower& follower = *followers.front();
    const Ticks before = follower.makespan();
    const std::int64_t work_before = follower.work();
    const bool more = follower.step();
    work += follower.work() - work_before;
    followed_work += follower.work() - work_before;
    const Ticks best_before = best ? best->makespan : 0;
    if (follower.makespan() < before) offer(make_candidate(follower.best(), micro_batches));
    if (more) return;
    // The same order without the rigid middle: all of it as early as it can be.
    const Followed& followed = follower.best();
    const Instance small = make_instance(problem, followed.small);
    const Sequence sequence = by_start(small, followed.timing);
    offer_sequence(small, sequence);
    if (keys && followed.small == core_size) keys->offer(sequence);
    if (keys && followed.small < core_size) {
        for (const Window& window : find_windows(small, sequence, followed.pattern.copies)) {
            const std::int64_t missing = core_size - followed.small;
            if (missing % window.copies == 0) keys->offer(extended(window, missing / window.copies));
        }
    }
    followers.pop_front();
    if (best && best->makespan < best_before) {
        searched_out = false;
        idle_rounds = 0;
    }
}

void Completion::State::begin_round() {
    // Where a repetend is to be followed, what the search finds beside it is rarely of use.
    const std::int64_t decodes = wants_period() && best_follows ? first_round_decodes_beside : first_round_decodes;
    round_work = round_work == 0 ? std::min(most_first_round, decodes * core.operations()) : 2 * round_work;
    improved = false;
    tied = 0;
    begin_part(Part::keys);
}

void Completion::State::end_round() {
    part = Part::over;
    idle_rounds = improved ? 0 : idle_rounds + 1;
    const int most_idle = best_follows ? 1 : most_idle_rounds;
    const bool again = idle_rounds < most_idle && round_work < most_round_work;
    searched_out = !again;
}

void Completion::State::begin_part(Part next) {
    part = next;
    part_end = work + (next == Part::prover ? prover_share : 1) * round_work;
    if (part == Part::keys) keys->begin_epoch(round_work);
    if (part == Part::beams) {
        beam.reset();
        beam_number = 0;
    }
    if (part == Part::windows) windows_begun = false;
    if (part == Part::over) end_round();
}

// A better sequence of the core, from outside the key search.
void Completion::State::offer_to_search(const Sequence& sequence) {
    const Ticks before = best ? best->makespan : 0;
    keys->offer(sequence);
    offer_sequence(core, sequence);
    improved = improved || best->makespan != before;
}

void Completion::State::step_keys() {
    const std::int64_t before = keys->work();
    const bool more = keys->step();
    work += keys->work() - before;
    if (keys->improved() || (keys->tied() && !whole_core() && tied++ < most_tied)) {
        improved = improved || keys->improved();
        offer_to_search(keys->last());
    }
    if (!more) begin_part(Part::rules);
}

// The fixed rules on all micro-batches, once: with enough memory their schedules need not have a middle that repeats.
void Completion::State::step_rules() {
    if (!rule) {
        if (whole_core() || wants_period() || rules_tried == 2 * std::size(rule_tails) || !best ||
            core.blocks * micro_batches > most_rule_operations) {
            begin_part(Part::scout);
        } else {
            rule = std::make_unique<WholeRule>(*this, rule_tails[rules_tried / 2], rules_tried % 2 == 1);
            work += rule->instance.operations();
            ++rules_tried;
        }
        return;
    }
    const bool more = rule->scheduler->decode_some(rule_slice);
    work += rule_slice;
    if (more) return;
    const Ticks before = best->makespan;
    if (rule->backwards) {
        offer_sequence(reversed(rule->instance), reversed(rule->decoded.sequence));
    } else {
        offer_sequence(rule->instance, rule->decoded.sequence);
    }
    improved = improved || best->makespan != before;
    rule.reset();
}

Completion::State::WholeRule::WholeRule(const State& state, int by_tail, bool in_reverse)
    : backwards(in_reverse), instance(make_instance(state.problem, state.micro_batches)) {
    Sequence reference = by_start(instance, state.best->expand(state.core));
    if (backwards) {
        instance = reversed(instance);
        reference = reversed(reference);
    }
    scheduler.emplace(instance, reference);
    keys = rule_keys(instance, state.rate, by_tail);
    DecodeOptions decode_options;
    decode_options.wait = 0;
    scheduler->begin_decode(keys, decode_options, decoded);
}

// What the core must reach for a better schedule of the whole.
Ticks Completion::State::core_goal() const { return best->makespan - best->growth(micro_batches - core_size) - 1; }

// Diagrams of single devices for the goal. They refute it, or they tell what each device still needs from each state.
void Completion::State::step_scout() {
    if (!scout) {
        if (too_large_for_diagrams()) {
            begin_part(Part::over);
            return;
        }
        scout = std::make_unique<DiagramBound>(core, core_backward);
        scouted_for = -1;
    }
    if (scouted_for != core_goal()) {
        scouted_for = core_goal();
        scout->begin(scouted_for, false);
    }
    const std::int64_t before = scout->work();
    const DiagramVerdict verdict = scout->step(slice);
    work += scout->work() - before + 1;
    if (verdict == DiagramVerdict::dead) {
        if (whole_core()) raise_bound(best->makespan);
        begin_part(Part::over);
    } else if (verdict != DiagramVerdict::running || work >= part_end + round_work) {
        begin_part(Part::beams);
    }
}

// What each device still needs, as far as the scout knows.
std::vector<Diagram::Need> Completion::State::needs(int direction) const {
    std::vector<Diagram::Need> needs;
    for (int d = 0; d < core.devices; ++d) needs.push_back(scout->need(direction, d));
    return needs;
}

// False when all beams of this round have run.
bool Completion::State::begin_beam() {
    if (beam_number == beams_per_round) return false;
    const int direction = beam_number % 2;
    BeamOptions beam_options;
    beam_options.lambda_16 = lambdas_16[beam_number / 2];
    if (!whole_core()) beam_options.run_ahead = in_flight + in_flight * (beam_number / 2) / 3;
    ++beam_number;
    beam_options.width = static_cast<int>(
        std::clamp(round_work / (beams_per_round * work_per_beam_state * core.operations()), least_width, most_width));
    const Sequence& reference = keys->best();
    beam = direction == 0 ? std::make_unique<Beam>(core, reference)
                          : std::make_unique<Beam>(core_backward, reversed(reference));
    beam->begin(beam_options, needs(direction), scout->windows(direction).latest, scouted_for);
    return true;
}

void Completion::State::step_beams() {
    if (!beam && !begin_beam()) {
        begin_part(Part::windows);
        return;
    }
    const std::int64_t before = beam->work();
    const BeamVerdict verdict = beam->step(slice);
    work += beam->work() - before + 1;
    if (verdict == BeamVerdict::running) return;
    const bool backward_beam = beam_number % 2 == 0;
    const Sequence sequence = beam->sequence();
    beam.reset();
    if (verdict != BeamVerdict::found) return;
    offer_to_search(backward_beam ? reversed(sequence) : sequence);
    if (core_goal() < scouted_for) begin_part(Part::scout);
}

// Windows of the best schedule, one after another.
void Completion::State::step_windows() {
    if (!whole_core()) {
        begin_part(Part::prover);
        return;
    }
    if (!windows) windows = std::make_unique<WindowSearch>(core, core_backward);
    if (!windows_begun) {
        const std::int64_t width = std::clamp(round_work / work_per_window_state, least_width, most_width);
        windows->begin(keys->best(), static_cast<int>(width), needs(0), needs(1));
    }
    windows_begun = true;
    const std::int64_t before = windows->work();
    const bool more = windows->step(slice);
    work += windows->work() - before + 1;
    if (windows->improved()) {
        offer_to_search(windows->best());
    } else if (!more || work >= part_end) {
        begin_part(Part::prover);
    }
}

// A prover for makespans from a bound up to below the best.
void Completion::State::prepare_prover(Ticks low, Ticks high) {
    if (!prover || prover->best() != high)
        prover = std::make_unique<ProverAhead>(core, core_backward, low, high, not_refuted);
}

void Completion::State::step_prover() {
    if (!whole_core() || best_follows) {
        begin_part(Part::over);
        return;
    }
    prepare_prover(bound, best->makespan);
    const ProverAhead::Step step = prover->step();
    work += step.work + 1;
    not_refuted = std::min(not_refuted, step.alive);
    if (step.bound > bound) {
        improved = true;
        raise_bound(step.bound);
    }
    if (!step.found.empty()) {
        offer_to_search(step.found);
        begin_part(Part::scout);
    } else if (!step.more || work >= part_end) {
        begin_part(Part::over);
    }
}

}  // namespace repetend
