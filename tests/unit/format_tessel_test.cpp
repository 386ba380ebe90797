// Tessel plans, in and out.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "problem_builder.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

std::string instance(int gid, int mid, int step, int span, int memory, const std::string& kind,
                     const std::string& device) {
    return R"({"mid": )" + std::to_string(mid) + R"(, "span": )" + std::to_string(span) + R"(, "memory": )" +
           std::to_string(memory) + R"(, "btype": ")" + kind + R"(", "gid": )" + std::to_string(gid) + R"(, "step": )" +
           std::to_string(step) + R"(, "device": )" + device + "}";
}

// Two micro-batches of a two-stage pipeline with one forward, one backward: f0@0, f1@1, b1@1, b0@0, times 1, 1, 2, 2.
std::string pipeline(const std::string& range) {
    return R"({"ndevs": 2, "repetend": )" + range + R"(, "blocks": [)" + instance(0, 0, 0, 1, 1, "forward", "[0]") +
           "," + instance(0, 1, 1, 1, 1, "forward", "[0]") + "," + instance(1, 0, 1, 1, 1, "forward", "[1]") + "," +
           instance(2, 0, 2, 2, -1, "backward", "[1]") + "," + instance(3, 0, 4, 2, -1, "backward", "[0]") + "," +
           instance(1, 1, 4, 1, 1, "forward", "[1]") + "," + instance(2, 1, 5, 2, -1, "backward", "[1]") + "," +
           instance(3, 1, 7, 2, -1, "backward", "[0]") + "]}";
}

std::string only_fault(const std::string& text, const Problem* problem = nullptr) {
    const Result<TesselPlan> result = read_tessel(text, problem);
    if (result) return "no fault";
    std::string all;
    for (const Fault& fault : result.faults()) all += (all.empty() ? "" : "\n") + to_string(fault);
    return all;
}

std::string plan_of(const std::string& blocks) { return R"({"ndevs": 2, "blocks": [)" + blocks + "]}"; }

}  // namespace

