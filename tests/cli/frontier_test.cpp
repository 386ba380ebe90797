// `frontier`: every useful capacity, in every form.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "program_run.hpp"

using namespace repetend::test;
using nlohmann::json;

namespace {

json points_of(std::vector<std::string> words, const std::string& input = "") {
    words.insert(words.begin(), "frontier");
    words.emplace_back("--json");
    const Ran ran = run(words, {.input = input});
    CAPTURE(ran.err);
    REQUIRE(ran.status == 0);
    const json frontier = json::parse(ran.out);
    CHECK(frontier["format"] == "repetend.frontier");
    CHECK(frontier["version"] == 1);
    for (const json& point : frontier["points"]) {
        for (const char* field :
             {"capacity", "period", "copies", "period_optimal", "makespan", "makespan_lower_bound"}) {
            CHECK(point.contains(field));
        }
        CHECK(point["period_optimal"] == true);
        CHECK(point["makespan_lower_bound"] <= point["makespan"]);
    }
    return frontier["points"];
}

std::vector<std::pair<int, int>> periods(const json& points) {
    std::vector<std::pair<int, int>> list;
    for (const json& point : points) list.emplace_back(point["capacity"], point["period"]);
    return list;
}

using Periods = std::vector<std::pair<int, int>>;

}  // namespace

TEST_CASE("periods by capacity are the proved ones, from the smallest that works on", "[cli][frontier]") {
    // The same values as two independent exact solvers gave for these shapes.
    CHECK(periods(points_of({"--preset", "v"})) == Periods{{1, 16}, {2, 8}, {3, 8}, {4, 4}});
    CHECK(periods(points_of({"--preset", "k"})) == Periods{{2, 8}, {3, 6}});
    Periods m = periods(points_of({"--preset", "m", "-n", "4"}));
    REQUIRE(m.size() >= 5);
    m.resize(5);
    CHECK(m == Periods{{1, 18}, {2, 10}, {3, 10}, {4, 7}, {5, 6}});
    Periods nn = periods(points_of({"--preset", "nn", "-n", "4"}));
    REQUIRE(nn.size() >= 6);
    nn.resize(6);
    CHECK(nn == Periods{{1, 20}, {2, 12}, {3, 12}, {4, 9}, {5, 9}, {6, 8}});
}

TEST_CASE("makespans never rise with the capacity, and the last one is the best there is", "[cli][frontier]") {
    const json points = points_of({"--preset", "nn"});
    for (std::size_t i = 1; i < points.size(); ++i) {
        CHECK(points[i]["capacity"] == points[i - 1]["capacity"].get<int>() + 1);
        CHECK(points[i]["makespan"] <= points[i - 1]["makespan"]);
        CHECK(points[i]["makespan_lower_bound"] <= points[i - 1]["makespan_lower_bound"]);
    }
    const Ran unlimited = run({"search", "--preset", "nn", "--json"});
    CHECK(points.back()["makespan"] <= json::parse(unlimited.out)["makespan"]);
}

TEST_CASE("with a split backward capacities are activations", "[cli][frontier]") {
    CHECK(periods(points_of({"--preset", "v-split", "-n", "4"})).front().first == 1);
    CHECK(periods(points_of({"--preset", "v-split", "-n", "4"})).back() == std::pair<int, int>{4, 3});
}

TEST_CASE("several copies fill the steps between", "[cli][frontier]") {
    const json points = points_of({"--preset", "v", "--copies", "3"});
    CHECK(points[2]["capacity"] == 3);
    CHECK(points[2]["period"] == 16);
    CHECK(points[2]["copies"] == 3);
    const json best = points_of({"--preset", "v", "--copies", "auto"});
    CHECK(best[2]["period"] == 16);
    CHECK(best[2]["copies"] == 3);
    CHECK(best[3]["period"] == 4);
    CHECK(best[3]["copies"] == 1);
}

