// WebGL 2.
#include "graphics.hpp"

namespace repetend::web {

std::string shader_prologue() {
    return "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";
}

}  // namespace repetend::web
