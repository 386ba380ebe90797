// OpenGL as this platform has it.
#pragma once

#include <GLES3/gl3.h>

#include <string>

namespace repetend::web {

// What stands before a shader's body: the version, and precision where it has to be said.
std::string shader_prologue();

}  // namespace repetend::web
