// Writing on POSIX systems: a new file beside the target, flushed, then renamed over it. Devices, pipes and
// terminals cannot be replaced so and are written directly.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>

#include "files.hpp"

namespace repetend::native {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the umask

std::string error_text(int code) { return std::string("cannot be written: ") + std::strerror(code); }

// 0, or the error.
int write_all(int descriptor, std::string_view text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        done += static_cast<std::size_t>(count);
    }
    return 0;
}

// The file that a write to `path` would change: links followed, so that they survive the renaming.
std::string final_target(const std::string& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::canonical(path, error);
    return error ? path : target.string();
}

struct Target {
    std::string path;
    bool exists = false;
    bool regular = true;
    mode_t mode = new_file_mode;
};

Target look_at(const std::string& path) {
    Target target;
    target.path = final_target(path);
    struct stat facts = {};
    if (stat(target.path.c_str(), &facts) == 0) {
        target.exists = true;
        target.regular = S_ISREG(facts.st_mode);
        target.mode = facts.st_mode & 07777;
    }
    return target;
}

std::string temporary_name(const Target& target) { return target.path + ".partial-" + std::to_string(getpid()); }

int open_new(const std::string& path) {
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file_mode);
}

// All pieces into an open file; 0, or the first error.
int write_pieces(int descriptor, const PieceWriter& write) {
    int error = 0;
    write([&](std::string_view piece) {
        error = write_all(descriptor, piece);
        return error == 0;
    });
    return error;
}

std::string write_directly(const std::string& path, const PieceWriter& write) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return error_text(errno);
    const int error = write_pieces(descriptor, write);
    close(descriptor);
    return error == 0 ? std::string() : error_text(error);
}

// A file that the user may not write is left alone even where its folder would let us replace it.
bool is_protected(const Target& target) { return target.exists && access(target.path.c_str(), W_OK) != 0; }

}  // namespace

std::string write_file(const std::string& path, const std::string& text) {
    return write_file(path, [&](const TextPiece& take) { take(text); });
}

std::string write_file(const std::string& path, const PieceWriter& write) {
    if (path == "-") {
        const int error = write_pieces(STDOUT_FILENO, write);
        return error == 0 ? std::string() : error_text(error);
    }
    const Target target = look_at(path);
    if (is_protected(target)) return error_text(errno);
    if (target.exists && !target.regular) return write_directly(target.path, write);
    const std::string temporary = temporary_name(target);
    const int descriptor = open_new(temporary);
    if (descriptor < 0) return error_text(errno);
    int error = write_pieces(descriptor, write);
    if (target.exists && fchmod(descriptor, target.mode) != 0 && error == 0) error = errno;
    if (close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0 && std::rename(temporary.c_str(), target.path.c_str()) != 0) error = errno;
    if (error == 0) return {};
    unlink(temporary.c_str());
    return error_text(error);
}

std::string check_writable(const std::string& path) {
    if (path == "-") return {};
    const Target target = look_at(path);
    if (is_protected(target)) return error_text(errno);
    if (target.exists && !target.regular) {
        struct stat facts = {};
        if (stat(target.path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) return error_text(EISDIR);
        return {};
    }
    const std::string temporary = temporary_name(target);
    const int descriptor = open_new(temporary);
    if (descriptor < 0) return error_text(errno);
    close(descriptor);
    unlink(temporary.c_str());
    return {};
}

}  // namespace repetend::native
