// Appending on POSIX systems. The lock belongs to the open file, so it ends with the process however that ends.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "batch_output.hpp"
#include "files.hpp"

namespace repetend::native {
namespace {

constexpr mode_t new_file_mode = 0666;  // less the umask

std::string system_words(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

// The id of a line, or an empty text when it is no line of a batch.
std::string id_of(const std::string& line) {
    const nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
    if (!value.is_object()) return {};
    const auto id = value.find("id");
    return id != value.end() && id->is_string() ? id->get<std::string>() : std::string();
}

}  // namespace

BatchOutput::~BatchOutput() {
    if (descriptor_ >= 0) close(descriptor_);
}

std::string BatchOutput::open(const std::string& path, bool resume) {
    path_ = path;
    struct stat facts = {};
    const bool exists = stat(path.c_str(), &facts) == 0;
    if (exists && !S_ISREG(facts.st_mode)) return "is no ordinary file, so lines cannot be kept there";
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, new_file_mode);
    if (descriptor_ < 0) return system_words("cannot be written");
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return "another run is writing here";
    if (exists && facts.st_size > 0 && !resume) {
        const std::string previous = path + ".previous";
        if (std::rename(path.c_str(), previous.c_str()) != 0) return system_words("cannot be moved away");
        close(descriptor_);
        descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, new_file_mode);
        if (descriptor_ < 0) return system_words("cannot be written");
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return "another run is writing here";
        moved_ = true;
        return {};
    }
    if (!exists || facts.st_size == 0) return {};
    const ReadText text = read_file(path);
    if (!text.text) return text.error;
    return take_lines(*text.text);
}

std::string BatchOutput::take_lines(const std::string& text) {
    std::size_t at = 0;
    std::size_t number = 0;
    while (at < text.size()) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string::npos) break;
        ++number;
        const std::string line = text.substr(at, end + 1 - at);
        const std::string id = id_of(line);
        if (id.empty()) return "line " + std::to_string(number) + " is no result of a batch; nothing was changed";
        lines_.emplace(id, line);  // the first one counts
        order_.push_back(id);
        at = end + 1;
    }
    if (at == text.size()) return {};
    // The rest is a line that a kill has cut.
    if (number == 0 && text.front() != '{') return "is no output of a batch; nothing was changed";
    torn_ = true;
    if (ftruncate(descriptor_, static_cast<off_t>(at)) != 0) return system_words("cannot be cut to its last line");
    return {};
}

std::string BatchOutput::append(const std::string& id, const std::string& line) {
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t count = write(descriptor_, line.data() + done, line.size() - done);
        if (count < 0) {
            if (errno == EINTR) continue;
            return system_words("cannot be written");
        }
        done += static_cast<std::size_t>(count);
    }
    lines_.emplace(id, line);
    order_.push_back(id);
    return {};
}

std::string BatchOutput::put_in_order(const std::vector<std::string>& ids) {
    std::vector<std::string> wanted;
    std::map<std::string, bool> placed;
    for (const std::string& id : ids) {
        if (has(id) && placed.emplace(id, true).second) wanted.push_back(id);
    }
    for (const std::string& id : order_) {
        if (placed.emplace(id, true).second) wanted.push_back(id);
    }
    if (wanted == order_) return {};
    std::string text;
    for (const std::string& id : wanted) text += lines_.at(id);
    const std::string error = write_file(path_, text);
    if (error.empty()) order_ = wanted;
    return error;
}

}  // namespace repetend::native
