// Presets: the list, the files against what makes them, and the schema against the files and the reader.
// `unit_tests "[.write-presets]"` writes the files anew after a change of a formula or a generator.
#include "repetend/presets.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "json_schema.hpp"
#include "repetend/cost/real_models.hpp"
#include "repetend/format/json.hpp"
#include "support/paths.hpp"

using namespace repetend;
using nlohmann::json;
using test::read_text;
using test::Schema;

namespace {

std::filesystem::path problems_dir() { return test::source_dir() / "presets" / "problems"; }

// A real model's document: the derivation gets one sentence a line.
std::string real_document(const Problem& problem) {
    std::string text = write_problem(problem);
    for (const auto& [name, value] : problem.extra) {
        const json list = json::parse(value);
        if (!list.is_array()) continue;
        std::string tall = "[";
        for (const json& sentence : list) tall += (tall == "[" ? "\n    " : ",\n    ") + sentence.dump();
        const std::size_t at = text.find(value);
        REQUIRE(at != std::string::npos);
        text.replace(at, value.size(), tall + "\n  ]");
    }
    return text;
}

// Every file below presets/problems/ and the text it must hold.
std::map<std::string, std::string> expected_files() {
    std::map<std::string, std::string> files;
    for (const PlacementInfo& info : placements()) {
        const Result<Problem> problem = build_placement(info.name, {});
        REQUIRE(problem);
        files["shapes/" + info.name + "-4.json"] = write_problem(*problem);
    }
    for (const cost::RealModel& model : cost::real_models()) {
        files[model.preset + ".json"] = real_document(model.problem);
    }
    return files;
}

PlacementOptions none() { return {}; }

Fault refusal(std::string_view name, const PlacementOptions& options) {
    const Result<Problem> problem = build_preset(name, options);
    REQUIRE_FALSE(problem);
    return problem.faults().front();
}

// A document that uses every field of a problem once.
json full_problem() {
    return json::parse(R"({"format": "repetend.problem", "version": 1, "name": "n", "time_unit": "ns",
        "memory_unit": "byte", "micro_batches": 3, "x_note": [1],
        "devices": [{"name": "a", "kind": "compute", "memory_capacity": 9, "memory_static": 1, "x_a": 1},
                    {"kind": "link", "memory_capacity": null}],
        "blocks": [{"name": "f", "kind": "forward", "stage": 0, "devices": [0], "time": 2, "memory": 1, "transient": 1},
                   {"name": "b", "kind": "other", "devices": [0, 1], "time": 2, "memory": [-1, 0], "transient": [0, 0]}],
        "dependencies": [{"from": "f", "to": "b", "lag": 4, "x_e": null}]})");
}

bool reads(const json& document) { return static_cast<bool>(read_problem(document.dump())); }

}  // namespace

TEST_CASE("the presets are the placements and the real models, each once") {
    std::vector<std::string> names, expected;
    for (const PresetInfo& info : presets()) {
        names.push_back(info.name);
        INFO(info.name);
        CHECK_FALSE(info.summary.empty());
        CHECK_FALSE(info.teaches.empty());
        CHECK(build_preset(info.name, none()));
    }
    for (const PlacementInfo& info : placements()) expected.push_back(info.name);
    for (const cost::RealModel& model : cost::real_models()) expected.push_back(model.preset);
    CHECK(names == expected);
    CHECK(names.size() == 15);
}

TEST_CASE("a preset from a file is the problem that the cost formulas give") {
    for (const cost::RealModel& model : cost::real_models()) {
        const Result<Problem> problem = build_preset(model.preset, none());
        REQUIRE(problem);
        CHECK(*problem == model.problem);
        const auto info = std::find_if(presets().begin(), presets().end(),
                                       [&](const PresetInfo& preset) { return preset.name == model.preset; });
        REQUIRE(info != presets().end());
        CHECK(info->from_file);
    }
    CHECK(build_preset("gpt-v100x4", none())->micro_batches == 128);
}

