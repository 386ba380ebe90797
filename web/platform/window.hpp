// The explorer in a GLFW window, the same in a page and on a desktop. GLFW's callbacks become ImGui's input and the
// app's commands, and they wake the drawing: a frame is drawn when something happened or moves, else none. What differs
// between platforms is in host.hpp.
//
// ImGui's own GLFW backend is not used: in a page it listens to the wheel of the whole document, puts the pointer back
// to where a mouse last was after a finger has gone, and leaves commands to be found among its keys.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/app.hpp"
#include "panels/ui.hpp"

struct GLFWwindow;

namespace repetend::web {

class Window {
public:
    // Null when there is no window to be had, or no OpenGL that serves. One window at a time: ImGui has one context.
    static std::unique_ptr<Window> open(int width, int height, const char* title, bool visible = true);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    App app;
    Ui ui{app};

    // Draws; true when another frame shall follow at once. The clock may start anywhere.
    bool frame(double now_seconds);
    double frame_cost_ms() const { return cost_ms_; }
    // Draw at least so many frames from now on; keep drawing for so long.
    void wake(int frames);
    void linger(double seconds);

    void prefer(bool dark, bool contrast) { system_dark_ = dark, system_contrast_ = contrast; }
    // Pixels per unit of length in place of what the screen says; 0 to go by the screen.
    void force_scale(float scale) { forced_scale_ = scale; }
    GLFWwindow* handle() const { return window_; }

    // Ctrl+V where no field takes it, on systems that do not tell of pasting otherwise.
    std::function<void()> on_paste;

    // What GLFW's callbacks tell; a page tells the rest of it, such as fingers. Places are in window coordinates.
    void pointer(double x, double y);
    void pointer_out();
    void button(bool right, bool down);
    void scroll(double dx, double dy);
    void pinch(double factor, double x, double y, double dx, double dy);
    void long_press(double x, double y);
    void text(const char* utf8);
    void key(int key, int scancode, bool down);
    void character(unsigned code);
    // Was the last key or character something to the app? Asked once.
    bool take_handled() { return std::exchange(handled_, false); }

private:
    explicit Window(GLFWwindow* window);
    void measure();
    bool typing() const;
    bool command(std::string_view pressed);
    bool dark() const;
    bool contrast() const;

    GLFWwindow* window_;
    float scale_ = 1;          // pixels per unit of length
    float pointer_scale_ = 1;  // units of length per window coordinate
    float forced_scale_ = 0;
    int pixels_[2] = {0, 0};
    bool system_dark_ = false, system_contrast_ = false;
    bool handled_ = false;
    int frames_ = 0;
    double last_ = 0, linger_ = 0, linger_until_ = 0, cost_ms_ = 0;
};

}  // namespace repetend::web
