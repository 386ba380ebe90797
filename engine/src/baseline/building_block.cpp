// Orders from a building block (Qi et al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024): one
// micro-batch is laid out in slots of equal length so that its copies, six slots apart, never meet; how long it holds
// memory in this picture decides how much memory the whole schedule takes. Then the picture is squeezed.
//
// Three steps, each with a few variants, of which the least makespan on the problem's own times is kept (the published
// schedulers try variants as well and keep the best):
// 1. Repeat the block; weight gradients take free slots, the oldest first.
// 2. Squeeze with small whole times: whoever idles takes the first operation of its repeated order that is ready and
//    leaves room for everything that it overtakes. While the last `put_off` input gradients of a device run, its
//    weight gradients yield to them. (The original squeezes without changing the order and then reorders the ramps.)
// 3. Refill the weight gradients with the problem's own times: one starts where the wait for the next other operation
//    lasts at least a share of it, or where memory demands it. This is the greedy rule of ZB-V (Qi et al., Zero Bubble
//    Pipeline Parallelism, ICLR 2024), in our own form.
//
// Memory counts as in these papers: a chunk's forward takes 2, its input and its weight gradient free 1 each.
#include "baseline/building_block.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "baseline/family.hpp"
#include "baseline/weight_filling.hpp"

namespace repetend::baseline {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

enum class Kind { forward, input, weight };

struct Pass {
    Kind kind = Kind::forward;
    int chunk = 0;
    std::int64_t micro_batch = 0;
};

using Picture = std::vector<std::vector<Pass>>;  // by device, in order

std::int64_t change(Kind kind) { return kind == Kind::forward ? 2 : -1; }

std::vector<Pass> repeat(const Offsets& offsets, std::int64_t micro_batches) {
    struct Slot {
        std::int64_t slot = 0;
        Pass pass;
    };
    std::vector<Slot> slots;
    for (std::int64_t n = 0; n < micro_batches; ++n) {
        slots.push_back({offsets.forward_0 + 6 * n, {Kind::forward, 0, n}});
        slots.push_back({offsets.forward_1 + 6 * n, {Kind::forward, 1, n}});
        slots.push_back({offsets.input_1 + 6 * n, {Kind::input, 1, n}});
        slots.push_back({offsets.input_0 + 6 * n, {Kind::input, 0, n}});
    }
    std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.slot < b.slot; });
    std::vector<Pass> passes;
    std::vector<Pass> weights;  // in order of their input gradients; those before `done` have their slot
    std::size_t done = 0;
    std::int64_t free = 0;  // the first slot that is still to be looked at
    for (const Slot& slot : slots) {
        for (; free < slot.slot && done < weights.size(); ++free) passes.push_back(weights[done++]);
        free = slot.slot + 1;
        passes.push_back(slot.pass);
        if (slot.pass.kind == Kind::input) weights.push_back({Kind::weight, slot.pass.chunk, slot.pass.micro_batch});
    }
    passes.insert(passes.end(), weights.begin() + static_cast<std::ptrdiff_t>(done), weights.end());
    return passes;
}

std::int64_t peak(const std::vector<Pass>& passes) {
    std::int64_t held = 0;
    std::int64_t most = 0;
    for (const Pass& pass : passes) {
        held += change(pass.kind);
        most = std::max(most, held);
    }
    return most;
}

struct Times {
    Ticks forward = 1;
    Ticks input = 1;
    Ticks weight = 1;
    bool operator==(const Times&) const = default;
    Ticks of(Kind kind) const { return kind == Kind::forward ? forward : kind == Kind::input ? input : weight; }
};

// Step 2. Time is advanced from end to end of operations; all waits are for such ends, as there are no lags.
class Squeeze {
public:
    Squeeze(Picture picture, std::int64_t limit, const Times& times, std::int64_t micro_batches, std::int64_t put_off)
        : devices_(static_cast<int>(picture.size())),
          limit_(limit),
          times_(times),
          micro_batches_(micro_batches),
          put_off_(put_off),
          rest_(std::move(picture)),
          first_(rest_.size(), 0),
          held_(rest_.size(), 0),
          free_(rest_.size(), 0),
          inputs_(rest_.size(), 0),
          done_(rest_.size()),
          ready_(3 * 2 * rest_.size() * at(micro_batches), never) {
        for (std::int64_t n = 0; n < micro_batches; ++n) ready_[place(Kind::forward, 0, n)] = 0;
    }

    Picture run() {
        Ticks now = 0;
        std::size_t left = 0;
        for (const auto& passes : rest_) left += passes.size();
        while (left > 0) {
            for (int device = 0; device < devices_; ++device) {
                if (free_[at(device)] <= now && take(device, now)) --left;
            }
            Ticks next = never;
            for (const Ticks end : free_) {
                if (end > now) next = std::min(next, end);
            }
            if (next == never) break;  // cannot be: the first operations of all lanes never wait for each other
            now = next;
        }
        return done_;
    }

private:
    static constexpr Ticks never = std::numeric_limits<Ticks>::max();

