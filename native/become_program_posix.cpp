// POSIX systems: the process stays, with its terminal, signals and exit status.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "become_program.hpp"

namespace repetend::native {

std::string become_program(const std::vector<std::string>& words) {
    std::vector<char*> plain;
    for (const std::string& word : words) plain.push_back(const_cast<char*>(word.c_str()));
    plain.push_back(nullptr);
    execv(plain.front(), plain.data());
    return std::string("cannot be started: ") + std::strerror(errno);
}

}  // namespace repetend::native
