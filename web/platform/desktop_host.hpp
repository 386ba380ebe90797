// Beside host.hpp, for the desktop's loop alone.
#pragma once

namespace repetend::web {

// Was a frame wanted since the last call?
bool take_frame_request();

}  // namespace repetend::web
