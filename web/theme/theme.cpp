#include "theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace repetend::web {
namespace {

double channel(Rgb colour, int shift) { return (colour >> shift & 255) / 255.0; }

double linear(double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); }
double encoded(double value) {
    value = std::clamp(value, 0.0, 1.0);
    return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

double luminance(Rgb colour) {
    return 0.2126 * linear(channel(colour, 16)) + 0.7152 * linear(channel(colour, 8)) +
           0.0722 * linear(channel(colour, 0));
}

// OKLCH to sRGB (Ottosson, "A perceptual color space for image processing", 2020).
Rgb from_oklch(double lightness, double chroma, double hue_degrees) {
    const double hue = hue_degrees * 3.14159265358979 / 180;
    const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    const auto byte = [](double value) { return static_cast<Rgb>(std::lround(encoded(value) * 255)); };
    return byte(red) << 16 | byte(green) << 8 | byte(blue);
}

}  // namespace

const Palette& palette(bool dark, bool contrast) {
    static constexpr Palette light{0xFFFFFF, 0xF7F8FA, 0xE1E4E8, 0x1F2328, 0x59636E, 0x0B6BCB,
                                   0xFFFFFF, 0xFFFFFF, 0x1A7F37, 0xB42318, false,    false};
    static constexpr Palette night{0x0F1317, 0x171C22, 0x2A323B, 0xE6EAEF, 0x9AA7B4, 0x58A6FF,
                                   0x0F1317, 0x0F1317, 0x56D364, 0xFF8B82, true,     false};
    static constexpr Palette plain{0xFFFFFF, 0xFFFFFF, 0x000000, 0x000000, 0x000000, 0x0000C8,
                                   0xFFFFFF, 0xFFFFFF, 0x005000, 0xA00000, false,    true};
    static constexpr Palette black{0x000000, 0x000000, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF, 0x7CC4FF,
                                   0x000000, 0x000000, 0x7CFF9B, 0xFFA49C, true,     true};
    return contrast ? dark ? black : plain : dark ? night : light;
}

Rgb kind_colour(BlockKind kind, bool dark) {
    switch (kind) {
        case BlockKind::forward:
            return dark ? 0x3D9BD6 : 0x0072B2;
        case BlockKind::backward:
        case BlockKind::input_gradient:
            return 0xE69F00;
        case BlockKind::weight_gradient:
            return dark ? 0x1DB588 : 0x009E73;
        case BlockKind::transfer:
            return 0x999999;
        case BlockKind::other:
            break;
    }
    return 0xCC79A7;
}

Rgb hue_colour(std::int64_t index, bool dark) {
    static const auto colours = [] {
        std::array<std::array<Rgb, 12>, 2> table{};
        for (int k = 0; k < 12; ++k) {
            table[0][static_cast<std::size_t>(k)] = from_oklch(0.68, 0.12, 250 + k * 30);
            table[1][static_cast<std::size_t>(k)] = from_oklch(0.72, 0.12, 250 + k * 30);
        }
        return table;
    }();
    // Neighbours far apart: five steps of the circle each.
    return colours[dark ? 1 : 0][static_cast<std::size_t>(index % 12 * 5 % 12)];
}

double contrast(Rgb a, Rgb b) {
    const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

Rgb ink_on(Rgb colour) { return contrast(colour, 0xFFFFFF) >= 4.5 ? 0xFFFFFF : 0x0F1317; }

Rgb mix(Rgb a, Rgb b, double share) {
    Rgb out = 0;
    for (const int shift : {16, 8, 0}) {
        const double value = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;
        out |= static_cast<Rgb>(std::lround(value)) << shift;
    }
    return out;
}

Rgb block_colour(const Block& block, std::int64_t micro_batch, ColourScheme scheme, bool dark) {
    switch (scheme) {
        case ColourScheme::micro_batch:
            return hue_colour(micro_batch, dark);
        case ColourScheme::stage:
            return hue_colour(block.stage.value_or(block.devices.front()), dark);
        case ColourScheme::kind:
            break;
    }
    return kind_colour(block.kind, dark);
}

}  // namespace repetend::web
