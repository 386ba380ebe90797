// Period proofs: what is accepted, what is refused and in which words, the text format.
#include "repetend/format/proof.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "repetend/placement/placement.hpp"
#include "repetend/verify/check_proof.hpp"
#include "support/paths.hpp"
#include "support/period_proof.hpp"
#include "unit/problem_builder.hpp"
#include "verify/proof_checks.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::two_stages;

namespace {

Problem placement(const std::string& shape, std::int64_t devices, std::optional<Memory> capacity) {
    PlacementOptions options;
    options.devices = devices;
    options.memory = {capacity};
    const Result<Problem> problem = build_placement(shape, options);
    REQUIRE(problem);
    return *problem;
}

PeriodProof proof_of(const Problem& problem, int copies = 1) {
    const std::optional<PeriodProof> proof = test::find_proof(problem, copies);
    REQUIRE(proof);
    return *proof;
}

// Two stages with room for one micro-batch at a time: each holds its memory for 6 ticks.
PeriodProof small_proof() { return proof_of(two_stages(1)); }

// One that takes a log.
PeriodProof logged_proof() {
    PeriodProof proof = proof_of(placement("nn", 4, 4));
    REQUIRE(proof.refutation.kind == RefutationKind::clauses);
    REQUIRE(proof.refutation.clauses.size() > 3);
    return proof;
}

void check_refused(const PeriodProof& proof, const std::string& words) {
    const ProofVerdict verdict = check_proof(proof);
    CHECK_FALSE(verdict.accepted);
    CHECK(verdict.words == words);
}

void check_accepted(const PeriodProof& proof) {
    const ProofVerdict verdict = check_proof(proof);
    INFO(verdict.words);
    CHECK(verdict.accepted);
    const Result<PeriodProof> again = read_proof(write_proof(proof));
    REQUIRE(again);
    CHECK(*again == proof);
}

// Proofs for the entries of expected_periods.json that `wanted(devices, shape)` picks; answers how many there were.
template <class Wanted>
int check_expected(Wanted wanted) {
    std::ifstream file(test::source_dir() / "tests" / "data" / "expected_periods.json");
    REQUIRE(file);
    int checked = 0;
    const nlohmann::json data = nlohmann::json::parse(file);
    for (const nlohmann::json& row : data["entries"]) {
        const std::string shape = row[0];
        const std::int64_t devices = row[1];
        if (!row[4].is_null() || row[5].is_null() || !wanted(devices, shape)) continue;
        PlacementOptions options;
        options.devices = devices;
        options.inference = !row[2].get<bool>();
        options.memory = {row[3].is_null() ? std::nullopt : std::optional<Memory>(row[3].get<Memory>())};
        const Result<Problem> problem = build_placement(shape, options);
        REQUIRE(problem);
        INFO(row.dump());
        const PeriodProof proof = proof_of(*problem);
        CHECK(proof.period == row[5].get<Ticks>());
        check_accepted(proof);
        ++checked;
    }
    return checked;
}

}  // namespace

TEST_CASE("every known period of 4 devices has a proof that is accepted", "[proof]") {
    CHECK(check_expected([](std::int64_t devices, const std::string&) { return devices == 4; }) > 40);
}

TEST_CASE("every known period of up to 16 devices has a proof that is accepted", "[proof][slow]") {
    CHECK(check_expected([](std::int64_t devices, const std::string&) { return devices > 4 && devices <= 16; }) > 40);
}

TEST_CASE("the hard cases of 32 devices have proofs that are accepted", "[proof][slow]") {
    CHECK(check_expected([](std::int64_t devices, const std::string& shape) {
              return devices == 32 && (shape == "nn" || shape == "mllm" || shape == "m" || shape == "x");
          }) >= 4);
}

TEST_CASE("three copies: M on 4 devices with capacity 3 has a proof that is accepted", "[proof][slow]") {
    const PeriodProof proof = proof_of(placement("m", 4, 3), 3);
    CHECK(proof.period == 23);
    check_accepted(proof);
}

