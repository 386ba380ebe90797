// Schedules of N micro-batches: always valid, never below their bound, and on tiny problems the bound is never
// above and the schedule never below what exhaustive search finds.
#include <catch2/catch_test_macros.hpp>

#include "property/brute_makespan.hpp"
#include "property/brute_period.hpp"
#include "property/random_problems.hpp"
#include "repetend/completion/completion.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

// The pattern of the exhaustive search stands in for the engine's: completion is tested apart from it.
std::optional<PeriodicPattern> pattern_for(const Problem& problem, int copies) {
    return brute_period(problem, copies, 20'000).pattern;
}

Completion completed(const Problem& problem, std::int64_t n, Objective objective,
                     const std::optional<PeriodicPattern>& pattern, std::int64_t work) {
    CompletionOptions options;
    options.micro_batches = n;
    options.objective = objective;
    Result<Completion> started = Completion::start(problem, options);
    REQUIRE(started);
    Completion completion = std::move(started).value();
    if (pattern) completion.add_pattern(*pattern);
    for (std::int64_t done = 0; done < work && completion.status() == CompletionStatus::running; done += work / 10) {
        completion.step(work / 10);
    }
    return completion;
}

void check_result(const Problem& problem, std::int64_t n, const Completion& completion) {
    const Schedule* best = completion.best();
    if (completion.status() == CompletionStatus::infeasible) REQUIRE(best == nullptr);
    if (completion.status() == CompletionStatus::optimal) REQUIRE(best != nullptr);
    if (best == nullptr) return;
    const std::optional<Violation> violation = verify_schedule(problem, *best);
    INFO("violation: " << (violation ? violation->message : ""));
    REQUIRE_FALSE(violation);
    REQUIRE(best->micro_batches == n);
    REQUIRE(makespan_ticks(problem, *best) == completion.best_makespan());
    REQUIRE(completion.lower_bound() <= completion.best_makespan());
    if (completion.status() == CompletionStatus::optimal) {
        REQUIRE(completion.lower_bound() == completion.best_makespan());
    }
}

}  // namespace

TEST_CASE("every schedule for N = 1..6 is valid and not below its bound", "[property]") {
    int scheduled = 0;
    int with_repetend = 0;
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 3, 7});
        const std::optional<PeriodicPattern> pattern = pattern_for(problem, 1);
        for (std::int64_t n = 1; n <= 6; ++n) {
            INFO("seed " << seed << ", N " << n << "\n" << text_of(problem));
            const Completion completion = completed(problem, n, Objective::makespan, pattern, 10'000);
            check_result(problem, n, completion);
            if (completion.best() == nullptr) continue;
            ++scheduled;
            with_repetend += completion.best()->repetend ? 1 : 0;
        }
    }
    CHECK(scheduled > 250 * 6 * 8 / 10);
    CHECK(with_repetend > scheduled / 4);
}

TEST_CASE("schedules that follow a repetend are valid too", "[property]") {
    int followed = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 3, 6});
        const int copies = seed % 3 == 0 ? 2 : 1;
        const std::optional<PeriodicPattern> pattern = pattern_for(problem, copies);
        if (!pattern) continue;
        for (const std::int64_t n : {1, 3, 6, 12}) {
            INFO("seed " << seed << ", copies " << copies << ", N " << n << "\n" << text_of(problem));
            const Completion completion = completed(problem, n, Objective::period, pattern, 10'000);
            check_result(problem, n, completion);
            if (completion.best() == nullptr || !completion.best()->repetend) continue;
            REQUIRE(completion.best()->repetend->period == pattern->period);
            REQUIRE(completion.best()->repetend->copies == copies);
            ++followed;
        }
    }
    CHECK(followed > 100);
}

TEST_CASE("the least makespan of tiny problems lies between bound and schedule", "[property]") {
    int compared = 0;
    int optimal = 0;
    int proved = 0;
    int infeasible = 0;
    for (std::uint64_t seed = 0; seed < 700; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 2, 5});
        const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 6);
        if (n * problem.num_blocks() > 12) continue;
        const BruteMakespan brute = brute_makespan(problem, n, 300'000);
        if (!brute.complete) continue;
        INFO("seed " << seed << ", N " << n << ", optimum " << brute.makespan << "\n" << text_of(problem));
        if (brute.schedule) REQUIRE_FALSE(verify_schedule(problem, *brute.schedule));
        const Completion completion = completed(problem, n, Objective::makespan, pattern_for(problem, 1), 100'000);
        check_result(problem, n, completion);
        ++compared;
        if (!brute.schedule) {
            REQUIRE(completion.status() == CompletionStatus::infeasible);
            ++infeasible;
            continue;
        }
        REQUIRE(completion.best() != nullptr);
        REQUIRE(completion.lower_bound() <= brute.makespan);
        REQUIRE(completion.best_makespan() >= brute.makespan);
        optimal += completion.best_makespan() == brute.makespan ? 1 : 0;
        proved += completion.status() == CompletionStatus::optimal ? 1 : 0;
    }
    CHECK(compared > 350);
    CHECK(infeasible > 5);
    CHECK(optimal > (compared - infeasible) * 98 / 100);
    CHECK(proved > (compared - infeasible) * 70 / 100);
}
