// The project's own JSON formats: problem, schedule, result (contract). nlohmann/json stays inside the
// .cpp files; hosts see text and values only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "repetend/model/schedule.hpp"
#include "repetend/session/session.hpp"

namespace repetend {

// A problem with the schedule made for it.
struct ProblemSchedule {
    Problem problem;
    Schedule schedule;
};

// Parse and validate. Every fault is answered, not just the first: broken text (line and column), wrong
// types, unknown fields (with the nearest known name), missing fields, ranges, and what `validate` says.
// A document of another format is told apart ("this is a repetend.schedule, a repetend.problem was expected").
Result<Problem> read_problem(std::string_view text);
Result<ProblemSchedule> read_schedule(std::string_view text);

// The `format` field of a document ("repetend.problem", ...), or empty when there is none or it is no JSON.
std::string document_format(std::string_view text);

// Writers. Same value, same bytes: fixed field order, two-space indent, arrays of numbers on one line, one
// operation or block per line, defaults left out, a newline at the end.
std::string write_problem(const Problem& problem);
std::string write_schedule(const Problem& problem, const Schedule& schedule);
// `seconds` is the host's; written with 3 decimals.
std::string write_result(const Problem& problem, const SearchResult& result, double seconds, std::string_view version);

}  // namespace repetend