TEST_CASE("the verdict says in words what has been proved", "[proof]") {
    CHECK(check_proof(small_proof()).words ==
          "no schedule with an integer period below 6 ticks exists for one copy: device 0 would have to hold more "
          "memory over time than its capacity allows in 5 ticks; the given one has this period");
    CHECK(check_proof(proof_of(two_stages(2))).words ==
          "no schedule with an integer period below 3 ticks exists for one copy: device 0 has more work than fits "
          "into 2 ticks; the given one has this period");
    Problem in_ns = two_stages(2);
    in_ns.time_unit = "ns";
    CHECK(check_proof(proof_of(in_ns, 2)).words ==
          "no schedule with an integer period below 6 ns exists for 2 copies: device 0 has more work than fits into "
          "5 ns; the given one has this period");
    const PeriodProof logged = logged_proof();
    CHECK(check_proof(logged).words == "no schedule with an integer period below " + std::to_string(logged.period) +
                                           " ticks exists for one copy: every order of the blocks is refuted for " +
                                           std::to_string(logged.period - 1) + " ticks, in " +
                                           std::to_string(logged.refutation.clauses.size()) +
                                           " steps; the given one has this period");
    const Problem one = ProblemBuilder({-1}).block("a", {0}, 1).build();
    CHECK(check_proof(proof_of(one)).words ==
          "no schedule with an integer period below 1 tick exists for one copy: periods are at least 1; the given one "
          "has this period");
}

TEST_CASE("a schedule that is none is refused, whatever the refutation", "[proof]") {
    const PeriodProof good = proof_of(two_stages(2));
    REQUIRE(good.period == 3);

    PeriodProof bad = good;
    bad.start.pop_back();
    check_refused(bad, "the schedule does not list every block");
    bad = good;
    bad.start[1].push_back(9);
    check_refused(bad, "block F1 does not have one start per copy");
    bad = good;
    bad.start[3][0] = bad.start[2][0] + 1;
    check_refused(bad, "block B0 starts before B1 allows");
    bad = good;
    bad.start[0][0] -= 1;
    check_refused(bad, "device 0 runs two blocks at the same time");
    bad = good;
    bad.start[3][0] += 3;
    check_refused(bad, "device 0 holds more than its capacity when F0 starts");
    bad = good;
    bad.start[0][0] = -(std::int64_t{1} << 60);
    check_refused(bad, "a start of block F0 is out of range");
    bad = good;
    bad.period = 2;
    check_refused(bad, "device 0 runs two blocks at the same time");
    bad.period = 1;
    check_refused(bad, "copies of block B1 overlap or are out of order");
    bad.period = 0;
    check_refused(bad, "the period is out of range");
    bad.period = largest_number + 1;
    check_refused(bad, "the period is out of range");
    bad = good;
    bad.copies = 0;
    check_refused(bad, "the number of copies is out of range");
    bad = proof_of(two_stages(2), 2);
    std::swap(bad.start[0][0], bad.start[0][1]);
    check_refused(bad, "copies of block F0 overlap or are out of order");
    bad = good;
    bad.problem.devices[1].memory_static = 3;
    check_refused(bad, "device 1 cannot hold its static memory");
    bad = good;
    bad.problem.blocks[0].memory[0] = 2;
    check_refused(bad, "device 0 keeps memory of every micro-batch, so nothing can repeat for ever");
}

TEST_CASE("levels count transients and static memory", "[proof]") {
    PeriodProof proof = small_proof();
    proof.problem.devices[0].memory_capacity = 4;
    proof.problem.devices[0].memory_static = 2;
    CHECK(check_proof(proof).words == "the memory argument leaves room enough");
    proof.problem.blocks[3].transient[0] = 1;
    CHECK(check_proof(proof).words == "the memory argument leaves room enough");
    proof.problem.blocks[3].transient[0] = 2;
    check_refused(proof, "device 0 holds more than its capacity when B0 starts");
}

