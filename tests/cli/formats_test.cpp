// Formats of other tools on the command line: told from their content, converted, checked, refused with the reason.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program_run.hpp"

using namespace repetend::test;
using nlohmann::json;

namespace {

// A folder with a result for a chain of four stages.
struct Files {
    Folder folder;
    std::string result = folder / "result.json";
    Files() { REQUIRE(run({"search", "--preset", "v", "-n", "6", "--json", "-o", result}).status == 0); }

    std::string convert(const std::string& to, const std::string& from, std::vector<std::string> more = {}) const {
        const std::string path = folder / ("to." + to);
        std::vector<std::string> words = {"convert", from, "--to", to, "-o", path, "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ran ran = run(words);
        CAPTURE(to, ran.err);
        CHECK(ran.status == 0);
        CHECK(ran.out.empty());
        return path;
    }
};

}  // namespace

TEST_CASE("every format that is written is told from its content, accepted by check, and leads back",
          "[cli][formats]") {
    const Files files;
    const std::string problem = files.folder / "problem.json";
    REQUIRE(run({"convert", files.result, "--to", "problem", "-o", problem}).status == 0);
    const std::string schedule = slurp(files.convert("schedule", files.result));
    for (const char* to : {"schedule", "tessel", "csv", "torch-csv", "trace", "instructions", "url"}) {
        INFO(to);
        const std::string path = files.convert(to, files.result);
        const Ran checked = run({"check", path, "--problem", problem, "--json"});
        CAPTURE(checked.out, checked.err);
        CHECK(checked.status == 0);
        const json answer = json::parse(checked.out);
        CHECK(answer["valid"] == true);
        CHECK(answer["makespan"] == 4 * 6 + 12);
        const Ran back = run({"convert", path, "--to", "schedule", "--problem", problem, "--quiet"});
        CHECK(back.status == 0);
        CHECK(json::parse(back.out)["operations"] == json::parse(schedule)["operations"]);
    }
}

TEST_CASE("check says what sends and receives cost", "[cli][formats]") {
    const Files files;
    const json answer = json::parse(run({"check", files.result, "--json"}).out);
    CHECK(answer["communication"]["messages_per_micro_batch"] == 6);
    REQUIRE(answer["communication"]["runs"].size() == 4);
    for (const json& each : answer["communication"]["runs"]) {
        CHECK(each["makespan"] >= 36);
        CHECK(each["deadlock"].is_null());
    }
    CHECK(contains(run({"check", files.result}).out, "Messages   6 for each micro-batch"));
}

TEST_CASE("time on the way is told apart from idle time", "[cli][formats]") {
    // Two stages, one micro-batch, a lag of 2: device 0 waits from 1 to 9, from 7 on for a gradient on its way.
    const Folder folder;
    const std::string result = folder / "result.json";
    REQUIRE(run({"search", "--preset", "v", "-d", "2", "-n", "1", "--lag", "2", "--json", "-o", result}).status == 0);
    const json answer = json::parse(run({"check", result, "--json"}).out);
    CHECK(answer["makespan"] == 1 + 2 + 1 + 3 + 2 + 3);
    CHECK(answer["communication"]["idle_ticks"] == 8);
    CHECK(answer["communication"]["idle_while_on_the_way_ticks"] == 2);
    CHECK(contains(run({"check", result}).out, "Waiting    between their first and last blocks"));
}

TEST_CASE("a circle of waiting devices is a violation where sends wait, and told where they do not", "[cli][formats]") {
    const Folder folder;
    const std::string path = folder.write("hangs.csv",
                                          "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\r\n"
                                          "1RECV_F0,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1\r\n");
    const Ran buffered = run({"check", path});
    CHECK(buffered.status == 0);
    CHECK(contains(buffered.out, "deadlock: device 0 waits to send f0"));
    const Ran blocking = run({"check", path, "--sends", "blocking"});
    CHECK(blocking.status == 6);
    CHECK(blocking.out ==
          "violation: deadlock: device 0 waits to send f0 of micro-batch 1 to device 1, device 1 waits to send b1 of "
          "micro-batch 0 to device 0, which closes the circle: none of them can go on\n");
    CHECK(json::parse(run({"check", path, "--sends", "blocking", "--json"}).out)["violation"]["kind"] == "order");
    CHECK(run({"convert", path, "--to", "svg", "--sends", "blocking"}).status == 6);
}

TEST_CASE("what PyTorch cannot express is refused and nothing is written", "[cli][formats]") {
    const Folder folder;
    for (const char* preset : {"m", "x"}) {
        const std::string result = folder / "result.json", path = folder / "torch.csv";
        REQUIRE(run({"search", "--preset", preset, "-n", "4", "--json", "-o", result}).status == 0);
        const Ran ran = run({"convert", result, "--to", "torch-csv", "-o", path});
        CHECK(ran.status == 3);
        CHECK(
            contains(ran.err, std::string(preset) == "m" ? "runs on 4 devices at once" : "a stage lives on one rank"));
        CHECK_FALSE(std::filesystem::exists(path));
        CHECK(run({"convert", result, "--to", "torch-csv"}).out.empty());
    }
}

TEST_CASE("costs of a PyTorch CSV come from options or from a problem, not from both", "[cli][formats]") {
    const Folder folder;
    const std::string path = folder.write("schedule.csv", "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n");
    const auto makespan = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"check", path, "--json"});
        const Ran ran = run(more);
        return ran.status == 0 ? json::parse(ran.out)["makespan"].get<int>() : -ran.status;
    };
    CHECK(makespan({}) == 12);
    CHECK(makespan({"--forward", "2", "--backward", "4", "--lag", "1"}) == 20);  // 2 + 1, then 2 + 4 twice, then 1 + 4
    CHECK(makespan({"--memory", "1"}) == -6);
    const std::string problem = folder / "problem.json";
    REQUIRE(run({"presets", "v", "--devices", "2", "--backward", "2", "-o", problem}).status == 0);
    CHECK(makespan({"--problem", problem}) == 9);
    CHECK(makespan({"--problem", problem, "--forward", "2"}) == -2);
    const Ran misplaced = run({"search", problem, "--devices", "2"});
    CHECK(misplaced.status == 2);
    CHECK(contains(misplaced.err, "--devices: goes with --preset or a file that leaves it open, not with a problem"));
}

