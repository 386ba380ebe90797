// The height solver's search: set-up at the root, choice of the next decision, backtracking, restarts.
#include "periodic/height_solver.hpp"

#include <algorithm>

namespace repetend::periodic {

namespace {

constexpr std::int64_t unbounded = -(std::int64_t{1} << 60);

// Luby, Sinclair and Zuckerman 1993: 1 1 2 1 1 2 4 ...
std::int64_t luby(std::int64_t index) {
    std::int64_t size = 1;
    while (size < index + 1) size = 2 * size + 1;
    while (size - 1 != index) {
        size = (size - 1) / 2;
        index %= size;
    }
    return (size + 1) / 2;
}

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr std::int64_t restart_conflicts = 64;
constexpr std::int64_t runaway_work = 1'000'000;

}  // namespace

HeightSolver::HeightSolver(const Instance& instance, Ticks period, std::uint64_t seed, ProofLog* log)
    : instance_(instance),
      period_(period),
      random_(seed),
      matrix_(make_difference_system(instance.num_nodes + (instance.max_in_flight ? instance.num_blocks : 0),
                                     instance.reach(period))),
      log_(log) {
    for (const Pair& pair : instance.pairs) num_counts_ += (static_cast<void>(pair), instance.copies);
    num_variables_ = num_counts_;
    build_rows();
    build_positions();
    const std::size_t variables = static_cast<std::size_t>(num_variables_);
    bound_.assign(2 * variables, unbounded);
    last_event_.assign(2 * variables, -1);
    rows_of_half_.resize(2 * variables);
    watches_.resize(2 * variables);
    // Ties between equal variables are broken by the seed.
    for (std::size_t x = 0; x < variables; ++x)
        activity_.push_back(static_cast<double>(next_random(random_) >> 40) * 1e-12);
    saved_.assign(variables, 0);
    has_saved_.assign(variables, 0);
    needed_.assign(2 * variables, 0);
    is_needed_.assign(2 * variables, 0);
    position_of_variable_.assign(variables, -1);
    pair_of_variable_.assign(static_cast<std::size_t>(num_counts_), -1);
    for (std::size_t p = 0; p < instance.pairs.size(); ++p)
        for (int c = 0; c < instance.copies; ++c)
            pair_of_variable_[static_cast<std::size_t>(instance.pairs[p].variable + c)] = static_cast<int>(p);
    for (std::size_t p = 0; p < positions_.size(); ++p) {
        position_of_variable_[static_cast<std::size_t>(positions_[p].variable)] = static_cast<int>(p);
        position_of_variable_[static_cast<std::size_t>(positions_[p].count)] = static_cast<int>(p);
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (const Term& term : rows_[r].terms) {
            if (term.half >= 0) {
                rows_of_half_[static_cast<std::size_t>(term.half)].push_back(static_cast<std::int32_t>(r));
                continue;
            }
            const Pair& shared = instance.pairs[static_cast<std::size_t>(
                instance.pair_of[static_cast<std::size_t>(term.block * instance.num_blocks + term.other)])];
            for (int c = 0; c < instance.copies; ++c)
                rows_of_half_[static_cast<std::size_t>(2 * (shared.variable + c) + (term.negative ? 0 : 1))].push_back(
                    static_cast<std::int32_t>(r));
        }
    }
    row_queued_.assign(rows_.size(), 0);
}

bool HeightSolver::root() {
    const int copies = instance_.copies;
    auto name_cycle = [&] { root_conflict_ = {RootConflict::Kind::cycle, -1, {}}; };
    for (int i = 0; i < instance_.num_blocks; ++i) {
        const Ticks time = instance_.time[static_cast<std::size_t>(i)];
        for (int c = 0; c + 1 < copies; ++c) matrix_->set_root(instance_.node(i, c), instance_.node(i, c + 1), time);
        if (copies == 1 && time > period_) return name_cycle(), false;
        if (copies > 1) matrix_->set_root(instance_.node(i, copies - 1), instance_.node(i, 0), time - period_);
    }
    // Rotating the copies of all blocks together is a symmetry: let the gap of the first block after its copy 0
    // be the largest, hence at least the mean.
    if (copies > 1) matrix_->set_root(instance_.node(0, 0), instance_.node(0, 1), ceil_div(period_, copies));
    for (const Dependency& edge : instance_.edges)
        for (int c = 0; c < copies; ++c)
            matrix_->set_root(instance_.node(edge.from, c), instance_.node(edge.to, c),
                              instance_.time[static_cast<std::size_t>(edge.from)] + edge.lag);
    for (const FixedArc& arc : instance_.horizon)
        matrix_->set_root(arc.from, arc.to, arc.weight + arc.periods * period_);
    if (instance_.max_in_flight) {
        // Indices of blocks connected by shared devices lie within R consecutive values.
        for (int i = 0; i < instance_.num_blocks; ++i) {
            for (int j = 0; j < instance_.num_blocks; ++j) {
                if (instance_.device_group[static_cast<std::size_t>(i)] !=
                    instance_.device_group[static_cast<std::size_t>(j)])
                    continue;
                if (i != j)
                    matrix_->set_root(instance_.num_nodes + i, instance_.num_nodes + j, 1 - *instance_.max_in_flight);
            }
        }
    }
    std::vector<std::int32_t> watched;
    for (const Pair& pair : instance_.pairs) {
        for (const auto& [i, j] : {std::pair{pair.first, pair.second}, std::pair{pair.second, pair.first}}) {
            for (int c = 0; c < copies; ++c)
                for (int d = 0; d < copies; ++d)
                    watched.push_back(instance_.node(i, c) * matrix_->nodes() + instance_.node(j, d));
            if (instance_.max_in_flight)
                watched.push_back((instance_.num_nodes + i) * matrix_->nodes() + instance_.num_nodes + j);
        }
    }
    for (const std::int32_t entry : watched) matrix_->watch(entry / matrix_->nodes(), entry % matrix_->nodes());
    const std::int64_t nodes = matrix_->nodes();
    work_ += nodes * nodes * nodes / 16;
    if (!matrix_->close_root()) return name_cycle(), false;

    Reason reason;
    reason.why = Why::root;
    for (const Position& position : positions_) {
        const int first = position.first;
        const int second = position.second;
        if (!post({2 * position.variable, instance_.time[static_cast<std::size_t>(first)]}, reason)) return false;
        if (!post({2 * position.variable + 1, instance_.time[static_cast<std::size_t>(second)] - period_}, reason))
            return false;
    }
    for (int x = num_counts_; x < num_variables_; ++x) {
        if (position_of_variable_[static_cast<std::size_t>(x)] >= 0) continue;
        if (!post({2 * x, 0}, reason) || !post({2 * x + 1, -1}, reason)) return false;  // carry: 0 or 1
    }
    for (const std::int32_t entry : watched) {
        if (matrix_->at(entry / matrix_->nodes(), entry % matrix_->nodes()) == DifferenceSystem::none) continue;
        if (!propagate_entry(entry)) return false;
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        row_queued_[r] = 1;
        row_queue_.push_back(static_cast<std::int32_t>(r));
    }
    next_restart_ = restart_conflicts * luby(0);
    return true;
}

// The later block of a dependency follows the earlier one as closely as it may.
void HeightSolver::set_first_choices() {
    prefer_high_.assign(static_cast<std::size_t>(num_counts_), false);
    for (const Pair& pair : instance_.pairs) {
        const std::int64_t there = matrix_->at(instance_.node(pair.first, 0), instance_.node(pair.second, 0));
        const std::int64_t back = matrix_->at(instance_.node(pair.second, 0), instance_.node(pair.first, 0));
        for (int c = 0; c < instance_.copies; ++c)
            prefer_high_[static_cast<std::size_t>(pair.variable + c)] = back > there;
    }
}

int HeightSolver::choose_variable() const {
    int best = -1;
    double best_score = -1;
    auto consider = [&](int x) {
        const std::int64_t range = high(x) - low(x);
        if (range == 0) return;
        const double size = range > 1000000 ? 1e6 : static_cast<double>(range);
        const double score = (activity_[static_cast<std::size_t>(x)] + activity_step_ * 1e-3) / size;
        if (score > best_score) {
            best_score = score;
            best = x;
        }
    };
    if (positions_first_)
        for (const Position& position : positions_) consider(position.variable);
    if (best >= 0) return best;
    for (int x = 0; x < num_counts_; ++x) consider(x);
    return best;
}

bool HeightSolver::decide() {
    work_ += num_counts_ / 4;
    const int x = choose_variable();
    if (x < 0) return false;
    ++nodes_;
    const std::int64_t lowest = low(x);
    const std::int64_t highest = high(x);
    const std::size_t at = static_cast<std::size_t>(x);
    Literal choice;
    if (has_saved_[at] && saved_[at] >= lowest && saved_[at] <= highest) {
        choice = saved_[at] > lowest ? Literal{2 * x, saved_[at]} : Literal{2 * x + 1, -saved_[at]};
    } else if (x < num_counts_ && prefer_high_[at]) {
        choice = {2 * x, highest};
    } else if (x < num_counts_ || highest - lowest < 4) {
        choice = {2 * x + 1, -lowest};
    } else {
        choice = {2 * x + 1, -(lowest + (highest - lowest) / 2)};
    }
    levels_.push_back({static_cast<std::int32_t>(events_.size()), matrix_->num_changes(), matrix_->num_arcs()});
    Reason reason;
    reason.why = Why::decision;
    post(choice, reason);
    return true;
}

// The next assumption that does not hold yet, as a decision. An assumption that holds has a level too, so that a
// level's number says which one is next.
HeightSolver::Assumed HeightSolver::assume_next() {
    while (level() < static_cast<std::int32_t>(assumptions_.size())) {
        const Literal literal = assumptions_[static_cast<std::size_t>(level())];
        if (is_false(literal)) return Assumed::refuted;
        const bool holds = is_true(literal);
        levels_.push_back({static_cast<std::int32_t>(events_.size()), matrix_->num_changes(), matrix_->num_arcs()});
        if (holds) continue;
        Reason reason;
        reason.why = Why::decision;
        post(literal, reason);
        return Assumed::one;
    }
    return Assumed::all;
}

void HeightSolver::backtrack(std::int32_t to) {
    if (level() > to) {
        const Level& kept = levels_[static_cast<std::size_t>(to)];
        while (static_cast<std::int32_t>(events_.size()) > kept.events) {
            const Event& event = events_.back();
            const std::size_t half = static_cast<std::size_t>(event.half);
            const int x = event.half / 2;
            if (low(x) == high(x)) {
                saved_[static_cast<std::size_t>(x)] = low(x);
                has_saved_[static_cast<std::size_t>(x)] = 1;
            }
            bound_[half] = event.before;
            last_event_[half] = event.previous;
            events_.pop_back();
        }
        matrix_->undo(kept.changes, kept.arcs);
        levels_.resize(static_cast<std::size_t>(to));
    }
    for (const std::int32_t row : row_queue_) row_queued_[static_cast<std::size_t>(row)] = 0;
    row_queue_.clear();
    next_event_ = std::min(next_event_, static_cast<std::int32_t>(events_.size()));
    next_arc_ = std::min(next_arc_, static_cast<std::int32_t>(events_.size()));
    // All that was pending belongs to the level that is left: every level begins with empty queues.
    matrix_->changed().clear();
    next_changed_ = 0;
}

void HeightSolver::forget_clauses() {
    // Only at the root, where no clause is a reason. Of those that span many levels the better half stays: few
    // levels before many, new before old.
    std::vector<std::int32_t> order;
    for (std::size_t k = 0; k < clauses_.size(); ++k)
        if (clauses_[k].glue > 3) order.push_back(static_cast<std::int32_t>(k));
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return clauses_[static_cast<std::size_t>(a)].glue > clauses_[static_cast<std::size_t>(b)].glue;
    });
    for (std::size_t k = 0; k < order.size() / 2; ++k) clauses_[static_cast<std::size_t>(order[k])].deleted = true;
    std::vector<Clause> kept;
    for (Clause& clause : clauses_)
        if (!clause.deleted) kept.push_back(std::move(clause));
    clauses_ = std::move(kept);
    for (auto& watches : watches_) watches.clear();
    for (std::size_t k = 0; k < clauses_.size(); ++k) attach(static_cast<std::int32_t>(k));
}

