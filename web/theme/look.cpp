#include "look.hpp"

#include "fonts_embedded.hpp"

namespace repetend::web {
namespace {

// What the page writes beside letters and digits of Latin: punctuation, arrows, mathematics, keys.
constexpr ImWchar glyphs[] = {0x20,   0x7E,   0xA0,   0x17F,  0x2010, 0x2026, 0x2190, 0x2193, 0x2212, 0x2212,
                              0x2264, 0x2265, 0x25B6, 0x25B6, 0x2713, 0x2713, 0xD7,   0xD7,   0};

ImFont* add_font(const FontData& font, float size, float dpr) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = dpr >= 1.5f ? 1 : 2;
    config.OversampleV = 1;
    config.PixelSnapH = false;
    ImGuiIO& io = ImGui::GetIO();
    if (font.bytes == nullptr) {
        config.SizePixels = size * dpr;
        ImFont* plain = io.Fonts->AddFontDefault(&config);
        plain->Scale = 1 / dpr;
        return plain;
    }
    // Rasterised for the screen's pixels, used at page size.
    ImFont* made = io.Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(font.bytes), static_cast<int>(font.size),
                                                  size * dpr, &config, glyphs);
    made->Scale = 1 / dpr;
    return made;
}

}  // namespace

bool load_fonts(Look& look, float dpr) {
    if (look.text != nullptr && look.dpr == dpr) return false;
    look.dpr = dpr;
    ImGuiIO& io = ImGui::GetIO();
    io.Fonts->Clear();
    io.Fonts->Flags |= ImFontAtlasFlags_NoMouseCursors;
    look.text = add_font(font_text(), 14, dpr);
    look.caption = add_font(font_text(), 16, dpr);
    look.title = add_font(font_strong(), 20, dpr);
    look.number = add_font(font_number(), 14, dpr);
    look.small = add_font(font_number(), 11.5f, dpr);
    io.FontDefault = look.text;
    return true;
}

void apply_style(Look& look, bool dark, bool contrast) {
    look.colours = palette(dark, contrast);
    const Palette& c = look.colours;
    ImGuiStyle style;
    style.WindowPadding = {16, 12};
    style.FramePadding = {8, look.touch ? 11.f : 5.f};
    style.ItemSpacing = {8, 8};
    style.ItemInnerSpacing = {8, 4};
    style.WindowRounding = 0;
    style.FrameRounding = 5;
    style.PopupRounding = 8;
    style.ScrollbarRounding = 5;
    style.ScrollbarSize = look.touch ? 14.f : 10.f;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = contrast ? 2.f : 1.f;
    style.SeparatorTextBorderSize = 1;
    style.DisabledAlpha = 0.45f;
    style.HoverDelayNormal = 0.35f;
    style.AntiAliasedLinesUseTex = false;
    const auto set = [&](ImGuiCol which, Rgb rgb, float alpha = 1) { style.Colors[which] = Look::vector(rgb, alpha); };
    set(ImGuiCol_Text, c.text);
    set(ImGuiCol_TextDisabled, c.muted);
    set(ImGuiCol_WindowBg, c.page);
    set(ImGuiCol_ChildBg, c.page, 0);
    set(ImGuiCol_PopupBg, c.dark ? c.panel : c.page);
    set(ImGuiCol_Border, c.contrast ? c.line : mix(c.line, c.text, 0.08));
    set(ImGuiCol_FrameBg, c.field);
    set(ImGuiCol_FrameBgHovered, mix(c.field, c.accent, 0.06));
    set(ImGuiCol_FrameBgActive, mix(c.field, c.accent, 0.12));
    set(ImGuiCol_Button, c.dark ? mix(c.panel, c.text, 0.05) : c.page);
    set(ImGuiCol_ButtonHovered, mix(c.page, c.accent, 0.12));
    set(ImGuiCol_ButtonActive, mix(c.page, c.accent, 0.25));
    set(ImGuiCol_Header, c.accent, 0.14f);
    set(ImGuiCol_HeaderHovered, c.accent, 0.12f);
    set(ImGuiCol_HeaderActive, c.accent, 0.22f);
    set(ImGuiCol_CheckMark, c.accent);
    set(ImGuiCol_SliderGrab, c.accent);
    set(ImGuiCol_SliderGrabActive, c.accent);
    set(ImGuiCol_Separator, c.line);
    set(ImGuiCol_ScrollbarBg, c.page, 0);
    set(ImGuiCol_ScrollbarGrab, mix(c.line, c.muted, 0.4));
    set(ImGuiCol_ScrollbarGrabHovered, c.muted);
    set(ImGuiCol_ScrollbarGrabActive, c.muted);
    set(ImGuiCol_TableHeaderBg, c.panel);
    set(ImGuiCol_TableBorderLight, c.line);
    set(ImGuiCol_TableBorderStrong, c.line);
    set(ImGuiCol_TableRowBg, c.page, 0);
    set(ImGuiCol_TableRowBgAlt, c.panel);
    set(ImGuiCol_TextSelectedBg, c.accent, 0.3f);
    set(ImGuiCol_NavHighlight, c.accent);
    set(ImGuiCol_ModalWindowDimBg, c.dark ? 0x000000 : 0x1F2328, 0.35f);
    ImGui::GetStyle() = style;
}

}  // namespace repetend::web
