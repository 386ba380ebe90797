// The frontier as a value machine: asks the plan what to find out next, runs the search for it (the repetend
// search for a period, a session for a makespan), and keeps the answers.
#include "repetend/session/frontier.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "repetend/model/problem.hpp"
#include "repetend/periodic/periodic.hpp"
#include "session/frontier_plan.hpp"
#include "session/pattern_memory.hpp"

namespace repetend {

using frontier::Ask;
using frontier::Known;
using frontier::MakespanSample;
using frontier::PeriodSample;
using frontier::Request;
using frontier::Steps;

namespace {

// With --copies auto: how many are tried, and how much work each number beyond the first may take. Proofs for
// several copies can be out of reach; the frontier then shows what fewer copies proved.
constexpr int most_auto_copies = 4;
constexpr std::int64_t auto_copies_work = 50'000'000;

bool holds_memory(const Problem& problem, int device) {
    if (problem.devices[static_cast<std::size_t>(device)].memory_static != 0) return true;
    return std::any_of(problem.blocks.begin(), problem.blocks.end(), [&](const Block& block) {
        return memory_on(block, device) != 0 || transient_on(block, device) != 0;
    });
}

// The grid of capacities: every amount that a device can hold is offset + k * quantum.
struct Grid {
    Memory offset = 0;
    Memory quantum = 1;

    Memory capacity(Steps steps) const { return offset + steps * quantum; }
    // The least step whose capacity is at least `amount`.
    Steps steps_for(Memory amount) const {
        const Memory above = amount - offset;
        return above / quantum + (above % quantum > 0 ? 1 : 0);
    }
};

Grid grid_of(const Problem& problem, const std::vector<int>& devices, Memory unit) {
    if (unit > 1 || devices.empty()) return {0, unit};
    Memory divisor = 0;
    for (const int d : devices) {
        const Memory first = problem.devices[static_cast<std::size_t>(devices.front())].memory_static;
        divisor = std::gcd(divisor, problem.devices[static_cast<std::size_t>(d)].memory_static - first);
        for (const Block& block : problem.blocks) {
            divisor = std::gcd(divisor, memory_on(block, d));
            divisor = std::gcd(divisor, transient_on(block, d));
        }
    }
    if (divisor <= 0) divisor = 1;
    return {problem.devices[static_cast<std::size_t>(devices.front())].memory_static % divisor, divisor};
}

// What a device needs for its most demanding single block.
Memory least_need(const Problem& problem, int device) {
    Memory most = 0;
    for (const Block& block : problem.blocks) {
        most = std::max(most, std::max<Memory>(0, memory_on(block, device)) + transient_on(block, device));
    }
    return problem.devices[static_cast<std::size_t>(device)].memory_static + most;
}

}  // namespace

struct Frontier::State {
    Problem problem;
    FrontierOptions options;
    std::vector<int> devices;  // those that hold memory
    Grid grid;
    Known known;
    std::int64_t micro_batches = 0;
    std::int64_t nodes = 0;  // of the searches that have ended
    std::int64_t work = 0;
    StopReason reason = StopReason::finished;
    bool running = true;
    std::string infeasible;

    // The search under way.
    Request request;
    std::optional<PeriodicSearch> periodic;
    int copies = 1;
    std::optional<PeriodSample> sample;  // best of the numbers of copies tried so far
    std::optional<Session> session;

