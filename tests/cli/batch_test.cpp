// `repetend batch`: lines, order, resumption after kills, one writer, several processes.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "program_run.hpp"

using namespace repetend;
using namespace repetend::test;
using nlohmann::json;

namespace {

// Some forty short searches.
const char* const small_sweep = R"({"format": "repetend.sweep", "version": 1,
    "base": {"micro_batches": 12, "budget": 60000},
    "vary": {"preset": ["v", "m", "k", "zb-v"], "devices": [4, 6], "memory": {"from": 2, "to": 6}}})";

std::vector<std::string> lines_with_ends(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string::npos) break;
        lines.push_back(text.substr(at, end + 1 - at));
        at = end + 1;
    }
    return lines;
}

// What a run may not change: all but the seconds.
std::vector<json> results_of(const std::string& text) {
    std::vector<json> results;
    for (const std::string& line : lines_with_ends(text)) {
        json value = json::parse(line);
        value.erase("seconds");
        results.push_back(std::move(value));
    }
    return results;
}

std::set<std::string> ids_of(const std::string& text) {
    std::set<std::string> ids;
    for (const json& line : results_of(text)) ids.insert(line.at("id").get<std::string>());
    return ids;
}

// A process that is left alone until it is killed or waited for.
class Process {
public:
    Process(std::vector<std::string> words, const std::string& log) {
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        std::vector<std::string> variables = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                              "LC_ALL=C.UTF-8"};
        for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
        std::vector<char*> environment;
        for (std::string& variable : variables) environment.push_back(variable.data());
        environment.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        posix_spawn_file_actions_adddup2(&actions, 1, 2);
        good_ = posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environment.data()) == 0;
        posix_spawn_file_actions_destroy(&actions);
    }
    ~Process() {
        if (good_ && !waited_) {
            kill(id_, SIGKILL);
            wait();
        }
    }
    bool good() const { return good_; }
    pid_t id() const { return id_; }
    // Exit status, or 128 + signal.
    int wait() {
        int status = 0;
        waitpid(id_, &status, 0);
        waited_ = true;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t id_ = -1;
    bool good_ = false;
    bool waited_ = false;
};

bool has_mpi() {
    const Folder folder;
    Process probe({"mpirun", "--version"}, folder / "log");
    return probe.good() && probe.wait() == 0 && std::filesystem::exists(binary_dir() / "batch_runs_under_mpi");
}

std::vector<std::string> under_mpi(const std::vector<std::string>& launcher, const std::vector<std::string>& words) {
    // MPI keeps memory at its end: nothing that a leak checker should count against the program.
    std::vector<std::string> all = {"mpirun", "--oversubscribe", "-x", "ASAN_OPTIONS=detect_leaks=0"};
    all.insert(all.end(), launcher.begin(), launcher.end());
    all.push_back(program().string());
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

void pause_ms(std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// Processes of our own launcher that run the program under test: its workers and the coordinator, in order of start.
std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::istringstream stat(slurp(entry.path() / "stat"));
        std::string id, command, state;
        pid_t its_parent = 0;
        stat >> id >> command >> state >> its_parent;
        if (its_parent == parent && command == "(repetend)") children.push_back(std::stoi(name));
    }
    std::sort(children.begin(), children.end());
    return children;
}

}  // namespace

TEST_CASE("a batch prints one line for each combination, in order, whatever the threads", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", small_sweep);
    const Ran one = run({"batch", sweep, "--threads", "1", "--quiet"});
    CHECK(one.status == 0);
    CHECK(one.err.empty());
    const std::vector<json> lines = results_of(one.out);
    REQUIRE(lines.size() == 40);
    CHECK(ids_of(one.out).size() == 40);
    CHECK(lines[0]["inputs"] ==
          json::parse(R"({"micro_batches": 12, "budget": 60000, "preset": "v", "devices": 4, "memory": 2})"));
    for (const char* field : {"id", "inputs", "error", "status", "stop", "period", "copies", "period_optimal",
                              "makespan", "makespan_lower_bound", "bubble", "peak_memory"}) {
        for (const json& line : lines) CHECK(line.contains(field));
    }
    CHECK(lines[0]["makespan"].get<std::int64_t>() >= lines[0]["makespan_lower_bound"].get<std::int64_t>());
    // The line opens in the explorer, and reads back as the same problem.
    const std::string link = lines[0]["link"].get<std::string>();
    CHECK(contains(link, "index.html#v=1&preset="));
    const Ran three = run({"batch", sweep, "--threads", "3", "--quiet"});
    CHECK(results_of(three.out) == lines);
    const Ran piped = run({"batch", "-", "--quiet"}, {small_sweep});
    CHECK(results_of(piped.out) == lines);
}

