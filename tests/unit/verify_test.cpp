#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <stdexcept>
#include <string>

#include "property/random.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::Random;
using repetend::testing::schedule_of;
using repetend::testing::two_stages;
using repetend::testing::two_stages_schedule;

namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

Operation& operation(Schedule& schedule, int block, std::int64_t micro_batch) {
    for (Operation& o : schedule.operations) {
        if (o.block == block && o.micro_batch == micro_batch) return o;
    }
    throw std::out_of_range("no such operation in the test's schedule");
}

void check_violation(const Problem& problem, const Schedule& schedule, ViolationKind kind, Ticks time,
                     const std::string& message) {
    const std::optional<Violation> violation = verify_schedule(problem, schedule);
    REQUIRE(violation);
    CHECK(violation->message == message);
    CHECK(violation->kind == kind);
    CHECK(violation->time == time);
}

Schedule one_after_another(std::int64_t micro_batches) {
    Schedule schedule;
    schedule.micro_batches = micro_batches;
    for (std::int64_t n = 0; n < micro_batches; ++n) {
        const Ticks starts[] = {0, 1, 2, 4};
        for (int b = 0; b < 4; ++b) schedule.operations.push_back({b, n, 6 * n + starts[b]});
    }
    sort_operations(schedule);
    return schedule;
}

}  // namespace

TEST_CASE("valid schedules are accepted", "[verify]") {
    CHECK_FALSE(verify_schedule(two_stages(2), two_stages_schedule()));
    CHECK_FALSE(verify_schedule(two_stages(1), one_after_another(4)));
}

TEST_CASE("the order in which operations are listed does not matter", "[verify]") {
    Schedule schedule = two_stages_schedule();
    std::reverse(schedule.operations.begin(), schedule.operations.end());
    CHECK_FALSE(verify_schedule(two_stages(2), schedule));
}

TEST_CASE("every operation must be there exactly once", "[verify]") {
    const Problem problem = two_stages(2);
    Schedule schedule = two_stages_schedule();
    SECTION("one is missing") {
        schedule.operations.erase(schedule.operations.begin() + 3);
        check_violation(problem, schedule, ViolationKind::count, 0, "B1 of micro-batch 0 is missing");
    }
    SECTION("the last is missing") {
        schedule.operations.pop_back();
        check_violation(problem, schedule, ViolationKind::count, 0, "B0 of micro-batch 2 is missing");
    }
    SECTION("all are missing") {
        schedule.operations.clear();
        check_violation(problem, schedule, ViolationKind::count, 0, "F0 of micro-batch 0 is missing");
    }
    SECTION("one is there twice") {
        schedule.operations.push_back({1, 1, 20});
        check_violation(problem, schedule, ViolationKind::count, 0,
                        "F1 of micro-batch 1 is there twice (at 4 and at 20)");
    }
    SECTION("a block does not exist") {
        schedule.operations[2].block = 4;
        check_violation(problem, schedule, ViolationKind::count, 0,
                        "operation 2 names block 4, which does not exist (there are 4)");
    }
    SECTION("a micro-batch does not exist") {
        operation(schedule, 3, 2).micro_batch = 3;
        check_violation(problem, schedule, ViolationKind::count, 0,
                        "operation 11 is B0 of micro-batch 3, but there are only 3 micro-batches");
    }
    SECTION("no micro-batches") {
        schedule.micro_batches = 0;
        check_violation(problem, schedule, ViolationKind::count, 0,
                        "the schedule has 0 micro-batches: at least one is needed");
    }
}

TEST_CASE("starts must lie in the range of times", "[verify]") {
    Schedule schedule = two_stages_schedule();
    SECTION("negative") {
        operation(schedule, 0, 0).start = -1;
        check_violation(two_stages(2), schedule, ViolationKind::start, -1,
                        "F0 of micro-batch 0 starts at -1, before time 0");
    }
    SECTION("the end leaves the range") {
        operation(schedule, 3, 2).start = largest_number - 1;
        check_violation(two_stages(2), schedule, ViolationKind::start, largest_number - 1,
                        "B0 of micro-batch 2 starts at 9007199254740991: it would end after 9007199254740992, the "
                        "largest time");
    }
    SECTION("the end is the largest time") {
        operation(schedule, 3, 2).start = largest_number - 2;
        CHECK_FALSE(verify_schedule(two_stages(2), schedule));
    }
}

TEST_CASE("a device runs one operation at a time", "[verify]") {
    Schedule schedule = two_stages_schedule();
    operation(schedule, 1, 2).start = 6;
    operation(schedule, 0, 2).start = 3;
    check_violation(two_stages(3), schedule, ViolationKind::overlap, 6,
                    "device 1 runs B1 of micro-batch 1 (5..7) and F1 of micro-batch 2 (6..7) at the same time");
}

