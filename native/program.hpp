// The program: a command line in, an exit status out.
#pragma once

#include <string>
#include <vector>

namespace repetend::native {

// `words` without the program's own name. Nothing leaves as an exception.
int run_program(const std::vector<std::string>& words);

}  // namespace repetend::native
