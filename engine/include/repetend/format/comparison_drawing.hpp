// Several schedules of one problem as one SVG picture: small multiples on a common time axis.
#pragma once

#include <string>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend {

struct ComparedSchedule {
    std::string name;
    const Schedule* schedule = nullptr;  // null: there is none, and `remark` says why
    std::vector<std::string> facts;      // beside the name: "makespan 44 ticks", ...
    std::string remark;                  // a line in red: over capacity, not defined, ...
};

struct ComparisonOptions {
    std::string title;
    std::vector<std::string> notes;  // below: which costs were used, what the facts mean
    Ticks makespan_bound = 0;        // a line across all; 0: none
    double width_px = 1200;
};

// In the order given. Cost follows pixels, as in draw_svg.
std::string draw_comparison(const Problem& problem, const std::vector<ComparedSchedule>& schedules,
                            const ComparisonOptions& options);

}  // namespace repetend