TEST_CASE("layouts and cost tables are problems", "[cli][formats]") {
    const Folder folder;
    const std::string layout = folder.write("layout.txt", "Ett|tt|tt|ttL\n");
    const Ran told = run({"check", layout, "--devices", "2"});
    CHECK(told.status == 0);
    CHECK(contains(told.out, "4 stages on 2 devices of 2 chunks: 8 decoder layers"));
    const json problem = json::parse(run({"convert", layout, "--to", "problem", "--quiet"}).out);
    CHECK(problem["devices"].size() == 4);
    CHECK(problem["blocks"][0]["x_layers"] == "E+2t");
    const json result = json::parse(run({"search", layout, "--devices", "2", "-n", "4", "--json", "--quiet"}).out);
    CHECK(result["makespan"] >= 4 * 2 * (2 + 6));
    CHECK(run({"convert", layout, "--to", "problem", "--devices", "3"}).status == 3);
    CHECK(run({"convert", layout, "--to", "svg"}).status == 3);

    const std::string table = folder.write(
        "table.json", R"({"n_stages": 2, "n_micro": 4, "cost_f": 1, "cost_b": 1, "cost_w": 1, "mem_f": 2, "mem_b": -1,
                          "mem_w": -1, "max_mem": 4})");
    CHECK(json::parse(run({"search", table, "--json", "--quiet"}).out)["makespan"] == 3 * 4 + 1);
    CHECK(run({"compare", table, "--with", "ZB-H1", "--json", "--quiet"}).status == 0);
}

TEST_CASE("a link to a search is a problem that can be searched", "[cli][formats]") {
    const Files files;
    const std::string link = files.folder / "link.txt";
    std::ofstream(link) << "index.html#v=1&preset=m&devices=4&micro_batches=5&memory=6\n";
    const Ran refused = run({"check", link});
    CHECK(refused.status == 3);
    CHECK(refused.err.find("carries no schedule: search it first") != std::string::npos);
    const Ran found = run({"search", link, "--json"});
    const Ran same = run({"search", "--preset", "m", "-d", "4", "-n", "5", "-m", "6", "--json"});
    CHECK(json::parse(found.out)["schedule"]["operations"] == json::parse(same.out)["schedule"]["operations"]);
}

TEST_CASE("compare draws its schedules on one axis, with definitions and costs", "[cli][formats]") {
    const Ran ran = run({"compare", "--preset", "v", "-n", "8", "--memory", "3", "--svg", "--quiet"});
    CHECK(ran.status == 6);  // 1F1B is over capacity
    CHECK(ran.out.rfind("<svg", 0) == 0);
    CHECK(contains(ran.out, ">1F1B</text>"));
    CHECK(contains(ran.out, "device 0 holds 4"));
    CHECK(contains(ran.out, "Costs used: forward 1, memory +1; backward 3, memory -1"));
    CHECK(contains(ran.out, "bubbles: steady"));
    CHECK(contains(ran.out, "no schedule ends before"));
    CHECK(run({"compare", "--preset", "v", "--svg", "--json"}).status == 2);
}
