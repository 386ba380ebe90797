#include "completion/diagram.hpp"

#include <algorithm>

namespace repetend::completion {

void Diagram::Level::clear() {
    states.clear();
    counts.clear();
    labels.clear();
    times.clear();
    index.clear();
}

Diagram::Diagram(const Instance& instance, const std::vector<std::vector<Ticks>>& distances, std::vector<int> devices)
    : instance_(instance), devices_(std::move(devices)) {
    std::vector<int> local(static_cast<std::size_t>(instance.blocks), -1);
    std::vector<int> position(static_cast<std::size_t>(instance.devices), -1);
    for (std::size_t i = 0; i < devices_.size(); ++i) position[devices_[i]] = static_cast<int>(i);
    for (const int b : instance.topological) {
        std::vector<int> on;
        for (const Use& use : instance.uses[b]) {
            if (position[use.device] >= 0) on.push_back(position[use.device]);
        }
        if (on.empty()) continue;
        local[b] = static_cast<int>(blocks_.size());
        blocks_.push_back(b);
        on_.push_back(std::move(on));
    }
    // Mixed radix numbers, as long as they fit.
    const CountKey radix = static_cast<CountKey>(instance.micro_batches) + 1;
    const CountKey most = ~static_cast<CountKey>(0);
    CountKey weight = 1;
    usable_ = blocks_.size() < 30'000;
    for (std::size_t k = 0; k < blocks_.size() && usable_; ++k) {
        weight_.push_back(weight);
        full_key_ += weight * (radix - 1);
        if (weight > most / radix) usable_ = false;
        weight *= radix;
    }
    before_.resize(blocks_.size());
    after_.resize(blocks_.size());
    if (!usable_) return;
    for (std::size_t from = 0; from < blocks_.size(); ++from) {
        for (std::size_t to = from + 1; to < blocks_.size(); ++to) {
            const Ticks delay = distances[blocks_[from]][blocks_[to]];
            if (delay == no_path) continue;
            bool implied = false;
            for (std::size_t via = from + 1; via < to && !implied; ++via) {
                const Ticks first = distances[blocks_[from]][blocks_[via]];
                const Ticks second = distances[blocks_[via]][blocks_[to]];
                implied =
                    first != no_path && second != no_path && first + instance.time[blocks_[via]] + second >= delay;
            }
            if (implied) continue;
            before_[to].push_back({static_cast<int>(from), delay});
            after_[from].push_back({static_cast<int>(to), delay});
        }
    }
}

void Diagram::begin(const Windows& windows, const DiagramOptions& options, std::vector<Need> needs, Ticks deadline) {
    windows_ = &windows;
    options_ = options;
    needs_ = std::move(needs);
    deadline_ = deadline;
    verdict_ = DiagramVerdict::running;
    states_ = 1;
    level_number_ = 0;
    at_ = 0;
    level_.clear();
    next_.clear();
    history_.clear();
    reached_.clear();
    seen_.assign(blocks_.size() * static_cast<std::size_t>(instance_.micro_batches), no_start);
    need_of_.assign(needs_.size(), {});
    for (std::size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].of == nullptr) continue;
        const std::vector<int>& there = needs_[i].of->blocks();
        for (std::size_t k = 0; k < there.size(); ++k) {
            const auto here = std::find(blocks_.begin(), blocks_.end(), there[k]);
            need_of_[i].push_back({static_cast<int>(k), static_cast<int>(here - blocks_.begin())});
        }
    }
    child_counts_.assign(blocks_.size(), 0);
    level_.states.push_back({0, -1, 0});
    level_.counts.assign(blocks_.size(), 0);
    std::swap(level_, next_);
    child_times_.assign(devices_.size(), 0);
    insert(0, child_times_.data(), child_times_.size(), -1, -1);
    std::swap(level_, next_);
    reached_.at(0, 0);
}

