// `repetend view`: the explorer's window is another program beside this one, so that the command line neither links a
// graphics system nor waits for one to be built. What is opened and drawn, it decides; the options have been checked
// here.
#include <filesystem>
#include <string>
#include <vector>

#include "become_program.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "messages.hpp"
#include "program_folder.hpp"

namespace repetend::native {

int run_view(const Invocation& invocation) {
    const std::filesystem::path program = program_folder() / "repetend-view";
    std::error_code ignored;
    if (!std::filesystem::exists(program, ignored)) {
        complain("view", "the window is not built; ./dev build makes it where GLFW and OpenGL are installed");
        return exit_failure;
    }
    std::vector<std::string> words = {program.string()};
    for (const auto& [name, value] : invocation.options.given()) words.push_back("--" + name + "=" + value);
    words.insert(words.end(), invocation.words.begin(), invocation.words.end());
    complain(program.string(), become_program(words));
    return exit_failure;
}

}  // namespace repetend::native
