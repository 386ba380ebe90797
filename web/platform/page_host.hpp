// Beside host.hpp, for the page's interface alone.
#pragma once

#include <string>

struct GLFWwindow;

namespace repetend::web {

// The window as large as the page, at the page's present pixel ratio.
void resize(GLFWwindow* window, int width, int height);
// What was copied in the window since the last call.
std::string take_copied();

}  // namespace repetend::web
