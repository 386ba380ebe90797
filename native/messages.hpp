// Everything that is said on standard error, in one form: `repetend: SOURCE: PATH: message`.
#pragma once

#include <string>
#include <string_view>

#include "repetend/model/fault.hpp"

namespace repetend::native {

// One line. An empty source is left out.
void complain(std::string_view source, std::string_view message);

// One line per fault, the first `most_faults_shown` of them and how many more there are. Answers the exit
// status that they mean: usage for faults of options, else bad input.
int complain(std::string_view source, const Faults& faults);

inline constexpr int most_faults_shown = 20;

// Text from outside made safe for a terminal: control characters become `?`.
std::string printable(std::string_view text);

}  // namespace repetend::native
