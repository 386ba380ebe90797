// The presets that ship with the engine: every placement family, and the real models whose problems stand
// as files in presets/ (compiled in, so that no host needs to find them on a disk).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repetend/format/share.hpp"
#include "repetend/placement/placement.hpp"

namespace repetend {

struct PresetInfo {
    std::string name;
    std::string summary;
    std::string teaches;
    bool from_file = false;  // a file of presets/problems/, else a placement family
};
const std::vector<PresetInfo>& presets();

// The problem of a preset. For presets from a file the options `devices`, times and chunks are refused
// (path = the option's name); micro_batches and memory replace what the file says.
Result<Problem> build_preset(std::string_view name, const PlacementOptions& options);

// The problem of a link: a preset built with the link's options, or the problem that it carries with the link's
// micro-batches and memory in place of its own. Faults are those of build_preset and validate.
Result<Problem> build_recipe(const Recipe& recipe);

}  // namespace repetend
