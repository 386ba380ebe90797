#include "completion/diagram.hpp"

namespace repetend::completion {
namespace {

std::size_t hash_of(CountKey key) {
    std::uint64_t z = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U ^ static_cast<std::uint64_t>(key >> 64);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<std::size_t>(z ^ (z >> 31));
}

}  // namespace

void KeyTable::clear() {
    for (Slot& slot : slots_) slot.used = false;
    size_ = 0;
}

void KeyTable::grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2, Slot{0, 0, false});
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (!slot.used) continue;
        std::size_t at = hash_of(slot.key) & mask;
        while (slots_[at].used) at = (at + 1) & mask;
        slots_[at] = slot;
    }
}

Ticks& KeyTable::at(CountKey key, Ticks initial) {
    if (slots_.size() < 2 * (size_ + 1)) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of(key) & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    if (!slots_[at].used) {
        slots_[at] = {key, initial, true};
        ++size_;
    }
    return slots_[at].value;
}

const Ticks* KeyTable::find(CountKey key) const {
    if (slots_.empty()) return nullptr;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash_of(key) & mask;
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at].used ? &slots_[at].value : nullptr;
}

}  // namespace repetend::completion
