// Results do not depend on who runs the tasks of a search, or in which order. (With real threads: tests/cli.)
#include <catch2/catch_test_macros.hpp>

#include "property/random_problems.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/presets.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

// The last task first.
class Backwards final : public Workers {
public:
    void run(int number, const std::function<void(int)>& task) override {
        ++calls;
        for (int k = number; k-- > 0;) task(k);
    }
    int calls = 0;
};

// Everything that a search tells, in slices of `slice`.
std::string told(const Problem& problem, SearchOptions options, Workers* workers, std::int64_t slice) {
    options.workers = workers;
    Result<Session> session = Session::start(problem, options);
    REQUIRE(session);
    while (session->step(slice)) {
    }
    std::string text = write_result(problem, session->result(), 0, "test");
    if (const auto proof = session->period_proof()) text += write_proof(*proof);
    return text;
}

Problem preset(const char* name, int memory) {
    PlacementOptions options;
    options.memory = {memory};
    Result<Problem> problem = build_preset(name, options);
    REQUIRE(problem);
    return std::move(problem).value();
}

}  // namespace

TEST_CASE("random searches are the same with workers", "[property][workers]") {
    Backwards workers;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Problem problem = random_problem(seed, {2, 4, 4, 9});
        SearchOptions options;
        options.micro_batches = 1 + static_cast<std::int64_t>(seed % 9);
        options.work_budget = seed % 2 == 0 ? 400'000 : 90'001;
        options.objective = seed % 3 == 0 ? Objective::period : Objective::makespan;
        options.copies_auto = seed % 5 == 0;
        INFO("seed " << seed << "\n" << text_of(problem));
        REQUIRE(told(problem, options, nullptr, 1'000'000) == told(problem, options, &workers, 37'003));
    }
    CHECK(workers.calls > 0);
}

TEST_CASE("a refutation in parts is the same with workers, proof and all", "[property][workers]") {
    for (const std::int64_t budget : {std::int64_t{0}, std::int64_t{30'000'000}}) {
        SearchOptions options;
        options.copies = 2;
        options.objective = Objective::period;
        options.micro_batches = 1;
        options.log_proof = budget == 0;
        options.work_budget = budget;
        Backwards workers;
        const Problem problem = preset("nn", 3);
        const bool same = told(problem, options, nullptr, 3'000'000) == told(problem, options, &workers, 1'000'003);
        CHECK(same);
        CHECK(workers.calls > 0);
    }
}

TEST_CASE("a completion is the same with a prover that runs ahead", "[property][workers]") {
    const Problem problem = preset("nn", 3);
    Backwards workers;
    for (const std::int64_t budget : {3'000'000, 8'000'000}) {
        SearchOptions options;
        options.micro_batches = 16;
        options.work_budget = budget;
        CHECK(told(problem, options, nullptr, 100'000) == told(problem, options, &workers, 33'000));
    }
    CHECK(workers.calls > 0);
}
