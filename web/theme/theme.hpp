// Colours, sizes and fonts. Every colour that carries text is held to a contrast of 4.5 to 1 by a test.
#pragma once

#include <cstdint>

#include "app/app.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::web {

// 0xRRGGBB; painters turn it into what they need.
using Rgb = std::uint32_t;

struct Palette {
    Rgb page, panel, line, text, muted, accent, on_accent, field, good, bad;
    bool dark = false;
    bool contrast = false;
};

const Palette& palette(bool dark, bool contrast);

// Okabe and Ito's colours for kinds ("Color universal design", 2008).
Rgb kind_colour(BlockKind kind, bool dark);
// Twelve steps around the hue circle at equal lightness (in OKLCH).
Rgb hue_colour(std::int64_t index, bool dark);
// Black or white, whichever reads better on it.
Rgb ink_on(Rgb colour);
double contrast(Rgb a, Rgb b);  // WCAG 2, 1 to 21
Rgb mix(Rgb a, Rgb b, double share_of_b);

Rgb block_colour(const Block& block, std::int64_t micro_batch, ColourScheme scheme, bool dark);

}  // namespace repetend::web
