// The door: names, recognition of placements however their blocks are written down, and clear reasons.
#include <utility>

#include "baseline_support.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

// Blocks in reverse order, without stage numbers, under new names.
Problem disguised(const Problem& problem) {
    Problem other = problem;
    const int last = problem.num_blocks() - 1;
    std::reverse(other.blocks.begin(), other.blocks.end());
    for (Block& block : other.blocks) {
        block.stage.reset();
        block.name = "block " + block.name;
    }
    for (Dependency& dependency : other.dependencies) {
        dependency.from = last - dependency.from;
        dependency.to = last - dependency.to;
    }
    return other;
}

Block block_on(std::string name, BlockKind kind, std::vector<int> devices, Ticks time, Memory memory) {
    Block block;
    block.name = std::move(name);
    block.kind = kind;
    block.memory.assign(devices.size(), memory);
    block.transient.assign(devices.size(), 0);
    block.devices = std::move(devices);
    block.time = time;
    return block;
}

// A pipeline whose stages run on the given device sets.
Problem pipeline_on(const std::vector<std::vector<int>>& stages, int devices) {
    Problem problem;
    problem.devices.resize(static_cast<std::size_t>(devices));
    for (std::size_t s = 0; s < stages.size(); ++s) {
        problem.blocks.push_back(block_on("f" + std::to_string(s), BlockKind::forward, stages[s], 1, 1));
    }
    for (std::size_t s = stages.size(); s-- > 0;) {
        problem.blocks.push_back(block_on("b" + std::to_string(s), BlockKind::backward, stages[s], 2, -1));
    }
    for (int b = 0; b + 1 < problem.num_blocks(); ++b) problem.dependencies.push_back({b, b + 1, 0, {}});
    return problem;
}

TEST_CASE("every family has a name of its own that is found however it is written") {
    std::vector<std::string> names;
    for (const BaselineInfo& info : baselines()) {
        CHECK_FALSE(info.defined.empty());
        CHECK_FALSE(info.summary.empty());
        CHECK(find_baseline(info.name) == &info);
        names.push_back(info.name);
    }
    CHECK(names == std::vector<std::string>{"GPipe", "1F1B", "1F1B+", "interleaved-1F1B", "breadth-first", "ZB-H1",
                                            "ZB-H2", "ZB-V", "V-Half", "V-Min", "Chimera-direct", "DualPipe",
                                            "DualPipeV", "3F1B", "inference"});
    CHECK(find_baseline("gpipe")->name == "GPipe");
    CHECK(find_baseline("zb_h1")->name == "ZB-H1");
    CHECK(find_baseline("Interleaved 1F1B")->name == "interleaved-1F1B");
    CHECK(find_baseline("dualpipe-v")->name == "DualPipeV");
    CHECK(find_baseline("1f1b")->name == "1F1B");
    CHECK(find_baseline("1f1b+")->name == "1F1B+");
    CHECK(find_baseline("") == nullptr);
}

TEST_CASE("an unknown name and impossible numbers are faults of usage") {
    const Problem v = placement("v", 4, {});
    const Result<Schedule> unknown = build_baseline("gpip", v, 4);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.faults().front().code == FaultCode::usage);
    CHECK(unknown.faults().front().message == "there is no baseline `gpip`; did you mean `GPipe`?");
    CHECK(build_baseline("GPipe", v, 0).faults().front().code == FaultCode::usage);
    CHECK(build_baseline("GPipe", v, most_micro_batches).faults().front().code == FaultCode::limit);
}

TEST_CASE("neither names, nor stage numbers, nor the order of blocks matter") {
    const std::vector<std::pair<const char*, const char*>> cases = {{"GPipe", "v"},
                                                                    {"1F1B+", "nn"},
                                                                    {"interleaved-1F1B", "interleaved"},
                                                                    {"breadth-first", "interleaved"},
                                                                    {"ZB-H1", "v-split"},
                                                                    {"ZB-V", "zb-v"},
                                                                    {"V-Half", "zb-v"},
                                                                    {"DualPipeV", "zb-v"},
                                                                    {"3F1B", "alphafold"},
                                                                    {"Chimera-direct", "x"},
                                                                    {"DualPipe", "x"}};
    for (const auto& [family, shape] : cases) {
        PlacementOptions options;
        const Result<Problem> problem = build_placement(shape, options);
        REQUIRE(problem);
        const Run plain = run(family, *problem, 8);
        const Run other = run(family, disguised(*problem), 8);
        CHECK(plain.makespan == other.makespan);
        CHECK(plain.measures.peak_memory == other.measures.peak_memory);
    }
}