TEST_CASE("arguments by load and memory are refused where they do not hold", "[proof]") {
    PeriodProof proof = proof_of(two_stages(2));
    REQUIRE(proof.refutation.kind == RefutationKind::load);
    proof.refutation.device = 2;
    check_refused(proof, "the load argument names no device");
    proof.refutation.device = -1;
    check_refused(proof, "the load argument names no device");
    proof.refutation.device = 1;
    CHECK(check_proof(proof).accepted);
    proof.problem.blocks[1].time = 1;
    proof.problem.blocks[2].time = 1;
    check_refused(proof, "device 1 has time enough for its work");

    proof = small_proof();
    REQUIRE(proof.refutation.kind == RefutationKind::energy);
    REQUIRE(proof.refutation.matches.size() == 1);
    const PeriodProof good = proof;
    proof.refutation.device = 5;
    check_refused(proof, "the memory argument names no device with rows");
    proof = good;
    proof.problem.devices[0].memory_capacity.reset();
    check_refused(proof, "the memory argument names no device with rows");
    proof = good;
    proof.refutation.matches.clear();
    check_refused(proof, "the memory argument leaves memory unmatched");
    proof = good;
    proof.refutation.matches[0].amount = 2;
    check_refused(proof, "match 0 of the memory argument uses more than there is");
    proof = good;
    proof.refutation.matches.push_back(proof.refutation.matches[0]);
    check_refused(proof, "match 1 of the memory argument uses more than there is");
    proof = good;
    proof.refutation.matches[0].release = 9;
    check_refused(proof, "match 0 of the memory argument is out of range");
    proof = good;
    proof.refutation.device = 1;
    check_refused(proof, "match 0 of the memory argument uses more than there is");
    proof = good;
    proof.problem.dependencies.erase(proof.problem.dependencies.begin() + 1);
    check_refused(proof,
                  "match 0 of the memory argument releases with a block that does not descend from the allocation");
    proof = good;
    proof.problem.devices[0].memory_capacity = 2;
    check_refused(proof, "the memory argument leaves room enough");
}

TEST_CASE("logs are refused at the first step that does not follow", "[proof]") {
    const PeriodProof good = logged_proof();
    const std::size_t last = good.refutation.clauses.size() - 1;

    PeriodProof bad = good;
    bad.refutation.clauses.pop_back();
    check_refused(bad, "the log does not end with the empty clause");
    bad = good;
    bad.refutation.clauses[1].hints.push_back(1);
    check_refused(bad, "clause 1 names a clause that is not before it");
    bad.refutation.clauses[1].hints.back() = -1;
    check_refused(bad, "clause 1 names a clause that is not before it");
    bad = good;
    bad.refutation.clauses[0].literals.assign(1, {static_cast<int>(bad.refutation.variables.size()), true, 0});
    check_refused(bad, "clause 0 has a bound out of range");
    bad.refutation.clauses[0].literals[0] = {0, true, std::int64_t{1} << 50};
    check_refused(bad, "clause 0 has a bound out of range");
    bad = good;
    bad.refutation.clauses[0].literals.clear();
    check_refused(bad, "clause 0 does not follow");
    int refused = 0;
    for (std::size_t k = 0; k <= last; ++k) {
        bad = good;
        bad.refutation.clauses[k].hints.clear();
        if (check_proof(bad).accepted) continue;  // it follows from the axioms alone
        check_refused(bad, "clause " + std::to_string(k) + " does not follow");
        ++refused;
    }
    CHECK(refused > 0);
}

TEST_CASE("variables that are not what they should be are refused", "[proof]") {
    const PeriodProof good = logged_proof();
    PeriodProof bad = good;
    bad.refutation.variables[0].first = bad.refutation.variables[0].second;
    check_refused(bad, "variable 0 names no two blocks in order");
    bad = good;
    bad.refutation.variables[0].second = 1'000'000;
    check_refused(bad, "variable 0 names no two blocks in order");
    bad = good;
    bad.refutation.variables[0].copy = 1;
    check_refused(bad, "variable 0 names no copy");
    bad = good;
    bad.refutation.variables[1] = bad.refutation.variables[0];
    check_refused(bad, "variable 1 is there twice");
    bad = good;
    bad.refutation.variables.clear();
    CHECK_FALSE(check_proof(bad).accepted);

    // Blocks 1 and 2 of two stages share a device, 0 and 1 do not; none runs on several.
    PeriodProof small = proof_of(two_stages(2));
    small.refutation.kind = RefutationKind::clauses;
    small.refutation.variables = {{ProofVariable::Kind::count, 0, 1, -1, 0}};
    check_refused(small, "variable 0 is about blocks that share no device");
    small.refutation.variables = {{ProofVariable::Kind::position, 1, 2, -1, 0}};
    check_refused(small, "variable 0 is a position, which needs one copy and blocks on several devices");
    small.refutation.variables = {{ProofVariable::Kind::count, 1, 2, -1, 0}};
    check_refused(small, "a count between F0 and B0 has no variable");
    small.refutation.variables.push_back({ProofVariable::Kind::count, 0, 3, -1, 0});
    small.refutation.variables.push_back({ProofVariable::Kind::carry, 0, 1, 2, 0});
    check_refused(small, "variable 2 is a carry of blocks without positions");
    small.refutation.variables.pop_back();
    check_refused(small, "the log does not end with the empty clause");
}

