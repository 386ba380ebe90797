// Explanations and conflict analysis of the height solver. A literal is explained when it is asked for, from
// the reason its event remembers, for exactly the strength that is needed: paths of the matrix are rebuilt as
// they stood then, and what a path or a row has to spare weakens the literals it rests on.
#include <algorithm>

#include "periodic/height_solver.hpp"

namespace repetend::periodic {

namespace {
__extension__ typedef __int128 Wide;
// More would cost the others more than it saves them.
constexpr int most_shared_glue = 3;
constexpr std::size_t most_shared_literals = 8;
}  // namespace

std::int32_t HeightSolver::event_of(Literal literal) const {
    std::int32_t k = last_event_[static_cast<std::size_t>(literal.half)];
    while (k >= 0 && events_[static_cast<std::size_t>(k)].before >= literal.value)
        k = events_[static_cast<std::size_t>(k)].previous;
    return k;
}

std::int64_t HeightSolver::bound_before(int half, std::int32_t event) const {
    std::int64_t bound = bound_[static_cast<std::size_t>(half)];
    for (std::int32_t k = last_event_[static_cast<std::size_t>(half)]; k >= event;
         k = events_[static_cast<std::size_t>(k)].previous)
        bound = events_[static_cast<std::size_t>(k)].before;
    return bound;
}

void HeightSolver::explain_event(Literal literal, std::int32_t event, std::vector<Literal>& out) const {
    explain_literal_by(literal, events_[static_cast<std::size_t>(event)].reason, event, out);
}

void HeightSolver::explain_literal_by(Literal literal, const Reason& reason, std::int32_t event,
                                      std::vector<Literal>& out) const {
    const int variable = literal.half / 2;
    const bool at_least = literal.half % 2 == 0;
    switch (reason.why) {
        case Why::decision:
        case Why::root:
            return;
        case Why::clause: {
            const auto& literals = clauses_[static_cast<std::size_t>(reason.which)].literals;
            for (std::size_t k = 1; k < literals.size(); ++k) out.push_back(!literals[k]);
            return;
        }
        case Why::row: {
            const Row& row = rows_[static_cast<std::size_t>(reason.which)];
            const Term& term = row.terms[static_cast<std::size_t>(reason.term)];
            // A weaker literal of the same half belongs to a later limit: one limit per unit, or per round of
            // copies for a count seen from the other block.
            const Literal derived = term_at_most(term, reason.extra);
            const int step = term.half >= 0 ? 1 : instance_.copies;
            const std::int64_t most = reason.extra + step * (derived.value - literal.value);
            explain_row(row, reason.term, most, event, out);
            return;
        }
        case Why::entry: {
            const Pair& pair =
                instance_.pairs[static_cast<std::size_t>(pair_of_variable_[static_cast<std::size_t>(variable)])];
            const int copies = instance_.copies;
            const int second = instance_.node(pair.second, variable - pair.variable);
            const std::int64_t v = at_least ? literal.value - 1 : -literal.value;
            const std::int64_t k = floor_div(v, copies);
            const int first = instance_.node(pair.first, static_cast<int>(v - k * copies));
            if (at_least)
                explain_path(first, second, k * period_ - instance_.time[static_cast<std::size_t>(pair.second)] + 1,
                             reason.moment, out);
            else
                explain_path(second, first, -k * period_ - instance_.time[static_cast<std::size_t>(pair.first)] + 1,
                             reason.moment, out);
            return;
        }
        case Why::index_entry: {
            const Pair& pair =
                instance_.pairs[static_cast<std::size_t>(pair_of_variable_[static_cast<std::size_t>(variable)])];
            const int first = instance_.num_nodes + pair.first;
            const int second = instance_.num_nodes + pair.second;
            if (at_least)
                explain_path(second, first, literal.value, reason.moment, out);
            else
                explain_path(first, second, literal.value + 1, reason.moment, out);
            return;
        }
        case Why::position: {
            const Position& position =
                positions_[static_cast<std::size_t>(position_of_variable_[static_cast<std::size_t>(variable)])];
            if (at_least) {
                const Literal count{2 * position.count + 1, bound_before(2 * position.count + 1, event)};
                out.push_back(count);
                explain_path(position.first, position.second, literal.value + (-count.value - 1) * period_,
                             reason.moment, out);
            } else {
                const Literal count{2 * position.count, bound_before(2 * position.count, event)};
                out.push_back(count);
                explain_path(position.second, position.first, literal.value - (count.value - 1) * period_,
                             reason.moment, out);
            }
            return;
        }
    }
}

void HeightSolver::explain_path(int a, int b, std::int64_t need, std::int32_t moment, std::vector<Literal>& out) const {
    std::vector<std::int32_t> path;
    std::int64_t slack = 0;
    matrix_->explain(a, b, need, moment, path, slack);
    explain_arcs(path, slack, out);
}

void HeightSolver::explain_arcs(const std::vector<std::int32_t>& path, std::int64_t slack,
                                std::vector<Literal>& out) const {
    for (const std::int32_t k : path) {
        const DifferenceSystem::Arc& arc = matrix_->arc(k);
        for (const Literal& literal : {arc.other_reason, arc.reason}) {
            if (literal.half < 0) continue;
            const std::int32_t event = event_of(literal);
            if (event < 0 || events_[static_cast<std::size_t>(event)].level == 0) continue;
            const int variable = literal.half / 2;
            Literal weaker = literal;
            if (slack > 0) {
                if (variable >= num_counts_) {
                    weaker.value -= slack;
                    slack = 0;
                } else if (arc.from < instance_.num_nodes && slack >= period_) {
                    // One round of copies less is one period less of weight.
                    weaker.value -= instance_.copies * (slack / period_);
                    slack %= period_;
                } else if (arc.from >= instance_.num_nodes) {
                    weaker.value -= slack;
                    slack = 0;
                }
            }
            out.push_back(weaker);
        }
    }
}

void HeightSolver::explain_row(const Row& row, int skip_term, std::int64_t skip_value, std::int32_t event,
                               std::vector<Literal>& out) const {
    // The sum exceeds the limit (with the skipped term one above its limit); what it exceeds it by is spared.
    Wide sum = 0;
    std::vector<std::int64_t> values;
    for (std::size_t k = 0; k < row.terms.size(); ++k) {
        const std::int64_t value =
            static_cast<int>(k) == skip_term ? skip_value + 1 : term_value_before(row.terms[k], event);
        values.push_back(value);
        sum += static_cast<Wide>(row.terms[k].weight) * value;
    }
    Wide slack = sum - row.limit - 1;
    for (std::size_t k = 0; k < row.terms.size(); ++k) {
        if (static_cast<int>(k) == skip_term) continue;
        const Term& term = row.terms[k];
        const Literal exact = term_at_least(term, values[k]);
        const std::int32_t set_by = event_of(exact);
        if (set_by < 0 || events_[static_cast<std::size_t>(set_by)].level == 0) continue;
        // Down to the bound before that event nothing is gained by going further; spend only what helps.
        std::int64_t value = values[k];
        const Wide steps = slack / term.weight;
        if (steps > 0) {
            std::int64_t less = steps > (Wide{1} << 40) ? std::int64_t{1} << 40 : static_cast<std::int64_t>(steps);
            // Seen from the other block, other steps belong to other copies, whose bounds may come later.
            if (term.half < 0) less -= less % instance_.copies;
            value -= less;
            slack -= static_cast<Wide>(less) * term.weight;
        }
        const Literal literal = term_at_least(term, value);
        const std::int32_t weaker_by = event_of(literal);
        if (weaker_by < 0 || events_[static_cast<std::size_t>(weaker_by)].level == 0) continue;
        out.push_back(literal);
    }
}

void HeightSolver::bump(int variable) {
    double& activity = activity_[static_cast<std::size_t>(variable)];
    activity += activity_step_;
    if (activity < 1e100) return;
    for (double& value : activity_) value *= 1e-100;
    activity_step_ *= 1e-100;
}

void HeightSolver::attach(std::int32_t number) {
    const auto& literals = clauses_[static_cast<std::size_t>(number)].literals;
    for (int k = 0; k < 2; ++k) {
        const Literal falsified = !literals[static_cast<std::size_t>(k)];
        watches_[static_cast<std::size_t>(falsified.half)].push_back({falsified.value, number});
    }
}

bool HeightSolver::analyse() {
    ++conflicts_;
    // The conflict's own literals may all lie below the current level (it was met late): go to the level of
    // the latest one first.
    std::int32_t top = -1;
    for (const Literal& literal : conflict_) top = std::max(top, event_of(literal));
    const std::int32_t conflict_level = top < 0 ? 0 : events_[static_cast<std::size_t>(top)].level;
    if (conflict_level == 0) return false;
    std::vector<std::int32_t> hints;
    auto used = [&](const Reason& reason) {
        if (log_ && reason.why == Why::clause) hints.push_back(clauses_[static_cast<std::size_t>(reason.which)].logged);
    };
    if (log_ && conflict_clause_ >= 0) hints.push_back(clauses_[static_cast<std::size_t>(conflict_clause_)].logged);
    const std::int32_t level_start = levels_[static_cast<std::size_t>(conflict_level - 1)].events;

    int open = 0;  // needed literals of the conflict's level
    auto need = [&](Literal literal) {
        const std::int32_t event = event_of(literal);
        if (event < 0 || events_[static_cast<std::size_t>(event)].level == 0) return;
        std::int64_t& value = needed_[static_cast<std::size_t>(literal.half)];
        char& is = is_needed_[static_cast<std::size_t>(literal.half)];
        if (is && value >= literal.value) return;
        const bool was_open = is && event_of({literal.half, value}) >= level_start;
        if (!is) {
            touched_.push_back(literal.half);
            bump(literal.half / 2);
        }
        is = 1;
        value = literal.value;
        if (!was_open && event >= level_start) ++open;
    };
    for (const Literal& literal : conflict_) need(literal);

    std::vector<Literal> because;
    std::int32_t k = top;
    Literal point;
    for (;; --k) {
        const Event& event = events_[static_cast<std::size_t>(k)];
        const std::size_t half = static_cast<std::size_t>(event.half);
        if (!is_needed_[half] || needed_[half] <= event.before || needed_[half] > event.after) continue;
        point = {event.half, needed_[half]};
        if (open == 1) break;
        is_needed_[half] = 0;
        --open;
        because.clear();
        used(event.reason);
        explain_event(point, k, because);
        work_ += 4 + static_cast<std::int64_t>(because.size());
        for (const Literal& literal : because) need(literal);
    }

    Clause clause;
    clause.literals.push_back(!point);
    is_needed_[static_cast<std::size_t>(point.half)] = 0;
    std::vector<Literal> others;
    for (const int half : touched_) {
        char& is = is_needed_[static_cast<std::size_t>(half)];
        if (is == 1) others.push_back({half, needed_[static_cast<std::size_t>(half)]});
        if (is == 1) is = 2;  // a half may have been touched twice
    }
    // A literal whose own reasons are all among the needed ones adds nothing (local minimisation).
    for (const Literal& literal : others) {
        const std::int32_t event = event_of(literal);
        const Reason& reason = events_[static_cast<std::size_t>(event)].reason;
        bool redundant = reason.why != Why::decision;
        if (redundant) {
            because.clear();
            explain_event(literal, event, because);
            work_ += 2 + static_cast<std::int64_t>(because.size());
            for (const Literal& other : because) {
                const std::int32_t by = event_of(other);
                if (by < 0 || events_[static_cast<std::size_t>(by)].level == 0) continue;
                const std::size_t half = static_cast<std::size_t>(other.half);
                // Covered by a needed literal that held before this one: otherwise two literals could each be
                // dropped because of the other.
                const bool covered =
                    is_needed_[half] && needed_[half] >= other.value && event_of({other.half, needed_[half]}) < event;
                if (!covered) {
                    redundant = false;
                    break;
                }
            }
        }
        if (redundant)
            used(reason);
        else
            clause.literals.push_back(!literal);
    }
    for (const int half : touched_) is_needed_[static_cast<std::size_t>(half)] = 0;
    touched_.clear();

    // Jump back to where the clause first becomes unit.
    std::int32_t back = 0;
    std::vector<std::int32_t> levels;
    for (std::size_t q = 1; q < clause.literals.size(); ++q) {
        const std::int32_t level_of = events_[static_cast<std::size_t>(event_of(!clause.literals[q]))].level;
        levels.push_back(level_of);
        if (level_of > back) {
            back = level_of;
            std::swap(clause.literals[1], clause.literals[q]);
        }
    }
    std::sort(levels.begin(), levels.end());
    clause.glue = static_cast<int>(std::unique(levels.begin(), levels.end()) - levels.begin()) + 1;
    backtrack(back);
    activity_step_ *= 1.0 / 0.95;

    if (log_) {
        std::sort(hints.begin(), hints.end());
        hints.erase(std::unique(hints.begin(), hints.end()), hints.end());
        clause.logged = log_->add(clause.literals, hints);
    }
    if (sharing_ && clause.glue <= most_shared_glue && clause.literals.size() <= most_shared_literals)
        learned_.push_back({clause.literals, clause.glue, clause.logged});
    Reason reason;
    const Literal asserted = clause.literals[0];
    if (clause.literals.size() == 1) {
        reason.why = Why::root;
    } else {
        reason.why = Why::clause;
        reason.which = static_cast<std::int32_t>(clauses_.size());
        clauses_.push_back(std::move(clause));
        attach(reason.which);
    }
    return post(asserted, reason);
}

}  // namespace repetend::periodic
