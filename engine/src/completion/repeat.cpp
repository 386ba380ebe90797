#include "completion/repeat.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

constexpr std::size_t windows_per_length = 3;

// Grows a cut until it is closed.
class Cutter {
public:
    Cutter(const Instance& instance, const Sequence& sequence) : instance_(instance) {
        std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
        order_.resize(static_cast<std::size_t>(instance.devices));
        position_.resize(static_cast<std::size_t>(instance.uses.total() * instance.micro_batches));
        for (const int b : sequence) {
            std::int64_t at = instance.uses.first(b) * instance.micro_batches + count[b];
            for (const Use& use : instance.uses[b]) {
                position_[static_cast<std::size_t>(at)] = order_[use.device].size();
                order_[use.device].push_back({b, count[b]});
                at += instance.micro_batches;
            }
            ++count[b];
        }
        passed_.assign(static_cast<std::size_t>(instance.devices), 0);
        inside_.assign(static_cast<std::size_t>(instance.blocks), 0);
    }

    // Includes every instance below `n` of every block; the counts inside afterwards.
    const std::vector<std::int64_t>& include(std::int64_t n) {
        std::vector<Place> wanted;
        for (int b = 0; b < instance_.blocks; ++b) wanted.push_back({b, n - 1});
        while (!wanted.empty()) {
            const Place place = wanted.back();
            wanted.pop_back();
            if (inside_[place.block] > place.instance) continue;
            // All devices of the block must pass it; every operation on the way comes along.
            inside_[place.block] = place.instance + 1;
            for (const Edge& edge : instance_.preds[place.block]) wanted.push_back({edge.block, place.instance});
            std::int64_t at = instance_.uses.first(place.block) * instance_.micro_batches + place.instance;
            for (const Use& use : instance_.uses[place.block]) {
                auto& passed = passed_[use.device];
                const std::size_t position = position_[static_cast<std::size_t>(at)];
                at += instance_.micro_batches;
                for (; passed <= position; ++passed) wanted.push_back(order_[use.device][passed]);
            }
        }
        return inside_;
    }

private:
    struct Place {
        int block;
        std::int64_t instance;
    };

    const Instance& instance_;
    std::vector<std::vector<Place>> order_;  // per device
    std::vector<std::size_t> position_;      // [use * N + n]: where on that device
    std::vector<std::size_t> passed_;
    std::vector<std::int64_t> inside_;
};

Window make_window(const Sequence& sequence, const std::vector<std::int64_t>& first,
                   const std::vector<std::int64_t>& second, int copies) {
    Window window;
    window.copies = copies;
    std::vector<std::int64_t> count(first.size(), 0);
    for (const int b : sequence) {
        const std::int64_t n = count[b]++;
        (n < first[b] ? window.before : n < second[b] ? window.repeated : window.after).push_back(b);
    }
    return window;
}

}  // namespace

std::vector<Window> find_windows(const Instance& instance, const Sequence& sequence, int most_copies) {
    const std::int64_t micro_batches = instance.micro_batches;
    std::vector<std::vector<std::int64_t>> cuts;
    Cutter cutter(instance, sequence);
    for (std::int64_t n = 0; n < micro_batches; ++n) {
        cuts.push_back(n == 0 ? std::vector<std::int64_t>(static_cast<std::size_t>(instance.blocks), 0)
                              : cutter.include(n));
    }
    const auto same = [&](std::int64_t a, std::int64_t b) {
        for (int k = 0; k < instance.blocks; ++k) {
            if (cuts[b][k] - cuts[a][k] != b - a) return false;
        }
        return true;
    };
    std::vector<Window> windows;
    for (int copies = 1; copies <= most_copies; ++copies) {
        std::vector<std::int64_t> firsts;
        for (std::int64_t n = 0; n + copies < micro_batches; ++n) {
            if (!same(n, n + copies)) continue;
            // A window made of shorter windows that repeat says nothing new.
            bool shorter = false;
            for (int part = 1; part < copies; ++part) shorter = shorter || (copies % part == 0 && same(n, n + part));
            if (!shorter) firsts.push_back(n);
        }
        const std::size_t size = std::min(firsts.size(), windows_per_length);
        for (std::size_t k = 0; k < size; ++k) {
            // The middle first, then towards the ends.
            const std::size_t at = firsts.size() * (2 * k + 1) / (2 * size);
            Window window = make_window(sequence, cuts[firsts[at]], cuts[firsts[at] + copies], copies);
            bool known = false;
            for (const Window& other : windows)
                known = known || (other.repeated == window.repeated && other.before == window.before);
            if (!known) windows.push_back(std::move(window));
        }
    }
    return windows;
}

