#include "gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace repetend::native {
namespace {

constexpr int gzip_window = 15 + 16;  // largest window, gzip instead of zlib frames
constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits

Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

std::string gzip(std::string_view text) {
    z_stream stream = {};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string out;
    std::string chunk(chunk_bytes, '\0');
    int status = Z_OK;
    while (status != Z_STREAM_END) {
        const std::size_t part = std::min(text.size(), most_at_once);
        stream.next_in = bytes_of(text);
        stream.avail_in = static_cast<uInt>(part);
        do {
            stream.next_out = bytes_of(chunk);
            stream.avail_out = static_cast<uInt>(chunk.size());
            status = deflate(&stream, part == text.size() ? Z_FINISH : Z_NO_FLUSH);
            out.append(chunk, 0, chunk.size() - stream.avail_out);
        } while (stream.avail_out == 0);
        text.remove_prefix(part);
    }
    deflateEnd(&stream);
    return out;
}

Unzipped gunzip(std::string_view bytes, std::size_t most_bytes) {
    Unzipped answer;
    z_stream stream = {};
    if (inflateInit2(&stream, gzip_window) != Z_OK) throw std::bad_alloc();
    std::string out;
    std::string chunk(chunk_bytes, '\0');
    int status = Z_OK;
    while (answer.error.empty() && (status != Z_STREAM_END || is_gzip(bytes))) {
        if (status == Z_STREAM_END) inflateReset(&stream);
        const std::size_t part = std::min(bytes.size(), most_at_once);
        stream.next_in = bytes_of(bytes);
        stream.avail_in = static_cast<uInt>(part);
        stream.next_out = bytes_of(chunk);
        stream.avail_out = static_cast<uInt>(chunk.size());
        status = inflate(&stream, Z_NO_FLUSH);
        bytes.remove_prefix(part - stream.avail_in);
        out.append(chunk, 0, chunk.size() - stream.avail_out);
        if (status == Z_BUF_ERROR || (status == Z_OK && bytes.empty() && stream.avail_out > 0))
            answer.error = "is a gzip file that ends too early";
        else if (status != Z_OK && status != Z_STREAM_END)
            answer.error = "is a broken gzip file";
        else if (out.size() > most_bytes)
            answer.error =
                "holds more than " + std::to_string(most_bytes >> 20) + " MiB, more than this program accepts";
    }
    inflateEnd(&stream);
    if (answer.error.empty() && bytes.find_first_not_of('\0') != std::string_view::npos)
        answer.error = "is a broken gzip file";
    if (answer.error.empty()) answer.text = std::move(out);
    return answer;
}

}  // namespace repetend::native
