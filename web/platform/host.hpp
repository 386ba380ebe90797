// What differs between a page and a desktop: one file each (page_host.cpp, desktop_host.cpp).
#pragma once

#include <string>
#include <string_view>

struct GLFWwindow;

namespace repetend::web {

// The first line of every shader, and all that stands before a body: precision where it has to be said.
std::string_view shader_version();
std::string shader_prologue();

// What the window shall be, before it is made. One that is not to be seen has as many pixels as it is asked for.
void set_window_hints(bool visible);
// Something happened: a frame is wanted soon. The next call may come before that frame.
void request_frame();

// The character that a key gives without Shift, in the person's own layout; 0 for keys without one.
char character_of_key(int key, int scancode);

void copy_text(GLFWwindow* window, std::string_view text);
std::string pasted_text(GLFWwindow* window);

}  // namespace repetend::web
