// The frontier: its plan against made-up truths, the memory of a pattern against an unrolled schedule, and
// the whole against known periods.
#include "repetend/session/frontier.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <set>

#include "repetend/placement/placement.hpp"
#include "repetend/schedule/measures.hpp"
#include "session/frontier_plan.hpp"
#include "session/pattern_memory.hpp"

using namespace repetend;
using namespace repetend::frontier;

namespace {

std::uint64_t next_random(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

std::int64_t random_below(std::uint64_t& state, std::int64_t bound) {
    return static_cast<std::int64_t>(next_random(state) % static_cast<std::uint64_t>(bound));
}

// A truth: from which step on which value is reached.
struct Truth {
    std::map<Steps, Ticks> periods;    // step -> period from there on; empty: nothing repeats
    std::map<Steps, Ticks> makespans;  // step -> makespan from there on
};

std::optional<std::pair<Steps, Ticks>> value_at(const std::map<Steps, Ticks>& values, Steps at) {
    auto after = values.upper_bound(at);
    if (after == values.begin()) return std::nullopt;
    --after;
    return std::make_pair(after->first, after->second);
}

// Answers requests from the truth until there are none; how many there were.
int explore(Known& known, const Truth& truth, std::uint64_t& state) {
    int requests = 0;
    while (true) {
        const Request request = next_request(known);
        if (request.what == Ask::nothing) return requests;
        REQUIRE(++requests < 5000);
        REQUIRE(request.at >= known.lowest);
        REQUIRE(request.at <= known.top);
        if (request.what == Ask::period) {
            REQUIRE_FALSE(known.periods.count(request.at));
            PeriodSample sample;
            if (const auto value = value_at(truth.periods, request.at)) {
                // A search may find a pattern that needs more than the least capacity, but not more than there is.
                const Steps most = std::min<Steps>(request.at, value->first + 50);
                sample.feasible = true;
                sample.period = sample.lower_bound = value->second;
                sample.optimal = true;
                sample.peak = value->first + random_below(state, most - value->first + 1);
            }
            known.periods[request.at] = sample;
            if (sample.feasible && sample.peak < request.at) known.periods.emplace(sample.peak, sample);
        } else {
            REQUIRE_FALSE(known.makespans.count(request.at));
            MakespanSample sample;
            if (const auto value = value_at(truth.makespans, request.at)) {
                sample.makespan = sample.lower_bound = value->second;
                sample.peak = value->first;
            }
            known.makespans[request.at] = sample;
        }
    }
}

std::map<Steps, Ticks> random_steps(std::uint64_t& state, Steps range, int count, Ticks top) {
    std::map<Steps, Ticks> values;
    Ticks value = top;
    std::vector<Steps> at;
    for (int i = 0; i < count; ++i) at.push_back(random_below(state, range));
    std::sort(at.begin(), at.end());
    for (const Steps step : at) {
        value -= 1 + random_below(state, 5);
        values[step] = value;
    }
    return values;
}

}  // namespace

TEST_CASE("of few steps every one is shown with its true period", "[frontier]") {
    std::uint64_t state = 1;
    for (int round = 0; round < 300; ++round) {
        Truth truth;
        truth.periods = random_steps(state, 40, 1 + static_cast<int>(random_below(state, 6)), 1000);
        truth.makespans = random_steps(state, 50, 3, 5000);
        truth.makespans.emplace(0, 5000);
        Known known;
        explore(known, truth, state);
        const std::vector<Steps> list = shown(known);
        REQUIRE_FALSE(list.empty());
        CHECK(list.front() == truth.periods.begin()->first);
        CHECK(list.back() >= truth.periods.rbegin()->first);
        CHECK(resolution(known) == 1);
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0) CHECK(list[i] == list[i - 1] + 1);
            REQUIRE(period_at(known, list[i]).has_value());
            CHECK(period_at(known, list[i])->period == value_at(truth.periods, list[i])->second);
            REQUIRE(known.makespans.count(list[i]));
        }
        // Beyond the last one nothing improves, and the last one is needed for something.
        CHECK(known.makespans.at(list.back()).makespan == truth.makespans.rbegin()->second);
        const Steps needed = std::max(truth.periods.rbegin()->first, truth.makespans.rbegin()->first);
        CHECK(list.back() <= std::max(needed, list.front()));
    }
}

