// Is there a periodic schedule with period T? Complete search over the count variables of instance.hpp:
// propagation through the difference matrix, memory rows and learned clauses; conflicts are analysed to a
// first-unique-implication-point clause over bound literals; jumps back, restarts (Luby), forgetting.
//
// Conflict-driven clause learning after Marques-Silva and Sakallah (GRASP, 1996) and Moskewicz et al. (Chaff,
// 2001), with integer bound literals and explanations made on demand as in lazy clause generation (Ohrimenko,
// Stuckey and Codish 2009). Ours differs in where explanations come from: the history of a difference-bound
// matrix, whose rounding slack weakens the literals, and linear memory rows.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "periodic/difference_system.hpp"
#include "periodic/instance.hpp"
#include "periodic/proof_log.hpp"
#include "repetend/periodic/periodic.hpp"

namespace repetend::periodic {

enum class Answer { unknown, feasible, refuted };

// What ended a refutation without any decision: names for the certificate.
struct RootConflict {
    enum class Kind { none, cycle, row } kind = Kind::none;
    int device = -1;
    std::vector<int> blocks;
};

// A clause that one search learned and another may use: both are about the same instance and period.
struct SharedClause {
    std::vector<Literal> literals;
    int glue = 0;
    std::int32_t logged = -1;
};

class HeightSolver {
public:
    // With a log (which must outlive the solver) every learned clause is recorded for a proof.
    HeightSolver(const Instance& instance, Ticks period, std::uint64_t seed, ProofLog* log = nullptr);

    // Searches until an answer or until `work` has grown beyond `work_limit`. May be called again to go on.
    Answer run(std::int64_t work_limit);

    // Subtrees (see subtrees.hpp). Between two slices only.
    //
    // Whether the tree can be split here: not in the middle of the root's own propagation.
    bool can_split() const { return answer_ == Answer::unknown && started_ && (level() > 0 || settled_); }
    // A bound that cuts what is left of the search in two; none when nothing is open below the assumptions.
    std::optional<Literal> split_literal() const;
    // Decisions before all others. `refuted` then speaks of what is below them, unless `refutes_everything`.
    void assume(Literal literal);
    const std::vector<Literal>& assumptions() const { return assumptions_; }
    bool refutes_everything() const { return answer_ == Answer::refuted && !within_assumptions_; }
    // The same search at the same place, with a log of its own.
    std::unique_ptr<HeightSolver> copy(ProofLog* log) const;
    // Clauses learned since the last call that may help others; they hold whatever was assumed.
    std::vector<SharedClause> take_learned() { return std::exchange(learned_, {}); }
    void share(bool on) { sharing_ = on; }
    void log_to(ProofLog* log) { log_ = log; }
    // Clauses of others, to be used from the next restart on.
    void offer(const std::vector<SharedClause>& clauses);
    // The log was moved behind other entries: numbers from `first` on grow by `by`.
    void renumber_log(std::int32_t first, std::int32_t by);
    // After `refuted`, with a log: the number of the clause that says so.
    std::int32_t final_clause() const { return final_clause_; }

    // The variables, in the order in which clauses number them.
    std::vector<ProofVariable> proof_variables() const;

    // After `feasible`: starts per node, all >= 0.
    const std::vector<Ticks>& starts() const { return starts_; }
    // After `feasible`: value of every count variable (pair.variable + copy).
    const std::vector<std::int64_t>& counts() const { return counts_; }

    Ticks period() const { return period_; }
    std::int64_t work() const { return work_; }
    bool paused() const { return paused_; }  // the last slice ended within propagation
    std::int64_t nodes() const { return nodes_; }
    std::int64_t conflicts() const { return conflicts_; }
    const RootConflict& root_conflict() const { return root_conflict_; }

private:
    HeightSolver(const HeightSolver&) = default;

    enum class Why : std::uint8_t { decision, root, entry, index_entry, position, clause, row };
    struct Reason {
        Why why = Why::root;
        std::int32_t which = -1;  // clause or row
        std::int32_t term = -1;   // row: the term that was limited
        std::int64_t extra = 0;   // row: the limit of that term
        std::int32_t moment = 0;  // number of matrix changes when it was derived
    };
    struct Event {
        int half = 0;
        std::int64_t before = 0;
        std::int64_t after = 0;
        std::int32_t previous = -1;  // earlier event of the same half
        std::int32_t level = 0;
        Reason reason;
    };
    struct Clause {
        std::vector<Literal> literals;
        std::int32_t logged = -1;  // number in the log
        int glue = 0;              // number of decision levels it spanned when it was learned
        bool deleted = false;
    };
    struct Watch {
        std::int64_t threshold = 0;  // the watched literal is false once the half reaches this
        std::int32_t clause = 0;
    };
    // One summand of a row: weight * value, weight > 0, where value is a lower bound that grows.
    struct Term {
        std::int64_t weight = 0;
        int half = -1;  // direct: the value is bound_[half]
        // Otherwise a count seen from the other block: +N(block, other, copy) or -N(block, other, copy).
        int block = 0;
        int other = 0;
        int copy = 0;
        bool negative = false;
    };
    struct Row {
        std::vector<Term> terms;
        std::int64_t limit = 0;  // sum <= limit
        int device = -1;         // -1: gang positions
        int block = -1;
    };
    struct Level {
        std::int32_t events = 0;
        std::int32_t changes = 0;
        std::int32_t arcs = 0;
    };
    // A gang pair's position: s(second) - s(first) = position + (N - 1) * T.
    struct Position {
        int variable = 0;  // the position
        int count = 0;     // the pair's count variable
        int first = 0;     // node
        int second = 0;    // node
    };

