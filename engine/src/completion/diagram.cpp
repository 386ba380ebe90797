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
    : instance_(instance), devices_(std::move(devices)), counters_(instance, distances, devices_) {
    // Mixed radix numbers, as long as they fit.
    const CountKey most = ~static_cast<CountKey>(0);
    CountKey weight = 1;
    std::size_t offset = 0;
    usable_ = counters_.size() < 30'000;
    for (int k = 0; k < counters_.size() && usable_; ++k) {
        const CountKey radix = static_cast<CountKey>(counters_.limit[k]) + 1;
        offset_.push_back(offset);
        offset += static_cast<std::size_t>(counters_.limit[k]);
        weight_.push_back(weight);
        full_key_ += weight * (radix - 1);
        if (weight > most / radix) usable_ = false;
        weight *= radix;
    }
    offset_.push_back(offset);
}

CountKey Diagram::weight_of(int block) const {
    const int counter = counters_.of_block[block];
    return counter < 0 ? 0 : weight_[counter];
}

void Diagram::take_windows(const Windows& windows) {
    earliest_.clear();
    latest_.clear();
    for (const auto& members : counters_.members) {
        const auto begin = static_cast<std::ptrdiff_t>(earliest_.size());
        for (const int b : members) {
            const auto first = static_cast<std::ptrdiff_t>(instance_.at(b, 0));
            const auto last = first + static_cast<std::ptrdiff_t>(instance_.micro_batches);
            earliest_.insert(earliest_.end(), windows.earliest.begin() + first, windows.earliest.begin() + last);
            latest_.insert(latest_.end(), windows.latest.begin() + first, windows.latest.begin() + last);
        }
        if (members.size() == 1) continue;
        std::sort(earliest_.begin() + begin, earliest_.end());
        std::sort(latest_.begin() + begin, latest_.end());
    }
}

void Diagram::begin(const Windows& windows, const DiagramOptions& options, std::vector<Need> needs, Ticks deadline) {
    take_windows(windows);
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
    const auto size = static_cast<std::size_t>(counters_.size());
    seen_.assign(offset_.back(), no_start);
    need_weight_.assign(needs_.size(), std::vector<CountKey>(size, 0));
    for (std::size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].of == nullptr) continue;
        // Blocks that share a counter here share one there: that depends on themselves alone.
        for (std::size_t k = 0; k < size; ++k)
            need_weight_[i][k] = needs_[i].of->weight_of(counters_.members[k].front());
    }
    memory_.resize(devices_.size());
    left_.resize(needs_.size());
    need_.resize(needs_.size());
    need_after_.resize(needs_.size());
    may_run_.resize(size);
    first_.resize(size + 1);
    child_first_.resize(size + 1);
    level_.states.push_back({0, -1, 0});
    level_.counts.assign(size, 0);
    std::swap(level_, next_);
    child_times_.assign(devices_.size(), 0);
    insert(0, child_times_.data(), child_times_.size(), -1, -1);
    std::swap(level_, next_);
    reached_.at(0, 0);
}

DiagramVerdict Diagram::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    const auto levels = static_cast<std::int64_t>(offset_.back());
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

// What all labels of a state share: where their times are, memory, needs, which blocks may run.
void Diagram::look_at(std::size_t state_number) {
    const auto size = static_cast<std::size_t>(counters_.size());
    const std::int64_t* counts = level_.counts.data() + state_number * size;
    for (std::size_t i = 0; i < devices_.size(); ++i) memory_[i] = instance_.base[devices_[i]];
    for (std::size_t i = 0; i < needs_.size(); ++i) left_[i] = needs_[i].of != nullptr ? needs_[i].of->full_key() : 0;
    std::int32_t at = static_cast<std::int32_t>(devices_.size());
    for (std::size_t k = 0; k < size; ++k) {
        for (const LocalUse& use : counters_.on[k]) memory_[use.device] += counts[k] * use.change;
        for (std::size_t i = 0; i < needs_.size(); ++i)
            left_[i] -= need_weight_[i][k] * static_cast<CountKey>(counts[k]);
        // One time for each instance that something it waits for has run and it has not.
        first_[k] = at;
        std::int64_t most = counts[k];
        for (const Delay& delay : counters_.before[k]) most = std::max(most, counts[delay.counter]);
        at += static_cast<std::int32_t>(most - counts[k]);
    }
    first_[size] = at;
    for (std::size_t i = 0; i < needs_.size(); ++i) {
        need_[i] = 0;
        if (needs_[i].of == nullptr) continue;
        const Ticks* need = needs_[i].table->find(left_[i]);
        need_[i] = need != nullptr ? *need : no_start;
    }
    for (std::size_t k = 0; k < size; ++k) may_run_[k] = may_run(static_cast<int>(k), counts);
}

bool Diagram::may_run(int k, const std::int64_t* counts) const {
    if (!counters_.available(k, counts)) return false;
    for (const LocalUse& use : counters_.on[k]) {
        if (use.limited && memory_[use.device] + use.need > instance_.capacity[devices_[use.device]]) return false;
    }
    return true;
}

Ticks Diagram::start_of(int k, const std::int64_t* counts, const Ticks* times) const {
    Ticks start = earliest_[offset_[k] + static_cast<std::size_t>(counts[k])];
    if (first_[k + 1] > first_[k]) start = std::max(start, times[first_[k]]);
    for (const LocalUse& use : counters_.on[k]) start = std::max(start, times[use.device]);
    return start;
}