// False: what others found refutes everything.
bool HeightSolver::restart() {
    backtrack(0);
    ++restarts_;
    next_restart_ = conflicts_ + restart_conflicts * luby(restarts_);
    positions_first_ = !positions_.empty() && restarts_ % 2 == 1;
    if (static_cast<std::int64_t>(clauses_.size()) > next_forget_) {
        forget_clauses();
        next_forget_ += 300;
    }
    return take_offered();
}

void HeightSolver::record_solution() {
    starts_ = matrix_->solution();
    starts_.resize(static_cast<std::size_t>(instance_.num_nodes));
    counts_.clear();
    for (int x = 0; x < num_counts_; ++x) counts_.push_back(low(x));
}

Answer HeightSolver::run(std::int64_t work_limit) {
    if (answer_ != Answer::unknown) return answer_;
    if (!started_) {
        started_ = true;
        if (!root()) {
            if (root_conflict_.kind == RootConflict::Kind::none) root_conflict_ = conflict_name_;
            if (log_) final_clause_ = log_->add({}, {});
            return answer_ = Answer::refuted;
        }
    }
    // Ordinary slices end between decisions; only propagation that runs away is paused.
    pause_at_ = std::max(work_limit, work_) + runaway_work;
    for (;;) {
        // A slice that ended here has nothing left to propagate: work must not depend on how it was sliced.
        if (!std::exchange(settled_, false) && !propagate()) {
            if (level() == 0 || !analyse()) {
                if (nodes_ == 0) root_conflict_ = conflict_name_;
                log_empty_clause();
                return answer_ = Answer::refuted;
            }
            continue;
        }
        if (paused_) return Answer::unknown;
        if (level() == 0) {
            // What holds at the root needs no explanation any more.
            matrix_->forget_history();
            events_.clear();
            std::fill(last_event_.begin(), last_event_.end(), -1);
            next_event_ = next_arc_ = 0;
            matrix_->changed().clear();
            next_changed_ = 0;
        }
        if (work_ >= work_limit) {
            settled_ = true;
            return Answer::unknown;
        }
        if (prefer_high_.empty()) set_first_choices();
        if (conflicts_ >= next_restart_ && level() > 0) {
            if (restart()) continue;
            log_empty_clause();
            return answer_ = Answer::refuted;
        }
        const Assumed assumed = assume_next();
        if (assumed == Assumed::one) continue;
        if (assumed == Assumed::refuted) {
            log_refuted_assumptions();
            within_assumptions_ = true;
            return answer_ = Answer::refuted;
        }
        if (!decide()) {
            record_solution();
            return answer_ = Answer::feasible;
        }
    }
}

void HeightSolver::log_empty_clause() {
    if (!log_) return;
    if (conflict_clause_ < 0)
        final_clause_ = log_->add({}, {});
    else
        final_clause_ = log_->add({}, {clauses_[static_cast<std::size_t>(conflict_clause_)].logged});
}

std::vector<ProofVariable> HeightSolver::proof_variables() const {
    std::vector<ProofVariable> variables(static_cast<std::size_t>(num_variables_));
    for (const Pair& pair : instance_.pairs)
        for (int c = 0; c < instance_.copies; ++c)
            variables[static_cast<std::size_t>(pair.variable + c)] = {ProofVariable::Kind::count, pair.first,
                                                                      pair.second, -1, c};
    for (const Position& position : positions_)
        variables[static_cast<std::size_t>(position.variable)] = {ProofVariable::Kind::position, position.first,
                                                                  position.second, -1, 0};
    for (const auto& [variable, x, y, z] : carries_)
        variables[static_cast<std::size_t>(variable)] = {ProofVariable::Kind::carry, x, y, z, 0};
    return variables;
}

}  // namespace repetend::periodic