TEST_CASE("a combination that fails is a line with its error", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "vary": {"preset": ["k", "vv", "v"], "devices": [3]}, "base": {"budget": 1000}})");
    const Ran ran = run({"batch", sweep});
    CHECK(ran.status == 0);
    const std::vector<json> lines = results_of(ran.out);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0]["error"] == "--devices: `k` needs an even number of devices, not 3");
    CHECK(lines[1]["error"].get<std::string>().rfind("there is no preset `vv`", 0) == 0);
    CHECK(lines[1]["makespan"].is_null());
    CHECK(lines[2]["error"].is_null());
    CHECK(contains(ran.err, "3 combinations: 2 errors"));
}

TEST_CASE("profiles in a batch give a user's terms, schedules and plots", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"model": "gpt-11b", "cluster": "v100", "micro_batches": 8, "budget": 100000},
        "vary": {"placement": ["m", "v", "auto"], "micro_batch_size": [1, 2]}})");
    const std::string out = folder / "out.jsonl";
    const Ran ran = run({"batch", sweep, "-o", out, "--schedules", folder / "schedules", "--plots", folder / "plots"});
    CHECK(ran.status == 0);
    CHECK(ran.out.empty());
    const std::vector<json> lines = results_of(slurp(out));
    REQUIRE(lines.size() == 6);
    CHECK(lines[0]["tokens_per_second"].get<double>() > 1000);
    CHECK(lines[0]["gpus"] == 4);
    CHECK(lines[0]["memory_parts"]["weights"] == lines[0]["memory_parts"]["gradients"]);
    CHECK(lines[2]["status"] == "infeasible");  // the embedding fits on no single GPU
    CHECK(lines[4]["placement"] == "m");
    CHECK(lines[4]["makespan"] == lines[0]["makespan"]);
    const std::string schedule = folder / ("schedules/" + lines[0]["id"].get<std::string>() + ".json");
    CHECK(run({"check", schedule}).status == 0);
    CHECK(contains(slurp(folder / "plots/memory-time.svg"), "</svg>"));
    CHECK(contains(slurp(folder / "plots/best.svg"), "</svg>"));
    CHECK(contains(ran.err, "best by tokens per second"));
    CHECK(contains(ran.err, "  auto (m)   1  "));
}

TEST_CASE("a batch killed ten times and resumed is complete, and nothing ran twice", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", small_sweep);
    const std::string out = folder / "out.jsonl";
    const std::vector<json> expected = results_of(run({"batch", sweep, "--quiet"}).out);
    std::uint64_t random = 12345;
    std::map<std::string, std::string> kept;  // lines by id: once complete, never changed
    int kills_at_work = 0;
    for (int round = 0; round < 10; ++round) {
        Process batch({program().string(), "batch", sweep, "-o", out, "--resume", "--threads", "2", "--quiet"},
                      folder / "log");
        REQUIRE(batch.good());
        random = random * 6364136223846793005u + 1442695040888963407u;
        pause_ms(static_cast<std::int64_t>(15 + random / 4096 % 60));
        kill(batch.id(), SIGKILL);
        if (batch.wait() == 128 + SIGKILL) ++kills_at_work;
        for (const std::string& line : lines_with_ends(slurp(out))) {
            const std::string id = json::parse(line).at("id");
            const auto [known, added] = kept.emplace(id, line);
            if (!added) CHECK(known->second == line);  // the seconds would differ after a second run
        }
    }
    CHECK(kills_at_work >= 3);
    const Ran last = run({"batch", sweep, "-o", out, "--resume", "--quiet"});
    CHECK(last.status == 0);
    const std::string text = slurp(out);
    CHECK(text.back() == '\n');
    CHECK(results_of(text) == expected);  // complete, in order, without duplicates
    for (const std::string& line : lines_with_ends(text)) {
        const auto known = kept.find(json::parse(line).at("id"));
        if (known != kept.end()) CHECK(known->second == line);
    }
    // Nothing is left to do: the same bytes again.
    CHECK(run({"batch", sweep, "-o", out, "--resume", "--quiet"}).status == 0);
    CHECK(slurp(out) == text);
}

