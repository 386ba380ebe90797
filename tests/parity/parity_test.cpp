// The same results, byte for byte, however the work is sliced and whichever build computes them. This test writes
// what it computed to test_results/parity.txt of its build; `dev test` compares the native file with WebAssembly's.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "repetend/format/json.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/presets.hpp"
#include "repetend/session/proofs.hpp"
#include "repetend/session/session.hpp"
#include "support/paths.hpp"

namespace {

using repetend::Objective;

struct Case {
    std::string preset;
    int devices = 0;  // 0: the preset's own
    std::int64_t memory = 0;
    std::int64_t micro_batches = 0;
    int copies = 1;  // 0: auto
    Objective objective = Objective::makespan;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> list = {
        {"v", 4, 4, 8, 1, Objective::makespan},
        {"v", 4, 3, 12, 0, Objective::makespan},
        {"x", 4, 4, 8, 1, Objective::period},
        {"m", 4, 6, 8, 1, Objective::makespan},
        {"nn", 4, 4, 16, 1, Objective::makespan},
        {"nn", 8, 8, 8, 1, Objective::period},
        {"k", 4, 4, 8, 2, Objective::makespan},
        {"mllm", 4, 4, 8, 1, Objective::makespan},
        {"zb-v", 4, 4, 12, 1, Objective::makespan},
        {"v-split", 4, 4, 8, 1, Objective::makespan},
        {"gpt-v100x4", 0, 0, 32, 1, Objective::makespan},
        {"mt5-v100x4", 0, 0, 16, 1, Objective::makespan},
        {"flava-v100x4", 0, 0, 16, 1, Objective::period},
    };
    return list;
}

constexpr std::uint64_t seeds[] = {1, 20};
constexpr std::int64_t budgets[] = {20'000, 400'000};  // the small one stops in the middle of most searches

std::string label(const Case& c, std::uint64_t seed, std::int64_t budget) {
    return c.preset + " devices " + std::to_string(c.devices) + " memory " + std::to_string(c.memory) +
           " micro-batches " + std::to_string(c.micro_batches) + " copies " + std::to_string(c.copies) + " seed " +
           std::to_string(seed) + " budget " + std::to_string(budget);
}

// A search that has ended; its work is given in slices of this size.
repetend::Session searched(const Case& c, std::uint64_t seed, std::int64_t budget, std::int64_t slice,
                           bool log_proof = false) {
    repetend::PlacementOptions placement;
    if (c.devices > 0) placement.devices = c.devices;
    if (c.memory > 0) placement.memory = {c.memory};
    auto problem = repetend::build_preset(c.preset, placement);
    REQUIRE(problem);
    repetend::SearchOptions options;
    options.copies = c.copies > 0 ? c.copies : 1;
    options.copies_auto = c.copies == 0;
    options.objective = c.objective;
    options.micro_batches = c.micro_batches;
    options.seed = seed;
    options.work_budget = budget;
    options.log_proof = log_proof;
    auto session = repetend::Session::start(std::move(problem).value(), options);
    REQUIRE(session);
    while (session->step(slice)) {
    }
    return std::move(session).value();
}

std::string result_of(const Case& c, std::uint64_t seed, std::int64_t budget, std::int64_t slice) {
    const repetend::Session session = searched(c, seed, budget, slice);
    return repetend::write_result(session.problem(), session.result(), 0.0, "parity");
}

// The proofs of what was found, as far as there are any: of the period, of the makespan.
std::string proofs_of(const Case& c) {
    const repetend::Session session = searched(c, 1, 2'000'000, 50'000, true);
    std::string text;
    if (const auto proof = session.period_proof()) text += repetend::write_proof(*proof);
    if (const auto proof = makespan_proof(session.problem(), session.result()))
        text += repetend::write_makespan_proof(*proof);
    return text;
}

TEST_CASE("results do not depend on how the work is sliced") {
    for (const Case& c : cases()) {
        for (const std::int64_t budget : budgets) {
            INFO(label(c, 1, budget));
            const std::string whole = result_of(c, 1, budget, 2 * budget);
            CHECK(result_of(c, 1, budget, 997) == whole);
            CHECK(result_of(c, 1, budget, 65'536) == whole);
        }
    }
}

// A longer search: improvements that the completion follows, and turns between the bound and longer periods.
TEST_CASE("a search of several copies does not depend on how its work is sliced") {
    for (const int copies : {3, 0}) {
        const Case c = {"m", 4, 3, 12, copies, Objective::makespan};
        constexpr std::int64_t budget = 10'000'000;
        INFO(label(c, 1, budget));
        const std::string whole = result_of(c, 1, budget, 2 * budget);
        CHECK(result_of(c, 1, budget, 300'000) == whole);
        CHECK(result_of(c, 1, budget, 65'536) == whole);
    }
}

TEST_CASE("results are written for the comparison of builds") {
    const std::filesystem::path folder = repetend::test::binary_dir() / "test_results";
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / "parity.txt", std::ios::binary | std::ios::trunc);
    for (const Case& c : cases())
        for (const std::uint64_t seed : seeds)
            for (const std::int64_t budget : budgets)
                file << "# " << label(c, seed, budget) << '\n' << result_of(c, seed, budget, 50'000);
    std::size_t proofs = 0, clause_logs = 0;
    for (const Case& c : cases()) {
        const std::string text = proofs_of(c);
        proofs += text.empty() ? 0 : 1;
        clause_logs += text.find("\"clauses\": [") == std::string::npos ? 0 : 1;
        file << "# proofs: " << label(c, 1, 0) << '\n' << text;
    }
    CHECK(proofs > 9);
    CHECK(clause_logs > 2);
    file.close();
    CHECK(file);
}

}  // namespace
