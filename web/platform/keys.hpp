// Keys as browsers name them, for ImGui's text fields and lists.
#pragma once

#include <imgui.h>

#include <string_view>

namespace repetend::web {

inline ImGuiKey imgui_key(std::string_view name) {
    static constexpr struct {
        std::string_view name;
        ImGuiKey key;
    } table[] = {{"Enter", ImGuiKey_Enter},
                 {"Backspace", ImGuiKey_Backspace},
                 {"Delete", ImGuiKey_Delete},
                 {"ArrowLeft", ImGuiKey_LeftArrow},
                 {"ArrowRight", ImGuiKey_RightArrow},
                 {"ArrowUp", ImGuiKey_UpArrow},
                 {"ArrowDown", ImGuiKey_DownArrow},
                 {"Home", ImGuiKey_Home},
                 {"End", ImGuiKey_End},
                 {"PageUp", ImGuiKey_PageUp},
                 {"PageDown", ImGuiKey_PageDown},
                 {"Tab", ImGuiKey_Tab},
                 {"Escape", ImGuiKey_Escape},
                 {" ", ImGuiKey_Space}};
    for (const auto& row : table)
        if (row.name == name) return row.key;
    if (name.size() == 1) {
        const char c = name[0];
        if (c >= 'a' && c <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
        if (c >= 'A' && c <= 'Z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'A'));
        if (c >= '0' && c <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
    }
    return ImGuiKey_None;
}

}  // namespace repetend::web
