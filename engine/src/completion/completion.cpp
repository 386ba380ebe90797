// The order of work: a feasible sequence, then schedules that follow the patterns handed in, then epochs of
// the key search, each twice as long as the one before, until one brings nothing. When N is large, all
// of it runs on a core of fewer micro-batches, whose best schedules are repeated in the middle. Every step is
// cut into pieces that depend on the work done so far and on nothing else, so how the caller slices its work
// cannot be seen in the result.
#include "repetend/completion/completion.hpp"

#include <algorithm>
#include <cassert>
#include <deque>

#include "completion/compaction.hpp"
#include "completion/feasible_order.hpp"
#include "completion/follow.hpp"
#include "completion/key_search.hpp"
#include "completion/makespan_bound.hpp"
#include "completion/repeat.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend {

using namespace completion;

namespace {

constexpr std::int64_t most_serial_ticks = std::int64_t{1} << 56;  // all operations one after another
constexpr std::int64_t most_total_memory = std::int64_t{1} << 60;
constexpr std::int64_t most_remembered_counts = 4'000'000;  // in the feasibility search
constexpr std::int64_t feasibility_steps = 4096;
constexpr int most_window_copies = 8;
constexpr std::int64_t copies_multiple = 12;  // the core is short of N by a multiple of 1, 2, 3, 4, 6, 12
constexpr std::int64_t probe_repeats = 6;     // how many more repeats show the growth per repeat
constexpr std::int64_t most_tied = 24;        // tied core schedules per epoch whose windows are looked at
constexpr std::int64_t first_epoch_decodes = 300;
constexpr std::int64_t most_first_epoch = 500'000;
constexpr std::int64_t most_epoch_work = 40'000'000;

// a*b, or none beyond `most`.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b, std::int64_t most) {
    if (a != 0 && b > most / a) return std::nullopt;
    return a * b;
}

std::optional<Fault> range_fault(const Problem& problem, std::int64_t micro_batches) {
    if (micro_batches < 1) {
        return Fault{FaultCode::range, "micro_batches", "must be at least 1"};
    }
    if (!product(micro_batches, std::max(problem.num_blocks(), 1), most_operations)) {
        return Fault{FaultCode::limit, "micro_batches",
                     std::to_string(micro_batches) + " micro-batches of " + std::to_string(problem.num_blocks()) +
                         " blocks are more than " + std::to_string(most_operations) + " operations"};
    }
    Ticks ticks = 0;
    for (const Block& block : problem.blocks) ticks = std::min(most_serial_ticks, ticks + block.time);
    for (const Dependency& dependency : problem.dependencies) ticks = std::min(most_serial_ticks, ticks + dependency.lag);
    if (!product(micro_batches, ticks, most_serial_ticks - 1)) {
        return Fault{FaultCode::limit, "micro_batches", "all operations one after another take more than 2^56 ticks"};
    }
    for (int d = 0; d < problem.num_devices(); ++d) {
        Memory sum = 0;
        for (const Block& block : problem.blocks) {
            const Memory change = memory_on(block, d);
            sum = std::min(most_total_memory, sum + (change < 0 ? -change : change) + transient_on(block, d));
        }
        if (!product(micro_batches, sum, most_total_memory - 1)) {
            return Fault{FaultCode::limit, "micro_batches",
                         "all memory changes on " + device_label(problem, d) + " sum to more than 2^60"};
        }
    }
    return std::nullopt;
}

}  // namespace

struct Completion::State {
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
    Ticks bound = 0;       // whole
    Ticks core_bound = 0;
    Ticks rate = 0;        // long-run time of a micro-batch, about

    std::unique_ptr<FeasibleOrderSearch> feasible;
    std::unique_ptr<ListScheduler> forward;
    std::unique_ptr<ListScheduler> backward;
    std::unique_ptr<KeySearch> keys;
    std::deque<PeriodicPattern> waiting;             // patterns not looked at yet
    std::optional<PeriodicPattern> least;            // least period per copy
    std::unique_ptr<Follower> follower;
    bool follows_least = false;                      // the follower at work is that of `least`
    std::int64_t epoch = -1;
    std::int64_t epoch_work = 0;
    bool epoch_improved = false;
    std::int64_t tied = 0;

    // The best schedule: starts of all operations, and what its repetend is believed to be.
    Timing best;
    bool best_follows = false;
    mutable std::optional<Schedule> schedule;        // made from `best` when asked for

    explicit State(const Problem& p, const CompletionOptions& o) : problem(p), options(o), micro_batches(o.micro_batches) {}

    bool known() const { return !best.start.empty(); }
    bool whole_core() const { return core_size == micro_batches; }
    bool wants_period() const { return options.objective == Objective::period; }

