// Whole documents and drawings against files that a person has looked at. After an intended change:
//   REPETEND_UPDATE_GOLDEN=1 golden_tests "golden: *"
// and look at the files again.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "repetend/format/csv.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "support/paths.hpp"

using namespace repetend;

namespace {

void check_golden(const std::string& name, const std::string& text) {
    const auto path = test::source_dir() / "tests" / "golden" / "format" / name;
    if (std::getenv("REPETEND_UPDATE_GOLDEN")) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    std::ostringstream expected;
    expected << file.rdbuf();
    INFO("tests/golden/format/" << name);
    REQUIRE(file);
    CHECK(text == expected.str());
}

// A micro-batch of a V with an embedding on all devices and a split backward on the last, every kind of
// amount in it; 2 devices, one shift of 8 ticks a micro-batch.
ProblemSchedule example(int micro_batches, Ticks scale, const std::string& time_unit) {
    const auto block = [&](const char* name, BlockKind kind, std::vector<int> devices, Ticks time,
                           std::vector<Memory> memory, Memory transient) {
        Block result;
        result.name = name;
        result.kind = kind;
        result.time = time * scale;
        result.memory = std::move(memory);
        result.transient.assign(devices.size(), transient);
        result.devices = std::move(devices);
        return result;
    };
    ProblemSchedule example;
    Problem& problem = example.problem;
    problem.name = "two stages with an embedding <on both>";
    problem.time_unit = time_unit;
    problem.devices.resize(2);
    problem.devices[0].name = "gpu 0";
    problem.devices[0].memory_capacity = 5;
    problem.devices[0].memory_static = 1;
    problem.devices[1].memory_capacity = 5;
    problem.blocks = {block("embed", BlockKind::forward, {0, 1}, 1, {0, 0}, 1),
                      block("f0", BlockKind::forward, {0}, 2, {1}, 0),
                      block("f1", BlockKind::forward, {1}, 2, {2}, 0),
                      block("i1", BlockKind::input_gradient, {1}, 1, {-1}, 0),
                      block("w1", BlockKind::weight_gradient, {1}, 1, {-1}, 0),
                      block("b0", BlockKind::backward, {0}, 4, {-1}, 0)};
    problem.dependencies = {{0, 1, 0, {}}, {1, 2, scale, {}}, {2, 3, 0, {}}, {3, 4, 0, {}}, {3, 5, 0, {}}};
    problem.micro_batches = micro_batches;
    const Ticks starts[] = {0, 1, 4, 6, 9, 11};
    for (int n = 0; n < micro_batches; ++n) {
        for (int b = 0; b < 6; ++b) example.schedule.operations.push_back({b, n, (starts[b] + 8 * n) * scale});
    }
    example.schedule.micro_batches = micro_batches;
    sort_operations(example.schedule);
    example.schedule.repetend = RepetendMark{8 * scale, 1, 8 * scale, micro_batches - 1};
    return example;
}

}  // namespace

TEST_CASE("golden: the examples are valid schedules") {
    for (const auto& [problem, schedule] : {example(4, 1, ""), example(200, 1'234'567, "ns")}) {
        CHECK(validate(problem).empty());
        const auto violation = verify_schedule(problem, schedule);
        INFO((violation ? violation->message : ""));
        CHECK_FALSE(violation);
    }
}

TEST_CASE("golden: JSON and CSV") {
    const auto [problem, schedule] = example(4, 1, "");
    check_golden("problem.json", write_problem(problem));
    check_golden("schedule.json", write_schedule(problem, schedule));
    check_golden("schedule.csv", write_csv(problem, schedule));
}

TEST_CASE("golden: a small schedule as text") {
    const auto [problem, schedule] = example(4, 1, "");
    TextDrawingOptions options;
    options.measures = false;
    check_golden("small.txt", draw_text(problem, schedule, options));
    options.unicode = false;
    options.columns = 80;
    check_golden("small_ascii.txt", draw_text(problem, schedule, options));
    options.unicode = options.colour = true;
    check_golden("small_colour.txt", draw_text(problem, schedule, options));
}

TEST_CASE("golden: a long schedule in nanoseconds as text") {
    const auto [problem, schedule] = example(200, 1'234'567, "ns");
    TextDrawingOptions options;
    options.measures = false;
    check_golden("long.txt", draw_text(problem, schedule, options));
}

TEST_CASE("golden: SVG") {
    SvgOptions options;
    options.legend = false;  // its words are tested elsewhere
    const auto [problem, schedule] = example(4, 1, "");
    check_golden("small.svg", draw_svg(problem, schedule, options));
    const auto [long_problem, long_schedule] = example(200, 1'234'567, "ns");
    check_golden("long.svg", draw_svg(long_problem, long_schedule, options));
}
