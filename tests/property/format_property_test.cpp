// 1,000 random schedules for each format: written, read, and what comes back judged by the checker. Where a format
// carries times, the same times come back; where it carries orders, the same orders. And sends and receives cut from
// any valid schedule never deadlock.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>

#include "property/random.hpp"
#include "property/random_problems.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/model/graph.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

constexpr std::uint64_t schedules = 1000;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// Any operation that may run next, as early as possible or somewhat later. Capacities are raised to what it needs, so
// that they bind exactly.
Schedule random_schedule(Problem& problem, std::uint64_t seed) {
    Random random(seed * 77 + 1);
    const std::int64_t n = random.from_to(1, 5);
    const auto edges = merged_dependencies(problem);
    std::vector<std::vector<Ticks>> ready(at(n), std::vector<Ticks>(problem.blocks.size(), 0));
    std::vector<std::vector<int>> waits(at(n), std::vector<int>(problem.blocks.size(), 0));
    for (const Dependency& edge : edges) {
        for (auto& row : waits) ++row[at(edge.to)];
    }
    std::vector<Operation> open;
    for (std::int64_t m = 0; m < n; ++m) {
        for (int b = 0; b < problem.num_blocks(); ++b) {
            if (waits[at(m)][at(b)] == 0) open.push_back({b, m, 0});
        }
    }
    std::vector<Ticks> free(problem.devices.size(), 0);
    Schedule schedule;
    schedule.micro_batches = n;
    while (!open.empty()) {
        const int chosen = random.index(open.size());
        Operation operation = open[at(chosen)];
        open.erase(open.begin() + chosen);
        const Block& block = problem.blocks[at(operation.block)];
        operation.start = ready[at(operation.micro_batch)][at(operation.block)];
        for (const int device : block.devices) operation.start = std::max(operation.start, free[at(device)]);
        if (random.percent(20)) operation.start += random.from_to(1, 5);
        for (const int device : block.devices) free[at(device)] = operation.start + block.time;
        schedule.operations.push_back(operation);
        for (const Dependency& edge : edges) {
            if (edge.from != operation.block) continue;
            Ticks& then = ready[at(operation.micro_batch)][at(edge.to)];
            then = std::max(then, operation.start + block.time + edge.lag);
            if (--waits[at(operation.micro_batch)][at(edge.to)] == 0)
                open.push_back({edge.to, operation.micro_batch, 0});
        }
    }
    sort_operations(schedule);
    for (int d = 0; d < problem.num_devices(); ++d) {
        Memory most = 0;
        for (const MemoryStep& step : memory_curve(problem, schedule, d)) most = std::max(most, step.memory);
        // Instruction lists leave the order on links open, and with it what a link holds.
        if (problem.devices[at(d)].kind == DeviceKind::link) problem.devices[at(d)].memory_capacity.reset();
        if (problem.devices[at(d)].memory_capacity) problem.devices[at(d)].memory_capacity = most;
    }
    return schedule;
}

struct Example {
    Problem problem;
    Schedule schedule;
};

Example general(std::uint64_t seed) {
    Example example;
    // One with a block that computes: links alone follow no list.
    const auto computes = [](const Block& block) { return block.kind != BlockKind::transfer; };
    do {
        example.problem = random_problem(seed, {1, 4, 1, 9});
        seed += 1'000'003;
    } while (std::none_of(example.problem.blocks.begin(), example.problem.blocks.end(), computes));
    example.schedule = random_schedule(example.problem, seed);
    return example;
}