    void prepare();
    void choose_core(const Instance& one);
    void step_once();
    void after_feasibility();
    void begin_search(const Sequence& sequence);
    void begin_pattern(const PeriodicPattern& pattern);
    void end_pattern();
    void offer_core(const Sequence& sequence);
    void offer_whole(const Timing& timing, bool follows);
    void begin_epoch();
    void end_epoch();
    Schedule make_schedule() const;
};

void Completion::State::prepare() {
    if (find_misfit(problem)) {
        status = CompletionStatus::infeasible;
        return;
    }
    const Instance whole = make_instance(problem, micro_batches);
    bound = makespan_bound(whole);
    for (int d = 0; d < whole.devices; ++d) rate = std::max(rate, whole.work(d));
    choose_core(whole);
    core_backward = reversed(core);
    core_bound = whole_core() ? bound : makespan_bound(core);
    const std::int64_t states = std::clamp<std::int64_t>(most_remembered_counts / core.blocks, 1000, 400'000);
    feasible = std::make_unique<FeasibleOrderSearch>(core, states);
}

// A core long enough for a full warmup and cooldown and a middle to repeat.
void Completion::State::choose_core(const Instance& whole) {
    const std::int64_t in_flight = whole.critical_path() / rate + 2;
    const std::int64_t least_size = 2 * in_flight + 8;
    core_size = micro_batches;
    if (micro_batches > 2 * least_size + copies_multiple) {
        core_size = least_size + (micro_batches - least_size) % copies_multiple;
    }
    // What the micro-batches left out would leave behind is set aside.
    std::vector<Memory> reserve;
    for (int d = 0; d < whole.devices; ++d) {
        reserve.push_back(std::max<Memory>(0, whole.net(d)) * (micro_batches - core_size));
    }
    core = make_instance(problem, core_size, reserve);
}

void Completion::State::step_once() {
    if (feasible) {
        const std::int64_t before = feasible->work();
        const bool more = feasible->step(feasibility_steps);
        work += feasible->work() - before;
        if (!more) after_feasibility();
        return;
    }
    if (follower) {
        const std::int64_t before = follower->work();
        const bool more = follower->step();
        work += std::max<std::int64_t>(1, follower->work() - before);
        if (!more) end_pattern();
        return;
    }
    if (!waiting.empty()) {
        const PeriodicPattern pattern = std::move(waiting.front());
        waiting.pop_front();
        begin_pattern(pattern);
        return;
    }
    if (!keys || (wants_period() && best_follows)) {
        status = CompletionStatus::exhausted;
        return;
    }
    if (epoch < 0) {
        begin_epoch();
        return;
    }
    const std::int64_t before = keys->work();
    const bool more = keys->step();
    work += keys->work() - before;
    if (keys->improved() || (keys->tied() && !whole_core() && tied++ < most_tied)) {
        epoch_improved = epoch_improved || keys->improved();
        offer_core(keys->last());
    }
    if (!more && status == CompletionStatus::running) end_epoch();
}

void Completion::State::after_feasibility() {
    const Feasibility verdict = feasible->verdict();
    if (verdict != Feasibility::feasible) {
        // A core with memory set aside is harder than the whole.
        const bool proved = verdict == Feasibility::infeasible && whole_core();
        if (proved) status = CompletionStatus::infeasible;
        feasible.reset();
        return;
    }
    const Sequence sequence = feasible->sequence();
    feasible.reset();
    begin_search(sequence);
}

void Completion::State::begin_search(const Sequence& sequence) {
    forward = std::make_unique<ListScheduler>(core, sequence);
    backward = std::make_unique<ListScheduler>(core_backward, reversed(sequence));
    const std::vector<Side> sides{{&core, forward.get(), nullptr}, {&core_backward, backward.get(), nullptr}};
    keys = std::make_unique<KeySearch>(sides, sequence, rate, core_bound, options.seed);
    keys->offer(sequence);
    offer_core(sequence);
}

void Completion::State::begin_pattern(const PeriodicPattern& pattern) {
    follows_least = least && pattern == *least;
    const Timing timing = unroll(core, pattern, core_size);
    const Sequence sequence = by_start(core, timing);
    const bool fits = is_feasible(core, sequence);
    work += core.operations();
    if (!keys) {
        if (fits) begin_search(sequence);
        if (!fits) return;
    } else if (fits) {
        keys->offer(sequence);
        offer_core(sequence);
    }
    keys->add_start(0, keys_of(timing));
    keys->add_start(1, reversed_keys_of(core, timing));
    follower = std::make_unique<Follower>(problem, pattern, micro_batches, bound, options.seed);
    if (!follower->possible()) follower.reset();
    epoch = -1;
}

void Completion::State::end_pattern() {
    const Timing timing = follower->schedule();
    follower.reset();
    offer_whole(timing, follows_least);
    const Sequence sequence = by_start(core, timing);
    Timing shifted;
    left_shift(core, sequence, shifted);
    if (!wants_period()) offer_whole(shifted, false);
    if (whole_core()) keys->offer(sequence);
}

// A feasible sequence of the core: repeated as often as N asks for.
void Completion::State::offer_core(const Sequence& sequence) {
    Timing timing;
    if (whole_core()) {
        left_shift(core, sequence, timing);
        offer_whole(timing, false);
        return;
    }
    for (const Window& window : find_windows(core, sequence, most_window_copies)) {
        const std::int64_t more = micro_batches - core_size;
        if (more % window.copies != 0) continue;
        const std::int64_t times = more / window.copies;
        if (known() && times > 2 * probe_repeats) {
            const Ticks once = makespan_of(core, extended(window, probe_repeats));
            const Ticks twice = makespan_of(core, extended(window, 2 * probe_repeats));
            work += core.operations();
            const Ticks growth = (twice - once) / probe_repeats;
            if (twice + growth * (times - 2 * probe_repeats) >= best.makespan) continue;
        }
        left_shift(core, extended(window, times), timing);
        offer_whole(timing, false);
    }
}

void Completion::State::offer_whole(const Timing& timing, bool follows) {
    if (known()) {
        if (wants_period() && best_follows && !follows) return;
        const bool better_kind = wants_period() && follows && !best_follows;
        if (!better_kind && timing.makespan >= best.makespan) return;
    }
    Timing before = std::move(best);
    const bool followed = best_follows;
    best = timing;
    best_follows = follows;
    schedule = make_schedule();
    if (verify_schedule(problem, *schedule)) {
        assert(false);
        best = std::move(before);
        best_follows = followed;
        schedule.reset();
        return;
    }
    if (best.makespan <= bound && !wants_period()) status = CompletionStatus::optimal;
}

void Completion::State::begin_epoch() {
    ++epoch;
    if (epoch == 0) epoch_work = std::min(most_first_epoch, first_epoch_decodes * core.operations());
    epoch_improved = false;
    tied = 0;
    keys->begin_epoch(epoch_work);
}

void Completion::State::end_epoch() {
    const bool again = epoch_improved && epoch_work < most_epoch_work && !keys->reached_target();
    if (!again) {
        status = CompletionStatus::exhausted;
        return;
    }
    epoch_work *= 2;
    begin_epoch();
}

Schedule Completion::State::make_schedule() const {
    Schedule result;
    result.micro_batches = micro_batches;
    result.operations.reserve(best.start.size());
    const int blocks = problem.num_blocks();
    for (int b = 0; b < blocks; ++b) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            result.operations.push_back({b, n, best.start[static_cast<std::size_t>(b * micro_batches + n)]});
        }
    }
    sort_operations(result);
    if (wants_period() && least) {
        result.repetend = find_repetend(problem, result, least->period, least->copies);
    } else {
        result.repetend = find_any_repetend(problem, result, most_window_copies);
    }
    return result;
}

