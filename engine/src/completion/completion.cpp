// The order of work: a feasible sequence, then schedules that follow the patterns handed in, then epochs of
// the key search, each twice as long as the one before, until one brings nothing. When N is large, all
// of it runs on a core of fewer micro-batches, whose best schedules are repeated in the middle. Every step is
// cut into pieces that depend on the work done so far and on nothing else, so how the caller slices its work
// cannot be seen in the result.
#include "repetend/completion/completion.hpp"

#include <algorithm>
#include <cassert>
#include <deque>

#include "completion/candidate.hpp"
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
constexpr std::int64_t most_tied = 24;        // tied core schedules per epoch whose windows are looked at
constexpr std::int64_t first_epoch_decodes = 1000;
constexpr std::int64_t most_first_epoch = 1'000'000;
constexpr int most_idle_epochs = 2;  // in a row, without anything better
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
    Ticks bound = 0;  // of the whole
    Ticks rate = 0;   // long-run time of a micro-batch, about
    std::int64_t in_flight = 0;

    std::unique_ptr<FeasibleOrderSearch> feasible;
    std::unique_ptr<ListScheduler> forward;
    std::unique_ptr<ListScheduler> backward;
    std::unique_ptr<KeySearch> keys;
    std::vector<PeriodicPattern> patterns;             // all that were added
    std::optional<PeriodicPattern> least;              // the one to follow
    std::deque<std::unique_ptr<Follower>> followers;   // the first one is at work
    std::int64_t epoch_work = 0;                       // 0: the next epoch is the first one
    bool in_epoch = false;
    bool improved = false;  // in this epoch
    int idle_epochs = 0;
    std::int64_t tied = 0;

    std::optional<Candidate> best;
    bool best_follows = false;  // Objective::period: it repeats `least`
    // Written out when somebody asks; a view of `best`, nothing else depends on it.
    mutable std::optional<Schedule> schedule;

    State(const Problem& p, const CompletionOptions& o) : problem(p), options(o), micro_batches(o.micro_batches) {}

    bool whole_core() const { return core_size == micro_batches; }
    bool wants_period() const { return options.objective == Objective::period; }
    bool follows(const Schedule& small) const;

    void prepare();
    void choose_core(const Instance& whole);
    void step_once();
    void step_feasible();
    void begin_search(const Sequence& sequence);
    void add(const PeriodicPattern& pattern);
    void step_follower();
    void step_keys();
    void end_epoch();
    void offer_sequence(const Instance& instance, const Sequence& sequence);
    void offer(Candidate candidate);
    const Schedule* written_out() const;
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
    const std::int64_t states = std::clamp<std::int64_t>(most_remembered_counts / core.blocks, 1000, 400'000);
    feasible = std::make_unique<FeasibleOrderSearch>(core, states);
    // Almost always this is all it takes to have a schedule from the beginning.
    step_feasible();
}

// A core long enough for a full warmup and cooldown and a middle to repeat.
void Completion::State::choose_core(const Instance& whole) {
    in_flight = whole.critical_path() / rate + 2;
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
        step_feasible();
    } else if (!followers.empty()) {
        step_follower();
    } else if (!keys || (best_follows && best->makespan <= bound)) {
        status = CompletionStatus::exhausted;
    } else {
        step_keys();
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
    } else if (search->verdict() == Feasibility::infeasible && whole_core()) {
        status = CompletionStatus::infeasible;  // a core with memory set aside would prove nothing
    }
}

void Completion::State::begin_search(const Sequence& sequence) {
    forward = std::make_unique<ListScheduler>(core, sequence);
    backward = std::make_unique<ListScheduler>(core_backward, reversed(sequence));
    const std::vector<Side> sides{{&core, forward.get(), nullptr}, {&core_backward, backward.get(), nullptr}};
    keys = std::make_unique<KeySearch>(sides, sequence, rate, whole_core() ? bound : 0, options.seed);
    if (!whole_core()) keys->limit_run_ahead(in_flight);
    keys->offer(sequence);
    offer_sequence(core, sequence);
}

void Completion::State::add(const PeriodicPattern& pattern) {
    __extension__ typedef __int128 Wide;
    if (!least || static_cast<Wide>(pattern.period) * least->copies <= static_cast<Wide>(least->period) * pattern.copies) {
        least = pattern;
        schedule.reset();
        best_follows = wants_period() && best && follows(make_schedule(best->reduced().expand(core), core.blocks));
    }
    if (std::find(patterns.begin(), patterns.end(), pattern) != patterns.end()) return;
    patterns.push_back(pattern);
    const Timing timing = unroll(core, pattern, core_size);
    const Sequence sequence = by_start(core, timing);
    work += core.operations();
    if (is_feasible(core, sequence)) {
        if (!keys) {
            feasible.reset();
            begin_search(sequence);
        }
        keys->offer(sequence);
        offer_sequence(core, sequence);
    }
    if (keys) {
        keys->add_start(0, keys_of(timing));
        keys->add_start(1, reversed_keys_of(core, timing));
        in_epoch = false;
        epoch_work = 0;
        idle_epochs = 0;
    }
    auto follower = std::make_unique<Follower>(problem, pattern, micro_batches, bound, options.seed);
    if (!follower->possible()) return;
    offer(make_candidate(follower->best(), micro_batches));
    followers.push_back(std::move(follower));
}

