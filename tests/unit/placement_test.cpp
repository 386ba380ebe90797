// Placement families against the listings of the reference (tests/data/placements.json) and the options of the
// contract.
#include "repetend/placement/placement.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "support/paths.hpp"

using namespace repetend;

namespace {

nlohmann::json read_data(const char* name) {
    std::ifstream file(test::source_dir() / "tests" / "data" / name);
    REQUIRE(file);
    return nlohmann::json::parse(file);
}

Problem build(const std::string& name, const PlacementOptions& options = {}) {
    const Result<Problem> problem = build_placement(name, options);
    INFO(name << ": " << (problem ? std::string() : to_string(problem.faults().front())));
    REQUIRE(problem);
    return *problem;
}

Fault refusal(const std::string& name, const PlacementOptions& options) {
    const Result<Problem> problem = build_placement(name, options);
    REQUIRE_FALSE(problem);
    return problem.faults().front();
}

const Block& block(const Problem& problem, const std::string& name) {
    const auto found =
        std::find_if(problem.blocks.begin(), problem.blocks.end(), [&](const Block& b) { return b.name == name; });
    INFO(name);
    REQUIRE(found != problem.blocks.end());
    return *found;
}

const Dependency& edge(const Problem& problem, const std::string& from, const std::string& to) {
    const auto found = std::find_if(problem.dependencies.begin(), problem.dependencies.end(), [&](const Dependency& d) {
        return problem.blocks[static_cast<std::size_t>(d.from)].name == from &&
               problem.blocks[static_cast<std::size_t>(d.to)].name == to;
    });
    INFO(from << " -> " << to);
    REQUIRE(found != problem.dependencies.end());
    return *found;
}

PlacementOptions devices(std::int64_t count) {
    PlacementOptions options;
    options.devices = count;
    return options;
}

PlacementOptions split(std::int64_t weight = 1) {
    PlacementOptions options;
    options.weight = weight;
    return options;
}

}  // namespace

TEST_CASE("every placement equals the reference listing, block by block") {
    const nlohmann::json data = read_data("placements.json");
    std::set<std::string> shapes;
    for (const nlohmann::json& expected : data["placements"]) {
        const std::string shape = expected["shape"];
        shapes.insert(shape);
        PlacementOptions options = devices(expected["devices"].get<std::int64_t>());
        options.inference = !expected["train"].get<bool>();
        const Problem problem = build(shape, options);
        INFO(problem.name);
        REQUIRE(problem.blocks.size() == expected["blocks"].size());
        for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
            const Block& made = problem.blocks[i];
            const nlohmann::json& listed = expected["blocks"][i];
            CHECK(made.name == listed[0].get<std::string>());
            CHECK(to_string(made.kind) == listed[1].get<std::string>());
            CHECK(made.time == listed[2].get<Ticks>());
            CHECK(made.devices == listed[3].get<std::vector<int>>());
            CHECK(made.memory == std::vector<Memory>(made.devices.size(), listed[4].get<Memory>()));
            CHECK(made.transient == std::vector<Memory>(made.devices.size(), 0));
        }
        std::set<std::pair<int, int>> made_edges, listed_edges;
        for (const Dependency& d : problem.dependencies) {
            CHECK(made_edges.emplace(d.from, d.to).second);
            CHECK(d.lag == 0);
        }
        for (const nlohmann::json& e : expected["dependencies"]) listed_edges.emplace(e[0], e[1]);
        CHECK(made_edges == listed_edges);
        CHECK(most_work_ticks(problem) == expected["work"].get<Ticks>());
        for (const Device& device : problem.devices) CHECK_FALSE(device.memory_capacity);
        CHECK_FALSE(problem.micro_batches);
    }
    CHECK(shapes == std::set<std::string>{"v", "x", "m", "nn", "nn-eager", "k", "mllm", "finetune", "alphafold"});
}

TEST_CASE("every family builds a valid problem for odd and even device counts, in every variant") {
    for (const PlacementInfo& info : placements()) {
        for (const std::int64_t count : {1, 2, 3, 4, 5, 6, 7, 16, 33}) {
            if (info.name == "k" && count % 2 != 0) continue;
            if ((info.name == "nn" || info.name == "nn-eager") && count < 2) continue;
            for (const int variant : {0, 1, 2}) {
                if (variant == 2 && !info.has_inference) continue;
                PlacementOptions options = variant == 1 ? split() : PlacementOptions{};
                options.devices = count;
                options.inference = variant == 2;
                const Problem problem = build(info.name, options);
                INFO(problem.name);
                CHECK(problem.num_devices() == count);
                CHECK(validate(problem).empty());
                for (int device = 0; device < problem.num_devices(); ++device) {
                    CHECK(net_memory(problem, device) == 0);
                    CHECK(work_ticks(problem, device) > 0);
                }
                if (variant == 2) {
                    for (const Block& b : problem.blocks) {
                        CHECK(b.kind == BlockKind::forward);
                        for (const Memory memory : b.memory) CHECK(memory == 0);
                    }
                }
            }
        }
    }
}