    std::int64_t stage(int device, int chunk) const { return chunk == 0 ? device : 2 * devices_ - 1 - device; }
    std::size_t place(Kind kind, std::int64_t stage, std::int64_t micro_batch) const {
        return at((micro_batch * 2 * devices_ + stage) * 3 + static_cast<int>(kind));
    }
    Ticks ready(int device, const Pass& pass) const {
        return ready_[place(pass.kind, stage(device, pass.chunk), pass.micro_batch)];
    }

    bool take(int device, Ticks now) {
        auto& rest = rest_[at(device)];
        const bool yielding = inputs_[at(device)] >= 2 * micro_batches_ - put_off_;
        const std::size_t begin = first_[at(device)];
        const std::size_t end = std::min(rest.size(), begin + at(8 * devices_));
        std::array<std::array<bool, 2>, 2> seen = {};  // forwards and input gradients of a chunk keep their order
        std::int64_t held = held_[at(device)];
        std::int64_t most = held;
        std::optional<std::size_t> chosen;
        for (std::size_t k = begin; k < end; ++k) {
            const Pass& pass = rest[k];
            const bool weight = pass.kind == Kind::weight;
            bool* mine = weight ? nullptr : &seen[pass.kind == Kind::input ? 1 : 0][at(pass.chunk)];
            const bool in_order = weight ? !chosen : !*mine;
            // What it overtakes still has room after it.
            const bool fits = pass.kind != Kind::forward || most + change(pass.kind) <= limit_;
            if (in_order && fits && ready(device, pass) <= now) {
                chosen = k;
                if (!weight || !yielding) break;
            }
            if (mine != nullptr) *mine = true;
            held += change(pass.kind);
            most = std::max(most, held);
        }
        if (!chosen) return false;
        const Pass pass = rest[*chosen];
        std::rotate(rest.begin() + static_cast<std::ptrdiff_t>(begin),
                    rest.begin() + static_cast<std::ptrdiff_t>(*chosen),
                    rest.begin() + static_cast<std::ptrdiff_t>(*chosen) + 1);
        ++first_[at(device)];
        start(device, pass, now);
        return true;
    }

    void start(int device, const Pass& pass, Ticks now) {
        const Ticks end = now + times_.of(pass.kind);
        free_[at(device)] = end;
        held_[at(device)] += change(pass.kind);
        done_[at(device)].push_back(pass);
        const std::int64_t here = stage(device, pass.chunk);
        if (pass.kind == Kind::forward) {
            const bool last = here == 2 * devices_ - 1;
            ready_[place(last ? Kind::input : Kind::forward, last ? here : here + 1, pass.micro_batch)] = end;
        } else if (pass.kind == Kind::input) {
            ++inputs_[at(device)];
            ready_[place(Kind::weight, here, pass.micro_batch)] = end;
            if (here > 0) ready_[place(Kind::input, here - 1, pass.micro_batch)] = end;
        }
    }

    int devices_;
    std::int64_t limit_;
    Times times_;
    std::int64_t micro_batches_;
    std::int64_t put_off_;
    Picture rest_;  // by device: what is left, from first_ on
    std::vector<std::size_t> first_;
    std::vector<std::int64_t> held_;
    std::vector<Ticks> free_;
    std::vector<std::int64_t> inputs_;  // input gradients that have run
    Picture done_;
    std::vector<Ticks> ready_;  // by micro-batch, stage and kind: when it becomes possible, as far as is known
};

Orders orders_of(const Pipeline& pipeline, const Picture& picture) {
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    Orders orders(pipeline.workers.size());
    for (std::size_t device = 0; device < picture.size(); ++device) {
        Lane& lane = orders[at(stages[device].worker)];
        for (const Pass& pass : picture[device]) {
            const Stage& stage = stages[pass.chunk == 0 ? device : stages.size() - 1 - device];
            const int block = pass.kind == Kind::forward ? stage.forward
                              : pass.kind == Kind::input ? stage.backward
                                                         : stage.weight;
            lane.push_back({block, pass.micro_batch});
        }
    }
    return orders;
}

