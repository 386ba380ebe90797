// The parts of the proof checker. Each answers what does not hold, or an empty text; check_proof.cpp says what they
// claim and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repetend/model/proof.hpp"

namespace repetend::verify {

__extension__ typedef __int128 Wide;

inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }  // b > 0
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return -floor_divide(-a, b); }

// An index; negative values would be a mistake of the caller.
inline std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

// Work done, in touched numbers, and how much is allowed: what a log may cost is bounded whatever it says.
struct Effort {
    std::int64_t allowed = 0;
    std::int64_t spent = 0;
    void spend(std::int64_t work) { spent += work; }
    bool exhausted() const { return spent > allowed; }
};
inline constexpr const char* too_much_work = "checking this proof takes more work than is allowed";

// Net memory 0 and a finite capacity.
inline bool has_rows(const Problem& problem, int device) {
    return problem.devices[at(device)].memory_capacity && net_memory(problem, device) == 0;
}

std::string check_pattern(const PeriodProof& proof);                                                    // (A)
std::string check_load(const PeriodProof& proof, Ticks refuted);                                        // 1
std::string check_energy(const PeriodProof& proof, Ticks refuted, bool gangs_are_cut, Effort& effort);  // 2, 3
std::string check_clauses(const PeriodProof& proof, Ticks refuted, Effort& effort);                     // 4

}  // namespace repetend::verify
