// Baselines: the published schedule families, on anybody's problem. One file per family under
// engine/src/baseline/; this is their only door.
//
// A family fixes, for a kind of placement, in which order every device runs its blocks. The placement is
// recognised from the problem's blocks (kinds, devices, dependencies), the order follows the family's
// definition, and every operation then starts as early as this order, the problem's times, lags and
// dependencies, and nothing else allow. Capacities are not looked at: whether the schedule fits is for the
// verifier to say. Families in which a published scheduler chooses among several orders say so in their file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend {

struct BaselineInfo {
    std::string name;     // as in the papers: "ZB-H1"
    std::string defined;  // for which problems: "one stage a device, split backward"
    std::string summary;  // one line: the order
};

// Every family, in the order in which lists show them.
const std::vector<BaselineInfo>& baselines();

// The family of a name; upper and lower case, `-`, `_` and spaces make no difference. Null when there is none.
const BaselineInfo* find_baseline(std::string_view name);

// The schedule of a family for a problem without faults, with its repetend marked where it repeats.
// Faults: usage for an unknown name (with the nearest known one) or an impossible number of micro-batches;
// unsupported, with the reason, when the family is not defined for this placement or this number of
// micro-batches; limit when the schedule would be too large.
Result<Schedule> build_baseline(std::string_view name, const Problem& problem, std::int64_t micro_batches);

struct NamedSchedule {
    std::string name;
    Schedule schedule;
};

// Every family that is defined for the problem and this number of micro-batches and fits its capacities: least
// makespan first, equal ones in the order of the list; repetends are not marked. Starts for a search; empty when there
// is none, whatever the reason.
std::vector<NamedSchedule> fitting_baselines(const Problem& problem, std::int64_t micro_batches);

}  // namespace repetend
