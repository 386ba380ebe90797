// Lists of instructions: routes, orders that cannot deadlock, start times from orders, and circles found. Truth is
// worked out by hand, or is the schedule that the lists were cut from.
#include "repetend/execution/execution.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "problem_builder.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace {

using namespace repetend;
using namespace repetend::testing;
using Catch::Matchers::ContainsSubstring;

constexpr Semantics all_semantics[] = {Semantics::direct, Semantics::buffered, Semantics::rendezvous};

Action compute(int block, std::int64_t n) { return {ActionKind::compute, block, n}; }
Action send(int route, std::int64_t n) { return {ActionKind::send, route, n}; }
Action receive(int route, std::int64_t n) { return {ActionKind::receive, route, n}; }

// Two blocks to and fro: x on device 0 feeds y on device 1, u on device 1 feeds v on device 0.
Problem crossing(Ticks lag = 0) {
    return ProblemBuilder({-1, -1})
        .block("x", {0}, 1)
        .block("y", {1}, 1)
        .block("u", {1}, 1)
        .block("v", {0}, 1)
        .edge(0, 1, lag)
        .edge(2, 3, lag)
        .build();
}

TEST_CASE("routes join the devices that need a result with one that has it") {
    SECTION("one for each device, however many of its blocks need it") {
        const Problem problem = ProblemBuilder({-1, -1, -1})
                                    .block("a", {0}, 1)
                                    .block("b", {1}, 1)
                                    .block("c", {1}, 1)
                                    .block("d", {0, 2}, 1)
                                    .edge(0, 1, 4)
                                    .edge(0, 2, 3)
                                    .edge(0, 3)
                                    .build();
        const std::vector<Route> routes = find_routes(problem);
        REQUIRE(routes.size() == 2);
        CHECK(routes[0] == Route{0, 0, 1, 3, {1, 2}, {}});
        CHECK(routes[1] == Route{0, 0, 2, 0, {3}, {}});
    }
    SECTION("a block on 4 devices feeds one on 1, that feeds one on 2: receivers take turns at the senders") {
        const Problem problem = ProblemBuilder({-1, -1, -1, -1, -1, -1, -1})
                                    .block("a", {0, 1, 2, 3}, 1)
                                    .block("b", {4}, 1)
                                    .block("c", {5, 6}, 1)
                                    .edge(0, 1)
                                    .edge(0, 2)
                                    .build();
        const std::vector<Route> routes = find_routes(problem);
        REQUIRE(routes.size() == 3);
        for (int k = 0; k < 3; ++k) {
            CHECK(routes[static_cast<std::size_t>(k)].sender == k);
            CHECK(routes[static_cast<std::size_t>(k)].receiver == 4 + k);
        }
    }
    SECTION("a link in between is part of the route") {
        Problem problem = ProblemBuilder({-1, -1, -1})
                              .block("a", {0}, 1)
                              .block("ab", {2}, 5)
                              .block("b", {1}, 1)
                              .edge(0, 1)
                              .edge(1, 2)
                              .build();
        problem.devices[2].kind = DeviceKind::link;
        problem.blocks[1].kind = BlockKind::transfer;
        const std::vector<Route> routes = find_routes(problem);
        REQUIRE(routes.size() == 1);
        CHECK(routes[0] == Route{0, 0, 1, 0, {2}, {1}});
    }
}

TEST_CASE("the lists of a schedule give its own start times back") {
    const Problem problem = two_stages(2);
    const Schedule schedule = two_stages_schedule();
    const Execution execution = execute(problem, program_of(problem, schedule), Semantics::direct);
    REQUIRE(execution.schedule);
    CHECK(execution.schedule->operations == schedule.operations);
    CHECK(execution.makespan == 12);
}

TEST_CASE("messages stand between what makes and what needs their data") {
    const Problem problem = two_stages(2);
    // device 0: F0:0 0-1, F0:1 1-2, B0:0 4-6 ...; device 1: F1:0 1-2, B1:0 2-4, F1:1 4-5 ...
    const Program late = with_communication(problem, two_stages_schedule(), Receives::late);
    const Program early = with_communication(problem, two_stages_schedule(), Receives::early);
    REQUIRE(late.routes.size() == 2);
    const std::vector<Action> first_late(late.devices[1].begin(), late.devices[1].begin() + 6);
    CHECK(first_late ==
          std::vector<Action>{receive(0, 0), compute(1, 0), compute(2, 0), send(1, 0), receive(0, 1), compute(1, 1)});
    const std::vector<Action> first_early(early.devices[1].begin(), early.devices[1].begin() + 6);
    CHECK(first_early ==
          std::vector<Action>{receive(0, 0), compute(1, 0), receive(0, 1), compute(2, 0), send(1, 0), compute(1, 1)});
}

