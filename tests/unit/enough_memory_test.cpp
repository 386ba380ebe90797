// What would be enough, where nothing fits: named, and true.
#include <catch2/catch_test_macros.hpp>

#include "repetend/placement/placement.hpp"
#include "repetend/session/session.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;

namespace {

SearchResult search(Problem problem, Objective objective) {
    SearchOptions options;
    options.objective = objective;
    options.micro_batches = 3;
    Session session = Session::start(std::move(problem), options).value();
    while (session.step(100'000)) continue;
    return session.result();
}

}  // namespace

TEST_CASE("an infeasible problem is told what would be enough, and it is", "[session]") {
    for (const Objective objective : {Objective::makespan, Objective::period}) {
        for (const char* shape : {"zb-v", "v-split", "interleaved", "x"}) {
            INFO(shape);
            PlacementOptions options;
            options.devices = 4;
            options.memory = {0};
            Problem problem = build_placement(shape, options).value();
            const SearchResult none = search(problem, objective);
            REQUIRE(none.status == SearchStatus::infeasible);
            const std::string start = "enough would be device 0 with ";
            const std::size_t at = none.infeasible_reason.find(start);
            REQUIRE(at != std::string::npos);
            const Memory enough = std::stoll(none.infeasible_reason.substr(at + start.size()));
            for (Device& device : problem.devices) device.memory_capacity = enough;
            const SearchStatus status = search(problem, objective).status;
            CHECK((status == SearchStatus::optimal || status == SearchStatus::feasible));
        }
    }
}

TEST_CASE("what stays behind counts for every micro-batch", "[session]") {
    Problem problem;
    problem.devices.resize(1);
    problem.devices[0].memory_capacity = 5;
    problem.devices[0].memory_static = 1;
    Block block;
    block.name = "keeps";
    block.devices = {0};
    block.time = 1;
    block.memory = {2};
    block.transient = {1};
    problem.blocks = {block};
    const SearchResult result = search(problem, Objective::makespan);  // three micro-batches
    REQUIRE(result.status == SearchStatus::infeasible);
    CHECK(result.infeasible_reason.find("enough would be device 0 with 8 (it has 5)") != std::string::npos);
}
