// Linux names the running program in /proc; elsewhere the answer is empty and paths are taken from the working folder.
#include <system_error>

#include "program_folder.hpp"

namespace repetend::native {

std::filesystem::path program_folder() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return error ? std::filesystem::path() : program.parent_path();
}

}  // namespace repetend::native
