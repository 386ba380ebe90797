// One combination of a batch: from its inputs to its line.
#pragma once

#include <optional>
#include <string>

#include "repetend/format/sweep.hpp"

namespace repetend::native {

// Work of a combination that names neither a budget nor a timeout: some tenths of a second, the same on every machine.
inline constexpr std::int64_t standard_budget = 3'000'000;

// The line, with its newline; none when the search was interrupted, as then it is not done. With `schedules` the
// whole result is written there first, as ID.json, so that a line never promises what is not there.
std::optional<std::string> run_job(const SweepCombination& combination, const std::string& schedules);

}  // namespace repetend::native
