// A proof that a period is least, as plain data: a periodic schedule with that period, and a refutation of the
// period one tick shorter. Made by periodic/, checked by verify/check_proof, written and read by format/.
#pragma once

#include <cstdint>
#include <vector>

#include "repetend/model/problem.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend {

// A variable of a clause log. Blocks are indices into problem.blocks.
//   count:    number of instances of `first` (index from 0) that start before copy `copy` of `second`;
//             first < second share a device
//   position: start of `second` minus start of `first`, modulo the period (one copy; both on several devices)
//   carry:    (position(first, second) + position(second, third) - position(first, third)) / period
struct ProofVariable {
    enum class Kind { count, position, carry } kind = Kind::count;
    int first = 0;
    int second = 0;
    int third = -1;
    int copy = 0;
    bool operator==(const ProofVariable&) const = default;
};

struct ProofLiteral {
    int variable = 0;
    bool at_least = true;  // variable >= value, else variable <= value
    std::int64_t value = 0;
    bool operator==(const ProofLiteral&) const = default;
};

// At least one literal holds in every schedule of the refuted period. An empty clause refutes the period.
struct ProofClause {
    std::vector<ProofLiteral> literals;
    std::vector<std::int64_t> hints;  // earlier clauses that its derivation used
    bool operator==(const ProofClause&) const = default;
};

// An allocation matched with a release of a descendant block, on one device.
struct ProofMatch {
    int allocation = 0;
    int release = 0;
    Memory amount = 0;
    bool operator==(const ProofMatch&) const = default;
};

enum class RefutationKind {
    load,     // `device` would have to work longer than the period
    energy,   // `device` would have to hold more memory, summed over time, than capacity * period
    gang,     // the same with blocks that occupy all devices cut out of the timelines
    clauses,  // a clause log that ends with the empty clause
};

struct Refutation {
    RefutationKind kind = RefutationKind::load;
    int device = -1;
    std::vector<ProofMatch> matches;  // energy, gang
    std::vector<ProofVariable> variables;
    std::vector<ProofClause> clauses;
    bool operator==(const Refutation&) const = default;
};

// Why N micro-batches take at least so long; engine/src/verify/check_makespan.cpp says why each holds.
struct MakespanWindow {
    Ticks length = 0;              // from the one end of the schedule; 0: no window
    std::int64_t price_ticks = 0;  // what memory costs there: price_ticks / price_memory ticks for one unit of it
    std::int64_t price_memory = 1;
    bool operator==(const MakespanWindow&) const = default;
};

struct MakespanArgument {
    enum class Kind {
        chain,   // one micro-batch's longest chain of dependencies
        device,  // a device's work, and its idle time in a window at either end
    };
    Kind kind = Kind::device;
    int device = -1;
    bool without_gangs = false;  // blocks that occupy all devices are cut out of the timeline first
    MakespanWindow head, tail;
    bool operator==(const MakespanArgument&) const = default;
};

struct MakespanProof {
    Problem problem;
    Schedule schedule;  // of N micro-batches; the claim is that none is shorter
    MakespanArgument argument;
    bool operator==(const MakespanProof&) const = default;
};

struct PeriodProof {
    Problem problem;
    int copies = 1;
    Ticks period = 0;                       // of `start`; period - 1 is refuted
    std::vector<std::vector<Ticks>> start;  // [block][copy], as in a periodic pattern
    Refutation refutation;
    bool operator==(const PeriodProof&) const = default;
};

}  // namespace repetend