// A chain of stages as PyTorch has them, anywhere on the devices.
Example chain(std::uint64_t seed) {
    Random random(seed * 31 + 7);
    Example example;
    Problem& problem = example.problem;
    problem.devices.resize(at(random.from_to(1, 4)));
    const std::int64_t stages = random.from_to(1, 6);
    const bool training = random.percent(85);
    std::vector<int> device;
    for (std::int64_t s = 0; s < stages; ++s) device.push_back(random.index(problem.devices.size()));
    int last = -1;
    const auto add = [&](char letter, BlockKind kind, std::int64_t s, int before, Memory memory) {
        problem.blocks.push_back(
            {letter + std::to_string(s), kind, s, {device[at(s)]}, random.from_to(1, 9), {memory}, {0}, {}});
        const int made = problem.num_blocks() - 1;
        if (before >= 0)
            problem.dependencies.push_back({before, made, random.percent(50) ? random.from_to(0, 4) : 0, {}});
        return made;
    };
    for (std::int64_t s = 0; s < stages; ++s) last = add('f', BlockKind::forward, s, last, training ? 2 : 0);
    for (std::int64_t s = stages; training && s-- > 0;) {
        const bool split = random.percent(50);
        last = add('b', split ? BlockKind::input_gradient : BlockKind::backward, s, last, split ? -1 : -2);
        if (split) add('w', BlockKind::weight_gradient, s, last, -1);
    }
    for (Device& each : problem.devices) each.memory_capacity = 1;
    example.schedule = random_schedule(problem, seed);
    return example;
}

// What a Tessel plan can express.
Example plain(std::uint64_t seed) {
    Example example = general(seed);
    for (Device& device : example.problem.devices) device.kind = DeviceKind::compute;
    for (Block& block : example.problem.blocks) {
        if (block.kind != BlockKind::backward) block.kind = BlockKind::forward;
        block.memory.assign(block.devices.size(), block.memory.front());
        block.transient.assign(block.devices.size(), 0);
        std::sort(block.devices.begin(), block.devices.end());
    }
    for (Device& device : example.problem.devices) device.memory_capacity.reset();
    return example;
}

void check_valid(const Example& example, const Schedule& schedule) {
    const auto violation = verify_schedule(example.problem, schedule);
    if (violation) FAIL(violation->message << "\n" << text_of(example.problem));
}

// Both ends of a round trip have the same order on every device that computes.
void check_orders(const Example& example, const Schedule& again) {
    const Program before = program_of(example.problem, example.schedule), after = program_of(example.problem, again);
    for (std::size_t d = 0; d < before.devices.size(); ++d) {
        if (example.problem.devices[d].kind == DeviceKind::compute) CHECK(before.devices[d] == after.devices[d]);
    }
}

template <class Write>
std::string text_of_pieces(Write write) {
    std::string text;
    write([&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

}  // namespace

TEST_CASE("random schedules are valid to begin with") {
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        for (const Example& example : {general(seed), chain(seed), plain(seed)}) {
            INFO("seed " << seed);
            REQUIRE(validate(example.problem).empty());
            check_valid(example, example.schedule);
        }
    }
}

TEST_CASE("random schedules as JSON, CSV and traces come back as they were") {
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        INFO("seed " << seed);
        const Example example = general(seed);
        const Result<ProblemSchedule> json = read_schedule(write_schedule(example.problem, example.schedule));
        REQUIRE(json);
        CHECK(json->problem == example.problem);
        CHECK(json->schedule == example.schedule);
        const Result<Schedule> csv = read_csv(write_csv(example.problem, example.schedule), example.problem);
        REQUIRE(csv);
        CHECK(*csv == example.schedule);
        const std::string text =
            text_of_pieces([&](const TextSink& sink) { write_trace(example.problem, example.schedule, sink); });
        const Result<ProblemSchedule> trace = read_trace(text, nullptr);
        REQUIRE(trace);
        CHECK(trace->problem == example.problem);
        CHECK(trace->schedule == example.schedule);
        check_valid(example, trace->schedule);
    }
}

TEST_CASE("random schedules as Tessel plans come back as they were") {
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        INFO("seed " << seed);
        const Example example = plain(seed);
        const Result<std::string> text = write_tessel(example.problem, example.schedule);
        REQUIRE(text);
        const Result<TesselPlan> plan = read_tessel(*text, &example.problem);
        REQUIRE(plan);
        CHECK(plan->schedule.operations == example.schedule.operations);
        check_valid(example, plan->schedule);
    }
}

