#include "periodic/proof_log.hpp"

namespace repetend::periodic {

namespace {
constexpr std::int64_t most_numbers = 16'000'000;
}

std::int32_t ProofLog::add(const std::vector<Literal>& literals, const std::vector<std::int32_t>& hints) {
    size_ += static_cast<std::int64_t>(literals.size() + hints.size());
    if (size_ > most_numbers) {
        given_up_ = true;
        entries_ = {};
    }
    if (!given_up_) entries_.push_back({literals, hints});
    return counted_++;
}

std::vector<ProofClause> ProofLog::trimmed() const {
    if (given_up_ || entries_.empty()) return {};
    std::vector<char> needed(entries_.size(), 0);
    needed.back() = 1;
    for (std::size_t k = entries_.size(); k-- > 0;) {
        if (entries_[k].literals.size() <= 1) needed[k] = 1;
        if (!needed[k]) continue;
        for (const std::int32_t hint : entries_[k].hints) needed[static_cast<std::size_t>(hint)] = 1;
    }
    std::vector<std::int64_t> number(entries_.size(), -1);
    std::vector<ProofClause> clauses;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        if (!needed[k]) continue;
        number[k] = static_cast<std::int64_t>(clauses.size());
        ProofClause clause;
        for (const Literal& literal : entries_[k].literals) {
            const bool at_least = literal.half % 2 == 0;
            clause.literals.push_back({literal.half / 2, at_least, at_least ? literal.value : -literal.value});
        }
        for (const std::int32_t hint : entries_[k].hints)
            clause.hints.push_back(number[static_cast<std::size_t>(hint)]);
        clauses.push_back(std::move(clause));
    }
    return clauses;
}

}  // namespace repetend::periodic
