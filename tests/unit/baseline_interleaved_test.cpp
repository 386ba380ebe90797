// Interleaved 1F1B and breadth-first against their formulas, for every number of micro-batches.
#include "baseline_support.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

TEST_CASE("interleaved 1F1B idles (p-1)(F+B)/v from p micro-batches on, also where p does not divide m") {
    for (const std::int64_t p : {2, 3, 4, 5}) {
        for (const std::int64_t v : {2, 3, 4}) {
            const Problem problem = placement("interleaved", p, {1, 2, 0, 0, v});
            for (std::int64_t m = p; m <= 3 * p + 1; ++m) {
                INFO("p " << p << " v " << v << " m " << m);
                // The times are those of a chunk: 1/v of a device's share.
                CHECK(run("interleaved-1F1B", problem, m).makespan == (m * v + p - 1) * 3);
            }
        }
    }
}

TEST_CASE("interleaved 1F1B holds p + (p-1)/v micro-batches on the first device where p divides m") {
    for (const std::int64_t p : {2, 4, 8}) {
        for (const std::int64_t v : {2, 3, 4}) {
            const Run run_pv = run("interleaved-1F1B", placement("interleaved", p, {1, 2, 0, 0, v}), 3 * p);
            CHECK(run_pv.measures.peak_memory.front() == v * p + p - 1);  // in chunks, v to a micro-batch
            CHECK(run_pv.peak == v * p + p - 1);
        }
    }
}

TEST_CASE("interleaved 1F1B works with fewer micro-batches than devices") {
    for (const std::int64_t p : {2, 3, 4, 6}) {
        for (const std::int64_t v : {2, 4}) {
            const Problem problem = placement("interleaved", p, {1, 2, 0, 0, v});
            for (std::int64_t m = 1; m < p; ++m) {
                // The first device's chunks are work enough for m; then the pipeline of p * v stages decides.
                CHECK(run("interleaved-1F1B", problem, m).makespan == (p * v + m - 1) * 3);
            }
        }
    }
}

TEST_CASE("interleaved 1F1B repeats a group of p micro-batches without idling") {
    const Run run_32 = run("interleaved-1F1B", placement("interleaved", 4, {1, 2, 0, 0, 2}), 32);
    REQUIRE(run_32.schedule.repetend);
    CHECK(run_32.schedule.repetend->copies == 4);
    CHECK(run_32.schedule.repetend->period == 24);
}

TEST_CASE("breadth-first has the makespan of interleaved 1F1B and the memory of GPipe") {
    for (const std::int64_t p : {2, 3, 4}) {
        for (const std::int64_t v : {2, 3}) {
            const Problem problem = placement("interleaved", p, {1, 2, 0, 0, v});
            for (const std::int64_t m : {p, p + 1, 3 * p}) {
                const Run run_m = run("breadth-first", problem, m);
                CHECK(run_m.makespan == (m * v + p - 1) * 3);
                CHECK(run_m.measures.peak_memory == std::vector<Memory>(static_cast<std::size_t>(p), m * v));
            }
        }
    }
}

TEST_CASE("families of looped stages refuse other placements") {
    CHECK(reason("interleaved-1F1B", placement("v", 4, {}), 4) == "at least 2 stages a device are needed, there is 1");
    CHECK(reason("interleaved-1F1B", placement("zb-v", 4, {1, 1, 1}), 4) ==
          "stage 4 is on device 3, expected on device 0");
    CHECK(reason("breadth-first", placement("alphafold", 4, {}), 4) == "forward block `f1.0` has no backward block");
}

}  // namespace