TEST_CASE("a long operation is compared with all that start during it", "[verify]") {
    Problem problem = ProblemBuilder({-1}).block("long", {0}, 10).block("short", {0}, 1).build();
    problem.devices[0].name = "gpu0";
    const Schedule schedule = schedule_of(1, {{0, 0, 0}, {1, 0, 9}});
    check_violation(problem, schedule, ViolationKind::overlap, 9,
                    "gpu0 runs long of micro-batch 0 (0..10) and short of micro-batch 0 (9..10) at the same time");
}

TEST_CASE("a gang block occupies all its devices", "[verify]") {
    const Problem problem = ProblemBuilder({-1, -1}).block("gang", {0, 1}, 2).block("a", {1}, 2).build();
    CHECK_FALSE(verify_schedule(problem, schedule_of(1, {{0, 0, 2}, {1, 0, 0}})));
    check_violation(problem, schedule_of(1, {{0, 0, 1}, {1, 0, 0}}), ViolationKind::overlap, 1,
                    "device 1 runs a of micro-batch 0 (0..2) and gang of micro-batch 0 (1..3) at the same time");
}

TEST_CASE("a dependency waits for the end and the lag", "[verify]") {
    Problem problem = two_stages(2);
    Schedule schedule = two_stages_schedule();
    SECTION("without lag") {
        operation(schedule, 0, 2).start = 12;
        check_violation(problem, schedule, ViolationKind::dependency, 7,
                        "F1 of micro-batch 2 starts at 7, but F0, on which it depends, ends at 13");
    }
    SECTION("with lag") {
        problem.dependencies[2].lag = 1;
        check_violation(problem, schedule, ViolationKind::dependency, 4,
                        "B0 of micro-batch 0 starts at 4, but B1, on which it depends, ends at 4 and then needs a lag "
                        "of 1");
    }
    SECTION("the largest of parallel edges counts") {
        problem.dependencies.push_back({1, 2, 0, {}});
        problem.dependencies.push_back({1, 2, 1, {}});
        CHECK(verify_schedule(problem, schedule)->kind == ViolationKind::dependency);
    }
    SECTION("only inside a micro-batch") {
        problem.dependencies.push_back({0, 3, 2, {}});
        CHECK_FALSE(verify_schedule(problem, schedule));
    }
}

TEST_CASE("a device never holds more than its capacity", "[verify]") {
    check_violation(two_stages(1), two_stages_schedule(), ViolationKind::memory, 1,
                    "device 0 holds 2 at time 1 when F0 of micro-batch 1 starts: the capacity is 1");
}

TEST_CASE("static memory and transients are held too", "[verify]") {
    Problem problem = two_stages(3);
    problem.devices[1].memory_static = 2;
    CHECK_FALSE(verify_schedule(problem, two_stages_schedule()));
    problem.blocks[2].transient[0] = 1;
    check_violation(problem, two_stages_schedule(), ViolationKind::memory, 2,
                    "device 1 holds 4 at time 2 when B1 of micro-batch 0 starts: the capacity is 3");
    problem.devices[1].memory_static = 4;
    check_violation(problem, two_stages_schedule(), ViolationKind::memory, 0,
                    "device 1 holds 4 before anything starts: the capacity is 3");
}

TEST_CASE("what is released at a moment makes room for what starts then", "[verify]") {
    // B0 of micro-batch 0 ends at 6, F0 of micro-batch 2 starts at 6: two activations, never three.
    CHECK_FALSE(verify_schedule(two_stages(2), two_stages_schedule()));
    Schedule schedule = two_stages_schedule();
    operation(schedule, 0, 2).start = 3;  // one that starts before the release does not fit
    CHECK(verify_schedule(two_stages(2), schedule)->kind == ViolationKind::memory);
}

TEST_CASE("a release counts from the end, not from the start", "[verify]") {
    const Problem problem =
        ProblemBuilder({2, -1}).block("take", {0}, 1, 2).block("free", {0, 1}, 3, -2).edge(0, 1).build();
    CHECK_FALSE(verify_schedule(problem, schedule_of(2, {{0, 0, 0}, {1, 0, 1}, {0, 1, 4}, {1, 1, 5}})));
    CHECK(verify_schedule(problem, schedule_of(2, {{0, 0, 0}, {1, 0, 2}, {0, 1, 1}, {1, 1, 5}}))->kind ==
          ViolationKind::memory);
}

TEST_CASE("memory that leaves 64 bits is still counted", "[verify]") {
    Problem problem = ProblemBuilder({largest_number}).block("a", {0}, 1, largest_number).build();
    Schedule schedule;
    schedule.micro_batches = 3000;  // 3000 * 2^53 is beyond 2^63
    for (std::int64_t n = 0; n < 3000; ++n) schedule.operations.push_back({0, n, n});
    check_violation(problem, schedule, ViolationKind::memory, 1,
                    "device 0 holds 18014398509481984 at time 1 when a of micro-batch 1 starts: the capacity is "
                    "9007199254740992");
    problem.devices[0].memory_capacity.reset();
    CHECK_FALSE(verify_schedule(problem, schedule));
}

