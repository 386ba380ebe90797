// Lemma 4 of check_proof.cpp, clause after clause. What is known of differences of starts stands in a matrix closed
// under adding up, what is known of variables in bounds; both only grow while one clause is checked and fall back
// afterwards. Cheap consequences are drawn before dear ones, first of clauses, then of rows, of matrix entries that
// decide an order, and last of new differences, each of which closes the matrix again.
#include <algorithm>

#include "verify/clause_axioms.hpp"
#include "verify/differences.hpp"

namespace repetend::verify {

namespace {

constexpr std::int64_t most_nodes = 2048;
constexpr std::int64_t largest_value = std::int64_t{1} << 40;

class ClauseChecker {
public:
    ClauseChecker(const ClauseAxioms& axioms, Effort& effort)
        : axioms_(axioms),
          effort_(effort),
          bound_(axioms.bound),
          differences_(axioms.nodes),
          most_changes_(8 * bound_.size() + 4'000'000),
          rows_of_half_(bound_.size()) {}

    // Takes the axioms; false when they already refute the period.
    bool begin() {
        for (const Arc& arc : axioms_.arcs)
            if (!add_difference(arc.from, arc.to, arc.weight)) return false;
        differences_.keep();
        for (const Pair& pair : axioms_.pairs) {
            for (int node = 0; node < axioms_.copies * axioms_.copies; ++node) {
                const int a = axioms_.node(pair.first, node / axioms_.copies);
                const int b = axioms_.node(pair.second, node % axioms_.copies);
                differences_.watch(a, b);
                differences_.watch(b, a);
                if (!visit_entry({a, b}) || !visit_entry({b, a})) return false;
            }
        }
        for (const Row& row : axioms_.rows) {
            for (const RowTerm& term : row.terms) {
                if (term.half >= 0) rows_of_half_[at(term.half)].push_back(&row);
                if (term.half >= 0) continue;
                for (const int x : axioms_.pairs[at(term.pair)].count)
                    rows_of_half_[at(2 * x + (term.negative ? 0 : 1))].push_back(&row);
            }
        }
        for (std::size_t h = 0; h < bound_.size(); ++h)
            if (bound_[h] > unbounded) bound_changes_.push_back({h, bound_[h]});
        return keep();
    }

    // Whether the clause follows; earlier ones are taken from `clauses`.
    bool follows(const std::vector<ProofClause>& clauses, const ProofClause& clause) {
        clauses_ = &clauses;
        open_.assign(clause.hints.begin(), clause.hints.end());
        bool conflict = false;
        for (const ProofLiteral& literal : clause.literals)
            conflict = conflict || !raise(half(literal) ^ 1, 1 - value(literal));
        conflict = conflict || !visit_clauses() || !propagate();
        open_.clear();
        undo();
        return conflict;
    }

    // Takes a clause of one bound for good; false when that refutes the period.
    bool take(const ProofLiteral& literal) { return raise(half(literal), value(literal)) && keep(); }

    bool in_range(const ProofLiteral& literal) const {
        return literal.variable >= 0 && at(literal.variable) < bound_.size() / 2 && literal.value >= -largest_value &&
               literal.value <= largest_value;
    }

private:
    struct Change {
        std::size_t place;
        std::int64_t before;
    };

    const ClauseAxioms& axioms_;
    Effort& effort_;
    const std::vector<ProofClause>* clauses_ = nullptr;
    std::vector<std::int64_t> open_;   // clauses named and not yet satisfied
    std::vector<std::int64_t> bound_;  // per half
    Differences differences_;
    std::vector<Change> bound_changes_;
    std::size_t most_changes_;  // bounds that creep on for longer prove nothing
    // How far each step of `propagate` has seen the changes.
    std::size_t seen_by_clauses_ = 0, seen_by_rows_ = 0, seen_by_differences_ = 0;
    std::vector<std::vector<const Row*>> rows_of_half_;

    static int half(const ProofLiteral& literal) { return 2 * literal.variable + (literal.at_least ? 0 : 1); }
    static std::int64_t value(const ProofLiteral& literal) { return literal.at_least ? literal.value : -literal.value; }
    bool add_difference(int from, int to, Wide weight) { return differences_.add(from, to, weight, effort_); }

    // Raises the bound of a half; false when it passes its opposite.
    bool raise(int h, std::int64_t bound) {
        if (bound_[at(h)] >= bound) return true;
        bound_changes_.push_back({at(h), bound_[at(h)]});
        bound_[at(h)] = bound;
        return bound + bound_[at(h ^ 1)] <= 0;
    }

    // "Instance a of block i starts before instance b of block j."
    bool raise_before(int pair, int i, std::int64_t a, int j, std::int64_t b) {
        const std::vector<int>& count = axioms_.pairs[at(pair)].count;
        const std::int64_t periods = floor_divide(i < j ? b : a, axioms_.copies);
        const int x = count[at((i < j ? b : a) - periods * axioms_.copies)];
        return i < j ? raise(2 * x, a - periods * axioms_.copies + 1) : raise(2 * x + 1, periods * axioms_.copies - b);
    }

