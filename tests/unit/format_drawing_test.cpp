// Drawings: what must be seen in them, and that any schedule can be drawn in bounded size.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "problem_builder.hpp"
#include "repetend/format/drawing.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string line_with(const std::string& text, const std::string& start) {
    for (const std::string& line : lines_of(text)) {
        if (line.substr(0, start.size()) == start) return line;
    }
    return "";
}

std::size_t characters(const std::string& line) {
    return static_cast<std::size_t>(
        std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++times;
    return times;
}

Problem named_pipeline() {
    Problem problem = two_stages(2);
    problem.name = "pipeline";
    for (int b = 0; b < 4; ++b) problem.blocks[b].kind = b < 2 ? BlockKind::forward : BlockKind::backward;
    return problem;
}

// Micro-batch n of the pipeline, three ticks after micro-batch n-1: valid with capacity 2.
Schedule periodic_pipeline(int micro_batches, Ticks scale = 1) {
    std::vector<Operation> operations;
    for (int n = 0; n < micro_batches; ++n) {
        const Ticks shift = 3 * n;
        operations.insert(operations.end(), {{0, n, shift * scale},
                                             {1, n, (shift + 1) * scale},
                                             {2, n, (shift + 2) * scale},
                                             {3, n, (shift + 4) * scale}});
    }
    Schedule schedule = schedule_of(micro_batches, operations);
    schedule.repetend = RepetendMark{3 * scale, 1, 3 * scale, micro_batches - 1};
    return schedule;
}

std::string ascii(const Problem& problem, const Schedule& schedule, int columns) {
    return draw_text(problem, schedule, {columns, false, false});
}

}  // namespace

TEST_CASE("text lanes show letter, micro-batch and length of every block to scale") {
    // Worked by hand: device 0 runs F0 0-1, F1 3-4, B0 4-6, F2 6-7, B1 7-9, B2 10-12; two columns for a tick and more
    // would fit, but eight is the most for the shortest block.
    const std::string text = ascii(named_pipeline(), periodic_pipeline(3), 9 + 12 * 2);
    // 40 columns at least: 31 for 12 ticks, so two columns for a tick.
    CHECK(line_with(text, "device 0") == "device 0 F0    F1B0--F2B1--  B2--");
    CHECK(line_with(text, "device 1") == "device 1   F0B0--F1B1--F2B2--");
}

TEST_CASE("the memory line shows the amount held") {
    // Device 0: 1 from 0, 2 from 3 (F1), 1 after B0 at 6 and at once 2 (F2), 1 after B1 at 9, 0 after B2 at 12.
    const std::string text = ascii(named_pipeline(), periodic_pipeline(3), 40);
    const std::vector<std::string> lines = lines_of(text);
    const auto lane =
        std::find_if(lines.begin(), lines.end(), [](const std::string& l) { return l.substr(0, 8) == "device 0"; });
    REQUIRE(lane != lines.end());
    CHECK(*(lane + 1) == " 2/2     111111222222222222111111");
}

TEST_CASE("phases stand over their time, with the period and its repeats") {
    const std::string text = ascii(named_pipeline(), periodic_pipeline(9), 120);
    CHECK(text.find("repetend x8, period 3 ticks") != std::string::npos);
    CHECK(text.find("warmup") != std::string::npos);
    // Two ends and seven inner marks, each six columns from the last.
    const std::vector<std::string> lines = lines_of(text);
    const auto bracket = std::find_if(lines.begin(), lines.end(),
                                      [](const std::string& l) { return l.find("|-") != std::string::npos; });
    REQUIRE(bracket != lines.end());
    CHECK(*bracket ==
          std::string(9 + 9, ' ') + "|--------|--------|--------|--------|--------|--------|--------|--------|");
}

TEST_CASE("a long schedule is cut by whole periods and says how many") {
    const std::string text = ascii(named_pipeline(), periodic_pipeline(1000), 80);
    for (const std::string& line : lines_of(text)) CHECK(characters(line) <= 80);
    CHECK(text.find("repetend x999, period 3 ticks") != std::string::npos);
    const std::size_t at = text.find("Cut at ~: ");
    REQUIRE(at != std::string::npos);
    const int left_out = std::stoi(text.substr(at + 10));
    CHECK(left_out > 900);
    CHECK(text.find("of 999 repeats are left out (" + std::to_string(3 * left_out) + " ticks)") != std::string::npos);
    CHECK(text.find("B999") != std::string::npos);
}

