// What a result says of its own schedule, held against the schedule.
#pragma once

#include <optional>
#include <string>

#include "repetend/model/schedule.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend::native {

// The first claim of a `repetend.result` document that its schedule does not bear out, in words; none when
// all are true or the text is no result. `marked` is the repetend that the document itself marks.
std::optional<std::string> false_claim(const std::string& text, const std::optional<RepetendMark>& marked,
                                       const Measures& measures);

}  // namespace repetend::native