TEST_CASE("a torn last line is cut off and run again; another file is left alone", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", small_sweep);
    const std::string out = folder / "out.jsonl";
    REQUIRE(run({"batch", sweep, "-o", out, "--quiet"}).status == 0);
    const std::string whole = slurp(out);
    const std::vector<std::string> lines = lines_with_ends(whole);
    // Every place at which a kill may have cut a line that was being written.
    for (const std::size_t cut : {std::size_t{1}, lines[7].size() / 2, lines[7].size() - 1}) {
        std::string torn;
        for (std::size_t k = 0; k < 7; ++k) torn += lines[k];
        folder.write("out.jsonl", torn + lines[7].substr(0, cut));
        const Ran ran = run({"batch", sweep, "-o", out, "--resume", "--progress", "never"});
        CHECK(ran.status == 0);
        CHECK(contains(ran.err, "the last line was cut short and is run again"));
        CHECK(results_of(slurp(out)) == results_of(whole));
    }
    folder.write("out.jsonl", lines[0] + "not a result\n" + lines[1]);
    const Ran refused = run({"batch", sweep, "-o", out, "--resume"});
    CHECK(refused.status == 1);
    CHECK(contains(refused.err, "out.jsonl: line 2 is no result of a batch; nothing was changed"));
    CHECK(slurp(out) == lines[0] + "not a result\n" + lines[1]);
    // Without --resume what stands there is moved away, not lost.
    const Ran fresh = run({"batch", sweep, "-o", out});
    CHECK(fresh.status == 0);
    CHECK(results_of(slurp(out)) == results_of(whole));
    CHECK(slurp(out + ".previous") == lines[0] + "not a result\n" + lines[1]);
}

TEST_CASE("an interrupt ends a batch politely, and it goes on from there", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"preset": "nn", "devices": 8, "budget": 900000000}, "vary": {"memory": [8, 9, 10, 11]}})");
    const std::string out = folder / "out.jsonl";
    RunOptions options;
    options.interrupt_after_s = 0.4;
    const Ran ran = run({"batch", sweep, "-o", out}, options);
    CHECK(ran.status == 130);
    CHECK(contains(ran.err, "--resume goes on from here"));
    CHECK(ran.seconds < 10);
}

TEST_CASE("two batches do not write one file", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"preset": "nn", "devices": 8, "budget": 900000000}, "vary": {"memory": [8, 9]}})");
    const std::string out = folder / "out.jsonl";
    Process first({program().string(), "batch", sweep, "-o", out, "--quiet"}, folder / "log");
    for (int k = 0; k < 200 && !std::filesystem::exists(out); ++k) pause_ms(10);
    pause_ms(50);
    const Ran second = run({"batch", sweep, "-o", out, "--resume"});
    CHECK(second.status == 1);
    CHECK(contains(second.err, "another run is writing here"));
}