// For every block, where its times begin in a label: one for each instance that something it waits for has run
// and it has not.
std::size_t Diagram::ready_lengths(const std::int64_t* counts, std::vector<std::int32_t>& first) const {
    first.resize(blocks_.size() + 1);
    std::int32_t at = static_cast<std::int32_t>(devices_.size());
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        first[k] = at;
        std::int64_t most = counts[k];
        for (const Delay& delay : before_[k]) most = std::max(most, counts[delay.local]);
        at += static_cast<std::int32_t>(most - counts[k]);
    }
    first[blocks_.size()] = at;
    return static_cast<std::size_t>(at);
}

bool Diagram::beyond_deadline(const std::int64_t* counts, const Ticks* free) const {
    for (std::size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].of == nullptr) continue;
        CountKey key = needs_[i].of->full_key();
        for (const auto& [there, here] : need_of_[i]) {
            key -= needs_[i].of->weight(there) * static_cast<CountKey>(counts[here]);
        }
        const Ticks* need = needs_[i].table->find(key);
        if (need == nullptr || free[i] + *need > deadline_) return true;
    }
    return false;
}

DiagramVerdict Diagram::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    const std::int64_t levels = static_cast<std::int64_t>(blocks_.size()) * instance_.micro_batches;
    while (verdict_ == DiagramVerdict::running && work_ < until) {
        if (level_number_ == levels) {
            verdict_ = level_.states.empty() ? DiagramVerdict::dead : DiagramVerdict::alive;
            break;
        }
        if (at_ < level_.states.size()) {
            expand(at_++);
            if (states_ > options_.most_states ||
                static_cast<std::int64_t>(next_.labels.size()) > options_.most_labels) {
                verdict_ = DiagramVerdict::too_large;
            }
            continue;
        }
        if (next_.states.empty()) {
            verdict_ = DiagramVerdict::dead;
            break;
        }
        std::swap(level_, next_);
        next_.clear();
        at_ = 0;
        ++level_number_;
    }
    return verdict_;
}

void Diagram::expand(std::size_t state_number) {
    const State state = level_.states[state_number];
    const std::int64_t micro_batches = instance_.micro_batches;
    const std::size_t size = blocks_.size();
    const std::int64_t* counts = level_.counts.data() + state_number * size;
    ready_lengths(counts, first_);
    // Memory of the devices, from the counts.
    std::vector<Memory> level;
    for (const int d : devices_) level.push_back(instance_.base[d]);
    std::vector<int> position(static_cast<std::size_t>(instance_.devices), -1);
    for (std::size_t i = 0; i < devices_.size(); ++i) position[devices_[i]] = static_cast<int>(i);
    for (std::size_t k = 0; k < size; ++k) {
        for (const Use& use : instance_.uses[blocks_[k]]) {
            if (position[use.device] >= 0) level[position[use.device]] += counts[k] * use.change;
        }
    }
    for (std::size_t k = 0; k < size; ++k) {
        const std::int64_t n = counts[k];
        if (n == micro_batches) continue;
        bool possible = true;
        for (const Delay& delay : before_[k]) possible = possible && counts[delay.local] > n;
        for (const Use& use : instance_.uses[blocks_[k]]) {
            const int i = position[use.device];
            possible = possible && (i < 0 || !instance_.limited[use.device] ||
                                    level[i] + use.need() <= instance_.capacity[use.device]);
        }
        if (!possible) continue;
        const int b = blocks_[k];
        const Ticks earliest = windows_->earliest[instance_.at(b, n)];
        const Ticks latest = windows_->latest[instance_.at(b, n)];
        std::copy(counts, counts + size, child_counts_.begin());
        ++child_counts_[k];
        const std::size_t length = ready_lengths(child_counts_.data(), child_first_);
        child_times_.resize(length);
        std::size_t child = next_.states.size();  // made when the first label survives
        bool made = false;
        for (std::int32_t l = state.first_label; l >= 0; l = level_.labels[l].next) {
            ++work_;
            const Label& label = level_.labels[l];
            const Ticks* times = level_.times.data() + label.times;
            Ticks start = earliest;
            if (first_[k + 1] > first_[k]) start = std::max(start, times[first_[k]]);
            for (const int i : on_[k]) start = std::max(start, times[i]);
            if (start > latest) continue;
            const Ticks end = start + instance_.time[b];
            for (std::size_t i = 0; i < devices_.size(); ++i) child_times_[i] = std::max(times[i], start);
            for (const int i : on_[k]) child_times_[i] = end;
            if (beyond_deadline(child_counts_.data(), child_times_.data())) continue;
            Ticks& seen = seen_[k * static_cast<std::size_t>(micro_batches) + static_cast<std::size_t>(n)];
            seen = std::min(seen, start);
            for (std::size_t j = 0; j < size; ++j) {
                const std::int32_t to = child_first_[j];
                const std::int32_t slots = child_first_[j + 1] - to;
                if (slots == 0) continue;
                Ticks free = 0;
                for (const int i : on_[j]) free = std::max(free, child_times_[i]);
                const std::int32_t from = first_[j] + (j == k ? 1 : 0);
                const std::int32_t old = first_[j + 1] - from;
                for (std::int32_t s = 0; s < slots; ++s) {
                    child_times_[to + s] = s < old ? std::max(free, times[from + s]) : free;
                }
            }
            for (const Delay& delay : after_[k]) {
                Ticks& ready = child_times_[child_first_[delay.local] + (n - child_counts_[delay.local])];
                ready = std::max(ready, end + delay.ticks);
            }
            if (!made) {
                const CountKey key = state.key + weight_[k];
                const auto fresh = static_cast<Ticks>(next_.states.size());
                child = static_cast<std::size_t>(next_.index.at(key, fresh));
                if (child == next_.states.size()) {
                    next_.states.push_back({key, -1, 0});
                    next_.counts.insert(next_.counts.end(), child_counts_.begin(), child_counts_.end());
                    ++states_;
                }
                made = true;
            }
            insert(child, child_times_.data(), length, options_.keep_path ? label.parent : -1, static_cast<int>(k));
            if (devices_.size() == 1) {
                Ticks& reached = reached_.at(next_.states[child].key, no_start);
                reached = std::min(reached, child_times_[0]);
            }
        }
    }
}

