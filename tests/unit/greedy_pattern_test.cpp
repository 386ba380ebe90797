// The greedy start of large periodic searches: always a pattern that holds for ever, at the load where memory is ample.
#include "periodic/greedy_pattern.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "periodic/instance.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;

namespace {

Problem uneven(const std::string& shape, std::int64_t devices, std::optional<Memory> capacity, unsigned seed) {
    PlacementOptions options;
    options.devices = devices;
    options.memory = {capacity};
    options.lag = 10;
    Problem problem = build_placement(shape, options).value();
    std::uint64_t state = seed;
    for (Block& block : problem.blocks) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        block.time = 80 + static_cast<Ticks>((state >> 33) % 41);
    }
    return problem;
}

Ticks load(const Problem& problem) {
    std::vector<Ticks> work(problem.devices.size(), 0);
    for (const Block& block : problem.blocks)
        for (const int device : block.devices) work[static_cast<std::size_t>(device)] += block.time;
    return *std::max_element(work.begin(), work.end());
}

// The pattern run for many micro-batches.
void check_holds(const Problem& problem, const periodic::GreedyPattern& pattern) {
    Schedule schedule;
    schedule.micro_batches = 40;
    for (int b = 0; b < problem.num_blocks(); ++b)
        for (std::int64_t n = 0; n < schedule.micro_batches; ++n)
            schedule.operations.push_back({b, n, pattern.start[static_cast<std::size_t>(b)] + n * pattern.period});
    sort_operations(schedule);
    const auto violation = verify_schedule(problem, schedule);
    if (violation) FAIL(violation->message);
}

std::optional<periodic::GreedyPattern> greedy(const Problem& problem) {
    std::int64_t work = 0;
    return periodic::greedy_pattern(problem, periodic::make_instance(problem, 1, std::nullopt, true), load(problem),
                                    work);
}

}  // namespace

TEST_CASE("with memory enough the greedy pattern has the period of the load", "[greedy]") {
    for (const char* shape : {"interleaved", "zb-v", "v-split", "v"}) {
        for (unsigned seed = 1; seed <= 5; ++seed) {
            INFO(shape << ", seed " << seed);
            const Problem problem = uneven(shape, 8, std::nullopt, seed);
            const auto pattern = greedy(problem);
            REQUIRE(pattern);
            CHECK(pattern->period == load(problem));
            check_holds(problem, *pattern);
        }
    }
}

TEST_CASE("what the greedy pattern answers fits the capacities, with blocks on several devices too", "[greedy]") {
    int found = 0;
    for (const char* shape : {"zb-v", "v", "x", "m", "nn", "k"}) {
        for (const Memory capacity : {2, 4, 8, 16, 32}) {
            INFO(shape << ", capacity " << capacity);
            const Problem problem = uneven(shape, 8, capacity, 7);
            const auto pattern = greedy(problem);
            if (!pattern) continue;
            ++found;
            CHECK(pattern->period >= load(problem));
            check_holds(problem, *pattern);
        }
    }
    CHECK(found >= 12);
}