TEST_CASE("random schedules as PyTorch CSV come back in the same order") {
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        INFO("seed " << seed);
        const Example example = chain(seed);
        for (const auto communication :
             {std::optional<Receives>(), std::optional(Receives::early), std::optional(Receives::late)}) {
            const Result<std::string> text = write_torch_csv(example.problem, example.schedule, communication);
            REQUIRE(text);
            const Result<OrderedPlan> plan = read_torch_csv(*text, &example.problem, {});
            REQUIRE(plan);
            const Execution execution = execute(example.problem, plan->program, Semantics::direct);
            REQUIRE(execution.schedule);
            check_valid(example, *execution.schedule);
            check_orders(example, *execution.schedule);
        }
    }
}

TEST_CASE("random schedules as instruction lists come back in the same order") {
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        INFO("seed " << seed);
        const Example example = general(seed);
        const Receives receives = seed % 2 == 0 ? Receives::late : Receives::early;
        const std::string text = text_of_pieces(
            [&](const TextSink& sink) { write_instructions(example.problem, example.schedule, receives, sink); });
        const Result<OrderedPlan> plan = read_instructions(text, nullptr);
        if (!plan) FAIL(to_string(plan.faults().front()));
        CHECK(plan->obstacle == "");
        CHECK(plan->problem == example.problem);
        const Execution execution = execute(example.problem, plan->program, Semantics::buffered);
        if (!execution.schedule) FAIL(execution.obstacle << "\n" << text_of(example.problem));
        check_valid(example, *execution.schedule);
        check_orders(example, *execution.schedule);
    }
}

TEST_CASE("sends and receives cut from any schedule never deadlock") {
    std::size_t messages = 0;
    for (std::uint64_t seed = 0; seed < 2 * schedules; ++seed) {
        INFO("seed " << seed);
        const Example example = seed % 2 == 0 ? general(seed) : chain(seed);
        const Ticks plain_makespan =
            execute(example.problem, program_of(example.problem, example.schedule), Semantics::direct).makespan;
        for (const Receives receives : {Receives::early, Receives::late}) {
            const Program program = with_communication(example.problem, example.schedule, receives);
            messages += program.routes.size();
            for (const Semantics semantics : {Semantics::direct, Semantics::buffered, Semantics::rendezvous}) {
                const Execution execution = execute(example.problem, program, semantics);
                if (!execution.schedule) FAIL(execution.obstacle << "\n" << text_of(example.problem));
                check_valid(example, *execution.schedule);
                const bool links = std::any_of(example.problem.devices.begin(), example.problem.devices.end(),
                                               [](const Device& d) { return d.kind == DeviceKind::link; });
                if (!links) CHECK(execution.makespan >= plain_makespan);
            }
        }
    }
    CHECK(messages > 2 * schedules);
}

TEST_CASE("a list with one pair of actions exchanged is followed to a valid schedule, or it is said why not") {
    std::size_t deadlocks = 0, faults = 0, followed = 0;
    for (std::uint64_t seed = 0; seed < schedules; ++seed) {
        INFO("seed " << seed);
        Random random(seed + 5);
        const Example example = chain(seed);
        Program program = with_communication(example.problem, example.schedule, Receives::late);
        auto& list = program.devices[at(random.index(program.devices.size()))];
        if (list.size() < 2) continue;
        std::swap(list[at(random.index(list.size()))], list[at(random.index(list.size()))]);
        for (const Semantics semantics : {Semantics::buffered, Semantics::rendezvous}) {
            const Execution execution = execute(example.problem, program, semantics);
            CHECK(execution.schedule.has_value() == execution.obstacle.empty());
            deadlocks += execution.deadlock ? 1 : 0;
            faults += !execution.deadlock && !execution.schedule ? 1 : 0;
            if (!execution.schedule) continue;
            ++followed;
            const auto violation = verify_schedule(example.problem, *execution.schedule);
            if (violation) CHECK(violation->kind == ViolationKind::memory);
        }
    }
    CHECK(deadlocks > 20);
    CHECK(faults > 100);
    CHECK(followed > 100);
}
