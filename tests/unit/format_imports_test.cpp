// Layout strings and cost tables. The first layout and what it must become are Megatron's own example.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "repetend/format/cost_tables.hpp"
#include "repetend/format/json.hpp"

namespace {

using namespace repetend;
using Catch::Matchers::ContainsSubstring;

LayoutOptions shape(std::optional<std::int64_t> devices, std::optional<std::int64_t> chunks = {}) {
    LayoutOptions options;
    options.devices = devices;
    options.chunks = chunks;
    return options;
}

std::string fault_of(std::string_view text, const LayoutOptions& options = {}) {
    const Result<ImportedProblem> read = read_megatron_layout(text, options);
    return read ? "" : to_string(read.faults().front());
}

std::vector<std::string> layers_of(std::string_view text, const LayoutOptions& options = {}) {
    const Result<ImportedProblem> read = read_megatron_layout(text, options);
    if (!read) FAIL(to_string(read.faults().front()));
    CHECK(validate(read->problem).empty());
    std::vector<std::string> layers;
    for (const Block& block : read->problem.blocks) {
        if (block.kind != BlockKind::forward) continue;
        CHECK(block.stage == static_cast<std::int64_t>(layers.size()));
        CHECK(block.devices.front() == static_cast<int>(layers.size()) % read->problem.num_devices());
        const std::string json = block.extra.front().second;  // "..."
        layers.push_back(json.substr(1, json.size() - 2));
    }
    return layers;
}

TEST_CASE("61 layers in 32 stages on 16 devices of 2 chunks") {
    const auto layers = layers_of("Et*3|(tt|)*29,m|L", shape(16, 2));
    REQUIRE(layers.size() == 32);
    CHECK(layers[0] == "E+3t");
    for (std::size_t s = 1; s < 30; ++s) CHECK(layers[s] == "2t");
    CHECK(layers[30] == "m");
    CHECK(layers[31] == "L");
    const ImportedProblem read = read_megatron_layout("Et*3|(tt|)*29,m|L", shape(16, 2)).value();
    CHECK_THAT(read.note, ContainsSubstring("61 decoder layers, 1 for multi-token prediction; device 0: E+3t and 2t; "
                                            "devices 1 to 13: 2t and 2t; device 14: 2t and m; device 15: 2t and L"));
    // Three layers of 1 tick, memory by layers; the loss alone lasts 1 tick.
    CHECK(read.problem.blocks[0].time == 3);
    CHECK(read.problem.blocks[0].memory.front() == 3);
    CHECK(read.problem.blocks[31].time == 1);
}

TEST_CASE("pipes, brackets and repeats mean what the grammar says") {
    using Layers = std::vector<std::string>;
    CHECK(layers_of("EtL") == Layers{"E+t+L"});
    CHECK(layers_of("E||t|L") == Layers{"E", "empty", "t", "L"});
    CHECK(layers_of("E,t,,|,t,L\n") == Layers{"E+t", "t+L"});
    CHECK(layers_of("E(t|)*3L") == Layers{"E+t", "t", "t", "L"});
    CHECK(layers_of("E((t|)*2t)*2L") == Layers{"E+t", "t", "2t", "t", "t+L"});
    CHECK(layers_of("Et|*2tL") == Layers{"E+t", "empty", "t+L"});
    CHECK(layers_of("E t*12 | L") == Layers{"E+12t", "L"});
}

TEST_CASE("costs follow the layers, of the embedding and the loss in proportion") {
    LayoutOptions options;
    options.costs.forward = 10;
    options.costs.backward = 15;
    options.costs.weight = 5;
    options.embedding = 4;
    options.loss = 7;
    const Problem problem = read_megatron_layout("Ett|tL", options).value().problem;
    const auto time = [&](const char* name) {
        for (const Block& block : problem.blocks) {
            if (block.name == name) return block.time;
        }
        return Ticks{0};
    };
    CHECK(time("f0") == 24);
    CHECK(time("b0") == 36);
    CHECK(time("w0") == 12);
    CHECK(time("f1") == 17);
    CHECK(time("b1") == 26);  // 15 + 10.5, rounded up
    CHECK(time("w1") == 9);   // 5 + 3.5, rounded up
}

TEST_CASE("layouts that are none are refused with the place or the count") {
    CHECK_THAT(fault_of(""), ContainsSubstring("character 1: expected E, t, m, L, | or a bracket"));
    CHECK_THAT(fault_of("EtxL"), ContainsSubstring("character 3: expected E, t, m, L, | or a bracket, found \"x\""));
    CHECK_THAT(fault_of("E(tL"), ContainsSubstring("the bracket is not closed"));
    CHECK_THAT(fault_of("EtL)"), ContainsSubstring("closed that was not opened"));
    CHECK_THAT(fault_of("Et*L"), ContainsSubstring("expected a count"));
    CHECK_THAT(fault_of("Et*0L"), ContainsSubstring("expected a count of at least 1"));
    CHECK_THAT(fault_of("E()tL"), ContainsSubstring("expected E, t, m, L"));
    CHECK_THAT(fault_of("E*3tL"), ContainsSubstring("there are 3 embeddings (E), expected one"));
    CHECK_THAT(fault_of("Et"), ContainsSubstring("there are 0 losses (L)"));
    CHECK_THAT(fault_of("tEL"), ContainsSubstring("the embedding (E) must come first"));
    CHECK_THAT(fault_of("EtLt"), ContainsSubstring("the loss (L) must come last"));
    CHECK_THAT(fault_of("EtmtL"), ContainsSubstring("comes after a layer for multi-token prediction"));
    CHECK_THAT(fault_of("Et|t|tL", shape(2)), ContainsSubstring("3 stages, which do not make 2 devices of any number"));
    CHECK_THAT(fault_of("Et|t|t|tL", shape(2, 3)), ContainsSubstring("4 stages, which do not make 2 devices of 3"));
}

TEST_CASE("a short text cannot ask for endless layers or brackets") {
    CHECK_THAT(fault_of("Et*99999999999999999999L"), ContainsSubstring("more than 1048576 symbols"));
    CHECK_THAT(fault_of("E((((((t*1000)*1000)*1000)*1000)*1000)*1000)L"), ContainsSubstring("more than"));
    CHECK_THAT(fault_of("E" + std::string(100'000, '(')), ContainsSubstring("nested deeper than 64"));
    CHECK_THAT(fault_of("E(t|)*100000L"), ContainsSubstring("more than this program accepts"));
}

ImportedProblem table(std::string_view text) {
    const Result<ImportedProblem> read = read_zb_costs(text);
    if (!read) FAIL(to_string(read.faults().front()));
    CHECK(validate(read->problem).empty());
    return *read;
}
std::string table_fault(std::string_view text) {
    const Result<ImportedProblem> read = read_zb_costs(text);
    return read ? "" : to_string(read.faults().front());
}

TEST_CASE("a cost table is a chain of split stages") {
    const Problem problem = table(R"({"n_stages": 2, "n_micro": 8, "cost_f": [3, 4], "cost_b": [5, 6], "cost_w": [1, 2],
                                      "cost_comm": 7, "mem_f": [2, 2], "mem_b": [1, -1], "mem_w": [-3, -1],
                                      "max_mem": [9, 8], "print_scaling": 100})")
                                .problem;
    CHECK(problem.micro_batches == 8);
    REQUIRE(problem.num_blocks() == 6);
    CHECK(problem.blocks[0].time == 3);
    CHECK(problem.blocks[4].name == "b0");
    CHECK(problem.blocks[4].kind == BlockKind::input_gradient);
    CHECK(problem.blocks[4].time == 5);
    CHECK(problem.blocks[4].memory.front() == 1);
    CHECK(problem.blocks[5].memory.front() == -3);
    CHECK(problem.devices[1].memory_capacity == 8);
    CHECK(problem.dependencies[0].lag == 7);
    CHECK(problem.time_unit.empty());
}

TEST_CASE("two chunks are a V, more are looped") {
    const auto devices = [](const Problem& problem) {
        std::vector<int> list;
        for (const Block& block : problem.blocks) {
            if (block.kind == BlockKind::forward) list.push_back(block.devices.front());
        }
        return list;
    };
    const std::string rest = R"("n_micro": 8, "cost_f": 1, "cost_b": 1, "cost_w": 1})";
    CHECK(devices(table(R"({"n_stages": 3, "max_chunks": 2, )" + rest).problem) == std::vector<int>{0, 1, 2, 2, 1, 0});
    CHECK(devices(table(R"({"n_stages": 2, "max_chunks": 3, )" + rest).problem) == std::vector<int>{0, 1, 0, 1, 0, 1});
}

TEST_CASE("fractions are kept exactly, in a finer unit") {
    const ImportedProblem read = table(R"({"n_stages": 1, "n_micro": 1, "cost_f": 1.25, "cost_b": 2e-1, "cost_w": 3.0,
                                           "mem_f": 1.5, "mem_b": -0.50, "mem_w": -1, "max_mem": 1e1})");
    CHECK(read.problem.blocks[0].time == 125);
    CHECK(read.problem.blocks[1].time == 20);
    CHECK(read.problem.blocks[2].time == 300);
    CHECK(read.problem.time_unit == "x 0.01");
    CHECK(read.problem.blocks[0].memory.front() == 15);
    CHECK(read.problem.devices[0].memory_capacity == 100);
    CHECK(read.problem.memory_unit == "x 0.1");
}

TEST_CASE("a weight gradient of no time is part of its backward") {
    const ImportedProblem read = table(R"({"n_stages": 2, "n_micro": 1, "cost_f": 1, "cost_b": 2, "cost_w": [0, 1],
                                           "mem_f": 2, "mem_b": -1, "mem_w": -1})");
    CHECK(read.problem.num_blocks() == 5);
    CHECK(read.problem.blocks.back().kind == BlockKind::backward);
    CHECK(read.problem.blocks.back().memory.front() == -2);
    CHECK_THAT(read.note, ContainsSubstring("part of its backward"));
}

TEST_CASE("tables that make no sense are refused") {
    const auto with = [](const std::string& changed) {
        return R"({"n_stages": 2, "n_micro": 8, "cost_f": 1, "cost_b": 1, "cost_w": 1, )" + changed + "}";
    };
    CHECK_THAT(table_fault("{}"), ContainsSubstring("n_stages: missing"));
    CHECK_THAT(table_fault(with(R"("mem_f": [1, 2, 3])")),
               ContainsSubstring("mem_f: 3 numbers, expected one for each"));
    CHECK_THAT(table_fault(with(R"("mem_f": 1)")), ContainsSubstring("mem_f + mem_b + mem_w must be 0"));
    CHECK_THAT(table_fault(with(R"("cost_comm": -1)")),
               ContainsSubstring("cost_comm: expected a number of at least 0"));
    CHECK_THAT(table_fault(with(R"("cost_comm": 1e-30)")), ContainsSubstring("at most 9 decimals"));
    CHECK_THAT(table_fault(with(R"("cost_comm": 1e30)")), ContainsSubstring("expected a number up to 2^53"));
    CHECK_THAT(table_fault(with(R"("cost_comm": 9000000000000000, "x_a": 1, "cost_x": 2)")),
               ContainsSubstring("unknown field \"cost_x\""));
    CHECK_THAT(table_fault(R"({"n_stages": 2, "n_micro": 8, "cost_f": [9e15, 0.1], "cost_b": 1, "cost_w": 1})"),
               ContainsSubstring("too far apart"));
    CHECK_THAT(table_fault(R"({"n_stages": 2, "n_micro": 8, "cost_f": 0, "cost_b": 1, "cost_w": 1})"),
               ContainsSubstring("cost_f[0]: expected a number above 0"));
    CHECK_THAT(
        table_fault(R"({"n_stages": 4096, "max_chunks": 16384, "n_micro": 8, "cost_f": 1, "cost_b": 1, "cost_w": 1})"),
        ContainsSubstring("more stages than this program accepts"));
}

}  // namespace
