// Several workers in one search: what counts of what each says, who is stopped, which result is shown.
#include "app/search_team.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/app.hpp"
#include "app/commands.hpp"
#include "engine_api.hpp"

using namespace repetend;
using namespace repetend::web;

namespace {

ResultSummary found(Ticks makespan, Ticks bound = 0, Ticks period = 4) {
    ResultSummary summary;
    summary.status = bound == makespan ? "optimal" : "feasible";
    summary.period = period;
    summary.makespan = makespan;
    summary.makespan_lower_bound = bound;
    summary.makespan_optimal = bound == makespan;
    return summary;
}

SearchTeam team_of(int size, bool by_period = false) {
    SearchTeam team;
    team.begin(size, by_period);
    return team;
}

TEST_CASE("a better result is shown, of equal ones that of the lower seed", "[team]") {
    SearchTeam team = team_of(3);
    CHECK(team.take_result(1, found(90), false));
    CHECK_FALSE(team.take_result(2, found(90), false));
    CHECK_FALSE(team.take_result(0, found(90), false));  // not while it runs: pictures would alternate
    CHECK_FALSE(team.take_result(0, found(90), false));
    CHECK(team.best() == 1);
    CHECK(team.take_result(2, found(89), true));
    CHECK(team.best() == 2);
    CHECK_FALSE(team.take_result(1, found(90), true));
    CHECK_FALSE(team.over());
    // Whatever the order in which they end, the same one counts.
    CHECK(team.take_result(0, found(89), true));
    CHECK(team.best() == 0);
    CHECK(team.over());
    CHECK_FALSE(team.take_result(2, found(1), true));  // has ended
    CHECK_FALSE(team.take_result(9, found(1), true));
}

TEST_CASE("with the period as objective it counts before the makespan, for each micro-batch", "[team]") {
    SearchTeam team = team_of(3, true);
    CHECK(team.take_result(0, found(80, 0, 6), false));
    CHECK(team.take_result(1, found(90, 0, 5), false));
    ResultSummary two = found(95, 0, 9);
    two.copies = 2;
    CHECK(team.take_result(2, two, false));
    CHECK_FALSE(team.take_result(1, found(85, 0, 5), false));
    two.period = 10;  // now as much each as the other's, and a longer makespan
    CHECK(team.take_result(2, two, false));
    CHECK(team.take_result(1, found(85, 0, 5), false));
}

TEST_CASE("the chart stays monotone, nodes are summed", "[team]") {
    SearchTeam team = team_of(2);
    CHECK(team.take_event(0, "makespan", 90, 1));
    CHECK_FALSE(team.take_event(1, "makespan", 90, 1));
    CHECK(team.take_event(1, "makespan", 88, 1));
    CHECK_FALSE(team.take_event(0, "makespan", 89, 1));
    CHECK(team.take_event(0, "makespan_bound", 70, 1));
    CHECK_FALSE(team.take_event(1, "makespan_bound", 69, 1));
    CHECK(team.take_event(0, "period", 9, 2));
    CHECK_FALSE(team.take_event(1, "period", 5, 1));
    CHECK(team.take_event(1, "period", 4, 1));
    CHECK(team.take_event(1, "period_bound", 3, 1));
    CHECK_FALSE(team.take_event(0, "period_bound", 3, 1));
    CHECK_FALSE(team.take_event(0, "phase", 0, 1));
    CHECK_FALSE(team.take_event(2, "makespan", 1, 1));
    team.take_progress(0, 1.2, 120, 13);
    team.take_progress(1, 1.1, 110, 12);
    CHECK(team.nodes() == 25);
    CHECK(team.work() == 230);
    CHECK(team.seconds() == 1.2);
    // One worker: everything as it comes.
    SearchTeam one = team_of(1);
    for (const int value : {9, 10}) CHECK(one.take_event(0, "makespan", value, 1));
    CHECK(one.take_event(0, "phase", 0, 1));
}

TEST_CASE("the largest bound of all counts", "[team]") {
    SearchTeam team = team_of(3);
    team.take_result(0, found(90, 70), false);
    team.take_result(1, found(92, 80), false);
    team.take_event(2, "makespan_bound", 85, 1);
    ResultSummary summary = found(90, 70);
    team.complete(summary);
    CHECK(summary.makespan_lower_bound == 85);
    CHECK(summary.status == "feasible");
    CHECK(team.take_superfluous().empty());
    // The bound of one meets the best of another: nothing is left to find.
    team.take_event(2, "makespan_bound", 90, 1);
    team.complete(summary);
    CHECK(summary.makespan_optimal);
    CHECK(summary.status == "optimal");
    CHECK(team.take_superfluous() == std::vector{0, 1, 2});
    CHECK(team.take_superfluous().empty());
    // Bounds of a period hold for one number of copies.
    ResultSummary two = found(90, 0, 8);
    two.copies = 2;
    two.period_lower_bound = 8;
    team.take_result(1, two, false);
    team.complete(summary);
    CHECK(summary.period_lower_bound == 0);
}

TEST_CASE("a proof ends the others once they have done as much work", "[team]") {
    SearchTeam team = team_of(4);
    team.take_progress(0, 1, 500, 1);
    team.take_progress(1, 1, 900, 1);
    team.take_progress(2, 1, 1000, 1);
    // Has found and proved, and is about to end: nobody is stopped before it has, not even itself.
    team.take_event(2, "makespan", 76, 1);
    team.take_event(2, "makespan_bound", 76, 1);
    CHECK(team.take_superfluous().empty());
    CHECK(team.take_result(2, found(76, 76), true));
    CHECK(team.take_superfluous().empty());
    team.take_progress(1, 1, 1001, 1);
    CHECK(team.take_superfluous() == std::vector{1});
    // Late to be heard, but with less work: it counts. A lower seed with more work does not.
    team.take_progress(3, 1, 800, 1);
    CHECK(team.take_result(3, found(76, 76), true));
    CHECK(team.take_superfluous() == std::vector<int>{});
    team.take_progress(0, 1, 820, 1);
    CHECK(team.take_superfluous() == std::vector{0});
    CHECK_FALSE(team.take_result(0, found(76, 76), true));
    CHECK_FALSE(team.take_result(1, found(76), true));
    CHECK(team.best() == 3);
    CHECK(team.over());
    CHECK(team.work_of_best() == 800);
}

TEST_CASE("a worker that fails ends nothing while another runs", "[team]") {
    SearchTeam team = team_of(2);
    team.take_failure(0, "no module");
    CHECK(team.running() == 1);
    CHECK_FALSE(team.failed());
    CHECK(team.take_result(1, found(90), false));
    CHECK(team.take_result(1, found(90), true));
    CHECK(team.over());
    CHECK_FALSE(team.failed());
    SearchTeam lost = team_of(2);
    lost.take_failure(1, "first words");
    lost.take_failure(0, "others");
    CHECK(lost.failed());
    CHECK(lost.why_failed() == "first words");
}

// Plays a page whose workers are run one after the other, in an order that a test chooses.
struct Crew {
    App app;
    double now = 0;
    std::vector<std::string> order = {"0123"}, did;
    std::map<int, Engine*> engines;
    std::vector<nlohmann::json> options;
    std::string link, kept;
    std::vector<int> broken;
    int search = 0;

