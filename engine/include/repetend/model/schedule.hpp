// A schedule as plain data: when every block of every micro-batch starts. Measures live in schedule/,
// the independent check in verify/.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend {

struct Operation {
    int block = 0;                 // index into problem.blocks
    std::int64_t micro_batch = 0;  // 0 .. N-1
    Ticks start = 0;               // >= 0
    bool operator==(const Operation&) const = default;
};

// The repeating part of a schedule: operations that start in [begin, begin + (repeats-1)*period) recur
// `period` later with micro-batch + copies; the part covers [begin, begin + repeats*period).
struct RepetendMark {
    Ticks period = 0;
    int copies = 1;
    Ticks begin = 0;
    std::int64_t repeats = 0;  // >= 1
    bool operator==(const RepetendMark&) const = default;
};

// Fields of one operation whose names begin with `x_`; few operations have any.
struct OperationExtra {
    int block = 0;
    std::int64_t micro_batch = 0;
    ExtraFields fields;
    bool operator==(const OperationExtra&) const = default;
};

struct Schedule {
    std::int64_t micro_batches = 0;     // N
    std::vector<Operation> operations;  // in order of (start, micro_batch, block)
    std::optional<RepetendMark> repetend;
    ExtraFields extra;                            // of the schedule itself
    ExtraFields repetend_extra;                   // of its mark
    std::vector<OperationExtra> operation_extra;  // in order of (micro_batch, block)
    bool operator==(const Schedule&) const = default;
};

// Most operations that are held in memory as one schedule; more is refused with a fault.
inline constexpr std::int64_t most_operations = 50'000'000;

// Sorts the operations into the order that Schedule promises.
void sort_operations(Schedule& schedule);

// Finds the longest stretch of `schedule` that repeats every `period` ticks with micro-batch + copies,
// and returns its mark (at least two repeats); none when nothing repeats so.
std::optional<RepetendMark> find_repetend(const Problem& problem, const Schedule& schedule, Ticks period, int copies);

// As above, for whatever period and number of copies (up to `most_copies`) repeats longest in time;
// ties go to fewer copies.
std::optional<RepetendMark> find_any_repetend(const Problem& problem, const Schedule& schedule, int most_copies);

}  // namespace repetend
