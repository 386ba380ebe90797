// Another program in place of this one.
#pragma once

#include <string>
#include <vector>

namespace repetend::native {

// `words`: the program's path, then what it is told. Returns only when that failed: with what went wrong.
std::string become_program(const std::vector<std::string>& words);

}  // namespace repetend::native
