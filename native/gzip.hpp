// Texts as gzip files (RFC 1952) through zlib.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace repetend::native {

bool is_gzip(std::string_view bytes);

// The same text gives the same bytes: no name, no time.
std::string gzip(std::string_view text);

struct Unzipped {
    std::optional<std::string> text;
    std::string error;  // why there is none, one line
};
// Never makes more than `most_bytes`, whatever the file claims. Files one after another count as one, as for gunzip.
Unzipped gunzip(std::string_view bytes, std::size_t most_bytes);

}  // namespace repetend::native
