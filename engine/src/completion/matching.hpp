// Which allocations on a device a release pays back: a flow of amounts from blocks that allocate to blocks
// that come after them and release.
#pragma once

#include <vector>

#include "completion/instance.hpp"

namespace repetend::completion {

struct Match {
    int allocation = 0;  // block
    int release = 0;     // block, a descendant of the allocation
    Memory amount = 0;
    Ticks holding = 0;  // least time from the start of the one to the end of the other
};

struct Matching {
    std::vector<Match> matches;
    bool allocations_covered = false;  // every allocated unit is released by a descendant
    bool releases_covered = false;     // every released unit was allocated by an ancestor
};

// `distances[a]` holds distances_from for each block a on the device. A largest flow; long holdings are
// preferred greedily, later corrections keep the flow largest.
Matching match_memory(const Instance& instance, int device, const std::vector<std::vector<Ticks>>& distances);

}  // namespace repetend::completion
