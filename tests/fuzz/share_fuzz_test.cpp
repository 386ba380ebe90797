// Spoilt links, and packed parts that are spoilt below their checksum: what is read means the same when written and
// read again, what is refused is refused in words, and no size in them takes memory or time.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "format/share_coding.hpp"
#include "mutator.hpp"
#include "repetend/format/share.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

Problem placed(const char* name) {
    PlacementOptions options;
    options.devices = 3;
    options.memory = {std::optional<Memory>(4)};
    Problem problem = build_placement(name, options).value();
    problem.extra = {{"x_note", R"(["some", {"text": 1.5}])"}};
    problem.blocks[1].extra = {{"x_layer", "3"}};
    return problem;
}

Schedule searched(const Problem& problem) {
    SearchOptions options;
    options.micro_batches = 5;
    options.work_budget = 100'000;
    Result<Session> session = Session::start(problem, options);
    while (session->step(50'000)) {
    }
    Schedule schedule = *session->result().schedule;
    schedule.operation_extra = {{2, 1, {{"x_colour", R"("red")"}}}};
    return schedule;
}

void say_something(const Faults& faults) {
    for (const Fault& fault : faults) CHECK_FALSE(fault.message.empty());
}

struct Seeds {
    Problem problem = placed("v");
    Schedule schedule = searched(problem);
    std::vector<std::string> links;
    Seeds() {
        Recipe recipe;
        recipe.preset = "zb-v";
        REQUIRE_FALSE(recipe.options.set("devices", "8"));
        recipe.title = "A title & more";
        recipe.view = {{"view", "0.5,12"}};
        links.push_back(write_link(recipe));
        recipe.preset.clear();
        recipe.problem = problem;
        links.push_back(write_link(recipe));
        recipe.schedule = schedule;
        links.push_back(write_link(recipe));
    }
};

// The content of a packed part: neither its version nor its checksum.
std::string body(const std::string& packed) { return packed.substr(1, packed.size() - 5); }

}  // namespace

TEST_CASE("fuzz: links are read or refused in words", "[fuzz]") {
    const Seeds seeds;
    const std::uint64_t first = setting("REPETEND_FUZZ_SEED", 1), runs = setting("REPETEND_FUZZ_RUNS", 3000);
    std::uint64_t read = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        Mutator mutator(first + run);
        const std::string link = mutator.make(seeds.links);
        INFO("seed " << first + run << ": " << link.substr(0, 300));
        const Result<Recipe> recipe = read_link(link);
        if (!recipe) {
            REQUIRE_FALSE(recipe.faults().empty());
            say_something(recipe.faults());
            continue;
        }
        ++read;
        const Result<Recipe> again = read_link(write_link(*recipe));
        REQUIRE(again);
        CHECK(again->preset == recipe->preset);
        CHECK(again->problem == recipe->problem);
        CHECK(again->schedule == recipe->schedule);
        CHECK(again->title == recipe->title);
    }
    CHECK(read > 0);
    CHECK(read < runs);
}

TEST_CASE("fuzz: packed parts with a right checksum are read or refused in words", "[fuzz]") {
    const Seeds seeds;
    const std::vector<std::string> bodies = {body(pack_problem(seeds.problem)), body(pack_problem(placed("m"))),
                                             body(pack_schedule(seeds.problem, seeds.schedule)),
                                             body(pack_extra(seeds.problem, &seeds.schedule))};
    const std::uint64_t first = setting("REPETEND_FUZZ_SEED", 1), runs = setting("REPETEND_FUZZ_RUNS", 3000);
    std::uint64_t problems = 0, refused = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        Mutator mutator(first + run);
        const std::string packed = format::seal(1, mutator.make(bodies));
        INFO("seed " << first + run);
        if (const Result<Problem> problem = unpack_problem(packed)) {
            ++problems;
            CHECK(validate(*problem).empty());
            const Result<Problem> again = unpack_problem(pack_problem(*problem));
            REQUIRE(again);
            CHECK(*again == *problem);
        } else {
            ++refused;
            say_something(problem.faults());
        }
        if (const Result<Schedule> schedule = unpack_schedule(packed, seeds.problem)) {
            const Result<Schedule> again = unpack_schedule(pack_schedule(seeds.problem, *schedule), seeds.problem);
            REQUIRE(again);
            CHECK(again->operations == schedule->operations);
        } else {
            say_something(schedule.faults());
        }
        Problem problem = seeds.problem;
        problem.extra.clear();
        problem.blocks[1].extra.clear();
        Schedule schedule = seeds.schedule;
        schedule.operation_extra.clear();
        say_something(unpack_extra(packed, problem, &schedule));
    }
    CHECK(problems > 0);
    CHECK(refused > 0);
}
