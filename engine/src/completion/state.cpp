#include "completion/state.hpp"

#include <algorithm>
#include <cassert>

#include "completion/makespan_bound.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend {

using namespace completion;

namespace {

constexpr std::int64_t most_remembered_counts = 4'000'000;  // in the feasibility search
constexpr int most_window_copies = 8;
constexpr std::int64_t copies_multiple = 12;  // the core is short of N by a multiple of 1, 2, 3, 4, 6, 12

}  // namespace

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
    if (!least ||
        static_cast<Wide>(pattern.period) * least->copies <= static_cast<Wide>(least->period) * pattern.copies) {
        least = pattern;
        schedule.reset();
        best_follows = wants_period() && best && follows(make_schedule(best->reduced().expand(core), core.blocks));
    }
    if (std::find(patterns.begin(), patterns.end(), pattern) != patterns.end()) return;
    patterns.push_back(pattern);
    add_start(unroll(core, pattern, core_size));
    auto follower = std::make_unique<Follower>(problem, pattern, micro_batches, bound, options.seed);
    if (!follower->possible()) return;
    offer(make_candidate(follower->best(), micro_batches));
    followers.push_back(std::move(follower));
}

void Completion::State::add(const Schedule& given) {
    const bool whole = given.micro_batches == micro_batches;
    if (!whole && given.micro_batches != core_size) return;
    if (verify_schedule(problem, given)) return;
    const Instance other = whole && !whole_core() ? make_instance(problem, micro_batches) : Instance();
    const Instance& instance = whole && !whole_core() ? other : core;
    Timing timing;
    timing.start.assign(static_cast<std::size_t>(instance.operations()), 0);
    // Micro-batches are identical: the instances of a block count in order of start, whichever they were.
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    for (const Operation& operation : given.operations) {
        timing.start[instance.at(operation.block, count[operation.block]++)] = operation.start;
        timing.makespan = std::max(timing.makespan, operation.start + instance.time[operation.block]);
    }
    if (given.micro_batches == core_size) {
        add_start(timing);
    } else {
        offer_sequence(instance, by_start(instance, timing));
        work += instance.operations();
    }
}

// Starts of the core, which may exceed the capacities: for the key search, and as a schedule where they do not.
void Completion::State::add_start(const Timing& timing) {
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
        part = Part::over;
        round_work = 0;
        idle_rounds = 0;
        searched_out = false;
    }
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
        Ticks growth = 0;
        candidate.makespan = extended_makespan(instance, window, times, growth, work);
        candidate.form = Repeated{std::move(window), times, growth};
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
    if (candidate.makespan > largest_number) return;  // nobody could read or check it
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

void Completion::State::raise_bound(Ticks to) {
    bound = std::max(bound, to);
    if (best && best->makespan <= bound && !wants_period()) status = CompletionStatus::optimal;
}

const Schedule* Completion::State::written_out() const {
    if (!schedule && best) {
        Schedule result = make_schedule(best->expand(core), core.blocks);
        if (wants_period() && least) {
            result.repetend = find_repetend(problem, result, least->period, least->copies);
        } else {
            result.repetend = find_any_repetend(problem, result, most_window_copies);
        }
        assert(!verify_schedule(problem, result));  // in releases the session's business, once for each result
        schedule = std::move(result);
    }
    return schedule ? &*schedule : nullptr;
}

}  // namespace repetend
