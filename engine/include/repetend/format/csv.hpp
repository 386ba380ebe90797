// Operations as comma-separated values: block,kind,stage,micro_batch,devices,start,end (RFC 4180 quoting,
// devices separated by spaces).
#pragma once

#include <string>
#include <string_view>

#include "repetend/format/json.hpp"

namespace repetend {

std::string write_csv(const Problem& problem, const Schedule& schedule);
// Reads what write_csv wrote, for a given problem; columns may be reordered; block, micro_batch and start
// are required, the others are checked against the problem when present.
Result<Schedule> read_csv(std::string_view text, const Problem& problem);

}  // namespace repetend
