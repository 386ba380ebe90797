// Clusters and models as files: every preset is read, fits its schema and names its sources; every fault of a broken
// file is named with its path.
#include "repetend/format/profile_files.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "json_schema.hpp"
#include "repetend/presets_profiles.hpp"

using namespace repetend;
using nlohmann::json;
using test::read_text;
using test::Schema;

namespace {

std::set<std::string> stems_of(const std::string& folder) {
    std::set<std::string> stems;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "presets" / folder)) {
        stems.insert(entry.path().stem().string());
    }
    return stems;
}

json preset_json(const std::string& folder, const std::string& name) {
    return json::parse(read_text(test::source_dir() / "presets" / folder / (name + ".json")));
}

json cluster_document() { return preset_json("clusters", "a100-80"); }
json model_document() { return preset_json("models", "mt5-2b"); }

template <class T>
std::set<std::string> told(const Result<T>& result) {
    std::set<std::string> lines;
    if (result) return lines;
    for (const Fault& fault : result.faults()) lines.insert(to_string(fault));
    return lines;
}

std::set<std::string> cluster_faults(const json& document) { return told(read_cluster(document.dump())); }
std::set<std::string> model_faults(const json& document) { return told(read_model(document.dump())); }

using Lines = std::set<std::string>;

}  // namespace

TEST_CASE("every cluster preset is read, fits its schema and names its sources", "[profile]") {
    const Schema schema("cluster.schema.json");
    const std::vector<std::string> names = cluster_names();
    CHECK(std::set<std::string>(names.begin(), names.end()) == stems_of("clusters"));
    for (const std::string& name : names) {
        INFO(name);
        const json document = preset_json("clusters", name);
        CHECK(schema.mismatch(document) == "");
        const Result<cost::Cluster> cluster = cluster_preset(name);
        REQUIRE(cluster);
        CHECK(cluster->name == document["name"].get<std::string>());
        for (const char* part : {"gpu", "efficiency", "inside", "network"}) {
            CHECK(document[part]["source"].get<std::string>().size() > 5);
        }
    }
    CHECK(names.size() >= 4);
}

TEST_CASE("every model preset is read and fits its schema", "[profile]") {
    const Schema schema("model.schema.json");
    const std::vector<std::string> names = model_names();
    CHECK(std::set<std::string>(names.begin(), names.end()) == stems_of("models"));
    for (const std::string& name : names) {
        INFO(name);
        CHECK(schema.mismatch(preset_json("models", name)) == "");
        CHECK(model_preset(name));
    }
    const Result<cost::Model> mixture = model_preset("mixtral-8x7b");
    REQUIRE(mixture);
    CHECK(mixture->parts[0].layers[0].experts == 8);
}

