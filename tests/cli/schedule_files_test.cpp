// `check`, `show` and `convert`: schedules in every format, there and back.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "program_run.hpp"

using namespace repetend::test;
using nlohmann::json;

namespace {

// A folder with a problem, and a result and a schedule of it.
struct Files {
    Folder folder;
    std::string problem = folder.write("problem.json", small_problem());
    std::string result = folder / "result.json";
    std::string schedule = folder / "schedule.json";

    Files() {
        REQUIRE(run({"search", problem, "--json", "-o", result}).status == 0);
        REQUIRE(run({"convert", result, "--to", "schedule", "-o", schedule}).status == 0);
    }
    // The schedule with one change.
    std::string spoiled(const std::string& part, const std::string& by) const {
        return folder.write("spoiled.json", replaced(slurp(schedule), part, by));
    }
};

}  // namespace

TEST_CASE("a valid schedule or result is accepted with its measures", "[cli][check]") {
    const Files files;
    for (const std::string& file : {files.result, files.schedule}) {
        const Ran ran = run({"check", file});
        CHECK(ran.status == 0);
        CHECK(ran.out.rfind("valid: ", 0) == 0);
        CHECK(contains(ran.out, "Makespan   12 ticks"));
        CHECK(contains(ran.out, "peak by device: "));
        const json answer = json::parse(run({"check", file, "--json"}).out);
        CHECK(answer["valid"] == true);
        CHECK(answer["makespan"] == 12);
    }
}

TEST_CASE("a violation is told in words with status 6", "[cli][check]") {
    const Files files;
    const json schedule = json::parse(slurp(files.schedule));
    const auto check = [&](const json& changed, const std::string& expected) {
        const Ran ran = run({"check", files.folder.write("changed.json", changed.dump())});
        CAPTURE(ran.out, ran.err);
        CHECK(ran.status == 6);
        CHECK(ran.out.rfind("violation: ", 0) == 0);
        CHECK(lines_of(ran.out).size() == 1);
        CHECK(contains(ran.out, expected));
        const Ran as_json = run({"check", files.folder / "changed.json", "--json"});
        CHECK(as_json.status == 6);
        CHECK(json::parse(as_json.out)["valid"] == false);
        CHECK(run({"show", files.folder / "changed.json"}).status == 6);
        CHECK(run({"convert", files.folder / "changed.json", "--to", "svg"}).status == 6);
    };
    json missing = schedule;
    missing["operations"].erase(0);
    check(missing, "f0");
    json early = schedule;
    for (json& operation : early["operations"]) {
        if (operation["block"] == "b0") operation["start"] = 0;
    }
    check(early, "b0");
    json crowded = schedule;
    crowded["problem"]["devices"][0]["memory_capacity"] = 1;
    check(crowded, "device 0");
    json lying = schedule;
    lying["repetend"] = {{"period", 1}, {"copies", 1}, {"begin", 0}, {"repeats", 3}};
    check(lying, "repetend");
}

TEST_CASE("what a result says of its schedule is held against the schedule", "[cli][check]") {
    const Files files;
    const json result = json::parse(slurp(files.result));
    const auto check = [&](const char* field, const json& value, const std::string& expected) {
        INFO(field);
        json changed = result;
        changed[field] = value;
        const Ran ran = run({"check", files.folder.write("changed.json", changed.dump())});
        CHECK(ran.status == 6);
        CHECK(contains(ran.out, expected));
        CHECK(json::parse(run({"check", files.folder / "changed.json", "--json"}).out)["violation"]["kind"] == "claim");
    };
    check("makespan", 11, "the result says makespan 11, the schedule has 12");
    check("peak_memory", {9, 9}, "peak_memory of device 0");
    check("peak_memory", json::array(), "peak_memory of device 0");
    check("makespan_lower_bound", 13, "lower bound 13");
    check("makespan_lower_bound", 3, "proves nothing optimal");
    check("makespan", "12", "makespan is no whole number");
    check("period_optimal", 1, "period_optimal is neither true nor false");
    check("status", "infeasible", "but holds a schedule");
    check("status", "best", "status best means nothing");
    check("bubble", {{"makespan", 0.9}}, "makespan bubble");
    check("bubble", {{"span", "none"}}, "span bubble");
}

