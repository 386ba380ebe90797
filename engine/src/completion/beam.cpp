#include "completion/beam.hpp"

#include <algorithm>

#include "completion/random.hpp"

namespace repetend::completion {
namespace {

constexpr Ticks not_ready = -1;
constexpr Ticks too_late = std::numeric_limits<Ticks>::max();
constexpr int most_equal = 2;  // partial schedules kept with the same counts

}  // namespace

void Beam::Level::clear() {
    partials.clear();
    count.clear();
    latest.clear();
    release.clear();
    free.clear();
    memory.clear();
    left.clear();
}

Beam::Beam(const Instance& instance, const Sequence& reference) : instance_(instance) {
    Random random(20231115);
    for (int b = 0; b < instance.blocks; ++b) salt_.push_back(random.next());
    order_.resize(static_cast<std::size_t>(instance.devices));
    position_.resize(static_cast<std::size_t>(instance.uses.total() * instance.micro_batches));
    std::vector<std::int32_t> count(static_cast<std::size_t>(instance.blocks), 0);
    for (const int b : reference) {
        std::int64_t at = instance.uses.first(b) * instance.micro_batches + count[b];
        for (const Use& use : instance.uses[b]) {
            position_[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(order_[use.device].size());
            order_[use.device].push_back({b, count[b]});
            at += instance.micro_batches;
        }
        ++count[b];
    }
}

// Does the rest, in reference order, still fit when the next instance of `block` runs now?
bool Beam::safe(std::size_t partial, int block) const {
    const std::int32_t* count = level_.count.data() + partial * static_cast<std::size_t>(instance_.blocks);
    const std::int64_t micro_batches = instance_.micro_batches;
    std::int64_t use_number = instance_.uses.first(block);
    for (const Use& use : instance_.uses[block]) {
        const std::int64_t at = use_number++ * micro_batches + count[block];
        if (!instance_.limited[use.device] || use.change <= 0) continue;
        const std::int32_t position = position_[static_cast<std::size_t>(at)];
        // The first operation of the reference that has not run is the next instance of some block.
        std::int32_t first = position;
        for (const int b : instance_.on_device[use.device]) {
            if (count[b] == micro_batches) continue;
            std::int64_t number = instance_.uses.first(b);
            for (const Use& other : instance_.uses[b]) {
                if (other.device == use.device) {
                    first = std::min(first, position_[static_cast<std::size_t>(number * micro_batches + count[b])]);
                }
                ++number;
            }
        }
        const Memory capacity = instance_.capacity[use.device];
        Memory memory =
            level_
                .memory[partial * static_cast<std::size_t>(instance_.devices) + static_cast<std::size_t>(use.device)] +
            use.change;
        for (std::int32_t p = first; p < position; ++p) {
            const Place& place = order_[use.device][p];
            if (place.instance < count[place.block]) continue;
            for (const Use& other : instance_.uses[place.block]) {
                if (other.device != use.device) continue;
                if (memory + other.need() > capacity) return false;
                memory += other.change;
            }
        }
    }
    return true;
}

void Beam::begin(const BeamOptions& options, const std::vector<Diagram::Need>& needs, const std::vector<Ticks>& latest,
                 Ticks deadline) {
    options_ = options;
    needs_ = needs;
    latest_ = &latest;
    limit_.assign(static_cast<std::size_t>(instance_.blocks), instance_.micro_batches);
    after_.assign(static_cast<std::size_t>(instance_.devices), too_late);
    for (int d = 0; d < instance_.devices; ++d) {
        for (const int b : instance_.on_device[d]) after_[d] = std::min(after_[d], instance_.tail[b]);
    }
    to_decide_ = instance_.operations();
    after_window_.clear();
    begin_at(deadline);
}

void Beam::begin_window(const BeamOptions& options, const std::vector<Diagram::Need>& needs, const Sequence& sequence,
                        const Timing& timing, std::size_t first, std::size_t last, Ticks deadline) {
    options_ = options;
    needs_ = needs;
    limit_.assign(static_cast<std::size_t>(instance_.blocks), 0);
    for (std::size_t k = 0; k < last; ++k) ++limit_[sequence[k]];
    after_window_.assign(sequence.begin() + static_cast<std::ptrdiff_t>(last), sequence.end());
    need_at_end_.assign(static_cast<std::size_t>(instance_.devices), 0);
    to_decide_ = static_cast<std::int64_t>(last);
    begin_at(deadline);
    set_latest(sequence, first, last);
    latest_ = &window_latest_;
    for (int d = 0; d < instance_.devices; ++d) {
        if (needs_[d].of == nullptr) continue;
        CountKey left = level_.left[d];
        for (const int b : instance_.on_device[d]) {
            std::size_t k = 0;
            for (const Use& use : instance_.uses[b]) {
                if (use.device == d) left -= weight_[b][k] * static_cast<CountKey>(limit_[b]);
                ++k;
            }
        }
        const Ticks* at_end = needs_[d].table->find(left);
        if (at_end == nullptr) {
            needs_[d] = {};  // the schedule at hand is worse than what the diagram was made for
        } else {
            need_at_end_[d] = *at_end;
        }
    }
    // What lies before the window has been decided.
    for (std::size_t k = 0; k < first; ++k) {
        const int b = sequence[k];
        next_.clear();
        make_child({0, 0, b, timing.start[instance_.at(b, level_.count[b])]});
        std::swap(level_, next_);
        ++decided_;
    }
}

void Beam::begin_at(Ticks deadline) {
    deadline_ = deadline;
    verdict_ = BeamVerdict::running;
    decided_ = 0;
    at_ = 0;
    shift_ = 0;
    while ((deadline >> shift_) >= (Ticks{1} << 44)) ++shift_;
    const auto devices = static_cast<std::size_t>(instance_.devices);
    const auto blocks = static_cast<std::size_t>(instance_.blocks);
    weight_.assign(blocks, {});
    level_.clear();
    next_.clear();
    decisions_.clear();
    choices_.clear();
    level_.left.assign(devices, 0);
    for (int d = 0; d < instance_.devices; ++d) {
        if (needs_[d].of != nullptr) level_.left[d] = needs_[d].of->full_key();
    }
    for (int b = 0; b < instance_.blocks; ++b) {
        for (const Use& use : instance_.uses[b]) {
            const Diagram* of = needs_[use.device].of;
            weight_[b].push_back(of != nullptr ? of->weight_of(b) : 0);
        }
    }
    level_.partials.push_back({-1, 0, 0, 0});
    level_.count.assign(blocks, 0);
    level_.latest.assign(blocks, -1);
    level_.release.assign(blocks, not_ready);
    level_.free.assign(devices, 0);
    level_.memory = instance_.base;
    for (int b = 0; b < instance_.blocks; ++b) set_release(level_, 0, b);
}

// Latest starts for an end by the deadline: after the window in the order of the sequence, within it by what follows.
void Beam::set_latest(const Sequence& sequence, std::size_t first, std::size_t last) {
    window_latest_.assign(static_cast<std::size_t>(instance_.operations()), 0);
    std::vector<Ticks> device_latest(static_cast<std::size_t>(instance_.devices), deadline_);
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance_.blocks), instance_.micro_batches);
    for (std::size_t k = sequence.size(); k-- > first;) {
        const int b = sequence[k];
        const std::int64_t n = --count[b];
        Ticks latest = deadline_;
        for (const Use& use : instance_.uses[b]) latest = std::min(latest, device_latest[use.device]);
        for (const Edge& edge : instance_.succs[b])
            latest = std::min(latest, window_latest_[instance_.at(edge.block, n)] - edge.lag);
        latest -= instance_.time[b];
        window_latest_[instance_.at(b, n)] = latest;
        if (k < last) continue;
        for (const Use& use : instance_.uses[b]) device_latest[use.device] = latest;
    }
    after_.resize(device_latest.size());
    for (std::size_t d = 0; d < after_.size(); ++d) after_[d] = deadline_ - device_latest[d];
}

