// The repetend search from outside: bounds first, then the height solver at one period after another.
//
// Feasibility is monotone in T (a schedule scaled up stays valid), so: test T at the lower bound; climb when it
// is refuted. When that does not settle within an allowance, look for schedules at longer periods in between
// (bisecting), so that a best one is always at hand; allowances double. A found order is shortened to its own
// least period (cycle ratio), which often lands on the bound at once.
#include "repetend/periodic/periodic.hpp"

#include <algorithm>
#include <functional>

#include "periodic/bounds.hpp"
#include "periodic/cycle_ratio.hpp"
#include "periodic/greedy_pattern.hpp"
#include "periodic/instance.hpp"
#include "periodic/subtrees.hpp"

namespace repetend {

using periodic::Answer;
using periodic::FixedArc;
using periodic::Instance;
using periodic::Pair;
using periodic::RateBound;
using periodic::Subtrees;

namespace {
constexpr std::int64_t most_nodes = 4096;
constexpr std::int64_t confirm_allowance = 4'000'000;
constexpr int least_greedy_blocks = 128;  // below that the solver has a first schedule as soon
constexpr Ticks wide_range = 32;          // beyond this distance between bound and best, bisect rather than climb
}  // namespace

struct PeriodicSearch::State {
    Problem problem;
    PeriodicOptions options;
    Instance instance;
    // Where the wide horizon is needed for proofs and `instance` has a cut one.
    std::optional<Instance> wide_instance;
    PeriodicStatus status = PeriodicStatus::running;
    std::optional<PeriodicPattern> best;
    Ticks lower_bound = 1;
    // Least period not yet refuted within the horizon: equals lower_bound unless the horizon is cut.
    Ticks untried = 1;
    Rate rate;
    Certificate certificate;
    std::int64_t nodes = 0;
    std::int64_t work = 0;
    bool improved = false;  // a shorter period was found in this slice

    // The solver at the lower bound, and the one that looks for schedules at a longer period.
    std::unique_ptr<Subtrees> low, high;
    std::int64_t low_allowance = 0, high_allowance = 0;
    std::int64_t low_spent = 0, high_spent = 0;
    bool low_turn = true;
    int climbs = 0;  // refutations at the bound since the last look at longer periods

    void begin();
    void advance(std::int64_t until);
    bool run(Subtrees& solver, std::int64_t allowance, std::int64_t until, Answer& answer);
    void accept(const Subtrees& solver);
    // The order that count(pair, copy) tells, at its own least period.
    void accept(const std::function<std::int64_t(const Pair&, int)>& count);
    void refuted(const Subtrees& solver);
    Answer confirm(Ticks period);
    void prove_longer_than(const Subtrees& solver);
    void finish_if_met();
    Ticks next_high_period() const;

