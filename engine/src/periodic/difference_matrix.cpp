#include "periodic/difference_matrix.hpp"

#include <algorithm>

namespace repetend::periodic {

template <class Value>
DifferenceMatrix<Value>::DifferenceMatrix(int nodes)
    : DifferenceSystem(nodes),
      value_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes), unset),
      latest_(value_.size(), -1),
      watched_(value_.size(), 0) {
    for (int a = 0; a < nodes; ++a) value_[index(a, a)] = 0;
}

template <class Value>
void DifferenceMatrix<Value>::set_root(int a, int b, std::int64_t weight) {
    Value& entry = value_[index(a, b)];
    entry = std::max(entry, static_cast<Value>(weight));
}

template <class Value>
bool DifferenceMatrix<Value>::close_root() {
    for (int k = 0; k < nodes_; ++k) {
        const Value* through = &value_[index(k, 0)];
        for (int a = 0; a < nodes_; ++a) {
            const Value to = value_[index(a, k)];
            if (to == unset || a == k) continue;
            Value* row = &value_[index(a, 0)];
            for (int b = 0; b < nodes_; ++b)
                if (through[b] != unset && to + through[b] > row[b]) row[b] = to + through[b];
            if (row[a] > 0) return false;
        }
    }
    return true;
}

template <class Value>
void DifferenceMatrix<Value>::forget_history() {
    for (const Change& change : changes_) latest_[static_cast<std::size_t>(change.entry)] = -1;
    changes_.clear();
    arcs_.clear();
}

template <class Value>
bool DifferenceMatrix<Value>::add(const Arc& arc, std::int64_t& work) {
    if (arc.weight <= value_[index(arc.from, arc.to)]) return true;
    const std::int32_t number = num_arcs();
    arcs_.push_back(arc);
    arcs_.back().moment = num_changes();
    const Value weight = static_cast<Value>(arc.weight);
    const Value back = value_[index(arc.to, arc.from)];
    if (back != unset && back + weight > 0) return false;

    sources_.clear();
    targets_.clear();
    for (int a = 0; a < nodes_; ++a) {
        const Value to = value_[index(a, arc.from)];
        if (to != unset && to + weight > value_[index(a, arc.to)]) sources_.push_back(a);
    }
    const Value* from_to = &value_[index(arc.to, 0)];
    const Value* from_from = &value_[index(arc.from, 0)];
    for (int b = 0; b < nodes_; ++b)
        if (from_to[b] != unset && weight + from_to[b] > from_from[b]) targets_.push_back(b);
    work += 2 * nodes_ / 8 + static_cast<std::int64_t>(sources_.size()) * static_cast<std::int64_t>(targets_.size());

    for (int a : sources_) {
        const Value base = value_[index(a, arc.from)] + weight;
        const std::size_t start = index(a, 0);
        Value* row = &value_[start];
        std::int32_t* last = &latest_[start];
        const char* watched = &watched_[start];
        for (int b : targets_) {
            const Value length = base + from_to[b];
            if (length <= row[b]) continue;
            const std::int32_t entry = static_cast<std::int32_t>(start) + b;
            changes_.push_back({row[b], entry, number, last[b]});
            last[b] = num_changes() - 1;
            row[b] = length;
            if (watched[b]) changed_.push_back(entry);
        }
    }
    return true;
}

template <class Value>
void DifferenceMatrix<Value>::undo(std::int32_t num_changes_kept, std::int32_t num_arcs_kept) {
    while (num_changes() > num_changes_kept) {
        const Change& change = changes_.back();
        value_[static_cast<std::size_t>(change.entry)] = change.before;
        latest_[static_cast<std::size_t>(change.entry)] = change.previous;
        changes_.pop_back();
    }
    arcs_.resize(static_cast<std::size_t>(num_arcs_kept));
}

template <class Value>
void DifferenceMatrix<Value>::explain(int a, int b, std::int64_t need, std::int32_t before,
                                      std::vector<std::int32_t>& path, std::int64_t& slack) const {
    if (a == b) return;
    // Back from the latest value: to the moment, then on to the earliest bound that is still long enough; what
    // that is shorter than the one at the moment is slack spent.
    std::int64_t value = value_[index(a, b)];
    std::int32_t k = latest_[index(a, b)];
    const std::int64_t enough = need - slack;
    while (k >= 0) {
        const Change& change = changes_[static_cast<std::size_t>(k)];
        if (k < before && change.before < enough) break;
        value = change.before;
        k = change.previous;
    }
    slack += value - need;
    if (k < 0) return;  // a root bound
    const std::int32_t number = changes_[static_cast<std::size_t>(k)].arc;
    const Arc& arc = arcs_[static_cast<std::size_t>(number)];
    // The two parts as they stood when the arc came: together exactly `value` long.
    auto value_at = [&](int x, int y) {
        if (x == y) return std::int64_t{0};
        std::int64_t then = value_[index(x, y)];
        for (std::int32_t e = latest_[index(x, y)]; e >= arc.moment; e = changes_[static_cast<std::size_t>(e)].previous)
            then = changes_[static_cast<std::size_t>(e)].before;
        return then;
    };
    if (arc.reason.half >= 0) path.push_back(number);
    explain(a, arc.from, value_at(a, arc.from), arc.moment, path, slack);
    explain(arc.to, b, value_at(arc.to, b), arc.moment, path, slack);
}

template <class Value>
std::vector<Ticks> DifferenceMatrix<Value>::solution() const {
    std::vector<Ticks> start(static_cast<std::size_t>(nodes_), 0);
    for (int a = 0; a < nodes_; ++a)
        for (int b = 0; b < nodes_; ++b)
            start[static_cast<std::size_t>(b)] =
                std::max<Ticks>(start[static_cast<std::size_t>(b)], value_[index(a, b)]);
    return start;
}

template class DifferenceMatrix<std::int32_t>;
template class DifferenceMatrix<std::int64_t>;

}  // namespace repetend::periodic
