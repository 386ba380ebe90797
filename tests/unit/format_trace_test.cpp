// Trace JSON. What viewers need is checked on the file itself, read by a JSON library that knows nothing of us.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "problem_builder.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/placement/placement.hpp"

namespace {

using namespace repetend;
using namespace repetend::testing;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

std::string written(const Problem& problem, const Schedule& schedule) {
    std::string text;
    REQUIRE(write_trace(problem, schedule, [&](std::string_view piece) {
        text += piece;
        return true;
    }));
    return text;
}

std::vector<json> events(const json& trace, const std::string& phase) {
    std::vector<json> found;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == phase) found.push_back(event);
    }
    return found;
}

// Three devices with gaps, lags long enough for transfers to overlap, and a gang.
Problem lagged() {
    PlacementOptions options;
    options.devices = 3;
    options.lag = 5;
    return build_placement("v", options).value();
}
Schedule schedule_for(const Problem& problem, std::int64_t micro_batches) {
    return build_baseline("1F1B", problem, micro_batches).value();
}

TEST_CASE("every number of a process, thread and flow is an integer, from 1") {
    const json trace = json::parse(written(lagged(), schedule_for(lagged(), 6)));
    for (const json& event : trace["traceEvents"]) {
        CHECK(event["pid"].is_number_integer());
        CHECK(event["pid"] >= 1);
        if (event.contains("tid")) CHECK((event["tid"].is_number_integer() && event["tid"] >= 1));
        if (event.contains("id")) CHECK((event["id"].is_number_integer() && event["id"] >= 1));
    }
}

TEST_CASE("slices of one thread never overlap, whatever their lags") {
    const json trace = json::parse(written(lagged(), schedule_for(lagged(), 8)));
    std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> threads;
    for (const json& event : events(trace, "X"))
        threads[{event["pid"], event["tid"]}].push_back(
            {event["ts"], event["ts"].get<int>() + event["dur"].get<int>()});
    CHECK(threads.size() > 6);  // 3 of blocks, and more than one of transfers on some device
    for (auto& [thread, slices] : threads) {
        std::sort(slices.begin(), slices.end());
        for (std::size_t k = 1; k < slices.size(); ++k) CHECK(slices[k - 1].second <= slices[k].first);
    }
    // One transfer for each message: 4 routes of 8 micro-batches.
    const auto slices = events(trace, "X");
    CHECK(std::count_if(slices.begin(), slices.end(), [](const json& e) { return e["cat"] == "communication"; }) == 32);
}

TEST_CASE("blocks of a kind have one name and one colour; the rest is in args") {
    PlacementOptions options;
    const Problem problem = build_placement("zb-v", options).value();
    const json trace = json::parse(written(problem, build_baseline("ZB-V", problem, 8).value()));
    std::map<std::string, std::set<std::string>> colours;
    for (const json& event : events(trace, "X")) colours[event["name"]].insert(event["cname"].get<std::string>());
    CHECK(colours.size() == 3);
    for (const auto& [name, used] : colours) CHECK(used.size() == 1);
    CHECK(colours.contains("input gradient"));
    const json first = events(trace, "X").front();
    CHECK(first["args"] == json({{"block", "f0"}, {"stage", 0}, {"micro_batch", 0}, {"start", 0}}));
}

TEST_CASE("devices come in order by number, by name and by the sort records") {
    PlacementOptions options;
    options.devices = 12;
    const Problem problem = build_placement("v", options).value();
    const json trace = json::parse(written(problem, schedule_for(problem, 2)));
    std::map<int, std::string> names;
    std::map<int, int> order, blocks_thread;
    for (const json& event : events(trace, "M")) {
        if (event["name"] == "process_name") names[event["pid"]] = event["args"]["name"];
        if (event["name"] == "process_sort_index") order[event["pid"]] = event["args"]["sort_index"];
        if (event["name"] == "thread_name" && event["args"]["name"] == "blocks")
            blocks_thread[event["pid"]] = event["tid"];
    }
    REQUIRE(names.size() == 12);
    CHECK(names[1] == "device 00");
    CHECK(names[12] == "device 11");
    for (int pid = 2; pid <= 12; ++pid) {
        CHECK(names[pid - 1] < names[pid]);
        CHECK(order[pid - 1] < order[pid]);
        CHECK(blocks_thread[pid - 1] < blocks_thread[pid]);
    }
}

