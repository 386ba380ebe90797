#include "repetend/model/schedule.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "property/random.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::Random;
using repetend::testing::schedule_of;
using repetend::testing::two_stages;
using repetend::testing::two_stages_schedule;

namespace {

// Block b of micro-batch n starts at first[b] + n * period.
Schedule periodic(const std::vector<Ticks>& first, Ticks period, std::int64_t micro_batches) {
    Schedule schedule;
    schedule.micro_batches = micro_batches;
    for (std::int64_t n = 0; n < micro_batches; ++n) {
        for (std::size_t b = 0; b < first.size(); ++b) {
            schedule.operations.push_back({static_cast<int>(b), n, first[b] + n * period});
        }
    }
    sort_operations(schedule);
    return schedule;
}

Ticks end_of_all(const Problem& problem, const Schedule& schedule) {
    Ticks end = 0;
    for (const Operation& o : schedule.operations) {
        end = std::max(end, o.start + problem.blocks[static_cast<std::size_t>(o.block)].time);
    }
    return end;
}

// The definition, word for word.
bool repeats(const Problem& problem, const Schedule& schedule, const RepetendMark& mark) {
    const Ticks end = mark.begin + mark.repeats * mark.period;
    if (mark.begin < 0 || end > end_of_all(problem, schedule)) return false;
    const auto has = [&](const Operation& o, std::int64_t copies, Ticks shift) {
        const Operation wanted{o.block, o.micro_batch + copies, o.start + shift};
        return std::find(schedule.operations.begin(), schedule.operations.end(), wanted) != schedule.operations.end();
    };
    std::vector<int> in_first_window(problem.blocks.size(), 0);
    for (const Operation& o : schedule.operations) {
        if (o.start < mark.begin || o.start >= end) continue;
        if (o.start < end - mark.period && !has(o, mark.copies, mark.period)) return false;
        if (o.start >= mark.begin + mark.period && !has(o, -mark.copies, -mark.period)) return false;
        if (o.start < mark.begin + mark.period) ++in_first_window[static_cast<std::size_t>(o.block)];
    }
    return std::all_of(in_first_window.begin(), in_first_window.end(), [&](int c) { return c == mark.copies; });
}

// Most ticks covered by any stretch with at least two repeats, by trying every begin.
Ticks most_covered(const Problem& problem, const Schedule& schedule, Ticks period, int copies) {
    const Ticks end = end_of_all(problem, schedule);
    Ticks most = 0;
    for (Ticks begin = 0; begin + 2 * period <= end; ++begin) {
        for (std::int64_t count = 2; begin + count * period <= end; ++count) {
            if (repeats(problem, schedule, {period, copies, begin, count})) most = std::max(most, count * period);
        }
    }
    return most;
}

// Mostly periodic schedules of two or three blocks, some of their starts disturbed. Devices do not matter.
Schedule disturbed(Random& random, const Problem& problem) {
    const Ticks period = random.from_to(1, 4);
    const std::int64_t copies = random.from_to(1, 2);
    Schedule schedule;
    schedule.micro_batches = random.from_to(3, 8);
    for (int b = 0; b < problem.num_blocks(); ++b) {
        const Ticks first = random.from_to(0, 6);
        const Ticks second = first + random.from_to(0, period);
        for (std::int64_t n = 0; n < schedule.micro_batches; ++n) {
            const Ticks shift = random.percent(8) ? random.from_to(1, 3) : 0;
            schedule.operations.push_back({b, n, (n % copies == 0 ? first : second) + n / copies * period + shift});
        }
    }
    sort_operations(schedule);
    return schedule;
}

Problem some_blocks(std::int64_t count, Random& random) {
    ProblemBuilder builder({-1});
    for (std::int64_t b = 0; b < count; ++b) builder.block("b" + std::to_string(b), {0}, random.from_to(1, 3));
    return builder.build();
}

}  // namespace

TEST_CASE("operations sort by start, then micro-batch, then block", "[schedule]") {
    Schedule schedule;
    schedule.operations = {{1, 1, 5}, {0, 1, 5}, {1, 0, 5}, {2, 9, 1}};
    sort_operations(schedule);
    CHECK(schedule.operations == std::vector<Operation>{{2, 9, 1}, {1, 0, 5}, {0, 1, 5}, {1, 1, 5}});
}

