// Cost formulas against published figures, and the three real models against their formulas worked out by hand.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <string>

#include "repetend/cost/formulas.hpp"
#include "repetend/cost/hardware.hpp"
#include "repetend/cost/real_models.hpp"

using namespace repetend;
using namespace repetend::cost;

namespace {

constexpr std::int64_t mebibyte = 1 << 20;

const Block& block(const Problem& problem, const std::string& name) {
    const auto found =
        std::find_if(problem.blocks.begin(), problem.blocks.end(), [&](const Block& b) { return b.name == name; });
    REQUIRE(found != problem.blocks.end());
    return *found;
}

void check_block(const Problem& problem, const std::string& name, Ticks time, Memory change, Memory transient) {
    const Block& made = block(problem, name);
    INFO(name);
    CHECK(made.time == time);
    for (const Memory memory : made.memory) CHECK(memory == change);
    for (const Memory memory : made.transient) CHECK(memory == transient);
}

double in_tera(std::int64_t flops) { return std::round(static_cast<double>(flops) / 1e9) / 1e3; }

}  // namespace

TEST_CASE("forward arithmetic of a layer equals the published table") {
    CHECK(in_tera(forward_flops({1, 2048, 4096, 32, false})) == 0.893);
    CHECK(in_tera(forward_flops({1, 2048, 6144, 48, false})) == 1.959);
    CHECK(in_tera(forward_flops({1, 2048, 8192, 64, false})) == 3.436);
    CHECK(in_tera(forward_flops({4, 1024, 1024, 16, false})) == 0.120);
    CHECK(in_tera(forward_flops({4, 1024, 1024, 16, true})) == 0.172);
    CHECK(in_tera(forward_flops({1, 1024, 6144, 48, true})) == 1.288);
    CHECK(in_tera(forward_flops({1, 901, 4096, 32, false})) == 0.376);
    CHECK(in_tera(forward_flops({1, 1925, 4096, 32, false})) == 0.836);
}

TEST_CASE("activations of a layer equal the published table") {
    CHECK(activation_bytes({1, 2048, 4096, 32, false}, 1) == 912 * mebibyte);
    CHECK(activation_bytes({1, 2048, 6144, 48, false}, 1) == 1368 * mebibyte);
    CHECK(activation_bytes({4, 1024, 1024, 16, false}, 1) == 456 * mebibyte);
    CHECK(boundary_bytes({1, 2048, 4096, 32, false}) == 16 * mebibyte);
    CHECK(boundary_bytes({4, 1024, 1024, 16, false}) == 8 * mebibyte);
}

TEST_CASE("activations without recompute under tensor parallelism equal the published memory per GPU") {
    // First stage of 1F1B: L layers' worth in flight at t = 8 (22B: b = 4, 48 layers, one stage).
    const double gibibyte = 1024.0 * mebibyte;
    CHECK(static_cast<double>(48 * activation_bytes({4, 2048, 6144, 64, false}, 8)) / gibibyte == 59.25);
    // 175B: 96 layers, 8 stages of 3 chunks: (1 + 7/24) of them.
    const double layers = 96 * (1 + 7.0 / 24);
    CHECK(layers * static_cast<double>(activation_bytes({1, 2048, 12288, 96, false}, 8)) / gibibyte == 66.84375);
    CHECK(static_cast<double>(128 * activation_bytes({1, 2048, 25600, 160, false}, 8)) / gibibyte == 131.25);
}

TEST_CASE("parameters of layers and embeddings equal the published counts") {
    CHECK(std::llround(static_cast<double>(layer_parameters({1, 2048, 4096, 32, false})) / 1e5) == 2014);
    CHECK(std::llround(static_cast<double>(layer_parameters({4, 1024, 1024, 16, false})) / 1e5) == 126);
    CHECK(std::llround(static_cast<double>(layer_parameters({4, 1024, 1024, 16, true})) / 1e5) == 168);
    const std::int64_t gpt = 32 * layer_parameters({1, 2048, 4096, 32, false}) + embedding_parameters(1'024'000, 4096);
    CHECK(std::llround(static_cast<double>(gpt) / 1e8) == 106);
    const std::int64_t mt5 = 24 * layer_parameters({4, 1024, 1024, 16, false}) +
                             24 * layer_parameters({4, 1024, 1024, 16, true}) + embedding_parameters(1'024'000, 1024);
    CHECK(std::llround(static_cast<double>(mt5) / 1e7) == 175);
}

