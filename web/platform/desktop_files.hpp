// Files of the desktop window: small ones, read as a whole; written without ever replacing one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace repetend::web {

// The text, or in `error` why there is none.
std::optional<std::string> read_text_file(const std::string& path, std::string& error);

// Writes into the working folder under this name, or with a number before the ending while that is taken. The name, or
// empty with `error` set.
std::string write_new_file(const std::string& name, std::string_view bytes, std::string& error);
// The same under exactly this path, which may exist: the person named it.
bool write_named_file(const std::string& path, std::string_view bytes, std::string& error);

// The part of a path after its last slash.
std::string name_of_file(const std::string& path);

}  // namespace repetend::web
