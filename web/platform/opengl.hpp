// GLFW, and OpenGL as this platform has it: web/CMakeLists.txt says by a definition which of its headers GLFW includes.
#pragma once

#include <GLFW/glfw3.h>
