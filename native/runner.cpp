#include "runner.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>

#include "interrupt.hpp"

namespace repetend::native {
namespace {

constexpr double slice_s = 0.008;  // well under the 20 ms within which a person's stop is to be noticed
constexpr std::int64_t most_slice_work = std::int64_t{1} << 40;
// Work of one round of several threads: about a tenth of a second, much more than it costs to start them.
constexpr std::int64_t round_work = 20'000'000;

int number_of_threads(const Invocation& invocation) {
    const auto wanted = static_cast<int>(*invocation.options.integer("threads"));
    if (wanted > 0) return wanted;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Better results first: what is proved, then what was found, then what is known about it.
bool better(const SearchResult& a, const SearchResult& b, Objective objective) {
    const auto rank = [](SearchStatus status) {
        switch (status) {
            case SearchStatus::infeasible:
            case SearchStatus::optimal:
                return 0;
            case SearchStatus::feasible:
                return 1;
            case SearchStatus::unknown:
                break;
        }
        return 2;
    };
    constexpr Ticks none = std::numeric_limits<Ticks>::max();
    const auto key = [&](const SearchResult& r) {
        // Periods of different copies compare as fractions; a long double holds both products exactly enough
        // for a choice between results that are all correct.
        const long double rate = r.period ? static_cast<long double>(*r.period) / r.copies : 1e30L;
        const auto makespan = r.makespan.value_or(none);
        return objective == Objective::period
                   ? std::make_tuple(rank(r.status), rate, makespan)
                   : std::make_tuple(rank(r.status), static_cast<long double>(makespan), static_cast<Ticks>(0));
    };
    return key(a) < key(b);
}

struct Lane {
    Session session;
    SliceSizer sizer;
    bool running = true;
    ShortestRepetend repetend;

    // Events that happened since the last call, already taken note of.
    std::vector<Event> news() {
        std::vector<Event> events = session.take_events();
        repetend.take(events);
        return events;
    }
};

// One lane's part of a round: equal work for every lane.
void run_lane(Lane& lane, const Clock& clock, const std::atomic<bool>& stopping) {
    std::int64_t left = round_work;
    while (lane.running && left > 0 && !stopping) {
        const double before = clock.seconds();
        const std::int64_t work = std::min(left, lane.sizer.work());
        lane.running = lane.session.step(work);
        left -= work;
        lane.sizer.took(clock.seconds() - before, clock.seconds_left());
    }
}

bool settled(const Session& session) {
    const SearchStatus status = session.result().status;
    return status == SearchStatus::optimal || status == SearchStatus::infeasible;
}

std::optional<StopReason> run_rounds(std::vector<Lane>& lanes, const Clock& clock, ProgressReporter& progress) {
    std::atomic<bool> stopping{false};
    std::atomic<int> busy{0};
    while (true) {
        std::vector<std::thread> threads;
        busy = static_cast<int>(lanes.size());
        for (Lane& lane : lanes) {
            threads.emplace_back([&lane, &clock, &stopping, &busy] {
                run_lane(lane, clock, stopping);
                --busy;
            });
        }
        std::optional<StopReason> reason;
        while (busy > 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            reason = clock.reason_to_stop();
            if (reason) stopping = true;
        }
        for (std::thread& thread : threads) thread.join();
        progress.events(lanes.front().news(), clock.seconds());
        for (Lane& lane : lanes) lane.news();
        if (progress.due(clock.seconds())) progress.update(lanes.front().session.progress(), clock.seconds());
        if (reason) return reason;
        bool all_done = true;
        for (Lane& lane : lanes) {
            all_done = all_done && !lane.running;
            if (!lane.running && settled(lane.session)) return std::nullopt;
        }
        if (all_done) return std::nullopt;
    }
}

}  // namespace

void SliceSizer::took(double seconds, double left) {
    const double target = std::max(0.0005, std::min(slice_s, left));
    // At most fourfold up at once: a cheap slice says little about the next one.
    const double factor = seconds <= 0 ? 4 : std::clamp(target / seconds, 1e-4, 4.0);
    const double next = static_cast<double>(work_) * factor;
    work_ = std::clamp(static_cast<std::int64_t>(next), std::int64_t{1}, most_slice_work);
}

void ShortestRepetend::take(const std::vector<Event>& events) {
    for (const Event& event : events) {
        if (event.kind == EventKind::period) by_copies_[event.copies].period = event.value;
        if (event.kind == EventKind::period_bound) by_copies_[event.copies].bound = event.value;
    }
}

std::optional<ShortestRepetend::Found> ShortestRepetend::found() const {
    std::optional<Found> best;
    for (const auto& [copies, known] : by_copies_) {
        if (!known.period) continue;
        // Exact enough: periods of few copies that differ at all differ by more than rounding does.
        const auto rate = [](Ticks period, int number) { return static_cast<long double>(period) / number; };
        if (best && rate(*known.period, copies) >= rate(best->period, best->copies)) continue;
        best = Found{*known.period, copies, *known.period == known.bound};
    }
    return best;
}

Clock::Clock(const Invocation& invocation) : start_(std::chrono::steady_clock::now()) {
    if (const auto ms = invocation.options.integer("timeout")) limit_s_ = static_cast<double>(*ms) / 1000;
}

double Clock::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Clock::seconds_left() const { return limit_s_ ? *limit_s_ - seconds() : 1e9; }

std::optional<StopReason> Clock::reason_to_stop() const {
    if (interrupted()) return StopReason::interrupted;
    if (seconds_left() <= 0) return StopReason::timeout;
    return std::nullopt;
}

std::optional<StopReason> drive(const Clock& clock, const std::function<bool(std::int64_t)>& step,
                                const std::function<void()>& after) {
    SliceSizer sizer;
    while (true) {
        const double before = clock.seconds();
        const bool more = step(sizer.work());
        sizer.took(clock.seconds() - before, clock.seconds_left());
        after();
        if (!more) return std::nullopt;
        if (const auto reason = clock.reason_to_stop()) return reason;
    }
}

Result<RunOutcome> run_sessions(const Problem& problem, const Invocation& invocation, ProgressReporter& progress) {
    return run_sessions(problem, invocation, search_options(invocation.options), progress);
}

Result<RunOutcome> run_sessions(const Problem& problem, const Invocation& invocation, const SearchOptions& options,
                                ProgressReporter& progress) {
    const Clock clock(invocation);
    const int threads = number_of_threads(invocation);
    std::vector<Lane> lanes;
    for (int k = 0; k < threads; ++k) {
        SearchOptions mine = options;
        mine.seed = options.seed + static_cast<std::uint64_t>(k);
        Result<Session> session = Session::start(problem, mine);
        if (!session) return session.faults();
        lanes.push_back({std::move(*session), SliceSizer(), true, ShortestRepetend()});
    }
    std::optional<StopReason> reason;
    if (threads == 1) {
        Session& session = lanes.front().session;
        reason = drive(
            clock, [&](std::int64_t work) { return session.step(work); },
            [&] {
                progress.events(lanes.front().news(), clock.seconds());
                if (progress.due(clock.seconds())) progress.update(session.progress(), clock.seconds());
            });
    } else {
        reason = run_rounds(lanes, clock, progress);
    }
    RunOutcome outcome;
    std::vector<Event> last_news;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
        if (reason && lanes[k].running) lanes[k].session.stop(*reason);
        std::vector<Event> news = lanes[k].news();
        if (k == 0) last_news = std::move(news);
        SearchResult result = lanes[k].session.result();
        if (k > 0 && !better(result, outcome.result, options.objective)) continue;
        outcome.result = std::move(result);
        outcome.repetend = lanes[k].repetend.found();
        if (options.log_proof) outcome.proof = lanes[k].session.period_proof();
    }
    outcome.result.threads = threads;
    outcome.seconds = clock.seconds();
    progress.events(last_news, outcome.seconds);
    progress.finish();
    return outcome;
}

}  // namespace repetend::native
