// Spoilt proofs. The reader answers with a value that means the same when written and read again, or with faults that
// say something; the checker answers soon whatever it is given, and what it accepts keeps the period that is known to
// be least.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "mutator.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/verify/check_proof.hpp"
#include "support/period_proof.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

struct Seed {
    PeriodProof proof;
    std::string text;
};

Seed seed_of(const std::string& shape, Memory capacity, int copies) {
    PlacementOptions options;
    options.devices = 4;
    options.memory = {capacity};
    const std::optional<PeriodProof> proof = test::find_proof(build_placement(shape, options).value(), copies);
    REQUIRE(proof);
    return {*proof, write_proof(*proof)};
}

// One of the texts with one to three of its digits replaced.
std::string with_other_digits(const std::vector<std::string>& texts, Mutator& mutator) {
    std::string text = texts[mutator.below(texts.size())];
    for (std::size_t left = 1 + mutator.below(3); left > 0; --left) {
        std::size_t at = mutator.below(text.size());
        while (text[at] < '0' || text[at] > '9') at = (at + 1) % text.size();
        text[at] = static_cast<char>('0' + mutator.below(10));
    }
    return text;
}

std::vector<Seed> make_seeds() {
    return {seed_of("v", 2, 1), seed_of("nn", 4, 1), seed_of("k", 3, 1), seed_of("m", 2, 1), seed_of("v", 3, 2)};
}

}  // namespace

TEST_CASE("fuzz: proofs are read or refused in words, and nothing false is accepted", "[fuzz]") {
    const std::vector<Seed> seeds = make_seeds();
    std::vector<std::string> texts;
    for (const Seed& seed : seeds) texts.push_back(seed.text);
    const std::uint64_t first = setting("REPETEND_FUZZ_SEED", 1);
    const std::uint64_t runs = setting("REPETEND_FUZZ_RUNS", 1500);
    int read = 0;
    int accepted = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        Mutator mutator(first * 1'000'003 + run);
        // Half of them spoilt as texts, which the reader seldom takes, half in their numbers, which it mostly does.
        const std::string text = run % 2 == 0 ? mutator.make(texts) : with_other_digits(texts, mutator);
        INFO("run " << run);
        const Result<PeriodProof> proof = read_proof(text);
        if (!proof) {
            REQUIRE_FALSE(proof.faults().empty());
            for (const Fault& fault : proof.faults()) {
                const std::string line = to_string(fault);
                REQUIRE_FALSE(fault.message.empty());
                REQUIRE(std::none_of(line.begin(), line.end(),
                                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }));
            }
            continue;
        }
        ++read;
        const std::string written = write_proof(*proof);
        const Result<PeriodProof> again = read_proof(written);
        REQUIRE(again);
        REQUIRE(*again == *proof);
        const ProofVerdict verdict = check_proof(*proof, 50'000'000);
        REQUIRE_FALSE(verdict.words.empty());
        if (!verdict.accepted) continue;
        ++accepted;
        for (const Seed& seed : seeds)
            if (proof->problem == seed.proof.problem && proof->copies == seed.proof.copies)
                REQUIRE(proof->period == seed.proof.period);
    }
    if (runs < 1000) return;
    CHECK(read > static_cast<int>(runs) / 50);
    CHECK(accepted > 0);
}

TEST_CASE("fuzz: sizes are refused before memory is taken", "[fuzz]") {
    const std::string start = make_seeds().front().text;
    std::string text = start;
    // A device list as long as the text allows, copies beyond all starts, a matrix that could never be held.
    text.replace(text.find("\"copies\": 1"), 11, "\"copies\": 9007199254740992");
    REQUIRE_FALSE(read_proof(text));
    CHECK(to_string(read_proof(text).faults().front()) ==
          "copies: expected an integer from 1 to 4096, found 9007199254740992");
    text = start;
    text.replace(text.find("\"period\""), 8, std::string(100'000, '['));
    REQUIRE_FALSE(read_proof(text));
}
