#include "desktop_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace repetend::web {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;  // as in the page: what is larger is for the command line
constexpr int most_numbers = 1000;

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

bool write_all(File file, std::string_view bytes, std::string& error) {
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    if (std::fclose(file.release()) == 0 && written) return true;
    error = std::string("cannot be written: ") + std::strerror(errno);
    return false;
}

}  // namespace

std::optional<std::string> read_text_file(const std::string& path, std::string& error) {
    std::error_code ignored;
    if (path != "-" && std::filesystem::is_directory(path, ignored)) {
        error = "is a directory, a file was expected";
        return std::nullopt;
    }
    const File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    std::string text;
    std::string chunk(std::size_t{1} << 16, '\0');
    while (file != nullptr && text.size() <= most_bytes) {
        const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get());
        text.append(chunk, 0, count);
        if (count < chunk.size()) break;
    }
    if (text.size() > most_bytes)
        error = "is larger than 64 MiB: use the command line for it";
    else if (file == nullptr || std::ferror(file.get()) != 0)
        error = std::string("cannot be read: ") + std::strerror(errno);
    else
        return text;
    return std::nullopt;
}

std::string write_new_file(const std::string& name, std::string_view bytes, std::string& error) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    for (int number = 1; number < most_numbers; ++number) {
        const std::string tried =
            number == 1 ? name : name.substr(0, dot) + "-" + std::to_string(number) + name.substr(dot);
        File file(std::fopen(tried.c_str(), "wbx"));  // x: only when there is none
        if (file != nullptr) return write_all(std::move(file), bytes, error) ? tried : std::string();
        if (errno != EEXIST) break;
    }
    error = std::string("cannot be written: ") + std::strerror(errno);
    return "";
}

bool write_named_file(const std::string& path, std::string_view bytes, std::string& error) {
    File file(std::fopen(path.c_str(), "wb"));
    if (file != nullptr) return write_all(std::move(file), bytes, error);
    error = std::string("cannot be written: ") + std::strerror(errno);
    return false;
}

std::string name_of_file(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace repetend::web
