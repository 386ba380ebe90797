#include "search_team.hpp"

#include <algorithm>

namespace repetend::web {
namespace {

// Is a period for so many copies less per micro-batch?
bool less_each(Ticks a, int a_copies, Ticks b, int b_copies) { return a * b_copies < b * a_copies; }

}  // namespace

void SearchTeam::begin(int size, bool by_period) {
    *this = SearchTeam();
    by_period_ = by_period;
    members_.resize(static_cast<std::size_t>(std::clamp(size, 1, most_workers)));
}

void SearchTeam::take_progress(int worker, double seconds, double work, double nodes) {
    if (!known(worker)) return;
    member(worker).work = static_cast<std::int64_t>(work);
    member(worker).nodes = static_cast<std::int64_t>(nodes);
    seconds_ = std::max(seconds_, seconds);
}

bool SearchTeam::take_event(int worker, std::string_view kind, std::int64_t value, int copies) {
    if (!known(worker)) return false;
    Member& sender = member(worker);
    bool counts = false;
    if (kind == "period") {
        counts = !period_ || less_each(value, copies, *period_, period_copies_);
        if (counts) period_ = value, period_copies_ = copies;
    } else if (kind == "period_bound") {
        Ticks& bound = period_bounds_[copies];
        counts = value > bound;
        bound = std::max(bound, value);
    } else if (kind == "makespan") {
        sender.least_makespan = std::min(sender.least_makespan.value_or(value), value);
        counts = !makespan_ || value < *makespan_;
        if (counts) makespan_ = value;
    } else if (kind == "makespan_bound") {
        sender.makespan_bound = std::max(sender.makespan_bound, value);
        counts = value > makespan_bound_;
        makespan_bound_ = std::max(makespan_bound_, value);
    }
    return counts || size() == 1;
}

bool SearchTeam::take_result(int worker, const ResultSummary& summary, bool last) {
    if (!known(worker) || member(worker).ended) return false;
    Member& sender = member(worker);
    sender.period = summary.period;
    sender.makespan = summary.makespan;
    sender.copies = summary.copies;
    sender.ended = last;
    sender.proved = last && (summary.status == "optimal" || summary.status == "infeasible");
    sender.nodes = std::max(sender.nodes, summary.nodes);
    if (summary.makespan) makespan_ = std::min(makespan_.value_or(*summary.makespan), *summary.makespan);
    sender.makespan_bound = std::max(sender.makespan_bound, summary.makespan_lower_bound);
    makespan_bound_ = std::max(makespan_bound_, sender.makespan_bound);
    Ticks& bound = period_bounds_[summary.copies];
    bound = std::max(bound, summary.period_lower_bound);
    if (best_ >= 0 && best_ != worker && !better(worker, best_)) return false;
    best_ = worker;
    return true;
}

void SearchTeam::take_failure(int worker, std::string_view why) {
    if (!known(worker) || member(worker).ended) return;
    member(worker).ended = member(worker).failed = true;
    if (why_failed_.empty()) why_failed_ = why;
}

// Something found before nothing, then the objective. Of equal results, once they are final (pictures would alternate):
// proved before not, the proof of least work, the lowest seed.
bool SearchTeam::better(int a, int b) const {
    const Member &one = member(a), &two = member(b);
    if (one.makespan.has_value() != two.makespan.has_value()) return one.makespan.has_value();
    if (by_period_ && one.period && two.period) {
        if (less_each(*one.period, one.copies, *two.period, two.copies)) return true;
        if (less_each(*two.period, two.copies, *one.period, one.copies)) return false;
    }
    if (one.makespan && *one.makespan != *two.makespan) return *one.makespan < *two.makespan;
    if (!one.ended) return false;
    if (one.proved != two.proved) return one.proved;
    if (one.proved && one.work != two.work) return one.work < two.work;
    return a < b;
}

// The best of one meets the bound of another. One that has both is about to end by itself, with a proof. (And a least
// period can still have a better makespan.)
bool SearchTeam::closed() const {
    return !by_period_ && makespan_ && *makespan_ <= makespan_bound_ &&
           std::none_of(members_.begin(), members_.end(), [](const Member& each) { return each.closed(); });
}

void SearchTeam::complete(ResultSummary& summary) const {
    if (size() == 1) return;
    summary.nodes = nodes();
    summary.makespan_lower_bound = std::max(summary.makespan_lower_bound, makespan_bound_);
    if (const auto found = period_bounds_.find(summary.copies); found != period_bounds_.end())
        summary.period_lower_bound = std::max(summary.period_lower_bound, found->second);
    summary.makespan_optimal |= summary.makespan && *summary.makespan <= summary.makespan_lower_bound;
    summary.period_optimal |= summary.period && *summary.period <= summary.period_lower_bound;
    if (summary.status == "feasible" && (by_period_ ? summary.period_optimal : summary.makespan_optimal))
        summary.status = "optimal";
}

std::vector<int> SearchTeam::take_superfluous() {
    std::optional<std::int64_t> least;  // work of a proof
    for (const Member& each : members_)
        if (each.proved) least = std::min(least.value_or(each.work), each.work);
    std::vector<int> found;
    for (int k = 0; k < size(); ++k) {
        Member& each = member(k);
        if (each.ended || each.dismissed || size() == 1 || !((least && each.work >= *least) || closed())) continue;
        each.dismissed = true;
        found.push_back(k);
    }
    return found;
}

int SearchTeam::running() const {
    return static_cast<int>(
        std::count_if(members_.begin(), members_.end(), [](const Member& each) { return !each.ended; }));
}
bool SearchTeam::failed() const {
    return std::all_of(members_.begin(), members_.end(), [](const Member& each) { return each.failed; });
}
bool SearchTeam::ended(int worker) const { return !known(worker) || member(worker).ended; }

std::int64_t SearchTeam::nodes() const {
    std::int64_t sum = 0;
    for (const Member& each : members_) sum += each.nodes;
    return sum;
}
std::int64_t SearchTeam::work() const {
    std::int64_t sum = 0;
    for (const Member& each : members_) sum += each.work;
    return sum;
}
std::int64_t SearchTeam::work_of_best() const { return best_ < 0 ? 0 : member(best_).work; }

}  // namespace repetend::web
