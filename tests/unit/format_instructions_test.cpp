// Instruction lists: what a training loop would do with them, buffer by buffer.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "problem_builder.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/placement/placement.hpp"

namespace {

using namespace repetend;
using namespace repetend::testing;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

std::string written(const Problem& problem, const Schedule& schedule, Receives receives = Receives::late) {
    std::string text;
    write_instructions(problem, schedule, receives, [&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

OrderedPlan read(const std::string& text) {
    const Result<OrderedPlan> plan = read_instructions(text, nullptr);
    if (!plan) FAIL(to_string(plan.faults().front()));
    return *plan;
}

std::string fault_of(const json& document) {
    const Result<OrderedPlan> plan = read_instructions(document.dump(), nullptr);
    return plan ? "" : to_string(plan.faults().front());
}

// Every device follows its list; messages are mailboxes. Buffers hold texts such as `f0 3`.
void follow(const json& document, const std::map<std::string, std::set<std::string>>& needs) {
    struct Device {
        std::size_t next = 0;
        std::map<int, std::string> buffers;
    };
    std::map<int, Device> devices;
    std::map<std::string, std::string> mail;  // `f0 3 to 1`
    bool moved = true;
    std::size_t left = 0;
    for (const json& device : document["devices"]) left += device["instructions"].size();
    while (moved) {
        moved = false;
        for (const json& listed : document["devices"]) {
            const int number = listed["device"];
            Device& device = devices[number];
            while (device.next < listed["instructions"].size()) {
                const json& step = listed["instructions"][device.next];
                const std::string n = " " + std::to_string(step["micro_batch"].get<int>());
                if (step["do"] == "compute") {
                    std::set<std::string> held;
                    for (const int buffer : step["reads"]) held.insert(device.buffers[buffer]);
                    std::set<std::string> wanted;
                    if (const auto found = needs.find(step["block"]); found != needs.end()) {
                        for (const std::string& name : found->second) wanted.insert(name + n);
                    }
                    CHECK(held == wanted);
                    if (!step["writes"].is_null())
                        device.buffers[step["writes"]] = step["block"].get<std::string>() + n;
                } else if (step["do"] == "send") {
                    const std::string data = step["data"].get<std::string>() + n;
                    CHECK(device.buffers[step["buffer"]] == data);
                    mail[data + " to " + std::to_string(step["to"].get<int>())] = data;
                } else {
                    const std::string key = step["data"].get<std::string>() + n + " to " + std::to_string(number);
                    if (!mail.contains(key)) break;
                    device.buffers[step["buffer"]] = mail[key];
                }
                ++device.next;
                --left;
                moved = true;
            }
        }
    }
    CHECK(left == 0);
}

TEST_CASE("a loop that follows the lists finds the right data in every buffer") {
    for (const char* name : {"v", "m", "x", "k", "mllm", "zb-v", "nn"}) {
        PlacementOptions options;
        const Problem problem = build_placement(name, options).value();
        std::map<std::string, std::set<std::string>> needs;
        for (const Dependency& edge : problem.dependencies) {
            needs[problem.blocks[static_cast<std::size_t>(edge.to)].name].insert(
                problem.blocks[static_cast<std::size_t>(edge.from)].name);
        }
        const std::vector<NamedSchedule> schedules = fitting_baselines(problem, 8);
        REQUIRE(!schedules.empty());
        for (const Receives receives : {Receives::early, Receives::late}) {
            INFO(name);
            follow(json::parse(written(problem, schedules.front().schedule, receives)), needs);
        }
    }
}

TEST_CASE("late receives need no more buffers than early ones") {
    PlacementOptions options;
    options.devices = 4;
    const Problem problem = build_placement("v", options).value();
    const Schedule schedule = build_baseline("GPipe", problem, 8).value();
    const auto buffers = [&](Receives receives) {
        std::map<int, int> count;
        const json document = json::parse(written(problem, schedule, receives));
        for (const json& device : document["devices"]) {
            for (const json& pool : device["buffers"]) count[device["device"]] += pool["count"].get<int>();
        }
        return count;
    };
    auto early = buffers(Receives::early), late = buffers(Receives::late);
    // Device 3 has f2's data, f3's (its own backward waits for them, 8 of them in GPipe) and b3's.
    CHECK(late[3] == 1 + 8 + 1);
    for (int d = 0; d < 4; ++d) CHECK(late[d] <= early[d]);
}

TEST_CASE("a list is read back as it was, and gives the same start times") {
    for (const char* name : {"v", "m", "x", "zb-v"}) {
        const Problem problem = build_placement(name, {}).value();
        const Schedule schedule = fitting_baselines(problem, 8).front().schedule;
        const OrderedPlan plan = read(written(problem, schedule));
        INFO(name);
        CHECK(plan.obstacle == "");
        CHECK(plan.problem == problem);
        CHECK(plan.program == with_communication(problem, schedule, Receives::late));
        CHECK(execute(problem, plan.program, Semantics::direct).schedule->operations == schedule.operations);
    }
}

TEST_CASE("data that go over a link say so") {
    Problem problem = ProblemBuilder({-1, -1, -1})
                          .block("a", {0}, 1)
                          .block("ab", {2}, 5)
                          .block("b", {1}, 1)
                          .edge(0, 1)
                          .edge(1, 2)
                          .build();
    problem.devices[2].kind = DeviceKind::link;
    problem.blocks[1].kind = BlockKind::transfer;
    const Schedule schedule = schedule_of(1, {{0, 0, 0}, {1, 0, 1}, {2, 0, 6}});
    const json document = json::parse(written(problem, schedule));
    REQUIRE(document["devices"].size() == 2);
    CHECK(document["devices"][0]["instructions"][1] ==
          json({{"do", "send"}, {"data", "a"}, {"micro_batch", 0}, {"to", 1}, {"over", {"ab"}}, {"buffer", 0}}));
    const Execution execution = execute(problem, read(document.dump()).program, Semantics::buffered);
    REQUIRE(execution.schedule);
    CHECK(execution.schedule->operations == schedule.operations);
}

TEST_CASE("misused buffers are told in a sentence") {
    const json good = json::parse(written(two_stages(2), two_stages_schedule()));
    const auto obstacle = [&](const auto& change) {
        json document = good;
        change(document);
        return read(document.dump()).obstacle;
    };
    // device 1: receive F0:0 into 0, compute F1:0, compute B1:0, send B1:0, receive F0:1, ...
    CHECK(obstacle([](json&) {}) == "");
    CHECK(obstacle([](json& d) { d["devices"][1]["instructions"][1]["reads"] = {7}; }) ==
          "device 1: F1 of micro-batch 0 reads F0 of micro-batch 0 from buffer 7, which holds nothing");
    CHECK(obstacle([](json& d) { d["devices"][1]["instructions"][1]["reads"] = json::array(); }) ==
          "device 1: F1 of micro-batch 0 reads 0 buffers, but needs the data of 1 blocks");
    CHECK(obstacle([](json& d) { d["devices"][1]["instructions"][2]["writes"] = nullptr; }) ==
          "device 1: B1 of micro-batch 0 is needed later and has no buffer");
    json early = json::parse(written(two_stages(2), two_stages_schedule(), Receives::early));
    // receive F0:0, compute F1:0, receive F0:1, compute B1:0: the second value goes where F1's result stands.
    early["devices"][1]["instructions"][2]["buffer"] = early["devices"][1]["instructions"][1]["writes"];
    CHECK(read(early.dump()).obstacle ==
          "device 1: F0 of micro-batch 1 goes to buffer 1, which still holds F1 of micro-batch 0");
}

TEST_CASE("broken documents are refused with their place") {
    json document = json::parse(written(two_stages(2), two_stages_schedule()));
    json& step = document["devices"][1]["instructions"][0];
    const json whole = step;
    step["from"] = 7;
    CHECK_THAT(fault_of(document), ContainsSubstring("devices[1].instructions[0]: no data of \"F0\" go from device 7"));
    step = whole;
    step["do"] = "receve";
    CHECK_THAT(fault_of(document), ContainsSubstring("devices[1].instructions[0].do: unknown instruction \"receve\""));
    step = whole;
    step["data"] = "F7";
    CHECK_THAT(fault_of(document), ContainsSubstring("block \"F7\" does not exist"));
    step = whole;
    step["micro_batch"] = -1;
    CHECK_THAT(fault_of(document), ContainsSubstring("devices[1].instructions[0].micro_batch: expected an integer"));
    step = whole;
    document["devices"][1]["device"] = 0;
    CHECK_THAT(fault_of(document), ContainsSubstring("listed twice"));
    document["devices"][1]["device"] = 2;
    CHECK_THAT(fault_of(document), ContainsSubstring("devices[1].device"));
}

}  // namespace