TEST_CASE("a plan becomes a problem with one chain in the order of gid, and says so") {
    const Result<TesselPlan> plan = read_tessel(pipeline("null"), nullptr);
    REQUIRE(plan);
    CHECK(plan->problem.num_devices() == 2);
    REQUIRE(plan->problem.num_blocks() == 4);
    CHECK(plan->problem.blocks[0].name == "f0");
    CHECK(plan->problem.blocks[3].name == "b3");
    CHECK(plan->problem.blocks[2].kind == BlockKind::backward);
    CHECK(plan->problem.blocks[2].devices == std::vector<int>{1});
    CHECK(plan->problem.blocks[2].memory == std::vector<Memory>{-1});
    CHECK(plan->problem.dependencies == std::vector<Dependency>{{0, 1, 0, {}}, {1, 2, 0, {}}, {2, 3, 0, {}}});
    CHECK(plan->schedule ==
          schedule_of(2, {{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {2, 0, 2}, {3, 0, 4}, {1, 1, 4}, {2, 1, 5}, {3, 1, 7}}));
    CHECK(plan->note.find("one chain in the order of gid") != std::string::npos);
    CHECK_FALSE(verify_schedule(plan->problem, plan->schedule));
    CHECK(validate(plan->problem).empty());
}

TEST_CASE("the period is recomputed from the repetend, not read off its length") {
    // Blocks that start in [1, 5): f0 of 1, f1 of 0 and of 1: not every block once.
    CHECK(read_tessel(pipeline("[1, 5]"), nullptr)->note.find("does not hold every block once") != std::string::npos);
    // One micro-batch alone: device 0 spans 0 to 6, so the period is 6.
    const Result<TesselPlan> one = read_tessel(
        R"({"ndevs": 2, "repetend": [0, 6], "blocks": [)" + instance(0, 0, 0, 1, 1, "forward", "[0]") + "," +
            instance(1, 0, 1, 1, 1, "forward", "[1]") + "," + instance(2, 0, 2, 2, -1, "backward", "[1]") + "," +
            instance(3, 0, 4, 2, -1, "backward", "[0]") + "]}",
        nullptr);
    REQUIRE(one);
    CHECK(one->note.find("recomputed, is 6") != std::string::npos);
    CHECK(one->schedule.repetend == std::optional<RepetendMark>(RepetendMark{6, 1, 0, 1}));
}

TEST_CASE("a skewed repetend has a period shorter than its range") {
    // V on four devices, N_R = 4, by hand: warmup, repetend and cooldown take 3, 13 and 21 steps and the period is 4,
    // as measured for the reference implementation.
    struct Start {
        int gid, mid, step;
    };
    const std::vector<Start> starts = {
        {0, 0, 0},  {0, 1, 1},  {0, 2, 2},  {1, 0, 1},  {1, 1, 2},  {2, 0, 2},  {3, 0, 3},  {4, 0, 4},
        {2, 1, 6},  {5, 0, 7},  {1, 2, 9},  {6, 0, 10}, {0, 3, 12}, {7, 0, 13}, {3, 1, 16}, {2, 2, 16},
        {1, 3, 16}, {4, 1, 17}, {2, 3, 17}, {5, 1, 20}, {3, 2, 20}, {4, 2, 21}, {6, 1, 23}, {3, 3, 24},
        {5, 2, 24}, {4, 3, 25}, {7, 1, 26}, {6, 2, 27}, {5, 3, 28}, {7, 2, 30}, {6, 3, 31}, {7, 3, 34}};
    std::string blocks;
    for (const Start& start : starts) {
        const bool forward = start.gid < 4;
        const std::string device = "[" + std::to_string(forward ? start.gid : 7 - start.gid) + "]";
        blocks += (blocks.empty() ? "" : ",") + instance(start.gid, start.mid, start.step, forward ? 1 : 3,
                                                         forward ? 1 : -1, forward ? "forward" : "backward", device);
    }
    const Result<TesselPlan> plan =
        read_tessel(R"({"ndevs": 4, "repetend": [3, 16], "blocks": [)" + blocks + "]}", nullptr);
    REQUIRE(plan);
    CHECK_FALSE(verify_schedule(plan->problem, plan->schedule));
    CHECK(plan->note.find("recomputed, is 4: the range is skewed") != std::string::npos);
    CHECK_FALSE(plan->schedule.repetend);
}

TEST_CASE("dependencies that cross copies lengthen the period, each by its distance") {
    // a@0 of micro-batch k runs 2 copies before b@1 of the same: a at 0-1 (mid 2), b at 0-1 (mid 0), lag 9 between
    // them: b of mid 2 may start 10 after a of mid 2, two periods later, so the period is at least 5.
    const Problem problem = ProblemBuilder({-1, -1}).block("a", {0}, 1).block("b", {1}, 1).edge(0, 1, 9).build();
    std::string blocks;
    for (int m = 0; m < 3; ++m) {
        blocks += (m > 0 ? "," : "") + instance(0, m, 5 * m, 1, 0, "forward", "[0]") + "," +
                  instance(1, m, 10 + 5 * m, 1, 0, "forward", "[1]");
    }
    const Result<TesselPlan> plan =
        read_tessel(R"({"ndevs": 2, "repetend": [10, 11], "blocks": [)" + blocks + "]}", &problem);
    REQUIRE(plan);
    CHECK(plan->note == "the period of the repetend, recomputed, is 5");
    CHECK(plan->schedule.repetend == std::optional<RepetendMark>(RepetendMark{5, 1, 10, 1}));
    CHECK(plan->problem == problem);
}

TEST_CASE("a given problem must match the plan block by block") {
    const Problem matching = two_stages(4);
    const Result<TesselPlan> plan = read_tessel(pipeline("null"), &matching);
    REQUIRE(plan);
    CHECK(plan->problem == matching);
    CHECK(plan->note.empty());
    Problem slower = matching;
    slower.blocks[2].time = 3;
    CHECK(only_fault(pipeline("null"), &slower) == "blocks[3].span: 2, but block \"B1\" (position 2) has time 3");
    Problem heavier = matching;
    heavier.blocks[1].memory = {2};
    CHECK(only_fault(pipeline("null"), &heavier) == "blocks[2].memory: 1, but block \"F1\" (position 1) has memory 2");
    Problem elsewhere = matching;
    elsewhere.blocks[0].devices = {1};
    CHECK(only_fault(pipeline("null"), &elsewhere) == "blocks[0].device: other devices than block \"F0\" (position 0)");
    Problem larger = matching;
    larger.devices.emplace_back();
    CHECK(only_fault(pipeline("null"), &larger) == "ndevs: 2 devices, but the problem has 3");
    Problem longer = matching;
    longer.blocks.push_back(longer.blocks[0]);
    CHECK(only_fault(pipeline("null"), &longer) == "blocks: 4 blocks in a micro-batch, but the problem has 5");
}

TEST_CASE("a written plan reads back as the same schedule") {
    Problem problem = two_stages(4);
    for (int b = 0; b < 4; ++b) problem.blocks[b].kind = b < 2 ? BlockKind::forward : BlockKind::backward;
    const Schedule schedule = two_stages_schedule();
    const Result<std::string> text = write_tessel(problem, schedule);
    REQUIRE(text);
    const Result<TesselPlan> plan = read_tessel(*text, &problem);
    REQUIRE(plan);
    CHECK(plan->schedule == schedule);
}

TEST_CASE("a plan is written with one instance a line and the first occurrence of the repetend") {
    Problem problem = ProblemBuilder({-1, -1}).block("a", {0}, 2, 1).block("b", {0, 1}, 1, -1).edge(0, 1).build();
    problem.blocks[0].kind = BlockKind::forward;
    problem.blocks[1].kind = BlockKind::backward;
    Schedule schedule = schedule_of(2, {{0, 0, 0}, {1, 0, 2}, {0, 1, 3}, {1, 1, 5}});
    schedule.repetend = RepetendMark{3, 1, 0, 2};
    const Result<std::string> text = write_tessel(problem, schedule);
    REQUIRE(text);
    CHECK(*text == R"({
  "ndevs": 2,
  "repetend": [0, 3],
  "blocks": [
    {"mid": 0, "span": 2, "memory": 1, "btype": "forward", "gid": 0, "step": 0, "device": [0]},
    {"mid": 0, "span": 1, "memory": -1, "btype": "backward", "gid": 1, "step": 2, "device": [0, 1]},
    {"mid": 1, "span": 2, "memory": 1, "btype": "forward", "gid": 0, "step": 3, "device": [0]},
    {"mid": 1, "span": 1, "memory": -1, "btype": "backward", "gid": 1, "step": 5, "device": [0, 1]}
  ]
}
)");
    CHECK(read_tessel(*text, &problem)->schedule.repetend == std::optional<RepetendMark>(RepetendMark{3, 1, 0, 1}));
}

