#include "runner.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <utility>

#include "interrupt.hpp"
#include "thread_workers.hpp"

namespace repetend::native {
namespace {

constexpr double slice_s = 0.008;  // well under the 20 ms within which a person's stop is to be noticed
constexpr std::int64_t most_slice_work = std::int64_t{1} << 40;

int number_of_threads(const Invocation& invocation) {
    const auto wanted = static_cast<int>(*invocation.options.integer("threads"));
    if (wanted > 0) return wanted;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
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
    std::optional<ThreadWorkers> workers;
    if (threads > 1) workers.emplace(threads);
    SearchOptions with_workers = options;
    with_workers.workers = workers ? &*workers : nullptr;
    Result<Session> session = Session::start(problem, with_workers);
    if (!session) return session.faults();
    RunOutcome outcome;
    ShortestRepetend repetend;
    const auto news = [&] {
        std::vector<Event> events = session->take_events();
        repetend.take(events);
        return events;
    };
    const std::optional<StopReason> reason = drive(
        clock, [&](std::int64_t work) { return session->step(work); },
        [&] {
            progress.events(news(), clock.seconds());
            if (progress.due(clock.seconds())) progress.update(session->progress(), clock.seconds());
        });
    if (reason) session->stop(*reason);
    const std::vector<Event> last_news = news();
    outcome.result = session->result();
    outcome.repetend = repetend.found();
    if (options.log_proof) outcome.proof = session->period_proof();
    outcome.result.threads = threads;
    outcome.seconds = clock.seconds();
    progress.events(last_news, outcome.seconds);
    progress.finish();
    return outcome;
}

}  // namespace repetend::native