// Adds a label unless another one is at least as good; drops those that it makes superfluous; merges when there are
// too many.
void Diagram::insert(std::size_t child, const Ticks* times, std::size_t length, std::int32_t parent, int block) {
    State& state = next_.states[child];
    std::int32_t* link = &state.first_label;
    std::int32_t nearest = -1;
    Ticks nearest_distance = no_start;
    while (*link >= 0) {
        Label& other = next_.labels[*link];
        Ticks* theirs = next_.times.data() + other.times;
        bool better = true;
        bool worse = true;
        Ticks distance = 0;
        for (std::size_t t = 0; t < length; ++t) {
            better = better && times[t] <= theirs[t];
            worse = worse && times[t] >= theirs[t];
            distance += times[t] > theirs[t] ? times[t] - theirs[t] : theirs[t] - times[t];
        }
        if (worse) return;
        if (better) {
            *link = other.next;
            --state.labels;
            continue;
        }
        if (distance < nearest_distance) {
            nearest_distance = distance;
            nearest = *link;
        }
        link = &other.next;
    }
    if (options_.labels > 0 && state.labels >= options_.labels) {
        Ticks* theirs = next_.times.data() + next_.labels[nearest].times;
        for (std::size_t t = 0; t < length; ++t) theirs[t] = std::min(theirs[t], times[t]);
        return;
    }
    if (options_.keep_path && block >= 0) {
        history_.push_back({parent, static_cast<std::int16_t>(block)});
        parent = static_cast<std::int32_t>(history_.size()) - 1;
    }
    *link = static_cast<std::int32_t>(next_.labels.size());
    next_.labels.push_back({next_.times.size(), -1, parent, static_cast<std::int16_t>(block)});
    next_.times.insert(next_.times.end(), times, times + length);
    ++state.labels;
}

Sequence Diagram::path() const {
    Sequence sequence;
    if (level_.states.empty() || level_.states[0].first_label < 0) return sequence;
    for (std::int32_t at = level_.labels[level_.states[0].first_label].parent; at >= 0; at = history_[at].parent) {
        sequence.push_back(blocks_[history_[at].block]);
    }
    std::reverse(sequence.begin(), sequence.end());
    return sequence;
}

}  // namespace repetend::completion