TEST_CASE("nanoseconds are shown in a readable unit and the scale is stated") {
    Problem problem = named_pipeline();
    problem.time_unit = "ns";
    for (Block& block : problem.blocks) block.time *= 12'345'678;
    const std::string text = ascii(problem, periodic_pipeline(4, 12'345'678), 100);
    CHECK(line_with(text, "ms ").size() > 3);
    CHECK(text.find("in 185.185 ms") != std::string::npos);  // 15 * 12.345678
    CHECK(text.find("1 column is ") != std::string::npos);
    CHECK(text.find("period 37.037 ms") != std::string::npos);
}

TEST_CASE("text fits its columns in every style") {
    const Problem problem = named_pipeline();
    for (const int columns : {40, 80, 100, 200}) {
        for (const int micro_batches : {1, 3, 10, 128}) {
            const std::string text = draw_text(problem, periodic_pipeline(micro_batches), {columns, false, true});
            for (const std::string& line : lines_of(text)) {
                CAPTURE(columns, micro_batches, line);
                CHECK(characters(line) <= static_cast<std::size_t>(columns));
            }
        }
    }
}

TEST_CASE("plain text has no escape codes and ASCII has no other characters") {
    Problem problem = named_pipeline();
    problem.devices[0].name = "é\x1b[31m";
    const std::string text = ascii(problem, periodic_pipeline(3), 100);
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
    const std::string colour = draw_text(problem, periodic_pipeline(3), {100, true, true});
    CHECK(colour.find("\x1b[0;48;5;25;38;5;231mF0") != std::string::npos);
    CHECK(colour.find("\x1b[31m") == std::string::npos);
    for (const std::string& line : lines_of(colour)) {
        const std::size_t last = line.rfind('\x1b');
        if (last != std::string::npos) CHECK(line.substr(last, 4) == "\x1b[0m");
    }
}

TEST_CASE("gang blocks have capital letters, others small ones, and the legend says so") {
    Problem problem = ProblemBuilder({-1, -1}).block("all", {0, 1}, 1).block("one", {0}, 1).edge(0, 1).build();
    problem.blocks[0].kind = problem.blocks[1].kind = BlockKind::forward;
    const std::string text = ascii(problem, schedule_of(1, {{0, 0, 0}, {1, 0, 1}}), 80);
    CHECK(line_with(text, "device 0").substr(0, 11) == "device 0 F0");
    CHECK(line_with(text, "device 0").find("f0") != std::string::npos);
    CHECK(text.find("F forward on several devices; f forward") != std::string::npos);
}

TEST_CASE("invalid schedules are drawn, with what runs at once marked") {
    const Problem problem = named_pipeline();
    const Schedule overlapping = schedule_of(2, {{0, 0, 0}, {3, 0, 1}, {0, 1, 2}});
    CHECK(ascii(problem, overlapping, 40).find('!') != std::string::npos);
    const Schedule early = schedule_of(1, {{0, 0, -5}, {1, 0, 2}});
    CHECK(ascii(problem, early, 40).find("F0") != std::string::npos);
    CHECK(draw_svg(problem, early, {}).find("<svg") == 0);
    CHECK(draw_svg(problem, Schedule{}, {}).find("</svg>") != std::string::npos);
    CHECK(ascii(problem, Schedule{}, 1).find("device 1") != std::string::npos);
}

TEST_CASE("an SVG has one rectangle with a title for each visible block") {
    const std::string svg = draw_svg(named_pipeline(), periodic_pipeline(3), {});
    CHECK(svg.substr(0, 5) == "<svg ");
    CHECK(svg.find("<title id=\"title\">pipeline</title>") != std::string::npos);
    CHECK(count(svg, ", micro-batch ") == 12);
    CHECK(svg.find("<title>B1, micro-batch 2: 8 to 10 ticks</title>") != std::string::npos);
    CHECK(svg.find("repetend ×2, period 3 ticks") != std::string::npos);
    CHECK(svg.find("stroke-dasharray=\"5 3\"") != std::string::npos);  // the capacity
    CHECK(svg.find("F takes 1 tick, memory +1; B takes 2 ticks, memory -1.") != std::string::npos);
    for (const char* words : {"period", "makespan", "steady bubble", "peak memory", "warmup", "cooldown", "12 ticks"}) {
        CHECK(svg.find(words) != std::string::npos);
    }
}

