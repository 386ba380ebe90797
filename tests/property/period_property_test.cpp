// The repetend search against the exhaustive one.
#include <catch2/catch_test_macros.hpp>

#include "property/brute_period.hpp"
#include "property/random_problems.hpp"
#include "repetend/periodic/periodic.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

struct Tally {
    int compared = 0;
    int infeasible = 0;
    int above_load = 0;      // the period is longer than the busiest device's work
    int held_by_memory = 0;  // and it would be shorter without capacities
    int not_refuted = 0;     // the exhaustive search gave up, or its horizon is only a guess
};

// Net memory 0 wherever there is a capacity: an unrolled pattern then starts from empty devices without harm.
bool leaves_nothing(const Problem& problem) {
    for (int d = 0; d < problem.num_devices(); ++d) {
        const bool bounded = problem.devices[static_cast<std::size_t>(d)].memory_capacity.has_value();
        if (bounded && net_memory(problem, d) != 0) return false;
    }
    return true;
}

void check_pattern(const Problem& problem, const PeriodicPattern& pattern, int copies, bool allocations_matched) {
    REQUIRE(pattern.copies == copies);
    REQUIRE(pattern_fault(problem, pattern).empty());
    if (!allocations_matched || !leaves_nothing(problem)) return;
    for (std::int64_t n = 1; n <= 6; ++n) {
        const std::optional<Violation> violation = verify_schedule(problem, unroll(problem, pattern, n));
        INFO("unrolled to " << n << " micro-batches: " << (violation ? violation->message : ""));
        REQUIRE_FALSE(violation);
    }
}

// A true bound is no more than any valid pattern.
void check_bounds(const PeriodicSearch& search, const PeriodicPattern& pattern) {
    REQUIRE(search.lower_bound() <= pattern.period);
    const PeriodicSearch::Rate rate = search.rate_bound();
    REQUIRE(rate.copies >= 1);
    REQUIRE(rate.period <= (pattern.period * rate.copies) / pattern.copies);
}

void compare(std::uint64_t seed, const Problem& problem, int copies, std::optional<std::int64_t> max_in_flight,
             Tally& tally) {
    INFO("seed " << seed << ", copies " << copies << ", in flight " << max_in_flight.value_or(0) << "\n"
                 << text_of(problem));
    REQUIRE(validate(problem).empty());
    const BrutePeriod brute = brute_period(problem, copies, 20'000, max_in_flight);
    const bool refuted = brute.complete && brute.allocations_matched;
    PeriodicOptions options;
    options.copies = copies;
    options.max_in_flight = max_in_flight;
    Result<PeriodicSearch> started = PeriodicSearch::start(problem, options);
    REQUIRE(started);
    PeriodicSearch& search = started.value();
    for (int step = 0; step < (refuted ? 400 : 4) && search.status() == PeriodicStatus::running; ++step) {
        search.step(500'000);
    }
    ++tally.compared;
    if (search.best() != nullptr) {
        check_pattern(problem, *search.best(), copies, brute.allocations_matched && !max_in_flight);
        check_bounds(search, *search.best());
    }
    if (brute.pattern) check_bounds(search, *brute.pattern);
    if (search.status() == PeriodicStatus::optimal) REQUIRE(search.lower_bound() == search.best()->period);

    if (!refuted) {
        // The search need not end soon where allocations are not matched, but what it claims must be true.
        ++tally.not_refuted;
        if (brute.pattern) REQUIRE(search.status() != PeriodicStatus::infeasible);
        return;
    }
    if (!brute.pattern) {
        REQUIRE(search.status() == PeriodicStatus::infeasible);
        REQUIRE(search.best() == nullptr);
        ++tally.infeasible;
        return;
    }
    REQUIRE(search.status() == PeriodicStatus::optimal);
    REQUIRE(search.best()->period == brute.pattern->period);
    if (brute.pattern->period == copies * most_work_ticks(problem)) return;
    ++tally.above_load;
    Problem unbounded = problem;
    for (Device& device : unbounded.devices) device.memory_capacity.reset();
    const BrutePeriod free = brute_period(unbounded, copies, 20'000);
    if (free.complete && free.pattern->period < brute.pattern->period) ++tally.held_by_memory;
}

Tally compare_all(const ProblemShape& shape, int copies, std::uint64_t first_seed, std::uint64_t count) {
    Tally tally;
    for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
        compare(seed, random_problem(seed, shape), copies, std::nullopt, tally);
    }
    return tally;
}

}  // namespace

TEST_CASE("one copy: the period is the least that exhaustive search finds", "[property]") {
    const Tally tally = compare_all({2, 3, 3, 7}, 1, 0, 3000);
    CHECK(tally.not_refuted < tally.compared / 20);
    // The problems must keep asking something of the search.
    CHECK(tally.infeasible > tally.compared / 50);
    CHECK(tally.above_load > tally.compared / 4);
    CHECK(tally.held_by_memory > tally.compared / 10);
}

TEST_CASE("one copy, larger problems: the period is the least that exhaustive search finds", "[property]") {
    const Tally tally = compare_all({2, 4, 8, 10}, 1, 0, 250);
    CHECK(tally.not_refuted < tally.compared / 10);
    CHECK(tally.above_load > tally.compared / 8);
}

TEST_CASE("two copies: the period is the least that exhaustive search finds", "[property]") {
    const Tally tally = compare_all({2, 3, 3, 5}, 2, 0, 1000);
    CHECK(tally.not_refuted < tally.compared / 20);
    CHECK(tally.above_load > tally.compared / 4);
}

TEST_CASE("three copies: the period is the least that exhaustive search finds", "[property]") {
    const Tally tally = compare_all({2, 3, 3, 4}, 3, 0, 600);
    CHECK(tally.not_refuted < tally.compared / 20);
    CHECK(tally.above_load > tally.compared / 4);
}

TEST_CASE("micro-batches in flight limited: the period is the least that exhaustive search finds", "[property]") {
    Tally tally;
    int longer = 0;  // than without the limit
    for (std::uint64_t seed = 0; seed < 900; ++seed) {
        const std::int64_t limit = 1 + static_cast<std::int64_t>(seed % 3);
        const Problem problem = random_problem(seed, {2, 3, 3, 7});
        compare(seed, problem, 1, limit, tally);
        const BrutePeriod limited = brute_period(problem, 1, 20'000, limit);
        const BrutePeriod free = brute_period(problem, 1, 20'000);
        longer += limited.pattern && free.pattern && limited.pattern->period > free.pattern->period ? 1 : 0;
    }
    CHECK(longer > 90);
    CHECK(tally.not_refuted < tally.compared / 20);
    CHECK(tally.above_load > tally.compared / 3);
}

TEST_CASE("problems that once broke the search", "[property]") {
    Tally tally;
    // A memory row with slack was explained by another copy's bound, which did not hold yet.
    compare(9171, random_problem(9171, {2, 3, 3, 4}), 3, std::nullopt, tally);
    CHECK(tally.not_refuted == 0);
}
