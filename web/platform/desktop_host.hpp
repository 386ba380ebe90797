// Beside host.hpp, for the desktop's loop alone.
#pragma once

namespace repetend::web {

// Was a frame wanted since the last call?
bool take_frame_request();

// False where no window can open, before GLFW tries: the libraries below it complain in words of their own.
bool may_have_display();

}  // namespace repetend::web
