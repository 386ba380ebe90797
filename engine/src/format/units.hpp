// Times and amounts as people read them: 780.4 ms instead of 780412873 ns, 12.5 GiB instead of bytes. Only
// for drawings; documents carry the exact integers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "repetend/model/problem.hpp"

namespace repetend::format {

// One unit for all numbers of a drawing, chosen for its largest one.
class ReadableUnit {
public:
    // Powers of 1000 for "ns", "us", "ms"; other units stay as they are.
    static ReadableUnit for_time(std::string_view unit, Ticks largest);
    // Powers of 1024 for "byte"; other units stay as they are.
    static ReadableUnit for_memory(std::string_view unit, Memory largest);

    // The number alone, at most `decimals` digits after the point and no zeros at its end.
    std::string number(std::int64_t amount, int decimals = 3) const;
    // The number with its unit.
    std::string text(std::int64_t amount, int decimals = 3) const;
    const std::string& unit() const { return unit_; }
    std::int64_t scale() const { return scale_; }

private:
    std::string unit_;
    std::int64_t scale_ = 1;
    bool ticks_ = false;  // "1 tick", "2 ticks"
};

// The least of 1, 2, 5, 10, 20, 50, ... that is not below `least` (at least 1).
std::int64_t round_step(double least);

}  // namespace repetend::format
