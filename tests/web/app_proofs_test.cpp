// Proofs in the explorer: the worker's interface writes them, the checker's reads them, the page says what came of it.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/app.hpp"
#include "checker_api.hpp"
#include "engine_api.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::web;

namespace {

// Plays the page's script with its two workers. `bend` may spoil a proof on its way to the checker.
struct Host {
    App app;
    Engine* engine = engine_create();
    double now = 0;
    bool answers = true;
    std::function<std::string(std::string)> bend = [](std::string proof) { return proof; };
    std::map<std::string, std::string> saved;
    std::vector<std::string> said, asked;
    int search = 0, check = 0;  // the numbers of the last ones asked for

    Host() { app.reduced_motion = true; }
    ~Host() { engine_free(engine); }
    void act() {
        for (const Action& action : app.take_actions()) {
            if (action.kind == "start") {
                REQUIRE(std::string(engine_start(engine, action.text.c_str(), action.more.c_str())).empty());
                while (engine_step(engine, 1e6) == 1) {
                }
                app.worker_result(std::stoi(action.name), 0.5, engine_result(engine, 0.5), true);
            } else if (action.kind == "prove") {
                asked.push_back(action.text);
                search = std::stoi(action.name);
                if (answers)
                    app.worker_proof(std::stoi(action.name), action.text, engine_proof(engine, action.text.c_str()));
            } else if (action.kind == "check") {
                asked.push_back("check");
                check = std::stoi(action.name);
                if (answers)
                    app.checker_answer(std::stoi(action.name), 0.01,
                                       checker_check(bend(action.text).c_str(), action.more.c_str()), "");
            } else if (action.kind == "save") {
                saved[action.name] = action.text;
            } else if (action.kind == "say") {
                said.push_back(action.text);
            } else if (action.kind == "uncheck") {
                asked.push_back("uncheck");
            }
        }
    }
    void pass() {
        for (int turn = 0; turn < 6; ++turn) {
            app.advance(now += 1);
            act();
        }
    }
    void open(const std::string& link) {
        REQUIRE(app.open_link(link, false).empty());
        pass();
    }
    void command(const char* id) {
        CHECK(app.run_command(id));
        for (int turn = 0; turn < 3; ++turn) act();
    }
    nlohmann::json state() const { return nlohmann::json::parse(app.state_json()); }
    bool last_said(const std::string& words) const {
        return !said.empty() && said.back().find(words) != std::string::npos;
    }
};

constexpr const char* nn = "v=1&preset=nn&devices=4&micro_batches=8&memory=4&objective=period";

TEST_CASE("what is proved is written, checked and then called so", "[proof]") {
    Host host;
    host.open("");
    CHECK(host.state()["status_text"].get<std::string>().find("proved optimal") == 0);
    CHECK(host.state()["proof"]["makespan"]["state"] == "not checked");
    host.command("prove");
    const auto state = host.state();
    CHECK(state["proof"]["period"]["state"] == "proved and checked");
    CHECK(state["proof"]["period"]["words"].get<std::string>().find("no schedule with an integer period below 4") == 0);
    CHECK(state["proof"]["makespan"]["state"] == "proved and checked");
    CHECK(state["status_text"].get<std::string>().find("proved and checked") == 0);
    CHECK(state["caption"].get<std::string>().find("Proved and checked: no schedule") != std::string::npos);
    CHECK(host.app.table_json().find("4, proved least and checked") != std::string::npos);
    CHECK(host.last_said("Proved and checked: no schedule of 16 micro-batches is shorter than 76"));

    // Saved is what was checked; nothing is made anew.
    host.asked.clear();
    host.command("export-proof");
    host.command("export-makespan-proof");
    CHECK(host.asked.empty());
    REQUIRE(host.saved.size() == 2);
    for (const auto& [name, text] : host.saved) CHECK(text.find("repetend.") != std::string::npos);

    // Another problem, another proof.
    host.app.edit_option("micro-batches", "8");
    host.pass();
    CHECK(host.state()["proof"]["period"]["state"] == "not checked");
}

TEST_CASE("a proof is saved once the checker has accepted it, and not before", "[proof]") {
    Host host;
    host.open(nn);
    host.command("export-proof");
    REQUIRE(host.saved.size() == 1);
    const std::string proof = host.saved.begin()->second;
    CHECK(proof.find("\"kind\": \"clauses\"") != std::string::npos);

    Host spoilt;
    spoilt.open(nn);
    spoilt.bend = [](std::string text) {
        const std::size_t at = text.find("\"memory_capacity\": 4");
        return text.replace(at, 20, "\"memory_capacity\": 8");
    };
    spoilt.command("export-proof");
    CHECK(spoilt.saved.empty());
    CHECK(spoilt.state()["proof"]["period"]["state"] == "refused");
    CHECK(spoilt.app.message.find("THE PROOF OF THE PERIOD WAS REFUSED") == 0);
    CHECK(spoilt.state()["status_text"].get<std::string>().find("PROOF REFUSED") == 0);
    CHECK(spoilt.app.caption().find("REFUSED") != std::string::npos);
    CHECK(spoilt.last_said("REFUSED"));
}

TEST_CASE("a proof of something else than what is shown does not count", "[proof]") {
    Host other;
    other.open("v=1&preset=nn&devices=4&micro_batches=8&memory=6&objective=period");
    other.command("export-proof");
    REQUIRE(other.saved.size() == 1);
    const std::string foreign = other.saved.begin()->second;
    Host host;
    host.open(nn);
    host.bend = [&](const std::string&) { return foreign; };
    host.command("prove");
    CHECK(host.state()["proof"]["period"]["state"] == "refused");
    CHECK(host.app.message.find("for another problem") != std::string::npos);
}

TEST_CASE("where a proof has no written form, words say so", "[proof]") {
    Host host;
    host.open("v=1&preset=v&devices=4&micro_batches=12&memory=3");
    REQUIRE(host.state()["makespan_optimal"] == true);
    host.command("prove");
    CHECK(host.state()["proof"]["makespan"]["state"] == "no written form");
    CHECK(host.state()["proof"]["makespan"]["words"].get<std::string>().find("diagrams") != std::string::npos);
    INFO(host.app.status());
    CHECK(host.state()["status_text"].get<std::string>().find("proved optimal") == 0);
    host.command("export-makespan-proof");
    CHECK(host.app.message.find("There is no proof to save") == 0);
    CHECK(host.saved.count("v-makespan.proof") == 0);
}

TEST_CASE("nothing proved, nothing to check", "[proof]") {
    Host host;
    host.command("prove");
    CHECK(host.app.message.find("Nothing is proved yet") == 0);
    host.open("v=1&preset=v&devices=4&memory=0");
    host.command("prove");
    CHECK_FALSE(host.app.message.empty());
    CHECK(host.asked.empty());
}

TEST_CASE("an opened proof is checked first and shown then", "[proof]") {
    Host writer;
    writer.open(nn);
    writer.command("export-proof");
    const std::string proof = writer.saved.begin()->second;
    writer.open("");
    writer.command("export-makespan-proof");
    std::string makespan_proof;
    for (const auto& [name, text] : writer.saved)
        if (name.find("makespan") != std::string::npos) makespan_proof = text;

    Host host;
    host.open("");
    CHECK(host.app.load_text(proof, "nn.proof").empty());
    CHECK(host.state()["makespan"] == 76);  // nothing changes before the checker's word
    host.pass();
    CHECK(host.state()["status"] == "given");
    CHECK(host.state()["proof"]["period"]["state"] == "proved and checked");
    CHECK(host.state()["status_text"].get<std::string>().find("proved and checked") == 0);
    REQUIRE(host.app.view()->schedule.repetend);
    CHECK(host.app.view()->schedule.repetend->period == nlohmann::json::parse(proof)["period"]);
    CHECK_FALSE(verify_schedule(host.app.view()->problem, host.app.view()->schedule));
    CHECK(host.app.caption().find("Proved and checked: nothing repeats faster") != std::string::npos);

    CHECK(host.app.load_text(makespan_proof, "v.proof").empty());
    host.pass();
    CHECK(host.state()["proof"]["makespan"]["state"] == "proved and checked");
    CHECK(host.state()["makespan"] == 76);

    // Bent ones change nothing and are refused aloud; texts that are no proof are told.
    std::string bent = proof;
    bent.replace(bent.find("\"memory_capacity\": 4"), 20, "\"memory_capacity\": 8");
    host.app.load_text(bent, "bent.proof");
    host.pass();
    CHECK(host.app.message.find("bent.proof: THE PROOF WAS REFUSED: clause") == 0);
    CHECK(host.last_said("REFUSED"));
    CHECK(host.state()["makespan"] == 76);
    host.app.load_text(proof.substr(0, proof.size() / 2), "cut.proof");
    host.pass();
    CHECK(host.app.message.find("cut.proof cannot be opened") == 0);
}

TEST_CASE("a check can be stopped; answers that come late do not count", "[proof]") {
    Host host;
    host.open(nn);
    host.answers = false;
    host.command("prove");
    CHECK(host.state()["proof"]["period"]["state"] == "being written");
    host.app.worker_proof(host.search, "period", engine_proof(host.engine, "period"));
    host.act();
    CHECK(host.state()["proof"]["period"]["state"] == "being checked");
    host.command("prove");
    CHECK(host.asked.back() == "uncheck");
    CHECK(host.state()["proof"]["period"]["state"] == "not checked");
    host.app.checker_answer(host.check, 0.1, R"({"valid": true, "proof": {"period": 9, "copies": 1, "message": "x"}})",
                            "");
    CHECK(host.state()["proof"]["period"]["state"] == "not checked");

    // A checker that breaks is no refusal and no acceptance.
    host.command("prove");
    host.app.worker_proof(host.search, "period", engine_proof(host.engine, "period"));
    host.act();
    host.app.checker_answer(host.check, 0, "", "the checker ran out of memory");
    CHECK(host.app.message.find("The proof was not checked") == 0);
    CHECK(host.state()["proof"]["period"]["state"] == "not checked");
}

}  // namespace
