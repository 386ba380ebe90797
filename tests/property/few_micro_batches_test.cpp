// Every preset with N = 1 .. D micro-batches, where the steady state that the search is built around does not exist:
// the makespan is the optimum wherever an exhaustive search (exact_makespan.hpp) can tell.
#include <catch2/catch_test_macros.hpp>

#include "property/brute_makespan.hpp"
#include "property/exact_makespan.hpp"
#include "property/random_problems.hpp"
#include "repetend/presets.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

constexpr std::size_t most_states = 3'000;

SearchResult searched(const Problem& problem, std::int64_t n) {
    SearchOptions options;
    options.micro_batches = n;
    options.work_budget = 3'000'000;
    Result<Session> session = Session::start(problem, options);
    REQUIRE(session);
    while (session->step(1'000'000)) {
    }
    return session->result();
}

}  // namespace

TEST_CASE("every preset with N from 1 to D has the least makespan", "[property][presets]") {
    int compared = 0, proved = 0;
    for (const PresetInfo& preset : presets()) {
        for (const int devices : {2, 3, 4}) {
            for (const bool tight : {false, true}) {
                PlacementOptions options;
                options.devices = devices;
                if (tight) options.memory = {devices / 2 + 1};
                const Result<Problem> problem = build_preset(preset.name, options);
                if (!problem) continue;  // not for so few devices
                for (std::int64_t n = 1; n <= devices; ++n) {
                    INFO(preset.name << ", " << devices << " devices, N " << n << (tight ? ", tight" : ""));
                    const SearchResult result = searched(*problem, n);
                    if (result.status == SearchStatus::infeasible) continue;
                    REQUIRE(result.makespan);
                    const auto shorter = can_end_by(*problem, n, *result.makespan - 1, most_states);
                    if (!shorter) continue;
                    CHECK_FALSE(*shorter);
                    CHECK(can_end_by(*problem, n, *result.makespan, 20 * most_states).value_or(true));
                    CHECK(result.makespan_lower_bound <= *result.makespan);
                    ++compared;
                    proved += result.makespan_optimal ? 1 : 0;
                }
            }
        }
    }
    CHECK(compared > 150);
    CHECK(proved == compared);
}

TEST_CASE("the two exhaustive searches for makespans agree", "[property]") {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 2, 5});
        const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 4);
        if (n * problem.num_blocks() > 12) continue;
        const BruteMakespan brute = brute_makespan(problem, n, 300'000);
        if (!brute.complete || !brute.schedule) continue;
        INFO("seed " << seed << ", N " << n << "\n" << text_of(problem));
        const auto at = can_end_by(problem, n, brute.makespan, 100'000);
        const auto below = can_end_by(problem, n, brute.makespan - 1, 100'000);
        if (!at || !below) continue;
        CHECK(*at);
        CHECK_FALSE(*below);
        ++compared;
    }
    CHECK(compared > 100);
}
