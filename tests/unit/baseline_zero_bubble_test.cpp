// The zero-bubble families against the formulas of their papers and against what their own schedulers reach.
#include <array>

#include "baseline_support.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

// Idle over total, in units of 1/10000.
std::int64_t rate(Ticks ideal, Ticks makespan) { return (10'000 * (makespan - ideal) + makespan / 2) / makespan; }

// Times for which the weight gradient is no longer than the forward and the input gradient.
const std::vector<Costs> split_costs = {{1, 1, 1}, {3, 4, 2}, {5, 4, 3}, {10, 12, 8}, {2, 2, 2}};

TEST_CASE("ZB-H1 idles (p-1)(F+I-W) with the memory of 1F1B") {
    for (const std::int64_t p : {1, 2, 4, 8}) {
        for (const Costs& c : split_costs) {
            const Problem problem = placement("v-split", p, c);
            for (const std::int64_t m : {2 * p, 2 * p + 3, 4 * p}) {
                const Run run_m = run("ZB-H1", problem, m);
                const Ticks work = m * (c.forward + c.backward + c.weight);
                CHECK(run_m.makespan == work + (p - 1) * (c.forward + c.backward - c.weight));
                CHECK(run_m.peak == 2 * p);  // an activation counts 2
            }
        }
    }
}

TEST_CASE("ZB-H2 idles (p-1)(F+I-2W) by span and holds 2p-1 micro-batches") {
    for (const std::int64_t p : {1, 2, 4, 8}) {
        for (const Costs& c : split_costs) {
            const Problem problem = placement("v-split", p, c);
            for (const std::int64_t m : {2 * p, 4 * p}) {
                const Run run_m = run("ZB-H2", problem, m);
                const Ticks work = m * (c.forward + c.backward + c.weight);
                CHECK(run_m.span == work + (p - 1) * (c.forward + c.backward - 2 * c.weight));
                CHECK(run_m.peak == 2 * (2 * p - 1));
            }
        }
    }
}

TEST_CASE("at F = I = W, ZB-H1 reaches the rates of ZB1P and ZB-H2 those of ZB2P, with no idle time inside") {
    struct Row {
        std::int64_t p, m, rate;
    };
    for (const Row& row : {Row{4, 8, 1111}, Row{8, 32, 680}, Row{16, 32, 1351}, Row{16, 128, 376}, Row{32, 64, 1390},
                           Row{32, 256, 388}}) {
        const Problem problem = placement("v-split", row.p, {1000, 1000, 1000});
        const Run h1 = run("ZB-H1", problem, row.m);
        const Run h2 = run("ZB-H2", problem, row.m);
        CHECK(rate(3000 * row.m, h1.makespan) == row.rate);
        CHECK(rate(3000 * row.m, h2.makespan) == row.rate);
        CHECK(h2.span == 3000 * row.m);
    }
}

TEST_CASE("the V families reach what their own schedulers reach at F = I = W") {
    struct Row {
        std::int64_t p, m;
        std::array<std::int64_t, 3> rates;  // ZB-V, V-Half, V-Min
    };
    const std::array<const char*, 3> families = {"ZB-V", "V-Half", "V-Min"};
    for (const Row& row : {Row{4, 8, {588, 943, 1864}}, Row{8, 32, {352, 813, 1233}}, Row{16, 32, {725, 1760, 2351}}}) {
        const Problem problem = placement("zb-v", row.p, {1, 1, 1});
        for (std::size_t k = 0; k < families.size(); ++k) {
            CHECK(rate(6 * row.m, run(families[k], problem, row.m).makespan) == row.rates[k]);
        }
    }
}

TEST_CASE("ZB-V takes 6m + p - 1 at F = I = W, without idle time inside, in the memory of 1F1B") {
    for (const std::int64_t p : {2, 3, 4, 5, 8}) {
        const Problem problem = placement("zb-v", p, {1, 1, 1});
        for (const std::int64_t m : {2 * p, 2 * p + 1, 4 * p}) {
            const Run run_m = run("ZB-V", problem, m);
            CHECK(run_m.makespan == 6 * m + p - 1);
            CHECK(run_m.span == 6 * m);
            CHECK(run_m.peak <= 4 * p);  // 2p chunks of 2
        }
    }
}

TEST_CASE("V-Half holds about half and V-Min about a third of what ZB-V holds") {
    for (const std::int64_t p : {4, 8, 16}) {
        const Problem problem = placement("zb-v", p, {1, 1, 1});
        CHECK(run("V-Half", problem, 2 * p).peak == 2 * p + 4);
        CHECK(run("V-Min", problem, 2 * p).peak <= (4 * p + 2) / 3 + 4);
        CHECK(run("V-Min", problem, 2 * p).peak >= (4 * p + 2) / 3);
    }
}

// F 18522, I 18086, W 9337, lag 601: no worse than the published schedulers, but for V-Half on 8 devices (.1258) and
// V-Min on 16 (.3011), which they beat by 3 and 4 units.
TEST_CASE("the V families at unequal times with a lag") {
    const Costs costs = {18522, 18086, 9337, 601};
    const Ticks work = 2 * (18522 + 18086 + 9337);
    const Problem four = placement("zb-v", 4, costs), eight = placement("zb-v", 8, costs);
    CHECK(run("ZB-V", four, 16).makespan <= 1'534'821);
    CHECK(run("ZB-V", eight, 32).makespan <= 3'091'169);
    CHECK(rate(32 * work, run("V-Half", eight, 32).makespan) <= 1261);
    CHECK(rate(32 * work, run("V-Min", eight, 32).makespan) <= 2905);
    const Problem sixteen = placement("zb-v", 16, costs);
    CHECK(rate(64 * work, run("ZB-V", sixteen, 64).makespan) <= 520);
    CHECK(rate(64 * work, run("V-Half", sixteen, 64).makespan) <= 1423);
    CHECK(rate(64 * work, run("V-Min", sixteen, 64).makespan) <= 3015);
}

TEST_CASE("many micro-batches keep the order chosen on few") {
    const Problem problem = placement("zb-v", 4, {1, 1, 1});
    CHECK(run("ZB-V", problem, 500).makespan == 3003);
    CHECK(run("V-Half", problem, 500).makespan == 500 * 6 + 53 - 48);
    CHECK(run("V-Min", problem, 500).makespan == 500 * 6 + 59 - 48);
}

TEST_CASE("zero-bubble families need a split backward and their placement") {
    CHECK(reason("ZB-H1", placement("v", 4, {}), 4) ==
          "backward block `b0` is not split into input and weight gradient");
    CHECK(reason("ZB-H2", placement("zb-v", 4, {1, 1, 1}), 8) == "device 0 holds 2 stages, expected one");
    CHECK(reason("ZB-V", placement("v-split", 4, {1, 1, 1}), 4) ==
          "two stages a device are needed, there are 4 on 4 devices");
    CHECK(reason("V-Half", placement("interleaved", 4, {1, 1, 1, 0, 2}), 8) ==
          "stage 7 is on device 3, expected on device 0");
}

}  // namespace
