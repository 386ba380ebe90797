// What users of other tools asked for, each with a small input and the right value. D1, D3, ... number the demands as
// in the survey of those tools; threads are named where they can be looked up.
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "baseline_support.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/format/cost_tables.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/session/session.hpp"

namespace {

using namespace repetend;
using namespace repetend::testing;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

SearchResult search(const Problem& problem, std::int64_t micro_batches, Objective objective = Objective::makespan) {
    SearchOptions options;
    options.micro_batches = micro_batches;
    options.objective = objective;
    options.work_budget = 20'000'000;
    Session session = std::move(Session::start(problem, options).value());
    while (session.step(1'000'000)) {
    }
    SearchResult result = session.result();
    if (result.schedule) CHECK(!verify_schedule(problem, *result.schedule));
    return result;
}

void limit(Problem& problem, const std::vector<Memory>& capacities) {
    for (std::size_t d = 0; d < capacities.size(); ++d) problem.devices[d].memory_capacity = capacities[d];
}

Execution run_csv(const char* text, Semantics semantics = Semantics::direct) {
    const Result<OrderedPlan> plan = read_torch_csv(text, nullptr, {});
    if (!plan) FAIL(to_string(plan.faults().front()));
    return execute(plan->problem, plan->program, semantics);
}

template <class Write>
std::string text_of(Write write) {
    std::string text;
    write([&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

TEST_CASE("D1: stages differ in memory (zero-bubble#8)") {
    Problem problem = placement("v", 4, {});
    limit(problem, {4, 3, 2, 1});
    const SearchResult falling = search(problem, 8, Objective::period);
    CHECK(falling.period == 4);
    CHECK(falling.makespan == 4 * 8 + 12);
    CHECK(falling.measures->peak_memory == std::vector<Memory>{4, 3, 2, 1});
    // Device 0 holds a micro-batch from its forward to the end of its backward, 16 ticks, and has room for 2.
    limit(problem, {2, 4, 4, 4});
    const SearchResult narrow = search(problem, 8, Objective::period);
    CHECK(narrow.period == 8);
    CHECK(narrow.period_optimal);
    CHECK(narrow.measures->peak_memory[0] == 2);
}

TEST_CASE("D3: the input gradient can add memory (zero-bubble#63)") {
    const auto problem = [](const char* most) {
        return read_zb_costs(std::string(R"({"n_stages": 2, "n_micro": 1, "cost_f": 1, "cost_b": 1, "cost_w": 1,
            "mem_f": 2, "mem_b": 1, "mem_w": -3, "max_mem": )") +
                             most + "}")
            .value()
            .problem;
    };
    const SearchResult enough = search(problem("3"), 1);
    CHECK(enough.makespan == 5);
    CHECK(enough.measures->peak_memory == std::vector<Memory>{3, 3});
    CHECK(search(problem("2"), 1).status == SearchStatus::infeasible);
}

TEST_CASE("D4: interleaved against ZB-V at small and large m (zero-bubble#21)") {
    // Equal models: two chunks a device, F = I = W = 1 or B = I + W = 2 each.
    const Problem looped = placement("interleaved", 8, {1, 2}), v = placement("zb-v", 8, {1, 1, 1});
    for (const std::int64_t m : {8, 32, 512}) {
        CHECK(run("interleaved 1F1B", looped, m).makespan == 6 * m + 7 * 3);  // (p-1)(F+B)
        const Ticks zero_bubble = run("ZB-V", v, m).makespan;
        CHECK(zero_bubble <= 6 * m + 7 * 3);
        if (m >= 2 * 8) CHECK(zero_bubble == 6 * m + 7);  // (p-1) F
    }
}

TEST_CASE("D6: communication and idle time are told apart (zero-bubble#25)") {
    const Problem problem = placement("v", 4, {10, 20, 0, 1});
    const Schedule schedule = build_baseline("1F1B", problem, 4).value();
    const json trace = json::parse(text_of([&](const TextSink& sink) { write_trace(problem, schedule, sink); }));
    int transfers = 0;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] != "X" || event["cat"] != "communication") continue;
        ++transfers;
        CHECK(event["dur"] == 1);
    }
    CHECK(transfers == 6 * 4);  // 3 activations and 3 gradients for each micro-batch
    CHECK_THAT(draw_svg(problem, schedule, {}), ContainsSubstring("stroke-width=\"0.75\""));  // lines of transfers
}

TEST_CASE("D7: the backward is split for some micro-batches or stages only (zero-bubble#32)") {
    // Micro-batch 0 whole, micro-batch 1 split with W put off: 1 + 1 + 2 + 1 + 1.
    CHECK(run_csv("0F0,0F1,0B0,0I1,0W1\n").makespan == 6);
    // A stage whose weight gradient takes no time keeps its backward whole.
    const Problem mixed =
        read_zb_costs(R"({"n_stages": 2, "n_micro": 4, "cost_f": 1, "cost_b": [2, 1], "cost_w": [0, 1]})")
            .value()
            .problem;
    CHECK(mixed.num_blocks() == 5);
    const SearchResult result = search(mixed, 4);
    CHECK(*result.makespan == 1 + 3 * 4);  // the second stage works all the time, from the end of the first forward
    CHECK(result.makespan_optimal);
}

TEST_CASE("D8: offloading as blocks, their time from bytes and bandwidth (zero-bubble#62, #66)") {
    // 4 GiB over 16 GB/s (decimal): 4 * 2^30 / 16 ns, rounded up.
    const Ticks offload_ns = (std::int64_t{4} * (1 << 30) + 15) / 16;
    CHECK(offload_ns == 268435456);
    // On device 0 of V, in units of its forward: out and in 1 tick each. One activation fits.
    Problem problem = placement("v", 4, {});
    limit(problem, {1});
    CHECK(search(problem, 8, Objective::period).period == 16);  // held from f0 to b0
    problem.blocks.push_back({"out", BlockKind::transfer, {}, {0}, 1, {-1}, {0}, {}});
    problem.blocks.push_back({"in", BlockKind::transfer, {}, {0}, 1, {1}, {0}, {}});
    problem.dependencies.push_back({0, 8, 0, {}});
    problem.dependencies.push_back({8, 9, 0, {}});
    problem.dependencies.push_back({9, 7, 0, {}});
    CHECK(search(problem, 8, Objective::period).period ==
          6);  // 1 + 1 + 1 + 3 ticks of work, all of it with memory held
}

TEST_CASE("D9: W before its I is rejected (zero-bubble#72)") {
    CHECK(run_csv("0F0,0W0,0I0\n").obstacle ==
          "w0 of micro-batch 0 stands before b0 of micro-batch 0 on device 0, but depends on it");
}

TEST_CASE("D10: receives placed early block the warm-up (pytorch#188833)") {
    const Problem problem = placement("interleaved", 8, {1, 2});
    const Schedule schedule = build_baseline("interleaved 1F1B", problem, 16).value();
    const auto makespan = [&](Receives receives, Semantics semantics) {
        return execute(problem, with_communication(problem, schedule, receives), semantics).makespan;
    };
    const Ticks plain = 6 * 16 + 7 * 3;
    CHECK(makespan(Receives::late, Semantics::buffered) == plain);
    CHECK(makespan(Receives::early, Semantics::buffered) == plain);
    CHECK(makespan(Receives::early, Semantics::rendezvous) > plain);
    CHECK(makespan(Receives::late, Semantics::rendezvous) <= makespan(Receives::early, Semantics::rendezvous));
}

TEST_CASE("D12: hangs that depend on how sends and receives are grouped (pytorch#126419, #127332)") {
    // 1F1B with every send before the next receive: both send, nobody receives.
    const char* const sends_first =
        "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
        "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\n";
    CHECK(run_csv(sends_first, Semantics::buffered).makespan == 4 * 2 + 4);
    const Execution blocking = run_csv(sends_first, Semantics::rendezvous);
    CHECK(blocking.deadlock);
    CHECK(
        blocking.obstacle ==
        "deadlock: device 0 waits to send f0 of micro-batch 1 to device 1, device 1 waits to send b1 of micro-batch 0 "
        "to device 0, which closes the circle: none of them can go on");
    // Ours for the same order of blocks hangs with neither.
    const OrderedPlan plan = read_torch_csv(sends_first, nullptr, {}).value();
    const Schedule schedule = *execute(plan.problem, plan.program, Semantics::direct).schedule;
    for (const Receives receives : {Receives::early, Receives::late}) {
        const Program ours = with_communication(plan.problem, schedule, receives);
        CHECK(execute(plan.problem, ours, Semantics::rendezvous).schedule);
    }
}

TEST_CASE("D13: fewer micro-batches than devices (torchtitan#775)") {
    for (const PlacementInfo& info : placements()) {
        const Result<Problem> problem = build_placement(info.name, {});
        REQUIRE(problem);
        for (std::int64_t m = 1; m < problem->num_devices(); ++m) {
            INFO(info.name << ", m = " << m);
            for (const BaselineInfo& family : baselines()) {  // a schedule or a reason
                const Result<Schedule> schedule = build_baseline(family.name, *problem, m);
                if (schedule) CHECK(!verify_schedule(*problem, *schedule));
            }
            CHECK(search(*problem, m).makespan.has_value());
        }
    }
    CHECK(search(placement("interleaved", 4, {}), 1).makespan == 8 * 1 + 8 * 3);
}

TEST_CASE("D14: ZB-V needs the V order of stages, and exports say which it is (torchtitan#774)") {
    const Problem v = placement("zb-v", 4, {1, 1, 1}), looped = placement("interleaved", 4, {1, 1, 1});
    CHECK(describe_torch_stages(v) == "stages 0 to 7 on ranks 0 1 2 3 3 2 1 0 (V order)");
    CHECK(describe_torch_stages(looped) == "stages 0 to 7 on ranks 0 1 2 3 0 1 2 3 (looped order)");
    const std::string text = write_torch_csv(v, build_baseline("ZB-V", v, 8).value(), {}).value();
    const Result<OrderedPlan> wrong = read_torch_csv(text, &looped, {});
    REQUIRE(!wrong);
    CHECK_THAT(to_string(wrong.faults().front()),
               ContainsSubstring("(V order), the problem has stages 0 to 7 on ranks 0 1 2 3 0 1 2 3 (looped order)"));
    CHECK_THAT(reason("ZB-V", looped, 8), ContainsSubstring("expected on"));
}

TEST_CASE("D15: with recomputation splitting the backward may lose (torchtitan#773)") {
    // Recomputing costs 1 once in a whole backward (1 + 2), and once more when its two halves run apart.
    CHECK(run("1F1B", placement("v", 4, {1, 3}), 32).makespan == 4 * 32 + 3 * 4);
    const SearchResult split = search(placement("v-split", 4, {1, 2, 2}), 32);
    CHECK(split.makespan_lower_bound >= 5 * 32);
    CHECK(*split.makespan >= 5 * 32 + 3);
}

TEST_CASE("D17: drawings are true to time (pytorch#160474)") {
    const Problem problem = placement("zb-v", 4, {10, 12, 8});
    const std::string svg = draw_svg(problem, build_baseline("DualPipeV", problem, 8).value(), {});
    const auto width = [&](const std::string& block) {
        const std::size_t title = svg.find("<title>" + block + ", micro-batch 0:");
        REQUIRE(title != std::string::npos);
        const std::size_t rect = svg.rfind("<rect", title);
        const std::size_t at = svg.find("width=\"", rect) + 7;
        return std::stod(svg.substr(at, svg.find('"', at) - at));
    };
    // All blocks lose the same gap to their neighbours; input gradients also half a pixel of border on each side.
    CHECK(width("f0") / (width("w0")) > 1.2);
    CHECK(std::abs((width("f0") - width("w0")) / 2 - (width("f0") + 1) / 10) < 0.2);
}

TEST_CASE("D18: skip connections (pytorch#127964)") {
    Problem problem = placement("v", 4, {});
    problem.dependencies.push_back({0, 3, 20, {}});
    CHECK(search(problem, 1).makespan == 1 + 20 + 1 + 4 * 3);
    const std::vector<Route> routes = find_routes(problem);
    CHECK(std::any_of(routes.begin(), routes.end(), [](const Route& r) { return r.from == 0 && r.receiver == 3; }));
    const Result<std::string> torch = write_torch_csv(problem, build_baseline("1F1B", problem, 2).value(), {});
    REQUIRE(!torch);
    CHECK_THAT(to_string(torch.faults().front()), ContainsSubstring("(stage 3) needs block \"f0\" (stage 0)"));
}

TEST_CASE("D20: two formulas for ZB1P are one, because B means two things (DeepSeek-V3#724, #211)") {
    const Ticks f = 3, i = 5, w = 2, b = i + w, p = 4, m = 8;
    CHECK((p - 1) * (f + b - 2 * w) == (p - 1) * (f + i - w));
    CHECK(run("ZB-H1", placement("v-split", p, {f, i, w}), m).makespan == m * (f + b) + (p - 1) * (f + i - w));
}

TEST_CASE("D21: p+1 activations in DualPipe, at equal number of stages (DualPipe#23, #8)") {
    const std::int64_t p = 8, n = 2 * p;
    const Run both_ways = run("DualPipe", placement("x", p, {1, 1, 1}), n / 2);
    // Split: a forward holds 2 units. Each device has a stage of either direction.
    for (const Memory peak : both_ways.measures.peak_memory) CHECK(peak <= 2 * (p + 1));
    CHECK(both_ways.peak == 2 * (p + 1));
    CHECK(run("1F1B", placement("v-split", p, {1, 1, 1}), n).peak == 2 * p);
}

TEST_CASE("D23: memory is that of the fullest device, not of the average (Megatron-Bridge#5077)") {
    LayoutOptions options;
    const Problem problem = read_megatron_layout("Et|tt|tt|tttL", options).value().problem;
    // 1F1B holds 4, 3, 2, 1 micro-batches of 1, 2, 2, 3 layers.
    CHECK(run("1F1B", problem, 8).measures.peak_memory == std::vector<Memory>{4, 6, 4, 3});
}

// Megatron's interleaved order, 2 chunks a device, with chunks changed after `group` micro-batches. With its warm-up
// for that group, 2(p-d-1) + group, a group below p is a deadlock; this is the warm-up for p.
Program grouped(const Problem& problem, int p, std::int64_t m, std::int64_t group, int slope) {
    Program program;
    program.micro_batches = m;
    program.devices.resize(static_cast<std::size_t>(p));
    const int stages = 2 * p;
    const auto at = [&](std::int64_t step, bool forward, int device) {
        const std::int64_t round = step / (2 * group), inside = step % (2 * group);
        const int chunk = static_cast<int>(inside / group);
        const int stage = device + p * (forward ? chunk : 1 - chunk);
        return Action{ActionKind::compute, forward ? stage : stages + (stages - 1 - stage),
                      round * group + inside % group};
    };
    for (int d = 0; d < p; ++d) {
        const std::int64_t warmup = std::min<std::int64_t>(slope * (p - d - 1) + p, 2 * m);
        auto& list = program.devices[static_cast<std::size_t>(d)];
        for (std::int64_t k = 0; k < warmup; ++k) list.push_back(at(k, true, d));
        for (std::int64_t k = warmup; k < 2 * m; ++k) {
            list.push_back(at(k, true, d));
            list.push_back(at(k - warmup, false, d));
        }
        for (std::int64_t k = 2 * m - warmup; k < 2 * m; ++k) list.push_back(at(k, false, d));
    }
    CHECK(problem.num_blocks() == 2 * stages);
    return program;
}

TEST_CASE("D25: a group smaller than the pipeline leaves bubbles that a search removes (Megatron-LM#1829)") {
    const Problem problem = placement("interleaved", 4, {1, 2});
    const Execution standard = execute(problem, grouped(problem, 4, 8, 4, 2), Semantics::direct);
    CHECK(standard.makespan == run("interleaved 1F1B", problem, 8).makespan);
    // With the usual warm-up a group of 2 would have device 0 wait for a forward of device 3, and that for a backward
    // of device 0; with a flatter one it runs.
    CHECK(execute(problem, grouped(problem, 4, 8, 2, 2), Semantics::direct).deadlock);
    const Execution small = execute(problem, grouped(problem, 4, 8, 2, 1), Semantics::direct);
    REQUIRE(small.obstacle == "");
    CHECK(small.makespan > standard.makespan);
    CHECK(*search(problem, 8).makespan < small.makespan);
}

TEST_CASE("D26: parts of a model placed by hand (Megatron-LM#1856)") {
    // Part A on devices 0, 1 and part B on 1, 0.
    Problem problem = placement("interleaved", 2, {});
    for (Block& block : problem.blocks) {
        if (*block.stage >= 2) block.devices = {3 - static_cast<int>(*block.stage)};
    }
    CHECK(describe_torch_stages(problem) == "stages 0 to 3 on ranks 0 1 1 0 (V order)");
    const SearchResult result = search(problem, 4);
    CHECK(result.makespan_optimal);
    CHECK(*result.makespan >= 4 * 8);  // 2 chunks of 1 + 3 ticks on each device
}

TEST_CASE("D27: vocabulary and loss spread over devices (torchtitan#680, Megatron-LM#5318)") {
    const SearchResult m = search(placement("m", 4, {}), 8), nn = search(placement("nn", 4, {}), 8);
    CHECK(m.makespan == 6 * 8 + 12);
    CHECK(m.makespan_optimal);
    CHECK(nn.makespan == 8 * 8 + 12);
    CHECK(nn.makespan_optimal);
}

TEST_CASE("D29: the first and the last stage need more memory (DeepSpeed#1378, #4477)") {
    Problem problem = placement("v", 4, {});
    for (Block& block : problem.blocks) {
        const bool end = block.devices.front() == 0 || block.devices.front() == 3;
        block.memory.front() *= end ? 13 : 10;
    }
    CHECK(run("1F1B", problem, 8).measures.peak_memory == std::vector<Memory>{52, 30, 20, 13});
    limit(problem, {40, 40, 40, 40});
    const auto violation = verify_schedule(problem, build_baseline("1F1B", problem, 8).value());
    REQUIRE(violation);
    CHECK(violation->message == "device 0 holds 52 at time 3 when f0 of micro-batch 3 starts: the capacity is 40");
    const SearchResult result = search(problem, 8);
    CHECK(result.measures->peak_memory[0] == 39);
    CHECK(*result.makespan > 4 * 8 + 12);
}

TEST_CASE("D32: the makespan at the user's own m counts, ramps included (nnscaler#30)") {
    for (const std::int64_t m : {4, 128}) {
        const SearchResult result = search(placement("v", 4, {}), m);
        CHECK(result.makespan == 4 * m + 12);
        CHECK(result.makespan_optimal);
    }
}

TEST_CASE("D34: tensor parallelism differs from stage to stage (vllm#27239)") {
    Problem problem = placement("v", 4, {});
    problem.devices.resize(8);
    const std::vector<std::vector<int>> devices = {{0, 1, 2, 3}, {4}, {5, 6}, {7}};
    for (Block& block : problem.blocks) {
        block.devices = devices[static_cast<std::size_t>(*block.stage)];
        block.memory.resize(block.devices.size(), block.memory.front());
        block.transient.resize(block.devices.size(), 0);
    }
    CHECK(run("1F1B", problem, 8).makespan == 4 * 8 + 12);
    CHECK(search(problem, 8).makespan == 4 * 8 + 12);
    // f0 to 4; f1 to 5 and 6; f2 to 7; b3 to 5 and 6; b2 to 4; b1 to 0, 1, 2 and 3.
    CHECK(find_routes(problem).size() == 1 + 2 + 1 + 2 + 1 + 4);
}

TEST_CASE("D35: a message without its other end is told, nothing hangs (LLMServingSim#55)") {
    CHECK(run_csv("0F0,0RECV_B0,0B0\n1RECV_F0,1F0,1B0,1SEND_B0\n", Semantics::buffered).obstacle ==
          "the send of f0 of micro-batch 0 to device 1 is missing on device 0: its receive would wait for ever");
    CHECK(run_csv("0F0,0SEND_F0,0RECV_B0,0B0\n1F0,1B0,1SEND_B0\n", Semantics::buffered).obstacle ==
          "the receive of f0 of micro-batch 0 from device 0 is missing on device 1");
}

TEST_CASE("D37: 49,152 slices are no trouble (trace-viewer#957)") {
    const Problem problem = placement("v-split", 32, {1, 1, 1});
    const Schedule schedule = build_baseline("ZB-H1", problem, 512).value();
    CHECK(schedule.operations.size() == 32 * 512 * 3);
    CHECK(draw_svg(problem, schedule, {}).size() < 4'000'000);
    std::size_t slices = 0;
    write_trace(problem, schedule, [&](std::string_view piece) {
        for (std::size_t at = piece.find("\"ph\":\"X\""); at != std::string_view::npos;
             at = piece.find("\"ph\":\"X\"", at + 1))
            ++slices;
        return true;
    });
    CHECK(slices == schedule.operations.size());
}

TEST_CASE("D40: bubbles are filled with work that waits for nothing (Optimus)") {
    Problem problem = placement("v", 4, {});
    for (int d = 0; d < 4; ++d) {
        problem.blocks.push_back({"fill" + std::to_string(d), BlockKind::other, {}, {d}, 1, {0}, {0}, {}});
    }
    // 12 of 44 ticks are idle on every device; 8 more ticks of work fit into them.
    const SearchResult result = search(problem, 8);
    CHECK(*result.makespan >= 4 * 8 + 12);
    CHECK(result.makespan_lower_bound >= 4 * 8 + 12);
    CHECK(*result.makespan == 4 * 8 + 12);
}

TEST_CASE("embedding and head on one device share its static memory") {
    // Stages 0 and 3 on device 0, which holds 7 all the time; memory_static is part of the capacity.
    Problem problem = placement("v", 4, {});
    for (Block& block : problem.blocks) {
        if (block.stage == 3) block.devices = {0};
    }
    problem.devices.pop_back();
    problem.devices[0].memory_static = 7;
    problem.devices[0].memory_capacity = 9;
    const SearchResult result = search(problem, 4);
    REQUIRE(result.schedule);
    CHECK(result.measures->peak_memory[0] == 9);  // one activation of each stage
    problem.devices[0].memory_capacity = 8;
    CHECK(search(problem, 4).status == SearchStatus::infeasible);
}

TEST_CASE("32 devices x 4,096 micro-batches leave in small pieces") {
    const Problem problem = placement("v", 32, {});
    const Schedule schedule = build_baseline("1F1B", problem, 4096).value();
    std::size_t largest = 0, total = 0;
    const TextSink sink = [&](std::string_view piece) {
        largest = std::max(largest, piece.size());
        total += piece.size();
        return true;
    };
    CHECK(write_trace(problem, schedule, sink));
    CHECK(write_instructions(problem, schedule, Receives::late, sink));
    CHECK(total > 100'000'000);
    CHECK(largest < 200'000);
    CHECK(write_torch_csv(problem, schedule, Receives::late).value().size() > 5'000'000);
}

}  // namespace