TEST_CASE("an SVG without memory and legend leaves them out") {
    SvgOptions options;
    options.memory = options.legend = false;
    options.title = "only lanes";
    const std::string svg = draw_svg(named_pipeline(), periodic_pipeline(3), options);
    CHECK(svg.find("peak") == std::string::npos);
    CHECK(svg.find(">steady bubble<") == std::string::npos);
    CHECK(svg.find("only lanes") != std::string::npos);
}

TEST_CASE("text in an SVG is escaped") {
    Problem problem = named_pipeline();
    problem.name = "<script>alert('1')</script> & \"x\"\x01";
    problem.devices[0].name = "a<b";
    problem.blocks[0].name = "F&0\"";
    problem.time_unit = "<t>";
    const std::string svg = draw_svg(problem, periodic_pipeline(2), {});
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("a<b") == std::string::npos);
    CHECK(svg.find("F&0") == std::string::npos);
    CHECK(svg.find("<t>") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;alert(&#39;1&#39;)") != std::string::npos);
    CHECK(svg.find('\x01') == std::string::npos);
}

TEST_CASE("gang blocks are joined by rails, lags are drawn between lanes") {
    Problem problem = ProblemBuilder({-1, -1, -1}).block("all", {0, 2}, 2).block("one", {1}, 1).edge(0, 1, 3).build();
    const std::string svg = draw_svg(problem, schedule_of(1, {{0, 0, 0}, {1, 0, 5}}), {});
    CHECK(count(svg, "stroke-width=\"3\"") == 1);
    CHECK(count(svg, "stroke=\"#AEB6BF\"") == 1);
}

TEST_CASE("the size of an SVG follows its pixels, not the operations") {
    Problem problem;
    problem.devices.resize(32);
    for (int d = 0; d < 32; ++d) {
        Block block;
        block.name = "f" + std::to_string(d);
        block.kind = BlockKind::forward;
        block.devices = {d};
        block.time = 7;
        block.memory = {0};
        block.transient = {1};
        problem.blocks.push_back(block);
    }
    const auto drawn = [&](int micro_batches) {
        Schedule schedule;
        schedule.micro_batches = micro_batches;
        for (int m = 0; m < micro_batches; ++m) {
            for (int d = 0; d < 32; ++d) schedule.operations.push_back({d, m, m * 9 + d});
        }
        return draw_svg(problem, schedule, {}).size();
    };
    CHECK(drawn(512) < 4'000'000);
    CHECK(drawn(20'000) < 3'000'000);
}

TEST_CASE("a long schedule is cut in an SVG too, and says so") {
    const std::string svg = draw_svg(named_pipeline(), periodic_pipeline(1000), {});
    CHECK(svg.find("of them are left out at the gap") != std::string::npos);
    CHECK(svg.find("micro-batch 999:") != std::string::npos);
    CHECK(svg.size() < 100'000);
}

TEST_CASE("drawings hold the largest numbers") {
    Problem problem = ProblemBuilder({largest_number}).block("a", {0}, largest_number / 4, largest_number / 8).build();
    const Schedule schedule = schedule_of(2, {{0, 0, 0}, {0, 1, largest_number / 4}});
    for (const char* unit : {"", "ns", "fortnight"}) {
        problem.time_unit = unit;
        problem.memory_unit = unit[0] == 'n' ? "byte" : "";
        CHECK(ascii(problem, schedule, 80).find("a0") != std::string::npos);
        CHECK(draw_svg(problem, schedule, {}).find(">a0<") != std::string::npos);
    }
    const Schedule late = schedule_of(1, {{0, 0, largest_number}});
    CHECK(ascii(problem, late, 80).size() > 100);
    CHECK(draw_svg(problem, late, {}).size() > 100);
}