TEST_CASE("faults of a sweep are named with their place", "[cli][batch]") {
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"devics": 4}, "vary": {"memory": [1, -2]}})");
    const Ran ran = run({"batch", sweep, "-o", folder / "out.jsonl"});
    CHECK(ran.status == 3);
    CHECK(ran.err == "repetend: " + sweep + ": base.devics: unknown field \"devics\"; did you mean \"devices\"?\n" +
                         "repetend: " + sweep +
                         ": vary.memory[1]: '-2' is out of range: 0 to 2^53 or unlimited expected\n");
    CHECK_FALSE(std::filesystem::exists(folder / "out.jsonl"));
    CHECK(run({"batch"}).status == 2);
    const std::string good = folder.write("good.json", small_sweep);
    CHECK(run({"batch", good, "--resume"}).status == 2);  // without -o
    CHECK(run({"batch", good, "-o", folder / "no/such/folder"}).status == 1);
}

TEST_CASE("several processes under MPI give the lines of one", "[cli][batch][mpi]") {
    if (!has_mpi()) SKIP("this build has no MPI");
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", small_sweep);
    const std::vector<json> expected = results_of(run({"batch", sweep, "--quiet"}).out);
    for (const char* processes : {"2", "4"}) {
        const std::string out = folder / (std::string("out") + processes);
        Process batch(under_mpi({"-np", processes}, {"batch", sweep, "-o", out, "--quiet"}), folder / "log");
        REQUIRE(batch.good());
        CHECK(batch.wait() == 0);
        INFO(slurp(folder / "log"));
        CHECK(results_of(slurp(out)) == expected);
    }
}

TEST_CASE("a killed worker loses no finished line, and the batch goes on", "[cli][batch][mpi]") {
    if (!has_mpi()) SKIP("this build has no MPI");
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"micro_batches": 24, "budget": 400000},
        "vary": {"preset": ["v", "m", "k", "zb-v"], "devices": [4, 6], "memory": {"from": 2, "to": 6}}})");
    const std::string out = folder / "out.jsonl";
    {
        Process batch(under_mpi({"-np", "4"}, {"batch", sweep, "-o", out}), folder / "log");
        REQUIRE(batch.good());
        for (int k = 0; k < 12'000 && lines_with_ends(slurp(out)).size() < 3; ++k) pause_ms(5);
        const std::vector<pid_t> processes = children_of(batch.id());
        REQUIRE(processes.size() == 4);
        kill(processes.back(), SIGKILL);
        CHECK(batch.wait() != 0);  // reported, not passed over
        INFO(slurp(folder / "log"));
        CHECK(contains(slurp(folder / "log"), "--resume goes on from here"));
    }
    const std::vector<std::string> before = lines_with_ends(slurp(out));
    CHECK(before.size() >= 3);
    const Ran ran = run({"batch", sweep, "-o", out, "--resume", "--quiet"});
    CHECK(ran.status == 0);
    const std::string text = slurp(out);
    CHECK(lines_with_ends(text).size() == 40);
    CHECK(ids_of(text).size() == 40);
    for (const std::string& line : before) CHECK(contains(text, line));
}

TEST_CASE("where the launcher lets the others live, they do a lost worker's part", "[cli][batch][mpi]") {
    if (!has_mpi()) SKIP("this build has no MPI");
    const Folder folder;
    const std::string sweep = folder.write("sweep.json", R"({"format": "repetend.sweep", "version": 1,
        "base": {"micro_batches": 24, "budget": 400000},
        "vary": {"preset": ["v", "m", "k", "zb-v"], "devices": [4, 6], "memory": {"from": 2, "to": 6}}})");
    const std::string out = folder / "out.jsonl";
    Process batch(under_mpi({"-np", "4", "--enable-recovery"}, {"batch", sweep, "-o", out}), folder / "log");
    REQUIRE(batch.good());
    for (int k = 0; k < 12'000 && lines_with_ends(slurp(out)).size() < 3; ++k) pause_ms(5);
    const std::vector<pid_t> processes = children_of(batch.id());
    REQUIRE(processes.size() == 4);
    kill(processes.back(), SIGKILL);
    batch.wait();
    INFO(slurp(folder / "log"));
    CHECK(contains(slurp(folder / "log"), "counts as lost; its combination goes to another one"));
    CHECK(ids_of(slurp(out)).size() == 40);
    CHECK(lines_with_ends(slurp(out)).size() == 40);
}