    Problem at_capacity(Steps at) const;
    void begin(const Request& next);
    void begin_period(int number_of_copies);
    void advance(std::int64_t amount);
    void end_period();
    void end_makespan();
    bool wants_more_copies(const PeriodicSearch& search) const;
    Steps pattern_peak(const PeriodicPattern& pattern) const;
    void finish();
    std::int64_t current_nodes() const;
};

Problem Frontier::State::at_capacity(Steps at) const {
    Problem copy = problem;
    for (const int d : devices) {
        auto& capacity = copy.devices[static_cast<std::size_t>(d)].memory_capacity;
        capacity = at == frontier::unlimited ? std::nullopt : std::optional<Memory>(grid.capacity(at));
    }
    return copy;
}

Steps Frontier::State::pattern_peak(const PeriodicPattern& pattern) const {
    Memory most = 0;
    for (const int d : devices) most = std::max(most, steady_peak_memory(problem, pattern, d));
    return std::max(known.lowest, grid.steps_for(most));
}

void Frontier::State::begin(const Request& next) {
    request = next;
    if (next.what == Ask::period) {
        sample.reset();
        begin_period(options.search.copies_auto ? 1 : options.search.copies);
        return;
    }
    SearchOptions search = options.search;
    search.objective = Objective::makespan;
    search.micro_batches = micro_batches;
    search.work_budget = 0;
    if (search.copies_auto) {
        // The number of copies is settled by then; the session need not try them all once more.
        const auto period = frontier::period_at(known, next.at);
        search.copies_auto = false;
        search.copies = period && period->feasible ? period->copies : 1;
    }
    Result<Session> started = Session::start(at_capacity(next.at), search);
    // Faults were asked for at the start; another capacity brings no new ones.
    if (started) session = std::move(*started);
}

void Frontier::State::begin_period(int number_of_copies) {
    copies = number_of_copies;
    PeriodicOptions periodic_options;
    periodic_options.copies = copies;
    periodic_options.max_in_flight = options.search.max_in_flight;
    periodic_options.seed = options.search.seed;
    Result<PeriodicSearch> started = PeriodicSearch::start(at_capacity(request.at), periodic_options);
    periodic.reset();
    if (started) periodic = std::move(*started);
}

bool Frontier::State::wants_more_copies(const PeriodicSearch& search) const {
    if (!options.search.copies_auto || copies >= most_auto_copies || options.search.max_in_flight) return false;
    if (!sample || !sample->feasible) return false;
    // More copies help only while the bound for any number of them lies below what is known.
    const PeriodicSearch::Rate rate = search.rate_bound();
    if (rate.copies <= 0) return false;
    const Ticks whole_bound = rate.period / rate.copies;
    const Ticks whole = sample->period / sample->copies;
    if (whole != whole_bound) return whole_bound < whole;
    constexpr std::int64_t largest_factor = std::int64_t{1} << 31;
    if (rate.copies > largest_factor) return false;
    return rate.period % rate.copies * sample->copies < sample->period % sample->copies * rate.copies;
}

void Frontier::State::end_period() {
    if (periodic) {
        nodes += periodic->nodes();
        PeriodSample found;
        found.copies = copies;
        found.lower_bound = periodic->lower_bound();
        found.optimal = periodic->status() == PeriodicStatus::optimal;
        if (const PeriodicPattern* best = periodic->best()) {
            found.feasible = true;
            found.period = best->period;
            found.peak = pattern_peak(*best);
        }
        const auto rate = [](const PeriodSample& s) { return static_cast<double>(s.period) / s.copies; };
        if (!sample || (found.feasible && (!sample->feasible || rate(found) < rate(*sample)))) sample = found;
        if (request.at == known.top && !found.feasible && infeasible.empty() && copies == 1) {
            infeasible = periodic->certificate().words;
        }
        if (wants_more_copies(*periodic)) {
            begin_period(copies + 1);
            if (periodic) return;
        }
    }
    const PeriodSample answer = sample.value_or(PeriodSample{});
    known.periods[request.at] = answer;
    // The same pattern at the least capacity that it needs: as good as above, and no better is possible there.
    if (answer.feasible && answer.peak < request.at) known.periods.emplace(answer.peak, answer);
    periodic.reset();
    request = {};
}

void Frontier::State::end_makespan() {
    const SearchResult result = session->result();
    nodes += result.nodes;
    MakespanSample found;
    found.infeasible = result.status == SearchStatus::infeasible;
    found.makespan = result.makespan;
    found.lower_bound = result.makespan_lower_bound;
    found.peak = request.at;
    if (result.measures) {
        Memory most = 0;
        for (const int d : devices) most = std::max(most, result.measures->peak_memory[static_cast<std::size_t>(d)]);
        found.peak = std::max(known.lowest, grid.steps_for(most));
    }
    if (request.at == known.top && found.infeasible) infeasible = result.infeasible_reason;
    known.makespans[request.at] = found;
    session.reset();
    request = {};
}

void Frontier::State::advance(std::int64_t amount) {
    if (periodic) {
        const std::int64_t before = periodic->work();
        const bool more = periodic->step(amount) == PeriodicStatus::running;
        work += periodic->work() - before;
        const bool too_long = options.search.copies_auto && copies > 1 && periodic->work() >= auto_copies_work;
        if (!more || too_long) end_period();
    } else if (session) {
        const std::int64_t before = session->progress().work;
        const bool more = session->step(amount);
        work += session->progress().work - before;
        if (!more) end_makespan();
    }
}

std::int64_t Frontier::State::current_nodes() const {
    return nodes + (periodic ? periodic->nodes() : 0) + (session ? session->progress().nodes : 0);
}

void Frontier::State::finish() {
    running = false;
    nodes = current_nodes();
    periodic.reset();
    session.reset();
}

Result<Frontier> Frontier::start(Problem problem, const FrontierOptions& options) {
    auto state = std::make_unique<State>();
    state->options = options;
    state->problem = std::move(problem);
    // What a session or a repetend search would refuse is refused here, before anything runs.
    Faults faults = validate(state->problem);
    if (!faults.empty()) return faults;
    for (int d = 0; d < state->problem.num_devices(); ++d) {
        if (holds_memory(state->problem, d)) state->devices.push_back(d);
        if (net_memory(state->problem, d) != 0) state->known.repeats = false;
    }
    state->grid = grid_of(state->problem, state->devices, std::max<Memory>(1, options.unit));
    // Capacities one apart are worth a row each; multiples of many bytes only where something improves.
    state->known.every = state->grid.quantum == std::max<Memory>(1, options.unit);
    Memory need = 0;
    for (const int d : state->devices) need = std::max(need, least_need(state->problem, d));
    state->known.lowest = state->grid.steps_for(need);
    if (options.highest) {
        const Memory above = *options.highest - state->grid.offset;
        state->known.top = above < 0 ? -1 : above / state->grid.quantum;
    }
    const Problem top = state->at_capacity(state->known.top);
    SearchOptions search = options.search;
    search.objective = Objective::makespan;
    Result<Session> session = Session::start(top, search);
    if (!session) return session.faults();
    state->micro_batches = session->result().micro_batches;
    if (state->known.top < state->known.lowest) {
        state->running = false;
        const auto misfit = find_misfit(top);
        state->infeasible = misfit ? describe(*misfit, top) : "no block fits";
    }
    return Frontier(std::move(state));
}

Frontier::Frontier(std::unique_ptr<State> state) : state_(std::move(state)) {}
Frontier::Frontier(Frontier&&) noexcept = default;
Frontier& Frontier::operator=(Frontier&&) noexcept = default;
Frontier::~Frontier() = default;

bool Frontier::step(std::int64_t work) {
    State& s = *state_;
    const std::int64_t until = s.work + std::max<std::int64_t>(1, work);
    while (s.running && s.work < until) {
        const std::int64_t budget = s.options.search.work_budget;
        if (budget > 0 && s.work >= budget) {
            stop(StopReason::budget);
            break;
        }
        if (!s.periodic && !s.session) {
            const Request next = frontier::next_request(s.known);
            if (next.what != Ask::nothing) s.begin(next);
            if (!s.periodic && !s.session) {
                s.finish();
                break;
            }
        }
        std::int64_t amount = until - s.work;
        if (budget > 0) amount = std::min(amount, budget - s.work);
        s.advance(amount);
    }
    return s.running;
}

void Frontier::stop(StopReason reason) {
    if (!state_->running) return;
    state_->reason = reason;
    state_->finish();
}

StopReason Frontier::stop_reason() const { return state_->reason; }

std::vector<FrontierPoint> Frontier::points() const {
    const State& s = *state_;
    std::vector<FrontierPoint> points;
    for (const Steps at : frontier::shown(s.known)) {
        FrontierPoint point;
        point.capacity = s.grid.capacity(at);
        if (const auto period = frontier::period_at(s.known, at); period && period->feasible) {
            point.period = period->period;
            point.copies = period->copies;
            point.period_lower_bound = period->lower_bound;
            point.period_optimal = period->optimal;
        }
        if (const auto found = s.known.makespans.find(at); found != s.known.makespans.end()) {
            point.makespan = found->second.makespan;
            point.makespan_lower_bound = found->second.lower_bound;
        }
        points.push_back(point);
    }
    // A schedule stays valid with more memory, and what cannot be reached with more cannot with less.
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto& before = points[i - 1].makespan;
        if (before && points[i].makespan) points[i].makespan = std::min(*before, *points[i].makespan);
    }
    Ticks bound = 0;
    if (const auto top = s.known.makespans.find(s.known.top); top != s.known.makespans.end()) {
        bound = top->second.lower_bound;
    }
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
        bound = std::max(bound, point->makespan_lower_bound);
        if (point->makespan) bound = std::min(bound, *point->makespan);
        point->makespan_lower_bound = bound;
        point->makespan_optimal = point->makespan && *point->makespan == bound;
    }
    return points;
}

Memory Frontier::resolution() const {
    const Steps steps = frontier::resolution(state_->known);
    return steps == 1 ? 0 : steps * state_->grid.quantum;
}

std::string Frontier::infeasible_reason() const { return state_->running ? "" : state_->infeasible; }

std::int64_t Frontier::micro_batches() const { return state_->micro_batches; }

std::int64_t Frontier::nodes() const { return state_->current_nodes(); }

Session::Progress Frontier::progress() const {
    const State& s = *state_;
    Session::Progress progress;
    if (s.session) progress = s.session->progress();
    if (s.periodic) {
        if (const PeriodicPattern* best = s.periodic->best()) progress.period = best->period;
        progress.period_lower_bound = s.periodic->lower_bound();
        progress.copies = s.copies;
    }
    progress.nodes = s.current_nodes();
    progress.work = s.work;
    const Steps at = s.request.at;
    progress.phase = at == frontier::unlimited
                         ? "without limit"
                         : "at capacity " + std::to_string(s.grid.capacity(at) / std::max<Memory>(1, s.options.unit));
    return progress;
}

}  // namespace repetend
