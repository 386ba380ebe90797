// The C interface of the worker, called as a script would call it.
#include "engine_api.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "repetend/format/json.hpp"
#include "repetend/presets.hpp"

namespace {

struct Free {
    void operator()(Engine* engine) const { engine_free(engine); }
};
using EnginePointer = std::unique_ptr<Engine, Free>;

EnginePointer create() { return EnginePointer(engine_create()); }

std::string v_shape() {
    repetend::PlacementOptions options;
    auto problem = repetend::build_preset("v", options);
    REQUIRE(problem);
    return repetend::write_problem(*problem);
}

nlohmann::json finished(Engine* engine) {
    while (engine_step(engine, 10000) == 1) {
    }
    return nlohmann::json::parse(engine_result(engine, 0.25));
}

TEST_CASE("the worker's engine searches a problem to its end") {
    const auto engine = create();
    REQUIRE(std::string(engine_start(engine.get(), v_shape().c_str(), R"({"micro_batches": 8, "seed": 3})")).empty());
    const nlohmann::json result = finished(engine.get());
    CHECK(result["status"] == "optimal");
    CHECK(result["stop"] == "finished");
    CHECK(result["period"] == 4);  // forward 1 and backward 3 on every device
    CHECK(result["period_optimal"] == true);
    CHECK(result["makespan"] == 4 * 8 + 12);
    CHECK(result["search"]["seed"] == 3);
    CHECK(result["search"]["seconds"] == 0.25);
    CHECK(result["schedule"]["micro_batches"] == 8);
}

TEST_CASE("the worker's events tell of the best period once") {
    const auto engine = create();
    REQUIRE(std::string(engine_start(engine.get(), v_shape().c_str(), "")).empty());
    finished(engine.get());
    const auto events = nlohmann::json::parse(engine_events(engine.get()));
    bool period = false;
    for (const auto& event : events) period = period || (event["kind"] == "period" && event["value"] == 4);
    CHECK(period);
    CHECK(events.back()["kind"] == "finished");
    CHECK(std::string(engine_events(engine.get())) == "[]");
}

TEST_CASE("a stopped engine keeps what it has and says why it stopped") {
    const auto engine = create();
    REQUIRE(std::string(engine_start(engine.get(), v_shape().c_str(), "")).empty());
    engine_stop(engine.get(), "timeout");
    CHECK(engine_step(engine.get(), 1000) == 0);
    CHECK(nlohmann::json::parse(engine_result(engine.get(), 0))["stop"] == "timeout");
}

TEST_CASE("what is wrong with a start is answered in words") {
    const auto engine = create();
    const std::string problem = v_shape();
    const auto start = [&](const std::string& text, const char* options) {
        return std::string(engine_start(engine.get(), text.c_str(), options));
    };
    CHECK(start("{", "") != "");
    CHECK(start(problem, "7").find("options") != std::string::npos);
    CHECK(start(problem, R"({"copies": [1]})").find("options") != std::string::npos);
    CHECK(start(problem, R"({"copies": 0})").find("--copies") != std::string::npos);
    CHECK(start(problem, R"({"speed": 1})").find("speed") != std::string::npos);
    // A host's own option: it has no meaning here.
    CHECK(start(problem, R"({"threads": 4})").find("threads") != std::string::npos);
    CHECK(std::string(engine_result(engine.get(), 0)).empty());
    CHECK(engine_step(engine.get(), 100) == 0);
}

}  // namespace