TEST_CASE("a log alone proves what load proves", "[proof]") {
    PeriodProof proof = proof_of(two_stages(2));
    proof.refutation = {};
    proof.refutation.kind = RefutationKind::clauses;
    proof.refutation.variables = {{ProofVariable::Kind::count, 1, 2, -1, 0}, {ProofVariable::Kind::count, 0, 3, -1, 0}};
    proof.refutation.clauses.emplace_back();
    CHECK(check_proof(proof).accepted);
}

TEST_CASE("work is bounded, by the caller and by the size of the log", "[proof]") {
    const PeriodProof good = logged_proof();
    const ProofVerdict verdict = check_proof(good);
    REQUIRE(verdict.accepted);
    CHECK(verdict.work > 1000);
    CHECK(check_proof(good, verdict.work).accepted);
    CHECK(check_proof(good, verdict.work / 2).words == verify::too_much_work);
    CHECK(check_proof(good, 0).words == verify::too_much_work);
}

TEST_CASE("hostile logs end soon", "[proof]") {
    // Values at the edge of their range: nothing overflows, nothing creeps.
    PeriodProof bad = logged_proof();
    constexpr std::int64_t far = std::int64_t{1} << 40;
    bad.refutation.clauses.clear();
    for (std::size_t x = 0; x < bad.refutation.variables.size(); ++x) {
        ProofClause clause;
        for (const bool at_least : {true, false})
            clause.literals.push_back({static_cast<int>(x), at_least, at_least ? far : -far});
        clause.literals.push_back({static_cast<int>(x), true, -far});
        bad.refutation.clauses.push_back(clause);
    }
    bad.refutation.clauses.emplace_back();
    for (std::size_t k = 0; k + 1 < bad.refutation.clauses.size(); ++k)
        bad.refutation.clauses.back().hints.push_back(static_cast<std::int64_t>(k));
    const ProofVerdict verdict = check_proof(bad);
    CHECK(verdict.words == "clause " + std::to_string(bad.refutation.clauses.size() - 1) + " does not follow");
    CHECK(verdict.work < 10'000'000);
}

TEST_CASE("a proof as text", "[proof][format]") {
    PeriodProof proof = small_proof();
    proof.start = {{0}, {1}, {2}, {4}};
    const std::string text = write_proof(proof);
    const std::string expected = R"({
  "format": "repetend.proof",
  "version": 1,
  "problem": {
    "format": "repetend.problem",
    "version": 1,
    "devices": [
      {"memory_capacity": 1},
      {"memory_capacity": 1}
    ],
    "blocks": [
      {"name": "F0", "devices": [0], "time": 1, "memory": 1},
      {"name": "F1", "devices": [1], "time": 1, "memory": 1},
      {"name": "B1", "devices": [1], "time": 2, "memory": -1},
      {"name": "B0", "devices": [0], "time": 2, "memory": -1}
    ],
    "dependencies": [
      {"from": "F0", "to": "F1"},
      {"from": "F1", "to": "B1"},
      {"from": "B1", "to": "B0"}
    ]
  },
  "copies": 1,
  "period": 6,
  "starts": [
    {"block": "F0", "starts": [0]},
    {"block": "F1", "starts": [1]},
    {"block": "B1", "starts": [2]},
    {"block": "B0", "starts": [4]}
  ],
  "refutation": {
    "period": 5,
    "kind": "energy",
    "device": 0,
    "matches": [
      {"allocation": "F0", "release": "B0", "amount": 1}
    ]
  }
}
)";
    CHECK(text == expected);
    REQUIRE(read_proof(text));
    CHECK(*read_proof(text) == proof);

    Refutation log;
    log.kind = RefutationKind::clauses;
    log.variables = {{ProofVariable::Kind::count, 0, 3, -1, 0},
                     {ProofVariable::Kind::position, 1, 2, -1, 0},
                     {ProofVariable::Kind::carry, 0, 1, 2, 0}};
    log.clauses = {{{{0, true, 2}, {1, false, -3}}, {}}, {{}, {0}}};
    proof.refutation = log;
    const std::string logged = write_proof(proof);
    CHECK(logged.substr(logged.find("  \"refutation\"")) == R"(  "refutation": {
    "period": 5,
    "kind": "clauses",
    "variables": [
      ["count", 0, 3, 0],
      ["position", 1, 2],
      ["carry", 0, 1, 2]
    ],
    "clauses": [
      [[1, 2, -2, -3], []],
      [[], [0]]
    ]
  }
}
)");
    REQUIRE(read_proof(logged));
    CHECK(*read_proof(logged) == proof);
}

