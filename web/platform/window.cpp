#include "window.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>  // input that waits

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "host.hpp"
#include "keys.hpp"
#include "opengl.hpp"

namespace repetend::web {
namespace {

constexpr double linger_after_move_seconds = 0.45;  // hover delays, and what glides to its place

Window& of(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

bool is_down(GLFWwindow* window, int key) { return glfwGetKey(window, key) == GLFW_PRESS; }

struct Modifiers {
    bool ctrl = false, shift = false, alt = false;
};
// Asked for key by key: what X11 sends along with a key is the state before it. The right Alt key makes characters on
// most keyboards. The Command key of a Mac counts as Ctrl.
Modifiers modifiers(GLFWwindow* window) {
    return {is_down(window, GLFW_KEY_LEFT_CONTROL) || is_down(window, GLFW_KEY_RIGHT_CONTROL) ||
                is_down(window, GLFW_KEY_LEFT_SUPER) || is_down(window, GLFW_KEY_RIGHT_SUPER),
            is_down(window, GLFW_KEY_LEFT_SHIFT) || is_down(window, GLFW_KEY_RIGHT_SHIFT),
            is_down(window, GLFW_KEY_LEFT_ALT)};
}

void install_callbacks(GLFWwindow* window) {
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        of(w).pointer(x, y);
        of(w).linger(linger_after_move_seconds);
    });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
        // While a button is down the drag goes on outside.
        if (entered == 0 && !ImGui::IsAnyMouseDown()) of(w).pointer_out();
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
        double x = 0, y = 0;
        glfwGetCursorPos(w, &x, &y);
        of(w).pointer(x, y);
        of(w).button(button == GLFW_MOUSE_BUTTON_RIGHT, action == GLFW_PRESS);
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double dx, double dy) { of(w).scroll(dx, dy); });
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int) {
        of(w).key(key, scancode, action != GLFW_RELEASE);
    });
    glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code) { of(w).character(code); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
        if (focused == 0) of(w).pointer_out();
        of(w).wake(3);
    });
    glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).wake(3); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { of(w).wake(3); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { of(w).wake(3); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).wake(1); });
}

}  // namespace

std::unique_ptr<Window> Window::open(int width, int height, const char* title, bool visible) {
    if (glfwInit() != GLFW_TRUE) return nullptr;
    set_window_hints(visible);
    GLFWwindow* window = glfwCreateWindow(width, height, title, nullptr, nullptr);
    if (window == nullptr) return nullptr;
    glfwMakeContextCurrent(window);
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;
    io.ConfigDragClickToInputText = true;
    io.ClipboardUserData = window;
    io.SetClipboardTextFn = [](void* user, const char* text) { copy_text(static_cast<GLFWwindow*>(user), text); };
    io.GetClipboardTextFn = [](void* user) {
        static std::string text;  // ImGui looks at it until the next call
        text = pasted_text(static_cast<GLFWwindow*>(user));
        return text.c_str();
    };
    if (!ImGui_ImplOpenGL3_Init(std::string(shader_version()).c_str())) return nullptr;
    return std::unique_ptr<Window>(new Window(window));
}

Window::Window(GLFWwindow* window) : window_(window) {
    glfwSetWindowUserPointer(window_, this);
    install_callbacks(window_);
}

Window::~Window() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
    glfwTerminate();
}

// Systems differ in what a window coordinate is: a pixel (X11), or a unit of length that the screen makes several
// pixels of (Wayland, macOS, a page). Here a unit of length is what the screen's scale says, everywhere.
void Window::measure() {
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    glfwGetFramebufferSize(window_, &pixels_[0], &pixels_[1]);
    float scale_y = 1;
    glfwGetWindowContentScale(window_, &scale_, &scale_y);
    if (forced_scale_ > 0) scale_ = forced_scale_;
    scale_ = std::clamp(scale_, 0.5f, 4.f);
    pointer_scale_ = width > 0 ? static_cast<float>(pixels_[0]) / static_cast<float>(width) / scale_ : 1;
    if (std::fabs(pointer_scale_ - 1) < 0.01f) pointer_scale_ = 1;  // pixels are whole numbers
    ImGuiIO& io = ImGui::GetIO();
    // The thousandth: ImGui counts the pixels itself, and cuts off.
    io.DisplaySize = {(static_cast<float>(width) + 0.001f) * pointer_scale_,
                      (static_cast<float>(height) + 0.001f) * pointer_scale_};
    if (pointer_scale_ == 1) io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {scale_, scale_};
    if (load_fonts(ui.look, scale_)) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        io.Fonts->Build();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
}

bool Window::dark() const {
    return app.theme == ThemeChoice::dark ||
           ((app.theme == ThemeChoice::system || app.theme == ThemeChoice::contrast) && system_dark_);
}
bool Window::contrast() const {
    return app.theme == ThemeChoice::contrast || (app.theme == ThemeChoice::system && system_contrast_);
}

