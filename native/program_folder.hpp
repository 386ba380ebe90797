// Where this program stands, for what is installed beside it.
#pragma once

#include <filesystem>

namespace repetend::native {

// Empty where the system does not say.
std::filesystem::path program_folder();

}  // namespace repetend::native
