// How wide text is on a terminal: wide and combining characters counted as terminals do.
#pragma once

#include <string>

namespace repetend::format {

int text_width(const std::string& text);
// Cut or filled with spaces to this many columns.
std::string to_width(const std::string& text, int columns);

}  // namespace repetend::format
