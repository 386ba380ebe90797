// What the program knows of the terminals it talks to. The answers come from the system (terminal_posix.cpp);
// the policies (colours, progress, width) are here for all systems.
#pragma once

#include <string>

namespace repetend::native {

bool output_is_terminal();            // standard output
bool error_is_terminal();             // standard error
int terminal_columns(int otherwise);  // of the terminal on standard output or error

// A variable of the environment, empty when not set.
std::string environment(const char* name);

// Can the terminal move its cursor? TERM=dumb cannot.
bool terminal_is_dumb();

// Colours for standard output by --color (auto, always, never), NO_COLOR, CLICOLOR_FORCE and TERM. An option
// outweighs the environment; NO_COLOR outweighs CLICOLOR_FORCE.
bool use_colour(const std::string& option);

// Box characters, unless the locale is set to one without them.
bool use_unicode();

}  // namespace repetend::native
