#include "repetend/schedule/measures.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "property/random.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::Random;
using repetend::testing::schedule_of;
using repetend::testing::two_stages;
using repetend::testing::two_stages_schedule;

namespace {

bool close(double a, double b) { return std::abs(a - b) < 1e-12; }

// Memory during the tick [t, t + 1), straight from the definition.
Memory held_at(const Problem& problem, const Schedule& schedule, int device, Ticks t) {
    Memory held = problem.devices[static_cast<std::size_t>(device)].memory_static;
    for (const Operation& o : schedule.operations) {
        const Block& block = problem.blocks[static_cast<std::size_t>(o.block)];
        for (std::size_t k = 0; k < block.devices.size(); ++k) {
            if (block.devices[k] != device) continue;
            const bool started = o.start <= t;
            const bool ended = o.start + block.time <= t;
            if (started && !ended) held += block.transient[k];
            if (block.memory[k] > 0 ? started : ended) held += block.memory[k];
        }
    }
    return held;
}

Memory curve_at(const std::vector<MemoryStep>& curve, Ticks t) {
    Memory held = std::numeric_limits<Memory>::min();
    for (const MemoryStep& step : curve) {
        if (step.time <= t) held = step.memory;
    }
    return held;
}

struct Sample {
    Problem problem;
    Schedule schedule;
};

// A serial schedule of random blocks in random order with gaps. Dependencies play no part in memory.
Sample random_sample(Random& random) {
    const std::int64_t devices = random.from_to(1, 3);
    Sample sample;
    sample.problem.devices.resize(static_cast<std::size_t>(devices));
    for (Device& device : sample.problem.devices) device.memory_static = random.from_to(0, 3);
    const std::int64_t blocks = random.from_to(1, 5);
    for (int b = 0; b < blocks; ++b) {
        Block& block = sample.problem.blocks.emplace_back();
        block.name = "b" + std::to_string(b);
        block.time = random.from_to(1, 4);
        for (int d = 0; d < devices; ++d) {
            if (!random.percent(50) && !(d + 1 == devices && block.devices.empty())) continue;
            block.devices.push_back(d);
            block.memory.push_back(random.from_to(-3, 3));
            block.transient.push_back(random.from_to(0, 2));
        }
    }
    sample.schedule.micro_batches = random.from_to(1, 3);
    std::vector<Ticks> free(static_cast<std::size_t>(devices), 0);
    for (std::int64_t n = 0; n < sample.schedule.micro_batches; ++n) {
        for (int b = 0; b < blocks; ++b) {
            const Block& block = sample.problem.blocks[static_cast<std::size_t>(b)];
            Ticks start = 0;
            for (const int d : block.devices) start = std::max(start, free[static_cast<std::size_t>(d)]);
            start += random.percent(50) ? random.from_to(0, 3) : 0;
            for (const int d : block.devices) free[static_cast<std::size_t>(d)] = start + block.time;
            sample.schedule.operations.push_back({b, n, start});
        }
    }
    sort_operations(sample.schedule);
    return sample;
}

}  // namespace

TEST_CASE("measures of a schedule worked out by hand", "[measures]") {
    const Measures measures = measure(two_stages(2), two_stages_schedule());
    CHECK(measures.makespan == 12);
    CHECK(measures.peak_memory == std::vector<Memory>{2, 1});
    CHECK(measures.busy_ticks == std::vector<Ticks>{9, 9});
    CHECK(measures.span_ticks == std::vector<Ticks>{12, 9});
    CHECK(measures.bubble_steady == 0);
    CHECK(close(measures.bubble_makespan, 0.25));
    CHECK(close(measures.bubble_span, 0.25));
    CHECK(makespan_ticks(two_stages(2), two_stages_schedule()) == 12);
}

TEST_CASE("the steady bubble counts the copies of the repetend", "[measures]") {
    Schedule schedule = two_stages_schedule();
    schedule.repetend = RepetendMark{8, 2, 0, 1};
    CHECK(close(measure(two_stages(2), schedule).bubble_steady, 0.25));
}

TEST_CASE("span and makespan bubbles differ where a device starts late", "[measures]") {
    const Problem problem = ProblemBuilder({-1, -1}).block("a", {0}, 6).block("b", {1}, 2).edge(0, 1).build();
    const Measures measures = measure(problem, schedule_of(2, {{0, 0, 0}, {1, 0, 6}, {0, 1, 6}, {1, 1, 12}}));
    CHECK(close(measures.bubble_makespan, 1 - 12.0 / 14));
    CHECK(close(measures.bubble_span, 0.5));  // device 1 idles from 8 to 12
}

TEST_CASE("an idle device and an empty schedule measure nothing", "[measures]") {
    const Problem problem = ProblemBuilder({-1, -1}).block("a", {0}, 6).build();
    const Measures measures = measure(problem, schedule_of(1, {{0, 0, 0}}));
    CHECK(measures.span_ticks == std::vector<Ticks>{6, 0});
    CHECK(measures.bubble_span == 0);
    const Measures empty = measure(problem, Schedule());
    CHECK(empty.makespan == 0);
    CHECK(empty.bubble_makespan == 0);
}

TEST_CASE("the memory curve steps at starts and ends", "[measures]") {
    const std::vector<MemoryStep> curve = memory_curve(two_stages(2), two_stages_schedule(), 0);
    // At 6 one micro-batch is released and another begins: no step.
    const std::vector<std::pair<Ticks, Memory>> expected = {{0, 1}, {1, 2}, {9, 1}, {12, 0}};
    REQUIRE(curve.size() == expected.size());
    for (std::size_t k = 0; k < curve.size(); ++k) {
        CHECK(curve[k].time == expected[k].first);
        CHECK(curve[k].memory == expected[k].second);
    }
}

