// How each kind of block looks in SVG: Okabe-Ito colours, whose lightness differs enough for greyscale print,
// and a pattern each, so that nothing depends on colour alone.
#pragma once

#include <string>

#include "repetend/model/problem.hpp"

namespace repetend::format {

struct KindLook {
    const char* id;      // of the pattern
    const char* colour;  // for bands and rails
    const char* ink;     // of text on it: the one with more contrast
    const char* border;  // stroke, or null
};
const KindLook& kind_look(BlockKind kind);
// <pattern> elements for the kinds.
std::string kind_patterns();
// Attributes that fill a shape of some width with the look of a kind.
std::string kind_fill(BlockKind kind, double width_px);
// The colour alone, for shapes too narrow to have a border.
std::string plain_colour(BlockKind kind, double width_px);

}  // namespace repetend::format
