// What a height solver does when its tree is searched in parts (subtrees.hpp): assumptions, copies of itself, clauses
// of others.
#include <algorithm>

#include "periodic/height_solver.hpp"

namespace repetend::periodic {

std::unique_ptr<HeightSolver> HeightSolver::copy(ProofLog* log) const {
    std::unique_ptr<HeightSolver> result(new HeightSolver(*this));
    result->log_ = log;
    result->learned_.clear();
    // What was counted so far stays the original's.
    result->work_ = result->nodes_ = result->pause_at_ = 0;
    return result;
}

void HeightSolver::assume(Literal literal) {
    backtrack(0);
    assumptions_.push_back(literal);
    settled_ = false;
}

// The variable that takes part in the most conflicts, cut where its value was last; bounds as they are below the
// assumptions.
std::optional<Literal> HeightSolver::split_literal() const {
    const std::size_t assumed = assumptions_.size();
    const std::int32_t events =
        levels_.size() > assumed ? levels_[assumed].events : static_cast<std::int32_t>(events_.size());
    int best = -1;
    double best_score = -1;
    std::int64_t best_low = 0, best_high = 0;
    for (int x = 0; x < num_counts_; ++x) {
        const std::int64_t lowest = bound_before(2 * x, events), highest = -bound_before(2 * x + 1, events);
        if (lowest >= highest) continue;
        const double size = static_cast<double>(std::min<std::int64_t>(highest - lowest, 1000000));
        const double score = activity_[static_cast<std::size_t>(x)] / size;
        if (score <= best_score) continue;
        best_score = score;
        best = x;
        best_low = lowest;
        best_high = highest;
    }
    if (best < 0) return std::nullopt;
    const std::int64_t middle = best_low + (best_high - best_low) / 2;
    return Literal{2 * best + 1, -middle};
}

void HeightSolver::offer(const std::vector<SharedClause>& clauses) {
    offered_.insert(offered_.end(), clauses.begin(), clauses.end());
}

// At the root, with nothing left to propagate.
bool HeightSolver::take_offered() {
    for (SharedClause& shared : offered_) {
        auto& literals = shared.literals;
        work_ += static_cast<std::int64_t>(literals.size());
        if (std::any_of(literals.begin(), literals.end(), [&](Literal l) { return is_true(l); })) continue;
        const auto open =
            std::stable_partition(literals.begin(), literals.end(), [&](Literal l) { return !is_false(l); }) -
            literals.begin();
        Clause clause;
        clause.literals = literals;
        clause.logged = shared.logged;
        clause.glue = shared.glue;
        Reason reason;
        reason.why = Why::clause;
        reason.which = static_cast<std::int32_t>(clauses_.size());
        const bool attached = literals.size() > 1;
        if (attached) {
            clauses_.push_back(std::move(clause));
            if (open > 1) attach(reason.which);
        } else {
            reason.why = Why::root;
        }
        if (open == 0) {
            conflict_clause_ = attached ? reason.which : -1;
            offered_.clear();
            return false;
        }
        if (open == 1 && !post(literals[0], reason)) return false;
    }
    offered_.clear();
    return true;
}

void HeightSolver::renumber_log(std::int32_t first, std::int32_t by) {
    const auto move = [&](std::int32_t& number) {
        if (number >= first) number += by;
    };
    for (Clause& clause : clauses_) move(clause.logged);
    for (SharedClause& clause : learned_) move(clause.logged);
    move(final_clause_);
}

// The assumptions cannot hold together: which clauses say so.
void HeightSolver::log_refuted_assumptions() {
    if (!log_) return;
    std::vector<std::int32_t> hints;
    std::vector<Literal> wanted{!assumptions_[static_cast<std::size_t>(level())]};
    // Each event once: what is asked of it grows weaker on the way down only by being asked less.
    std::vector<std::int64_t> needed(bound_.size(), 0);
    std::vector<char> is_wanted(bound_.size(), 0);
    const auto want = [&](Literal literal) {
        const std::int32_t event = event_of(literal);
        if (event < 0 || events_[static_cast<std::size_t>(event)].level == 0) return;
        const auto half = static_cast<std::size_t>(literal.half);
        if (is_wanted[half] && needed[half] >= literal.value) return;
        is_wanted[half] = 1;
        needed[half] = literal.value;
    };
    for (const Literal& literal : wanted) want(literal);
    std::vector<Literal> because;
    for (auto k = static_cast<std::int32_t>(events_.size()); k-- > 0;) {
        const Event& event = events_[static_cast<std::size_t>(k)];
        const auto half = static_cast<std::size_t>(event.half);
        if (event.level == 0) break;
        if (!is_wanted[half] || needed[half] <= event.before || needed[half] > event.after) continue;
        is_wanted[half] = 0;
        if (event.reason.why == Why::clause)
            hints.push_back(clauses_[static_cast<std::size_t>(event.reason.which)].logged);
        because.clear();
        explain_event({event.half, needed[half]}, k, because);
        for (const Literal& literal : because) want(literal);
    }
    std::sort(hints.begin(), hints.end());
    hints.erase(std::unique(hints.begin(), hints.end()), hints.end());
    std::vector<Literal> clause;
    for (const Literal& literal : assumptions_) clause.push_back(!literal);
    final_clause_ = log_->add(clause, hints);
}

}  // namespace repetend::periodic
