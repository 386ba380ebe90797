// The session: one state machine over the repetend search (one number of copies after another) and the
// completion. It only decides who works next; every number it reports comes from them, and every schedule
// passes the independent verifier before it leaves.
//
// Order of work: repetends first (they are quick, and their orders are the best starts), then the completion
// for N. A repetend search that does not settle within its allowance is left with what it proved, unless the
// least period is itself what was asked for. Where the makespan is all that counts and one repetend leaves devices
// idle, repetends of other numbers of copies are searched a little as well: only as starts of the completion, which by
// then has shown that it does not reach its bound without them.
#include "repetend/session/session.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "repetend/baseline/baseline.hpp"
#include "repetend/model/graph.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "session/enough_memory.hpp"

namespace repetend {

namespace {

// Work for one number of copies when the least period is not the objective, or when several are tried.
constexpr std::int64_t side_allowance = 400'000'000;
// The completion improves until it comes to its natural end, but not for ever: these are some seconds. Where the least
// period is the objective, it is proved by then and the makespan only comes second.
constexpr std::int64_t makespan_allowance = 25'000'000;
constexpr std::int64_t period_allowance = 600'000;
constexpr int most_copies_tried = 8;
// When the completion has worked for so long, repetends of other numbers of copies are searched as further starts.
constexpr std::int64_t starts_after = 5'000'000;
// For each number of copies, and how much of it without a shorter repetend. Nodes and work take very different times.
constexpr std::int64_t starts_work = 100'000'000, idle_starts_work = 30'000'000;
constexpr std::int64_t starts_nodes = 5000, idle_starts_nodes = 2000;
constexpr std::int64_t starts_piece = 100'000;  // work, whoever asks: so that the same things happen in any case
constexpr int start_copies_tried[] = {3, 2};
constexpr std::size_t most_baselines = 4;
// Up to here a repetend is found soon, and of equal schedules the first one stays: better one that repeats.
constexpr int most_blocks_with_repetends_first = 200;
constexpr std::int64_t most_baseline_operations = 1'000'000;  // built for N itself

using Rate = PeriodicSearch::Rate;
__extension__ typedef __int128 Wide;

bool less(Rate a, Rate b) { return static_cast<Wide>(a.period) * b.copies < static_cast<Wide>(b.period) * a.copies; }

// Least integer period of `copies` micro-batches that a rate allows.
Ticks period_at(Rate rate, int copies) {
    return static_cast<Ticks>((static_cast<Wide>(rate.period) * copies + rate.copies - 1) / rate.copies);
}

std::string rate_text(Ticks period, int copies) {
    return copies == 1 ? std::to_string(period) : std::to_string(period) + "/" + std::to_string(copies);
}

}  // namespace

std::string_view to_string(SearchStatus status) {
    switch (status) {
        case SearchStatus::optimal:
            return "optimal";
        case SearchStatus::feasible:
            return "feasible";
        case SearchStatus::infeasible:
            return "infeasible";
        case SearchStatus::unknown:
            break;
    }
    return "unknown";
}

std::string_view to_string(StopReason reason) {
    switch (reason) {
        case StopReason::finished:
            return "finished";
        case StopReason::timeout:
            return "timeout";
        case StopReason::budget:
            return "budget";
        case StopReason::interrupted:
            break;
    }
    return "interrupted";
}

struct Session::State {
    enum class Phase { repetend, starts, completion, done };

    // What is known about one number of copies.
    struct Tried {
        int copies = 1;
        std::optional<PeriodicPattern> pattern;
        Ticks lower_bound = 0;
        bool optimal = false;
        Certificate certificate;
        std::shared_ptr<const Refutation> refutation;  // with log_proof, where the period is proved
    };

    Problem problem;
    SearchOptions options;
    std::int64_t micro_batches = 0;
    Phase phase = Phase::repetend;
    StopReason stop = StopReason::finished;