    // With options.log_proof: the argument against lower_bound - 1 (its clauses are in the log until somebody asks),
    // and the logs of the two solvers.
    std::optional<Refutation> refutation;
    std::unique_ptr<periodic::ProofLog> refutation_log;
    const Refutation* written_refutation();
    std::unique_ptr<periodic::ProofLog> low_log, high_log;
    std::unique_ptr<Subtrees> solver_at(Ticks period, std::uint64_t seed, std::unique_ptr<periodic::ProofLog>& log);
};

std::unique_ptr<Subtrees> PeriodicSearch::State::solver_at(Ticks period, std::uint64_t seed,
                                                           std::unique_ptr<periodic::ProofLog>& log) {
    if (options.log_proof && instance.complete) log = std::make_unique<periodic::ProofLog>();
    return std::make_unique<Subtrees>(instance, period, seed, log.get(), options.workers);
}

void PeriodicSearch::State::begin() {
    if (!instance.infeasible_reason.empty()) {
        status = PeriodicStatus::infeasible;
        certificate.kind = CertificateKind::capacity;
        certificate.device = instance.infeasible_device;
        certificate.words = instance.infeasible_reason;
        return;
    }
    const RateBound bound = best_rate_bound(problem, instance, options.copies);
    lower_bound = std::max<Ticks>(1, bound.period(options.copies));
    untried = lower_bound;
    certificate = bound.certificate;
    certificate.bound = lower_bound;
    if (options.log_proof) {
        Refutation argument;
        argument.kind = bound.certificate.kind == CertificateKind::cycle  ? RefutationKind::energy
                        : bound.certificate.kind == CertificateKind::gang ? RefutationKind::gang
                                                                          : RefutationKind::load;
        argument.device = bound.certificate.device;
        argument.matches = bound.matches;
        refutation = std::move(argument);
    }
    // The strongest as a fraction, which is what other numbers of copies can be measured against.
    RateBound strongest = periodic::load_bound(problem);
    for (const auto& other : {energy_bound(problem, instance), gang_bound(problem, instance)})
        if (other && less_rate(strongest, *other)) strongest = *other;
    rate = {strongest.ticks, strongest.per};
    // The matrix sets the price of a node; looking for schedules meanwhile gets a quarter.
    const std::int64_t nodes_here = instance.num_nodes;
    low_allowance = 4'000'000 + 4'000 * nodes_here * nodes_here;
    high_allowance = low_allowance / 4;
    if (instance.copies > 1 || instance.max_in_flight || instance.num_blocks < least_greedy_blocks) return;
    const auto greedy = greedy_pattern(problem, instance, lower_bound, work);
    if (!greedy) return;
    const auto count = [&](const Pair& pair, int) {
        const auto first = static_cast<std::size_t>(pair.first), second = static_cast<std::size_t>(pair.second);
        return periodic::floor_div(greedy->start[second] - greedy->start[first] - 1, greedy->period) + 1;
    };
    accept(count);
}

void PeriodicSearch::State::finish_if_met() {
    if (best && best->period <= untried) {
        status = best->period <= lower_bound ? PeriodicStatus::optimal : PeriodicStatus::stopped;
        low.reset();
        high.reset();
    }
}

void PeriodicSearch::State::accept(const Subtrees& solver) {
    accept([&](const Pair& pair, int copy) { return solver.counts()[static_cast<std::size_t>(pair.variable + copy)]; });
}

void PeriodicSearch::State::accept(const std::function<std::int64_t(const Pair&, int)>& count_of) {
    const int copies = instance.copies;
    std::vector<FixedArc> arcs;
    for (const Dependency& edge : instance.edges)
        for (int c = 0; c < copies; ++c)
            arcs.push_back({instance.node(edge.from, c), instance.node(edge.to, c),
                            instance.time[static_cast<std::size_t>(edge.from)] + edge.lag, 0});
    for (int i = 0; i < instance.num_blocks; ++i)
        for (int c = 0; c < copies; ++c)
            arcs.push_back({instance.node(i, c), instance.node(i, (c + 1) % copies),
                            instance.time[static_cast<std::size_t>(i)], c + 1 == copies ? -1 : 0});
    for (const Pair& pair : instance.pairs) {
        for (int c = 0; c < copies; ++c) {
            const std::int64_t count = count_of(pair, c);
            const std::int64_t before = periodic::floor_div(count - 1, copies);
            const std::int64_t after = periodic::floor_div(count, copies);
            const int second = instance.node(pair.second, c);
            arcs.push_back({instance.node(pair.first, static_cast<int>(count - 1 - before * copies)), second,
                            instance.time[static_cast<std::size_t>(pair.first)], before});
            arcs.push_back({second, instance.node(pair.first, static_cast<int>(count - after * copies)),
                            instance.time[static_cast<std::size_t>(pair.second)], -after});
        }
    }
    auto least = periodic::least_period(instance.num_nodes, arcs, lower_bound, work);
    if (best && best->period <= least.period) return;
    PeriodicPattern pattern;
    pattern.period = least.period;
    pattern.copies = copies;
    for (int i = 0; i < instance.num_blocks; ++i) {
        pattern.start.emplace_back();
        for (int c = 0; c < copies; ++c)
            pattern.start.back().push_back(least.start[static_cast<std::size_t>(instance.node(i, c))]);
    }
    best = std::move(pattern);
    improved = true;
}

// Searches the wide horizon at a period that the cut one refuted.
Answer PeriodicSearch::State::confirm(Ticks period) {
    if (!wide_instance || !wide_instance->complete) return Answer::unknown;
    Subtrees solver(*wide_instance, period, options.seed, nullptr, options.workers);
    const Answer answer = solver.run(confirm_allowance);
    work += solver.work();
    nodes += solver.nodes();
    if (answer == Answer::feasible) accept(solver);
    if (answer == Answer::refuted) prove_longer_than(solver);
    return answer;
}

void PeriodicSearch::State::refuted(const Subtrees& solver) {
    if (instance.complete) {
        prove_longer_than(solver);
        return;
    }
    const Ticks period = solver.period();
    const Answer answer = confirm(period);
    if (status != PeriodicStatus::running || answer == Answer::feasible) return;
    untried = std::max(untried, period + 1);
    if (answer == Answer::unknown && period >= instance.largest_period) status = PeriodicStatus::stopped;
}

void PeriodicSearch::State::prove_longer_than(const Subtrees& solver) {
    Certificate why;
    why.kind = CertificateKind::exhausted;
    why.nodes = solver.nodes();
    why.words = "every order of the blocks was refuted for a period of " + std::to_string(solver.period()) + " (" +
                std::to_string(solver.nodes()) + " search nodes)";
    if (solver.nodes() == 0) {
        const auto& root = solver.root_conflict();
        std::string names;
        std::vector<int> blocks = root.blocks;
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
        blocks.erase(std::remove(blocks.begin(), blocks.end(), -1), blocks.end());
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            if (k == 4 && blocks.size() > 5) {
                names += " and " + std::to_string(blocks.size() - 4) + " more";
                break;
            }
            names += (k == 0 ? "" : ", ") + problem.blocks[static_cast<std::size_t>(blocks[k])].name;
        }
        if (root.kind == periodic::RootConflict::Kind::row && root.device >= 0) {
            why.kind = CertificateKind::capacity;
            why.device = root.device;
            why.blocks = blocks;
            why.words = "with a period of " + std::to_string(solver.period()) + " " +
                        device_label(problem, root.device) + " would have to hold more than its capacity" +
                        (names.empty() ? "" : " when " + names + " starts");
        } else if (!blocks.empty()) {
            why.kind = CertificateKind::cycle;
            why.blocks = blocks;
            why.words = "dependencies and memory force a chain through " + names + " that is longer than a period of " +
                        std::to_string(solver.period()) + " allows";
        }
    }
    if (solver.period() >= instance.largest_period) {
        status = PeriodicStatus::infeasible;
        certificate = why;
        certificate.words += "; no longer period helps, so nothing can repeat";
        return;
    }
    lower_bound = std::max(lower_bound, solver.period() + 1);
    untried = std::max(untried, lower_bound);
    certificate = why;
    certificate.bound = lower_bound;
    if (!options.log_proof) return;
    refutation.reset();
    refutation_log.reset();
    auto& log = &solver == low.get() ? low_log : high_log;
    if (!instance.complete || options.max_in_flight || !log) return;
    refutation.emplace();
    refutation->kind = RefutationKind::clauses;
    refutation->variables = solver.proof_variables();
    refutation_log = std::move(log);  // this solver has ended
}

