#include "completion/list_scheduler.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace repetend::completion {
namespace {

constexpr Memory gone = std::numeric_limits<Memory>::min();

}  // namespace

ListScheduler::ListScheduler(const Instance& instance, const Sequence& reference) : instance_(instance) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(instance.devices));
    for (int b = 0; b < instance.blocks; ++b) {
        std::fill(seen.begin(), seen.end(), 0);
        const auto touch = [&](int block) {
            for (const Use& use : instance.uses[block]) seen[use.device] = 1;
        };
        touch(b);
        for (const Use& use : instance.uses[b]) {
            // A block that shares a device and also needs others may now start later there.
            for (const int other : instance.on_device[use.device]) {
                if (instance.uses[other].size() > 1) touch(other);
            }
        }
        for (const Edge& edge : instance.succs[b]) touch(edge.block);
        std::vector<int> devices;
        for (int d = 0; d < instance.devices; ++d) {
            if (seen[d]) devices.push_back(d);
        }
        touched_.add(devices);
    }
    set_reference(reference);
}

void ListScheduler::set_reference(const Sequence& reference) {
    const std::int64_t micro_batches = instance_.micro_batches;
    assert(is_feasible(instance_, reference));
    reference_ = reference;
    position_.assign(static_cast<std::size_t>(instance_.uses.total() * micro_batches), 0);
    global_position_.resize(reference.size());
    reference_need_.assign(static_cast<std::size_t>(instance_.devices), {});
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance_.blocks), 0);
    std::vector<Memory> level = instance_.base;
    std::int32_t global = 0;
    for (const int b : reference) {
        const std::int64_t n = count[b]++;
        global_position_[instance_.at(b, n)] = global++;
        int use_number = instance_.uses.first(b);
        for (const Use& use : instance_.uses[b]) {
            if (instance_.limited[use.device]) {
                auto& need = reference_need_[use.device];
                position_[static_cast<std::size_t>(use_number * micro_batches + n)] =
                    static_cast<std::int32_t>(need.size());
                need.push_back(level[use.device] + use.need());
                level[use.device] += use.change;
            }
            ++use_number;
        }
    }
}

void ListScheduler::restart() {
    const auto devices = static_cast<std::size_t>(instance_.devices);
    const auto blocks = static_cast<std::size_t>(instance_.blocks);
    next_.assign(blocks, {});
    choice_.assign(devices, {});
    dirty_.assign(devices, 1);
    free_.assign(devices, 0);
    level_ = instance_.base;
    version_.assign(devices, 0);
    need_ = reference_need_;
    first_left_.assign(devices, 0);
    slowest_ = 0;
    at_slowest_ = instance_.blocks;
    global_next_ = 0;
    passed_.assign(blocks, 0);
    for (int b = 0; b < instance_.blocks; ++b) release(b);
}

// Looks at what the next instance of `block` depends on.
void ListScheduler::release(int block) {
    Next& next = next_[block];
    next.available = next.count < instance_.micro_batches;
    next.ready = false;
    next.seen = -1;
    next.release = 0;
    if (!next.available) return;
    for (const Edge& edge : instance_.preds[block]) {
        if (next_[edge.block].count <= next.count) {
            next.available = false;
            return;
        }
        const Ticks start = result_->timing.start[instance_.at(edge.block, next.count)];
        next.release = std::max(next.release, start + instance_.time[edge.block] + edge.lag);
    }
}

// Would the rest, in reference order, still fit when `block` runs now?
bool ListScheduler::fits(int block) const {
    const std::int64_t n = next_[block].count;
    std::int64_t at = instance_.uses.first(block) * instance_.micro_batches + n;
    for (const Use& use : instance_.uses[block]) {
        const int d = use.device;
        const auto here = static_cast<std::size_t>(at);
        at += instance_.micro_batches;
        if (!instance_.limited[d]) continue;
        const std::int32_t position = position_[here];
        if (position == first_left_[d]) continue;
        const Memory capacity = instance_.capacity[d];
        if (level_[d] + use.need() > capacity) return false;
        if (use.change <= 0) continue;
        const Memory* need = need_[d].data();
        for (std::int32_t p = first_left_[d]; p < position; ++p) {
            if (need[p] > capacity - use.change) return false;
        }
    }
    return true;
}

