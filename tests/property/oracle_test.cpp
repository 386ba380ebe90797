// The oracles themselves, against something still simpler: every combination of start times.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "property/brute_makespan.hpp"
#include "property/brute_period.hpp"
#include "property/random_problems.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

Ticks sum_of_times_and_lags(const Problem& problem) {
    Ticks sum = 0;
    for (const Block& block : problem.blocks) sum += block.time;
    for (const Dependency& edge : problem.dependencies) sum += edge.lag;
    return sum;
}

// Whether any starts within `reach` of the first block's make a pattern with this period.
bool any_pattern(const Problem& problem, PeriodicPattern& pattern, std::size_t block, int copy, Ticks reach) {
    if (block == problem.blocks.size()) return pattern_fault(problem, pattern).empty();
    const bool last_copy = copy + 1 == pattern.copies;
    std::vector<Ticks>& starts = pattern.start[block];
    Ticks low = -reach;
    Ticks high = reach;
    if (copy > 0) {
        low = starts[static_cast<std::size_t>(copy) - 1] + problem.blocks[block].time;
        high = starts[0] + pattern.period - problem.blocks[block].time;
    } else if (block == 0) {
        low = high = 0;
    }
    for (Ticks start = low; start <= high; ++start) {
        starts[static_cast<std::size_t>(copy)] = start;
        if (any_pattern(problem, pattern, last_copy ? block + 1 : block, last_copy ? 0 : copy + 1, reach)) return true;
    }
    return false;
}

// The least period by trying all starts; 0 when none up to `most` works.
Ticks period_by_starts(const Problem& problem, int copies, Ticks most) {
    PeriodicPattern pattern;
    pattern.copies = copies;
    pattern.start.assign(problem.blocks.size(), std::vector<Ticks>(static_cast<std::size_t>(copies), 0));
    for (pattern.period = 1; pattern.period <= most; ++pattern.period) {
        const Ticks reach = sum_of_times_and_lags(problem) + 2 * copies * pattern.period;
        if (any_pattern(problem, pattern, 0, 0, reach)) return pattern.period;
    }
    return 0;
}

// Returns how many of the problems have no repetend.
int check_periods(const ProblemShape& shape, int copies, Ticks most_ticks, int wanted) {
    int seen = 0;
    int infeasible = 0;
    for (std::uint64_t seed = 0; seen < wanted; ++seed) {
        const Problem problem = random_problem(seed, shape);
        if (sum_of_times_and_lags(problem) > most_ticks) continue;
        const BrutePeriod brute = brute_period(problem, copies);
        if (!brute.allocations_matched) continue;
        ++seen;
        infeasible += brute.pattern ? 0 : 1;
        INFO("seed " << seed << ", copies " << copies << "\n" << text_of(problem));
        REQUIRE(brute.complete);
        // Where the oracle finds nothing, all starts must fail up to the longest period that could be needed.
        const Ticks most = copies * sum_of_times_and_lags(problem);
        REQUIRE(period_by_starts(problem, copies, most) == (brute.pattern ? brute.pattern->period : 0));
    }
    return infeasible;
}

// The least makespan by trying all starts of all operations up to a horizon; 0 when nothing is valid.
Ticks makespan_by_starts(const Problem& problem, Schedule& schedule, std::size_t next, Ticks horizon) {
    if (next == schedule.operations.size()) {
        if (verify_schedule(problem, schedule)) return 0;
        Ticks end = 0;
        for (const Operation& o : schedule.operations) {
            end = std::max(end, o.start + problem.blocks[static_cast<std::size_t>(o.block)].time);
        }
        return end;
    }
    Ticks best = 0;
    Operation& operation = schedule.operations[next];
    const Ticks time = problem.blocks[static_cast<std::size_t>(operation.block)].time;
    for (operation.start = 0; operation.start + time <= horizon; ++operation.start) {
        const Ticks end = makespan_by_starts(problem, schedule, next + 1, horizon);
        if (end > 0 && (best == 0 || end < best)) best = end;
    }
    return best;
}

}  // namespace

TEST_CASE("the period oracle agrees with trying all starts", "[oracle]") {
    const int infeasible = check_periods({2, 3, 3, 3}, 1, 12, 250);
    CHECK((infeasible > 5 && infeasible < 50));
    check_periods({2, 2, 4, 4}, 1, 8, 25);
}

TEST_CASE("the period oracle agrees with trying all starts of two copies", "[oracle]") {
    check_periods({1, 2, 2, 2}, 2, 7, 60);
    check_periods({1, 2, 3, 3}, 2, 4, 2);
}

TEST_CASE("the period oracle finds what is known in closed form", "[oracle]") {
    // Tight memory makes several copies worth it: methods of the field give 8, 12 and 16 here for V.
    Problem v;
    v.devices.resize(2);
    for (Device& device : v.devices) device.memory_capacity = 1;
    const auto add = [&](const char* name, int device, Ticks time, Memory change) {
        Block& block = v.blocks.emplace_back();
        block.name = name;
        block.devices = {device};
        block.time = time;
        block.memory = {change};
        block.transient = {0};
        if (v.blocks.size() > 1) v.dependencies.push_back({v.num_blocks() - 2, v.num_blocks() - 1, 0, {}});
    };
    add("F0", 0, 1, 1);
    add("F1", 1, 1, 1);
    add("B1", 1, 3, -1);
    add("B0", 0, 3, -1);
    CHECK(brute_period(v, 1).pattern->period == 8);  // one micro-batch at a time
    CHECK(brute_period(v, 2).pattern->period == 16);
    for (Device& device : v.devices) device.memory_capacity = 2;
    CHECK(brute_period(v, 1).pattern->period == 4);
    for (Device& device : v.devices) device.memory_capacity = 0;
    CHECK_FALSE(brute_period(v, 1).pattern);
}

TEST_CASE("the makespan oracle agrees with trying all starts", "[oracle]") {
    int seen = 0;
    int infeasible = 0;
    for (std::uint64_t seed = 0; seen < 150; ++seed) {
        const std::int64_t micro_batches = seed % 2 == 0 ? 1 : 2;
        const Problem problem =
            random_problem(seed, micro_batches == 1 ? ProblemShape{2, 3, 3, 4} : ProblemShape{1, 2, 2, 2});
        if (micro_batches * sum_of_times_and_lags(problem) > 10) continue;
        ++seen;
        const BruteMakespan brute = brute_makespan(problem, micro_batches);
        Schedule schedule;
        schedule.micro_batches = micro_batches;
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            for (int b = 0; b < problem.num_blocks(); ++b) schedule.operations.push_back({b, n, 0});
        }
        // One operation after another, lags between them, is always short enough if it fits at all.
        const Ticks horizon = micro_batches * sum_of_times_and_lags(problem);
        INFO("seed " << seed << "\n" << text_of(problem));
        REQUIRE(makespan_by_starts(problem, schedule, 0, horizon) == (brute.schedule ? brute.makespan : 0));
        if (brute.schedule) REQUIRE_FALSE(verify_schedule(problem, *brute.schedule));
        infeasible += brute.schedule ? 0 : 1;
    }
    CHECK(infeasible > 0);
}
