// Small pieces of SVG text: numbers, escaped text, elements.
#pragma once

#include <string>
#include <string_view>

#include "json_value.hpp"
#include "json_writer.hpp"

namespace repetend::format {

// A coordinate with at most two decimals.
inline std::string num(double value) {
    std::string out = fixed(value, 2);
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
    return out;
}

// Text for element content and attribute values; what XML cannot hold is made visible.
inline std::string xml(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

// `name="value"` with a space before it.
inline std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + std::string(value) + '"';
}
inline std::string attribute(std::string_view name, double value) { return attribute(name, num(value)); }

}  // namespace repetend::format
