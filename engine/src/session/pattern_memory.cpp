// Memory of a pattern that repeats for ever. A change of amount m at x + n*T, for every integer n, has
// happened floor((t - x)/T) + 1 times by time t, up to a constant; the constants of one micro-batch's changes
// cancel because they sum to zero. So the memory at t is the sum of m * floor((t - x)/T) over all changes, and
// its peaks lie where something is allocated.
#include "session/pattern_memory.hpp"

#include <algorithm>
#include <vector>

namespace repetend {
namespace {

struct Change {
    Ticks at = 0;  // of one occurrence
    Memory amount = 0;
};

Ticks floor_div(Ticks a, Ticks b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

Memory steady_peak_memory(const Problem& problem, const PeriodicPattern& pattern, int device) {
    std::vector<Change> changes;
    std::vector<Change> peaks;  // where to look, and the transient that is held there
    for (int b = 0; b < problem.num_blocks(); ++b) {
        const Block& block = problem.blocks[static_cast<std::size_t>(b)];
        const Memory amount = memory_on(block, device);
        const Memory transient = transient_on(block, device);
        for (const Ticks start : pattern.start[static_cast<std::size_t>(b)]) {
            if (amount != 0) changes.push_back({amount > 0 ? start : start + block.time, amount});
            if (amount > 0 || transient > 0) peaks.push_back({start, transient});
        }
    }
    const Memory fixed = problem.devices[static_cast<std::size_t>(device)].memory_static;
    Memory highest = fixed;
    for (const Change& peak : peaks) {
        Memory held = fixed + peak.amount;
        for (const Change& change : changes) held += change.amount * floor_div(peak.at - change.at, pattern.period);
        highest = std::max(highest, held);
    }
    return highest;
}

}  // namespace repetend
