// Every minimal period that is known of the reference placements (tests/data/expected_periods.json), searched and
// proved; every witness is unrolled and verified.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "repetend/model/graph.hpp"
#include "repetend/periodic/periodic.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "support/paths.hpp"

using namespace repetend;

namespace {

struct Entry {
    std::string shape;
    std::int64_t devices = 4;
    bool train = true;
    std::optional<Memory> capacity;
    std::optional<std::int64_t> max_in_flight;
    std::optional<Ticks> period;
};

template <class Number>
std::optional<Number> number_or_null(const nlohmann::json& value) {
    return value.is_null() ? std::nullopt : std::optional<Number>(value.get<Number>());
}

std::vector<Entry> read_entries() {
    std::ifstream file(test::source_dir() / "tests" / "data" / "expected_periods.json");
    REQUIRE(file);
    std::vector<Entry> entries;
    const nlohmann::json data = nlohmann::json::parse(file);
    for (const nlohmann::json& row : data["entries"]) {
        entries.push_back({row[0], row[1], row[2], number_or_null<Memory>(row[3]), number_or_null<std::int64_t>(row[4]),
                           number_or_null<Ticks>(row[5])});
    }
    return entries;
}

Problem problem_of(const Entry& entry) {
    PlacementOptions options;
    options.devices = entry.devices;
    options.inference = !entry.train;
    options.memory = {entry.capacity};
    const Result<Problem> problem = build_placement(entry.shape, options);
    REQUIRE(problem);
    return *problem;
}

// The pattern played for as many micro-batches as it needs to reach its steady state and leave it again.
Schedule unroll(const Problem& problem, const PeriodicPattern& pattern) {
    REQUIRE(pattern.start.size() == problem.blocks.size());
    Ticks first = pattern.start.front().front(), last = first;
    for (const std::vector<Ticks>& copies : pattern.start) {
        REQUIRE(copies.size() == 1);
        first = std::min(first, copies.front());
        last = std::max(last, copies.front());
    }
    Schedule schedule;
    schedule.micro_batches = 2 * ((last - first) / pattern.period) + 4;
    for (int block = 0; block < problem.num_blocks(); ++block) {
        for (std::int64_t n = 0; n < schedule.micro_batches; ++n) {
            const Ticks start = pattern.start[static_cast<std::size_t>(block)].front() - first;
            schedule.operations.push_back({block, n, start + n * pattern.period});
        }
    }
    sort_operations(schedule);
    return schedule;
}

void check_entry(const Entry& entry) {
    const Problem problem = problem_of(entry);
    INFO(problem.name << ", capacity " << (entry.capacity ? std::to_string(*entry.capacity) : "unlimited")
                      << ", in flight " << (entry.max_in_flight ? std::to_string(*entry.max_in_flight) : "unlimited"));
    PeriodicOptions options;
    options.max_in_flight = entry.max_in_flight;
    Result<PeriodicSearch> started = PeriodicSearch::start(problem, options);
    REQUIRE(started);
    PeriodicSearch& search = *started;
    constexpr std::int64_t most_work = 20'000'000'000;  // far above what any entry needs: ends a search gone astray
    while (search.step(1'000'000) == PeriodicStatus::running) REQUIRE(search.work() < most_work);

    CHECK(search.certificate().kind != CertificateKind::none);
    if (!entry.period) {
        CHECK(search.status() == PeriodicStatus::infeasible);
        CHECK(search.best() == nullptr);
        return;
    }
    CHECK(search.status() == PeriodicStatus::optimal);
    CHECK(search.lower_bound() == *entry.period);
    REQUIRE(search.best() != nullptr);
    CHECK(search.best()->period == *entry.period);
    const std::optional<Violation> violation = verify_schedule(problem, unroll(problem, *search.best()));
    INFO((violation ? violation->message : std::string()));
    CHECK_FALSE(violation);
}

// Checks the entries that `wanted` picks and answers how many there were.
template <class Wanted>
int check_entries(Wanted wanted) {
    int checked = 0;
    for (const Entry& entry : read_entries()) {
        if (!wanted(entry)) continue;
        check_entry(entry);
        ++checked;
    }
    return checked;
}

}  // namespace

TEST_CASE("known periods: 4 devices, by capacity") {
    CHECK(check_entries([](const Entry& e) { return e.devices == 4 && !e.max_in_flight; }) > 0);
}

TEST_CASE("known periods: 4 devices, by micro-batches in flight") {
    CHECK(check_entries([](const Entry& e) { return e.devices == 4 && e.max_in_flight; }) > 0);
}

TEST_CASE("known periods: 5 to 8 devices") {
    CHECK(check_entries([](const Entry& e) { return e.devices > 4 && e.devices <= 8; }) > 0);
}

TEST_CASE("known periods: 16 devices") {
    CHECK(check_entries([](const Entry& e) { return e.devices == 16; }) > 0);
}

TEST_CASE("known periods: 32 devices", "[slow]") {
    CHECK(check_entries([](const Entry& e) { return e.devices == 32; }) > 0);
}

TEST_CASE("known periods: every entry is covered by the cases above") {
    const std::vector<Entry> entries = read_entries();
    CHECK(entries.size() == 264);
    for (const Entry& entry : entries) {
        CHECK(((entry.devices >= 4 && entry.devices <= 8) || entry.devices == 16 || entry.devices == 32));
    }
}
