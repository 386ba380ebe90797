// The text of the files in presets/, compiled in. The build generates the definitions.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace repetend {

// (file name without .json, text), ordered by name; of presets/problems/, clusters/ and models/.
std::vector<std::pair<std::string_view, std::string_view>> embedded_problems();
std::vector<std::pair<std::string_view, std::string_view>> embedded_clusters();
std::vector<std::pair<std::string_view, std::string_view>> embedded_models();

}  // namespace repetend
