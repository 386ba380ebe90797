// Where tests find the repository's files and the program under test.
#pragma once

#include <filesystem>

namespace repetend::test {

std::filesystem::path source_dir();  // top of the repository
std::filesystem::path binary_dir();  // top of the build
// The command line program; only the tests of tests/cli may count on it.
std::filesystem::path program();

}  // namespace repetend::test
