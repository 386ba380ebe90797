// Problems with blocks that are alike, last ones or first ones of their device: the diagrams count such blocks together
// (completion/counters.hpp). Against exhaustive search, bound and schedule must stay true.
#include <catch2/catch_test_macros.hpp>

#include "completion/compaction.hpp"
#include "completion/counters.hpp"
#include "completion/prover.hpp"
#include "property/brute_makespan.hpp"
#include "property/random.hpp"
#include "property/random_problems.hpp"
#include "repetend/completion/completion.hpp"
#include "repetend/model/problem.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

// Two or three blocks of one device get a follower (or a forerunner) each, all alike; some release or take memory.
Problem with_twins(std::uint64_t seed, bool last) {
    Problem problem = random_problem(seed, {1, 2, 2, 4});
    Random random(seed * 2 + (last ? 1 : 0));
    std::vector<std::vector<int>> on_device(problem.devices.size());
    for (int b = 0; b < problem.num_blocks(); ++b) {
        const Block& block = problem.blocks[static_cast<std::size_t>(b)];
        if (block.devices.size() == 1) on_device[static_cast<std::size_t>(block.devices[0])].push_back(b);
    }
    const Ticks time = random.from_to(1, 4);
    const Memory change = random.from_to(-2, 1);
    for (std::size_t d = 0; d < on_device.size(); ++d) {
        if (on_device[d].size() < 2) continue;
        for (const int b : on_device[d]) {
            Block twin;
            twin.name = "W" + std::to_string(b);
            twin.kind = problem.devices[d].kind == DeviceKind::link ? BlockKind::transfer : BlockKind::weight_gradient;
            twin.devices = {static_cast<int>(d)};
            twin.time = time;
            // What a twin changes, its block takes back, so that the memory of a micro-batch stays what it was.
            twin.memory = {change};
            twin.transient = {0};
            problem.blocks[static_cast<std::size_t>(b)].memory[0] -= change;
            problem.blocks.push_back(twin);
            Dependency dependency;
            dependency.from = last ? b : problem.num_blocks() - 1;
            dependency.to = last ? problem.num_blocks() - 1 : b;
            problem.dependencies.push_back(dependency);
        }
    }
    return problem;
}

int shared_counters(const completion::Instance& instance) {
    std::vector<std::vector<Ticks>> distances(static_cast<std::size_t>(instance.blocks));
    for (int b = 0; b < instance.blocks; ++b)
        completion::distances_from(instance, b, distances[static_cast<std::size_t>(b)]);
    std::vector<int> devices;
    for (int d = 0; d < instance.devices; ++d) devices.push_back(d);
    int shared = 0;
    for (const auto& members : completion::Counters(instance, distances, devices).members) shared += members.size() > 1;
    return shared;
}

}  // namespace

TEST_CASE("blocks that are alike: bounds are true, and complete searches end with schedules", "[property]") {
    int with_shared = 0;
    int refuted = 0;
    int found = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const Problem problem = with_twins(seed, seed % 2 == 0);
        if (!validate(problem).empty()) continue;
        const std::int64_t n = 1 + static_cast<std::int64_t>(seed / 2 % 3);
        if (n * problem.num_blocks() > 14) continue;
        const BruteMakespan brute = brute_makespan(problem, n, 300'000);
        if (!brute.complete || !brute.schedule) continue;
        INFO("seed " << seed << ", N " << n << ", optimum " << brute.makespan << "\n" << text_of(problem));
        const completion::Instance forward = completion::make_instance(problem, n);
        const completion::Instance backward = completion::reversed(forward);
        if (shared_counters(forward) == 0) continue;
        ++with_shared;
        CHECK(shared_counters(backward) == shared_counters(forward));
        // From the optimum, the prover must never find less; from one above, never claim more than the optimum.
        completion::Prover exact(forward, backward, 0, brute.makespan, brute.makespan);
        while (exact.step(100'000)) {
        }
        CHECK(exact.bound() <= brute.makespan);
        CHECK(exact.take_found().empty());
        refuted += exact.bound() == brute.makespan ? 1 : 0;
        completion::Prover above(forward, backward, 0, brute.makespan + 1, brute.makespan + 1);
        while (above.step(100'000)) {
        }
        CHECK(above.bound() <= brute.makespan);
        const completion::Sequence sequence = above.take_found();
        if (sequence.empty()) continue;
        ++found;
        REQUIRE(completion::is_feasible(forward, sequence));
        CHECK(completion::makespan_of(forward, sequence) == brute.makespan);
    }
    CHECK(with_shared > 300);
    CHECK(refuted > with_shared * 9 / 10);
    CHECK(found > with_shared / 2);
}

TEST_CASE("the weight gradients of a device share a counter", "[property]") {
    for (const bool alike : {true, false}) {
        Problem problem;
        problem.devices.resize(1);
        for (const char* name : {"F0", "F1", "B1", "B0", "W1", "W0"}) {
            Block block;
            block.name = name;
            block.kind = name[0] == 'F'   ? BlockKind::forward
                         : name[0] == 'B' ? BlockKind::backward
                                          : BlockKind::weight_gradient;
            block.devices = {0};
            block.time = name[0] == 'W' && name[1] == '0' && !alike ? 2 : 1;
            block.memory = {name[0] == 'F' ? 1 : name[0] == 'B' ? 0 : -1};
            block.transient = {0};
            problem.blocks.push_back(block);
        }
        for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 5}}) {
            Dependency dependency;
            dependency.from = from;
            dependency.to = to;
            problem.dependencies.push_back(dependency);
        }
        CHECK(shared_counters(completion::make_instance(problem, 4)) == (alike ? 1 : 0));
        CHECK(shared_counters(completion::reversed(completion::make_instance(problem, 4))) == (alike ? 1 : 0));
    }
}
