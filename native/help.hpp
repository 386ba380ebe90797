// Help, in three lengths, all made from the tables: one screen, everything, and the manual page.
#pragma once

#include <string>

#include "commands.hpp"

namespace repetend::native {

std::string brief_help();                        // one screen: examples, commands, exit statuses
std::string full_help();                         // the same with the whole table of exit statuses
std::string brief_help(const Command& command);  // one screen: examples and the options by name
std::string full_help(const Command& command);   // every option explained
std::string manual_page();                       // roff, for man(1)

}  // namespace repetend::native
