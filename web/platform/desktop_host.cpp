// A desktop: OpenGL 3.3 core. GLFW numbers keys by place, so their characters are asked for.
#include "desktop_host.hpp"

#include <utility>

#include "host.hpp"
#include "opengl.hpp"

namespace repetend::web {
namespace {

bool frame_wanted = true;

}  // namespace

std::string_view shader_version() { return "#version 330 core\n"; }
std::string shader_prologue() { return std::string(shader_version()); }

void set_window_hints(bool visible) {
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
}
void request_frame() { frame_wanted = true; }
bool take_frame_request() { return std::exchange(frame_wanted, false); }

char character_of_key(int key, int scancode) {
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL) return '\0';
    const char* name = glfwGetKeyName(key, scancode);
    if (name == nullptr || name[0] == '\0' || name[1] != '\0') return '\0';
    const char c = name[0];
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

void copy_text(GLFWwindow* window, std::string_view text) { glfwSetClipboardString(window, std::string(text).c_str()); }
std::string pasted_text(GLFWwindow* window) {
    const char* text = glfwGetClipboardString(window);
    return text == nullptr ? std::string() : text;
}

}  // namespace repetend::web
