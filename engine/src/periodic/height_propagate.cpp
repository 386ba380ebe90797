// Propagation of the height solver. Order matters as much as speed: learned clauses and memory rows first, then
// what changed matrix entries say about counts, and only then new arcs, whose closure is the dear part.
#include <algorithm>

#include "periodic/height_solver.hpp"

namespace repetend::periodic {

namespace {
__extension__ typedef __int128 Wide;
constexpr std::int64_t far_away = std::int64_t{1} << 60;
}  // namespace

// --- rows ---------------------------------------------------------------------------------------------------

void HeightSolver::build_rows() {
    const int copies = instance_.copies;
    auto pair = [&](int i, int j) { return instance_.pair_of[static_cast<std::size_t>(i * instance_.num_blocks + j)]; };
    for (const MemoryRow& memory : instance_.rows) {
        Row row;
        row.limit = memory.limit;
        row.device = memory.device;
        row.block = memory.block;
        for (const RowTerm& summand : memory.terms) {
            Term term;
            term.weight = summand.weight < 0 ? -summand.weight : summand.weight;
            term.negative = summand.weight < 0;
            term.block = summand.block;
            term.other = memory.block;
            term.copy = memory.copy;
            const Pair& shared = instance_.pairs[static_cast<std::size_t>(pair(summand.block, memory.block))];
            if (summand.block < memory.block) {
                term.half = 2 * (shared.variable + memory.copy) + (term.negative ? 1 : 0);
            } else if (copies == 1) {
                // N(i, a) = 1 - N(a, i): a direct term with the constant moved to the limit.
                term.half = 2 * shared.variable + (term.negative ? 0 : 1);
                row.limit -= summand.weight;
            }
            row.terms.push_back(term);
        }
        rows_.push_back(std::move(row));
    }
}

// Positions of gang blocks modulo T (one copy only): for blocks that meet on several devices the cyclic order
// and the distances decide nearly everything, while whole periods multiply the cases; so the height is split in
// two. Three positions go once or twice around: position(x,y) + position(y,z) = position(x,z) + T * carry.
void HeightSolver::build_positions() {
    constexpr std::size_t most_gangs = 12;
    const auto& gangs = instance_.gangs;
    // Bounds on positions move in single ticks around a triangle; very long periods would need bisection.
    constexpr Ticks longest_period = 4096;
    if (instance_.copies != 1 || gangs.size() < 3 || gangs.size() > most_gangs || period_ > longest_period) return;
    std::vector<int> index(gangs.size() * gangs.size(), -1);
    for (std::size_t a = 0; a < gangs.size(); ++a) {
        for (std::size_t b = a + 1; b < gangs.size(); ++b) {
            const int pair = instance_.pair_of[static_cast<std::size_t>(gangs[a] * instance_.num_blocks + gangs[b])];
            if (pair < 0) continue;
            const Pair& shared = instance_.pairs[static_cast<std::size_t>(pair)];
            index[a * gangs.size() + b] = static_cast<int>(positions_.size());
            positions_.push_back({num_variables_++, shared.variable, shared.first, shared.second});
        }
    }
    auto at = [&](std::size_t a, std::size_t b) { return index[a * gangs.size() + b]; };
    for (std::size_t x = 0; x < gangs.size(); ++x) {
        for (std::size_t y = x + 1; y < gangs.size(); ++y) {
            for (std::size_t z = y + 1; z < gangs.size(); ++z) {
                if (at(x, y) < 0 || at(y, z) < 0 || at(x, z) < 0) continue;
                const Position& xy = positions_[static_cast<std::size_t>(at(x, y))];
                const Position& yz = positions_[static_cast<std::size_t>(at(y, z))];
                const Position& xz = positions_[static_cast<std::size_t>(at(x, z))];
                const int carry = num_variables_++;
                carries_.push_back({carry, gangs[x], gangs[y], gangs[z]});
                auto direct = [&](int variable, bool negative, std::int64_t weight) {
                    Term term;
                    term.weight = weight;
                    term.half = 2 * variable + (negative ? 1 : 0);
                    term.negative = negative;
                    return term;
                };
                for (const bool negative : {false, true}) {
                    Row round;  // xy + yz - xz - T*carry = 0
                    round.terms = {direct(xy.variable, negative, 1), direct(yz.variable, negative, 1),
                                   direct(xz.variable, !negative, 1), direct(carry, !negative, period_)};
                    rows_.push_back(std::move(round));
                    Row whole;  // N(xy) + N(yz) - N(xz) + carry = 1
                    whole.limit = negative ? -1 : 1;
                    whole.terms = {direct(xy.count, negative, 1), direct(yz.count, negative, 1),
                                   direct(xz.count, !negative, 1), direct(carry, negative, 1)};
                    rows_.push_back(std::move(whole));
                }
            }
        }
    }
}

std::int64_t HeightSolver::term_value(const Term& term) const {
    return term_value_before(term, static_cast<std::int32_t>(events_.size()));
}

std::int64_t HeightSolver::term_value_before(const Term& term, std::int32_t event) const {
    const bool now = event == static_cast<std::int32_t>(events_.size());
    auto bound = [&](int half) { return now ? bound_[static_cast<std::size_t>(half)] : bound_before(half, event); };
    if (term.half >= 0) return bound(term.half);
    // The pair's variables count block `other` before copies of `block`; see instance.hpp.
    const int copies = instance_.copies;
    const Pair& shared = instance_.pairs[static_cast<std::size_t>(
        instance_.pair_of[static_cast<std::size_t>(term.block * instance_.num_blocks + term.other)])];
    std::int64_t best = 0;
    for (int c = 0; c < copies; ++c) {
        std::int64_t value = 0;
        if (!term.negative) {
            const std::int64_t most = -bound(2 * (shared.variable + c) + 1);
            value = c + copies * floor_div(term.copy - most, copies) + 1;
        } else {
            const std::int64_t least = bound(2 * (shared.variable + c));
            value = -(c + copies * ceil_div(term.copy + 1 - least, copies));
        }
        if (c == 0 || value > best) best = value;
    }
    return best;
}

Literal HeightSolver::term_at_least(const Term& term, std::int64_t value) const {
    if (term.half >= 0) return {term.half, value};
    return term.negative ? instance_.before(term.other, term.copy, term.block, -value)
                         : instance_.before(term.block, value - 1, term.other, term.copy);
}

Literal HeightSolver::term_at_most(const Term& term, std::int64_t value) const {
    return !term_at_least(term, value + 1);
}

bool HeightSolver::propagate_row(std::int32_t number) {
    const Row& row = rows_[static_cast<std::size_t>(number)];
    work_ += static_cast<std::int64_t>(row.terms.size());
    Wide sum = 0;
    for (const Term& term : row.terms) sum += static_cast<Wide>(term.weight) * term_value(term);
    if (sum > row.limit) {
        conflict_.clear();
        explain_row(row, -1, 0, static_cast<std::int32_t>(events_.size()), conflict_);
        conflict_name_ = {RootConflict::Kind::row, row.device, {row.block}};
        conflict_clause_ = -1;
        return false;
    }
    const Wide slack = row.limit - sum;
    for (std::size_t k = 0; k < row.terms.size(); ++k) {
        const Term& term = row.terms[k];
        const Wide steps = slack / term.weight;
        if (steps > far_away) continue;
        const std::int64_t most = term_value(term) + static_cast<std::int64_t>(steps);
        if (most > far_away) continue;
        const Literal literal = term_at_most(term, most);
        if (is_true(literal)) continue;
        Reason reason;
        reason.why = Why::row;
        reason.which = number;
        reason.term = static_cast<std::int32_t>(k);
        reason.extra = most;
        if (!post(literal, reason)) return false;
    }
    return true;
}

// --- clauses ------------------------------------------------------------------------------------------------

bool HeightSolver::visit_clauses(const Event& event) {
    auto& watches = watches_[static_cast<std::size_t>(event.half)];
    const int half = event.half;
    const std::int64_t before = event.before;
    const std::int64_t after = event.after;
    std::size_t kept = 0;
    bool fine = true;
    std::size_t k = 0;
    work_ += static_cast<std::int64_t>(watches.size()) / 4;
    for (; k < watches.size() && fine; ++k) {
        const Watch watch = watches[k];
        if (watch.threshold <= before || watch.threshold > after) {
            watches[kept++] = watch;
            continue;
        }
        Clause& clause = clauses_[static_cast<std::size_t>(watch.clause)];
        if (clause.deleted) continue;
        const Literal gone = !Literal{half, watch.threshold};
        auto& literals = clause.literals;
        if (literals[0] == gone) std::swap(literals[0], literals[1]);
        work_ += 2;
        if (is_true(literals[0])) {
            watches[kept++] = watch;
            continue;
        }
        bool moved = false;
        for (std::size_t other = 2; other < literals.size(); ++other) {
            if (is_false(literals[other])) continue;
            std::swap(literals[1], literals[other]);
            const Literal falsified = !literals[1];
            watches_[static_cast<std::size_t>(falsified.half)].push_back({falsified.value, watch.clause});
            moved = true;
            break;
        }
        work_ += static_cast<std::int64_t>(literals.size()) / 2;
        if (moved) continue;
        watches[kept++] = watch;
        Reason reason;
        reason.why = Why::clause;
        reason.which = watch.clause;
        fine = post(literals[0], reason);
    }
    for (; k < watches.size(); ++k) watches[kept++] = watches[k];
    watches.resize(kept);
    return fine;
}

// --- matrix -------------------------------------------------------------------------------------------------

bool HeightSolver::propagate_entry(std::int32_t entry) {
    const int a = entry / matrix_->nodes();
    const int b = entry % matrix_->nodes();
    const int num_nodes = instance_.num_nodes;
    Reason reason;
    reason.moment = matrix_->num_changes();
    if (a < num_nodes && b < num_nodes) {
        const int copies = instance_.copies;
        const int i = a / copies;
        const int j = b / copies;
        const int pair = instance_.pair_of[static_cast<std::size_t>(i * instance_.num_blocks + j)];
        if (pair < 0) return true;
        const std::int64_t length = matrix_->at(a, b);
        const std::int64_t k = floor_div(length + instance_.time[static_cast<std::size_t>(j)] - 1, period_);
        reason.why = Why::entry;
        if (!post(instance_.before(i, a % copies + copies * k, j, b % copies), reason)) return false;
        const int count = instance_.pairs[static_cast<std::size_t>(pair)].variable;
        const int position = position_of_variable_[static_cast<std::size_t>(count)];
        return position < 0 || propagate_position(positions_[static_cast<std::size_t>(position)]);
    }
    if (a >= num_nodes && b >= num_nodes) {
        const int i = a - num_nodes;
        const int j = b - num_nodes;
        const int pair = instance_.pair_of[static_cast<std::size_t>(i * instance_.num_blocks + j)];
        if (pair < 0) return true;
        const int count = instance_.pairs[static_cast<std::size_t>(pair)].variable;
        const std::int64_t length = matrix_->at(a, b);
        reason.why = Why::index_entry;
        return i < j ? post({2 * count + 1, length - 1}, reason) : post({2 * count, length}, reason);
    }
    return true;
}

bool HeightSolver::propagate_position(const Position& position) {
    Reason reason;
    reason.why = Why::position;
    reason.moment = matrix_->num_changes();
    const std::int64_t forward = matrix_->at(position.first, position.second);
    const std::int64_t back = matrix_->at(position.second, position.first);
    if (high(position.count) >= far_away || low(position.count) <= -far_away) return true;
    if (forward != DifferenceSystem::none &&
        !post({2 * position.variable, forward - (high(position.count) - 1) * period_}, reason))
        return false;
    return back == DifferenceSystem::none ||
           post({2 * position.variable + 1, back + (low(position.count) - 1) * period_}, reason);
}

bool HeightSolver::add_arc(int from, int to, std::int64_t weight, Literal reason, Literal other) {
    DifferenceSystem::Arc arc{from, to, weight, reason, other, 0};
    if (matrix_->add(arc, work_)) return true;
    // A positive cycle: the arc and the path back.
    conflict_.clear();
    const std::int32_t number = matrix_->num_arcs() - 1;
    std::vector<std::int32_t> path{number};
    std::int64_t slack = 0;
    matrix_->explain(to, from, 1 - weight, matrix_->num_changes(), path, slack);
    conflict_name_ = {RootConflict::Kind::cycle, -1, {}};
    conflict_clause_ = -1;
    for (const std::int32_t k : path) {
        const int node = matrix_->arc(k).from;
        if (node < instance_.num_nodes) conflict_name_.blocks.push_back(node / instance_.copies);
    }
    explain_arcs(path, slack, conflict_);
    return false;
}

bool HeightSolver::add_arcs(std::int32_t number) {
    const Event event = events_[static_cast<std::size_t>(number)];
    if (last_event_[static_cast<std::size_t>(event.half)] != number) return true;  // a stronger one follows
    const int variable = event.half / 2;
    const bool at_least = event.half % 2 == 0;
    const Literal literal{event.half, event.after};
    const Literal nothing{-1, 0};
    const int position_index = position_of_variable_[static_cast<std::size_t>(variable)];
    if (variable >= num_counts_) {
        if (position_index < 0) return true;  // a carry
        const Position& position = positions_[static_cast<std::size_t>(position_index)];
        if (at_least) {
            const Literal count{2 * position.count, low(position.count)};
            if (count.value <= -far_away) return true;
            return add_arc(position.first, position.second, (count.value - 1) * period_ + event.after, literal, count);
        }
        const Literal count{2 * position.count + 1, -high(position.count)};
        if (count.value <= -far_away) return true;
        return add_arc(position.second, position.first, (count.value + 1) * period_ + event.after, literal, count);
    }
    const Pair& pair = instance_.pairs[static_cast<std::size_t>(pair_of_variable_[static_cast<std::size_t>(variable)])];
    const int copies = instance_.copies;
    const int copy = variable - pair.variable;
    const std::int64_t v = at_least ? event.after - 1 : -event.after;  // the instance of `first` meant
    const std::int64_t k = floor_div(v, copies);
    const int first = instance_.node(pair.first, static_cast<int>(v - k * copies));
    const int second = instance_.node(pair.second, copy);
    if (position_index >= 0) {
        const Position& position = positions_[static_cast<std::size_t>(position_index)];
        if (!propagate_position(position)) return false;
        if (last_event_[static_cast<std::size_t>(event.half)] != number) return true;
        const Literal where{2 * position.variable + (at_least ? 0 : 1),
                            bound_[static_cast<std::size_t>(2 * position.variable + (at_least ? 0 : 1))]};
        if (at_least ? !add_arc(first, second, k * period_ + where.value, literal, where)
                     : !add_arc(second, first, (1 - k) * period_ + where.value, literal, where))
            return false;
    } else if (at_least) {
        if (!add_arc(first, second, instance_.time[static_cast<std::size_t>(pair.first)] + k * period_, literal,
                     nothing))
            return false;
    } else {
        if (!add_arc(second, first, instance_.time[static_cast<std::size_t>(pair.second)] - k * period_, literal,
                     nothing))
            return false;
    }
    if (!instance_.max_in_flight) return true;
    const int m_first = instance_.num_nodes + pair.first;
    const int m_second = instance_.num_nodes + pair.second;
    return at_least ? add_arc(m_second, m_first, v, literal, nothing)
                    : add_arc(m_first, m_second, -v, literal, nothing);
}

// --- the loop -----------------------------------------------------------------------------------------------

bool HeightSolver::post(Literal literal, const Reason& reason) {
    if (is_true(literal)) return true;
    const std::int32_t now = static_cast<std::int32_t>(events_.size());
    if (is_false(literal)) {
        // Explained at once: a bound beyond its opposite must never stand on the trail, where it could become
        // the implication point of a tautology.
        conflict_.clear();
        explain_literal_by(literal, reason, now, conflict_);
        conflict_.push_back(!literal);
        conflict_name_ = {};
        conflict_clause_ = reason.why == Why::clause ? reason.which : -1;
        if (reason.why == Why::row) {
            const Row& row = rows_[static_cast<std::size_t>(reason.which)];
            conflict_name_ = {RootConflict::Kind::row, row.device, {row.block}};
        } else if (literal.half / 2 < num_counts_) {
            const Pair& pair =
                instance_
                    .pairs[static_cast<std::size_t>(pair_of_variable_[static_cast<std::size_t>(literal.half / 2)])];
            conflict_name_ = {RootConflict::Kind::cycle, -1, {pair.first, pair.second}};
        }
        return false;
    }
    // Bounds at the root are not explained later: what a clause implies there is a clause of its own.
    if (log_ && level() == 0 && reason.why == Why::clause)
        log_->add({literal}, {clauses_[static_cast<std::size_t>(reason.which)].logged});
    std::int64_t& bound = bound_[static_cast<std::size_t>(literal.half)];
    Event event;
    event.half = literal.half;
    event.before = bound;
    event.after = literal.value;
    event.previous = last_event_[static_cast<std::size_t>(literal.half)];
    event.level = level();
    event.reason = reason;
    events_.push_back(event);
    last_event_[static_cast<std::size_t>(literal.half)] = now;
    bound = literal.value;
    return true;
}

bool HeightSolver::propagate() {
    // Bounds may creep for long where memory and precedence pull apart over a wide horizon; the queues stand as they
    // are when it pauses, so that going on later gives the same.
    paused_ = false;
    for (;;) {
        if (work_ > pause_at_) {
            paused_ = true;
            return true;
        }
        ++work_;
        if (next_event_ < static_cast<std::int32_t>(events_.size())) {
            const Event event = events_[static_cast<std::size_t>(next_event_++)];
            for (const std::int32_t row : rows_of_half_[static_cast<std::size_t>(event.half)]) {
                if (row_queued_[static_cast<std::size_t>(row)]) continue;
                row_queued_[static_cast<std::size_t>(row)] = 1;
                row_queue_.push_back(row);
            }
            if (!visit_clauses(event)) return false;
        } else if (!row_queue_.empty()) {
            const std::int32_t row = row_queue_.back();
            row_queue_.pop_back();
            row_queued_[static_cast<std::size_t>(row)] = 0;
            if (!propagate_row(row)) return false;
        } else if (next_changed_ < matrix_->changed().size()) {
            if (!propagate_entry(matrix_->changed()[next_changed_++])) return false;
        } else if (next_arc_ < static_cast<std::int32_t>(events_.size())) {
            if (!add_arcs(next_arc_++)) return false;
        } else {
            return true;
        }
    }
}

}  // namespace repetend::periodic