TEST_CASE("memory curves and peaks agree with a simulation tick by tick", "[measures]") {
    Random random(3);
    for (int round = 0; round < 400; ++round) {
        const Sample sample = random_sample(random);
        const Measures measures = measure(sample.problem, sample.schedule);
        for (int d = 0; d < sample.problem.num_devices(); ++d) {
            const std::vector<MemoryStep> curve = memory_curve(sample.problem, sample.schedule, d);
            Memory peak = sample.problem.devices[static_cast<std::size_t>(d)].memory_static;
            for (Ticks t = 0; t <= measures.makespan; ++t) {
                const Memory held = held_at(sample.problem, sample.schedule, d, t);
                peak = std::max(peak, held);
                INFO("round " << round << ", device " << d << ", time " << t);
                REQUIRE(curve_at(curve, t) == held);
            }
            INFO("round " << round << ", device " << d);
            REQUIRE(measures.peak_memory[static_cast<std::size_t>(d)] == peak);
            for (std::size_t k = 1; k < curve.size(); ++k) {
                REQUIRE(curve[k].time > curve[k - 1].time);
                REQUIRE(curve[k].memory != curve[k - 1].memory);
            }
        }
    }
}

TEST_CASE("memory beyond 64 bits shows as the largest number", "[measures]") {
    const Problem problem = ProblemBuilder({-1}).block("a", {0}, 1, largest_number).build();
    Schedule schedule;
    schedule.micro_batches = 3000;
    for (std::int64_t n = 0; n < 3000; ++n) schedule.operations.push_back({0, n, n});
    CHECK(measure(problem, schedule).peak_memory[0] == std::numeric_limits<Memory>::max());
    CHECK(memory_curve(problem, schedule, 0).back().memory == std::numeric_limits<Memory>::max());
}

TEST_CASE("binding predecessors end exactly where an operation starts", "[measures]") {
    const Problem problem = two_stages(2);
    const Schedule schedule = two_stages_schedule();
    const std::vector<std::int64_t> bound_by = binding_predecessors(problem, schedule);
    const auto index_of = [&](int block, std::int64_t micro_batch) {
        for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
            if (schedule.operations[k].block == block && schedule.operations[k].micro_batch == micro_batch) return k;
        }
        return schedule.operations.size();
    };
    CHECK(bound_by[index_of(0, 0)] == -1);
    CHECK(bound_by[index_of(0, 1)] == static_cast<std::int64_t>(index_of(0, 0)));  // the device
    CHECK(bound_by[index_of(1, 0)] == static_cast<std::int64_t>(index_of(0, 0)));  // the dependency
    CHECK(bound_by[index_of(0, 2)] == static_cast<std::int64_t>(index_of(3, 0)));  // memory too, but also the device
    CHECK(bound_by[index_of(1, 1)] == static_cast<std::int64_t>(index_of(2, 0)));
}

TEST_CASE("an operation that waits by choice has no binding predecessor", "[measures]") {
    const Problem problem = ProblemBuilder({-1}).block("a", {0}, 2).build();
    CHECK(binding_predecessors(problem, schedule_of(2, {{0, 0, 0}, {0, 1, 3}})) == std::vector<std::int64_t>{-1, -1});
}

TEST_CASE("the critical path is the chain that reaches back furthest", "[measures]") {
    const Problem problem = ProblemBuilder({-1, -1, -1})
                                .block("a", {0}, 2)
                                .block("b", {1}, 1)
                                .block("c", {2}, 2)
                                .block("d", {1}, 1)
                                .edge(0, 2, 3)
                                .edge(3, 2)
                                .build();
    // d ends at 5 as well, but nothing binds it; a with its lag does bind c, from time 0 on.
    const Schedule schedule = schedule_of(1, {{0, 0, 0}, {1, 0, 0}, {3, 0, 4}, {2, 0, 5}});
    const std::vector<std::int64_t> path = critical_path(problem, schedule);
    REQUIRE(path.size() == 2);
    CHECK(schedule.operations[static_cast<std::size_t>(path[0])].block == 0);
    CHECK(schedule.operations[static_cast<std::size_t>(path[1])].block == 2);
    CHECK(critical_path(problem, Schedule()).empty());
}

TEST_CASE("the critical path of the worked schedule has no gaps", "[measures]") {
    const Problem problem = two_stages(2);
    const Schedule schedule = two_stages_schedule();
    const std::vector<std::int64_t> path = critical_path(problem, schedule);
    REQUIRE_FALSE(path.empty());
    Ticks reached = 0;
    for (const std::int64_t k : path) {
        const Operation& o = schedule.operations[static_cast<std::size_t>(k)];
        CHECK(o.start == reached);
        reached = o.start + problem.blocks[static_cast<std::size_t>(o.block)].time;
    }
    CHECK(reached == 12);
}

TEST_CASE("every measure has a name and a definition", "[measures]") {
    for (const Measure measure :
         {Measure::period, Measure::period_lower_bound, Measure::makespan, Measure::makespan_lower_bound,
          Measure::bubble_steady, Measure::bubble_makespan, Measure::bubble_span, Measure::peak_memory}) {
        CHECK_FALSE(name(measure).empty());
        CHECK(definition(measure).size() > 20);
    }
}
