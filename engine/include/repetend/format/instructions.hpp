// Instruction lists as JSON (`repetend.instructions`, version 1): what a training loop on each device does, one thing
// after the other: compute, send, receive, and in which buffers the data stand.
#pragma once

#include <string>
#include <string_view>

#include "repetend/format/ordered_plan.hpp"
#include "repetend/format/trace.hpp"

namespace repetend {

// A document (whitespace aside):
//   {"format": "repetend.instructions", "version": 1, "problem": {...}, "micro_batches": N,
//    "devices": [{"device": 0, "buffers": [{"holds": "f0", "first": 0, "count": 2}], "instructions": [
//      {"do": "receive", "data": "f0", "micro_batch": 0, "from": 0, "buffer": 0},
//      {"do": "compute", "block": "f1", "micro_batch": 0, "reads": [0], "writes": 1},
//      {"do": "send", "data": "f1", "micro_batch": 0, "to": 2, "buffer": 1}]}]}
// `data` is named by the block that made it; `over` beside `to` names transfers on links. `writes` is null where nobody
// needs the result.
// The schedule is valid. False when the sink ended the writing.
bool write_instructions(const Problem& problem, const Schedule& schedule, Receives receives, const TextSink& sink);

// Reads such a document; the problem in it is replaced by `problem` when given (blocks are matched by name). What is
// wrong with the buffers is in `obstacle`; whether devices can follow the lists is for `execute` to say.
Result<OrderedPlan> read_instructions(std::string_view text, const Problem* problem);

}  // namespace repetend
