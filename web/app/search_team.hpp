// One search by several workers: the same problem and options, the seeds S, S+1, ... The team hears each of them and
// says what counts for the search as a whole. The best only falls and bounds, true for all whoever proved them, only
// rise; nodes are summed; the result is that of one worker, so that a single one with its seed finds it again.
//
// A proof by one makes the others superfluous, but who is first must not depend on the machine: others go on until they
// have done as much work as the proof took, counted in work units. Of several proofs the one of least work counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search_monitor.hpp"

namespace repetend::web {

class SearchTeam {
public:
    static constexpr int most_workers = 8;

    void begin(int size, bool by_period);
    // What a worker says of its course: how far it is, and what has happened. True: the event counts for the whole.
    void take_progress(int worker, double seconds, double work, double nodes);
    bool take_event(int worker, std::string_view kind, std::int64_t value, int copies);
    // True: this is the best result now, to be shown.
    bool take_result(int worker, const ResultSummary& summary, bool last);
    void take_failure(int worker, std::string_view why);
    // Puts what all have proved into the summary of the best.
    void complete(ResultSummary& summary) const;
    // Workers that need not go on; each is named once.
    std::vector<int> take_superfluous();

    int size() const { return static_cast<int>(members_.size()); }
    int running() const;
    bool ended(int worker) const;
    bool over() const { return running() == 0; }
    int best() const { return best_; }  // whose result counts; -1: nobody's
    bool failed() const;                // all did
    bool best_failed() const { return best_ >= 0 && member(best_).failed; }
    const std::string& why_failed() const { return why_failed_; }
    std::int64_t nodes() const;
    std::int64_t work() const;
    std::int64_t work_of_best() const;
    double seconds() const { return seconds_; }

private:
    struct Member {
        bool ended = false, failed = false, dismissed = false;
        bool proved = false;  // at its end: nothing is better, or nothing exists
        std::optional<Ticks> period, makespan;
        int copies = 1;
        std::int64_t nodes = 0, work = 0;
        // Heard in advance of a result.
        std::optional<Ticks> least_makespan;
        Ticks makespan_bound = 0;
        bool closed() const { return least_makespan && *least_makespan <= makespan_bound; }
    };
    bool known(int worker) const { return worker >= 0 && worker < size(); }
    Member& member(int worker) { return members_[static_cast<std::size_t>(worker)]; }
    const Member& member(int worker) const { return members_[static_cast<std::size_t>(worker)]; }
    bool better(int a, int b) const;
    bool closed() const;

    bool by_period_ = false;
    std::vector<Member> members_;
    int best_ = -1;
    double seconds_ = 0;
    std::string why_failed_;
    // As heard so far, from whomever.
    std::optional<Ticks> period_, makespan_;
    int period_copies_ = 1;
    Ticks makespan_bound_ = 0;
    std::map<int, Ticks> period_bounds_;  // by the number of copies
};

}  // namespace repetend::web
