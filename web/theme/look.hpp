// The theme as ImGui needs it: style, fonts, small drawing helpers that panels and painters share.
#pragma once

#include <imgui.h>

#include "theme.hpp"

namespace repetend::web {

struct Look {
    Palette colours;
    float dpr = 1;
    ImFont* text = nullptr;     // Inter 13
    ImFont* caption = nullptr;  // Inter 15
    ImFont* title = nullptr;    // Inter semibold 20
    ImFont* number = nullptr;   // JetBrains Mono 13
    ImFont* small = nullptr;    // JetBrains Mono 11
    bool touch = false;

    ImU32 page() const { return colour(colours.page); }
    ImU32 line() const { return colour(colours.line); }
    ImU32 ink() const { return colour(colours.text); }
    ImU32 muted() const { return colour(colours.muted); }
    ImU32 accent() const { return colour(colours.accent); }
    static ImU32 colour(Rgb rgb, double alpha = 1) {
        return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, static_cast<int>(alpha * 255 + 0.5));
    }
    static ImVec4 vector(Rgb rgb, float alpha = 1) {
        const auto share = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255.f; };
        return {share(16), share(8), share(0), alpha};
    }
    // On a device pixel.
    float snap(float value) const { return static_cast<float>(static_cast<int>(value * dpr + 0.5f)) / dpr; }
    float hairline() const {
        return colours.contrast ? 2.f : 1.f / (dpr >= 1 ? dpr : 1.f) * (dpr >= 1.5f ? 1.5f : 1.f);
    }
};

// (Re)builds fonts for a pixel ratio; true when the font texture changed.
bool load_fonts(Look& look, float dpr);
void apply_style(Look& look, bool dark, bool contrast);

}  // namespace repetend::web