TEST_CASE("devices that always work together are one worker") {
    const Problem groups = pipeline_on({{0, 1, 2, 3}, {4}, {5, 6}, {7}}, 8);
    const Problem single = pipeline_on({{0}, {1}, {2}, {3}}, 4);
    for (const char* family : {"GPipe", "1F1B"}) {
        CHECK(run(family, groups, 8).makespan == run(family, single, 8).makespan);
    }
    CHECK(run("1F1B", groups, 8).measures.peak_memory == std::vector<Memory>{4, 4, 4, 4, 3, 2, 2, 1});
}

TEST_CASE("parts placed by hand on devices 0, 1 and back on 1, 0 are a V") {
    const Problem problem = pipeline_on({{0}, {1}, {1}, {0}}, 2);
    CHECK(run("DualPipeV", problem, 8).peak == 5);
    CHECK(reason("interleaved-1F1B", problem, 4) == "stage 2 is on device 1, expected on device 0");
}

TEST_CASE("skip connections change times, not the order") {
    Problem problem = pipeline_on({{0}, {1}, {2}, {3}}, 4);
    problem.dependencies.push_back({0, 3, 50, {}});
    const Run skipping = run("1F1B", problem, 8);
    CHECK(skipping.measures.peak_memory == std::vector<Memory>{4, 3, 2, 1});
    CHECK(skipping.makespan > run("1F1B", pipeline_on({{0}, {1}, {2}, {3}}, 4), 8).makespan);
}

TEST_CASE("a plan may split only some backwards") {
    Problem problem = pipeline_on({{0}, {1}, {2}, {3}}, 4);
    Block& whole = problem.blocks[5];  // b2
    whole.kind = BlockKind::input_gradient;
    whole.time = 1;
    problem.blocks.push_back(block_on("w2", BlockKind::weight_gradient, {2}, 1, 0));
    problem.dependencies.push_back({5, 8, 0, {}});
    run("1F1B", problem, 8);
    CHECK(reason("ZB-H1", problem, 8) == "backward block `b0` is not split into input and weight gradient");
}

TEST_CASE("transfers on links run in the order in which they become possible") {
    // Two stages, a link each way that takes longer than the blocks.
    Problem problem = pipeline_on({{0}, {1}}, 4);
    problem.devices[2].kind = problem.devices[3].kind = DeviceKind::link;
    problem.blocks.push_back(block_on("send", BlockKind::transfer, {2}, 3, 0));
    problem.blocks.push_back(block_on("return", BlockKind::transfer, {3}, 3, 0));
    problem.dependencies = {{0, 4, 0, {}}, {4, 1, 0, {}}, {1, 2, 0, {}}, {2, 5, 0, {}}, {5, 3, 0, {}}};
    // GPipe: forwards leave at 1, 2, 3, arrive at 4, 7, 10 and end on device 1 at 11; backwards end there at 13, 15,
    // 17, return at 16, 19, 22, and the last one ends at 24.
    CHECK(run("GPipe", problem, 3).makespan == 24);
    run("1F1B", problem, 8);
}