TEST_CASE("lists made from a schedule never deadlock, whatever sends do") {
    for (const char* name : {"v", "x", "m", "nn", "k", "zb-v", "interleaved", "mllm"}) {
        for (const Ticks lag : {0, 2}) {
            PlacementOptions options;
            options.lag = lag;
            const Problem problem = build_placement(name, options).value();
            // One micro-batch after the other, twice as wide as it need be: a schedule with gaps.
            Program program;
            program.micro_batches = 3;
            program.devices.resize(problem.devices.size());
            for (std::int64_t n = 0; n < 3; ++n) {
                for (int b = 0; b < problem.num_blocks(); ++b) {
                    for (const int device : problem.blocks[static_cast<std::size_t>(b)].devices)
                        program.devices[static_cast<std::size_t>(device)].push_back(compute(b, n));
                }
            }
            const Execution plain = execute(problem, program, Semantics::direct);
            REQUIRE(plain.schedule);
            for (const Receives receives : {Receives::early, Receives::late}) {
                const Program with = with_communication(problem, *plain.schedule, receives);
                for (const Semantics semantics : all_semantics) {
                    INFO(name << ", lag " << lag << ", " << to_string(semantics));
                    const Execution execution = execute(problem, with, semantics);
                    CHECK(execution.obstacle == "");
                    REQUIRE(execution.schedule);
                    CHECK(!verify_schedule(problem, *execution.schedule));
                    CHECK(execution.makespan >= plain.makespan);
                }
            }
        }
    }
}

TEST_CASE("both send first: fine with buffers, a deadlock without") {
    Program program;
    program.micro_batches = 1;
    program.routes = find_routes(crossing());
    program.devices = {{compute(0, 0), send(0, 0), receive(1, 0), compute(3, 0)},
                       {compute(2, 0), send(1, 0), receive(0, 0), compute(1, 0)}};
    const Execution buffered = execute(crossing(), program, Semantics::buffered);
    REQUIRE(buffered.schedule);
    CHECK(buffered.makespan == 2);
    const Execution blocking = execute(crossing(), program, Semantics::rendezvous);
    CHECK(!blocking.schedule);
    CHECK(blocking.deadlock);
    CHECK(blocking.obstacle ==
          "deadlock: device 0 waits to send x of micro-batch 0 to device 1, device 1 waits to send u of micro-batch 0 "
          "to device 0, which closes the circle: none of them can go on");
}

TEST_CASE("both receive first: a deadlock with any sends") {
    Program program;
    program.micro_batches = 1;
    program.routes = find_routes(crossing());
    program.devices = {{receive(1, 0), compute(0, 0), send(0, 0), compute(3, 0)},
                       {receive(0, 0), compute(2, 0), send(1, 0), compute(1, 0)}};
    for (const Semantics semantics : {Semantics::buffered, Semantics::rendezvous}) {
        const Execution execution = execute(crossing(), program, semantics);
        CHECK(execution.deadlock);
        CHECK_THAT(execution.obstacle, ContainsSubstring("device 0 waits to receive u of micro-batch 0 from device 1"));
    }
    // Without messages the same order of blocks runs.
    CHECK(execute(crossing(), program, Semantics::direct).makespan == 2);
}

TEST_CASE("a send that waits holds its device, and a lag holds both ends") {
    Problem problem = crossing(5);
    Program program;
    program.micro_batches = 1;
    program.routes = find_routes(problem);
    // Device 1 computes u for 1 tick before it receives; device 0 waits at its send from 1 to 6.
    program.devices = {{compute(0, 0), send(0, 0), receive(1, 0), compute(3, 0)},
                       {compute(2, 0), receive(0, 0), compute(1, 0), send(1, 0)}};
    CHECK(execute(problem, program, Semantics::direct).makespan == 7);     // both at 6
    CHECK(execute(problem, program, Semantics::buffered).makespan == 13);  // y 6-7, its data out at 7, there at 12
    const Execution blocking = execute(problem, program, Semantics::rendezvous);
    REQUIRE(blocking.schedule);
    CHECK(blocking.makespan == 13);
}

TEST_CASE("transfers wait for their send and for their link") {
    // Two devices send over one link to a third; the second send comes first.
    Problem problem = ProblemBuilder({-1, -1, -1, -1})
                          .block("a", {0}, 4)
                          .block("b", {1}, 1)
                          .block("ta", {3}, 10)
                          .block("tb", {3}, 10)
                          .block("c", {2}, 1)
                          .edge(0, 2)
                          .edge(1, 3)
                          .edge(2, 4)
                          .edge(3, 4)
                          .build();
    problem.devices[3].kind = DeviceKind::link;
    Program program;
    program.micro_batches = 1;
    program.routes = find_routes(problem);
    REQUIRE(program.routes.size() == 2);
    program.devices = {
        {compute(0, 0), send(0, 0)}, {compute(1, 0), send(1, 0)}, {receive(0, 0), receive(1, 0), compute(4, 0)}, {}};
    // b's transfer takes the link from 1 to 11, a's from 11 to 21.
    CHECK(execute(problem, program, Semantics::buffered).makespan == 22);
    // The receives come in the other order: b's transfer starts only when a's data have been handed over at 4.
    const Execution blocking = execute(problem, program, Semantics::rendezvous);
    REQUIRE(blocking.schedule);
    CHECK(blocking.makespan == 25);
    CHECK(!verify_schedule(problem, *blocking.schedule));
}

