// Sweeps: what they multiply out to, in which order, and every fault of a broken one with its path.
#include "repetend/format/sweep.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "json_schema.hpp"

using namespace repetend;

namespace {

Result<Sweep> sweep_of(const std::string& members) {
    return read_sweep(R"({"format": "repetend.sweep", "version": 1, )" + members + "}");
}

std::vector<std::string> inputs_of(const std::string& members) {
    const Result<Sweep> sweep = sweep_of(members);
    REQUIRE(sweep);
    std::vector<std::string> inputs;
    for (std::int64_t k = 0; k < sweep->size(); ++k) inputs.push_back(sweep->at(k).inputs);
    return inputs;
}

std::set<std::string> faults_of(const std::string& members) {
    const Result<Sweep> sweep = sweep_of(members);
    REQUIRE_FALSE(sweep);
    std::set<std::string> lines;
    for (const Fault& fault : sweep.faults()) lines.insert(to_string(fault));
    return lines;
}

using Lines = std::vector<std::string>;
using Faulty = std::set<std::string>;

}  // namespace

TEST_CASE("a sweep is the product of its fields, the last one changing fastest", "[sweep]") {
    CHECK(inputs_of(R"("base": {"micro_batches": 8}, "vary": {"preset": ["v", "m"], "devices": {"from": 4, "to": 8,
                    "step": 4}})") == Lines{R"({"micro_batches": 8, "preset": "v", "devices": 4})",
                                            R"({"micro_batches": 8, "preset": "v", "devices": 8})",
                                            R"({"micro_batches": 8, "preset": "m", "devices": 4})",
                                            R"({"micro_batches": 8, "preset": "m", "devices": 8})"});
    CHECK(inputs_of(R"("base": {"preset": "v"})") == Lines{R"({"preset": "v"})"});
    CHECK(inputs_of(R"("vary": {"memory": ["unlimited", 4, [4, 3, 2, 1]]}, "base": {"preset": "v"})") ==
          Lines{R"({"preset": "v", "memory": "unlimited"})", R"({"preset": "v", "memory": 4})",
                R"({"preset": "v", "memory": [4, 3, 2, 1]})"});
}

TEST_CASE("what is left out", "[sweep]") {
    CHECK(inputs_of(R"("vary": {"preset": ["v", "m", "k"], "devices": [2, 3, 4]},
                       "exclude": [{"preset": "k", "devices": 3}, {"devices": [2, 4], "preset": ["v", "m"]}])") ==
          Lines{R"({"preset": "v", "devices": 3})", R"({"preset": "m", "devices": 3})",
                R"({"preset": "k", "devices": 2})", R"({"preset": "k", "devices": 4})"});
    CHECK(faults_of(R"("vary": {"preset": ["v"]}, "exclude": [{"preset": "v"}])") ==
          Faulty{"exclude: leaves out all combinations"});
}

TEST_CASE("values reach their options", "[sweep]") {
    const Result<Sweep> sweep = sweep_of(
        R"("base": {"file": "p.json", "memory": [3, 2], "split_backward": true, "copies": "auto", "timeout": "2s"})");
    REQUIRE(sweep);
    const SweepCombination combination = sweep->at(0);
    CHECK(combination.file == "p.json");
    CHECK(combination.values.flag("split-backward"));
    CHECK(combination.values.text("copies") == "auto");
    CHECK(combination.values.integer("timeout") == 2000);
    CHECK(combination.values.amounts("memory").size() == 2);
}

TEST_CASE("an id belongs to the inputs, wherever they stand", "[sweep]") {
    const Result<Sweep> small = sweep_of(R"("base": {"preset": "v", "devices": 4})");
    const Result<Sweep> large = sweep_of(R"("vary": {"devices": [2, 4], "preset": ["m", "v"]})");
    REQUIRE(small);
    REQUIRE(large);
    CHECK(small->at(0).id == large->at(3).id);
    CHECK(small->at(0).id.size() == 16);
    std::set<std::string> ids;
    for (std::int64_t k = 0; k < large->size(); ++k) ids.insert(large->at(k).id);
    CHECK(ids.size() == 4);
}

TEST_CASE("every fault of a sweep is named, with suggestions", "[sweep]") {
    CHECK(faults_of(R"("base": {"devics": 4, "quiet": true, "memory": -1, "inference": 1},
                       "vary": {"preset": [], "micro_batches": {"from": 4, "too": 8}, "objective": ["perod"],
                                "copies": [1, 2, 1], "memory": [1]}, "excludes": [])") ==
          Faulty{"base.devics: unknown field \"devics\"; did you mean \"devices\"?",
                 "base.quiet: belongs to the command line of batch, not into a sweep",
                 "base.memory: '-1' is out of range: 0 to 2^53 or unlimited expected",
                 "base.inference: expected true or false, found 1", "vary.preset: no values; expected at least one",
                 "vary.micro_batches.to: missing; expected an integer",
                 "vary.micro_batches.too: unknown field \"too\"; did you mean \"to\"?",
                 "vary.objective[0]: 'perod' is not one of makespan|period; did you mean period?",
                 "vary.copies[2]: 1 stands here twice",
                 "excludes: unknown field \"excludes\"; did you mean \"exclude\"?"});
    CHECK(faults_of(R"("base": {"preset": "v"}, "vary": {"preset": ["m"]})") ==
          Faulty{"vary.preset: stands in `base` as well"});
    CHECK(faults_of(R"("vary": {"preset": ["v"]}, "exclude": [{"preset": "x"}, {"devices": 3}, {"presett": "v"}])") ==
          Faulty{"exclude[0].preset: the text \"x\" is no value of this field, so nothing is left out",
                 "exclude[1].devices: is not set by this sweep, so nothing can be left out by it",
                 "exclude[2].presett: unknown field \"presett\"; did you mean \"preset\"?"});
    CHECK(faults_of(R"("x_note": 1)") == Faulty{"base: nothing is set; expected fields in `base` or `vary`"});
}

TEST_CASE("sizes are checked before anything is multiplied", "[sweep]") {
    CHECK(faults_of(R"("vary": {"devices": {"from": 1, "to": 4000}, "seed": {"from": 1, "to": 4000}})") ==
          Faulty{"vary: more than 1000000 combinations, the most that is accepted"});
    CHECK(faults_of(R"("vary": {"seed": {"from": 0, "to": 9007199254740992}})") ==
          Faulty{"vary.seed: more than 1000000 values"});
    CHECK(faults_of(R"("vary": {"seed": {"from": 5, "to": 4}})") ==
          Faulty{"vary.seed.to: expected at least `from`, 5"});
    CHECK(faults_of(R"("vary": {"seed": {"from": 0, "to": 5, "step": 0}})").size() == 1);
}

TEST_CASE("every sweep preset is read and fits its schema", "[sweep]") {
    const test::Schema schema("sweep.schema.json");
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::source_dir() / "presets" / "sweeps")) {
        INFO(entry.path().string());
        const std::string text = test::read_text(entry.path());
        CHECK(schema.mismatch(nlohmann::json::parse(text)) == "");
        CHECK(read_sweep(text));
        ++files;
    }
    CHECK(files >= 2);
}
