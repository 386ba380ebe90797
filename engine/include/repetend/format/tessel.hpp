// Tessel plan JSON, in and out (facts on the file in the header of the .cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repetend/format/json.hpp"

namespace repetend {

struct TesselPlan {
    Problem problem;
    Schedule schedule;
    // What the reader had to assume, in words: "the plan carries no dependencies: taken as one chain in
    // the order of gid", the recomputed period.
    std::string note;
};

// Reads a plan. Dependencies (and capacities) come from `problem` when given: its blocks are matched to gid
// by position and must agree in time, memory and devices; else all gids form one chain.
Result<TesselPlan> read_tessel(std::string_view text, const Problem* problem);

// Writes a schedule as a plan: its micro-batches, and the repetend range where one is marked. Faults where
// the plan cannot express the problem (memory that differs among the devices of a block, transients,
// links, ...).
Result<std::string> write_tessel(const Problem& problem, const Schedule& schedule);

}  // namespace repetend
