// What the packed parts of a link share. The first byte is the version of the packing, the last four a checksum
// (CRC-32, as in zip files); numbers and texts between them go through the range coder.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "range_coder.hpp"
#include "repetend/model/fault.hpp"

namespace repetend::format {

inline constexpr std::size_t longest_text = 4096;

inline std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

inline std::string seal(char version, std::string body) {
    std::string out = version + std::move(body);
    const std::uint32_t crc = crc32(out);
    for (int k = 0; k < 4; ++k) out += static_cast<char>(crc >> (8 * k) & 0xFF);
    return out;
}

// `what` names the part in messages.
inline Result<std::string_view> unseal(std::string_view bytes, char version, const char* what) {
    if (bytes.size() < 6) return Fault{FaultCode::syntax, what, "is cut off"};
    const std::string_view content = bytes.substr(0, bytes.size() - 4);
    std::uint32_t crc = 0;
    for (std::size_t k = 0; k < 4; ++k)
        crc |= std::uint32_t{static_cast<unsigned char>(bytes[bytes.size() - 4 + k])} << (8 * k);
    if (crc != crc32(content)) return Fault{FaultCode::syntax, what, "is damaged or cut off (its checksum differs)"};
    if (content[0] != version) {
        return Fault{FaultCode::unknown, what,
                     "was packed by another version (" + std::to_string(static_cast<int>(content[0])) +
                         "); this program reads version " + std::to_string(static_cast<int>(version))};
    }
    return content.substr(1);
}

// One function writes and reads, by the coder that it is given.
template <class Coder>
void code_count(Coder& coder, NumberModel& model, std::uint64_t& count, std::uint64_t most) {
    coder.number(model, count);
    if constexpr (Coder::reading) {
        if (count > most) coder.fail();
        if (coder.failed()) count = 0;
    }
}

template <class Coder>
void code_text(Coder& coder, TextModel& model, std::string& text, std::size_t longest = longest_text) {
    std::uint64_t length = std::min(text.size(), longest);
    code_count(coder, model.length, length, longest);
    text.resize(length);
    unsigned char before = 0;
    for (char& c : text) {
        auto value = static_cast<unsigned char>(c);
        coder.byte(model, before, value);
        c = static_cast<char>(value);
        before = value;
    }
}

}  // namespace repetend::format
