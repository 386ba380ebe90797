// The short readable report of a search, and the parts of it that other commands share.
#pragma once

#include <string>

#include "commands.hpp"
#include "repetend/session/session.hpp"
#include "runner.hpp"

namespace repetend::native {

struct ReportStyle {
    int columns = 100;
    bool colour = false;
    bool unicode = true;
};
// As --columns, --ascii, --color and the terminal say.
ReportStyle report_style(const Invocation& invocation);

// `forward 1, memory +1; backward 3, memory -1; forward on 4 devices 1`: what blocks of each kind cost.
std::string costs_text(const Problem& problem);
// What the problem is: devices, blocks, N, units, costs, capacities.
std::string describe_problem(const Problem& problem, std::int64_t micro_batches, const ReportStyle& style);
// Bubbles by each definition, and peak memory over capacity.
std::string describe_measures(const Problem& problem, const Measures& measures, bool repeats, const ReportStyle& style);
// The whole report, drawing included.
std::string search_report(const Problem& problem, const RunOutcome& outcome, const ReportStyle& style);

// What the exit status of a search is.
int exit_status_of(const SearchResult& result);

}  // namespace repetend::native
