// An adaptive binary range coder: whole numbers to few bytes and back. The idea is Martin's range encoding ("Range
// encoding: an algorithm for removing redundancy from a digitised message", 1979) with the carry handling and the
// shift-adapted bit probabilities that Pavlov's LZMA made common. Here every column of a table has models of its own,
// and a number is coded as its bit length (a tree of adaptive bits), two adaptive bits below the leading one, and the
// rest plainly: columns that follow a rule shrink to a fraction of a bit a row.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace repetend::format {

inline constexpr int probability_bits = 12;
inline constexpr int adaptation_shift = 4;

struct BitModel {
    std::uint16_t zero = 1 << (probability_bits - 1);
    void learn(bool bit) {
        if (bit)
            zero = static_cast<std::uint16_t>(zero - (zero >> adaptation_shift));
        else
            zero = static_cast<std::uint16_t>(zero + (((1 << probability_bits) - zero) >> adaptation_shift));
    }
};

// A number of up to 64 bits.
struct NumberModel {
    std::array<BitModel, 128> length;  // a tree of 7 levels over bit lengths 0..64
    std::array<BitModel, 65 * 4> head;
};

// A byte given the one before it.
struct TextModel {
    NumberModel length;
    std::vector<BitModel> tree = std::vector<BitModel>(256 * 256);
};

class RangeEncoder {
public:
    void bit(BitModel& model, bool value) {
        const std::uint32_t bound = (range_ >> probability_bits) * model.zero;
        if (value) {
            low_ += bound;
            range_ -= bound;
        } else {
            range_ = bound;
        }
        model.learn(value);
        normalise();
    }
    void plain(bool value) {
        range_ >>= 1;
        if (value) low_ += range_;
        normalise();
    }
    std::string finish() {
        for (int i = 0; i < 5; ++i) shift_low();
        while (!out_.empty() && out_.back() == '\0') out_.pop_back();  // the decoder reads zeros past the end
        return out_.substr(out_.empty() ? 0 : 1);                      // the first byte is always 0
    }

private:
    void normalise() {
        while (range_ < (1u << 24)) {
            range_ <<= 8;
            shift_low();
        }
    }
    void shift_low() {
        if (low_ < 0xFF000000u || low_ > 0xFFFFFFFFu) {
            const auto carry = static_cast<unsigned char>(low_ >> 32);
            do {
                out_ += static_cast<char>(static_cast<unsigned char>(cache_ + carry));
                cache_ = 0xFF;
            } while (--pending_ != 0);
            cache_ = static_cast<unsigned char>(low_ >> 24);
        }
        ++pending_;
        low_ = (low_ & 0x00FFFFFFu) << 8;
    }

    std::uint64_t low_ = 0;
    std::uint32_t range_ = 0xFFFFFFFFu;
    unsigned char cache_ = 0;
    std::uint64_t pending_ = 1;
    std::string out_;
};

class RangeDecoder {
public:
    explicit RangeDecoder(std::string_view bytes) : bytes_(bytes) {
        for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
    }
    bool bit(BitModel& model) {
        const std::uint32_t bound = (range_ >> probability_bits) * model.zero;
        const bool value = code_ >= bound;
        if (value) {
            code_ -= bound;
            range_ -= bound;
        } else {
            range_ = bound;
        }
        model.learn(value);
        normalise();
        return value;
    }
    bool plain() {
        range_ >>= 1;
        const bool value = code_ >= range_;
        if (value) code_ -= range_;
        normalise();
        return value;
    }
    // Read far beyond what was written: the rest is noise. Callers stop.
    bool overrun() const { return past_the_end_ > 64; }

private:
    void normalise() {
        while (range_ < (1u << 24)) {
            range_ <<= 8;
            code_ = code_ << 8 | next();
        }
    }
    unsigned char next() {
        if (at_ < bytes_.size()) return static_cast<unsigned char>(bytes_[at_++]);
        ++past_the_end_;
        return 0;
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    int past_the_end_ = 0;
    std::uint32_t range_ = 0xFFFFFFFFu;
    std::uint32_t code_ = 0;
};

// One table walker for both directions: `number` and the others write their argument or replace it by what is read. A
// format is then described once, and cannot be read otherwise than it is written.
class Packer {
public:
    static constexpr bool reading = false;
    void number(NumberModel& model, std::uint64_t& value) {
        int length = 0;
        while (length < 64 && value >> length != 0) ++length;
        unsigned node = 1;
        for (int level = 6; level >= 0; --level) {
            const bool bit = length >> level & 1;
            coder_.bit(model.length[node], bit);
            node = node << 1 | (bit ? 1u : 0u);
        }
        unsigned head = 1;
        for (int k = length - 2; k >= 0; --k) {
            const bool bit = value >> k & 1;
            if (k >= length - 3 && head < 4) {
                coder_.bit(model.head[static_cast<std::size_t>(length) * 4 + head], bit);
                head = head << 1 | (bit ? 1u : 0u);
            } else {
                coder_.plain(bit);
            }
        }
    }
    void byte(TextModel& model, unsigned char before, unsigned char& value) {
        unsigned node = 1;
        for (int level = 7; level >= 0; --level) {
            const bool bit = value >> level & 1;
            coder_.bit(model.tree[before * 256u + node], bit);
            node = node << 1 | (bit ? 1u : 0u);
        }
    }
    bool failed() const { return false; }
    std::string finish() { return coder_.finish(); }

private:
    RangeEncoder coder_;
};

class Unpacker {
public:
    static constexpr bool reading = true;
    explicit Unpacker(std::string_view bytes) : coder_(bytes) {}
    void number(NumberModel& model, std::uint64_t& value) {
        unsigned node = 1;
        for (int level = 6; level >= 0; --level) node = node << 1 | (coder_.bit(model.length[node]) ? 1u : 0u);
        const int length = static_cast<int>(node & 127);
        value = 0;
        if (length > 64) {
            failed_ = true;
            return;
        }
        if (length > 0) value = 1;
        unsigned head = 1;
        for (int k = length - 2; k >= 0; --k) {
            bool bit = false;
            if (k >= length - 3 && head < 4) {
                bit = coder_.bit(model.head[static_cast<std::size_t>(length) * 4 + head]);
                head = head << 1 | (bit ? 1u : 0u);
            } else {
                bit = coder_.plain();
            }
            value = value << 1 | (bit ? 1u : 0u);
        }
    }
    void byte(TextModel& model, unsigned char before, unsigned char& value) {
        unsigned node = 1;
        for (int level = 7; level >= 0; --level)
            node = node << 1 | (coder_.bit(model.tree[before * 256u + node]) ? 1u : 0u);
        value = static_cast<unsigned char>(node & 255);
    }
    void fail() { failed_ = true; }
    bool failed() const { return failed_ || coder_.overrun(); }

private:
    RangeDecoder coder_;
    bool failed_ = false;
};

}  // namespace repetend::format
