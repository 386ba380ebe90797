// The explorer without its looks: editing with undo, links, searches by messages, selection, playback.
#include "app/app.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "repetend/format/json.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;
using namespace repetend::web;

namespace {

// Plays the host: answers "start" with a finished search.
struct Host {
    App app;
    double now = 0;
    int searches = 0;
    std::string link, said;
    std::vector<std::string> pushed;  // what Back would find, the newest last

    Host() { app.reduced_motion = true; }
    void pass(double seconds = 1) {
        now += seconds;
        app.advance(now);
        for (const Action& action : app.take_actions()) {
            if (action.kind == "link") {
                link = action.text;
                if (pushed.empty() || action.push)
                    pushed.push_back(action.text);
                else
                    pushed.back() = action.text;
            }
            if (action.kind == "say") said = action.text;
            if (action.kind != "start") continue;
            ++searches;
            const Problem problem = read_problem(action.text).value();
            SearchOptions options;
            const auto given = nlohmann::json::parse(action.more);
            options.micro_batches = std::stoll(given.at("micro-batches").get<std::string>());
            if (given.contains("budget")) options.work_budget = std::stoll(given.at("budget").get<std::string>());
            Result<Session> session = Session::start(problem, options);
            while (session->step(100'000)) {
            }
            app.worker_result(std::stoi(action.name), 0.5, write_result(problem, session->result(), 0.5, "test"), true);
        }
    }
    nlohmann::json state() const { return nlohmann::json::parse(app.state_json()); }
};

TEST_CASE("the default schedule is searched at once, within a budget") {
    Host host;
    CHECK(host.app.open_link("", false).empty());
    host.pass();
    host.pass();
    CHECK(host.searches == 1);
    CHECK(host.state()["status"] == "optimal");
    CHECK(host.state()["makespan"] == 76);
    CHECK(host.state()["period"] == 4);
    CHECK(host.link == "v=1&preset=v&devices=4&micro_batches=16&memory=4");
    CHECK(host.app.caption().find("repeats every 4 ticks") != std::string::npos);
}

TEST_CASE("an edit re-searches, undo and redo bring back what was") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    host.app.edit_option("micro-batches", "8");
    CHECK(host.app.stale());
    host.pass();
    CHECK(host.state()["makespan"] == 4 * 8 + 12);
    host.app.run_command("undo");
    host.pass();
    CHECK(host.state()["makespan"] == 76);
    host.app.run_command("redo");
    host.pass();
    CHECK(host.state()["makespan"] == 44);
}

TEST_CASE("a document stays where it is while others are made") {
    // Panels read one while they make the next.
    Host host;
    host.app.open_link("", false);
    host.pass();
    const Document* const first = &host.app.document();
    for (int k = 0; k < 40; ++k) host.app.edit_option(k % 2 == 0 ? "micro-batches" : "memory", std::to_string(4 + k));
    for (int k = 0; k < 40; ++k) host.app.run_command("undo");
    CHECK_FALSE(host.app.history().can_undo());
    CHECK(&host.app.document() == first);
}

TEST_CASE("typing in one field is one step of undo") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    for (const char* text : {"1", "12", "120"}) host.app.edit_option("micro-batches", text);
    host.app.run_command("undo");
    CHECK(host.app.document().micro_batches == 16);
}

TEST_CASE("what the engine refuses stands at its field and changes nothing") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    host.app.edit_option("devices", "zero");
    CHECK_FALSE(host.app.fault_of("devices").empty());
    CHECK(host.app.document().problem.num_devices() == 4);
    CHECK_FALSE(host.app.stale());
    host.app.edit_option("devices", "3");
    CHECK(host.app.fault_of("devices").empty());
    Problem problem = host.app.document().problem;
    problem.blocks[0].devices = {9};
    host.app.edit_problem(problem, "", "blocks[0].devices");
    CHECK(host.app.fault_of("blocks[0].devices").find("does not exist") != std::string::npos);
}

TEST_CASE("a link opens the same picture, its view included") {
    Host host;
    host.app.open_link("v=1&preset=m&devices=4&micro_batches=6&memory=6&colour=stage&view=3,12&sel=0.2&at=5", false);
    host.pass();
    host.pass();
    CHECK(host.app.colours == ColourScheme::stage);
    CHECK(host.app.selection() >= 0);
    CHECK(host.app.view()->operation(host.app.selection()).micro_batch == 2);
    CHECK_FALSE(host.app.scale.fitted());
    const std::string again = host.app.link();
    Host other;
    other.app.open_link(again, false);
    other.pass();
    other.pass();
    CHECK(other.app.link() == again);
    CHECK(other.app.view()->schedule == host.app.view()->schedule);
}

TEST_CASE("what is left at once after an edit is what Back finds") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    host.app.edit_option("micro-batches", "7");
    host.app.open_link("v=1&preset=x&devices=4&micro_batches=4&memory=4", true);
    host.pass();
    REQUIRE(host.pushed.size() == 2);
    CHECK(host.pushed[0] == "v=1&preset=v&devices=4&micro_batches=7&memory=4");
    CHECK(host.pushed[1] == "v=1&preset=x&devices=4&micro_batches=4&memory=4");
}

