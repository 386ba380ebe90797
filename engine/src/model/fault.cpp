// Faults as text, and the nearest known name for "did you mean".
#include "repetend/model/fault.hpp"

#include <algorithm>
#include <cstddef>

namespace repetend {
namespace {

// Longer names than this are no typing errors of anything we know.
constexpr std::size_t longest_compared_name = 128;

// Damerau-Levenshtein distance in its restricted form (optimal string alignment): insertions, deletions,
// substitutions and swaps of neighbours, no substring edited twice. Three rows of the usual table suffice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        std::swap(before_last, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace

std::string to_string(const Fault& fault) {
    return fault.path.empty() ? fault.message : fault.path + ": " + fault.message;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
    const std::string* nearest = nullptr;
    std::size_t least = 0;
    if (name.size() > longest_compared_name) return {};
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longest_compared_name) continue;
        const std::size_t distance = edit_distance(name, candidate);
        const bool near = distance * 3 <= std::max(name.size(), candidate.size());
        if (near && (nearest == nullptr || distance < least)) {
            nearest = &candidate;
            least = distance;
        }
    }
    return nearest == nullptr ? std::string() : *nearest;
}

}  // namespace repetend
