// Proofs that a makespan is least, as text: `repetend.makespan_proof`, version 1. A JSON object with these members;
// names that begin with `x_` are ignored, other unknown ones refused.
//
//   format, version   "repetend.makespan_proof", 1
//   makespan          of the schedule, in the problem's time unit
//   argument          why no schedule of as many micro-batches is shorter:
//     kind              "chain": a micro-batch's longest chain of dependencies takes as long
//                       "device": the device's work and the time in which it must idle at either end
//     without_gangs     true or false: the blocks that occupy all devices are cut out of the timeline first
//     device            "device": number of the device, from 0
//     head, tail        "device": {"length": ticks, "price": [ticks, memory]}: a window at that end of the
//                       schedule, and what a unit of memory costs in it (ticks / memory)
//   schedule          a whole repetend.schedule, with its problem
//
// Why such arguments hold stands in engine/src/verify/check_makespan.cpp. All numbers are integers within +-2^53. The
// format is stable: version 1 will stay readable, and a proof accepted once stays accepted.
#pragma once

#include <string>
#include <string_view>

#include "repetend/model/proof.hpp"

namespace repetend {

// Parses and validates as the other formats do (format/json.hpp). Whether the proof holds is the checker's business.
Result<MakespanProof> read_makespan_proof(std::string_view text);

// Same value, same bytes. Expects a valid schedule.
std::string write_makespan_proof(const MakespanProof& proof);

}  // namespace repetend