    std::optional<PeriodicSearch> periodic;
    int copies = 1;
    std::int64_t completion_started_at = 0;  // completion work when its own phase began
    std::int64_t copies_started_at = 0;      // work when this number of copies began
    std::vector<Tried> tried;                // settled or left, in order of copies
    Rate rate;                               // proved for any number of copies
    std::optional<Completion> completion;
    std::string infeasible_reason;
    std::string copies_note;
    bool infeasible = false;
    bool baselines_fed = false;

    std::int64_t past_nodes = 0, past_work = 0;  // of earlier numbers of copies
    std::optional<PeriodicSearch> other;         // of a number of copies that is only a start
    std::size_t others_begun = 0;                // of start_copies_tried
    std::int64_t other_improved_at = 0;          // its work
    std::int64_t other_improved_node = 0;
    std::vector<Event> events;

    // Last reported values, to turn changes into events.
    std::optional<Ticks> seen_period, seen_makespan;
    Ticks seen_period_bound = 0, seen_makespan_bound = 0;

    std::int64_t nodes() const {
        return past_nodes + (periodic ? periodic->nodes() : 0) + (other ? other->nodes() : 0);
    }
    std::int64_t work() const {
        return past_work + (periodic ? periodic->work() : 0) + (other ? other->work() : 0) +
               (completion ? completion->work() : 0);
    }