TEST_CASE("what no family orders is refused with its name") {
    Problem filler = pipeline_on({{0}, {1}}, 2);
    filler.blocks.push_back(block_on("ema", BlockKind::other, {0}, 1, 0));
    CHECK(reason("1F1B", filler, 4) == "`ema` is neither a forward nor a backward block");

    Problem sharing = pipeline_on({{0, 1}, {1, 2}}, 3);
    CHECK(reason("GPipe", sharing, 4).starts_with("devices are shared in part"));

    Problem lost = pipeline_on({{0}, {1}}, 2);
    lost.blocks.push_back(block_on("w9", BlockKind::weight_gradient, {0}, 1, 0));
    CHECK(reason("GPipe", lost, 4) == "weight gradient `w9` follows no input gradient on its device");

    Problem unmirrored = pipeline_on({{0}, {1}}, 2);
    unmirrored.blocks[2].devices = {0};
    CHECK(reason("GPipe", unmirrored, 4) == "backward block `b0` mirrors no forward block");

    Problem sending = pipeline_on({{0}, {1}}, 2);
    sending.blocks.push_back(block_on("copy", BlockKind::transfer, {1}, 1, 0));
    CHECK(reason("GPipe", sending, 4) == "transfer `copy` occupies device 1, which computes");

    CHECK(reason("1F1B", placement("m", 4, {}), 4) == "`F` is a block on several devices: 1F1B+ orders those");
    CHECK(reason("1F1B+", placement("v", 4, {}), 4) == "there are no blocks on several devices: 1F1B is the same");
    CHECK(reason("inference", placement("v", 4, {}), 4) == "there are backward blocks");
    CHECK(reason("GPipe", inference("v", 4), 4) == "there are no backward blocks (inference)");
    CHECK(reason("GPipe", placement("x", 4, {}), 4) == "device 0 holds 2 stages, expected one");
}

TEST_CASE("dependencies that contradict an order are found, not waited for") {
    // The backward pass runs from stage 0 to stage 1, with a block on both devices in between: GPipe's order has stage
    // 1 first.
    Problem problem = pipeline_on({{0}, {1}}, 2);
    problem.blocks.push_back(block_on("B", BlockKind::backward, {0, 1}, 1, 0));
    problem.dependencies = {{0, 1, 0, {}}, {1, 3, 0, {}}, {3, 4, 0, {}}, {4, 2, 0, {}}};
    CHECK(reason("GPipe", problem, 2) ==
          "its order contradicts the dependencies of this problem: `B` of micro-batch 0 waits for ever");
}

TEST_CASE("a gang that joins branches of unequal length waits for the longer one") {
    // Branches f0 f1 f2 and f3 into a block on all devices, and back.
    Problem problem = pipeline_on({{0}, {1}, {2}, {3}}, 4);  // f0..f3, b3..b0
    problem.blocks.push_back(block_on("F", BlockKind::forward, {0, 1, 2, 3}, 1, 0));
    problem.blocks.push_back(block_on("B", BlockKind::backward, {0, 1, 2, 3}, 1, 0));
    problem.dependencies = {{0, 1, 0, {}}, {1, 2, 0, {}}, {2, 8, 0, {}}, {3, 8, 0, {}}, {8, 9, 0, {}},
                            {9, 4, 0, {}}, {9, 5, 0, {}}, {5, 6, 0, {}}, {6, 7, 0, {}}};
    for (const std::int64_t m : {1, 2, 5, 16}) {
        run("GPipe", problem, m);
        run("1F1B+", problem, m);
    }
}

TEST_CASE("starts beyond the range of numbers are a fault") {
    Problem problem = pipeline_on({{0}, {1}}, 2);
    for (Block& block : problem.blocks) block.time = largest_number / 4;
    const Result<Schedule> schedule = build_baseline("GPipe", problem, 5);
    REQUIRE_FALSE(schedule);
    CHECK(schedule.faults().front().code == FaultCode::limit);
}

TEST_CASE("the families that fit, best first") {
    Problem problem = placement("v-split", 4, {1, 1, 1});
    const auto names = [](const std::vector<NamedSchedule>& list) {
        std::vector<std::string> text;
        for (const NamedSchedule& entry : list) text.push_back(entry.name);
        return text;
    };
    for (Device& device : problem.devices) device.memory_capacity = 8;
    CHECK(names(fitting_baselines(problem, 8)) == std::vector<std::string>{"ZB-H1", "1F1B"});
    for (Device& device : problem.devices) device.memory_capacity = 14;
    const std::vector<NamedSchedule> more = fitting_baselines(problem, 8);
    CHECK(names(more) == std::vector<std::string>{"ZB-H1", "ZB-H2", "1F1B"});
    for (const NamedSchedule& entry : more) CHECK_FALSE(verify_schedule(problem, entry.schedule));
    problem.devices[3].memory_static = 13;
    CHECK(fitting_baselines(problem, 8).empty());
    CHECK(fitting_baselines(problem, 0).empty());
    problem.blocks.front().kind = BlockKind::other;
    CHECK(fitting_baselines(problem, 8).empty());
}