TEST_CASE("of very many steps only improvements are shown, found with few requests", "[frontier]") {
    std::uint64_t state = 2;
    constexpr Steps many = Steps{1} << 40;
    for (int round = 0; round < 200; ++round) {
        Truth truth;
        const int count = 1 + static_cast<int>(random_below(state, 8));
        truth.periods = random_steps(state, many, count, 1000);
        truth.makespans = random_steps(state, many, count, 100'000);
        truth.makespans.emplace(0, 100'000);
        Known known;
        known.every = false;
        const int requests = explore(known, truth, state);
        CHECK(requests < 400);
        const std::vector<Steps> list = shown(known);
        REQUIRE_FALSE(list.empty());
        CHECK(list.front() == truth.periods.begin()->first);
        CHECK(period_at(known, list.back())->period == truth.periods.rbegin()->second);
        for (std::size_t i = 0; i < list.size(); ++i) {
            CHECK(period_at(known, list[i])->period == value_at(truth.periods, list[i])->second);
        }
        // Every true improvement of the period is shown within the resolution.
        for (const auto& [at, period] : truth.periods) {
            const auto near = std::find_if(list.begin(), list.end(), [&, where = at](Steps s) { return s >= where; });
            REQUIRE(near != list.end());
            if (at == truth.periods.rbegin()->first) CHECK(*near - at <= resolution(known) + 50);
        }
    }
}

TEST_CASE("a limit from above is the end of the frontier", "[frontier]") {
    std::uint64_t state = 3;
    Truth truth;
    truth.periods = {{2, 9}, {5, 7}, {20, 4}};
    truth.makespans = {{0, 100}};
    Known known;
    known.top = 6;
    explore(known, truth, state);
    CHECK(shown(known) == std::vector<Steps>{2, 3, 4, 5});
}

TEST_CASE("where nothing works nothing is shown", "[frontier]") {
    std::uint64_t state = 4;
    Truth truth;
    truth.periods = {{10, 5}};
    Known known;
    known.top = 6;
    explore(known, truth, state);
    CHECK(shown(known).empty());
}

TEST_CASE("a search that was given up does not make the plan go round in circles", "[frontier]") {
    std::uint64_t state = 5;
    for (int round = 0; round < 300; ++round) {
        Known known;
        known.every = random_below(state, 2) == 0;
        for (int requests = 0;; ++requests) {
            const Request request = next_request(known);
            if (request.what == Ask::nothing) break;
            REQUIRE(requests < 5000);
            if (request.what == Ask::period) {
                REQUIRE_FALSE(known.periods.count(request.at));
                PeriodSample sample;
                sample.feasible = request.at == known.top || random_below(state, 2) == 0;
                sample.period = 10 + random_below(state, 10);
                sample.peak = random_below(state, std::min<Steps>(request.at, 200) + 1);
                known.periods[request.at] = sample;
                if (sample.feasible && sample.peak < request.at) known.periods.emplace(sample.peak, sample);
            } else {
                REQUIRE_FALSE(known.makespans.count(request.at));
                MakespanSample sample;
                if (random_below(state, 3) > 0) sample.makespan = 50 + random_below(state, 50);
                sample.peak = random_below(state, std::min<Steps>(request.at, 300) + 1);
                known.makespans[request.at] = sample;
            }
        }
    }
}

TEST_CASE("the steady peak of a pattern is what a long unrolled schedule holds", "[frontier]") {
    std::uint64_t state = 6;
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        // Two chains of allocations and releases on two devices, with transients; starts in any order in time.
        Problem problem;
        problem.devices.resize(2);
        problem.devices[0].memory_static = random_below(state, 4);
        PeriodicPattern pattern;
        pattern.period = 5 + random_below(state, 20);
        pattern.copies = 1 + static_cast<int>(random_below(state, 3));
        for (int d = 0; d < 2; ++d) {
            const Memory amount = 1 + random_below(state, 9);
            Ticks at = random_below(state, 10);
            std::vector<Ticks> starts_a, starts_b;
            const Ticks gap = 1 + random_below(state, 60);
            for (int c = 0; c < pattern.copies; ++c) {
                starts_a.push_back(at);
                starts_b.push_back(at + gap);
                at += 1 + random_below(state, 4);
            }
            for (const bool allocates : {true, false}) {
                Block block;
                block.name = std::to_string(problem.num_blocks());
                block.devices = {d};
                block.time = 1;
                block.memory = {allocates ? amount : -amount};
                block.transient = {random_below(state, 3)};
                problem.blocks.push_back(block);
                pattern.start.push_back(allocates ? starts_a : starts_b);
            }
        }
        // A device runs one block at a time: where starts coincide (blocks take one tick) there is no such pattern.
        bool overlaps = false;
        for (int d = 0; d < 2; ++d) {
            std::set<Ticks> taken;
            for (const int b : {2 * d, 2 * d + 1}) {
                for (const Ticks start : pattern.start[static_cast<std::size_t>(b)]) {
                    overlaps = overlaps || !taken.insert(start % pattern.period).second;
                }
            }
        }
        if (overlaps) continue;
        ++compared;
        Schedule schedule;
        constexpr int rounds = 80;
        schedule.micro_batches = rounds * pattern.copies;
        for (int b = 0; b < problem.num_blocks(); ++b) {
            for (int n = 0; n < rounds; ++n) {
                for (int c = 0; c < pattern.copies; ++c) {
                    schedule.operations.push_back(
                        {b, n * pattern.copies + c,
                         pattern.start[static_cast<std::size_t>(b)][static_cast<std::size_t>(c)] + n * pattern.period});
                }
            }
        }
        sort_operations(schedule);
        for (int d = 0; d < 2; ++d) {
            Memory most = 0;
            for (const MemoryStep& step : memory_curve(problem, schedule, d)) most = std::max(most, step.memory);
            CHECK(steady_peak_memory(problem, pattern, d) == most);
        }
    }
    CHECK(compared > 100);
}

TEST_CASE("the frontier of the M shape is the known one, whatever the slices", "[frontier]") {
    const Result<Problem> problem = build_placement("m", {});
    REQUIRE(problem);
    std::vector<FrontierPoint> before;
    for (const std::int64_t slice : {std::int64_t{1} << 40, std::int64_t{777}, std::int64_t{10'000}}) {
        Result<Frontier> frontier = Frontier::start(*problem, {});
        REQUIRE(frontier);
        while (frontier->step(slice)) {
        }
        const std::vector<FrontierPoint> points = frontier->points();
        REQUIRE(points.size() >= 5);
        const std::vector<Ticks> periods = {18, 10, 10, 7, 6};
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(points[i].capacity == static_cast<Memory>(i) + 1);
            CHECK(points[i].period == periods[i]);
            CHECK(points[i].period_optimal);
            REQUIRE(points[i].makespan);
            CHECK(*points[i].makespan >= points[i].makespan_lower_bound);
        }
        if (!before.empty()) {
            REQUIRE(points.size() == before.size());
            for (std::size_t i = 0; i < points.size(); ++i) CHECK(points[i].makespan == before[i].makespan);
        }
        before = points;
    }
}
