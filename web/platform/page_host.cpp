// A page: WebGL 2 by Emscripten's GLFW. Its clipboard belongs to the script, which is told by an action.
#include "page_host.hpp"

#include <emscripten.h>

#include "host.hpp"
#include "opengl.hpp"

namespace repetend::web {
namespace {

std::string copied;

}  // namespace

EM_JS_DEPS(pixel_ratio, "$GLFW");
// clang-format off
EM_JS(void, want_frame, (), { Module["wantFrame"](); });
// Emscripten's GLFW hears of the first change of the ratio only.
EM_JS(void, follow_pixel_ratio, (), {
    if (GLFW.scale !== GLFW.getDevicePixelRatio()) GLFW.onDevicePixelRatioChange();
});
// clang-format on

std::string_view shader_version() { return "#version 300 es\n"; }
std::string shader_prologue() {
    return std::string(shader_version()) + "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";
}

// The attributes of the context are the script's: GLFW knows none for what the page needs.
void set_window_hints(bool) { glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE); }
void request_frame() { want_frame(); }

void resize(GLFWwindow* window, int width, int height) {
    follow_pixel_ratio();
    glfwSetWindowSize(window, width, height);
}

// Browsers number keys by layout already.
char character_of_key(int key, int) {
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return static_cast<char>('a' + (key - GLFW_KEY_A));
    return key > GLFW_KEY_SPACE && key <= GLFW_KEY_GRAVE_ACCENT ? static_cast<char>(key) : '\0';
}

void copy_text(GLFWwindow*, std::string_view text) { copied = text; }
// What a person pastes comes as text from the script.
std::string pasted_text(GLFWwindow*) { return copied; }
std::string take_copied() { return std::exchange(copied, {}); }

}  // namespace repetend::web
