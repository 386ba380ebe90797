// `search`: results, limits, repeatability, output.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "program_run.hpp"

using namespace repetend::test;
using nlohmann::json;

namespace {

std::string without_seconds(const std::string& text) {
    std::string masked;
    for (const std::string& line : lines_of(text)) {
        const std::size_t at = line.find("\"seconds\": ");
        masked += at == std::string::npos ? line : line.substr(0, at) + line.substr(line.find(',', at));
        masked += '\n';
    }
    return masked;
}

json result_of(std::vector<std::string> words) {
    words.insert(words.begin(), "search");
    words.emplace_back("--json");
    const Ran ran = run(words);
    CAPTURE(ran.err);
    REQUIRE(ran.status == 0);
    return json::parse(ran.out);
}

// Takes long: several seconds at least, whatever the machine.
const std::vector<std::string> long_search = {"search", "--preset", "nn", "-d", "32", "-m", "32", "-n", "512"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace

TEST_CASE("the result has every field of the contract", "[cli][search]") {
    const json result = result_of({"--preset", "v", "--memory", "4", "-n", "8", "--seed", "7"});
    CHECK(result["format"] == "repetend.result");
    CHECK(result["version"] == 1);
    CHECK(result["status"] == "optimal");
    CHECK(result["stop"] == "finished");
    CHECK(result["makespan"] == 44);  // 4N + 12
    CHECK(result["makespan_lower_bound"] == 44);
    CHECK(result["makespan_optimal"] == true);
    for (const char* field :
         {"period", "copies", "period_lower_bound", "period_optimal", "certificate", "bubble", "peak_memory"}) {
        INFO(field);
        CHECK(result.contains(field));
    }
    CHECK(result["peak_memory"].size() == 4);
    CHECK(result["search"]["seed"] == 7);
    CHECK(result["search"]["threads"] == 1);
    CHECK(result["search"]["version"] == REPETEND_VERSION);
    CHECK(result["search"]["nodes"].is_number_integer());
    CHECK(result["search"]["seconds"].is_number());
    CHECK(result["schedule"]["operations"].size() == 8 * 8);
}

TEST_CASE("least periods by capacity are the proved ones", "[cli][search]") {
    // Shape, capacity, period; from the literature's unit-cost shapes on 4 devices.
    struct Case {
        const char* preset;
        const char* memory;
        int period;
    };
    for (const Case& one : {Case{"v", "2", 8}, Case{"v", "4", 4}, Case{"x", "2", 13}, Case{"x", "4", 8},
                            Case{"m", "2", 10}, Case{"m", "4", 7}, Case{"m", "6", 6}, Case{"nn", "4", 9},
                            Case{"nn", "6", 8}, Case{"k", "2", 8}, Case{"k", "4", 6}}) {
        INFO(one.preset << ' ' << one.memory);
        const json result = result_of({"--preset", one.preset, "-m", one.memory, "--objective", "period"});
        CHECK(result["status"] == "optimal");
        CHECK(result["period"] == one.period);
        CHECK(result["period_optimal"] == true);
        CHECK(result["certificate"]["kind"].is_string());
    }
}

TEST_CASE("several copies reach what one cannot", "[cli][search]") {
    const json three = result_of({"--preset", "v", "-m", "3", "--copies", "3", "--objective", "period"});
    CHECK(three["period"] == 16);
    CHECK(three["copies"] == 3);
    const json best = result_of({"--preset", "v", "-m", "3", "--copies", "auto", "--objective", "period"});
    CHECK(best["period"] == 16);
    CHECK(best["copies"] == 3);
}

TEST_CASE("the limit on micro-batches in flight is respected", "[cli][search]") {
    CHECK(result_of({"--preset", "m", "--max-in-flight", "2", "--objective", "period"})["period"] == 11);
    CHECK(result_of({"--preset", "nn", "--max-in-flight", "4", "--objective", "period"})["period"] == 10);
}

TEST_CASE("a problem comes from a file or from standard input alike", "[cli][search]") {
    const Folder folder;
    const Ran file = run({"search", folder.write("p.json", small_problem()), "--json"});
    const Ran input = run({"search", "-", "--json"}, {.input = small_problem()});
    CHECK(file.status == 0);
    CHECK(without_seconds(file.out) == without_seconds(input.out));
    CHECK(json::parse(file.out)["schedule"]["micro_batches"] == 3);  // the problem's own
    const Ran more = run({"search", "-", "--json", "-n", "5", "--memory", "1"}, {.input = small_problem()});
    CHECK(json::parse(more.out)["schedule"]["micro_batches"] == 5);
    CHECK(json::parse(more.out)["peak_memory"] == json({1, 1}));
}

TEST_CASE("the same seed and budget give the same bytes", "[cli][search]") {
    for (const std::vector<std::string>& more :
         std::vector<std::vector<std::string>>{{"--preset", "x", "-d", "8", "-m", "3", "--seed", "5"},
                                               {"--preset", "nn", "-d", "8", "-m", "8", "--budget", "300000"},
                                               {"--preset", "nn", "-m", "3", "--threads", "2", "--budget", "300000"}}) {
        const Ran first = run(with({"search", "--json"}, more));
        const Ran second = run(with({"search", "--json", "--progress", "json"}, more));
        CHECK(first.status == 0);
        CHECK(without_seconds(first.out) == without_seconds(second.out));
    }
}

TEST_CASE("a time limit is kept, and the best so far stands", "[cli][search]") {
    const Ran ran = run(with(long_search, {"--timeout", "1s", "--json"}));
    CHECK(ran.status == 0);
    CHECK(ran.seconds < 5);
    const json result = json::parse(ran.out);
    CHECK(result["stop"] == "timeout");
    CHECK(result["status"] == "feasible");
    CHECK(result["schedule"].is_object());
}

TEST_CASE("a budget is kept, and the best so far stands", "[cli][search]") {
    const json result = result_of({"--preset", "nn", "-d", "8", "-m", "4", "--budget", "100000"});
    CHECK(result["stop"] == "budget");
    CHECK(result["status"] == "feasible");
}

TEST_CASE("an interrupted search prints the best so far and answers 130", "[cli][search]") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const Ran ran = run(with(long_search, {"--json"}), {.interrupt_after_s = 0.7, .signal = signal});
        CHECK(ran.status == 130);
        CHECK(ran.seconds < 4);
        const json result = json::parse(ran.out);
        CHECK(result["stop"] == "interrupted");
        CHECK(result["schedule"].is_object());
    }
    const Ran report = run(long_search, {.interrupt_after_s = 0.7});
    CHECK(report.status == 130);
    CHECK(contains(report.out, "interrupted"));
    CHECK(contains(report.out, "Makespan"));
}

