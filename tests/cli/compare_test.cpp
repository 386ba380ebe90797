// `compare`: published schedules beside the search, in every form.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "program_run.hpp"
#include "repetend/baseline/baseline.hpp"

using namespace repetend::test;
using nlohmann::json;

namespace {

struct Compared {
    int status = -1;
    json all;
    std::map<std::string, json> rows;
};

Compared compare(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), "compare");
    words.emplace_back("--json");
    const Ran ran = run(words, {.input = input});
    CAPTURE(ran.err);
    Compared compared;
    compared.status = ran.status;
    REQUIRE_FALSE(ran.out.empty());
    compared.all = json::parse(ran.out);
    CHECK(compared.all["format"] == "repetend.comparison");
    CHECK(compared.all["version"] == 1);
    for (const json& row : compared.all["rows"]) {
        for (const char* field : {"name", "error", "period", "makespan", "bubble", "peak_memory", "valid"}) {
            CHECK(row.contains(field));
        }
        CHECK(row["valid"].is_boolean());
        CHECK(row["makespan"].is_null() == row["peak_memory"].is_null());
        if (row["error"].is_string()) CHECK(row["valid"] == false);
        compared.rows.emplace(row["name"], row);
    }
    CHECK(compared.rows.size() == compared.all["rows"].size());
    return compared;
}

}  // namespace

TEST_CASE("compare times the published orders with the problem's own costs", "[cli][compare]") {
    const Compared v = compare({"--preset", "v", "-n", "32"});
    CHECK(v.status == 0);
    CHECK(v.rows.size() == repetend::baselines().size() + 1);  // and the search
    CHECK(v.all["makespan_lower_bound"] == 4 * 32 + 12);
    for (const char* name : {"search", "GPipe", "1F1B"}) {
        const json& row = v.rows.at(name);
        CHECK(row["error"].is_null());
        CHECK(row["makespan"] == 4 * 32 + 12);
        CHECK(row["gap"] == 0.0);
        CHECK(row["valid"] == true);
    }
    CHECK(v.rows.at("1F1B")["period"] == 4);
    CHECK(v.rows.at("1F1B")["peak_memory"] == json({4, 3, 2, 1}));
    CHECK(v.rows.at("GPipe")["period"].is_null());
    CHECK(v.rows.at("GPipe")["bubble"]["steady"].is_null());
    CHECK(v.rows.at("GPipe")["peak_memory"] == json({32, 32, 32, 32}));
    CHECK(v.rows.at("ZB-V")["error"].is_string());
    CHECK(v.rows.at("ZB-V")["makespan"].is_null());
}

TEST_CASE("bubbles are given by each definition", "[cli][compare]") {
    // 1F1B, 4 devices, 8 micro-batches: idle 9 of 33, which is 9/24 of the work.
    const json row = compare({"--preset", "v", "-n", "8", "--backward", "2", "--with", "1F1B"}).rows.at("1F1B");
    CHECK(row["bubble"]["steady"] == 0.0);
    CHECK(row["bubble"]["makespan"] == 0.272727);
    CHECK(row["bubble"]["over_work"] == 0.375);
    CHECK(row["bubble"]["span"] == 0.272727);
}

TEST_CASE("a published schedule over capacity is told, and the exit status is that of a violation", "[cli][compare]") {
    const Compared tight = compare({"--preset", "v", "--memory", "2", "-n", "8"});
    CHECK(tight.status == 6);
    CHECK(tight.rows.at("search")["valid"] == true);
    CHECK(tight.rows.at("1F1B")["valid"] == false);
    CHECK(contains(tight.rows.at("1F1B")["violation"], "device 0"));
    CHECK(tight.rows.at("1F1B")["gap"].is_null());
    CHECK(tight.rows.at("1F1B")["makespan"] == 44);

    const Ran text = run({"compare", "--preset", "v", "--memory", "2", "-n", "8"});
    CHECK(text.status == 6);
    CHECK(contains(text.out, "over capacity"));
}

TEST_CASE("--with takes names as people write them, each once", "[cli][compare]") {
    const Compared some = compare({"--preset", "v-split", "-n", "8", "--with", "zb_h1,ZB-H2,zb-h1,gpipe"});
    CHECK(some.status == 0);
    REQUIRE(some.all["rows"].size() == 4);
    CHECK(some.all["rows"][1]["name"] == "ZB-H1");
    CHECK(some.all["rows"][2]["name"] == "ZB-H2");
    CHECK(some.all["rows"][3]["name"] == "GPipe");
    CHECK(some.rows.at("ZB-H1")["makespan"] == 3 * 8 + 3);

    const Ran unknown = run({"compare", "--preset", "v", "--with", "1f1bb"});
    CHECK(unknown.status == 2);
    CHECK(unknown.err == "repetend: --with: there is no baseline `1f1bb`; did you mean `1F1B`?\n");
    CHECK(run({"compare", "--preset", "v", "--with", ""}).status == 2);
}

TEST_CASE("the best of all rows is never better than the search", "[cli][compare]") {
    for (const char* preset : {"v", "x", "m", "nn", "k", "zb-v", "interleaved", "v-split", "alphafold"}) {
        const Compared compared = compare({"--preset", preset, "-n", "8", "--timeout", "5s"});
        const json best = compared.rows.at("search")["makespan"];
        std::size_t others = 0;
        for (const auto& [name, row] : compared.rows) {
            INFO(preset << ": " << name);
            if (row["makespan"].is_null()) continue;
            others += name == "search" ? 0 : 1;
            CHECK(row["makespan"] >= compared.all["makespan_lower_bound"]);
            CHECK(row["makespan"] >= best);
        }
        CHECK(others > 0);
    }
}

TEST_CASE("the table says which costs were used, what its columns mean and why a family is missing", "[cli][compare]") {
    const Ran ran = run({"compare", "--preset", "v", "-n", "8"});
    CHECK(ran.status == 0);
    CHECK(contains(ran.out, "forward 1, memory +1; backward 3, memory -1"));
    CHECK(contains(ran.out, "1 - N * work / makespan"));
    CHECK(contains(ran.out, "ZB-H1, ZB-H2: backward block `b0` is not split into input and weight gradient"));
    for (const std::string& line : lines_of(ran.out)) CHECK(line.size() <= 100);
}

TEST_CASE("CSV has one line a schedule, quoted where need be", "[cli][compare]") {
    const Ran ran = run({"compare", "--preset", "v", "-n", "8", "--with", "gpipe,Chimera-direct", "--csv"});
    CHECK(ran.status == 0);
    const std::vector<std::string> lines = lines_of(ran.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[2] == "GPipe,,,1,44,0.000000,,0.272727,0.375000,0.272727,8 8 8 8,true,");
    CHECK(lines[3] == "Chimera-direct,\"a micro-batch has 1 chain of stages, expected 2\",,1,,,,,,,,false,");
}

TEST_CASE("compare reads a file, and says when the problem is infeasible", "[cli][compare]") {
    const Compared file = compare({"-"}, small_problem());
    CHECK(file.status == 6);
    CHECK(file.rows.at("1F1B")["makespan"] == 12);
    CHECK(file.rows.at("GPipe")["valid"] == false);

    const Compared none = compare({"--preset", "k", "--memory", "1", "-n", "4"});
    CHECK(none.status == 4);
    CHECK(none.rows.at("search")["error"].is_string());
    CHECK(run({"compare", "--preset", "v", "--json", "--csv"}).status == 2);
    CHECK(run({"compare"}).status == 2);
}
