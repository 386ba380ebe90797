// Makespan proofs against exhaustive search: no argument shows more than the least makespan, spoilt proofs of random
// problems are refused, and many true ones are found.
#include <catch2/catch_test_macros.hpp>

#include "property/brute_makespan.hpp"
#include "property/random_problems.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/verify/check_makespan.hpp"

using namespace repetend;
using namespace repetend::testing;

TEST_CASE("no argument shows more than the least makespan", "[property][proof]") {
    int known = 0;
    int shown = 0;
    for (std::uint64_t seed = 0; seed < 1200; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 2, 5});
        const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 4);
        if (n * problem.num_blocks() > 12) continue;
        const BruteMakespan least = brute_makespan(problem, n, 100'000);
        if (!least.complete || !least.schedule) continue;
        ++known;
        INFO("seed " << seed << ", N " << n << "\n" << text_of(problem));
        REQUIRE_FALSE(find_makespan_argument(problem, n, least.makespan + 1));
        const auto argument = find_makespan_argument(problem, n, least.makespan);
        if (!argument) continue;
        ++shown;
        MakespanProof proof{problem, *least.schedule, *argument};
        REQUIRE(check_makespan_proof(proof).accepted);
        const Result<MakespanProof> again = read_makespan_proof(write_makespan_proof(proof));
        REQUIRE(again);
        REQUIRE(*again == proof);
        // A longer schedule with the same argument.
        for (Operation& operation : proof.schedule.operations) operation.start += 1;
        REQUIRE_FALSE(check_makespan_proof(proof).accepted);
    }
    CHECK(known > 600);
    CHECK(shown > known / 2);
}

TEST_CASE("bent arguments never show too much", "[property][proof]") {
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const Problem problem = random_problem(seed, {2, 3, 2, 5});
        const std::int64_t n = 2 + static_cast<std::int64_t>(seed % 3);
        if (n * problem.num_blocks() > 12) continue;
        const BruteMakespan least = brute_makespan(problem, n, 100'000);
        if (!least.complete || !least.schedule) continue;
        // Only a schedule longer than the least could be wrongly accepted.
        MakespanProof proof{problem, *least.schedule, {}};
        for (Operation& operation : proof.schedule.operations) operation.start += 1;
        for (const Ticks head : {0, 1, 2, 3, 5, 8}) {
            for (const Ticks tail : {0, 1, 3, 6}) {
                for (const std::int64_t price : {0, 1, 2, 5}) {
                    for (int device = -1; device <= problem.num_devices(); ++device) {
                        for (const bool without_gangs : {false, true}) {
                            proof.argument.kind = MakespanArgument::Kind::device;
                            proof.argument.device = device;
                            proof.argument.without_gangs = without_gangs;
                            proof.argument.head = {head, price, 1 + price % 2};
                            proof.argument.tail = {tail, price, 2};
                            ++tried;
                            REQUIRE_FALSE(check_makespan_proof(proof).accepted);
                        }
                    }
                }
            }
        }
    }
    CHECK(tried > 50'000);
}