Result<Completion> Completion::start(const Problem& problem, const CompletionOptions& options) {
    if (auto fault = range_fault(problem, options.micro_batches)) return *fault;
    auto state = std::make_unique<State>(problem, options);
    state->prepare();
    return Completion(std::move(state));
}

Completion::Completion(std::unique_ptr<State> state) : state_(std::move(state)) {}
Completion::Completion(Completion&&) noexcept = default;
Completion& Completion::operator=(Completion&&) noexcept = default;
Completion::~Completion() = default;

void Completion::add_pattern(const PeriodicPattern& pattern) {
    State& state = *state_;
    if (static_cast<int>(pattern.start.size()) != state.problem.num_blocks() || pattern.period < 1 || pattern.copies < 1) return;
    for (const auto& copies : pattern.start) {
        if (static_cast<int>(copies.size()) != pattern.copies) return;
    }
    if (state.status == CompletionStatus::infeasible) return;
    const auto rate_below = [](const PeriodicPattern& a, const PeriodicPattern& b) {
        __extension__ typedef __int128 Wide;
        return static_cast<Wide>(a.period) * b.copies <= static_cast<Wide>(b.period) * a.copies;
    };
    if (!state.least || rate_below(pattern, *state.least)) {
        state.least = pattern;
        state.best_follows = false;
    }
    state.waiting.push_back(pattern);
    if (state.status == CompletionStatus::exhausted) state.status = CompletionStatus::running;
}

CompletionStatus Completion::step(std::int64_t work) {
    State& state = *state_;
    state.allowed += work;
    while (state.status == CompletionStatus::running && state.work < state.allowed) state.step_once();
    return state.status;
}

CompletionStatus Completion::status() const { return state_->status; }
const Schedule* Completion::best() const { return state_->schedule ? &*state_->schedule : nullptr; }
Ticks Completion::best_makespan() const { return state_->known() ? state_->best.makespan : 0; }
Ticks Completion::lower_bound() const { return state_->bound; }
std::int64_t Completion::work() const { return state_->work; }

}  // namespace repetend
