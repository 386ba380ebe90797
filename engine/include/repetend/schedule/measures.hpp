// Measures of a schedule, each defined once here; whoever prints a number prints `definition` with it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend {

struct MemoryStep {  // memory on a device from `time` on, until the next step
    Ticks time = 0;
    Memory memory = 0;
};

struct Measures {
    Ticks makespan = 0;               // last end; starts count from 0
    std::vector<Memory> peak_memory;  // per device, static memory included
    std::vector<Ticks> busy_ticks;    // per device: N * work
    std::vector<Ticks> span_ticks;    // per device: last end - first start; 0 for an idle device
    double bubble_steady = 0;         // 1 - copies*work/period on the busiest device; 0 without a repetend
    double bubble_makespan = 0;       // 1 - N*work/makespan on the busiest device
    double bubble_span = 0;           // max over devices of 1 - N*work/span: the zero-bubble papers' measure
};

// All measures of a valid schedule. O(operations log operations).
Measures measure(const Problem& problem, const Schedule& schedule);

Ticks makespan_ticks(const Problem& problem, const Schedule& schedule);

// Memory held on `device` over time, static memory included, one step for each moment at which it
// changes. At one moment releases (ends) come before allocations (starts). Transients are counted.
std::vector<MemoryStep> memory_curve(const Problem& problem, const Schedule& schedule, int device);

// Which operation, or the device before it, fixes each operation's start: for operation index k (into
// schedule.operations) the index of the operation whose end (plus lag) equals its start, or -1 when
// nothing does (it starts at 0, or it waits for memory or by choice).
std::vector<std::int64_t> binding_predecessors(const Problem& problem, const Schedule& schedule);

// Operation indices of a longest chain of binding predecessors that ends with the makespan, first to last.
std::vector<std::int64_t> critical_path(const Problem& problem, const Schedule& schedule);

enum class Measure {
    period,
    period_lower_bound,
    makespan,
    makespan_lower_bound,
    bubble_steady,
    bubble_makespan,
    bubble_span,
    peak_memory
};
std::string_view name(Measure measure);        // "steady bubble", ...
std::string_view definition(Measure measure);  // one sentence with the formula

}  // namespace repetend