void Beam::set_release(Level& level, std::size_t partial, int block) {
    const std::size_t base = partial * static_cast<std::size_t>(instance_.blocks);
    const std::int32_t n = level.count[base + static_cast<std::size_t>(block)];
    Ticks& release = level.release[base + static_cast<std::size_t>(block)];
    release = not_ready;
    if (n == limit_[block]) return;
    Ticks earliest = 0;
    for (const Edge& edge : instance_.preds[block]) {
        const std::size_t before = base + static_cast<std::size_t>(edge.block);
        std::int32_t back = level.count[before] - 1 - n;
        if (back < 0) return;
        std::int32_t decision = level.latest[before];
        for (; back > 0; --back) decision = decisions_[decision].same_block;
        earliest = std::max(earliest, decisions_[decision].end + edge.lag);
    }
    release = earliest;
}

// What `device` still needs once the next instance of `block` (-1: nothing) has run; too_late when it cannot end.
Ticks Beam::need(int device, const Level& level, std::size_t partial, int block) const {
    CountKey left =
        level.left[partial * static_cast<std::size_t>(instance_.devices) + static_cast<std::size_t>(device)];
    Ticks by_diagram = 0;
    if (needs_[device].of != nullptr) {
        if (block >= 0) {
            std::size_t k = 0;
            for (const Use& use : instance_.uses[block]) {
                if (use.device == device) left -= weight_[block][k];
                ++k;
            }
        }
        const Ticks* need = needs_[device].table->find(left);
        if (need == nullptr) return too_late;
        if (after_window_.empty()) return *need;
        by_diagram = *need - need_at_end_[device];
    }
    const std::size_t base = partial * static_cast<std::size_t>(instance_.blocks);
    Ticks load = 0;
    for (const int b : instance_.on_device[device]) {
        const std::int64_t run = level.count[base + static_cast<std::size_t>(b)] + (b == block ? 1 : 0);
        load += (limit_[b] - run) * instance_.time[b];
    }
    return std::max(load, by_diagram) + after_[device];
}