bool Window::frame(double now) {
    const double begin = glfwGetTime();
    frames_ = std::max(frames_ - 1, 0);
    if (linger_ > 0) linger_until_ = std::max(linger_until_, now + std::exchange(linger_, 0));
    measure();
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(std::clamp(now - last_, 0.0005, 0.1));
    last_ = now;
    const bool moving = app.advance(now);
    apply_style(ui.look, dark(), contrast());
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ui.frame();
    ImGui::Render();
    cost_ms_ = (glfwGetTime() - begin) * 1000;
    glViewport(0, 0, pixels_[0], pixels_[1]);
    const ImVec4 clear = Look::vector(ui.look.colours.page);
    glClearColor(clear.x, clear.y, clear.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    // Dear ImGui takes a press and its release in a frame each: what it has not taken yet asks for frames too.
    const bool input_waits = !ImGui::GetCurrentContext()->InputEventsQueue.empty();
    return moving || input_waits || frames_ > 0 || now < linger_until_;
}

void Window::wake(int frames) {
    frames_ = std::max(frames_, frames);
    request_frame();
}
void Window::linger(double seconds) {
    linger_ = std::max(linger_, seconds);
    wake(1);
}

void Window::pointer(double x, double y) {
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(x) * pointer_scale_, static_cast<float>(y) * pointer_scale_);
    wake(3);
}
void Window::pointer_out() {
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    wake(3);
}
void Window::button(bool right, bool down) {
    ImGui::GetIO().AddMouseButtonEvent(right ? ImGuiMouseButton_Right : ImGuiMouseButton_Left, down);
    if (!down) linger(linger_after_move_seconds);
    wake(down ? 4 : 6);
}
void Window::scroll(double dx, double dy) {
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(dx), static_cast<float>(dy));
    wake(4);
}
void Window::pinch(double factor, double x, double y, double dx, double dy) {
    ui.pinch(static_cast<float>(factor), static_cast<float>(x) * pointer_scale_, static_cast<float>(y) * pointer_scale_,
             static_cast<float>(dx) * pointer_scale_, static_cast<float>(dy) * pointer_scale_);
    wake(4);
}
void Window::long_press(double x, double y) {
    ui.long_press(static_cast<float>(x) * pointer_scale_, static_cast<float>(y) * pointer_scale_);
    wake(3);
}
void Window::text(const char* utf8) {
    ImGui::GetIO().AddInputCharactersUTF8(utf8);
    wake(4);
}

bool Window::typing() const { return ui.wants_text() || app.overlay == Overlay::palette; }

// Commands of keys; in a text field only those that no field has a use for. True when the key has done its work here.
bool Window::command(std::string_view pressed) {
    if (!typing()) return app.handle_key(pressed);
    if (pressed == "Escape" && app.overlay == Overlay::palette) return app.run_command("clear");
    if (pressed == "Ctrl+k") return app.run_command("palette");
    return pressed == "Tab" || pressed == "Backspace" || pressed == "ArrowUp" || pressed == "ArrowDown";
}

void Window::key(int key, int scancode, bool down) {
    wake(4);
    handled_ = false;
    ImGuiIO& io = ImGui::GetIO();
    const Modifiers held = modifiers(window_);
    io.AddKeyEvent(ImGuiMod_Ctrl, held.ctrl);
    io.AddKeyEvent(ImGuiMod_Shift, held.shift);
    io.AddKeyEvent(ImGuiMod_Alt, held.alt);
    const KeyRow* row = find_key(key);
    const char letter = row == nullptr ? character_of_key(key, scancode) : '\0';
    const ImGuiKey known = row != nullptr ? row->imgui : imgui_key_of_character(letter);
    if (known != ImGuiKey_None) io.AddKeyEvent(known, down);
    // A plain character is a matter of the layout: it comes by `character`.
    if (!down || (row == nullptr && (letter == '\0' || !(held.ctrl || held.alt)))) return;
    const std::string name = row != nullptr ? std::string(row->name) : std::string(1, letter);
    const std::string pressed =
        std::string(held.ctrl ? "Ctrl+" : "") + (held.alt ? "Alt+" : "") + (held.shift ? "Shift+" : "") + name;
    if (on_paste && pressed == "Ctrl+v" && !typing()) return on_paste();
    handled_ = command(pressed);
}

void Window::character(unsigned code) {
    wake(4);
    if (typing()) {
        ImGui::GetIO().AddInputCharacter(code);
        handled_ = true;
        return;
    }
    handled_ = false;
    if (code <= ' ' || code > '~') return;
    const char c = static_cast<char>(code);
    const bool upper = c >= 'A' && c <= 'Z';
    const bool letter = upper || (c >= 'a' && c <= 'z');
    const Modifiers held = modifiers(window_);
    // A letter by its key, whether Caps Lock is on or not; with Ctrl and Alt it came as a key.
    if (letter && (held.ctrl || held.alt)) return;
    const char small = static_cast<char>(upper ? c - 'A' + 'a' : c);
    const char large = static_cast<char>(small - 'a' + 'A');
    handled_ = command(!letter      ? std::string(1, c)
                       : held.shift ? std::string("Shift+") + large
                                    : std::string(1, small));
}

}  // namespace repetend::web
