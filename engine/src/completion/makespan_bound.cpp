#include "completion/makespan_bound.hpp"

#include <algorithm>
#include <cassert>

#include "completion/matching.hpp"

namespace repetend::completion {
namespace {

__extension__ typedef __int128 Wide;

constexpr int most_blocks_for_sets = 20;  // per device, for ancestor-closed sets
constexpr std::size_t most_sets = 1 << 14;
constexpr int most_blocks_for_thresholds = 256;  // per device
constexpr int most_blocks_for_paths = 4096;      // in all

using Distances = std::vector<std::vector<Ticks>>;

Ticks clamp(Wide value) {
    constexpr Wide most = std::numeric_limits<Ticks>::max() / 2;
    return static_cast<Ticks>(std::min(value, most));
}

Ticks head_load_tail(const Instance& instance, int device) {
    const auto blocks = instance.on_device[device];
    if (blocks.empty()) return 0;
    std::vector<Ticks> heads;
    for (const int b : blocks) heads.push_back(instance.head[b]);
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    if (static_cast<int>(heads.size()) > most_blocks_for_thresholds) heads.resize(1);
    std::vector<int> by_tail(blocks.begin(), blocks.end());
    std::sort(by_tail.begin(), by_tail.end(), [&](int a, int b) {
        return instance.tail[a] != instance.tail[b] ? instance.tail[a] > instance.tail[b] : a < b;
    });
    Ticks best = 0;
    for (const Ticks head : heads) {
        Ticks load = 0;
        for (const int b : by_tail) {
            if (instance.head[b] < head) continue;
            load += instance.micro_batches * instance.time[b];
            best = std::max(best, head + load + instance.tail[b]);
        }
    }
    return best;
}

// An ancestor-closed set of a device's blocks.
struct Layer {
    Ticks latest_head = -1;  // allowed by time t when below t
    Ticks work = 0;
    Memory memory = 0;
};

// Idle time that no order avoids within the first `until` ticks.
struct Ramp {
    Ticks until = 0;
    Ticks idle = 0;
};

class Layers {
public:
    Layers(const Instance& instance, int device, const Distances& distances) : instance_(instance), device_(device) {
        const auto blocks = instance.on_device[device];
        const int size = static_cast<int>(blocks.size());
        if (size > most_blocks_for_sets) return;
        // Blocks in topological order, each with the mask of its ancestors on the device.
        std::vector<int> order;
        for (const int b : instance.topological) {
            if (std::find(blocks.begin(), blocks.end(), b) != blocks.end()) order.push_back(b);
        }
        ancestors_.assign(order.size(), 0);
        for (std::size_t k = 0; k < order.size(); ++k) {
            for (std::size_t a = 0; a < k; ++a) {
                if (distances[order[a]][order[k]] != no_path) ancestors_[k] |= 1U << a;
            }
        }
        order_ = order;
        extend(0, 0, {});
        if (sets_.size() > most_sets) sets_.clear();
        std::sort(sets_.begin(), sets_.end(), [](const Layer& a, const Layer& b) {
            if (a.latest_head != b.latest_head) return a.latest_head < b.latest_head;
            return a.memory != b.memory ? a.memory < b.memory : a.work > b.work;
        });
    }

    std::vector<Ramp> ramps() const {
        std::vector<Ramp> result(1);
        std::vector<Ticks> heads;
        for (const int b : instance_.on_device[device_]) heads.push_back(instance_.head[b]);
        std::sort(heads.begin(), heads.end());
        heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
        if (heads.empty()) return result;
        if (static_cast<int>(heads.size()) > most_blocks_for_thresholds) heads.resize(1);
        for (const Ticks head : heads) {
            const Ticks idle = head - most_work(head);
            if (idle > 0) result.push_back({head, idle});
        }
        return result;
    }

private:
    void extend(std::size_t next, std::uint32_t chosen, const Layer& layer) {
        if (sets_.size() > most_sets) return;
        if (next == order_.size()) {
            sets_.push_back(layer);
            return;
        }
        extend(next + 1, chosen, layer);
        if ((ancestors_[next] & ~chosen) != 0) return;
        const int b = order_[next];
        Layer with = layer;
        with.latest_head = std::max(with.latest_head, instance_.head[b]);
        with.work += instance_.time[b];
        for (const Use& use : instance_.uses[b]) {
            if (use.device == device_) with.memory += use.change;
        }
        extend(next + 1, chosen | (1U << next), with);
    }