TEST_CASE("amounts of many bytes are not counted one by one", "[cli][frontier]") {
    // The small problem with memory in odd numbers of bytes: the same periods as with 1, 2.
    std::string text = small_problem();
    const std::string amount = "1000000007";
    for (int i = 0; i < 2; ++i) text = replaced(text, "\"memory\": 1}", "\"memory\": " + amount + "}");
    for (int i = 0; i < 2; ++i) text = replaced(text, "\"memory\": -1}", "\"memory\": -" + amount + "}");
    const json small = points_of({"-"}, small_problem());
    const json large = points_of({"-"}, text);
    REQUIRE(small.size() == 2);
    REQUIRE(large.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(large[i]["capacity"] == small[i]["capacity"].get<std::int64_t>() * 1000000007);
        CHECK(large[i]["period"] == small[i]["period"]);
        CHECK(large[i]["makespan"] == small[i]["makespan"]);
    }
}

TEST_CASE("the real models have frontiers of few points", "[cli][frontier]") {
    const json points = points_of({"--preset", "gpt-v100x4", "-n", "8"});
    CHECK(points.size() >= 3);
    CHECK(points.size() <= 20);
}

TEST_CASE("a frontier ends at the capacity that was asked for", "[cli][frontier]") {
    CHECK(periods(points_of({"--preset", "v", "--memory", "2"})) == Periods{{1, 16}, {2, 8}});
    CHECK(periods(points_of({"--preset", "v", "--memory", "100"})) == Periods{{1, 16}, {2, 8}, {3, 8}, {4, 4}});
    const Ran none = run({"frontier", "--preset", "v", "--memory", "0"});
    CHECK(none.status == 4);
    CHECK(contains(none.err, "f0"));
}

TEST_CASE("without memory there is one point", "[cli][frontier]") {
    CHECK(periods(points_of({"--preset", "m", "--inference"})) == Periods{{0, 2}});
}

TEST_CASE("memory that piles up has makespans but no periods", "[cli][frontier]") {
    std::string text = replaced(small_problem(), ", \"memory\": -1}", "}");
    const Ran ran = run({"frontier", "-", "--json"}, {.input = text});
    CAPTURE(ran.err);
    REQUIRE(ran.status == 0);
    const json points = json::parse(ran.out)["points"];
    REQUIRE(points.size() >= 1);
    CHECK(points.front()["capacity"] == 3);  // three micro-batches leave one unit each on device 1
    CHECK(points.front()["period"].is_null());
    CHECK(points.front()["makespan"].is_number());
}

TEST_CASE("the table, the values and the picture say the same", "[cli][frontier]") {
    const Ran table = run({"frontier", "--preset", "v"});
    CHECK(table.status == 0);
    CHECK(table.err.empty());
    CHECK(contains(table.out, "capacity  period  makespan  bound"));
    CHECK(contains(table.out, "       4       4        44     44"));
    const Ran csv = run({"frontier", "--preset", "v", "--csv"});
    CHECK(csv.status == 0);
    CHECK(lines_of(csv.out).size() == 5);
    CHECK(lines_of(csv.out)[0].rfind("capacity,period,copies,period_optimal,makespan,makespan_lower_bound", 0) == 0);
    CHECK(lines_of(csv.out)[4].rfind("4,4,1,true,44,44", 0) == 0);
    const Ran svg = run({"frontier", "--preset", "v", "--svg"});
    CHECK(svg.status == 0);
    CHECK(svg.out.rfind("<svg xmlns=", 0) == 0);
    CHECK(svg.out.ends_with("</svg>\n"));
    CHECK(contains(svg.out, "What memory buys: v, 4 devices"));
    CHECK_FALSE(contains(svg.out, "<script"));
}

TEST_CASE("the same frontier has the same bytes", "[cli][frontier]") {
    CHECK(run({"frontier", "--preset", "m", "--csv"}).out == run({"frontier", "--preset", "m", "--csv"}).out);
}

TEST_CASE("an interrupted frontier prints the points so far", "[cli][frontier]") {
    const Ran ran = run({"frontier", "--preset", "nn", "-d", "16", "--json"}, {.interrupt_after_s = 1.5});
    CHECK(ran.status == 130);
    CHECK(json::parse(ran.out)["stop"] == "interrupted");
    const Ran timed = run({"frontier", "--preset", "nn", "-d", "16", "--json", "--timeout", "1500ms"});
    CHECK(timed.status == (json::parse(timed.out)["points"].empty() ? 5 : 0));
    CHECK(json::parse(timed.out)["stop"] == "timeout");
    CHECK(run({"frontier", "--preset", "nn", "-d", "16", "--budget", "10"}).status == 5);
}