TEST_CASE("durations follow latency plus size over rate") {
    CHECK(round_ns(compute_ns(v100_sxm_32gb(), 893'353'197'568.0)) == 17'867'064);  // the table says 17.9 ms
    CHECK(round_ns(transfer_ns(v100_nvlink(), 97'500'000)) == 1'010'000);
    CHECK(round_ns(transfer_ns(v100_all_reduce_4(), 57'200'000)) == 1'045'000);
    CHECK(round_ns(memory_ns(v100_sxm_32gb(), 67'500'000)) == 100'000);
    CHECK(round_ns(0.2) == 1);
    CHECK(round_ns(2.5) == 3);
}

// The numbers below were worked out apart from the program, from the formulas that each file states.
TEST_CASE("gpt-v100x4 holds what its formulas give") {
    const Problem problem = gpt_v100x4();
    CHECK(validate(problem).empty());
    CHECK(problem.micro_batches == 128);
    CHECK(problem.time_unit == "ns");
    CHECK(problem.memory_unit == "byte");
    for (int device = 0; device < 4; ++device) {
        check_block(problem, "f" + std::to_string(device), 142'936'512, 8 * 16 * mebibyte, 912 * mebibyte);
        check_block(problem, "b" + std::to_string(device), 428'809'535, -8 * 16 * mebibyte, 912 * mebibyte);
        const Device& gpu = problem.devices[static_cast<std::size_t>(device)];
        CHECK(gpu.memory_capacity == std::int64_t{30} * 1024 * mebibyte);
        CHECK(gpu.memory_static == 21'276'917'760);
        CHECK(std::llround(static_cast<double>(gpu.memory_static) / mebibyte / 102.4) == 198);  // 19.8 GiB
    }
    check_block(problem, "F", 388'018, 0, 16 * mebibyte);
    check_block(problem, "B", 412'873, 0, 16 * mebibyte);
    for (const Dependency& edge : problem.dependencies) {
        const Block& from = problem.blocks[static_cast<std::size_t>(edge.from)];
        const Block& to = problem.blocks[static_cast<std::size_t>(edge.to)];
        const bool apart = from.devices.size() == 1 && to.devices.size() == 1 && from.devices != to.devices;
        CHECK(edge.lag == (apart ? 182'074 : 0));
    }
    CHECK_FALSE(find_misfit(problem));
}

TEST_CASE("mt5-v100x4 holds what its formulas give") {
    const Problem problem = mt5_v100x4();
    CHECK(validate(problem).empty());
    CHECK(problem.micro_batches == 32);
    for (const char* number : {"0", "1"}) {
        check_block(problem, std::string("f") + number, 28'862'180, 12 * 8 * mebibyte, 456 * mebibyte);
        check_block(problem, std::string("b") + number, 86'586'541, -12 * 8 * mebibyte, 456 * mebibyte);
    }
    for (const char* number : {"2", "3"}) {
        check_block(problem, std::string("f") + number, 41'231'686, 13 * 8 * mebibyte, 828 * mebibyte);
        check_block(problem, std::string("b") + number, 123'695'058, -13 * 8 * mebibyte, 828 * mebibyte);
    }
    for (const char* name : {"F1", "F2"}) check_block(problem, name, 216'509, 0, 8 * mebibyte);
    for (const char* name : {"B1", "B2"}) check_block(problem, name, 228'937, 0, 8 * mebibyte);
    CHECK(problem.devices[0].memory_static == 3'306'389'504);
    CHECK(problem.devices[1].memory_static == 3'306'389'504);
    CHECK(problem.devices[2].memory_static == 3'707'764'736);
    CHECK(problem.devices[3].memory_static == 3'707'764'736);
    // The encoder's output needs no edge of its own only while it travels faster than the lookup runs.
    for (const Dependency& edge : problem.dependencies) {
        CHECK((edge.lag == 0 || edge.lag == 96'037));
        CHECK(edge.lag < block(problem, "F2").time);
    }
    CHECK_FALSE(find_misfit(problem));
}

TEST_CASE("flava-v100x4 holds what its formulas give") {
    const Problem problem = flava_v100x4();
    CHECK(validate(problem).empty());
    CHECK(problem.micro_batches == 128);
    check_block(problem, "f0", 90'261'856, 0, 255'365'024);
    check_block(problem, "f1", 90'261'856, 0, 255'365'024);
    check_block(problem, "f2", 103'104'070, 0, 310'378'496);
    check_block(problem, "f3", 103'079'215, 0, 310'378'496);
    check_block(problem, "F", 58'166'528, 0, 274'381'800);
    CHECK(problem.devices[0].memory_static == 6'041'395'200);
    CHECK(problem.devices[2].memory_static == 6'291'431'424);
    for (const Dependency& edge : problem.dependencies) {
        const std::string& from = problem.blocks[static_cast<std::size_t>(edge.from)].name;
        CHECK(edge.lag == (from == "f0" ? 85'702 : from == "f2" ? 96'037 : 0));
    }
    CHECK_FALSE(find_misfit(problem));
}
