// CSV of PyTorch's pipelining runtime, in and out. The files of "other tools" are written by the grammar here; the
// orders of the small schedules are the published ones.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "problem_builder.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace {

using namespace repetend;
using namespace repetend::testing;
using Catch::Matchers::ContainsSubstring;

Problem preset(const char* name, std::int64_t devices, Ticks weight = 0) {
    PlacementOptions options;
    options.devices = devices;
    if (weight > 0) options.weight = weight;
    return build_placement(name, options).value();
}

Schedule family(const char* name, const Problem& problem, std::int64_t micro_batches) {
    return build_baseline(name, problem, micro_batches).value();
}

OrderedPlan read(std::string_view text, const Problem* problem = nullptr) {
    const Result<OrderedPlan> plan = read_torch_csv(text, problem, {});
    if (!plan) FAIL(to_string(plan.faults().front()));
    return *plan;
}

std::string fault_of(std::string_view text, const Problem* problem = nullptr) {
    const Result<OrderedPlan> plan = read_torch_csv(text, problem, {});
    return plan ? "" : to_string(plan.faults().front());
}

TEST_CASE("1F1B on two ranks is written row by row") {
    const Problem problem = preset("v", 2);
    CHECK(write_torch_csv(problem, family("1F1B", problem, 3), {}).value() ==
          "0F0,0F1,0B0,0F2,0B1,0B2\r\n"
          "1F0,1B0,1F1,1B1,1F2,1B2\r\n");
}

TEST_CASE("a split backward is written as I and W") {
    const Problem problem = preset("v-split", 1);
    CHECK(write_torch_csv(problem, family("1F1B", problem, 2), {}).value() == "0F0,0I0,0W0,0F1,0I1,0W1\r\n");
}

TEST_CASE("sends and receives are named by their own stage") {
    const Problem problem = preset("v", 2);
    CHECK(write_torch_csv(problem, family("1F1B", problem, 1), Receives::late).value() ==
          "0F0,0SEND_F0,0RECV_B0,0B0\r\n"
          "1RECV_F0,1F0,1B0,1SEND_B0\r\n");
}

TEST_CASE("neighbouring stages on one rank pass nothing") {
    const Problem problem = preset("zb-v", 1);
    const std::string text = write_torch_csv(problem, family("ZB-V", problem, 1), Receives::late).value();
    CHECK(text.find("SEND") == std::string::npos);
}

TEST_CASE("what was written is read back, with and without communication") {
    for (const char* name : {"v", "zb-v", "interleaved"}) {
        const Problem problem = preset(name, 3);
        const Schedule schedule = family(std::string(name) == "v"      ? "1F1B"
                                         : std::string(name) == "zb-v" ? "ZB-V"
                                                                       : "interleaved 1F1B",
                                         problem, 6);
        for (const auto communication :
             {std::optional<Receives>(), std::optional(Receives::early), std::optional(Receives::late)}) {
            INFO(name);
            const OrderedPlan plan = read(write_torch_csv(problem, schedule, communication).value(), &problem);
            CHECK(plan.program.routes.empty() == !communication);
            const Execution execution = execute(problem, plan.program, Semantics::direct);
            REQUIRE(execution.schedule);
            CHECK(execution.schedule->operations == schedule.operations);
        }
    }
}

TEST_CASE("without a problem stages get assumed costs, and the stage map is told") {
    const OrderedPlan plan = read("0F0,3F0,3B0,0B0\n1F0,2F0,2B0,1B0\n");
    CHECK(plan.problem.num_blocks() == 8);
    CHECK(plan.problem.blocks.front().name == "f0");
    CHECK(validate(plan.problem).empty());
    CHECK_THAT(plan.note, ContainsSubstring("stages 0 to 3 on ranks 0 1 1 0 (V order)"));
    // f 1, b 3, one after the other: 4 * 1 + 4 * 3.
    CHECK(execute(plan.problem, plan.program, Semantics::direct).makespan == 16);
    AssumedCosts costs;
    costs.forward = 10;
    costs.backward = 20;
    costs.lag = 1;
    const OrderedPlan dear = read_torch_csv("0F0,0B0\n1F0,1B0\n", nullptr, costs).value();
    CHECK(execute(dear.problem, dear.program, Semantics::direct).makespan == 62);
}

TEST_CASE("blanks, gaps, quotes, line ends, rows of different length and a byte order mark do not matter") {
    const Program plain = read("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n").program;
    CHECK(read("\xef\xbb\xbf 0F0 ,0F1,,,\t0B0,0B1\r\n,1F0,\"1B0\",1F1,1B1,,,\r\n\r\n").program == plain);
    CHECK(read("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1").program == plain);
}

TEST_CASE("actions on parameters are left out and counted") {
    const OrderedPlan plan = read("0UNSHARD,0F0,0B0,0REDUCE_GRAD,0RESHARD\n");
    CHECK(plan.program.devices[0].size() == 2);
    CHECK_THAT(plan.note, ContainsSubstring("3 actions on parameters"));
    CHECK(read("0UNSHARD0,0F0,0B0\n").program.devices[0].size() == 2);
}

TEST_CASE("an overlapped pair is two actions") {
    const OrderedPlan plan = read("0F0,(0F1;0B0)OVERLAP_F_B,0B1\n");
    CHECK(plan.program == read("0F0,0F1,0B0,0B1\n").program);
    CHECK_THAT(plan.note, ContainsSubstring("overlapped pairs"));
}

