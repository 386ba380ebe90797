// Runs the built program as a person would: words in, standard output, standard error and exit status out.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "support/paths.hpp"

extern char** environ;

namespace repetend::test {

struct Ran {
    int status = -1;  // exit status; 128 + signal when it was killed
    std::string out;
    std::string err;
    double seconds = 0;
};

struct RunOptions {
    std::string input = {};                     // standard input
    std::vector<std::string> environment = {};  // NAME=value, on top of a small fixed one
    double interrupt_after_s = -1;              // send `signal` after so long
    int signal = SIGINT;
    std::string output_device = {};  // standard output goes here instead, `/dev/full` for one
};

// A folder of its own for one test, removed with all it holds.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "repetend-cli-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(*this / name, std::ios::binary) << text;
        return *this / name;
    }
    std::size_t count() const {
        const std::filesystem::directory_iterator files(path_);
        return static_cast<std::size_t>(std::distance(begin(files), end(files)));
    }

private:
    std::string path_;
};

inline std::string slurp(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Ran run(const std::vector<std::string>& words, const RunOptions& options = {}) {
    const Folder folder;
    const std::string in = folder.write("in", options.input);
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
    if (options.output_device.empty()) {
        posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    } else {
        posix_spawn_file_actions_addopen(&actions, 1, options.output_device.c_str(), O_WRONLY, 0);
    }
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);

    const std::string program_path = program().string();
    std::vector<char*> arguments = {const_cast<char*>(program_path.c_str())};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    // Nothing of the tester's own terminal, colours or language gets in.
    const std::vector<std::string> fixed = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm"};
    std::vector<char*> environment;
    for (const std::string& variable : fixed) environment.push_back(const_cast<char*>(variable.c_str()));
    for (const std::string& variable : options.environment) environment.push_back(const_cast<char*>(variable.c_str()));
    environment.push_back(nullptr);

    Ran ran;
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    const int error =
        posix_spawn(&child, program_path.c_str(), &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        ran.err = "cannot start " + program_path;
        return ran;
    }
    if (options.interrupt_after_s >= 0) {
        std::this_thread::sleep_for(std::chrono::duration<double>(options.interrupt_after_s));
        kill(child, options.signal);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = slurp(out);
    ran.err = slurp(err);
    return ran;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// A small valid problem as JSON text, for spoiling.
inline std::string small_problem() {
    return R"({"format": "repetend.problem", "version": 1, "name": "small", "micro_batches": 3,
 "devices": [{"memory_capacity": 2}, {"memory_capacity": 2}],
 "blocks": [{"name": "f0", "kind": "forward", "devices": [0], "time": 1, "memory": 1},
            {"name": "f1", "kind": "forward", "devices": [1], "time": 1, "memory": 1},
            {"name": "b1", "kind": "backward", "devices": [1], "time": 2, "memory": -1},
            {"name": "b0", "kind": "backward", "devices": [0], "time": 2, "memory": -1}],
 "dependencies": [{"from": "f0", "to": "f1"}, {"from": "f1", "to": "b1"}, {"from": "b1", "to": "b0"}]}
)";
}

inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const std::size_t at = text.find(part);
    if (at == std::string::npos) return "the part to replace is missing: " + part;
    return text.replace(at, part.size(), by);
}

}  // namespace repetend::test