// The problem's average times in the least whole numbers that come near, 1 to 8.
Times coarse_times(const Pipeline& pipeline) {
    const std::vector<Stage>& stages = pipeline.chains.front().stages;
    std::array<Ticks, 3> sum = {};
    for (const Stage& stage : stages) {
        const std::array<int, 3> blocks = {stage.forward, stage.backward, stage.weight};
        for (std::size_t k = 0; k < 3; ++k) sum[k] += pipeline.problem->blocks[at(blocks[k])].time;
    }
    const Ticks least = std::min({sum[0], sum[1], sum[2]});
    const auto coarse = [&](Ticks time) { return std::min<Ticks>(8, (time + least / 2) / least); };
    return {coarse(sum[0]), coarse(sum[1]), coarse(sum[2])};
}

// The makespan, and the longest time between a device's first and last operation.
std::pair<Ticks, Ticks> makespan_and_span(const Pipeline& pipeline, const Schedule& schedule) {
    std::vector<Ticks> first(pipeline.problem->devices.size(), -1);
    std::pair<Ticks, Ticks> cost;
    for (const Operation& operation : schedule.operations) {
        const Block& block = pipeline.problem->blocks[at(operation.block)];
        const Ticks end = operation.start + block.time;
        cost.first = std::max(cost.first, end);
        for (const int device : block.devices) {
            Ticks& begin = first[at(device)];
            if (begin < 0) begin = operation.start;
            cost.second = std::max(cost.second, end - begin);
        }
    }
    return cost;
}

struct Variant {
    bool squeezed = true;      // else the repeated block as it is
    Times times;               // of the squeeze
    std::int64_t put_off = 0;  // in the squeeze
    int share = 0;             // quarters of a weight gradient that a wait must last; 0: not refilled
};

class Builder {
public:
    Builder(const Pipeline& pipeline, const BlockFamily& family, std::int64_t micro_batches)
        : pipeline_(pipeline), micro_batches_(micro_batches) {
        for (const Offsets& offsets : family.offsets) picture_.push_back(repeat(offsets, micro_batches));
        limit_ = 2 * family.most_activations;
        for (const auto& passes : picture_) limit_ = std::max(limit_, peak(passes));
    }

    // Nothing where the variant does not come to an end under its memory limit.
    std::optional<Orders> orders(const Variant& variant) const {
        Picture picture = picture_;
        if (variant.squeezed) {
            picture = Squeeze(picture_, limit_, variant.times, micro_batches_, variant.put_off).run();
        }
        Orders orders = orders_of(pipeline_, picture);
        if (variant.share == 0) return orders;
        return refill_weights(pipeline_, orders, limit_, variant.share, micro_batches_);
    }

    std::vector<Variant> variants() const {
        std::vector<Variant> list = {{false, {}, 0, 0}};
        std::vector<Times> times = {{}};
        if (const Times coarse = coarse_times(pipeline_); coarse != Times{}) times.push_back(coarse);
        const std::int64_t devices = pipeline_.num_workers();
        for (const Times& time : times) {
            for (const std::int64_t put_off : {std::int64_t{0}, devices, 2 * devices, 2 * micro_batches_}) {
                for (int share = 0; share <= 4; ++share) list.push_back({true, time, put_off, share});
            }
        }
        return list;
    }

private:
    const Pipeline& pipeline_;
    std::int64_t micro_batches_;
    Picture picture_;
    std::int64_t limit_ = 0;
};

}  // namespace

std::string why_not_v_block(const Pipeline& pipeline) {
    return first_of(
        {why_no_training(pipeline), why_gangs(pipeline), why_not_v_shaped(pipeline), why_not_all_split(pipeline)});
}

Result<Schedule> build_v_block(const Pipeline& pipeline, const BlockFamily& family, std::int64_t micro_batches) {
    // The variant is chosen on as many micro-batches as show both ramps and the steady state.
    const std::int64_t sample = std::min<std::int64_t>(micro_batches, 8 * std::int64_t{pipeline.num_workers()});
    std::optional<Schedule> best;
    std::pair<Ticks, Ticks> least;
    Variant chosen;
    const Builder small(pipeline, family, sample);
    for (const Variant& variant : small.variants()) {
        const std::optional<Orders> orders = small.orders(variant);
        if (!orders) continue;
        Result<Schedule> schedule = earliest_starts(pipeline, *orders, sample);
        if (!schedule) {
            if (!best) return schedule;
            continue;
        }
        const std::pair<Ticks, Ticks> cost = makespan_and_span(pipeline, *schedule);
        if (best && cost >= least) continue;
        least = cost;
        best = std::move(*schedule);
        chosen = variant;
    }
    if (sample == micro_batches) return std::move(*best);
    if (chosen.put_off == 2 * sample) chosen.put_off = 2 * micro_batches;
    const Builder whole(pipeline, family, micro_batches);
    std::optional<Orders> orders = whole.orders(chosen);
    if (!orders) orders = whole.orders({false, {}, 0, 0});
    return earliest_starts(pipeline, *orders, micro_batches);
}

}  // namespace repetend::baseline