TEST_CASE("times are exact microseconds in every unit") {
    Problem problem = two_stages(2);
    const auto stamp = [&](const char* unit, Ticks start) {
        problem.time_unit = unit;
        Schedule schedule = two_stages_schedule();
        for (Operation& operation : schedule.operations) operation.start += start;
        const std::string text = written(problem, schedule);
        const std::size_t at = text.find("\"ts\":", text.find("\"ph\":\"X\"")) + 5;
        return text.substr(at, text.find(',', at) - at);
    };
    CHECK(stamp("", 7) == "7");
    CHECK(stamp("us", 7) == "7");
    CHECK(stamp("ns", 7) == "0.007");
    CHECK(stamp("ns", 1234567) == "1234.567");
    CHECK(stamp("ns", 1234500) == "1234.5");
    CHECK(stamp("ns", 9007199254740000) == "9007199254740");
    CHECK(stamp("ms", 7) == "7000");
    CHECK(stamp("s", 9007199254740000) == "9007199254740000000000");
    CHECK(stamp("s", 0) == "0");
}

TEST_CASE("an arrow leaves inside the block that makes the data and ends where they are used") {
    const Problem problem = two_stages(2);
    const json trace = json::parse(written(problem, two_stages_schedule()));
    const auto from = events(trace, "s"), to = events(trace, "f");
    REQUIRE(from.size() == 6);
    REQUIRE(to.size() == 6);
    // F0 of micro-batch 0 runs 0..1 on device 0, F1 starts at 1 on device 1.
    CHECK(from[0]["ts"] == 0);
    CHECK(from[0]["pid"] == 1);
    CHECK(to[0]["ts"] == 1);
    CHECK(to[0]["pid"] == 2);
    CHECK(to[0]["bp"] == "e");
    CHECK(from[0]["id"] == to[0]["id"]);
}

TEST_CASE("memory is a counter of each device") {
    const json trace = json::parse(written(two_stages(2), two_stages_schedule()));
    std::vector<std::pair<int, int>> levels;
    for (const json& event : events(trace, "C")) {
        if (event["pid"] == 1) levels.push_back({event["ts"], event["args"]["held"]});
    }
    // device 0: F0 0-1, F0 1-2, B0 4-6, F0 6-7, B0 7-9, B0 10-12.
    CHECK(levels == std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {9, 1}, {12, 0}});
}

TEST_CASE("a trace is read back as it was, gangs, links and the repetend included") {
    using Names = std::pair<const char*, const char*>;
    for (const auto& [name, family] :
         {Names("v", "1F1B"), Names("m", "1F1B+"), Names("mllm", "1F1B+"), Names("interleaved", "interleaved 1F1B")}) {
        PlacementOptions options;
        options.lag = 1;
        const Problem problem = build_placement(name, options).value();
        const Schedule schedule = build_baseline(family, problem, 8).value();
        const Result<ProblemSchedule> again = read_trace(written(problem, schedule), nullptr);
        INFO(name);
        REQUIRE(again);
        CHECK(again->problem == problem);
        CHECK(again->schedule == schedule);
        CHECK(read_trace(written(problem, schedule), &problem).value().schedule == schedule);
    }
}

TEST_CASE("what is no trace of ours is refused with the reason") {
    const auto fault_of = [](const std::string& text) {
        const Result<ProblemSchedule> read = read_trace(text, nullptr);
        return read ? "" : to_string(read.faults().front());
    };
    CHECK_THAT(fault_of(R"({"traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 2}]})"),
               ContainsSubstring("traceEvents: no slice says which block it is"));
    CHECK_THAT(fault_of(R"([])"), ContainsSubstring("expected an object with traceEvents"));
    const std::string event = R"({"ph": "X", "args": {"block": "a", "micro_batch": 0, "start": 0}})";
    CHECK_THAT(fault_of(R"({"traceEvents": [)" + event + "]}"), ContainsSubstring("otherData.problem: missing"));
    CHECK_THAT(fault_of(R"({"traceEvents": [{"ph": "X", "args": {"block": "a", "start": 0.5}}]})"),
               ContainsSubstring("traceEvents[0].args.micro_batch: missing"));
    std::string other = written(two_stages(2), two_stages_schedule());
    other.replace(other.find("\"args\":{\"block\":\"F0\""), 20, "\"args\":{\"block\":\"F7\"");
    CHECK_THAT(fault_of(other), ContainsSubstring("block \"F7\" does not exist"));
}

TEST_CASE("a sink that has had enough ends the writing") {
    int pieces = 0;
    CHECK_FALSE(write_trace(two_stages(2), two_stages_schedule(), [&](std::string_view) {
        ++pieces;
        return false;
    }));
    CHECK(pieces == 1);
}

}  // namespace