TEST_CASE("a periodic schedule repeats from the first full window to the last", "[schedule]") {
    // Micro-batch 0 starts new work up to tick 4, so windows agree from tick 2 on; micro-batch 4 ends that at 12.
    const Schedule schedule = periodic({0, 1, 2, 4}, 3, 5);
    const std::optional<RepetendMark> mark = find_repetend(two_stages(2), schedule, 3, 1);
    REQUIRE(mark);
    CHECK(*mark == RepetendMark{3, 1, 2, 4});
    CHECK(find_any_repetend(two_stages(2), schedule, 3) == mark);
}

TEST_CASE("nothing repeats where the period is wrong or too few micro-batches are there", "[schedule]") {
    CHECK_FALSE(find_repetend(two_stages(2), periodic({0, 1, 2, 4}, 3, 5), 4, 1));
    CHECK_FALSE(find_repetend(two_stages(2), periodic({0, 1, 2, 4}, 3, 2), 3, 1));
    CHECK_FALSE(find_any_repetend(two_stages(2), two_stages_schedule(), 2));
    CHECK_FALSE(find_any_repetend(two_stages(2), periodic({0, 1, 2, 4}, 3, 1), 2));
}

TEST_CASE("an incomplete or broken schedule has no repetend", "[schedule]") {
    Schedule schedule = periodic({0, 1, 2, 4}, 3, 5);
    SECTION("an operation is missing") { schedule.operations.pop_back(); }
    SECTION("an operation is there twice") { schedule.operations.back() = schedule.operations.front(); }
    SECTION("a block does not exist") { schedule.operations.back().block = 4; }
    SECTION("a micro-batch does not exist") { schedule.operations.back().micro_batch = -1; }
    SECTION("a start is out of range") { schedule.operations.back().start = largest_number + 1; }
    SECTION("N is absurd") { schedule.micro_batches = std::int64_t{1} << 62; }
    CHECK_FALSE(find_repetend(two_stages(2), schedule, 3, 1));
    CHECK_FALSE(find_any_repetend(two_stages(2), schedule, 2));
}

TEST_CASE("absurd periods and copies are answered with nothing", "[schedule]") {
    const Schedule schedule = periodic({0, 1, 2, 4}, 3, 5);
    for (const Ticks period : {Ticks{0}, Ticks{-3}, largest_number, largest_number * 1000}) {
        CHECK_FALSE(find_repetend(two_stages(2), schedule, period, 1));
    }
    CHECK_FALSE(find_repetend(two_stages(2), schedule, 3, 0));
    CHECK_FALSE(find_repetend(two_stages(2), schedule, 3, 1 << 30));
}

TEST_CASE("the stretch found is as long as trying every begin finds", "[schedule]") {
    Random random(1);
    int found = 0;
    for (int round = 0; round < 300; ++round) {
        const Problem problem = some_blocks(random.from_to(1, 3), random);
        const Schedule schedule = disturbed(random, problem);
        Ticks most_of_all = 0;
        for (int copies = 1; copies <= 2; ++copies) {
            for (Ticks period = 1; period <= 9; ++period) {
                const std::optional<RepetendMark> mark = find_repetend(problem, schedule, period, copies);
                const Ticks covered = mark ? mark->repeats * mark->period : 0;
                const Ticks most = most_covered(problem, schedule, period, copies);
                most_of_all = std::max(most_of_all, most);
                INFO("round " << round << ", period " << period << ", copies " << copies);
                REQUIRE(covered == most);
                if (mark) REQUIRE(repeats(problem, schedule, *mark));
            }
        }
        const std::optional<RepetendMark> any = find_any_repetend(problem, schedule, 2);
        INFO("round " << round);
        REQUIRE((any ? any->repeats * any->period : 0) >= most_of_all);
        if (any) REQUIRE(repeats(problem, schedule, *any));
        found += any ? 1 : 0;
    }
    CHECK(found > 100);
}

TEST_CASE("half a million operations are searched at once", "[schedule]") {
    const Problem problem = two_stages(2);
    const std::optional<RepetendMark> mark = find_any_repetend(problem, periodic({0, 1, 2, 4}, 3, 125'000), 4);
    REQUIRE(mark);
    CHECK(mark->repeats == 125'000 - 1);
}
