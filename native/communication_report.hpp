// What sends and receives cost a schedule, and whether they can deadlock.
#pragma once

#include <string>

#include "input.hpp"
#include "report.hpp"

namespace repetend::native {

// Lines for people; empty where no message passes between devices.
std::string describe_communication(const ScheduleInput& input, const ReportStyle& style);
// `, "communication": {...}`, or empty as above.
std::string communication_json(const ScheduleInput& input);

}  // namespace repetend::native
