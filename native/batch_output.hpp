// The output of a batch: lines as they come, each written whole with one call, so that a kill at any moment leaves
// finished lines and at most one torn one at the end.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace repetend::native {

class BatchOutput {
public:
    BatchOutput() = default;
    ~BatchOutput();
    BatchOutput(const BatchOutput&) = delete;
    BatchOutput& operator=(const BatchOutput&) = delete;

    // Opens and locks the file for this run alone; answers what is wrong, or nothing. With `resume` the lines that
    // stand there are kept, and a torn last one is cut off; without it a file with lines moves to PATH.previous.
    std::string open(const std::string& path, bool resume);

    // Lines that stand in the file, by their ids, with their newlines.
    const std::map<std::string, std::string>& lines() const { return lines_; }
    bool has(const std::string& id) const { return lines_.count(id) != 0; }
    bool torn() const { return torn_; }    // a torn line was cut off
    bool moved() const { return moved_; }  // an older file was moved away

    // Adds a line; answers what went wrong, or nothing.
    std::string append(const std::string& id, const std::string& line);
    // The file once more in this order of ids (others after them), when it is not so already.
    std::string put_in_order(const std::vector<std::string>& ids);

private:
    std::string take_lines(const std::string& text);

    std::string path_;
    int descriptor_ = -1;
    std::map<std::string, std::string> lines_;
    std::vector<std::string> order_;  // ids as they stand in the file
    bool torn_ = false;
    bool moved_ = false;
};

}  // namespace repetend::native
