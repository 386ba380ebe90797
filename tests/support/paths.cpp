#include "support/paths.hpp"

namespace repetend::test {

std::filesystem::path source_dir() { return REPETEND_SOURCE_DIR; }
std::filesystem::path binary_dir() { return REPETEND_BINARY_DIR; }
std::filesystem::path program() { return binary_dir() / "repetend"; }

}  // namespace repetend::test