    Tried current() const;
    const Tried* least_period() const;
    std::optional<Fault> start_copies(int number);
    void settle_copies();
    bool more_copies();
    void feed_baselines();
    void feed_completion();
    bool other_copies_may_help() const;
    void begin_other_copies();
    void step_other_copies();
    void advance(std::int64_t until);
    void finish(StopReason reason);
    void say(EventKind kind, Ticks value, std::string text);
    void watch();
    std::string phase_text() const;
};

void Session::State::say(EventKind kind, Ticks value, std::string text) {
    events.push_back({kind, work(), nodes(), copies, value, std::move(text)});
}

std::string Session::State::phase_text() const {
    if (phase == Phase::repetend) {
        return copies == 1 ? "searching the repetend"
                           : "searching the repetend of " + std::to_string(copies) + " micro-batches";
    }
    if (phase == Phase::starts) return "searching further starts: repetends of 2 and 3 micro-batches";
    if (phase == Phase::completion) return "completing " + std::to_string(micro_batches) + " micro-batches";
    return "finished";
}

void Session::State::watch() {
    if (periodic) {
        if (const PeriodicPattern* best = periodic->best(); best && (!seen_period || *seen_period != best->period)) {
            seen_period = best->period;
            say(EventKind::period, best->period, "");
        }
        if (periodic->lower_bound() != seen_period_bound) {
            seen_period_bound = periodic->lower_bound();
            say(EventKind::period_bound, seen_period_bound, "");
        }
    }
    if (completion) {
        if (completion->has_best() && (!seen_makespan || *seen_makespan != completion->best_makespan())) {
            seen_makespan = completion->best_makespan();
            say(EventKind::makespan, *seen_makespan, "");
        }
        if (completion->lower_bound() != seen_makespan_bound) {
            seen_makespan_bound = completion->lower_bound();
            say(EventKind::makespan_bound, seen_makespan_bound, "");
        }
    }
}

Session::State::Tried Session::State::current() const {
    Tried now;
    now.copies = copies;
    if (periodic->best()) now.pattern = *periodic->best();
    now.lower_bound = periodic->lower_bound();
    now.optimal = periodic->status() == PeriodicStatus::optimal;
    now.certificate = periodic->certificate();
    if (now.optimal && periodic->refutation()) now.refutation = std::make_shared<Refutation>(*periodic->refutation());
    return now;
}

// The tried number of copies with the least period per micro-batch, fewest copies first; null without any.
const Session::State::Tried* Session::State::least_period() const {
    const Tried* best = nullptr;
    for (const Tried& one : tried) {
        if (!one.pattern) continue;
        if (!best || less({one.pattern->period, one.copies}, {best->pattern->period, best->copies})) best = &one;
    }
    return best;
}

std::optional<Fault> Session::State::start_copies(int number) {
    auto started = PeriodicSearch::start(
        problem, {number, options.max_in_flight, options.seed, options.log_proof, options.workers});
    if (!started) return started.faults().front();
    if (periodic) {
        past_nodes += periodic->nodes();
        past_work += periodic->work();
    }
    periodic.emplace(std::move(*started));
    copies = number;
    copies_started_at = work();
    seen_period.reset();
    seen_period_bound = 0;
    if (options.copies_auto && number > 1) say(EventKind::copies, number, "");
    say(EventKind::phase, 0, phase_text());
    if (number == 1 || rate.period == 0) rate = periodic->rate_bound();
    return std::nullopt;
}

// The published schedules that fit, as starts: what comes out is never worse than they are.
void Session::State::feed_baselines() {
    if (options.objective != Objective::makespan || baselines_fed) return;
    baselines_fed = true;
    const std::int64_t fewer = completion->start_micro_batches();
    const std::vector<NamedSchedule> fitting = fitting_baselines(problem, fewer);
    for (std::size_t k = 0; k < std::min(fitting.size(), most_baselines); ++k)
        completion->add_schedule(fitting[k].schedule);
    // Where the search is for fewer than N: not every family has a middle that can be repeated.
    const bool open = completion->best_makespan() != completion->lower_bound();
    if (open && fewer < micro_batches && micro_batches * problem.num_blocks() <= most_baseline_operations) {
        const std::vector<NamedSchedule> whole = fitting_baselines(problem, micro_batches);
        if (!whole.empty()) completion->add_schedule(whole.front().schedule);
    }
    watch();
}

// Gives the completion the best repetend known for the present number of copies.
void Session::State::feed_completion() {
    if (!completion || !periodic || !periodic->best()) return;
    completion->add_pattern(*periodic->best());
    completion->step(1);
}

// Where the makespan is open and counts alone, and the repetend takes over 2 % more than the proved rate.
bool Session::State::other_copies_may_help() const {
    if (options.objective != Objective::makespan || options.copies_auto || options.max_in_flight) return false;
    if (others_begun == std::size(start_copies_tried) || !periodic || rate.period < 1) return false;
    // A work budget would go into them and leave too little for the completion.
    if (options.work_budget > 0 && options.work_budget - work() < 4 * starts_work) return false;
    const Tried* best = least_period();
    return !best || static_cast<Wide>(best->pattern->period) * rate.copies * 50 >
                        static_cast<Wide>(rate.period) * best->copies * 51;
}

// The next number of copies; back to the completion when there is none.
void Session::State::begin_other_copies() {
    while (others_begun < std::size(start_copies_tried)) {
        const int number = start_copies_tried[others_begun++];
        if (number == options.copies || 2 * number > micro_batches) continue;
        auto started = PeriodicSearch::start(problem, {number, std::nullopt, options.seed, false, options.workers});
        if (!started) continue;
        other.emplace(std::move(*started));
        other_improved_at = other_improved_node = 0;
        phase = Phase::starts;
        return;
    }
    phase = Phase::completion;
}

void Session::State::step_other_copies() {
    const PeriodicPattern* before = other->best();
    const Ticks period = before != nullptr ? before->period : 0;
    const PeriodicStatus status = other->step(starts_piece);
    if (other->best() && other->best()->period != period) {
        other_improved_at = other->work();
        other_improved_node = other->nodes();
    }
    const bool more = other->work() < std::min(starts_work, other_improved_at + idle_starts_work) &&
                      other->nodes() < std::min(starts_nodes, other_improved_node + idle_starts_nodes);
    if (status == PeriodicStatus::running && more) return;
    if (other->best()) completion->add_pattern(*other->best());
    past_nodes += other->nodes();
    past_work += other->work();
    other.reset();
    watch();
    begin_other_copies();
}

void Session::State::settle_copies() {
    tried.push_back(current());
    if (options.copies_auto) {
        const Tried& one = tried.back();
        copies_note += copies_note.empty() ? "" : "; ";
        if (one.pattern) {
            copies_note += std::to_string(one.copies) + (one.copies == 1 ? " copy" : " copies") + ": period " +
                           rate_text(one.pattern->period, one.copies) + " per micro-batch" +
                           (one.optimal ? "" : " (not settled)");
        } else {
            copies_note += std::to_string(one.copies) + (one.copies == 1 ? " copy" : " copies") + ": none found";
        }
    }
}

// With copies_auto: starts the next number of copies that the proved rate lets hope for; false when done.
bool Session::State::more_copies() {
    if (!options.copies_auto || options.max_in_flight) return false;
    const Tried* best = least_period();
    if (!best) return false;
    const Rate reached{best->pattern->period, best->copies};
    if (!less(rate, reached)) {
        copies_note += "; no number of copies can do better";
        return false;
    }
    for (int next = copies + 1; next <= most_copies_tried; ++next) {
        if (!less({period_at(rate, next), next}, reached)) continue;
        if (start_copies(next)) {
            copies_note += "; stopped there: more copies are too large a search";
            return false;
        }
        return true;
    }
    copies_note += "; the proved bound per micro-batch is " + rate_text(rate.period, static_cast<int>(rate.copies)) +
                   ", but more than " + std::to_string(most_copies_tried) + " copies are not tried";
    return false;
}

void Session::State::finish(StopReason reason) {
    if (phase == Phase::done) return;
    if (phase == Phase::repetend) {
        feed_completion();
        if (periodic && (tried.empty() || tried.back().copies != copies)) tried.push_back(current());
    }
    if (completion && !completion->has_best() && !infeasible) completion->step(1);
    stop = reason;
    phase = Phase::done;
    if (infeasible) {
        const std::string enough = enough_memory(problem, micro_batches);
        if (!enough.empty()) infeasible_reason += "; " + enough;
    }
    watch();
    say(EventKind::finished, 0, std::string(to_string(reason)));
}

void Session::State::advance(std::int64_t until) {
    while (phase != Phase::done && work() < until) {
        const std::int64_t slice = until - work();
        if (phase == Phase::repetend) {
            const bool had = periodic->best() != nullptr;
            const Ticks before = had ? periodic->best()->period : 0;
            const bool limited = options.objective == Objective::makespan || options.copies_auto;
            const std::int64_t allowed = side_allowance - (work() - copies_started_at);
            const PeriodicStatus status = periodic->step(limited && allowed > 0 ? std::min(slice, allowed) : slice);
            if (periodic->best() && (!had || periodic->best()->period != before)) feed_completion();
            watch();
            const bool left = status == PeriodicStatus::running && limited &&
                              work() - copies_started_at >= side_allowance &&
                              !(options.objective == Objective::period && !periodic->best());
            if (status == PeriodicStatus::running && !left) continue;
            settle_copies();
            if (status == PeriodicStatus::infeasible) {
                const bool none_at_all = periodic->excludes_any_schedule() || find_misfit(problem).has_value();
                if (none_at_all || options.objective == Objective::period) {
                    infeasible = true;
                    infeasible_reason = periodic->certificate().words;
                    finish(StopReason::finished);
                    continue;
                }
            }
            if (more_copies()) continue;
            phase = Phase::completion;
            completion_started_at = completion->work();
            say(EventKind::phase, 0, phase_text());
            // Follow the repetend with the least period per micro-batch: it is added last.
            if (const Tried* best = least_period()) completion->add_pattern(*best->pattern);
            feed_baselines();
            continue;
        }
        if (phase == Phase::starts) {
            step_other_copies();
            continue;
        }
        const std::int64_t allowance = options.objective == Objective::period ? period_allowance : makespan_allowance;
        const std::int64_t done = completion->work() - completion_started_at;
        if (done >= allowance) {
            finish(StopReason::finished);
            continue;
        }
        const std::int64_t left = (done < starts_after ? starts_after : allowance) - done;
        const CompletionStatus status = completion->step(std::min(slice, left));
        watch();
        if (status == CompletionStatus::infeasible) {
            infeasible = true;
            infeasible_reason =
                "no schedule of " + std::to_string(micro_batches) + " micro-batches fits the capacities";
        }
        if (status == CompletionStatus::infeasible || status == CompletionStatus::optimal) {
            finish(StopReason::finished);
        } else if ((completion->work() - completion_started_at >= starts_after ||
                    status != CompletionStatus::running) &&
                   other_copies_may_help()) {
            begin_other_copies();
            say(EventKind::phase, 0, phase_text());
        } else if (status != CompletionStatus::running) {
            finish(StopReason::finished);
        }
    }
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::start(Problem problem, const SearchOptions& options) {
    Faults faults = validate(problem);
    if (!options.copies_auto && options.copies < 1)
        faults.push_back({FaultCode::usage, "--copies", "at least 1 was expected"});
    if (options.micro_batches && (*options.micro_batches < 1 || *options.micro_batches > most_micro_batches))
        faults.push_back({FaultCode::usage, "--micro-batches",
                          "from 1 to " + std::to_string(most_micro_batches) + " were expected"});
    if (options.work_budget < 0) faults.push_back({FaultCode::usage, "--budget", "at least 0 was expected"});
    if (!faults.empty()) return faults;

    auto state = std::make_unique<State>();
    state->problem = std::move(problem);
    state->options = options;
    state->micro_batches = options.micro_batches.value_or(
        state->problem.micro_batches.value_or(2 * static_cast<std::int64_t>(state->problem.num_devices())));
    auto completion =
        Completion::start(state->problem, {state->micro_batches, options.objective, options.seed, options.workers});
    if (!completion) return completion.faults();
    state->completion.emplace(std::move(*completion));
    if (state->problem.num_blocks() > most_blocks_with_repetends_first) state->feed_baselines();
    if (const auto fault = state->start_copies(options.copies_auto ? 1 : options.copies)) {
        // Too large for the exact repetend search: N micro-batches can still be scheduled, from other starts.
        if (fault->code != FaultCode::limit || options.objective == Objective::period) return *fault;
        state->phase = State::Phase::completion;
        state->copies_note = fault->message;
        state->rate = {most_work_ticks(state->problem), 1};
        state->say(EventKind::phase, 0, state->phase_text());
    }
    return Session(std::move(state));
}

bool Session::step(std::int64_t work) {
    State& state = *state_;
    if (state.phase == State::Phase::done) return false;
    const std::int64_t budget = state.options.work_budget;
    std::int64_t until = state.work() + std::max<std::int64_t>(work, 1);
    if (budget > 0) until = std::min(until, budget);
    state.advance(until);
    if (state.phase != State::Phase::done && budget > 0 && state.work() >= budget) state.finish(StopReason::budget);
    return state.phase != State::Phase::done;
}

void Session::stop(StopReason reason) { state_->finish(reason); }

std::vector<Event> Session::take_events() { return std::exchange(state_->events, {}); }

Session::Progress Session::progress() const {
    const State& state = *state_;
    Progress progress;
    progress.copies = state.copies;
    if (state.periodic) {
        if (state.periodic->best()) progress.period = state.periodic->best()->period;
        progress.period_lower_bound = state.periodic->lower_bound();
    }
    if (state.completion) {
        if (state.completion->has_best()) progress.makespan = state.completion->best_makespan();
        progress.makespan_lower_bound = state.completion->lower_bound();
    }
    progress.nodes = state.nodes();
    progress.work = state.work();
    progress.phase = state.phase_text();
    return progress;
}

const Problem& Session::problem() const { return state_->problem; }

std::optional<PeriodProof> Session::period_proof() const {
    const State& state = *state_;
    const int copies = result().copies;
    const State::Tried* chosen = nullptr;
    for (const State::Tried& one : state.tried) {
        if (!one.refutation) continue;
        const bool wanted = one.copies == copies;
        if (!chosen || wanted ||
            (chosen->copies != copies &&
             less({one.pattern->period, one.copies}, {chosen->pattern->period, chosen->copies})))
            chosen = &one;
    }
    if (!chosen) return std::nullopt;
    PeriodProof proof;
    proof.problem = state.problem;
    proof.copies = chosen->copies;
    proof.period = chosen->pattern->period;
    proof.start = chosen->pattern->start;
    proof.refutation = *chosen->refutation;
    return proof;
}

SearchResult Session::result() const {
    const State& state = *state_;
    SearchResult result;
    result.stop = state.stop;
    result.seed = state.options.seed;
    result.micro_batches = state.micro_batches;
    result.nodes = state.nodes();
    result.work = state.work();
    result.infeasible_reason = state.infeasible_reason;
    result.copies_note = state.copies_note;
    result.copies = state.options.copies_auto ? state.copies : state.options.copies;
    result.makespan_lower_bound = state.completion->lower_bound();

    if (!state.infeasible && state.completion->best()) {
        const Schedule& schedule = *state.completion->best();
        // The verifier is law: what it refuses is not shown. (No generator is known to make such a schedule.)
        if (const auto violation = verify_schedule(state.problem, schedule)) {
            result.infeasible_reason =
                "internal: the schedule found was refused by the verifier: " + violation->message;
        } else {
            result.schedule = schedule;
            result.measures = measure(state.problem, schedule);
            result.makespan = result.measures->makespan;
            result.makespan_optimal = *result.makespan == result.makespan_lower_bound;
        }
    }

    std::vector<State::Tried> tried = state.tried;
    if (state.phase == State::Phase::repetend && state.periodic) tried.push_back(state.current());
    auto about = [&](int copies) -> const State::Tried* {
        for (const State::Tried& one : tried)
            if (one.copies == copies) return &one;
        return nullptr;
    };
    if (state.options.objective == Objective::period) {
        const State::Tried* best = nullptr;
        for (const State::Tried& one : tried)
            if (one.pattern &&
                (!best || less({one.pattern->period, one.copies}, {best->pattern->period, best->copies})))
                best = &one;
        if (!best && !tried.empty()) best = &tried.back();
        if (best) {
            result.copies = best->copies;
            if (best->pattern) result.period = best->pattern->period;
        }
        // Stopped before any repetend was found: the schedule's own, where it repeats for this number of copies.
        if (!result.period && result.schedule && result.schedule->repetend) {
            result.period = result.schedule->repetend->period;
            result.copies = result.schedule->repetend->copies;
        }
    } else if (result.schedule && result.schedule->repetend) {
        result.period = result.schedule->repetend->period;
        result.copies = result.schedule->repetend->copies;
    } else if (const State::Tried* best = state.least_period()) {
        result.copies = best->copies;
    }
    if (const State::Tried* known = about(result.copies)) {
        result.period_lower_bound = known->lower_bound;
        result.certificate = known->certificate;
    } else {
        result.period_lower_bound = period_at(state.rate, result.copies);
        if (!tried.empty()) result.certificate = tried.front().certificate;
    }
    result.period_optimal = result.period && *result.period == result.period_lower_bound;

    const bool proved = state.options.objective == Objective::period ? result.period_optimal : result.makespan_optimal;
    if (state.infeasible)
        result.status = SearchStatus::infeasible;
    else if (!result.schedule && !(state.options.objective == Objective::period && result.period))
        result.status = SearchStatus::unknown;
    else
        result.status = proved ? SearchStatus::optimal : SearchStatus::feasible;
    return result;
}

}  // namespace repetend