TEST_CASE("what a plan cannot express is refused, all of it") {
    Problem problem = ProblemBuilder({-1, -1}).block("a", {0, 1}, 2, 1).block("b", {0}, 1, 0, 3).build();
    problem.devices[1].kind = DeviceKind::link;
    problem.blocks[0].kind = BlockKind::forward;
    problem.blocks[0].memory = {1, 2};
    problem.blocks[1].kind = BlockKind::weight_gradient;
    const Result<std::string> text = write_tessel(problem, schedule_of(1, {{0, 0, 0}, {1, 0, 2}}));
    REQUIRE_FALSE(text);
    std::vector<std::string> paths;
    for (const Fault& fault : text.faults()) {
        paths.push_back(fault.path);
        CHECK(fault.code == FaultCode::unsupported);
    }
    CHECK(paths ==
          std::vector<std::string>{"devices[1].kind", "blocks[0].memory", "blocks[1].kind", "blocks[1].transient"});
}

TEST_CASE("bad plans are answered with their path") {
    CHECK(only_fault("{}") == "ndevs: missing; expected an integer\nblocks: missing; expected an array");
    CHECK(only_fault(R"({"ndevs": 0, "blocks": [], "x": 1})").substr(0, 36) == "ndevs: expected an integer from 1 to");
    CHECK(only_fault(plan_of("")) == "blocks: at least one block is needed");
    CHECK(only_fault(plan_of(instance(0, 0, 0, 0, 1, "forward", "[0]"))).substr(0, 15) == "blocks[0].span:");
    CHECK(only_fault(plan_of(instance(0, 0, -1, 1, 1, "forward", "[0]"))).substr(0, 15) == "blocks[0].step:");
    CHECK(only_fault(plan_of(instance(0, 0, 0, 1, 1, "forwards", "[0]"))) ==
          "blocks[0].btype: unknown kind \"forwards\"; expected \"forward\" or \"backward\"");
    CHECK(only_fault(plan_of(instance(0, 0, 0, 1, 1, "forward", "[2]"))) ==
          "blocks[0].device[0]: expected an integer from 0 to 1, found 2");
    CHECK(only_fault(plan_of(instance(0, 0, 0, 1, 1, "forward", "[]"))) ==
          "blocks[0].device: a block needs at least one device");
    CHECK(only_fault(plan_of(instance(0, 0, 0, 1, 1, "forward", "[1, 1]"))) ==
          "blocks[0].device: a device is named twice");
    CHECK(only_fault(
              plan_of(instance(0, 0, 0, 1, 1, "forward", "[0]") + "," + instance(0, 0, 4, 1, 1, "forward", "[0]"))) ==
          "blocks[1]: gid 0 of micro-batch 0 stands in blocks[0] already");
    CHECK(only_fault(
              plan_of(instance(0, 0, 0, 1, 1, "forward", "[0]") + "," + instance(0, 1, 4, 2, 1, "forward", "[0]"))) ==
          "blocks[1].span: not the same as in blocks[0], which is gid 0 too");
    CHECK(only_fault(plan_of(instance(2, 0, 0, 1, 1, "forward", "[0]"))) ==
          "blocks: gid 0 of micro-batch 0 is missing; expected gid 0 to 2 of micro-batch 0 to 0");
    CHECK(only_fault(plan_of(instance(0, 2000000000, 0, 1, 1, "forward", "[0]"))).substr(0, 34) ==
          "blocks: gid 0 of micro-batch 0 is ");
    CHECK(only_fault(pipeline("[3]")) ==
          "repetend: expected null or an array of two steps, first and end, found an array");
    CHECK(only_fault(pipeline("[3, 3]")) == "repetend[1]: expected a step after 3");
    CHECK(only_fault(pipeline("[0, true]")) == "repetend[1]: expected an integer, found true");
}
