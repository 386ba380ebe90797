// The one door for hosts (command line, web page): start(problem, options), step(work) -> events, best so
// far, stop. The session is a value machine: it has no clock, thread, file or signal. Hosts own time; they
// call `step` in slices and may stop between two of them. Same problem, options and work give the same
// bytes natively and in WASM, however many threads a host lends through `workers`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repetend/completion/completion.hpp"
#include "repetend/model/schedule.hpp"
#include "repetend/model/workers.hpp"
#include "repetend/periodic/periodic.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend {

struct SearchOptions {
    int copies = 1;            // micro-batches per repetend; ignored with copies_auto
    bool copies_auto = false;  // try 1, 2, 3, ... while the proved bound says that more may help
    std::optional<std::int64_t> max_in_flight;
    Objective objective = Objective::makespan;
    std::optional<std::int64_t> micro_batches;  // N; else the problem's, else twice the number of devices
    std::uint64_t seed = 1;
    std::int64_t work_budget = 0;  // total work units; 0: none
    bool log_proof = false;        // keep what `period_proof` needs; changes nothing else
    Workers* workers = nullptr;    // changes nothing but the time; must outlive the session
};

enum class SearchStatus { optimal, feasible, infeasible, unknown };
enum class StopReason { finished, timeout, budget, interrupted };
std::string_view to_string(SearchStatus status);
std::string_view to_string(StopReason reason);

// What a search knows at a moment; the source of `repetend.result`.
struct SearchResult {
    SearchStatus status = SearchStatus::unknown;
    StopReason stop = StopReason::finished;
    std::optional<Ticks> period;  // for `copies` micro-batches
    int copies = 1;
    Ticks period_lower_bound = 0;  // for this number of copies
    bool period_optimal = false;
    Certificate certificate;
    std::optional<Ticks> makespan;
    Ticks makespan_lower_bound = 0;
    bool makespan_optimal = false;
    std::optional<Measures> measures;
    std::int64_t nodes = 0;
    std::int64_t work = 0;
    std::uint64_t seed = 1;
    int threads = 1;
    std::int64_t micro_batches = 0;
    std::optional<Schedule> schedule;
    std::string infeasible_reason;  // which device and block, and what would be enough
    std::string copies_note;        // with copies_auto: what was tried and why it stopped
};

enum class EventKind { period, period_bound, makespan, makespan_bound, copies, phase, finished };

struct Event {
    EventKind kind = EventKind::phase;
    std::int64_t work = 0;
    std::int64_t nodes = 0;
    int copies = 1;
    Ticks value = 0;   // the new best or bound
    std::string text;  // phase: what is being done, in words
};

class Session {
public:
    // Faults of the problem or of the options (paths such as `--copies`).
    static Result<Session> start(Problem problem, const SearchOptions& options);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    // Does about `work` units; true while there is more to do.
    bool step(std::int64_t work);
    // Ends the search; the best so far stays. The reason is what the result will say.
    void stop(StopReason reason);
    // Events since the last call, oldest first.
    std::vector<Event> take_events();
    // Best so far, complete: verified schedule, bounds, measures. May be called at any moment. Costs
    // O(schedule); for frequent polling use `progress`.
    SearchResult result() const;
    struct Progress {
        std::optional<Ticks> period, makespan;
        Ticks period_lower_bound = 0, makespan_lower_bound = 0;
        int copies = 1;
        std::int64_t nodes = 0, work = 0;
        std::string phase;
    };
    Progress progress() const;
    const Problem& problem() const;
    // With log_proof: why the period found is least, for the number of copies that `result` speaks of where that is
    // proved, else for the best one proved. None when no period is proved least, or when no proof can be written
    // (PeriodicSearch::refutation).
    std::optional<PeriodProof> period_proof() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace repetend