TEST_CASE("a full backward of a split stage is I and W") {
    const OrderedPlan plan = read("0F0,0F1,0B0,0I1,0W1\n");
    CHECK(plan.program == read("0F0,0F1,0I0,0W0,0I1,0W1\n").program);
    CHECK_THAT(plan.note, ContainsSubstring("I directly followed by W"));
}

TEST_CASE("broken files are refused with row and cell") {
    CHECK_THAT(fault_of(""), ContainsSubstring("empty"));
    CHECK_THAT(fault_of("0F0,0B0 x\n"), ContainsSubstring("row 0 cell 1: \" x\" follows the token"));
    CHECK_THAT(fault_of("0F0,0B0\n1F0,1X0\n"), ContainsSubstring("row 1 cell 1: expected a stage"));
    CHECK_THAT(fault_of("0F\n"), ContainsSubstring("row 0 cell 0: expected a micro-batch"));
    CHECK_THAT(fault_of("0F99999999999999999999\n"), ContainsSubstring("expected a micro-batch"));
    CHECK_THAT(fault_of("99999999999F0\n"), ContainsSubstring("expected a stage"));
    CHECK_THAT(fault_of("(0F0;0B0)\n"), ContainsSubstring("expected a pair"));
    CHECK_THAT(fault_of("0SEND_F0\n"), ContainsSubstring("no compute actions"));
    CHECK_THAT(fault_of("1F0,1B0\n"), ContainsSubstring("stage 0 has no forward"));
    CHECK_THAT(fault_of("0F0\n0B0\n"), ContainsSubstring("stage 0 runs on rank 0 already"));
    CHECK_THAT(fault_of("0F0,1F0,0SEND_F0\n"), ContainsSubstring("are on one rank and need no message"));
    CHECK_THAT(fault_of("0F0,0RECV_F0\n1F0\n"), ContainsSubstring("no stage at the other end"));
    CHECK_THAT(fault_of("0F0,1SEND_B0,0B0\n1F0,1B0\n"), ContainsSubstring("that stage runs on rank 1"));
}

TEST_CASE("a file must be about the problem given") {
    const Problem v = preset("zb-v", 2);
    CHECK_THAT(fault_of("0F0\n1F0\n", &v), ContainsSubstring("2 stages, the problem has 4"));
    CHECK_THAT(fault_of("0F0,2F0\n1F0,3F0\n", &v),
               ContainsSubstring("stages 0 to 3 on ranks 0 1 0 1 (looped order), the problem has stages 0 to 3 on "
                                 "ranks 0 1 1 0 (V order)"));
    const Problem whole = preset("v", 1);
    CHECK_THAT(fault_of("0F0,0I0,0W0\n", &whole), ContainsSubstring("split in the file and one block in the problem"));
    const Problem gang = preset("m", 2);
    CHECK_THAT(fault_of("0F0\n1F0\n", &gang), ContainsSubstring("cannot be one of PyTorch's"));
}

TEST_CASE("what PyTorch cannot express is refused") {
    const auto reason = [](const Problem& problem) {
        Schedule schedule;
        schedule.micro_batches = 1;
        const Result<std::string> text = write_torch_csv(problem, schedule, {});
        return text ? "" : to_string(text.faults().front());
    };
    CHECK_THAT(reason(preset("m", 2)), ContainsSubstring("runs on 2 devices at once"));
    CHECK_THAT(reason(preset("x", 2)), ContainsSubstring("stage 0 is on device 0 and on device 1"));
    Problem skip = preset("v", 4);
    skip.dependencies.push_back({0, 3, 0, {}});
    CHECK_THAT(reason(skip), ContainsSubstring("block \"f3\" (stage 3) needs block \"f0\" (stage 0)"));
    Problem filler = preset("v", 2);
    filler.blocks.push_back({"fill", BlockKind::other, {}, {0}, 1, {0}, {0}, {}});
    CHECK_THAT(reason(filler), ContainsSubstring("is of kind other"));
    Problem apart = preset("v", 2);
    apart.dependencies.erase(apart.dependencies.begin());
    CHECK_THAT(reason(apart), ContainsSubstring("forward blocks of stages 0 and 1 are not joined"));
}

TEST_CASE("stages are counted along the forward blocks where the problem has no numbers") {
    Problem problem = preset("zb-v", 2);
    for (Block& block : problem.blocks) block.stage.reset();
    CHECK(describe_torch_stages(problem) == "stages 0 to 3 on ranks 0 1 1 0 (V order)");
    CHECK(write_torch_csv(problem, family("ZB-V", problem, 4), {}).value() ==
          write_torch_csv(preset("zb-v", 2), family("ZB-V", problem, 4), {}).value());
}

TEST_CASE("a transfer on a link is PyTorch's own business") {
    Problem problem = preset("v", 2);
    problem.devices.push_back({"link", DeviceKind::link, {}, 0, {}});
    problem.blocks.push_back({"t", BlockKind::transfer, {}, {2}, 2, {0}, {0}, {}});
    problem.dependencies[0] = {0, 4, 0, {}};
    problem.dependencies.push_back({4, 1, 0, {}});
    const std::string text = write_torch_csv(problem, family("1F1B", problem, 2), {}).value();
    CHECK(text == "0F0,0F1,0B0,0B1\r\n1F0,1B0,1F1,1B1\r\n");
    const OrderedPlan plan = read(text, &problem);
    const Execution execution = execute(problem, plan.program, Semantics::direct);
    REQUIRE(execution.schedule);
    CHECK(execution.schedule->operations == family("1F1B", problem, 2).operations);
}

}  // namespace