TEST_CASE("another problem may be the judge", "[cli][check]") {
    const Files files;
    CHECK(run({"check", files.result, "--problem", files.problem}).status == 0);
    const std::string tight =
        files.folder.write("tight.json", replaced(small_problem(), "\"memory_capacity\": 2", "\"memory_capacity\": 1"));
    CHECK(run({"check", files.result, "--problem", tight}).status == 6);
    const std::string other = files.folder.write(
        "other.json", R"({"format": "repetend.problem", "version": 1, "devices": [{}], "dependencies": [],
                          "blocks": [{"name": "f0", "devices": [0], "time": 1}]})");
    const Ran ran = run({"check", files.result, "--problem", other});
    CHECK(ran.status == 3);
    CHECK(contains(ran.err, "f1"));
}

TEST_CASE("a result without a schedule cannot be checked or shown", "[cli][check]") {
    const Folder folder;
    const Ran search = run({"search", "--preset", "v", "--memory", "0", "--json"});
    const std::string file = folder.write("none.json", search.out);
    for (const char* command : {"check", "show"}) {
        const Ran ran = run({command, file});
        CHECK(ran.status == 3);
        CHECK(contains(ran.err, "holds no schedule"));
    }
}

TEST_CASE("a problem is told apart from a schedule", "[cli][check]") {
    const Files files;
    const Ran check = run({"check", files.problem});
    CHECK(check.status == 3);
    CHECK(contains(check.err, "repetend.problem"));
    const Ran convert = run({"convert", files.problem, "--to", "svg"});
    CHECK(convert.status == 3);
    CHECK(contains(convert.err, "holds no schedule"));
    CHECK(run({"search", files.result}).status == 3);
}

TEST_CASE("text and picture are drawn of every format", "[cli][show]") {
    const Files files;
    const Ran text = run({"show", files.result, "--columns", "60"});
    CHECK(text.status == 0);
    CHECK(contains(text.out, "device 0"));
    const Ran svg = run({"show", files.schedule, "--svg", "-o", files.folder / "s.svg"});
    CHECK(svg.status == 0);
    CHECK(slurp(files.folder / "s.svg").rfind("<svg", 0) == 0);
    CHECK(run({"convert", files.result, "--to", "svg"}).out == slurp(files.folder / "s.svg"));
    CHECK(run({"show", "-"}, {.input = slurp(files.result)}).out == run({"show", files.schedule}).out);
}

TEST_CASE("formats lead there and back to the same schedule", "[cli][convert]") {
    const Files files;
    for (const char* format : {"csv", "tessel"}) {
        INFO(format);
        const std::string there = files.folder / format;
        REQUIRE(run({"convert", files.schedule, "--to", format, "-o", there}).status == 0);
        const Ran back = run({"convert", there, "--problem", files.problem, "--to", "schedule"});
        CAPTURE(back.err);
        CHECK(back.status == 0);
        CHECK(json::parse(back.out)["operations"] == json::parse(slurp(files.schedule))["operations"]);
        const Ran named = run({"convert", there, "--from", format, "--problem", files.problem, "--to", "schedule"});
        CHECK(named.out == back.out);
        CHECK(run({"check", there, "--problem", files.problem}).status == 0);
    }
    CHECK(run({"convert", files.schedule, "--to", "schedule"}).out == slurp(files.schedule));
    CHECK(run({"convert", files.schedule, "--to", "problem"}).out ==
          run({"convert", files.problem, "--to", "problem"}).out);
}

TEST_CASE("what a reader had to assume is said, unless asked to be quiet", "[cli][convert]") {
    const Files files;
    const std::string plan = files.folder / "plan.json";
    REQUIRE(run({"convert", files.schedule, "--to", "tessel", "-o", plan}).status == 0);
    const Ran alone = run({"convert", plan, "--to", "schedule"});
    CHECK(alone.status == 0);
    CHECK(contains(alone.err, "note: "));
    CHECK(contains(alone.err, "gid"));
    CHECK(run({"convert", plan, "--to", "schedule", "--quiet"}).err.empty());
}

TEST_CASE("what a format cannot carry is refused with the reason", "[cli][convert]") {
    const Folder folder;
    const std::string result = folder / "gpt.json";
    REQUIRE(run({"search", "--preset", "gpt-v100x4", "-n", "4", "--json", "-o", result}).status == 0);
    const Ran ran = run({"convert", result, "--to", "tessel"});
    CHECK(ran.status == 3);  // transients
    CHECK(contains(ran.err, "transient"));
    CHECK(ran.out.empty());
}

TEST_CASE("a table without its problem says what is missing", "[cli][convert]") {
    const Files files;
    const std::string csv = files.folder / "s.csv";
    REQUIRE(run({"convert", files.schedule, "--to", "csv", "-o", csv}).status == 0);
    const Ran ran = run({"convert", csv, "--to", "schedule"});
    CHECK(ran.status == 2);
    CHECK(contains(ran.err, "--problem"));
}