BeamVerdict Beam::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    while (verdict_ == BeamVerdict::running && work_ < until) {
        if (decided_ == to_decide_) {
            verdict_ = BeamVerdict::found;
        } else if (at_ < level_.partials.size()) {
            options_of(static_cast<std::int32_t>(at_++));
        } else {
            select();
        }
    }
    return verdict_;
}

void Beam::options_of(std::int32_t number) {
    const auto partial = static_cast<std::size_t>(number);
    const auto blocks = static_cast<std::size_t>(instance_.blocks);
    const auto devices = static_cast<std::size_t>(instance_.devices);
    const Partial& state = level_.partials[partial];
    const Ticks* free = level_.free.data() + partial * devices;
    const Memory* memory = level_.memory.data() + partial * devices;
    const std::size_t first = choices_.size();
    Ticks first_completion = too_late;
    for (int b = 0; b < instance_.blocks; ++b) {
        const std::size_t at = partial * blocks + static_cast<std::size_t>(b);
        Ticks start = level_.release[at];
        if (start == not_ready) continue;
        const std::int32_t n = level_.count[at];
        if (options_.run_ahead > 0 && n >= state.slowest + options_.run_ahead) continue;
        start = std::max(start, state.last_start);
        bool fits = true;
        for (const Use& use : instance_.uses[b]) {
            start = std::max(start, free[use.device]);
            fits = fits && (!instance_.limited[use.device] ||
                            memory[use.device] + use.need() <= instance_.capacity[use.device]);
        }
        if (!fits || start > (*latest_)[instance_.at(b, n)] || !safe(partial, b)) continue;
        first_completion = std::min(first_completion, start + instance_.time[b]);
        choices_.push_back({0, number, b, start});
    }
    work_ += 1;
    ends_.resize(devices);
    for (std::size_t d = 0; d < devices; ++d) ends_[d] = need(static_cast<int>(d), level_, partial, -1);
    std::size_t kept = first;
    for (std::size_t c = first; c < choices_.size(); ++c) {
        Option option = choices_[c];
        // Something that could be over by then would come first.
        if (option.start >= first_completion) continue;
        Ticks most = 0;
        Ticks sum = 0;
        bool in_time = true;
        const Ticks end = option.start + instance_.time[option.block];
        for (std::size_t d = 0; d < devices && in_time; ++d) {
            bool runs = false;
            for (const Use& use : instance_.uses[option.block]) runs = runs || use.device == static_cast<int>(d);
            const Ticks needed = runs ? need(static_cast<int>(d), level_, partial, option.block) : ends_[d];
            if (needed == too_late) {
                in_time = false;
                break;
            }
            const Ticks least = (runs ? end : std::max(free[d], option.start)) + needed;
            in_time = least <= deadline_;
            most = std::max(most, least);
            sum += least >> shift_;
        }
        if (!in_time) continue;
        option.score = (most >> shift_) * 16 + sum / instance_.devices * options_.lambda_16;
        choices_[kept++] = option;
    }
    choices_.resize(kept);
    work_ += static_cast<std::int64_t>(kept - first) / 4;
}

