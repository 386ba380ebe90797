// Sweeps (`repetend.sweep`, version 1): many searches from lists, ranges, their products, and what is left out.
// Fields are the long options of search, presets and profiles with `_` for `-`, and `file`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repetend/model/fault.hpp"
#include "repetend/session/options.hpp"

namespace repetend {

struct SweepCombination {
    std::string id;      // of the inputs alone, so that it survives changes elsewhere in the sweep
    std::string inputs;  // one JSON object
    std::string file;    // the field `file`, or empty
    OptionValues values;
};

class Sweep {
public:
    std::int64_t size() const { return static_cast<std::int64_t>(kept_.size()); }
    // Combination number `index` in the sweep's order: base first, then the fields of `vary` as they stand, the last
    // one changing fastest.
    SweepCombination at(std::int64_t index) const;
    // Names of the fields that take more than one value.
    std::vector<std::string> varied() const;

private:
    friend class SweepReader;
    struct FieldValue {
        std::string json;  // as it stands in the inputs
        std::string text;  // as an option takes it
    };
    struct Field {
        std::string name;
        std::vector<FieldValue> values;
    };
    std::vector<std::size_t> digits(std::int64_t number) const;
    std::vector<Field> fields_;       // those of the base have one value
    std::vector<std::int64_t> kept_;  // numbers of the whole product that are not left out
};

inline constexpr std::int64_t most_combinations = 1'000'000;

// Every fault with its path (`vary.memory[2]`); a field that is not known is refused with the nearest one.
Result<Sweep> read_sweep(std::string_view text);

}  // namespace repetend
