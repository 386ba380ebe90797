// X11 and Wayland: where a display is, the environment says.
#include <cstdlib>
#include <initializer_list>

#include "desktop_host.hpp"

namespace repetend::web {

bool may_have_display() {
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_RUNTIME_DIR"})
        if (const char* value = std::getenv(name); value != nullptr && value[0] != '\0') return true;
    return false;
}

}  // namespace repetend::web