// Can every device still end by the deadline when block k starts at `start`?
bool Diagram::in_time(int k, const Ticks* times, Ticks start) const {
    const Ticks end = start + time_of(k);
    for (std::size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].of == nullptr) continue;
        Ticks free = std::max(times[i], start);
        for (const LocalUse& use : counters_.on[k]) {
            if (use.device == static_cast<int>(i)) free = end;
        }
        if (need_after_[i] == no_start || free + need_after_[i] > deadline_) return false;
    }
    return true;
}

void Diagram::child_label(int k, const std::int64_t* counts, const Ticks* times, Ticks start) {
    const auto size = static_cast<std::size_t>(counters_.size());
    const Ticks end = start + time_of(k);
    child_times_.resize(static_cast<std::size_t>(child_first_[size]));
    for (std::size_t i = 0; i < devices_.size(); ++i) child_times_[i] = std::max(times[i], start);
    for (const LocalUse& use : counters_.on[k]) child_times_[use.device] = end;
    for (std::size_t j = 0; j < size; ++j) {
        const std::int32_t to = child_first_[j];
        const std::int32_t slots = child_first_[j + 1] - to;
        if (slots == 0) continue;
        // Times before the devices are free say nothing.
        Ticks free = 0;
        for (const LocalUse& use : counters_.on[j]) free = std::max(free, child_times_[use.device]);
        const std::int32_t from = first_[j] + (static_cast<int>(j) == k ? 1 : 0);
        const std::int32_t old = first_[j + 1] - from;
        for (std::int32_t s = 0; s < slots; ++s)
            child_times_[to + s] = s < old ? std::max(free, times[from + s]) : free;
    }
    for (const Delay& delay : counters_.after[k]) {
        Ticks& ready = child_times_[child_first_[delay.counter] + (counts[k] - counts[delay.counter])];
        ready = std::max(ready, end + delay.ticks);
    }
}

std::size_t Diagram::child_state(int k, const State& state, const std::int64_t* counts) {
    const CountKey key = state.key + weight_[k];
    const auto fresh = static_cast<Ticks>(next_.states.size());
    const auto child = static_cast<std::size_t>(next_.index.at(key, fresh));
    if (child == next_.states.size()) {
        next_.states.push_back({key, -1, 0});
        next_.counts.insert(next_.counts.end(), counts, counts + counters_.size());
        ++next_.counts[child * static_cast<std::size_t>(counters_.size()) + static_cast<std::size_t>(k)];
        ++states_;
    }
    return child;
}

void Diagram::expand(std::size_t state_number) {
    const State state = level_.states[state_number];
    const auto size = static_cast<std::size_t>(counters_.size());
    const std::int64_t* counts = level_.counts.data() + state_number * size;
    look_at(state_number);
    for (int k = 0; k < static_cast<int>(size); ++k) {
        if (!may_run_[k]) continue;
        const Ticks latest = latest_[offset_[k] + static_cast<std::size_t>(counts[k])];
        need_after_ = need_;
        for (const LocalUse& use : counters_.on[k]) {
            if (static_cast<std::size_t>(use.device) >= needs_.size() || needs_[use.device].of == nullptr) continue;
            const Ticks* need = needs_[use.device].table->find(left_[use.device] - need_weight_[use.device][k]);
            need_after_[use.device] = need != nullptr ? *need : no_start;
        }
        // The child's times begin where the state's do, one less for k, one more for what k is the first to allow.
        std::int32_t at = static_cast<std::int32_t>(devices_.size());
        for (std::size_t j = 0; j < size; ++j) {
            child_first_[j] = at;
            at += first_[j + 1] - first_[j];
            if (static_cast<int>(j) == k && first_[j + 1] > first_[j]) --at;
            for (const Delay& delay : counters_.before[j]) {
                if (delay.counter == k && counts[k] - counts[j] == first_[j + 1] - first_[j]) ++at;
            }
        }
        child_first_[size] = at;
        std::size_t child = 0;
        bool made = false;
        for (std::int32_t l = state.first_label; l >= 0; l = level_.labels[l].next) {
            ++work_;
            const Label& label = level_.labels[l];
            const Ticks* times = level_.times.data() + label.times;
            const Ticks start = start_of(k, counts, times);
            if (start > latest || !in_time(k, times, start)) continue;
            if (options_.keep_path && is_dominated(k, counts, times, start)) continue;
            Ticks& seen = seen_[offset_[k] + static_cast<std::size_t>(counts[k])];
            seen = std::min(seen, start);
            child_label(k, counts, times, start);
            if (!made) child = child_state(k, state, counts);
            made = true;
            insert(child, child_times_.data(), child_times_.size(), label.parent, k);
            if (devices_.size() == 1) {
                Ticks& reached = reached_.at(next_.states[child].key, no_start);
                reached = std::min(reached, child_times_[0]);
            }
        }
    }
}

// Something that takes no memory and would be over by `start` comes first without harm: nothing else starts before
// `start`, so its devices stand idle, and what it leaves is no less room than before. (Not for windows: a schedule
// that is only dominated may start something earlier.)
bool Diagram::is_dominated(int k, const std::int64_t* counts, const Ticks* times, Ticks start) const {
    for (int j = 0; j < counters_.size(); ++j) {
        if (j == k || !may_run_[j] || !counters_.frees[j]) continue;
        if (start_of(j, counts, times) + time_of(j) <= start) return true;
    }
    return false;
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
    std::vector<int> raised;
    if (level_.states.empty() || level_.states[0].first_label < 0) return {};
    for (std::int32_t at = level_.labels[level_.states[0].first_label].parent; at >= 0; at = history_[at].parent) {
        raised.push_back(history_[at].counter);
    }
    std::reverse(raised.begin(), raised.end());
    return counters_.blocks_of(raised);
}

}  // namespace repetend::completion