TEST_CASE("the earliest violation is told", "[verify]") {
    Schedule schedule = two_stages_schedule();
    operation(schedule, 3, 2).start = 9;  // before B1 ends at 10, dependency at 9
    operation(schedule, 0, 2).start = 5;  // overlaps B0 of micro-batch 0, at 5
    const std::optional<Violation> violation = verify_schedule(two_stages(3), schedule);
    REQUIRE(violation);
    CHECK(violation->kind == ViolationKind::overlap);
    CHECK(violation->time == 5);
}

TEST_CASE("a repetend mark must hold what it promises", "[verify]") {
    Schedule schedule = one_after_another(4);
    schedule.repetend = RepetendMark{6, 1, 0, 4};
    const Problem problem = two_stages(1);
    SECTION("true marks") {
        CHECK_FALSE(verify_schedule(problem, schedule));
        schedule.repetend = RepetendMark{12, 2, 5, 1};
        CHECK_FALSE(verify_schedule(problem, schedule));
    }
    SECTION("another period") {
        schedule.repetend = RepetendMark{7, 1, 0, 3};
        check_violation(problem, schedule, ViolationKind::repetend, 0,
                        "F0 of micro-batch 0 starts at 0 inside the repetend, but F0 of micro-batch 1 starts at 6, not "
                        "at 7");
    }
    SECTION("more copies") {
        schedule.repetend = RepetendMark{6, 2, 0, 3};
        CHECK(verify_schedule(problem, schedule)->kind == ViolationKind::repetend);
    }
    SECTION("too many repeats") {
        schedule.repetend = RepetendMark{6, 1, 0, 5};
        check_violation(problem, schedule, ViolationKind::repetend, 0,
                        "the repetend begins at 0 and is marked to last 5 times 6 ticks, but the schedule ends at 24");
        schedule.repetend = RepetendMark{6, 1, 1, 4};
        CHECK(verify_schedule(problem, schedule)->kind == ViolationKind::repetend);
    }
    SECTION("an operation without the micro-batch that repeats it") {
        Problem sparse = problem;
        sparse.blocks.push_back(sparse.blocks[0]);
        sparse.blocks.back().name = "late";
        sparse.blocks.back().memory[0] = 0;
        for (std::int64_t n = 0; n < 4; ++n) schedule.operations.push_back({4, n, n == 3 ? 3 : 100 + n});
        schedule.repetend = RepetendMark{6, 1, 3, 3};
        check_violation(sparse, schedule, ViolationKind::repetend, 3,
                        "late of micro-batch 3 starts at 3 inside the repetend, but there is no micro-batch 4 to "
                        "repeat it");
    }
    SECTION("absurd numbers") {
        for (const RepetendMark& mark :
             {RepetendMark{0, 1, 0, 1}, RepetendMark{-6, 1, 0, 1}, RepetendMark{6, 0, 0, 1}, RepetendMark{6, 1, -6, 1},
              RepetendMark{6, 1, 0, 0}, RepetendMark{huge, 1, huge, huge}, RepetendMark{1, 1 << 30, 0, huge},
              RepetendMark{huge, 1, 0, 1}, RepetendMark{1, 1, std::numeric_limits<std::int64_t>::min(), 1}}) {
            schedule.repetend = mark;
            CHECK(verify_schedule(problem, schedule)->kind == ViolationKind::repetend);
        }
    }
}

TEST_CASE("no garbage crashes the verifier", "[verify]") {
    Random random(7);
    const std::vector<std::int64_t> extremes = {0, 1, -1, 3, 4, 12, huge, -huge - 1, largest_number, -largest_number};
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
        Schedule schedule = two_stages_schedule();
        const std::int64_t changes = random.from_to(1, 3);
        for (std::int64_t c = 0; c < changes; ++c) {
            Operation& o = schedule.operations[static_cast<std::size_t>(random.index(schedule.operations.size()))];
            switch (random.from_to(0, 4)) {
                case 0:
                    o.block = static_cast<int>(random.pick(extremes));
                    break;
                case 1:
                    o.micro_batch = random.pick(extremes);
                    break;
                case 2:
                    o.start = random.pick(extremes);
                    break;
                case 3:
                    schedule.micro_batches = random.pick(extremes);
                    break;
                default:
                    schedule.repetend = RepetendMark{random.pick(extremes), static_cast<int>(random.pick(extremes)),
                                                     random.pick(extremes), random.pick(extremes)};
            }
        }
        accepted += verify_schedule(two_stages(2), schedule) ? 0 : 1;
    }
    CHECK(accepted < 1000);
}
