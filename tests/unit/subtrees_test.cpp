// One period's search in slices: every slice gets on, and where slices end changes nothing.
#include "periodic/subtrees.hpp"

#include <catch2/catch_test_macros.hpp>

#include "periodic/instance.hpp"
#include "repetend/placement/placement.hpp"

using namespace repetend;
using namespace repetend::periodic;

namespace {

Problem placement(const char* name, int devices, Memory memory) {
    PlacementOptions options;
    options.devices = devices;
    options.memory = {memory};
    auto problem = build_placement(name, options);
    REQUIRE(problem);
    return *problem;
}

}  // namespace

// Propagation of so large a problem runs beyond the limit of a slice and is paused. With the limit already passed, it
// once was never taken up again, and its caller waited for ever.
TEST_CASE("a slice that ended within propagation is taken up whatever the limit") {
    const Problem problem = placement("nn", 64, 64);
    const Instance instance = make_instance(problem, 1, std::nullopt, true);
    Subtrees search(instance, 9, 1, nullptr, nullptr);
    int paused = 0;
    for (int slice = 0; slice < 3000 && paused < 3; ++slice) {
        const std::int64_t before = search.work();
        search.run(before + 1);
        while (search.paused()) {
            ++paused;
            const std::int64_t at = search.work();
            search.run(before + 1);
            REQUIRE(search.work() > at);
        }
    }
    CHECK(paused > 0);
}