bool ListScheduler::consider(int block) {
    Next& next = next_[block];
    next.ready = false;
    if (!next.available) return false;
    if (run_ahead_ > 0 && next.count >= slowest_ + run_ahead_ &&
        global_position_[instance_.at(block, next.count)] != static_cast<std::int32_t>(global_next_)) {
        return false;
    }
    Ticks start = next.release;
    std::int64_t version = 0;
    for (const Use& use : instance_.uses[block]) {
        start = std::max(start, free_[use.device]);
        version += version_[use.device];
    }
    if (version != next.seen) {
        next.fits = fits(block);
        next.seen = version;
    }
    next.start = start;
    next.ready = next.fits;
    return next.ready;
}

void ListScheduler::refresh(int device) {
    Choice choice;
    for (const int b : instance_.on_device[device]) {
        if (!consider(b)) continue;
        const Ticks start = next_[b].start;
        const Ticks completion = start + instance_.time[b];
        if (!choice.any || completion < choice.completion) choice.completion = completion;
        if (!choice.any || start < choice.start) choice.start = start;
        choice.any = true;
    }
    choice_[device] = choice;
}

void ListScheduler::advance_slowest(std::int64_t n) {
    if (n == slowest_ && --at_slowest_ == 0) {
        ++slowest_;
        for (const Next& next : next_) at_slowest_ += next.count == slowest_;
        std::fill(dirty_.begin(), dirty_.end(), 1);
    }
    const std::size_t before = global_next_;
    while (global_next_ < reference_.size() &&
           passed_[reference_[global_next_]] < next_[reference_[global_next_]].count) {
        ++passed_[reference_[global_next_]];
        ++global_next_;
    }
    if (global_next_ != before && global_next_ < reference_.size()) {
        for (const Use& use : instance_.uses[reference_[global_next_]]) dirty_[use.device] = 1;
    }
}

void ListScheduler::commit(int block, Ticks start) {
    const std::int64_t n = next_[block].count++;
    const Ticks end = start + instance_.time[block];
    result_->timing.start[instance_.at(block, n)] = start;
    result_->timing.makespan = std::max(result_->timing.makespan, end);
    result_->sequence.push_back(block);
    std::int64_t at = instance_.uses.first(block) * instance_.micro_batches + n;
    for (const Use& use : instance_.uses[block]) {
        const int d = use.device;
        const auto here = static_cast<std::size_t>(at);
        at += instance_.micro_batches;
        free_[d] = end;
        if (!instance_.limited[d]) continue;
        ++version_[d];
        level_[d] += use.change;
        Memory* need = need_[d].data();
        const std::int32_t position = position_[here];
        if (use.change != 0) {
            for (std::int32_t p = first_left_[d]; p < position; ++p) {
                if (need[p] != gone) need[p] += use.change;
            }
        }
        need[position] = gone;
        const auto size = static_cast<std::int32_t>(need_[d].size());
        while (first_left_[d] < size && need[first_left_[d]] == gone) ++first_left_[d];
    }
    release(block);
    for (const Edge& edge : instance_.succs[block]) {
        if (next_[edge.block].count == n) release(edge.block);
    }
    for (const int d : touched_[block]) dirty_[d] = 1;
    if (run_ahead_ > 0) advance_slowest(n);
}

void ListScheduler::decode(const Keys& keys, const DecodeOptions& options, Decoded& result, const Frozen* frozen) {
    result_ = &result;
    run_ahead_ = options.run_ahead;
    const std::int64_t operations = instance_.operations();
    result.sequence.clear();
    result.sequence.reserve(static_cast<std::size_t>(operations));
    result.timing.start.resize(static_cast<std::size_t>(operations));
    result.timing.makespan = 0;
    restart();
    if (frozen != nullptr) {
        for (std::size_t k = 0; k < frozen->sequence.size(); ++k) commit(frozen->sequence[k], frozen->start[k]);
    }
    while (static_cast<std::int64_t>(result.sequence.size()) < operations) {
        int device = -1;
        for (int d = 0; d < instance_.devices; ++d) {
            if (dirty_[d]) {
                refresh(d);
                dirty_[d] = 0;
            }
            if (choice_[d].any && (device < 0 || choice_[d].completion < choice_[device].completion)) device = d;
        }
        assert(device >= 0);
        const Choice& choice = choice_[device];
        const Ticks latest = choice.start + (choice.completion - 1 - choice.start) * options.wait / full_wait;
        int best = -1;
        std::int64_t best_key = 0;
        for (const int b : instance_.on_device[device]) {
            const Next& next = next_[b];
            if (!next.ready || next.start > latest) continue;
            const std::int64_t key = keys[instance_.at(b, next.count)];
            if (best < 0 || key < best_key) {
                best = b;
                best_key = key;
            }
        }
        commit(best, next_[best].start);
    }
}

}  // namespace repetend::completion