Sequence extended(const Window& window, std::int64_t times) {
    Sequence sequence;
    sequence.reserve(window.before.size() + window.after.size() +
                     window.repeated.size() * static_cast<std::size_t>(times + 1));
    sequence.insert(sequence.end(), window.before.begin(), window.before.end());
    for (std::int64_t k = 0; k <= times; ++k) {
        sequence.insert(sequence.end(), window.repeated.begin(), window.repeated.end());
    }
    sequence.insert(sequence.end(), window.after.begin(), window.after.end());
    return sequence;
}

namespace {

// Left shift, operation by operation, that remembers only the last instances of each block.
class Shifter {
public:
    Shifter(const Instance& instance, std::int64_t remembered)
        : instance_(instance),
          remembered_(remembered),
          free_(static_cast<std::size_t>(instance.devices), 0),
          count_(static_cast<std::size_t>(instance.blocks), 0),
          start_(static_cast<std::size_t>(instance.blocks * remembered), 0) {}

    Ticks run(int b) {
        const std::int64_t n = count_[b]++;
        Ticks start = 0;
        for (const Use& use : instance_.uses[b]) start = std::max(start, free_[use.device]);
        for (const Edge& edge : instance_.preds[b]) {
            start = std::max(start, at(edge.block, n) + instance_.time[edge.block] + edge.lag);
        }
        const Ticks end = start + instance_.time[b];
        for (const Use& use : instance_.uses[b]) free_[use.device] = end;
        at(b, n) = start;
        makespan_ = std::max(makespan_, end);
        return start;
    }
    Ticks makespan() const { return makespan_; }

private:
    Ticks& at(int b, std::int64_t n) { return start_[static_cast<std::size_t>(b * remembered_ + n % remembered_)]; }

    const Instance& instance_;
    std::int64_t remembered_;
    std::vector<Ticks> free_;
    std::vector<std::int64_t> count_;
    std::vector<Ticks> start_;
    Ticks makespan_ = 0;
};

}  // namespace

Ticks extended_makespan(const Instance& instance, const Window& window, std::int64_t times, Ticks& growth,
                        std::int64_t& work) {
    // How far the instance numbers of two blocks drift apart: never more than in the sequence itself.
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    std::int64_t apart = 0;
    const auto pass = [&](const Sequence& part) {
        for (const int b : part) {
            for (const Edge& edge : instance.preds[b]) apart = std::max(apart, count[edge.block] - count[b]);
            ++count[b];
        }
    };
    pass(window.before);
    pass(window.repeated);
    pass(window.after);
    const std::int64_t reach = apart / window.copies + 2;  // windows

    Shifter shifter(instance, apart + window.copies + 1);
    for (const int b : window.before) shifter.run(b);
    std::vector<Ticks> last(window.repeated.size(), 0);
    std::vector<Ticks> now(window.repeated.size(), 0);
    std::int64_t steady = 0;  // windows in a row with the same growth
    growth = 0;
    std::int64_t k = 0;
    for (; k <= times; ++k) {
        for (std::size_t o = 0; o < now.size(); ++o) now[o] = shifter.run(window.repeated[o]);
        const Ticks step = now[0] - last[0];
        bool uniform = k > 0;
        for (std::size_t o = 0; uniform && o < now.size(); ++o) uniform = now[o] - last[o] == step;
        steady = !uniform ? 0 : step == growth ? steady + 1 : 1;
        growth = step;
        std::swap(last, now);
        if (steady > reach) break;
    }
    const std::int64_t run = std::min(k, times);
    work += static_cast<std::int64_t>(window.before.size() + window.after.size()) +
            (run + 1) * static_cast<std::int64_t>(window.repeated.size());
    for (const int b : window.after) shifter.run(b);
    // All that comes after a steady stretch is later by the same amount, and the end lies there.
    return shifter.makespan() + (times - run) * growth;
}

}  // namespace repetend::completion
