// DualPipe and DualPipeV: their memory and their bubble, once as our devices run them (one block at a time, an input
// gradient handed on at once) and once by the paper's formula, in which F and B of a pair, and I and W of a full
// backward, are one.
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "baseline_support.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

const std::vector<Costs> split_costs = {{1, 1, 1}, {3, 4, 2}, {4, 4, 3}, {10, 12, 8}, {2, 2, 2}};

// The operations of each device in order.
std::vector<std::vector<Operation>> lanes(const Problem& problem, const Schedule& schedule) {
    std::vector<std::vector<Operation>> lanes(problem.devices.size());
    for (const Operation& operation : schedule.operations) {
        const Block& block = problem.blocks[static_cast<std::size_t>(operation.block)];
        lanes[static_cast<std::size_t>(block.devices.front())].push_back(operation);
    }
    return lanes;
}

// How many operations at a time the original runs as one on the device at `rank` of `ranks`: pairs of a forward and a
// backward (three blocks when split) in phases 4 and 5, full backwards (two) in phases 5 and 6.
std::vector<int> units(std::size_t operations, std::int64_t rank, std::int64_t ranks, std::int64_t micro_batches) {
    const std::int64_t outer = ranks - rank - 1, inner = rank + 1;
    std::vector<int> sizes(static_cast<std::size_t>(5 * outer + 2 * inner), 1);
    for (std::int64_t k = 0; k < 2 * (micro_batches - 2 * ranks + inner); ++k) {
        if (k == 0 && outer == 0) {
            sizes.insert(sizes.end(), {1, 2});  // the first pair of the innermost device is not overlapped
        } else {
            sizes.push_back(3);
        }
    }
    for (std::int64_t k = 0; k < outer; ++k) sizes.insert(sizes.end(), {2, 3});
    for (std::int64_t k = 0; k < inner; ++k) sizes.push_back(2);
    std::size_t total = 0;
    for (const int size : sizes) total += static_cast<std::size_t>(size);
    REQUIRE(total <= operations);
    sizes.insert(sizes.end(), operations - total, 1);
    return sizes;
}

// The makespan when each unit starts once all that it needs has ended, and hands everything on at its end.
Ticks makespan_of_units(const Problem& problem, const std::vector<std::vector<Operation>>& lanes,
                        const std::vector<std::vector<int>>& units) {
    using Key = std::tuple<int, std::int64_t>;
    std::map<Key, Ticks> end;
    std::vector<std::size_t> unit(lanes.size(), 0), first(lanes.size(), 0);
    std::vector<Ticks> free(lanes.size(), 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t d = 0; d < lanes.size(); ++d) {
            while (unit[d] < units[d].size()) {
                const auto size = static_cast<std::size_t>(units[d][unit[d]]);
                Ticks start = free[d], time = 0;
                bool possible = true;
                for (std::size_t k = first[d]; k < first[d] + size; ++k) {
                    const Operation& operation = lanes[d][k];
                    time += problem.blocks[static_cast<std::size_t>(operation.block)].time;
                    for (const Dependency& dependency : problem.dependencies) {
                        if (dependency.to != operation.block) continue;
                        const auto inside = [&](const Operation& other) {
                            return other.block == dependency.from && other.micro_batch == operation.micro_batch;
                        };
                        if (std::any_of(lanes[d].begin() + static_cast<std::ptrdiff_t>(first[d]),
                                        lanes[d].begin() + static_cast<std::ptrdiff_t>(first[d] + size), inside)) {
                            continue;
                        }
                        const auto found = end.find({dependency.from, operation.micro_batch});
                        possible = possible && found != end.end();
                        if (found != end.end()) start = std::max(start, found->second);
                    }
                }
                if (!possible) break;
                free[d] = start + time;
                for (std::size_t k = first[d]; k < first[d] + size; ++k) {
                    end[{lanes[d][k].block, lanes[d][k].micro_batch}] = free[d];
                }
                first[d] += size;
                ++unit[d];
                moved = true;
            }
        }
    }
    for (std::size_t d = 0; d < lanes.size(); ++d) REQUIRE(unit[d] == units[d].size());
    return *std::max_element(free.begin(), free.end());
}

