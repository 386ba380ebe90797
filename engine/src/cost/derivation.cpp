#include "cost/derivation.hpp"

#include <cmath>

namespace repetend::cost {

namespace {

std::string quoted(const std::string& sentence) { return '"' + sentence + '"'; }

}  // namespace

void Derivation::attach(Problem& problem, const std::string& teaches) const {
    problem.extra.emplace_back("x_teaches", quoted(teaches));
    std::string list;
    for (const std::string& sentence : sentences_) list += (list.empty() ? "[" : ", ") + quoted(sentence);
    problem.extra.emplace_back("x_derivation", list + "]");
}

std::string decimal(double value, int decimals) {
    std::int64_t scale = 1;
    for (int i = 0; i < decimals; ++i) scale *= 10;
    const std::int64_t scaled = std::llround(value * static_cast<double>(scale));
    std::string text = std::to_string(scaled / scale);
    if (decimals == 0) return text;
    const std::string fraction = std::to_string(scaled % scale);
    return text + '.' + std::string(static_cast<std::size_t>(decimals) - fraction.size(), '0') + fraction;
}

std::string milliseconds(std::int64_t nanoseconds) {
    return decimal(static_cast<double>(nanoseconds) / 1e6, 3) + " ms";
}

std::string bytes(std::int64_t count) {
    const double mebibytes = static_cast<double>(count) / 1048576.0;
    const std::string readable =
        mebibytes < 1024 ? decimal(mebibytes, 1) + " MiB" : decimal(mebibytes / 1024, 2) + " GiB";
    return std::to_string(count) + " bytes (" + readable + ")";
}

}  // namespace repetend::cost
