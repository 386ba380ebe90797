// Share links: what is written reads back as the same; links from strangers are refused in words, never half accepted.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>

#include "repetend/format/share.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;

namespace {

Problem placed(const char* name, std::int64_t devices) {
    PlacementOptions options;
    options.devices = devices;
    options.memory = {std::optional<Memory>(devices)};
    return build_placement(name, options).value();
}

Schedule searched(const Problem& problem, std::int64_t micro_batches) {
    SearchOptions options;
    options.micro_batches = micro_batches;
    options.work_budget = 200'000;
    Result<Session> session = Session::start(problem, options);
    while (session->step(100'000)) {
    }
    return *session->result().schedule;
}

Recipe preset_recipe() {
    Recipe recipe;
    recipe.preset = "zb-v";
    for (const auto& [name, value] :
         {std::pair{"devices", "8"}, {"memory", "4,unlimited,4,4,4,4,4,4"}, {"copies", "auto"}})
        REQUIRE_FALSE(recipe.options.set(name, value));
    recipe.title = "Zero bubble & more: 100 %";
    recipe.view = {{"view", "0.5,12"}, {"colour", "stage"}};
    return recipe;
}

std::string first_fault(std::string_view link) {
    const Result<Recipe> recipe = read_link(link);
    return recipe ? "" : to_string(recipe.faults().front());
}

// Each character from `begin` on, changed to another that links have.
void check_every_change_is_refused(const std::string& link, std::size_t begin) {
    for (std::size_t k = begin; k < link.size(); ++k) {
        std::string changed = link;
        changed[k] = changed[k] == 'A' ? 'B' : 'A';
        INFO("changed at " << k);
        CHECK_FALSE(first_fault(changed).empty());
    }
}

TEST_CASE("a preset with options goes through a link") {
    const Recipe recipe = preset_recipe();
    const std::string link = write_link(recipe);
    CHECK(link.size() < 200);
    const Result<Recipe> again = read_link("https://example.org/index.html#" + link);
    REQUIRE(again);
    CHECK(again->preset == "zb-v");
    CHECK(again->options.given() == recipe.options.given());
    CHECK(again->title == recipe.title);
    CHECK(again->view == recipe.view);
    CHECK(write_link(*again) == link);
}

TEST_CASE("an own problem of 16 devices stays below 2,000 characters") {
    for (const char* name : {"v", "x", "nn", "zb-v", "interleaved", "k"}) {
        Recipe recipe;
        recipe.problem = placed(name, 16);
        // Uneven times, as from measurements.
        for (std::size_t b = 0; b < recipe.problem->blocks.size(); ++b)
            recipe.problem->blocks[b].time = 1'000'000 + static_cast<Ticks>(b * 7919 % 4096);
        const std::string link = write_link(recipe);
        INFO(name << ": " << link.size());
        CHECK(link.size() < 2000);
        const Result<Recipe> again = read_link(link);
        REQUIRE(again);
        CHECK(*again->problem == *recipe.problem);
    }
}

TEST_CASE("a schedule travels with its problem") {
    for (const char* name : {"v", "m", "zb-v"}) {
        Recipe recipe;
        recipe.problem = placed(name, 4);
        recipe.schedule = searched(*recipe.problem, 12);
        const std::string link = write_link(recipe);
        const Result<Recipe> again = read_link(link);
        REQUIRE(again);
        CHECK(*again->problem == *recipe.problem);
        CHECK(*again->schedule == *recipe.schedule);
        CHECK(link.size() < 1000);
    }
}

TEST_CASE("numbers at the ends of their ranges and odd names survive") {
    Problem problem = placed("v", 2);
    problem.name = "d\xC3\xA9j\xC3\xA0 vu \"quoted\"";
    problem.blocks[0].time = std::int64_t{1} << 40;
    problem.blocks[1].memory[0] = -(std::int64_t{1} << 50);
    problem.blocks[0].memory[0] = std::int64_t{1} << 50;
    problem.blocks[2].stage = -7;
    problem.devices[1].memory_capacity.reset();
    problem.devices[1].kind = DeviceKind::link;
    problem.devices[1].name = "NVLink 9";
    problem.micro_batches = 77;
    REQUIRE(validate(problem).empty());
    const Result<Problem> again = unpack_problem(pack_problem(problem));
    REQUIRE(again);
    CHECK(*again == problem);
}

TEST_CASE("damaged and hostile links are refused in words") {
    CHECK(first_fault("preset=v").find("v=1") != std::string::npos);
    CHECK(first_fault("v=2&preset=v").find("version 2") != std::string::npos);
    CHECK(first_fault("v=1&preset=v&devices=99999").find("out of range") != std::string::npos);
    CHECK(first_fault("v=1&preset=v&p=AAAA").find("not both") != std::string::npos);
    CHECK(first_fault("v=1&p=AB").find("cut off") != std::string::npos);
    CHECK(first_fault("v=1&p=A%42C*").find("character") != std::string::npos);
    CHECK(first_fault("v=1&s=AAAA").find("needs the problem") != std::string::npos);
    CHECK(first_fault(std::string(longest_link + 1, 'a')).find("longer") != std::string::npos);
    CHECK(first_fault("v=1&preset=v&whatever=7").empty());  // unknown keys are for later versions

    Recipe recipe;
    recipe.problem = placed("m", 4);
    const std::string link = write_link(recipe);
    const std::size_t begin = link.find("&p=") + 3;
    check_every_change_is_refused(link, begin);
    for (std::size_t k = begin; k < link.size(); ++k) {
        INFO("cut at " << k);
        CHECK_FALSE((first_fault(link.substr(0, k)).empty() && k > begin));
    }
}

TEST_CASE("x_ fields travel with the problem and the schedule that they belong to") {
    Recipe recipe;
    recipe.problem = placed("v", 3);
    const std::size_t plain = write_link(recipe).size();
    recipe.problem->extra = {{"x_note", R"("a \"quoted\" note")"}, {"x_numbers", "[1, 2.5, 1e3]"}};
    recipe.problem->devices[2].extra = {{"x_rank", "17"}};
    recipe.problem->blocks[1].extra = {{"x_layers", R"({"from": 3, "to": 8})"}};
    recipe.problem->dependencies[0].extra = {{"x_bytes", "9007199254740993"}};
    const std::string link = write_link(recipe);
    CHECK(link.find("&x=") != std::string::npos);
    CHECK(link.size() < plain + 250);
    Result<Recipe> again = read_link(link);
    REQUIRE(again);
    CHECK(*again->problem == *recipe.problem);

    recipe.schedule = searched(*recipe.problem, 4);
    recipe.schedule->extra = {{"x_by", R"("hand")"}};
    recipe.schedule->operation_extra = {{2, 0, {{"x_colour", R"("red")"}}}, {1, 3, {{"x_colour", "null"}}}};
    again = read_link(write_link(recipe));
    REQUIRE(again);
    CHECK(*again->problem == *recipe.problem);
    CHECK(*again->schedule == *recipe.schedule);

    // What does not fit into a link stays out of it.
    recipe.schedule.reset();
    recipe.problem->extra = {{"x_log", '"' + std::string(70'000, 'a') + '"'}};
    CHECK(write_link(recipe).find("&x=") == std::string::npos);
    std::string noise;
    std::uint32_t state = 1;
    for (int k = 0; k < 3000; ++k) {
        state = state * 1664525u + 1013904223u;
        noise += static_cast<char>('a' + (state >> 24) % 26);
    }
    recipe.problem->extra = {{"x_log", '"' + noise + '"'}};
    CHECK(write_link(recipe).find("&x=") == std::string::npos);
}

TEST_CASE("damaged x_ fields in a link are refused in words") {
    Problem problem = placed("v", 2);
    const auto faults = [&](const ExtraFields& fields, auto place) {
        Problem strange = placed("v", 3);
        place(strange) = fields;
        Problem target = problem;
        return unpack_extra(pack_extra(strange, nullptr), target, nullptr);
    };
    const auto of_problem = [](Problem& p) -> ExtraFields& { return p.extra; };
    const auto of_last_device = [](Problem& p) -> ExtraFields& { return p.devices[2].extra; };
    CHECK(faults({{"x_a", "1"}}, of_problem).empty());
    CHECK_FALSE(faults({{"x_a", "1"}}, of_last_device).empty());                // no such device here
    CHECK_FALSE(faults({{"name", "1"}}, of_problem).empty());                   // no x_ field
    CHECK_FALSE(faults({{"x_a", "1}"}}, of_problem).empty());                   // no JSON
    CHECK_FALSE(faults({{"x_a", "1"}, {"x_a", "2"}}, of_problem).empty());      // twice
    CHECK_FALSE(faults({{"x_a", std::string(100, '[')}}, of_problem).empty());  // too deep
    CHECK(first_fault("v=1&x=AAAA").find("need the problem") != std::string::npos);

    Recipe recipe;
    recipe.problem = problem;
    recipe.problem->extra = {{"x_note", R"("short")"}};
    const std::string link = write_link(recipe);
    check_every_change_is_refused(link, link.find("&x=") + 3);
}

TEST_CASE("an invalid schedule in a link is refused") {
    Recipe recipe;
    recipe.problem = placed("v", 2);
    Schedule schedule = searched(*recipe.problem, 3);
    schedule.operations.back().start = 0;
    recipe.schedule = schedule;
    CHECK(first_fault(write_link(recipe)).find("not valid") != std::string::npos);
}

}  // namespace