TEST_CASE("faults of a proof's text are named with their places", "[proof][format]") {
    const std::string text = write_proof(small_proof());
    const auto fault_of = [&](const std::string& part, const std::string& other) {
        std::string changed = text;
        const std::size_t at = changed.rfind(part);
        REQUIRE(at != std::string::npos);
        changed.replace(at, part.size(), other);
        const Result<PeriodProof> proof = read_proof(changed);
        REQUIRE_FALSE(proof);
        return to_string(proof.faults().front());
    };
    CHECK(fault_of("repetend.proof", "repetend.schedule") ==
          "format: this is a repetend.schedule, a repetend.proof was expected");
    CHECK(fault_of("\"copies\": 1", "\"copies\": 0") == "copies: expected an integer from 1 to 4096, found 0");
    CHECK(fault_of("\"copies\": 1", "\"copies\": 2") ==
          "starts[0].starts: expected one start for each of the copies (2), found 1");
    CHECK(fault_of("\"period\": 5", "\"period\": 4") ==
          "refutation.period: expected 5, one below the period of the schedule, found 4");
    CHECK(fault_of("energy", "magic") == "refutation.kind: expected load, energy, gang or clauses, found \"magic\"");
    CHECK(fault_of("\"release\": \"B0\"", "\"release\": \"B2\"") ==
          "refutation.matches[0].release: block \"B2\" does not exist");
    CHECK(fault_of("\"amount\": 1", "\"amount\": 1.5") ==
          "refutation.matches[0].amount: expected an integer without fraction or exponent, found 1.5");
    CHECK(fault_of("\"matches\"", "\"matchs\"") == "refutation.matches: missing; expected an array");
    CHECK(fault_of("{\"block\": \"B0\"", "{\"block\": \"F0\"") == "starts[3].block: this block was there before");
    CHECK(fault_of(",\n    {\"block\": \"B0\", \"starts\": [4]}", "") == "starts: block \"B0\" is missing");
    CHECK(fault_of("\"devices\": [1], \"time\": 2", "\"devices\": [9], \"time\": 2") ==
          "problem.blocks[2].devices[0]: device 9 does not exist (there are 2)");

    PeriodProof logged = small_proof();
    logged.refutation.kind = RefutationKind::clauses;
    const std::string start = write_proof(logged);
    const auto log_fault = [&](const std::string& variables, const std::string& clauses) {
        std::string changed = start;
        changed.replace(changed.find("\"variables\": []"), 15, "\"variables\": " + variables);
        changed.replace(changed.find("\"clauses\": []"), 13, "\"clauses\": " + clauses);
        const Result<PeriodProof> proof = read_proof(changed);
        return proof ? std::string() : to_string(proof.faults().front());
    };
    CHECK(log_fault("[]", "[[[], []]]").empty());
    CHECK(log_fault("[[\"count\", 0, 1]]", "[]") ==
          "refutation.variables[0]: expected [\"count\", i, j, copy], [\"position\", i, j] or [\"carry\", i, j, k], "
          "found an array");
    CHECK(log_fault("[[\"count\", 0, -1, 0]]", "[]") ==
          "refutation.variables[0][2]: expected an integer from 0 to 2147483647, found -1");
    CHECK(log_fault("[]", "[[[1], []]]") ==
          "refutation.clauses[0]: expected [bounds, uses], with two numbers a bound, found an array");
    CHECK(log_fault("[]", "[3]") ==
          "refutation.clauses[0]: expected [bounds, uses], with two numbers a bound, found 3");
    CHECK(log_fault("[]", "[[[], []], [[0, 1], []]]") ==
          "refutation.clauses[1][0][0]: variables are named from 1 here, or from -1; found 0");
    CHECK(log_fault("[]", "[[[], [true]]]") == "refutation.clauses[0][1][0]: expected an integer, found true");
}
