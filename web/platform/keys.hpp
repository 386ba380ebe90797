// GLFW's keys: what ImGui's text fields and lists call them, and what the command table calls them.
#pragma once

#include <imgui.h>

#include <string_view>

#include "opengl.hpp"

namespace repetend::web {

struct KeyRow {
    int key;
    ImGuiKey imgui;
    std::string_view name;  // as in app/commands.hpp
};

// The row of a key that stands for no character (Space does all the same: it is a command); null for any other.
inline const KeyRow* find_key(int key) {
    static constexpr KeyRow table[] = {{GLFW_KEY_ENTER, ImGuiKey_Enter, "Enter"},
                                       {GLFW_KEY_KP_ENTER, ImGuiKey_KeypadEnter, "Enter"},
                                       {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace, "Backspace"},
                                       {GLFW_KEY_DELETE, ImGuiKey_Delete, "Delete"},
                                       {GLFW_KEY_LEFT, ImGuiKey_LeftArrow, "ArrowLeft"},
                                       {GLFW_KEY_RIGHT, ImGuiKey_RightArrow, "ArrowRight"},
                                       {GLFW_KEY_UP, ImGuiKey_UpArrow, "ArrowUp"},
                                       {GLFW_KEY_DOWN, ImGuiKey_DownArrow, "ArrowDown"},
                                       {GLFW_KEY_HOME, ImGuiKey_Home, "Home"},
                                       {GLFW_KEY_END, ImGuiKey_End, "End"},
                                       {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp, "PageUp"},
                                       {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown, "PageDown"},
                                       {GLFW_KEY_TAB, ImGuiKey_Tab, "Tab"},
                                       {GLFW_KEY_ESCAPE, ImGuiKey_Escape, "Escape"},
                                       {GLFW_KEY_SPACE, ImGuiKey_Space, "Space"}};
    for (const KeyRow& row : table)
        if (row.key == key) return &row;
    return nullptr;
}

// A letter (lower case) or a digit, for Ctrl+A and its like.
inline ImGuiKey imgui_key_of_character(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<ImGuiKey>(ImGuiKey_A + (c - 'a'));
    if (c >= '0' && c <= '9') return static_cast<ImGuiKey>(ImGuiKey_0 + (c - '0'));
    return ImGuiKey_None;
}

}  // namespace repetend::web
