#include "completion/list_scheduler.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace repetend::completion {
namespace {

constexpr Memory gone = std::numeric_limits<Memory>::min();

}  // namespace

ListScheduler::ListScheduler(const Instance& instance, const Sequence& reference) : instance_(instance) {
    for (int d = 0; d < instance.devices; ++d) {
        std::vector<int> alone;
        std::vector<int> shared;
        for (const int b : instance.on_device[d]) (instance.uses[b].size() == 1 ? alone : shared).push_back(b);
        alone_on_.add(alone);
        shared_on_.add(shared);
    }
    for (int b = 0; b < instance.blocks; ++b) {
        if (instance.uses[b].size() > 1) shared_.push_back(b);
    }
    for (int b = 0; b < instance.blocks; ++b) {
        // What waits for it, and what shares a device with it.
        std::vector<int> devices;
        std::vector<int> shared;
        for (const Use& use : instance.uses[b]) {
            devices.push_back(use.device);
            for (const int other : shared_on_[use.device]) shared.push_back(other);
        }
        for (const Edge& edge : instance.succs[b]) {
            if (instance.uses[edge.block].size() == 1) {
                devices.push_back(instance.uses[edge.block].front().device);
            } else {
                shared.push_back(edge.block);
            }
        }
        for (std::vector<int>* list : {&devices, &shared}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        touched_.add(devices);
        touched_shared_.add(shared);
    }
    set_reference(reference);
}

void ListScheduler::set_reference(const Sequence& reference) {
    const std::int64_t micro_batches = instance_.micro_batches;
    assert(is_feasible(instance_, reference));
    reference_ = reference;
    has_begun_ = false;
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

void ListScheduler::set_frozen(const Frozen* frozen) {
    frozen_ = frozen;
    has_begun_ = false;
}

// The state after what is frozen.
void ListScheduler::begin() {
    const auto devices = static_cast<std::size_t>(instance_.devices);
    const auto blocks = static_cast<std::size_t>(instance_.blocks);
    result_ = &begun_result_;
    result_->sequence.clear();
    result_->timing.start.assign(static_cast<std::size_t>(instance_.operations()), 0);
    result_->timing.makespan = 0;
    run_.next.assign(blocks, {});
    run_.choice.assign(devices, {});
    run_.dirty.assign(devices, 1);
    run_.dirty_shared.assign(blocks, 1);
    run_.free.assign(devices, 0);
    run_.level = instance_.base;
    run_.version.assign(devices, 0);
    run_.need = reference_need_;
    run_.first_left.assign(devices, 0);
    run_ahead_ = 0;
    for (int b = 0; b < instance_.blocks; ++b) release(b);
    if (frozen_ != nullptr) {
        for (std::size_t k = 0; k < frozen_->sequence.size(); ++k) commit(frozen_->sequence[k], frozen_->start[k]);
    }
    begun_ = run_;
    has_begun_ = true;
}

void ListScheduler::begin_run_ahead() {
    slowest_ = instance_.micro_batches;
    for (const Next& next : run_.next) slowest_ = std::min(slowest_, next.count);
    at_slowest_ = 0;
    for (const Next& next : run_.next) at_slowest_ += next.count == slowest_;
    global_next_ = 0;
    passed_.assign(static_cast<std::size_t>(instance_.blocks), 0);
    pass_reference();
}

void ListScheduler::pass_reference() {
    while (global_next_ < reference_.size()) {
        const int b = reference_[global_next_];
        if (passed_[b] == run_.next[b].count) break;
        ++passed_[b];
        ++global_next_;
    }
}

// Looks at what the next instance of `block` depends on.
void ListScheduler::release(int block) {
    Next& next = run_.next[block];
    next.available = next.count < instance_.micro_batches;
    next.ready = false;
    next.seen = -1;
    next.release = 0;
    if (!next.available) return;
    for (const Edge& edge : instance_.preds[block]) {
        if (run_.next[edge.block].count <= next.count) {
            next.available = false;
            return;
        }
        const Ticks start = result_->timing.start[instance_.at(edge.block, next.count)];
        next.release = std::max(next.release, start + instance_.time[edge.block] + edge.lag);
    }
}

// Would the rest, in reference order, still fit when `block` runs now?
bool ListScheduler::fits(int block) const {
    const std::int64_t n = run_.next[block].count;
    std::int64_t at = instance_.uses.first(block) * instance_.micro_batches + n;
    for (const Use& use : instance_.uses[block]) {
        const int d = use.device;
        const auto here = static_cast<std::size_t>(at);
        at += instance_.micro_batches;
        if (!instance_.limited[d]) continue;
        const std::int32_t position = position_[here];
        if (position == run_.first_left[d]) continue;
        const Memory capacity = instance_.capacity[d];
        if (run_.level[d] + use.need() > capacity) return false;
        if (use.change <= 0) continue;
        const Memory* need = run_.need[d].data();
        for (std::int32_t p = run_.first_left[d]; p < position; ++p) {
            if (need[p] > capacity - use.change) return false;
        }
    }
    return true;
}

bool ListScheduler::consider(int block) {
    Next& next = run_.next[block];
    next.ready = false;
    if (!next.available) return false;
    if (run_ahead_ > 0 && next.count >= slowest_ + run_ahead_ &&
        global_position_[instance_.at(block, next.count)] != static_cast<std::int32_t>(global_next_)) {
        return false;
    }
    Ticks start = next.release;
    std::int64_t version = 0;
    for (const Use& use : instance_.uses[block]) {
        start = std::max(start, run_.free[use.device]);
        version += run_.version[use.device];
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
    for (const int b : alone_on_[device]) {
        if (consider(b)) choice.add(run_.next[b].start, run_.next[b].start + instance_.time[b]);
    }
    run_.choice[device] = choice;
}

// The device whose earliest possible completion is least, and what it has to choose from.
int ListScheduler::next_device(Choice& choice) {
    int device = -1;
    Ticks completion = 0;
    for (int d = 0; d < instance_.devices; ++d) {
        if (run_.dirty[d]) {
            refresh(d);
            run_.dirty[d] = 0;
        }
        const Choice& own = run_.choice[d];
        if (!own.any || (device >= 0 && own.completion >= completion)) continue;
        device = d;
        completion = own.completion;
    }
    for (const int b : shared_) {
        if (run_.dirty_shared[b]) {
            consider(b);
            run_.dirty_shared[b] = 0;
        }
        const Next& next = run_.next[b];
        if (!next.ready || (device >= 0 && next.start + instance_.time[b] >= completion)) continue;
        device = instance_.uses[b].front().device;
        completion = next.start + instance_.time[b];
    }
    assert(device >= 0);
    choice = run_.choice[device];
    for (const int b : shared_on_[device]) {
        if (run_.next[b].ready) choice.add(run_.next[b].start, run_.next[b].start + instance_.time[b]);
    }
    return device;
}

void ListScheduler::advance_slowest(std::int64_t n) {
    if (n == slowest_ && --at_slowest_ == 0) {
        ++slowest_;
        for (const Next& next : run_.next) at_slowest_ += next.count == slowest_;
        std::fill(run_.dirty.begin(), run_.dirty.end(), 1);
        std::fill(run_.dirty_shared.begin(), run_.dirty_shared.end(), 1);
    }
    const std::size_t before = global_next_;
    pass_reference();
    if (global_next_ != before && global_next_ < reference_.size()) {
        for (const Use& use : instance_.uses[reference_[global_next_]]) run_.dirty[use.device] = 1;
        run_.dirty_shared[reference_[global_next_]] = 1;
    }
}

void ListScheduler::commit(int block, Ticks start) {
    const std::int64_t n = run_.next[block].count++;
    const Ticks end = start + instance_.time[block];
    result_->timing.start[instance_.at(block, n)] = start;
    result_->timing.makespan = std::max(result_->timing.makespan, end);
    result_->sequence.push_back(block);
    std::int64_t at = instance_.uses.first(block) * instance_.micro_batches + n;
    for (const Use& use : instance_.uses[block]) {
        const int d = use.device;
        const auto here = static_cast<std::size_t>(at);
        at += instance_.micro_batches;
        run_.free[d] = end;
        if (!instance_.limited[d]) continue;
        ++run_.version[d];
        run_.level[d] += use.change;
        Memory* need = run_.need[d].data();
        const std::int32_t position = position_[here];
        if (use.change != 0) {
            for (std::int32_t p = run_.first_left[d]; p < position; ++p) {
                if (need[p] != gone) need[p] += use.change;
            }
        }
        need[position] = gone;
        const auto size = static_cast<std::int32_t>(run_.need[d].size());
        while (run_.first_left[d] < size && need[run_.first_left[d]] == gone) ++run_.first_left[d];
    }
    release(block);
    for (const Edge& edge : instance_.succs[block]) {
        if (run_.next[edge.block].count == n) release(edge.block);
    }
    for (const int d : touched_[block]) run_.dirty[d] = 1;
    for (const int b : touched_shared_[block]) run_.dirty_shared[b] = 1;
    if (run_ahead_ > 0) advance_slowest(n);
}

void ListScheduler::decode(const Keys& keys, const DecodeOptions& options, Decoded& result) {
    begin_decode(keys, options, result);
    decode_some(instance_.operations());
}

void ListScheduler::begin_decode(const Keys& keys, const DecodeOptions& options, Decoded& result) {
    if (!has_begun_) begin();
    run_ = begun_;
    result = begun_result_;
    result_ = &result;
    keys_ = &keys;
    wait_ = options.wait;
    run_ahead_ = options.run_ahead;
    if (run_ahead_ > 0) begin_run_ahead();
    result.sequence.reserve(static_cast<std::size_t>(instance_.operations()));
}

bool ListScheduler::decode_some(std::int64_t operations) {
    const auto all = static_cast<std::size_t>(instance_.operations());
    for (; operations > 0 && result_->sequence.size() < all; --operations) {
        Choice choice;
        const int device = next_device(choice);
        const int block = choose(device, choice);
        commit(block, run_.next[block].start);
    }
    return result_->sequence.size() < all;
}

// Of what could start before the least completion, as far as waiting goes, the least key.
int ListScheduler::choose(int device, const Choice& choice) const {
    const Ticks latest = choice.start + (choice.completion - 1 - choice.start) * wait_ / full_wait;
    int best = -1;
    std::int64_t best_key = 0;
    for (const int b : instance_.on_device[device]) {
        const Next& next = run_.next[b];
        if (!next.ready || next.start > latest) continue;
        const std::int64_t key = (*keys_)[instance_.at(b, next.count)];
        if (best < 0 || key < best_key) {
            best = b;
            best_key = key;
        }
    }
    return best;
}

}  // namespace repetend::completion
