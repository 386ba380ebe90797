#include "repetend/model/graph.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;

namespace {

// 3 -> 1 -> 0, 3 -> 2 -> 0, 0 -> 4; 5 alone.
Problem diamond_with_tail() {
    return ProblemBuilder({-1})
        .block("a", {0}, 1)
        .block("b", {0}, 2)
        .block("c", {0}, 3)
        .block("d", {0}, 4)
        .block("e", {0}, 5)
        .block("f", {0}, 6)
        .edge(3, 1, 10)
        .edge(3, 2)
        .edge(1, 0)
        .edge(2, 0)
        .edge(0, 4, 2)
        .build();
}

}  // namespace

TEST_CASE("parallel edges merge to their largest lag, in order of their ends", "[graph]") {
    const Problem problem = ProblemBuilder({-1})
                                .block("a", {0}, 1)
                                .block("b", {0}, 1)
                                .block("c", {0}, 1)
                                .edge(1, 2, 1)
                                .edge(0, 1, 3)
                                .edge(0, 1, 7)
                                .edge(0, 1, 5)
                                .build();
    const std::vector<Dependency> merged = merged_dependencies(problem);
    REQUIRE(merged.size() == 2);
    CHECK((merged[0].from == 0 && merged[0].to == 1 && merged[0].lag == 7));
    CHECK((merged[1].from == 1 && merged[1].to == 2 && merged[1].lag == 1));
}

TEST_CASE("the topological order takes the least ready block first", "[graph]") {
    CHECK(topological_order(diamond_with_tail()) == std::vector<int>{3, 1, 2, 0, 4, 5});
}

TEST_CASE("a cycle leaves no topological order and is found", "[graph]") {
    Problem problem = diamond_with_tail();
    CHECK(find_cycle(problem).empty());
    problem.dependencies.push_back({4, 2, 0, {}});
    CHECK_FALSE(topological_order(problem));
    CHECK(find_cycle(problem) == std::vector<int>{0, 4, 2});
}

TEST_CASE("components are numbered by their least block", "[graph]") {
    CHECK(components(diamond_with_tail()) == std::vector<int>{0, 0, 0, 0, 0, 1});
    const Problem problem = ProblemBuilder({-1})
                                .block("a", {0}, 1)
                                .block("b", {0}, 1)
                                .block("c", {0}, 1)
                                .block("d", {0}, 1)
                                .edge(3, 0)
                                .edge(2, 1)
                                .build();
    CHECK(components(problem) == std::vector<int>{0, 1, 1, 0});
}

TEST_CASE("only edges outside cycles of the undirected graph are bridges", "[graph]") {
    // Merged order: 0->4, 1->0, 2->0, 3->1, 3->2.
    CHECK(bridges(diamond_with_tail()) == std::vector<bool>{true, false, false, false, false});
}

TEST_CASE("parallel edges are one bridge, not a cycle", "[graph]") {
    const Problem problem =
        ProblemBuilder({-1}).block("a", {0}, 1).block("b", {0}, 1).edge(0, 1, 1).edge(0, 1, 2).build();
    CHECK(bridges(problem) == std::vector<bool>{true});
}

TEST_CASE("bridges agree with removing each edge in turn", "[graph]") {
    // Two triangles joined by a path, and a leaf.
    const Problem problem = ProblemBuilder({-1})
                                .block("a", {0}, 1)
                                .block("b", {0}, 1)
                                .block("c", {0}, 1)
                                .block("d", {0}, 1)
                                .block("e", {0}, 1)
                                .block("f", {0}, 1)
                                .block("g", {0}, 1)
                                .block("h", {0}, 1)
                                .edge(0, 1)
                                .edge(1, 2)
                                .edge(0, 2)
                                .edge(2, 3)
                                .edge(3, 4)
                                .edge(4, 5)
                                .edge(5, 6)
                                .edge(4, 6)
                                .edge(7, 0)
                                .build();
    const std::vector<Dependency> merged = merged_dependencies(problem);
    const std::vector<bool> found = bridges(problem);
    const auto count_components = [](const Problem& p) {
        const std::vector<int> number = components(p);
        return *std::max_element(number.begin(), number.end()) + 1;
    };
    for (std::size_t e = 0; e < merged.size(); ++e) {
        Problem without = problem;
        without.dependencies = merged;
        without.dependencies.erase(without.dependencies.begin() + static_cast<std::ptrdiff_t>(e));
        CHECK(found[e] == (count_components(without) > count_components(problem)));
    }
}

TEST_CASE("heads, tails and the critical path are longest paths", "[graph]") {
    const Problem problem = diamond_with_tail();
    CHECK(heads(problem) == std::vector<Ticks>{16, 14, 4, 0, 19, 0});
    CHECK(tails(problem) == std::vector<Ticks>{7, 8, 8, 20, 0, 0});
    CHECK(critical_path_ticks(problem) == 24);
}

TEST_CASE("the transitive closure crosses word borders", "[graph]") {
    ProblemBuilder builder({-1});
    const int count = 130;
    for (int b = 0; b < count; ++b) builder.block("b" + std::to_string(b), {0}, 1);
    for (int b = 0; b + 2 < count; ++b) builder.edge(b, b + 2);
    const std::vector<std::vector<bool>> reach = transitive_closure(builder.build());
    for (std::size_t i = 0; i < reach.size(); ++i) {
        for (std::size_t j = 0; j < reach.size(); ++j) {
            if (reach[i][j] != (i < j && (j - i) % 2 == 0)) FAIL("reach[" << i << "][" << j << "] is wrong");
        }
    }
    CHECK(reach[0][128]);
}