TEST_CASE("DualPipe holds p + 1 activations and idles (p/2-1)(F+I-W) where a device runs one block at a time") {
    for (const std::int64_t p : {2, 4, 6, 8}) {
        for (const Costs& c : split_costs) {
            const Problem problem = placement("x", p, c);
            for (const std::int64_t n : {p, p + 1, 2 * p}) {
                const Run run_n = run("DualPipe", problem, n);
                const Ticks work = 2 * n * (c.forward + c.backward + c.weight);
                CHECK(run_n.makespan == work + (p / 2 - 1) * (c.forward + c.backward - c.weight));
                CHECK(run_n.measures.peak_memory == std::vector<Memory>(static_cast<std::size_t>(p), 2 * (p + 1)));
            }
        }
    }
}

TEST_CASE("DualPipeV does on p/2 devices what DualPipe does on p") {
    for (const std::int64_t devices : {1, 2, 3, 4}) {
        const std::int64_t p = 2 * devices;
        for (const Costs& c : split_costs) {
            const Problem problem = placement("zb-v", devices, c);
            for (const std::int64_t m : {2 * devices, 2 * devices + 1, 4 * p}) {
                const Run run_m = run("DualPipeV", problem, m);
                const Ticks work = 2 * m * (c.forward + c.backward + c.weight);
                CHECK(run_m.makespan == work + (p / 2 - 1) * (c.forward + c.backward - c.weight));
                CHECK(run_m.peak == 2 * (p + 1));
            }
        }
    }
}

// The formula has F&B for an overlapped pair; without any gain from the overlap that is F + B. It holds where F = I.
TEST_CASE("with pairs and full backwards as one, the bubble is (p/2-1)(F&B + B - 3W)") {
    for (const std::int64_t p : {4, 6, 8}) {
        for (const Costs& c : {Costs{1, 1, 1}, Costs{4, 4, 3}, Costs{5, 5, 2}}) {
            const Ticks full = c.backward + c.weight;
            const Ticks bubble = (p / 2 - 1) * ((c.forward + full) + full - 3 * c.weight);

            const std::int64_t n = p + 2;
            const Problem x = placement("x", p, c);
            const auto both_ways = lanes(x, run("DualPipe", x, n).schedule);
            std::vector<std::vector<int>> sizes;
            for (std::int64_t r = 0; r < p; ++r) {
                sizes.push_back(units(both_ways[static_cast<std::size_t>(r)].size(), std::min(r, p - 1 - r), p / 2, n));
            }
            CHECK(makespan_of_units(x, both_ways, sizes) == 2 * n * (c.forward + full) + bubble);

            const Problem v = placement("zb-v", p / 2, c);
            const std::int64_t m = 2 * p;
            const auto one_way = lanes(v, run("DualPipeV", v, m).schedule);
            sizes.clear();
            for (std::int64_t r = 0; r < p / 2; ++r) {
                sizes.push_back(units(one_way[static_cast<std::size_t>(r)].size(), r, p / 2, m));
            }
            CHECK(makespan_of_units(v, one_way, sizes) == 2 * m * (c.forward + full) + bubble);
        }
    }
}

TEST_CASE("DualPipe without a split keeps backwards whole") {
    run("DualPipe", placement("x", 4, {1, 2}), 4);
    run("DualPipeV", placement("zb-v", 4, {1, 1, 1}), 8);
}

TEST_CASE("DualPipe and DualPipeV say which sizes they lack") {
    CHECK(reason("DualPipe", placement("x", 5, {}), 8) == "an even number of devices is needed, there are 5");
    CHECK(reason("DualPipe", placement("x", 6, {}), 5) == "at least as many micro-batches as devices (6) are needed");
    CHECK(reason("DualPipeV", placement("zb-v", 4, {1, 1, 1}), 7) ==
          "at least 8 micro-batches (two a device) are needed");
    CHECK(reason("DualPipe", placement("zb-v", 4, {1, 1, 1}), 8) == "a micro-batch has 1 chain of stages, expected 2");
}

}  // namespace