TEST_CASE("figures arrive in the engine's units", "[profile]") {
    const Result<cost::Cluster> cluster = read_cluster(cluster_document().dump());
    REQUIRE(cluster);
    CHECK(cluster->gpu.peak_flops_per_ns == 312'000);
    CHECK(cluster->gpu.memory_bytes == std::int64_t{80} << 30);
    CHECK(cluster->reserve_bytes == std::int64_t{2} << 30);
    CHECK(cluster->inside.latency_ns == 10'000);
    CHECK(cluster->inside.bytes_per_ns == 0.65 * 300);
    CHECK(cluster->network.bytes_per_ns == 0.9 * 25);
    CHECK(cluster->all_reduce[2] == cost::AllReduceFit{8, 79'000, 130});
    CHECK(cost::efficiency_of(*cluster, 4095) == 0.40);
    CHECK(cost::efficiency_of(*cluster, 4096) == 0.50);
    // What was written is the nearest double, without a library's help.
    json document = cluster_document();
    document["inside"]["gb_per_s"] = json::parse("57.2");
    document["inside"].erase("fraction");
    CHECK(read_cluster(document.dump())->inside.bytes_per_ns == 57.2);
}

TEST_CASE("faults of a cluster are named, all of them, with suggestions", "[profile]") {
    json document = cluster_document();
    document["gpu"]["tflops"] = "312";
    document["gpu"]["memory_gb"] = 80;
    document["gpu"].erase("memory_gib");
    document["efficiency"]["steps"][1]["hidden"] = 0;
    document["efficiency"]["steps"][2]["fraction"] = json::parse("1.5");
    document["gpus_per_nod"] = 8;
    document["network"].erase("source");
    document["all_reduce"]["fits"][1]["gpus"] = 2;
    CHECK(cluster_faults(document) ==
          Lines{"gpu.tflops: expected a number, found the text \"312\"", "gpu.memory_gib: missing; expected a number",
                "gpu.memory_gb: unknown field \"memory_gb\"; did you mean \"memory_gib\"?",
                "efficiency.steps[1].hidden: expected more than the step before",
                "efficiency.steps[2].fraction: expected a number from 0.001 to 1, found 1.5",
                "gpus_per_nod: unknown field \"gpus_per_nod\"; did you mean \"gpus_per_node\"?",
                "network.source: missing; expected a text",
                "all_reduce.fits[1].gpus: expected more than the fit before"});
}

TEST_CASE("a measured time says what it is of", "[profile]") {
    json document = cluster_document();
    document["measured"] = json::parse(R"([{"block": "f0", "time_ns": 5}, {"stage": 1, "kind": "forward", "time_ns": 6},
        {"time_ns": 7}, {"block": "f0", "stage": 1, "kind": "forward", "time_ns": 7},
        {"stage": 1, "kind": "forwards", "time_ns": 0}])");
    CHECK(cluster_faults(document) ==
          Lines{"measured[2]: give `block`, or `stage` and `kind`", "measured[3]: give `block`, or `stage` and `kind`",
                "measured[4].kind: unknown kind \"forwards\"; did you mean \"forward\"?",
                "measured[4].time_ns: expected an integer from 1 to 9007199254740992, found 0"});
}

TEST_CASE("numbers that machines would read differently are refused", "[profile]") {
    const std::string text = cluster_document().dump();
    const auto with = [&](const std::string& number) {
        std::string changed = text;
        const std::size_t at = changed.find("\"tflops\":312");
        REQUIRE(at != std::string::npos);
        changed.replace(at, 12, "\"tflops\":" + number);
        return told(read_cluster(changed));
    };
    CHECK(with("312.5").empty());
    CHECK(with("3.12e2") == Lines{"gpu.tflops: expected a number of at most 15 digits without exponent, found 3.12e2"});
    CHECK(with("312.0000000000000001") == Lines{"gpu.tflops: expected a number of at most 15 digits without exponent, "
                                                "found 312.0000000000000001"});
    CHECK(with("-1") == Lines{"gpu.tflops: expected a number from 0.000001 to 1000000, found -1"});
}

TEST_CASE("faults of a model are named, all of them, with suggestions", "[profile]") {
    json document = model_document();
    document["parts"][0]["layers"][0]["heads"] = 7;
    document["parts"][0]["layers"][0]["kv_heads"] = 3;
    document["parts"][1]["after"] = json::parse(R"(["encodr", 3])");
    document["parts"][1]["layers"][0]["expert"] = 3;
    document["parts"][1]["layers"][0]["experts_per_token"] = 2;
    document["defaults"]["recompute"] = "fulll";
    document["defaults"]["micro_batch_size"] = 0;
    document.erase("vocabulary");
    CHECK(model_faults(document) ==
          Lines{"parts[0].layers[0].heads: 7 does not divide the hidden size 1024",
                "parts[0].layers[0].kv_heads: 3 does not divide the 7 heads",
                "parts[1].after[0]: part \"encodr\" does not stand before this one; did you mean \"encoder\"?",
                "parts[1].after[1]: expected the name of an earlier part, found 3",
                "parts[1].layers[0].cross_attention: there is no part before to attend to",
                "parts[1].layers[0].expert: unknown field \"expert\"; did you mean \"experts\"?",
                "parts[1].layers[0].experts_per_token: 2 of 1 experts",
                "defaults.recompute: \"fulll\" is not known; did you mean \"full\"?",
                "defaults.micro_batch_size: expected an integer from 1 to 1048576, found 0",
                "vocabulary: missing; an embedding needs one"});
    document = model_document();
    document["parts"][1]["layers"].push_back(document["parts"][1]["layers"][0]);
    document["parts"][1]["layers"][1]["hidden"] = 2048;
    document["parts"][1]["layers"][0]["count"] = 1024;
    document["parts"][1]["name"] = "encoder";
    CHECK(model_faults(document) ==
          Lines{"parts[1].layers[1].hidden: layers of a part share their hidden size (1024); begin another part",
                "parts[1].name: part \"encoder\" exists twice",
                "parts: 1072 layers are more than this program accepts (1024)"});
}

TEST_CASE("layers of a part may differ", "[profile]") {
    json document = model_document();
    json& layers = document["parts"][0]["layers"];
    layers.push_back(layers[0]);
    layers[1]["feed_forward"] = 8192;
    const Result<cost::Model> model = read_model(document.dump());
    REQUIRE(model);
    CHECK(model->parts[0].layers.size() == 2);
    CHECK(cost::count_layers(*model) == 72);
}

TEST_CASE("another document is told apart", "[profile]") {
    CHECK(told(read_cluster(model_document().dump())) ==
          Lines{"format: this is a repetend.model, a repetend.cluster was expected"});
    CHECK(told(read_model("{")).size() == 1);
    CHECK(told(cluster_preset("v10")) == Lines{"there is no cluster `v10`; did you mean `v100`?"});
}

TEST_CASE("schema and reader refuse the same fields", "[profile]") {
    const Schema schema("model.schema.json");
    json document = model_document();
    document["parts"][0]["layers"][0]["hiden"] = 3;
    CHECK(schema.mismatch(document) == "$.parts[0].layers[0].hiden");
    CHECK(model_faults(document).size() == 1);
    document = model_document();
    document["x_note"] = 1;
    document["parts"][0]["x_note"] = 1;
    CHECK(schema.mismatch(document) == "");
    CHECK(model_faults(document).empty());
}
