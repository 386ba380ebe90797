// Readable units; see units.hpp.
#include "units.hpp"

#include <array>
#include <cstdlib>

namespace repetend::format {
namespace {

struct Step {
    std::string_view unit;
    std::int64_t scale;
};

// The largest unit in which the number is at least 10, so that three digits say enough.
template <std::size_t Count>
Step choose(const std::array<Step, Count>& steps, std::string_view from, std::int64_t largest) {
    Step chosen{from, 1};
    std::int64_t base = 0;
    for (const Step& step : steps) {
        if (step.unit == from) base = step.scale;
        if (base == 0) continue;
        const std::int64_t scale = step.scale / base;
        if (largest / scale >= 10) chosen = {step.unit, scale};
    }
    return chosen;
}

}  // namespace

ReadableUnit ReadableUnit::for_time(std::string_view unit, Ticks largest) {
    static constexpr std::array<Step, 4> steps = {
        {{"ns", 1}, {"us", 1000}, {"ms", 1000 * 1000}, {"s", 1000 * 1000 * 1000}}};
    ReadableUnit result;
    if (unit.empty() || unit == "tick" || unit == "ticks") {
        result.unit_ = "ticks";
        result.ticks_ = true;
        return result;
    }
    const Step step = choose(steps, unit, largest);
    result.unit_ = step.unit;
    result.scale_ = step.scale;
    return result;
}

ReadableUnit ReadableUnit::for_memory(std::string_view unit, Memory largest) {
    static constexpr std::array<Step, 5> steps = {{{"byte", 1},
                                                   {"KiB", std::int64_t{1} << 10},
                                                   {"MiB", std::int64_t{1} << 20},
                                                   {"GiB", std::int64_t{1} << 30},
                                                   {"TiB", std::int64_t{1} << 40}}};
    const bool bytes = unit == "byte" || unit == "bytes" || unit == "B";
    const Step step = bytes ? choose(steps, "byte", largest) : Step{unit, 1};
    ReadableUnit result;
    result.unit_ = step.unit;
    result.scale_ = step.scale;
    return result;
}

std::string ReadableUnit::number(std::int64_t amount, int decimals) const {
    std::string out = amount < 0 ? "-" : "";
    const std::uint64_t size =
        amount < 0 ? ~static_cast<std::uint64_t>(amount) + 1 : static_cast<std::uint64_t>(amount);
    const std::uint64_t scale = static_cast<std::uint64_t>(scale_);
    std::uint64_t power = 1;
    for (int i = 0; i < decimals; ++i) power *= 10;
    std::uint64_t whole = size / scale, rest = size % scale;
    // Rounded half up; scale * power stays far below 2^63.
    std::uint64_t part = (rest * power + scale / 2) / scale;
    if (part == power) {
        ++whole;
        part = 0;
    }
    if (whole == 0 && part == 0) out.clear();
    out += std::to_string(whole);
    if (part == 0) return out;
    std::string digits = std::to_string(part);
    digits.insert(0, static_cast<std::size_t>(decimals) - digits.size(), '0');
    while (digits.back() == '0') digits.pop_back();
    return out + '.' + digits;
}

std::string ReadableUnit::text(std::int64_t amount, int decimals) const {
    const std::string digits = number(amount, decimals);
    if (ticks_) return digits + (amount == 1 ? " tick" : " ticks");
    return unit_.empty() ? digits : digits + ' ' + unit_;
}

std::int64_t round_step(double least) {
    std::int64_t step = 1;
    for (const std::int64_t most = std::int64_t{1} << 58; step < most; step *= 10) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (static_cast<double>(step * factor) >= least) return step * factor;
        }
    }
    return step;
}

}  // namespace repetend::format