TEST_CASE("a preset from a file takes micro-batches and memory, and refuses what would rebuild it") {
    PlacementOptions options;
    options.micro_batches = 7;
    options.memory = {25'000'000'000, std::nullopt, 24'000'000'000, 23'000'000'000};
    const Result<Problem> problem = build_preset("gpt-v100x4", options);
    REQUIRE(problem);
    CHECK(problem->micro_batches == 7);
    CHECK(problem->devices[0].memory_capacity == 25'000'000'000);
    CHECK_FALSE(problem->devices[1].memory_capacity);

    PlacementOptions building;
    building.devices = 4;
    building.forward = building.backward = building.weight = building.gang = building.lag = 1;
    building.chunks = 2;
    building.inference = true;
    const Result<Problem> refused = build_preset("mt5-v100x4", building);
    REQUIRE_FALSE(refused);
    std::set<std::string> paths;
    for (const Fault& fault : refused.faults()) {
        CHECK(fault.code == FaultCode::usage);
        paths.insert(fault.path);
    }
    CHECK(paths == std::set<std::string>{"--devices", "--forward", "--backward", "--weight", "--gang", "--lag",
                                         "--chunks", "--inference"});
    PlacementOptions wrong;
    wrong.micro_batches = 0;
    CHECK(refusal("flava-v100x4", wrong).path == "--micro-batches");
    wrong = {};
    wrong.memory = {1, 2};
    CHECK(refusal("flava-v100x4", wrong).path == "--memory");
}

TEST_CASE("an unknown preset is answered with the nearest name") {
    CHECK(refusal("gpt-v100x", none()).message.find("`gpt-v100x4`") != std::string::npos);
    CHECK(refusal("zbv", none()).message.find("`zb-v`") != std::string::npos);
    CHECK(refusal("", none()).code == FaultCode::usage);
}

TEST_CASE("every problem file holds exactly what its generator gives, and no file stands there without one") {
    std::set<std::string> present;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(problems_dir())) {
        if (entry.is_regular_file()) present.insert(entry.path().lexically_relative(problems_dir()).generic_string());
    }
    std::set<std::string> expected;
    for (const auto& [name, text] : expected_files()) {
        expected.insert(name);
        CHECK(read_text(problems_dir() / name) == text);
    }
    CHECK(present == expected);
}

TEST_CASE("every problem file fits the schema and the reader") {
    const Schema schema("problem.schema.json");
    for (const auto& [name, text] : expected_files()) {
        INFO(name);
        CHECK(schema.mismatch(json::parse(text)) == "");
        CHECK(read_problem(text));
    }
}

TEST_CASE("every field of the schema is known to the reader and the other way round") {
    const Schema schema("problem.schema.json");
    const json full = full_problem();
    CHECK(schema.mismatch(full) == "");
    const Result<Problem> problem = read_problem(full.dump());
    REQUIRE(problem);
    // The sample uses every property that the schema names, and nothing else.
    const auto covers = [](const json& properties, const std::vector<json>& samples) {
        for (const auto& property : properties.items()) {
            const std::string& name = property.key();
            INFO(name);
            CHECK(std::any_of(samples.begin(), samples.end(), [&](const json& s) { return s.contains(name); }));
        }
    };
    covers(schema.root()["properties"], {full});
    covers(schema.root()["$defs"]["device"]["properties"], {full["devices"][0]});
    covers(schema.root()["$defs"]["block"]["properties"], {full["blocks"][0]});
    covers(schema.root()["$defs"]["dependency"]["properties"], {full["dependencies"][0]});
    // What the writer writes of it fits the schema as well.
    CHECK(schema.mismatch(json::parse(write_problem(*problem))) == "");
}

TEST_CASE("schema and reader refuse the same wrong documents") {
    const Schema schema("problem.schema.json");
    const std::vector<std::string> patches = {
        R"([{"op": "remove", "path": "/devices"}])",
        R"([{"op": "remove", "path": "/blocks"}])",
        R"([{"op": "remove", "path": "/dependencies"}])",
        R"([{"op": "remove", "path": "/format"}])",
        R"([{"op": "remove", "path": "/version"}])",
        R"([{"op": "remove", "path": "/blocks/0/name"}])",
        R"([{"op": "remove", "path": "/blocks/0/time"}])",
        R"([{"op": "remove", "path": "/blocks/0/devices"}])",
        R"([{"op": "remove", "path": "/dependencies/0/to"}])",
        R"([{"op": "add", "path": "/extra", "value": 1}])",
        R"([{"op": "add", "path": "/devices/0/speed", "value": 1}])",
        R"([{"op": "add", "path": "/blocks/0/span", "value": 1}])",
        R"([{"op": "add", "path": "/dependencies/0/delay", "value": 1}])",
        R"([{"op": "replace", "path": "/version", "value": 2}])",
        R"([{"op": "replace", "path": "/devices", "value": []}])",
        R"([{"op": "replace", "path": "/devices/0/kind", "value": "gpu"}])",
        R"([{"op": "replace", "path": "/blocks/0/kind", "value": "weight"}])",
        R"([{"op": "replace", "path": "/blocks/0/time", "value": 0}])",
        R"([{"op": "replace", "path": "/blocks/0/time", "value": 1.5}])",
        R"([{"op": "replace", "path": "/blocks/0/time", "value": 9007199254740993}])",
        R"([{"op": "replace", "path": "/blocks/0/transient", "value": -1}])",
        R"([{"op": "replace", "path": "/blocks/0/memory", "value": "1"}])",
        R"([{"op": "replace", "path": "/blocks/0/devices", "value": []}])",
        R"([{"op": "replace", "path": "/blocks/0/devices", "value": 0}])",
        R"([{"op": "replace", "path": "/blocks/0/name", "value": ""}])",
        R"([{"op": "replace", "path": "/dependencies/0/lag", "value": -1}])",
        R"([{"op": "replace", "path": "/micro_batches", "value": 0}])",
    };
    CHECK(reads(full_problem()));
    for (const std::string& patch : patches) {
        INFO(patch);
        const json document = full_problem().patch(json::parse(patch));
        CHECK(schema.mismatch(document) != "");
        CHECK_FALSE(reads(document));
    }
}

TEST_CASE("schedules fit their schema, and wrong ones do not") {
    const Schema schema("schedule.schema.json");
    PlacementOptions options;
    options.devices = 1;
    const Problem problem = *build_placement("v", options);
    Schedule schedule;
    schedule.micro_batches = 2;
    for (std::int64_t n = 0; n < 2; ++n) {
        schedule.operations.push_back({0, n, 4 * n});
        schedule.operations.push_back({1, n, 4 * n + 1});
    }
    schedule.repetend = RepetendMark{4, 1, 0, 2};
    const std::string text = write_schedule(problem, schedule);
    const json document = json::parse(text);
    CHECK(schema.mismatch(document) == "");
    CHECK(read_schedule(text));
    const auto covered = [&](const json& properties, const json& sample) {
        for (const auto& [name, ignored] : properties.items()) CHECK(sample.contains(name));
    };
    covered(schema.root()["properties"], document);
    covered(schema.root()["properties"]["repetend"]["properties"], document["repetend"]);
    covered(schema.root()["$defs"]["operation"]["properties"], document["operations"][0]);
    for (const char* patch :
         {R"([{"op": "remove", "path": "/problem"}])", R"([{"op": "remove", "path": "/operations"}])",
          R"([{"op": "remove", "path": "/operations/0/start"}])", R"([{"op": "remove", "path": "/repetend/copies"}])",
          R"([{"op": "replace", "path": "/operations/0/micro_batch", "value": -1}])",
          R"([{"op": "replace", "path": "/problem/blocks/0/time", "value": 0}])",
          R"([{"op": "add", "path": "/problem/extra", "value": 0}])",
          R"([{"op": "add", "path": "/operations/0/end", "value": 0}])",
          R"([{"op": "replace", "path": "/micro_batches", "value": 0}])"}) {
        INFO(patch);
        const json wrong = document.patch(json::parse(patch));
        CHECK(schema.mismatch(wrong) != "");
        CHECK_FALSE(read_schedule(wrong.dump()));
    }
}

TEST_CASE("every derivation names its numbers") {
    for (const cost::RealModel& model : cost::real_models()) {
        INFO(model.preset);
        std::string derivation;
        for (const auto& [name, value] : model.problem.extra) {
            if (name != "x_derivation") continue;
            for (const json& sentence : json::parse(value)) derivation += sentence.get<std::string>() + "\n";
        }
        for (const Block& block : model.problem.blocks) {
            INFO(block.name);
            CHECK(derivation.find(std::to_string(block.time) + " ns") != std::string::npos);
            CHECK(derivation.find(std::to_string(block.transient.front())) != std::string::npos);
            if (block.memory.front() > 0) {
                CHECK(derivation.find(std::to_string(block.memory.front()) + " bytes") != std::string::npos);
            }
        }
        for (const Dependency& edge : model.problem.dependencies) {
            CHECK(derivation.find(std::to_string(edge.lag) + " ns") != std::string::npos);
        }
    }
}

TEST_CASE("write the problem files", "[.write-presets]") {
    for (const auto& [name, text] : expected_files()) {
        std::filesystem::create_directories((problems_dir() / name).parent_path());
        std::ofstream(problems_dir() / name, std::ios::binary) << text;
    }
}