const Refutation* PeriodicSearch::State::written_refutation() {
    if (refutation && refutation_log) {
        refutation->clauses = refutation_log->trimmed();
        refutation_log.reset();
        if (refutation->clauses.empty()) refutation.reset();
    }
    return refutation ? &*refutation : nullptr;
}

Ticks PeriodicSearch::State::next_high_period() const {
    if (!best) return std::max(instance.largest_period, untried);
    Ticks period = untried + (best->period - untried) / 2;
    // A period that did not settle within the allowance is left for one closer to the best.
    if (high && high->period() < best->period && high->period() >= period)
        period = high->period() + (best->period - high->period() + 1) / 2;
    return period;
}

bool PeriodicSearch::State::run(Subtrees& solver, std::int64_t allowance, std::int64_t until, Answer& answer) {
    const std::int64_t work_before = solver.work();
    const std::int64_t nodes_before = solver.nodes();
    // The slice ends where the caller's work does or where the allowance does, whichever is first.
    answer = solver.run(std::min(allowance, work_before + (until - work)));
    const std::int64_t spent = solver.work() - work_before;
    work += spent;
    (&solver == low.get() ? low_spent : high_spent) += spent;
    nodes += solver.nodes() - nodes_before;
    return answer != Answer::unknown;
}

void PeriodicSearch::State::advance(std::int64_t until) {
    // A slice ends with every improvement: the caller acts on each of them, however the work is sliced.
    improved = false;
    while (status == PeriodicStatus::running && work < until) {
        finish_if_met();
        if (status != PeriodicStatus::running || improved) return;
        Answer answer = Answer::unknown;
        if (low_turn) {
            if (!low || low->period() < untried) low = solver_at(untried, options.seed, low_log);
            if (!run(*low, low_allowance, until, answer)) {
                if (low->work() < low_allowance || low->paused()) continue;  // the caller's slice ended
                low_turn = false;
                climbs = 0;
                high.reset();
                continue;
            }
            if (answer == Answer::feasible) {
                accept(*low);
            } else {
                refuted(*low);
                low.reset();
                ++climbs;
                const bool far = !best ? climbs >= 4 : best->period - untried > wide_range;
                if (far) low_turn = false, climbs = 0, high.reset();
            }
            continue;
        }
        // Look for a schedule at a longer period: first for any, then in between, within a share of the work
        // spent at the bound.
        const bool none_between = best && best->period - untried < 2;
        // Only between decisions: where a slice ends must not decide who goes on.
        const bool shared = best && best->period - untried <= wide_range;
        const std::int64_t share = low_spent / 4 - high_spent;
        const bool between_decisions = !high || !high->paused();
        if (none_between || (shared && share < 0 && between_decisions)) {
            low_turn = true;
            low_allowance = 2 * std::max(low_allowance, low ? low->work() : 0);
            high.reset();
            continue;
        }
        if (!high) high = solver_at(next_high_period(), options.seed + 1, high_log);
        const std::int64_t limit = shared ? std::min(high_allowance, high->work() + share + 1) : high_allowance;
        if (!run(*high, limit, until, answer)) {
            if (high->work() < high_allowance || high->paused()) continue;
            const Ticks next = next_high_period();
            if (!best || next <= high->period() || next >= best->period) {
                // Nothing left in between: back to the bound with twice the allowances.
                low_turn = true;
                low_allowance = 2 * std::max(low_allowance, low ? low->work() : 0);
                high_allowance *= 2;
                if (best) high.reset();
                continue;
            }
            high = solver_at(next, options.seed + 1, high_log);
            continue;
        }
        if (answer == Answer::feasible) {
            accept(*high);
        } else {
            refuted(*high);
            if (low && low->period() < untried) low.reset();
        }
        high.reset();
        if (!best || best->period - untried <= wide_range) low_turn = true;
    }
}