TEST_CASE("an interrupt is noticed at once", "[cli][search]") {
    const Ran ran = run(with(long_search, {"--json"}), {.interrupt_after_s = 0.5});
    CHECK(ran.status == 130);
    CHECK(ran.seconds - 0.5 < 2);  // generous: includes writing the result on a busy machine
}

TEST_CASE("the report says what a person asks first", "[cli][search]") {
    const Ran ran = run({"search", "--preset", "v", "-m", "4", "-n", "128"});
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    for (const char* part :
         {"v, 4 devices", "8 blocks", "N = 128", "forward 1, memory +1", "Period     4 ticks, proved optimal",
          "Makespan   524 ticks, proved optimal", "steady bubble: 1 - ", "makespan bubble: 1 - ",
          "span bubble: ", "Memory     peak by device: ", " of 4", "seed 1", "finished", "Blocks: "}) {
        INFO(part);
        CHECK(contains(ran.out, part));
    }
    for (const std::string& line : lines_of(ran.out)) CHECK(line.find('\x1b') == std::string::npos);
}

TEST_CASE("an infeasible problem's report says why", "[cli][search]") {
    const Ran ran = run({"search", "--preset", "v", "--memory", "0"});
    CHECK(ran.status == 4);
    CHECK(contains(ran.out, "Infeasible"));
    CHECK(contains(ran.out, "f0"));
}

TEST_CASE("-o writes the whole result and leaves nothing else behind", "[cli][search]") {
    const Folder folder;
    const std::string file = folder.write("result.json", "old");
    const Ran ran = run({"search", "--preset", "v", "--json", "-o", file});
    CHECK(ran.status == 0);
    CHECK(ran.out.empty());
    CHECK(ran.err.empty());
    CHECK(json::parse(slurp(file))["format"] == "repetend.result");
    CHECK(folder.count() == 1);
    // A failing run leaves the old file as it was.
    folder.write("result.json", "old");
    CHECK(run({"search", folder / "missing.json", "--json", "-o", file}).status == 1);
    CHECK(slurp(file) == "old");
}

TEST_CASE("-o follows links and keeps permissions", "[cli][search]") {
    const Folder folder;
    const std::string file = folder.write("target.json", "old");
    std::filesystem::permissions(file, std::filesystem::perms(0640));
    std::filesystem::create_symlink(file, folder / "link.json");
    CHECK(run({"search", "--preset", "v", "--json", "-o", folder / "link.json"}).status == 0);
    CHECK(std::filesystem::is_symlink(folder / "link.json"));
    CHECK(json::parse(slurp(file))["format"] == "repetend.result");
    CHECK(std::filesystem::status(file).permissions() == std::filesystem::perms(0640));
    CHECK(run({"search", "--preset", "v", "-o", "/dev/null"}).status == 0);
}

TEST_CASE("progress as JSON is one event a line, on standard error only", "[cli][progress]") {
    const Ran ran = run({"search", "--preset", "nn", "-m", "4", "--json", "--progress", "json"});
    CHECK(ran.status == 0);
    CHECK(json::parse(ran.out)["format"] == "repetend.result");
    bool finished = false;
    for (const std::string& line : lines_of(ran.err)) {
        INFO(line);
        const json event = json::parse(line);
        CHECK(event["event"].is_string());
        CHECK(event["seconds"].is_number());
        CHECK(event["work"].is_number_integer());
        CHECK(event["nodes"].is_number_integer());
        finished = finished || event["event"] == "finished";
    }
    CHECK(finished);
}

