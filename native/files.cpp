// Reading on every system; writing is in files_posix.cpp.
#include "files.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace repetend::native {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};

}  // namespace

std::string input_label(const std::string& path) { return path == "-" ? "standard input" : path; }

ReadText read_file(const std::string& path) {
    ReadText answer;
    std::error_code ignored;
    if (path != "-" && std::filesystem::is_directory(path, ignored)) {
        answer.error = "is a directory, a file was expected";
        return answer;
    }
    const std::unique_ptr<std::FILE, CloseFile> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (file == nullptr) {
        answer.error = std::string("cannot be read: ") + std::strerror(errno);
        return answer;
    }
    std::string text;
    char chunk[1 << 16];
    while (true) {
        const std::size_t count = std::fread(chunk, 1, sizeof chunk, file.get());
        text.append(chunk, count);
        if (text.size() > most_bytes) {
            answer.error = "is larger than 1 GiB, more than this program accepts";
            answer.too_large = true;
            return answer;
        }
        if (count < sizeof chunk) {
            if (std::ferror(file.get()) != 0) {
                answer.error = std::string("cannot be read: ") + std::strerror(errno);
                return answer;
            }
            if (std::feof(file.get()) != 0) break;
        }
    }
    answer.text = std::move(text);
    return answer;
}

}  // namespace repetend::native