TEST_CASE("nn with an odd number of devices turns back after as many stages as before the second lookup") {
    const Problem problem = build("nn", devices(5));
    std::string order;
    for (const Block& b : problem.blocks) order += b.name + " ";
    CHECK(order == "F1 f0 f1 F2 f2 f3 f4 b4 b3 B2 b2 b1 b0 B1 ");
}

TEST_CASE("impossible device counts are usage faults that name the option") {
    for (const auto& [name, count] : {std::pair<const char*, int>{"k", 5},
                                      {"k", 0},
                                      {"k", 1},
                                      {"nn", 1},
                                      {"nn-eager", 1},
                                      {"v", 0},
                                      {"v", -3},
                                      {"v", 4097},
                                      {"x", 5000}}) {
        INFO(name << " " << count);
        const Fault fault = refusal(name, devices(count));
        CHECK(fault.code == FaultCode::usage);
        CHECK(fault.path == "--devices");
    }
    CHECK(refusal("k", devices(5)).message.find("even") != std::string::npos);
}

TEST_CASE("sizes are refused before anything is built") {
    PlacementOptions options = devices(4096);
    options.chunks = 16384;
    CHECK(refusal("interleaved", options).message.find("blocks") != std::string::npos);
    CHECK(refusal("alphafold",
                  [] {
                      PlacementOptions most = split();
                      most.devices = 4096;
                      return most;
                  }())
              .path == "--devices");
}

TEST_CASE("an unknown placement is answered with the nearest name") {
    const Fault fault = refusal("finetun", {});
    CHECK(fault.code == FaultCode::usage);
    CHECK(fault.message.find("`finetune`") != std::string::npos);
}

TEST_CASE("options that a placement has no use for are refused") {
    PlacementOptions chunks, gang, backward, weight;
    chunks.chunks = 3;
    gang.gang = 2;
    backward.backward = 3;
    weight.weight = 1;
    backward.inference = weight.inference = true;
    CHECK(refusal("v", chunks).path == "--chunks");
    CHECK(refusal("zb-v", gang).path == "--gang");
    CHECK(refusal("m", backward).path == "--backward");
    CHECK(refusal("m", weight).path == "--weight");
    PlacementOptions inference;
    inference.inference = true;
    CHECK(refusal("mllm", inference).path == "--inference");
}

TEST_CASE("every wrong option is reported, not only the first") {
    PlacementOptions options = devices(3);
    options.forward = 0;
    options.lag = -1;
    options.micro_batches = 0;
    const Result<Problem> problem = build_placement("k", options);
    REQUIRE_FALSE(problem);
    std::set<std::string> paths;
    for (const Fault& fault : problem.faults()) paths.insert(fault.path);
    CHECK(paths == std::set<std::string>{"--devices", "--forward", "--lag", "--micro-batches"});
}

TEST_CASE("times beyond the range of the arithmetic are refused") {
    PlacementOptions options;
    options.forward = largest_number;
    CHECK(refusal("v", options).code == FaultCode::usage);
    options.forward = largest_number + 1;
    CHECK(refusal("v", options).path == "--forward");
}

TEST_CASE("times come from the options") {
    PlacementOptions options;
    options.forward = 7;
    options.backward = 11;
    options.gang = 5;
    options.micro_batches = 9;
    const Problem problem = build("m", options);
    CHECK(block(problem, "f2").time == 7);
    CHECK(block(problem, "b2").time == 11);
    CHECK(block(problem, "F").time == 5);
    CHECK(block(problem, "B").time == 5);
    CHECK(problem.micro_batches == 9);
}

TEST_CASE("a split backward has two blocks and counts memory in halves of an activation") {
    for (const char* name : {"v", "v-split", "m", "nn", "x", "finetune", "alphafold", "interleaved", "zb-v"}) {
        const Problem problem = build(name, split(4));
        INFO(problem.name);
        const std::string prefix = name == std::string("x") ? "down." : "";
        const Block& f = block(problem, name == std::string("alphafold") ? "f3.2" : prefix + "f2");
        const Block& b = block(problem, prefix + "b2");
        const Block& w = block(problem, prefix + "w2");
        CHECK(f.memory == std::vector<Memory>{2});
        CHECK((b.kind == BlockKind::input_gradient && b.time == 1 && b.memory == std::vector<Memory>{-1}));
        CHECK((w.kind == BlockKind::weight_gradient && w.time == 4 && w.memory == std::vector<Memory>{-1}));
        CHECK(w.devices == f.devices);
        edge(problem, prefix + "b2", prefix + "w2");
        edge(problem, prefix + "b3", prefix + "b2");
        for (const Dependency& d : problem.dependencies) {
            CHECK(problem.blocks[static_cast<std::size_t>(d.from)].kind != BlockKind::weight_gradient);
        }
    }
}

