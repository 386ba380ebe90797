// A derivation: numbered facts in plain sentences, kept with a problem as `x_` fields.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::cost {

// Keeps sentences in order; `attach` writes them into the problem.
class Derivation {
public:
    void say(std::string sentence) { sentences_.push_back(std::move(sentence)); }
    // Adds `x_teaches` and `x_derivation` to the problem. Sentences are plain ASCII without quotes or
    // backslashes.
    void attach(Problem& problem, const std::string& teaches) const;

private:
    std::vector<std::string> sentences_;
};

// 142.93 for (142.9314, 2): nearest, with a fixed number of decimals (at most 6).
std::string decimal(double value, int decimals);
// Nanoseconds as milliseconds with three decimals: "142.932 ms".
std::string milliseconds(std::int64_t nanoseconds);
// Bytes as they stand and in units of 2^20 or 2^30: "134217728 bytes (128.0 MiB)".
std::string bytes(std::int64_t count);

}  // namespace repetend::cost