// The best children become the next level.
void Beam::select() {
    if (choices_.empty()) {
        verdict_ = BeamVerdict::dead;
        return;
    }
    std::sort(choices_.begin(), choices_.end(), [](const Option& a, const Option& b) {
        if (a.score != b.score) return a.score < b.score;
        return a.partial != b.partial ? a.partial < b.partial : a.block < b.block;
    });
    next_.clear();
    for (const Option& option : choices_) {
        const std::uint64_t hash = level_.partials[option.partial].hash + salt_[option.block];
        int equal = 0;
        for (const Partial& other : next_.partials) equal += other.hash == hash;
        if (equal >= most_equal) continue;
        make_child(option);
        if (static_cast<int>(next_.partials.size()) == options_.width) break;
    }
    work_ += static_cast<std::int64_t>(next_.partials.size());
    std::swap(level_, next_);
    choices_.clear();
    at_ = 0;
    ++decided_;
}

void Beam::make_child(const Option& option) {
    const auto blocks = static_cast<std::size_t>(instance_.blocks);
    const auto devices = static_cast<std::size_t>(instance_.devices);
    const auto from = static_cast<std::size_t>(option.partial);
    const std::size_t child = next_.partials.size();
    const int b = option.block;
    const Ticks end = option.start + instance_.time[b];
    const auto copy = [&](auto& to, const auto& source, std::size_t size) {
        to.insert(to.end(), source.begin() + static_cast<std::ptrdiff_t>(from * size),
                  source.begin() + static_cast<std::ptrdiff_t>((from + 1) * size));
    };
    copy(next_.count, level_.count, blocks);
    copy(next_.latest, level_.latest, blocks);
    copy(next_.release, level_.release, blocks);
    copy(next_.free, level_.free, devices);
    copy(next_.memory, level_.memory, devices);
    copy(next_.left, level_.left, devices);
    const std::size_t at = child * blocks + static_cast<std::size_t>(b);
    const auto decision = static_cast<std::int32_t>(decisions_.size());
    decisions_.push_back({level_.partials[from].last, next_.latest[at], b, end});
    next_.latest[at] = decision;
    const std::int32_t n = next_.count[at]++;
    std::size_t k = 0;
    for (const Use& use : instance_.uses[b]) {
        const std::size_t d = child * devices + static_cast<std::size_t>(use.device);
        next_.free[d] = end;
        next_.memory[d] += use.change;
        next_.left[d] -= weight_[b][k++];
    }
    Partial partial = level_.partials[from];
    partial.last = decision;
    partial.last_start = option.start;
    partial.hash += salt_[b];
    if (options_.run_ahead > 0 && n == partial.slowest) {
        const auto begin = next_.count.begin() + static_cast<std::ptrdiff_t>(child * blocks);
        partial.slowest = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(blocks));
    }
    next_.partials.push_back(partial);
    set_release(next_, child, b);
    for (const Edge& edge : instance_.succs[b]) {
        if (next_.count[child * blocks + static_cast<std::size_t>(edge.block)] == n)
            set_release(next_, child, edge.block);
    }
}

Sequence Beam::sequence() const {
    Sequence sequence;
    if (verdict_ != BeamVerdict::found || level_.partials.empty()) return sequence;
    for (std::int32_t at = level_.partials[0].last; at >= 0; at = decisions_[at].parent) {
        sequence.push_back(decisions_[at].block);
    }
    std::reverse(sequence.begin(), sequence.end());
    sequence.insert(sequence.end(), after_window_.begin(), after_window_.end());
    return sequence;
}

}  // namespace repetend::completion
