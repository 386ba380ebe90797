#include "desktop_picture.hpp"

#include <zlib.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "opengl.hpp"

namespace repetend::web {
namespace {

void put(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 255);
}

void chunk(std::string& out, std::string_view name, const std::string& data) {
    put(out, static_cast<std::uint32_t>(data.size()));
    const std::string body = std::string(name) + data;
    out += body;
    put(out, static_cast<std::uint32_t>(
                 crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

// `pixels`: rows of 3 bytes a pixel, the lowest row first, as OpenGL has them.
std::string png(int width, int height, const std::vector<unsigned char>& pixels) {
    const std::size_t row = static_cast<std::size_t>(width) * 3;
    std::string rows;
    rows.reserve((row + 1) * static_cast<std::size_t>(height));
    for (int y = height - 1; y >= 0; --y) {
        const auto* from = reinterpret_cast<const char*>(pixels.data()) + static_cast<std::size_t>(y) * row;
        rows += '\1';  // each byte less the one of the pixel before: long runs of zero
        rows.append(from, 3);
        for (std::size_t k = 3; k < row; ++k) rows += static_cast<char>(from[k] - from[k - 3]);
    }
    uLongf size = compressBound(rows.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(rows.data()), rows.size());
    packed.resize(size);
    std::string header;
    put(header, static_cast<std::uint32_t>(width));
    put(header, static_cast<std::uint32_t>(height));
    header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue
    std::string out = "\x89PNG\r\n\x1a\n";
    chunk(out, "IHDR", header);
    chunk(out, "IDAT", packed);
    chunk(out, "IEND", "");
    return out;
}

}  // namespace

std::string picture(int width, int height, const std::function<void()>& draw) {
    unsigned buffer = 0, colour = 0;
    glGenFramebuffers(1, &buffer);
    glGenRenderbuffers(1, &colour);
    glBindRenderbuffer(GL_RENDERBUFFER, colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, buffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    std::string made;
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
        draw();
        std::vector<unsigned char> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
        if (glGetError() == GL_NO_ERROR) made = png(width, height, pixels);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &buffer);
    glDeleteRenderbuffers(1, &colour);
    return made;
}

}  // namespace repetend::web
