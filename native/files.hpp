// Files as whole texts. Reading never trusts a size; writing goes to a temporary name first, so that nobody
// ever sees half a file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace repetend::native {

// A text, or why there is none (one line, in the system's words).
struct ReadText {
    std::optional<std::string> text;
    std::string error;
    bool too_large = false;  // more than this program accepts: the input's fault, not the system's
};
// `-` is standard input.
ReadText read_file(const std::string& path);

// How messages call an input: its path, or `standard input`.
std::string input_label(const std::string& path);

// Empty when `text` stands complete under `path`, else what went wrong. `-` is standard output.
std::string write_file(const std::string& path, const std::string& text);
// The same for a text that is made piece by piece: `write` hands each on until it is done or hears false.
using TextPiece = std::function<bool(std::string_view)>;
using PieceWriter = std::function<void(const TextPiece& take)>;
std::string write_file(const std::string& path, const PieceWriter& write);
// Empty when a later write_file to `path` may be expected to work; asked before a long search.
std::string check_writable(const std::string& path);

}  // namespace repetend::native