TEST_CASE("without a terminal nothing is said about a quick search", "[cli][progress]") {
    CHECK(run({"search", "--preset", "v"}).err.empty());
    CHECK(run(with(long_search, {"--timeout", "1500ms"})).err.empty());  // the first plain line is due after 10 s
}

TEST_CASE("the progress line is rewritten in place, erased at the end, and not shown too often", "[cli][progress]") {
    const Ran ran = run(with(long_search, {"--timeout", "1500ms", "--progress", "always"}));
    CHECK(ran.status == 0);
    std::size_t updates = 0;
    for (std::size_t at = ran.err.find('\r'); at != std::string::npos; at = ran.err.find('\r', at + 1)) ++updates;
    CHECK(updates >= 3);
    CHECK(updates <= 18);
    CHECK(contains(ran.err, "period "));
    CHECK(contains(ran.err, "nodes"));
    CHECK(ran.err.ends_with("\r\x1b[K"));
    CHECK(ran.err.find('\n') == std::string::npos);
    CHECK(run(with(long_search, {"--timeout", "1200ms", "--progress", "never"})).err.empty());
    CHECK(run(with(long_search, {"--timeout", "1200ms", "--quiet", "--progress", "auto"})).err.empty());
}

TEST_CASE("colours follow the option first, then the environment", "[cli][colour]") {
    const auto coloured = [](const std::vector<std::string>& more, const std::vector<std::string>& environment) {
        const Ran ran = run(with({"search", "--preset", "v"}, more), {.environment = environment});
        return ran.out.find('\x1b') != std::string::npos;
    };
    CHECK_FALSE(coloured({}, {}));
    CHECK(coloured({"--color", "always"}, {}));
    CHECK(coloured({"--color", "always"}, {"NO_COLOR=1"}));
    CHECK(coloured({}, {"CLICOLOR_FORCE=1"}));
    CHECK_FALSE(coloured({}, {"CLICOLOR_FORCE=0"}));
    CHECK_FALSE(coloured({}, {"CLICOLOR_FORCE=1", "NO_COLOR=1"}));
    CHECK_FALSE(coloured({"--color", "never"}, {"CLICOLOR_FORCE=1"}));
}

TEST_CASE("a locale without UTF-8, or --ascii, keeps drawings plain", "[cli][search]") {
    const auto plain = [](const std::string& text) {
        return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
    };
    CHECK_FALSE(plain(run({"search", "--preset", "v"}).out));
    CHECK(plain(run({"search", "--preset", "v", "--ascii"}).out));
    CHECK(plain(run({"search", "--preset", "v"}, {.environment = {"LC_ALL=C"}}).out));
}

TEST_CASE("any number of threads gives the same result", "[cli][search]") {
    const auto without_threads = [](const std::string& text) {
        std::string masked = without_seconds(text);
        const std::size_t at = masked.find("\"threads\": ");
        REQUIRE(at != std::string::npos);
        return masked.erase(at, masked.find(',', at) - at);
    };
    const std::vector<std::string> uneven = {"--preset",  "zb-v",  "-d",         "4",     "-n",       "16",
                                             "--forward", "18522", "--backward", "18086", "--weight", "9337",
                                             "--lag",     "601",   "-m",         "4"};
    for (const auto& more :
         std::vector<std::vector<std::string>>{{"--preset", "m", "-m", "3", "--copies", "3", "--objective", "period"},
                                               {"--preset", "nn", "-m", "3", "--copies", "2", "--budget", "20000000"},
                                               with(uneven, {"--budget", "6000000"}),
                                               {"--preset", "v", "-m", "3", "--copies", "auto", "-n", "12"}}) {
        const Ran alone = run(with({"search", "--json", "--threads", "1"}, more));
        REQUIRE(alone.status == 0);
        for (const char* threads : {"2", "3", "8"}) {
            INFO(more[1] << ", " << threads << " threads");
            const Ran together = run(with({"search", "--json", "--threads", threads}, more));
            CHECK(together.status == 0);
            CHECK(without_threads(together.out) == without_threads(alone.out));
        }
    }
}

TEST_CASE("a search on several threads that is cut short keeps its best schedule", "[cli][search]") {
    const Ran ran = run({"search", "--preset", "nn", "-m", "3", "--copies", "3", "--objective", "period", "--threads",
                         "3", "--timeout", "1s", "--json"});
    REQUIRE(ran.status == 0);
    const json result = json::parse(ran.out);
    CHECK(result["stop"] == "timeout");
    CHECK(result["search"]["threads"] == 3);
    REQUIRE(result["schedule"].is_object());
    RunOptions schedule;
    schedule.input = result["schedule"].dump();
    CHECK(run({"check", "-"}, schedule).status == 0);
}