TEST_CASE("bad links say what is wrong and leave the default") {
    for (const char* link : {"v=9", "v=1&preset=nothing", "v=1&p=AAAA", "%%%%", "v=1&devices=-3", "v=1&preset=m&p=x"}) {
        Host host;
        INFO(link);
        CHECK_FALSE(host.app.open_link(link, false).empty());
        host.pass();
        CHECK(host.state()["makespan"] == 76);
        CHECK_FALSE(host.app.message.empty());
    }
}

TEST_CASE("a schedule file is shown as it is, and carried in its link") {
    Host host;
    host.app.open_link("v=1&preset=k&devices=4&micro_batches=5&memory=4", false);
    host.pass();
    const std::string text = write_schedule(host.app.view()->problem, host.app.view()->schedule);
    Host other;
    other.app.open_link("", false);
    other.pass();
    CHECK(other.app.load_text(text, "schedule.json").empty());
    other.pass();
    CHECK(other.searches == 1);  // only the default
    CHECK(other.app.view()->schedule == host.app.view()->schedule);
    Host third;
    CHECK(third.app.open_link(other.link, false).empty());
    third.pass();
    CHECK(third.app.view()->schedule == host.app.view()->schedule);
    CHECK_FALSE(third.app.load_text("{\"format\": \"repetend.problem\", \"version\": 1}", "a.json").empty());
    CHECK_FALSE(third.app.load_text("rubbish", "a.json").empty());
}

TEST_CASE("an infeasible problem is answered, not drawn") {
    Host host;
    host.app.open_link("v=1&preset=k&devices=4&micro_batches=5&memory=1", false);
    host.pass();
    CHECK(host.state()["status"] == "infeasible");
    CHECK(host.app.view() == nullptr);
    CHECK_FALSE(host.app.caption().empty());
}

TEST_CASE("messages of an earlier search are ignored") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    const std::string result = host.app.result_text();
    host.app.edit_option("micro-batches", "5");
    host.app.worker_result(1, 1, result, true);
    CHECK(host.app.stale());
    host.app.worker_failed(0, "old");
    CHECK(host.app.message.empty());
}

TEST_CASE("playback runs, loops over one period, steps between events") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    host.app.run_command("step-forward");
    CHECK(host.app.playback.time == 1);
    host.app.run_command("step-forward");
    CHECK(host.app.playback.time == 2);
    host.app.run_command("step-back");
    CHECK(host.app.playback.time == 1);
    host.app.run_command("loop");
    CHECK(host.app.playback.playing);
    for (int k = 0; k < 200; ++k) {
        host.pass(0.05);
        CHECK(host.app.playback.time >= host.app.playback.loop_begin);
        CHECK(host.app.playback.time < host.app.playback.loop_end);
    }
    CHECK(host.app.playback.loop_end - host.app.playback.loop_begin == 4);
}

TEST_CASE("hover facts and reasons of idle time name their cause") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    const ScheduleView& view = *host.app.view();
    CHECK(why_idle(view, 3, 0).find("waits for f2 of micro-batch 0 on device 2") != std::string::npos);
    CHECK(why_idle(view, 3, view.end - 1) == "no work left");
    const std::int64_t k = view.find(0, 0);
    CHECK(facts(view, k).front().second.find("forward") == 0);
    CHECK(view.predecessors(k).empty());
    CHECK(view.successors(k).size() == 1);
    const auto chain = view.chain_to(view.find(7, 15));
    CHECK(view.operation(chain.front()).start == 0);
}

TEST_CASE("blocks are found by kind or name and micro-batch") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    CHECK(host.app.find_blocks("B7").size() == 4);
    CHECK(host.app.find_blocks("f2 7") == std::vector{host.app.view()->find(2, 7)});
    for (const char* query : {"", "7", "B99", "zz 3", "B", "B99999999999999999999", "f2  7"}) {
        INFO(query);
        CHECK(host.app.find_blocks(query).empty());
    }
}

TEST_CASE("a published schedule stands beside the search") {
    Host host;
    host.app.open_link("", false);
    host.pass();
    host.app.compare_with("GPipe");
    REQUIRE(host.app.other());
    CHECK(host.app.other()->end >= host.app.view()->end);
    host.app.compare_with("no such thing");
    CHECK_FALSE(host.app.other());
    CHECK_FALSE(host.app.message.empty());
}

TEST_CASE("every command runs, with and without a schedule; every key belongs to one command") {
    Host empty;
    for (const CommandRow& row : command_table()) CHECK(empty.app.run_command(row.id));
    Host host;
    host.app.open_link("", false);
    host.pass();
    for (const CommandRow& row : command_table()) {
        CHECK(host.app.run_command(row.id));
        host.pass();
    }
    std::map<std::string, int> keys;
    for (const CommandRow& row : command_table()) {
        std::string all(row.keys), key;
        for (const char c : all + " ") {
            if (c != ' ') {
                key += c;
            } else if (!key.empty()) {
                ++keys[key];
                key.clear();
            }
        }
    }
    for (const auto& [key, count] : keys) {
        INFO(key);
        CHECK(count == 1);
        CHECK(command_of_key(key) != nullptr);
    }
    CHECK(matching_commands("zoom in").front()->id == "zoom-in");
}

}  // namespace
