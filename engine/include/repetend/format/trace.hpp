// Trace JSON for Perfetto and the older trace viewers of Chrome, out and (our own) in again.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "repetend/format/json.hpp"

namespace repetend {

// Takes the next piece of a text; false ends the writing.
using TextSink = std::function<bool(std::string_view)>;

// One process for each device with its blocks, the transfers that reach it and its memory over time; arrows follow the
// data. Times are microseconds, exact where the problem's unit is ns, us, ms or s; else one tick is shown as one. The
// text goes to `sink` piece by piece, so that no schedule is too long for the memory. False when the sink ended it.
bool write_trace(const Problem& problem, const Schedule& schedule, const TextSink& sink);

// Reads what write_trace wrote: the exact start times that it noted with each block. Blocks are those of `problem` when
// given, else of the problem in the trace.
Result<ProblemSchedule> read_trace(std::string_view text, const Problem* problem);

}  // namespace repetend
