#include "periodic/subtrees.hpp"

#include <algorithm>
#include <utility>

namespace repetend::periodic {
namespace {

constexpr std::int64_t split_after = 5'000'000;  // most searches are over by then
constexpr int num_parts = 4;
constexpr std::int64_t round_work = 500'000;  // of one part: some milliseconds

}  // namespace

Subtrees::Subtrees(const Instance& instance, Ticks period, std::uint64_t seed, ProofLog* log, Workers* workers)
    : log_(log), workers_(workers), whole_(instance.copies == 1) {
    Part part;
    part.solver = std::make_unique<HeightSolver>(instance, period, seed, log);
    parts_.push_back(std::move(part));
}

void Subtrees::count(Part& part) {
    work_ += part.solver->work() - std::exchange(part.work, part.solver->work());
    nodes_ += part.solver->nodes() - std::exchange(part.nodes, part.solver->nodes());
}

Answer Subtrees::run(std::int64_t work_limit) {
    // A slice that ended within propagation is taken up again, even beyond the limit: it must come to its end.
    bool resumes = paused();
    while (answer_ == Answer::unknown && (resumes || work_ < work_limit)) {
        resumes = false;
        if (parts_.size() > 1) {
            round();
            continue;
        }
        // Whether it is cut is settled once, when it has become long: it must not depend on where slices end.
        const bool undecided = !whole_ && work_ < split_after;
        Part& part = parts_.front();
        answer_ = part.answer = part.solver->run(undecided ? std::min(work_limit, split_after) : work_limit);
        count(part);
        if (answer_ == Answer::feasible) found_ = part.solver.get();
        if (answer_ != Answer::unknown || whole_ || work_ < split_after) continue;
        split();
        whole_ = parts_.size() == 1;
    }
    return answer_;
}

void Subtrees::round() {
    if (log_)
        for (Part& part : parts_) *part.log = ProofLog(log_->size());
    std::vector<int> open;
    for (std::size_t k = 0; k < parts_.size(); ++k)
        if (parts_[k].answer == Answer::unknown) open.push_back(static_cast<int>(k));
    run_tasks(workers_, static_cast<int>(open.size()), [&](int k) {
        Part& part = parts_[static_cast<std::size_t>(open[static_cast<std::size_t>(k)])];
        part.answer = part.solver->run(part.work + round_work);
    });
    append_logs();
    for (const int k : open) {
        Part& part = parts_[static_cast<std::size_t>(k)];
        count(part);
        if (answer_ != Answer::unknown || part.answer == Answer::unknown) continue;
        if (part.answer == Answer::feasible) {
            answer_ = Answer::feasible;
            found_ = part.solver.get();
        } else {
            const auto& assumptions = part.solver->assumptions();
            conclude({part.solver->refutes_everything() ? std::vector<Literal>() : assumptions,
                      part.solver->final_clause()});
        }
    }
    if (answer_ != Answer::unknown) return;
    exchange();
    split();
}

// Two halves refuted refute the whole they are halves of.
void Subtrees::conclude(Refuted refuted) {
    while (!refuted.assumptions.empty()) {
        const auto half = std::find_if(refuted_.begin(), refuted_.end(), [&](const Refuted& other) {
            return other.assumptions.size() == refuted.assumptions.size() &&
                   std::equal(other.assumptions.begin(), other.assumptions.end() - 1, refuted.assumptions.begin()) &&
                   other.assumptions.back() == !refuted.assumptions.back();
        });
        if (half == refuted_.end()) break;
        refuted.assumptions.pop_back();
        if (log_) {
            std::vector<Literal> clause;
            for (const Literal& literal : refuted.assumptions) clause.push_back(!literal);
            refuted.clause =
                log_->add(clause, {std::min(half->clause, refuted.clause), std::max(half->clause, refuted.clause)});
        }
        refuted_.erase(half);
    }
    if (refuted.assumptions.empty()) {
        answer_ = Answer::refuted;
        if (log_) log_->add({}, {refuted.clause});
        return;
    }
    refuted_.push_back(std::move(refuted));
}

// Clauses are numbered through: those of a round by the order of the parts.
void Subtrees::append_logs() {
    if (!log_) return;
    for (Part& part : parts_) {
        const std::int32_t first = part.log->first();
        part.solver->renumber_log(first, log_->append(*part.log));
    }
}

void Subtrees::exchange() {
    std::vector<std::vector<SharedClause>> learned;
    for (Part& part : parts_) learned.push_back(part.solver->take_learned());
    for (std::size_t from = 0; from < parts_.size(); ++from)
        for (std::size_t to = 0; to < parts_.size(); ++to)
            if (from != to && parts_[to].answer == Answer::unknown) parts_[to].solver->offer(learned[from]);
}

void Subtrees::split() {
    for (;;) {
        Part* widest = nullptr;
        int open = 0;
        for (Part& part : parts_) {
            if (part.answer != Answer::unknown) continue;
            ++open;
            if (!part.solver->can_split()) continue;
            if (!widest || part.solver->assumptions().size() < widest->solver->assumptions().size()) widest = &part;
        }
        if (open >= num_parts || !widest) return;
        const auto literal = widest->solver->split_literal();
        if (!literal) return;
        Part other;
        if (log_ && !widest->log) {
            widest->log = std::make_unique<ProofLog>(log_->size());
            widest->solver->log_to(widest->log.get());
        }
        if (log_) other.log = std::make_unique<ProofLog>(log_->size());
        other.solver = widest->solver->copy(other.log.get());
        widest->solver->share(true);
        other.solver->share(true);
        widest->solver->assume(*literal);
        other.solver->assume(!*literal);
        // The part that is over makes room, except the first.
        const auto over = std::find_if(parts_.begin() + 1, parts_.end(),
                                       [](const Part& part) { return part.answer != Answer::unknown; });
        if (over != parts_.end())
            *over = std::move(other);
        else
            parts_.push_back(std::move(other));
    }
}

}  // namespace repetend::periodic