    // Read b from differences to bounds: copy c of i cannot run k periods later than given and still after copy d of j.
    bool visit_entry(Differences::Entry entry) {
        const auto [a, b] = entry;
        const int i = a / axioms_.copies, j = b / axioms_.copies;
        const int pair = axioms_.pair_of_blocks(i, j);
        const std::int64_t k = floor_divide(differences_.at(a, b) + axioms_.time[at(j)] - 1, axioms_.period);
        return raise_before(pair, i, a % axioms_.copies + k * axioms_.copies, j, b % axioms_.copies) &&
               visit_position(axioms_.pairs[at(pair)]);
    }

    // The definition of a position, between the matrix and the bounds on the count.
    bool visit_position(const Pair& pair) {
        if (pair.position < 0) return true;
        const std::int64_t low = bound_[at(2 * pair.count[0])], high = -bound_[at(2 * pair.count[0] + 1)];
        const std::int64_t forth = differences_.at(pair.first, pair.second),
                           back = differences_.at(pair.second, pair.first);
        if (low <= unbounded || high >= -unbounded || forth == Differences::none || back == Differences::none)
            return true;
        return raise_wide(2 * pair.position, forth - static_cast<Wide>(high - 1) * axioms_.period) &&
               raise_wide(2 * pair.position + 1, back + static_cast<Wide>(low - 1) * axioms_.period);
    }
    bool raise_wide(int h, Wide bound) {
        return raise(h, static_cast<std::int64_t>(std::clamp<Wide>(bound, unbounded, -unbounded)));
    }

    // Read b from bounds to differences.
    bool visit_half(int h) {
        const int number = axioms_.pair_of_variable[at(h / 2)];
        if (number < 0) return true;
        const Pair& pair = axioms_.pairs[at(number)];
        if (h / 2 == pair.position) return add_order(pair, 0, 0) && add_order(pair, 0, 1);
        return visit_position(pair) && add_order(pair, axioms_.copy_of_variable[at(h / 2)], h % 2);
    }

    // What the lower (side 0) or upper (side 1) bound of a count says: instance N-1 of the first block ends before the
    // copy of the second starts, or the copy ends before instance N starts; with a position, how far before.
    bool add_order(const Pair& pair, int copy, int side) {
        const std::int64_t bound = bound_[at(2 * pair.count[at(copy)] + side)];
        if (bound <= unbounded) return true;
        const std::int64_t instance = side == 0 ? bound - 1 : -bound;
        const std::int64_t k = floor_divide(instance, axioms_.copies);
        const int first = axioms_.node(pair.first, instance - k * axioms_.copies);
        const int second = axioms_.node(pair.second, copy);
        Wide gap = axioms_.time[at(side == 0 ? pair.first : pair.second)];
        if (pair.position >= 0) gap = bound_[at(2 * pair.position + side)] + (side == 0 ? 0 : axioms_.period);
        const Wide periods = static_cast<Wide>(k) * axioms_.period;
        return side == 0 ? add_difference(first, second, gap + periods) : add_difference(second, first, gap - periods);
    }

    // The least value of a term of a row.
    std::int64_t least(const RowTerm& term) const {
        if (term.half >= 0) return bound_[at(term.half)];
        // Instance c + u*k of the later block is counted when the count of the earlier one before it, N + u*k, is at
        // most `copy`; the best of what the copies say.
        std::int64_t best = unbounded;
        const int u = axioms_.copies;
        const std::vector<int>& count = axioms_.pairs[at(term.pair)].count;
        for (int c = 0; c < u; ++c) {
            const std::int64_t bound = bound_[at(2 * count[at(c)] + (term.negative ? 0 : 1))];
            if (bound <= unbounded) continue;
            best = std::max(best, term.negative ? -(c + u * ceil_divide(term.copy + 1 - bound, u))
                                                : c + u * floor_divide(term.copy + bound, u) + 1);
        }
        return best;
    }

    bool limit_term(const RowTerm& term, std::int64_t most) {
        if (term.half >= 0) return raise(term.half ^ 1, -most);
        const Pair& pair = axioms_.pairs[at(term.pair)];
        // At most `most` of the later block: its instance `most` is not counted. At least `-most`: instance -most-1 is.
        return term.negative ? raise_before(term.pair, pair.second, -most - 1, pair.first, term.copy)
                             : raise_before(term.pair, pair.first, term.copy, pair.second, most);
    }

