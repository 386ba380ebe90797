// The window's content as a PNG (ISO/IEC 15948; zlib compresses). Drawn apart from the screen, where other windows may
// lie above it.
#pragma once

#include <functional>
#include <string>

namespace repetend::web {

// What `draw` draws, `width` by `height` pixels; empty when the graphics system has no room for it.
std::string picture(int width, int height, const std::function<void()>& draw);

}  // namespace repetend::web