    Crew() {
        app.reduced_motion = true;
        app.most_workers = SearchTeam::most_workers;
    }
    ~Crew() {
        for (const auto& [worker, engine] : engines) engine_free(engine);
    }
    void pass() {
        for (int turn = 0; turn < 4; ++turn) {
            app.advance(now += 1);
            for (const Action& action : app.take_actions()) act(action);
        }
    }
    void act(const Action& action) {
        if (action.kind == "link") link = action.text;
        if (action.kind == "prefer") kept = action.name + '=' + action.text;
        if (action.kind == "stop" || action.kind == "dismiss" || action.kind == "prove")
            did.push_back(action.kind + ' ' + (action.kind == "prove" ? action.type : action.name));
        if (action.kind != "start") return;
        search = std::stoi(action.name);
        options.clear();
        for (std::size_t at = 0; at < action.more.size();) {
            const std::size_t end = std::min(action.more.find('\n', at), action.more.size());
            options.push_back(nlohmann::json::parse(action.more.substr(at, end - at)));
            at = end + 1;
        }
        for (const char digit : order.front()) {
            const int worker = digit - '0';
            if (worker < static_cast<int>(options.size())) run(worker, action.text);
        }
    }
    void run(int worker, const std::string& problem) {
        if (std::find(broken.begin(), broken.end(), worker) != broken.end())
            return app.worker_failed(search, "it broke", worker);
        Engine*& engine = engines[worker];
        if (engine == nullptr) engine = engine_create();
        REQUIRE(
            std::string(engine_start(engine, problem.c_str(), options[static_cast<std::size_t>(worker)].dump().c_str()))
                .empty());
        for (bool more = true; more;) {
            more = engine_step(engine, 1e5) == 1;
            const std::string events = engine_events(engine);
            const auto progress = nlohmann::json::parse(engine_progress(engine));
            app.worker_progress(search, 0.5, events, progress["work"], progress["nodes"], worker);
            app.worker_result(search, 0.5, engine_result(engine, 0.5), !more, worker);
        }
    }
    nlohmann::json state() const { return nlohmann::json::parse(app.state_json()); }
};

// What is found within these budgets depends on the seed; some show it, however good the search has become.
constexpr const char* seeded[] = {"v=1&preset=m&devices=6&micro_batches=12&memory=4&budget=200000",
                                  "v=1&preset=m&devices=6&micro_batches=12&memory=4&budget=400000",
                                  "v=1&preset=m&devices=4&micro_batches=12&memory=4&budget=1000000",
                                  "v=1&preset=nn&devices=6&micro_batches=12&memory=4&budget=1000000"};

TEST_CASE("seeds are given in a row; the link of a result opens it with one worker", "[team]") {
    for (const char* problem : seeded) {
        std::string link, result;
        for (const char* order : {"0123", "3210", "2031"}) {
            Crew crew;
            crew.order = {order};
            crew.app.set_workers(4, true);
            CHECK(crew.kept.empty());  // the host has not asked yet
            REQUIRE(crew.app.open_link(problem, false).empty());
            crew.pass();
            CHECK(crew.kept == "workers=4");
            REQUIRE(crew.options.size() == 4);
            for (int k = 1; k < 4; ++k)
                CHECK(crew.options[static_cast<std::size_t>(k)]["seed"] == std::to_string(1 + k));
            CHECK(crew.state()["searching"] == false);
            CHECK(crew.state()["workers"] == 4);
            CHECK_FALSE(crew.app.history().can_undo());
            CHECK(crew.app.status().find("found with seed " + std::to_string(crew.app.summary()->seed)) !=
                  std::string::npos);
            if (crew.app.summary()->seed == 1 && link.empty()) break;  // this problem shows nothing
            if (link.empty()) {
                link = crew.link;
                result = crew.app.result_text();
                Crew alone;
                REQUIRE(alone.app.open_link(link, false).empty());
                alone.pass();
                CHECK(alone.options.size() == 1);
                CHECK(alone.app.result_text() == result);
            }
            CHECK(crew.link == link);
            CHECK(crew.app.result_text() == result);
        }
        if (link.empty()) continue;
        CHECK(link.find("&seed=") != std::string::npos);
        CHECK(link.find("workers") == std::string::npos);
        return;
    }
    FAIL("no problem is left whose result depends on the seed");
}

TEST_CASE("after the largest seed come the smallest", "[team]") {
    Crew crew;
    crew.app.set_workers(4, false);
    REQUIRE(crew.app.open_link("v=1&preset=v&devices=2&micro_batches=3&seed=9007199254740991", false).empty());
    crew.pass();
    REQUIRE(crew.options.size() == 4);
    const auto seed = [&](std::size_t k) { return crew.options[k]["seed"].get<std::string>(); };
    CHECK(seed(0) == "9007199254740991");
    CHECK(seed(1) == "9007199254740992");
    CHECK(seed(2) == "0");
    CHECK(seed(3) == "1");
    CHECK(crew.state()["status"] == "optimal");
}

TEST_CASE("a broken worker is passed over; all broken is said", "[team]") {
    Crew crew;
    crew.app.set_workers(2, false);
    crew.broken = {0};
    crew.app.open_link("v=1&preset=v&devices=2&micro_batches=3", false);
    crew.pass();
    CHECK(crew.state()["status"] == "optimal");
    CHECK(crew.app.message.empty());
    CHECK(crew.link.find("seed=2") != std::string::npos);
    crew.app.run_command("prove");
    crew.pass();
    CHECK(std::find(crew.did.begin(), crew.did.end(), "prove 1") != crew.did.end());
    crew.broken = {0, 1};
    crew.app.edit_option("micro-batches", "4");
    crew.pass();
    CHECK(crew.app.message == "The search could not run: it broke");
    CHECK(crew.app.monitor().phase == SearchPhase::failed);
}

TEST_CASE("fewer workers: the surplus goes, the one that found what is shown stays", "[team]") {
    Crew crew;
    crew.app.run_command("workers");
    crew.app.run_command("workers");
    CHECK(crew.app.workers() == 4);
    crew.order = {"2"};
    crew.app.open_link("v=1&preset=v&devices=2&micro_batches=3", false);
    crew.pass();
    CHECK(crew.state()["searching"] == true);  // three are silent
    crew.did.clear();
    crew.app.set_workers(1, true);
    crew.pass();
    CHECK(crew.did.empty());  // while they search
    for (const int worker : {0, 1, 3}) crew.app.worker_failed(crew.search, "gone", worker);
    crew.pass();
    CHECK(crew.state()["searching"] == false);
    CHECK(crew.did ==
          std::vector<std::string>{"dismiss 1", "dismiss 3", "dismiss 4", "dismiss 5", "dismiss 6", "dismiss 7"});
}

TEST_CASE("a host with one worker offers no choice", "[team]") {
    App app;
    CHECK_FALSE(app.offers(*find_command("workers")));
    CHECK(app.offers(*find_command("search")));
    CHECK(app.run_command("workers"));
    CHECK(app.workers() == 1);
}

}  // namespace
