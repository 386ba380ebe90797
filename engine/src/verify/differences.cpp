#include "verify/differences.hpp"

namespace repetend::verify {

Differences::Differences(int nodes)
    : nodes_(nodes), bound_(verify::at(nodes) * verify::at(nodes), none), state_(bound_.size(), 0) {
    for (int a = 0; a < nodes; ++a) bound_[index(a, a)] = 0;
}

bool Differences::add(int from, int to, Wide wide, Effort& effort) {
    if (wide <= at(from, to)) return true;
    if (at(to, from) != none && at(to, from) + wide > 0) return false;
    // Only where the new bound lengthens both the way to `to` and the way from `from` can it lengthen a way through.
    const std::int64_t weight = static_cast<std::int64_t>(wide);
    sources_.clear();
    targets_.clear();
    for (int a = 0; a < nodes_; ++a) {
        if (at(a, from) != none && at(a, from) + weight > at(a, to)) sources_.push_back(a);
        if (at(to, a) != none && weight + at(to, a) > at(from, a)) targets_.push_back(a);
    }
    effort.spend(nodes_ / 4 + static_cast<std::int64_t>(sources_.size() * targets_.size()));
    for (const int a : sources_) {
        const std::int64_t base = at(a, from) + weight;
        for (const int b : targets_) {
            const std::size_t place = index(a, b);
            const std::int64_t length = base + at(to, b);
            if (length <= bound_[place]) continue;
            std::uint8_t& state = state_[place];
            if (!(state & changed)) changes_.push_back({place, bound_[place]});
            if ((state & (watched | queued)) == watched) {
                moved_.push_back(place);
                state |= queued;
            }
            state |= changed;
            bound_[place] = length;
        }
    }
    return true;
}

Differences::Entry Differences::next_moved() {
    const std::size_t place = moved_[next_++];
    state_[place] &= static_cast<std::uint8_t>(~queued);
    if (next_ == moved_.size()) moved_.clear(), next_ = 0;
    return {static_cast<int>(place / verify::at(nodes_)), static_cast<int>(place % verify::at(nodes_))};
}

void Differences::keep() {
    for (const Change& change : changes_) state_[change.place] &= watched;
    changes_.clear();
    moved_.clear();
    next_ = 0;
}

void Differences::undo() {
    for (const Change& change : changes_) bound_[change.place] = change.before;
    keep();
}

}  // namespace repetend::verify
