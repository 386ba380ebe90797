#include "periodic/proof_log.hpp"

namespace repetend::periodic {

namespace {
constexpr std::size_t most_numbers = 16'000'000;  // literals and hints
}

std::int32_t ProofLog::add(const std::vector<Literal>& literals, const std::vector<std::int32_t>& hints) {
    if (given_up_) return counted_++;
    literals_.insert(literals_.end(), literals.begin(), literals.end());
    hints_.insert(hints_.end(), hints.begin(), hints.end());
    entries_.push_back({static_cast<std::int32_t>(literals_.size()), static_cast<std::int32_t>(hints_.size())});
    if (literals_.size() + hints_.size() > most_numbers) give_up();
    return counted_++;
}

std::int32_t ProofLog::append(const ProofLog& other) {
    const std::int32_t by = counted_ - other.first_;
    if (other.given_up_) {
        give_up();
        counted_ += other.counted_ - other.first_;
        return by;
    }
    std::vector<Literal> literals;
    std::vector<std::int32_t> hints;
    Entry begin;
    for (const Entry& end : other.entries_) {
        literals.assign(other.literals_.begin() + begin.literals_end, other.literals_.begin() + end.literals_end);
        hints.assign(other.hints_.begin() + begin.hints_end, other.hints_.begin() + end.hints_end);
        for (std::int32_t& hint : hints)
            if (hint >= other.first_) hint += by;
        add(literals, hints);
        begin = end;
    }
    return by;
}

void ProofLog::give_up() {
    given_up_ = true;
    entries_ = {};
    literals_ = {};
    hints_ = {};
}

std::vector<ProofClause> ProofLog::trimmed() const {
    if (given_up_ || entries_.empty()) return {};
    const auto begin_of = [&](std::size_t k) { return k == 0 ? Entry() : entries_[k - 1]; };
    std::vector<char> needed(entries_.size(), 0);
    needed.back() = 1;
    for (std::size_t k = entries_.size(); k-- > 0;) {
        const Entry begin = begin_of(k), end = entries_[k];
        if (end.literals_end - begin.literals_end <= 1) needed[k] = 1;
        if (!needed[k]) continue;
        for (std::int32_t h = begin.hints_end; h < end.hints_end; ++h)
            needed[static_cast<std::size_t>(hints_[static_cast<std::size_t>(h)])] = 1;
    }
    std::vector<std::int64_t> number(entries_.size(), -1);
    std::vector<ProofClause> clauses;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        if (!needed[k]) continue;
        const Entry begin = begin_of(k), end = entries_[k];
        number[k] = static_cast<std::int64_t>(clauses.size());
        ProofClause clause;
        for (std::int32_t l = begin.literals_end; l < end.literals_end; ++l) {
            const Literal& literal = literals_[static_cast<std::size_t>(l)];
            const bool at_least = literal.half % 2 == 0;
            clause.literals.push_back({literal.half / 2, at_least, at_least ? literal.value : -literal.value});
        }
        for (std::int32_t h = begin.hints_end; h < end.hints_end; ++h)
            clause.hints.push_back(number[static_cast<std::size_t>(hints_[static_cast<std::size_t>(h)])]);
        clauses.push_back(std::move(clause));
    }
    return clauses;
}

}  // namespace repetend::periodic