void Completion::State::step_follower() {
    Follower& follower = *followers.front();
    const Ticks before = follower.makespan();
    const std::int64_t work_before = follower.work();
    const bool more = follower.step();
    work += follower.work() - work_before;
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
}

// Epochs of the key search, each with twice the work of the one before.
void Completion::State::step_keys() {
    if (!in_epoch) {
        epoch_work = epoch_work == 0 ? std::min(most_first_epoch, first_epoch_decodes * core.operations()) : 2 * epoch_work;
        in_epoch = true;
        improved = false;
        tied = 0;
        keys->begin_epoch(epoch_work);
    }
    const std::int64_t before = keys->work();
    const bool more = keys->step();
    work += keys->work() - before;
    if (keys->improved() || (keys->tied() && !whole_core() && tied++ < most_tied)) {
        const Ticks before_offer = best ? best->makespan : 0;
        offer_sequence(core, keys->last());
        improved = improved || keys->improved() || best->makespan != before_offer;
    }
    if (!more) end_epoch();
}

void Completion::State::end_epoch() {
    in_epoch = false;
    idle_epochs = improved ? 0 : idle_epochs + 1;
    const bool again = idle_epochs < most_idle_epochs && epoch_work < most_epoch_work;
    if (!again && status == CompletionStatus::running) status = CompletionStatus::exhausted;
}

// A feasible sequence of some micro-batches: repeated as often as N asks for.
void Completion::State::offer_sequence(const Instance& instance, const Sequence& sequence) {
    const std::int64_t more = micro_batches - instance.micro_batches;
    if (more == 0) {
        Timing timing;
        left_shift(instance, sequence, timing);
        offer(make_candidate(std::move(timing), instance));
        return;
    }
    for (Window& window : find_windows(instance, sequence, most_window_copies)) {
        if (more % window.copies != 0) continue;
        Candidate candidate;
        candidate.micro_batches = micro_batches;
        const std::int64_t times = more / window.copies;
        candidate.makespan = extended_makespan(instance, window, times, work);
        candidate.form = Repeated{std::move(window), times};
        offer(std::move(candidate));
    }
}

// Whether a schedule, small enough to look at, repeats with the least pattern's period, if its number of
// micro-batches allows that.
bool Completion::State::follows(const Schedule& small) const {
    if (!least) return false;
    if (Follower::repeats(*least, small.micro_batches) < 2) return true;
    return find_repetend(problem, small, least->period, least->copies).has_value();
}

void Completion::State::offer(Candidate candidate) {
    const bool better = !best || candidate.makespan < best->makespan;
    if (!better && (!wants_period() || best_follows)) return;
    const Candidate small = candidate.reduced();
    const Schedule schedule_of_small = make_schedule(small.expand(core), core.blocks);
    const bool kind = wants_period() && follows(schedule_of_small);
    if (best && (kind == best_follows ? !better : best_follows)) return;
    if (verify_schedule(problem, schedule_of_small)) {
        assert(false);
        return;
    }
    best = std::move(candidate);
    best_follows = kind;
    schedule.reset();
    if (best->makespan <= bound && !wants_period()) status = CompletionStatus::optimal;
}

const Schedule* Completion::State::written_out() const {
    if (!schedule && best) {
        Schedule result = make_schedule(best->expand(core), core.blocks);
        if (wants_period() && least) {
            result.repetend = find_repetend(problem, result, least->period, least->copies);
        } else {
            result.repetend = find_any_repetend(problem, result, most_window_copies);
        }
        if (verify_schedule(problem, result)) {
            assert(false);
            return nullptr;
        }
        schedule = std::move(result);
    }
    return schedule ? &*schedule : nullptr;
}

Result<Completion> Completion::start(const Problem& problem, const CompletionOptions& options) {
    if (auto fault = range_fault(problem, options.micro_batches)) return *fault;
    auto state = std::make_unique<State>(problem, options);
    state->prepare();
    state->allowed = state->work;
    return Completion(std::move(state));
}

Completion::Completion(std::unique_ptr<State> state) : state_(std::move(state)) {}
Completion::Completion(Completion&&) noexcept = default;
Completion& Completion::operator=(Completion&&) noexcept = default;
Completion::~Completion() = default;

void Completion::add_pattern(const PeriodicPattern& pattern) {
    State& state = *state_;
    if (static_cast<int>(pattern.start.size()) != state.problem.num_blocks() || pattern.period < 1) return;
    for (const auto& copies : pattern.start) {
        if (static_cast<int>(copies.size()) != pattern.copies) return;
    }
    if (state.status == CompletionStatus::infeasible) return;
    const std::int64_t before = state.work;
    state.add(pattern);
    state.allowed += state.work - before;
    if (state.status == CompletionStatus::exhausted) state.status = CompletionStatus::running;
}

CompletionStatus Completion::step(std::int64_t work) {
    State& state = *state_;
    state.allowed += work;
    while (state.status == CompletionStatus::running && state.work < state.allowed) state.step_once();
    return state.status;
}

CompletionStatus Completion::status() const { return state_->status; }
const Schedule* Completion::best() const { return state_->written_out(); }
Ticks Completion::best_makespan() const { return state_->best ? state_->best->makespan : 0; }
Ticks Completion::lower_bound() const { return state_->bound; }
std::int64_t Completion::work() const { return state_->work; }

}  // namespace repetend