TEST_CASE("blocks on all devices are not split, and those that hold memory scale with the stages") {
    const Problem problem = build("k", split());
    CHECK(block(problem, "F").memory == std::vector<Memory>(4, 2));
    CHECK(block(problem, "B").memory == std::vector<Memory>(4, -2));
    CHECK(block(problem, "B").kind == BlockKind::backward);
    CHECK(block(build("m", split()), "B").time == 1);
}

TEST_CASE("a weight of 0 undoes the split of placements that split by nature") {
    const Problem problem = build("v-split", split(0));
    CHECK(problem.blocks == build("v").blocks);
    CHECK(problem.dependencies == build("v").dependencies);
}

TEST_CASE("capacities: one for all, one each, unlimited, and in activations with a split") {
    PlacementOptions options;
    options.memory = {6};
    for (const Device& device : build("v", options).devices) CHECK(device.memory_capacity == 6);
    for (const Device& device : build("zb-v", options).devices) CHECK(device.memory_capacity == 12);
    options.memory = {4, std::nullopt, 2, 0};
    const Problem each = build("v", options);
    CHECK(each.devices[0].memory_capacity == 4);
    CHECK_FALSE(each.devices[1].memory_capacity);
    CHECK(each.devices[3].memory_capacity == 0);
    options.memory = {std::nullopt};
    for (const Device& device : build("v", options).devices) CHECK_FALSE(device.memory_capacity);
    options.memory = {1, 2, 3};
    CHECK(refusal("v", options).path == "--memory");
    options.memory = {-1};
    CHECK(refusal("v", options).path == "--memory");
    options.memory = {largest_number};
    CHECK_NOTHROW(build("v", options));
    CHECK(refusal("zb-v", options).path == "--memory");
}

TEST_CASE("the lag delays edges whose blocks share no device, and no others") {
    PlacementOptions options;
    options.lag = 5;
    const Problem v = build("v", options);
    CHECK(edge(v, "f0", "f1").lag == 5);
    CHECK(edge(v, "f3", "b3").lag == 0);
    CHECK(edge(v, "b3", "b2").lag == 5);
    const Problem zb = build("zb-v", options);
    CHECK(edge(zb, "f2", "f3").lag == 5);
    CHECK(edge(zb, "f3", "f4").lag == 0);
    CHECK(edge(zb, "b5", "w5").lag == 0);
    const Problem m = build("m", options);
    CHECK(edge(m, "F", "f0").lag == 0);
    CHECK(edge(m, "b0", "B").lag == 0);
    const Problem k = build("k", options);
    CHECK(edge(k, "f0", "f1").lag == 5);
    CHECK(edge(k, "f3", "F").lag == 0);
}

TEST_CASE("zb-v: device r holds stages r and 2D-1-r") {
    const Problem problem = build("zb-v");
    CHECK(problem.num_blocks() == 24);
    for (int stage = 0; stage < 8; ++stage) {
        const int device = stage < 4 ? stage : 7 - stage;
        CHECK(block(problem, "f" + std::to_string(stage)).devices == std::vector<int>{device});
        CHECK(block(problem, "b" + std::to_string(stage)).devices == std::vector<int>{device});
    }
    CHECK(most_work_ticks(problem) == 6);
}

TEST_CASE("interleaved: stage k on device k mod D, chunks from the option") {
    PlacementOptions options = devices(3);
    options.chunks = 4;
    const Problem problem = build("interleaved", options);
    CHECK(problem.num_blocks() == 24);
    for (int stage = 0; stage < 12; ++stage) {
        CHECK(block(problem, "f" + std::to_string(stage)).devices == std::vector<int>{stage % 3});
    }
    CHECK(build("interleaved").num_blocks() == 16);
}

TEST_CASE("every family says what it is and what it shows") {
    std::set<std::string> names;
    for (const PlacementInfo& info : placements()) {
        CHECK(names.insert(info.name).second);
        CHECK_FALSE(info.summary.empty());
        CHECK_FALSE(info.teaches.empty());
    }
    CHECK(names.size() == 12);
}
