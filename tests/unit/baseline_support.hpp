// Shared by the tests of the baselines: a placement in one line, and a family's schedule, verified and measured.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "repetend/baseline/baseline.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend::testing {

struct Costs {
    Ticks forward = 1;
    Ticks backward = 3;  // the input gradient where `weight` is given
    Ticks weight = 0;
    Ticks lag = 0;
    std::int64_t chunks = 0;  // 0: not said
};

inline Problem placement(std::string_view name, std::int64_t devices, const Costs& costs) {
    PlacementOptions options;
    options.devices = devices;
    options.forward = costs.forward;
    options.backward = costs.backward;
    if (costs.weight > 0) options.weight = costs.weight;
    options.lag = costs.lag;
    if (costs.chunks > 0) options.chunks = costs.chunks;
    const Result<Problem> problem = build_placement(name, options);
    REQUIRE(problem);
    return *problem;
}

inline Problem inference(std::string_view name, std::int64_t devices) {
    PlacementOptions options;
    options.devices = devices;
    options.inference = true;
    const Result<Problem> problem = build_placement(name, options);
    REQUIRE(problem);
    return *problem;
}

struct Run {
    Schedule schedule;
    Measures measures;
    Ticks makespan = 0;
    Ticks span = 0;  // the longest over all devices
    Memory peak = 0;
};

inline Run run(std::string_view family, const Problem& problem, std::int64_t micro_batches) {
    INFO(family << " on " << problem.name << ", N = " << micro_batches);
    Result<Schedule> schedule = build_baseline(family, problem, micro_batches);
    if (!schedule) FAIL(to_string(schedule.faults().front()));
    Run answer;
    answer.schedule = std::move(*schedule);
    if (const auto violation = verify_schedule(problem, answer.schedule)) FAIL(violation->message);
    answer.measures = measure(problem, answer.schedule);
    answer.makespan = answer.measures.makespan;
    answer.span = *std::max_element(answer.measures.span_ticks.begin(), answer.measures.span_ticks.end());
    answer.peak = *std::max_element(answer.measures.peak_memory.begin(), answer.measures.peak_memory.end());
    return answer;
}

// Why a family is not defined, or "" when it is.
inline std::string reason(std::string_view family, const Problem& problem, std::int64_t micro_batches) {
    const Result<Schedule> schedule = build_baseline(family, problem, micro_batches);
    if (schedule) return {};
    CHECK(schedule.faults().size() == 1);
    CHECK(schedule.faults().front().code == FaultCode::unsupported);
    return schedule.faults().front().message;
}

}  // namespace repetend::testing