    // height_solver.cpp: search
    bool root();
    void set_first_choices();
    bool decide();
    int choose_variable() const;
    void backtrack(std::int32_t level);
    enum class Assumed { all, one, refuted };
    Assumed assume_next();
    bool restart();
    bool take_offered();
    void forget_clauses();
    void record_solution();
    void log_empty_clause();
    void log_refuted_assumptions();
    std::int32_t level() const { return static_cast<std::int32_t>(levels_.size()); }

    // height_propagate.cpp
    bool propagate();  // false: conflict_; leaves with `paused_` when it runs far beyond the work limit
    bool post(Literal literal, const Reason& reason);
    bool visit_clauses(const Event& event);
    bool propagate_row(std::int32_t row);
    bool propagate_entry(std::int32_t entry);
    bool propagate_position(const Position& position);
    bool add_arcs(std::int32_t event);
    bool add_arc(int from, int to, std::int64_t weight, Literal reason, Literal other);
    void build_rows();
    void build_positions();
    std::int64_t term_value(const Term& term) const;
    std::int64_t term_value_before(const Term& term, std::int32_t event) const;
    Literal term_at_least(const Term& term, std::int64_t value) const;
    Literal term_at_most(const Term& term, std::int64_t value) const;

    // height_explain.cpp
    void explain_event(Literal literal, std::int32_t event, std::vector<Literal>& out) const;
    void explain_literal_by(Literal literal, const Reason& reason, std::int32_t event, std::vector<Literal>& out) const;
    void explain_path(int a, int b, std::int64_t need, std::int32_t moment, std::vector<Literal>& out) const;
    void explain_arcs(const std::vector<std::int32_t>& path, std::int64_t slack, std::vector<Literal>& out) const;
    void explain_row(const Row& row, int skip_term, std::int64_t skip_value, std::int32_t event,
                     std::vector<Literal>& out) const;
    bool analyse();  // false: conflict at the root
    std::int32_t event_of(Literal literal) const;
    std::int64_t bound_before(int half, std::int32_t event) const;
    void bump(int variable);
    void attach(std::int32_t clause);
    void name_root_conflict();

    bool is_true(Literal literal) const { return bound_[static_cast<std::size_t>(literal.half)] >= literal.value; }
    bool is_false(Literal literal) const { return is_true(!literal); }
    std::int64_t low(int variable) const { return bound_[static_cast<std::size_t>(2 * variable)]; }
    std::int64_t high(int variable) const { return -bound_[static_cast<std::size_t>(2 * variable + 1)]; }

    const Instance& instance_;
    Ticks period_;
    std::uint64_t random_;
    int num_counts_ = 0;     // count variables come first
    int num_variables_ = 0;  // then gang positions and carries
    // Copied with its owner.
    class OwnSystem {
    public:
        explicit OwnSystem(std::unique_ptr<DifferenceSystem> system) : system_(std::move(system)) {}
        OwnSystem(const OwnSystem& other) : system_(other.system_->copy()) {}
        DifferenceSystem* operator->() { return system_.get(); }
        const DifferenceSystem* operator->() const { return system_.get(); }

    private:
        std::unique_ptr<DifferenceSystem> system_;
    };
    OwnSystem matrix_;

    std::vector<int> pair_of_variable_;      // count variable -> pair
    std::vector<int> position_of_variable_;  // count or position variable -> index into positions_, -1
    std::vector<Position> positions_;
    std::vector<bool> prefer_high_;  // first choice of a count variable

    std::vector<std::int64_t> bound_;       // per half
    std::vector<std::int32_t> last_event_;  // per half, -1
    std::vector<Event> events_;
    std::vector<Level> levels_;
    std::int32_t next_event_ = 0;   // clauses and rows have seen events before this
    std::int32_t next_arc_ = 0;     // arcs of events before this are in the matrix
    std::size_t next_changed_ = 0;  // into the matrix's list of changed entries

    std::vector<Row> rows_;
    std::vector<std::vector<std::int32_t>> rows_of_half_;
    std::vector<std::int32_t> row_queue_;
    std::vector<char> row_queued_;

    std::vector<Clause> clauses_;
    std::vector<std::vector<Watch>> watches_;

    std::vector<Literal> conflict_;  // literals that cannot hold together
    RootConflict conflict_name_;
    std::int32_t conflict_clause_ = -1;  // the clause that met the conflict, -1: a row or the matrix
    ProofLog* log_;
    std::vector<std::array<int, 4>> carries_;  // variable and its three blocks
    std::vector<double> activity_;             // per variable
    double activity_step_ = 1;
    std::vector<std::int64_t> saved_;
    std::vector<char> has_saved_;

    // scratch of analyse
    std::vector<std::int64_t> needed_;
    std::vector<char> is_needed_;
    std::vector<int> touched_;

    std::int64_t work_ = 0, nodes_ = 0, conflicts_ = 0;
    std::int64_t next_restart_ = 0, restarts_ = 0;
    std::int64_t next_forget_ = 2000;
    std::int64_t pause_at_ = 0;
    bool paused_ = false;
    bool settled_ = false;  // the last slice ended between decisions
    bool started_ = false;
    bool positions_first_ = false;
    std::vector<Literal> assumptions_;
    bool within_assumptions_ = false;  // refuted below the assumptions only
    bool sharing_ = false;
    std::vector<SharedClause> learned_, offered_;
    std::int32_t final_clause_ = -1;
    Answer answer_ = Answer::unknown;
    RootConflict root_conflict_;
    std::vector<Ticks> starts_;
    std::vector<std::int64_t> counts_;
};

}  // namespace repetend::periodic