PeriodicSearch::PeriodicSearch(std::unique_ptr<State> state) : state_(std::move(state)) {}
PeriodicSearch::PeriodicSearch(PeriodicSearch&&) noexcept = default;
PeriodicSearch& PeriodicSearch::operator=(PeriodicSearch&&) noexcept = default;
PeriodicSearch::~PeriodicSearch() = default;

Result<PeriodicSearch> PeriodicSearch::start(const Problem& problem, const PeriodicOptions& options) {
    if (options.copies < 1) return Fault{FaultCode::usage, "--copies", "at least 1 was expected"};
    if (options.max_in_flight && *options.max_in_flight < 1)
        return Fault{FaultCode::usage, "--max-in-flight", "at least 1 was expected"};
    if (options.max_in_flight && options.copies > 1)
        return Fault{FaultCode::usage, "--max-in-flight", "works with one copy only (--copies 1)"};
    const std::int64_t nodes = static_cast<std::int64_t>(problem.num_blocks()) * options.copies;
    if (nodes > most_nodes)
        return Fault{FaultCode::limit, "--copies",
                     std::to_string(problem.num_blocks()) + " blocks in " + std::to_string(options.copies) +
                         (options.copies == 1 ? " copy" : " copies") + " are too many: at most " +
                         std::to_string(most_nodes) + " block copies are searched"};
    auto state = std::make_unique<State>();
    state->problem = problem;
    state->options = options;
    // Sums of times are at most 2^53 (validate); starts reach (blocks * periods) of copies * that.
    double reach = 0;
    for (const Block& block : problem.blocks) reach += static_cast<double>(block.time);
    for (const Dependency& edge : problem.dependencies) reach += static_cast<double>(edge.lag);
    reach *= options.copies;
    const double flights = options.max_in_flight ? static_cast<double>(*options.max_in_flight) + 2 : 2;
    if (reach * (static_cast<double>(nodes) * 4 * flights + 8) > 1e18)
        return Fault{FaultCode::limit, "blocks",
                     "times are too large for an exact search with " + std::to_string(nodes) +
                         " block copies: use a coarser time unit"};
    state->instance = periodic::make_instance(problem, options.copies, options.max_in_flight, true);
    if (!state->instance.complete)
        state->wide_instance = periodic::make_instance(problem, options.copies, options.max_in_flight, false);
    state->begin();
    return PeriodicSearch(std::move(state));
}

PeriodicStatus PeriodicSearch::step(std::int64_t work) {
    state_->advance(state_->work + work);
    return state_->status;
}

PeriodicStatus PeriodicSearch::status() const { return state_->status; }
const PeriodicPattern* PeriodicSearch::best() const { return state_->best ? &*state_->best : nullptr; }
Ticks PeriodicSearch::lower_bound() const { return state_->lower_bound; }
PeriodicSearch::Rate PeriodicSearch::rate_bound() const { return state_->rate; }
const Refutation* PeriodicSearch::refutation() const { return state_->written_refutation(); }
const Certificate& PeriodicSearch::certificate() const { return state_->certificate; }
bool PeriodicSearch::excludes_any_schedule() const {
    return state_->status == PeriodicStatus::infeasible && state_->instance.infeasible_reason.empty() &&
           state_->instance.matched && !state_->options.max_in_flight;
}
std::int64_t PeriodicSearch::nodes() const { return state_->nodes; }
std::int64_t PeriodicSearch::work() const { return state_->work; }

}  // namespace repetend
