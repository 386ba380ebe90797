// The text of the files in presets/problems/, compiled in. The build generates the definition.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace repetend {

// (file name without .json, text), ordered by name.
std::vector<std::pair<std::string_view, std::string_view>> embedded_problems();

}  // namespace repetend
