// Width of text; see text_width.hpp. The ranges are the East Asian wide ones and the emoji blocks, in the round.
#include "text_width.hpp"

#include <algorithm>
#include <string_view>

#include "json_value.hpp"

namespace repetend::format {
namespace {

// Columns that one character takes on a terminal.
int columns_of(std::string_view text, std::size_t at, std::size_t length) {
    char32_t code = static_cast<unsigned char>(text[at]);
    if (length > 1) code &= length == 2 ? 0x1fu : length == 3 ? 0x0fu : 0x07u;
    for (std::size_t i = 1; i < length; ++i) code = (code << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fu);
    if ((code >= 0x300 && code < 0x370) || code == 0x200b || code == 0x200d || (code >= 0xfe00 && code < 0xfe10))
        return 0;
    const bool wide = (code >= 0x1100 && code < 0x1160) || (code >= 0x2e80 && code < 0xa4d0) ||
                      (code >= 0xac00 && code < 0xd7a4) || (code >= 0xf900 && code < 0xfb00) ||
                      (code >= 0xfe30 && code < 0xfe70) || (code >= 0xff00 && code < 0xff61) ||
                      (code >= 0x1f300 && code < 0x1fb00) || (code >= 0x20000 && code < 0x40000);
    return wide ? 2 : 1;
}

}  // namespace

std::string to_width(const std::string& text, int columns) {
    std::string out;
    int used = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
        const int width = columns_of(text, at, length);
        if (used + width > columns) break;
        out.append(text, at, length);
        used += width;
        at += length;
    }
    return out + std::string(static_cast<std::size_t>(columns - used), ' ');
}

int text_width(const std::string& text) {
    int used = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
        used += columns_of(text, at, length);
        at += length;
    }
    return used;
}

}  // namespace repetend::format
