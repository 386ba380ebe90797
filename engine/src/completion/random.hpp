// A small explicit random generator (splitmix64, Steele, Lea and Flood, 2014): the seed is its whole state,
// and every draw is made of integers, so native code and WebAssembly see the same numbers.
#pragma once

#include <bit>
#include <cstdint>

namespace repetend::completion {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }
    // 0 .. bound-1; bound >= 1. The bias is far below anything a search can notice.
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }
    // low .. high, both included.
    std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
    // About exponential with mean `mean` (piecewise linear between powers of two), 0 <= mean <= 2^53.
    std::int64_t exponential(std::int64_t mean) {
        const std::int64_t halvings = std::countr_zero(next() | (std::uint64_t{1} << 16));
        const std::int64_t fraction = static_cast<std::int64_t>(next() >> 54);  // of 1024
        const std::int64_t factor = (halvings * 1024 + fraction) * 45 / 68;     // of 1024; its mean is about 1024
        return mean < (std::int64_t{1} << 40) ? mean * factor / 1024 : mean / 1024 * factor;
    }

private:
    std::uint64_t state_;
};

}  // namespace repetend::completion