    // Most work that can have been started before `time`.
    Ticks most_work(Ticks time) const {
        const std::int64_t layers = instance_.micro_batches;
        if (sets_.empty() || !instance_.limited[device_]) {
            Ticks work = 0;
            for (const int b : instance_.on_device[device_]) {
                if (instance_.head[b] < time) work += layers * instance_.time[b];
            }
            return work;
        }
        // Upper hull of (memory, work) over the sets allowed.
        std::vector<Layer> points;
        for (const Layer& set : sets_) {
            if (set.latest_head < time) points.push_back(set);
        }
        std::sort(points.begin(), points.end(), [](const Layer& a, const Layer& b) {
            return a.memory != b.memory ? a.memory < b.memory : a.work > b.work;
        });
        std::vector<Layer> hull;
        for (const Layer& point : points) {
            if (!hull.empty() && point.work <= hull.back().work) continue;
            while (hull.size() >= 2) {
                const Layer& a = hull[hull.size() - 2];
                const Layer& b = hull.back();
                const Wide left = static_cast<Wide>(b.work - a.work) * (point.memory - a.memory);
                const Wide right = static_cast<Wide>(point.work - a.work) * (b.memory - a.memory);
                if (left > right) break;
                hull.pop_back();
            }
            hull.push_back(point);
        }
        const Memory room = instance_.capacity[device_] - instance_.base[device_];
        const Wide total = room;
        if (total <= static_cast<Wide>(layers) * hull.front().memory) return layers * hull.front().work;
        for (std::size_t k = 0; k + 1 < hull.size(); ++k) {
            const Layer& low = hull[k];
            const Layer& high = hull[k + 1];
            if (total >= static_cast<Wide>(layers) * high.memory) continue;
            const Wide excess = total - static_cast<Wide>(layers) * low.memory;
            return clamp(static_cast<Wide>(layers) * low.work +
                         excess * (high.work - low.work) / (high.memory - low.memory));
        }
        return layers * hull.back().work;
    }

    const Instance& instance_;
    int device_;
    std::vector<int> order_;
    std::vector<std::uint32_t> ancestors_;
    std::vector<Layer> sets_;
};

Ticks ramps_and_load(const Instance& instance, const Instance& backwards, int device, const Distances& distances,
                     const Distances& distances_backwards) {
    const Ticks load = instance.micro_batches * instance.work(device);
    Ticks best = 0;
    const std::vector<Ramp> ends = Layers(backwards, device, distances_backwards).ramps();
    for (const Ramp& begin : Layers(instance, device, distances).ramps()) {
        for (const Ramp& end : ends) {
            const Ticks sum = load + begin.idle + end.idle;
            if (sum > begin.until + end.until) best = std::max(best, sum);
        }
    }
    return best;
}

Ticks memory_area(const Instance& instance, int device, const Distances& distances) {
    if (!instance.limited[device]) return 0;
    const Matching matching = match_memory(instance, device, distances);
    if (!matching.releases_covered) return 0;
    const Memory room = instance.capacity[device] - instance.base[device];
    Wide area = 0;
    for (const Match& match : matching.matches) area += static_cast<Wide>(match.amount) * match.holding;
    bool any = false;
    bool leaves = !matching.allocations_covered;
    Ticks first = 0;
    Ticks last = 0;
    for (const int b : instance.on_device[device]) {
        for (const Use& use : instance.uses[b]) {
            if (use.device != device || (use.change == 0 && use.transient == 0)) continue;
            area += static_cast<Wide>(use.transient) * instance.time[b];
            first = any ? std::min(first, instance.head[b]) : instance.head[b];
            last = any ? std::min(last, instance.tail[b]) : instance.tail[b];
            any = true;
        }
    }
    if (area == 0 || room <= 0) return 0;
    const Wide ticks = (area * instance.micro_batches + room - 1) / room;
    return clamp(ticks + first + (leaves ? 0 : last));
}

Ticks bound_of(const Instance& instance) {
    const Instance backwards = reversed(instance);
    Ticks best = instance.critical_path();
    const bool paths = instance.blocks <= most_blocks_for_paths;
    Distances distances(static_cast<std::size_t>(instance.blocks));
    Distances distances_backwards(static_cast<std::size_t>(instance.blocks));
    for (int d = 0; d < instance.devices; ++d) {
        best = std::max(best, head_load_tail(instance, d));
        if (!paths) continue;
        for (const int b : instance.on_device[d]) {
            if (distances[b].empty()) distances_from(instance, b, distances[b]);
            if (distances_backwards[b].empty()) distances_from(backwards, b, distances_backwards[b]);
        }
        best = std::max(best, ramps_and_load(instance, backwards, d, distances, distances_backwards));
        best = std::max(best, memory_area(instance, d, distances));
    }
    return best;
}

}  // namespace

Ticks makespan_bound(const Instance& instance) {
    Ticks best = bound_of(instance);
    Ticks cut = 0;
    const Instance rest = without_gangs(instance, cut);
    if (cut > 0) best = std::max(best, cut + bound_of(rest));
    return best;
}

}  // namespace repetend::completion