TEST_CASE("what does not belong is told in a sentence") {
    const Problem problem = two_stages(2);
    const Program good = with_communication(problem, two_stages_schedule(), Receives::late);
    const auto obstacle = [&](const auto& change) {
        Program program = good;
        change(program);
        const Execution execution = execute(problem, program, Semantics::buffered);
        CHECK(!execution.schedule);
        CHECK(!execution.deadlock);
        return execution.obstacle;
    };
    const auto find = [](Program& program, int device, const Action& action) {
        auto& list = program.devices[static_cast<std::size_t>(device)];
        return std::find(list.begin(), list.end(), action);
    };
    CHECK(obstacle([&](Program& p) { p.devices[0].erase(find(p, 0, compute(3, 1))); }) ==
          "B0 of micro-batch 1 is missing on device 0");
    CHECK(obstacle([&](Program& p) { p.devices[0].erase(find(p, 0, send(0, 2))); }) ==
          "the send of F0 of micro-batch 2 to device 1 is missing on device 0: its receive would wait for ever");
    CHECK(obstacle([&](Program& p) { p.devices[1].push_back(compute(1, 0)); }) ==
          "F1 of micro-batch 0 is there twice on device 1");
    CHECK(obstacle([&](Program& p) { p.devices[1].push_back(compute(0, 0)); }) ==
          "device 1 is told to run F0 of micro-batch 0, which belongs on device 0");
    CHECK(obstacle([&](Program& p) { p.devices[1].push_back(send(0, 0)); }) ==
          "device 1 is told to run the send of F0 of micro-batch 0 to device 1, which belongs on device 0");
    CHECK(obstacle([&](Program& p) { p.devices[0].push_back(compute(0, 3)); }) ==
          "F0 of micro-batch 3 is there, but there are only 3 micro-batches");
    CHECK(obstacle([&](Program& p) { p.micro_batches = std::int64_t{1} << 31; }) ==
          "F0 of micro-batch 3 is missing on device 0");
    CHECK(obstacle([&](Program& p) { std::iter_swap(find(p, 1, compute(1, 0)), find(p, 1, compute(2, 0))); }) ==
          "B1 of micro-batch 0 stands before F1 of micro-batch 0 on device 1, but depends on it");
    CHECK(obstacle([&](Program& p) { std::iter_swap(find(p, 1, compute(1, 0)), find(p, 1, receive(0, 0))); }) ==
          "F1 of micro-batch 0 stands before the receive of F0 of micro-batch 0 from device 0 on device 1, but needs "
          "its data");
    CHECK(obstacle([&](Program& p) { std::iter_swap(find(p, 0, compute(0, 0)), find(p, 0, send(0, 0))); }) ==
          "the send of F0 of micro-batch 0 to device 1 stands before F0 of micro-batch 0 on device 0, which makes the "
          "data");
}

TEST_CASE("devices that wait for each other's blocks are named") {
    // x needs y and u needs v by the order of the lists, y needs x and v needs u by the problem.
    Problem problem = crossing();
    problem.dependencies = {{0, 1, 0, {}}, {2, 3, 0, {}}};
    Program program;
    program.micro_batches = 1;
    program.devices = {{compute(3, 0), compute(0, 0)}, {compute(1, 0), compute(2, 0)}};
    const Execution execution = execute(problem, program, Semantics::direct);
    CHECK(execution.deadlock);
    CHECK(execution.obstacle ==
          "deadlock: device 0 waits with v of micro-batch 0 for u of micro-batch 0 on device 1, device 1 waits with y "
          "of micro-batch 0 for x of micro-batch 0 on device 0, which closes the circle: none of them can go on");
}

TEST_CASE("gang blocks in different orders are a deadlock") {
    const Problem problem = ProblemBuilder({-1, -1}).block("G", {0, 1}, 1).block("H", {0, 1}, 1).build();
    Program program;
    program.micro_batches = 1;
    program.devices = {{compute(0, 0), compute(1, 0)}, {compute(1, 0), compute(0, 0)}};
    CHECK(execute(problem, program, Semantics::direct).obstacle ==
          "deadlock: device 0 waits with G of micro-batch 0 for device 1, device 1 waits with H of micro-batch 0 for "
          "device 0, which closes the circle: none of them can go on");
}

TEST_CASE("transfers that nobody sends for cannot make a short list long") {
    Problem problem = ProblemBuilder({-1, -1}).block("a", {0}, 1).build();
    problem.devices[1].kind = DeviceKind::link;
    for (int k = 0; k < 4000; ++k) {
        problem.blocks.push_back({"t" + std::to_string(k), BlockKind::transfer, {}, {1}, 1, {0}, {0}, {}});
    }
    Program program;
    program.micro_batches = 8000;
    program.devices.resize(2);
    for (std::int64_t n = 0; n < program.micro_batches; ++n) program.devices[0].push_back(compute(0, n));
    CHECK(
        execute(problem, program, Semantics::direct).obstacle ==
        "the lists have 8000 actions, but the problem has 4001 blocks for each of 8000 micro-batches, most of them on "
        "links");
}

}  // namespace