// Every family on every preset that it accepts, from one micro-batch on: valid where capacities are as large as its
// peaks, and over capacity with one unit less.
TEST_CASE("every family on every placement and number of micro-batches") {
    std::size_t built = 0;
    for (const PlacementInfo& shape : placements()) {
        for (const bool forward_only : {false, true}) {
            if (forward_only && !shape.has_inference) continue;
            for (const std::int64_t devices : {1, 2, 3, 4, 6}) {
                PlacementOptions options;
                options.devices = devices;
                options.inference = forward_only;
                const Result<Problem> problem = build_placement(shape.name, options);
                if (!problem) continue;
                for (const BaselineInfo& family : baselines()) {
                    for (const std::int64_t m : {1, 2, 3, 5, 8, 13}) {
                        Result<Schedule> schedule = build_baseline(family.name, *problem, m);
                        if (!schedule) {
                            CHECK(schedule.faults().front().code == FaultCode::unsupported);
                            CHECK_FALSE(schedule.faults().front().message.starts_with("its order"));
                            continue;
                        }
                        ++built;
                        INFO(family.name << " on " << problem->name << ", " << m);
                        Problem fitted = *problem;
                        const Measures measures = measure(*problem, *schedule);
                        for (std::size_t d = 0; d < fitted.devices.size(); ++d) {
                            fitted.devices[d].memory_capacity = measures.peak_memory[d];
                        }
                        const auto violation = verify_schedule(fitted, *schedule);
                        CHECK_FALSE(violation);
                        if (forward_only || measures.peak_memory.front() == 0) continue;
                        fitted.devices.front().memory_capacity = measures.peak_memory.front() - 1;
                        const auto over = verify_schedule(fitted, *schedule);
                        REQUIRE(over);
                        CHECK(over->kind == ViolationKind::memory);
                    }
                }
            }
        }
    }
    CHECK(built > 500);
}

// Small random problems of every kind of block: whatever is built is valid, everything else has a reason.
TEST_CASE("random problems are recognised or refused") {
    std::uint64_t state = 1;
    const auto random = [&](int below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(below));
    };
    const BlockKind kinds[] = {BlockKind::forward,         BlockKind::forward,  BlockKind::backward,
                               BlockKind::input_gradient,  BlockKind::backward, BlockKind::weight_gradient,
                               BlockKind::weight_gradient, BlockKind::transfer, BlockKind::other};
    int built = 0;
    for (int round = 0; round < 3000; ++round) {
        Problem problem;
        const int devices = 1 + random(3);
        problem.devices.resize(static_cast<std::size_t>(devices));
        const int blocks = 1 + random(8);
        const int kinds_used = round % 3 == 0 ? 9 : round % 3 == 1 ? 7 : 4;
        for (int b = 0; b < blocks; ++b) {
            std::vector<int> on = {random(devices)};
            if (random(5) == 0) {
                on.clear();
                for (int d = 0; d < devices; ++d) on.push_back(d);
            }
            // Forwards first more often than not.
            const BlockKind kind = b < blocks / 2 && random(4) > 0 ? BlockKind::forward : kinds[random(kinds_used)];
            problem.blocks.push_back(block_on("x" + std::to_string(b), kind, on, 1 + random(4), random(3) - 1));
        }
        for (int b = 1; b < blocks; ++b) {
            if (random(6) > 0) problem.dependencies.push_back({b - 1, b, random(3), {}});
            if (b > 1 && random(3) == 0) problem.dependencies.push_back({random(b - 1), b, 0, {}});
        }
        REQUIRE(validate(problem).empty());
        for (const BaselineInfo& family : baselines()) {
            const int m = 1 + random(6);
            const Result<Schedule> schedule = build_baseline(family.name, problem, m);
            if (!schedule) {
                CHECK_FALSE(schedule.faults().front().message.empty());
                continue;
            }
            ++built;
            const auto violation = verify_schedule(problem, *schedule);
            if (violation) FAIL(family.name << ", round " << round << ": " << violation->message);
        }
    }
    CHECK(built > 300);
}

}  // namespace
