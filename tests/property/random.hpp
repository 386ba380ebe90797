// A small explicit random generator (splitmix64; Steele, Lea and Flood, OOPSLA 2014): the same numbers on
// every machine and with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace repetend::testing {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // From `least` to `most`, both included. The slight bias of the remainder does not matter here.
    std::int64_t from_to(std::int64_t least, std::int64_t most) {
        return least + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
    }
    int index(std::size_t size) { return static_cast<int>(from_to(0, static_cast<std::int64_t>(size) - 1)); }
    bool percent(int chance) { return from_to(0, 99) < chance; }
    template <class T>
    const T& pick(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(index(choices.size()))];
    }

private:
    std::uint64_t state_;
};

}  // namespace repetend::testing