    bool visit_row(const Row& row) {
        effort_.spend(static_cast<std::int64_t>(row.terms.size()) * axioms_.copies);
        Wide slack = row.limit;
        for (const RowTerm& term : row.terms) slack -= static_cast<Wide>(term.weight) * least(term);
        if (slack < 0) return false;
        for (const RowTerm& term : row.terms) {
            const Wide most = least(term) + slack / term.weight;
            if (most < largest_value && !limit_term(term, static_cast<std::int64_t>(most))) return false;
        }
        return true;
    }

    // Clauses with one bound left that can hold; those that hold need not be looked at again.
    bool visit_clauses() {
        for (std::size_t k = open_.size(); k-- > 0;) {
            const ProofLiteral* only = nullptr;
            int possible = 0;
            bool holds = false;
            for (const ProofLiteral& literal : (*clauses_)[at(open_[k])].literals) {
                effort_.spend(1);
                holds = bound_[at(half(literal))] >= value(literal);
                if (holds) break;
                if (bound_[at(half(literal) ^ 1)] > -value(literal)) continue;
                only = &literal;
                if (++possible == 2) break;
            }
            if (!holds && possible == 2) continue;
            if (!holds && (possible == 0 || !raise(half(*only), value(*only)))) return false;
            open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(k));
        }
        return true;
    }

    // False when there is a contradiction; true when nothing follows any more, or when it is cut off.
    bool propagate() {
        while (!effort_.exhausted() && bound_changes_.size() < most_changes_) {
            effort_.spend(1);
            if (seen_by_clauses_ < bound_changes_.size()) {
                seen_by_clauses_ = bound_changes_.size();
                if (!visit_clauses()) return false;
            } else if (seen_by_rows_ < bound_changes_.size()) {
                for (const Row* row : rows_of_half_[bound_changes_[seen_by_rows_++].place])
                    if (!visit_row(*row)) return false;
            } else if (differences_.has_moved()) {
                if (!visit_entry(differences_.next_moved())) return false;
            } else if (seen_by_differences_ < bound_changes_.size()) {
                if (!visit_half(static_cast<int>(bound_changes_[seen_by_differences_++].place))) return false;
            } else {
                return true;
            }
        }
        return true;
    }

    // Propagates for good.
    bool keep() {
        const bool fine = propagate();
        differences_.keep();
        bound_changes_.clear();
        seen_by_clauses_ = seen_by_rows_ = seen_by_differences_ = 0;
        return fine;
    }

    void undo() {
        differences_.undo();
        for (; !bound_changes_.empty(); bound_changes_.pop_back())
            bound_[bound_changes_.back().place] = bound_changes_.back().before;
        seen_by_clauses_ = seen_by_rows_ = seen_by_differences_ = 0;
    }
};

}  // namespace

std::string check_clauses(const ClauseAxioms& axioms, const std::vector<ProofClause>& clauses, Effort& effort) {
    // Proofs that the search writes need a small part of this.
    const double nodes = axioms.nodes;
    double numbers = 0;
    for (const ProofClause& clause : clauses)
        numbers += 1 + static_cast<double>(clause.literals.size() + clause.hints.size());
    const double allowed =
        static_cast<double>(effort.spent) + 1e9 + 10 * nodes * nodes * nodes + 20 * nodes * nodes * numbers;
    if (allowed < static_cast<double>(effort.allowed)) effort.allowed = static_cast<std::int64_t>(allowed);

    if (clauses.empty() || !clauses.back().literals.empty()) return "the log does not end with the empty clause";
    ClauseChecker checker(axioms, effort);
    // Clauses of one bound are taken for good; when that alone refutes the period, the rest adds nothing.
    bool open = checker.begin();
    for (std::size_t k = 0; open && !effort.exhausted(); ++k) {
        const std::string which = "clause " + std::to_string(k);
        const ProofClause& clause = clauses[k];
        for (const std::int64_t hint : clause.hints)
            if (hint < 0 || hint >= static_cast<std::int64_t>(k))
                return which + " names a clause that is not before it";
        for (const ProofLiteral& literal : clause.literals)
            if (!checker.in_range(literal)) return which + " has a bound out of range";
        const bool follows = checker.follows(clauses, clause);
        if (!follows && !effort.exhausted()) return which + " does not follow";
        if (clause.literals.empty()) open = false;
        if (clause.literals.size() == 1) open = checker.take(clause.literals[0]);
    }
    return effort.exhausted() ? too_much_work : "";
}

std::string check_clauses(const PeriodProof& proof, Ticks refuted, Effort& effort) {
    std::string why;
    if (proof.problem.num_blocks() * static_cast<std::int64_t>(proof.copies) > most_nodes)
        return "the problem is too large for a clause log";
    if (why = test_conditions(proof.problem, effort); !why.empty()) return why;
    ClauseAxioms axioms;
    why = derive_axioms(proof.problem, proof.copies, refuted, proof.refutation.variables, effort, axioms);
    return why.empty() ? check_clauses(axioms, proof.refutation.clauses, effort) : why;
}

}  // namespace repetend::verify
