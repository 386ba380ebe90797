#include "completion/diagram_bound.hpp"

#include <algorithm>
#include <utility>

namespace repetend::completion {
namespace {

constexpr int most_rounds = 6;
constexpr int most_pair_rounds = 3;
constexpr std::size_t most_pairs = 64;
constexpr DiagramOptions single_options{2, 60'000, 200'000, false};
constexpr DiagramOptions pair_options{4, 60'000, 400'000, false};

}  // namespace

void DiagramBound::prepare(int number, const Instance& instance) {
    Direction& direction = directions_[number];
    direction.instance = &instance;
    direction.distances.resize(static_cast<std::size_t>(instance.blocks));
    for (int b = 0; b < instance.blocks; ++b) distances_from(instance, b, direction.distances[b]);
    const auto usable = [&](std::vector<int> devices) {
        auto diagram = std::make_unique<Diagram>(instance, direction.distances, std::move(devices));
        return diagram->usable() ? std::move(diagram) : nullptr;
    };
    direction.single.resize(static_cast<std::size_t>(instance.devices));
    direction.complete.assign(static_cast<std::size_t>(instance.devices), 0);
    for (int d = 0; d < instance.devices; ++d) {
        if (!instance.on_device[d].empty()) direction.single[d] = usable({d});
    }
    for (const auto& [first, second] : pairs_) direction.pair.push_back(usable({first, second}));
}

// Devices that depend on each other directly come first.
void DiagramBound::choose_pairs() {
    const Instance& instance = *directions_[0].instance;
    std::vector<int> ties(static_cast<std::size_t>(instance.devices * instance.devices), 0);
    for (int b = 0; b < instance.blocks; ++b) {
        for (const Edge& edge : instance.preds[b]) {
            for (const Use& from : instance.uses[edge.block]) {
                for (const Use& to : instance.uses[b]) {
                    const auto [low, high] = std::minmax(from.device, to.device);
                    ++ties[low * instance.devices + high];
                }
            }
        }
    }
    for (int low = 0; low < instance.devices; ++low) {
        for (int high = low + 1; high < instance.devices; ++high) {
            if (!instance.on_device[low].empty() && !instance.on_device[high].empty()) pairs_.push_back({low, high});
        }
    }
    std::stable_sort(pairs_.begin(), pairs_.end(), [&](const auto& a, const auto& b) {
        return ties[a.first * instance.devices + a.second] > ties[b.first * instance.devices + b.second];
    });
    if (pairs_.size() > most_pairs) pairs_.resize(most_pairs);
}

DiagramBound::DiagramBound(const Instance& forward, const Instance& backward) {
    directions_[0].instance = &forward;
    choose_pairs();
    prepare(0, forward);
    prepare(1, backward);
}

bool DiagramBound::usable() const {
    const auto& single = directions_[0].single;
    return std::any_of(single.begin(), single.end(), [](const auto& d) { return d != nullptr; });
}

void DiagramBound::begin(Ticks makespan, bool pairs) {
    const Instance& instance = *directions_[0].instance;
    makespan_ = makespan;
    with_pairs_ = pairs;
    const auto operations = static_cast<std::size_t>(instance.operations());
    Windows& windows = directions_[0].windows;
    windows.earliest.assign(operations, 0);
    windows.latest.assign(operations, 0);
    for (int b = 0; b < instance.blocks; ++b) {
        for (std::int64_t n = 0; n < instance.micro_batches; ++n) {
            windows.latest[instance.at(b, n)] = makespan - instance.time[b];
        }
    }
    for (Direction& direction : directions_) std::fill(direction.complete.begin(), direction.complete.end(), 0);
    verdict_ = propagate() ? DiagramVerdict::running : DiagramVerdict::dead;
    turn_ = {};
    running_ = nullptr;
}

// Dependencies and the order of instances; false when a window is empty.
bool DiagramBound::propagate() {
    const Instance& instance = *directions_[0].instance;
    const std::int64_t micro_batches = instance.micro_batches;
    Windows& windows = directions_[0].windows;
    for (const int b : instance.topological) {
        Ticks* earliest = windows.earliest.data() + instance.at(b, 0);
        for (const Edge& edge : instance.preds[b]) {
            const Ticks* before = windows.earliest.data() + instance.at(edge.block, 0);
            const Ticks delay = instance.time[edge.block] + edge.lag;
            for (std::int64_t n = 0; n < micro_batches; ++n) earliest[n] = std::max(earliest[n], before[n] + delay);
        }
        for (std::int64_t n = 1; n < micro_batches; ++n)
            earliest[n] = std::max(earliest[n], earliest[n - 1] + instance.time[b]);
    }
    bool open = true;
    for (auto b = instance.topological.rbegin(); b != instance.topological.rend(); ++b) {
        Ticks* latest = windows.latest.data() + instance.at(*b, 0);
        for (const Edge& edge : instance.succs[*b]) {
            const Ticks* after = windows.latest.data() + instance.at(edge.block, 0);
            const Ticks delay = instance.time[*b] + edge.lag;
            for (std::int64_t n = 0; n < micro_batches; ++n) latest[n] = std::min(latest[n], after[n] - delay);
        }
        for (std::int64_t n = micro_batches - 2; n >= 0; --n)
            latest[n] = std::min(latest[n], latest[n + 1] - instance.time[*b]);
        const Ticks* earliest = windows.earliest.data() + instance.at(*b, 0);
        for (std::int64_t n = 0; n < micro_batches; ++n) open = open && earliest[n] <= latest[n];
    }
    return open;
}

// The windows of the other direction.
void DiagramBound::mirror(int from) {
    const Instance& instance = *directions_[0].instance;
    const std::int64_t micro_batches = instance.micro_batches;
    const Windows& here = directions_[from].windows;
    Windows& there = directions_[1 - from].windows;
    there.earliest.resize(here.earliest.size());
    there.latest.resize(here.latest.size());
    for (int b = 0; b < instance.blocks; ++b) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            const std::size_t at = instance.at(b, n);
            const std::size_t image = instance.at(b, micro_batches - 1 - n);
            there.earliest[image] = makespan_ - here.latest[at] - instance.time[b];
            there.latest[image] = makespan_ - here.earliest[at] - instance.time[b];
        }
    }
}

// The least starts that a diagram has seen become the earliest ones; true when one of them is news.
bool DiagramBound::take_starts(int direction, const Diagram& diagram) {
    const Instance& instance = *directions_[direction].instance;
    bool news = false;
    for (int k = 0; k < diagram.counters().size(); ++k) {
        for (const int b : diagram.counters().members[k]) {
            for (std::int64_t n = 0; n < instance.micro_batches; ++n) {
                Ticks& earliest = directions_[direction].windows.earliest[instance.at(b, n)];
                const Ticks seen = diagram.earliest_seen(k, n);
                if (seen == Diagram::no_start || seen <= earliest) continue;
                earliest = seen;
                news = true;
            }
        }
    }
    return news;
}

const Windows& DiagramBound::windows(int direction) {
    if (direction == 1) mirror(0);
    return directions_[direction].windows;
}

// What `device` needs until the end, seen in `direction`: the table of the other one.
Diagram::Need DiagramBound::need(int direction, int device) const {
    const Direction& other = directions_[1 - direction];
    if (!other.single[device] || !other.complete[device]) return {};
    return {other.single[device].get(), &other.single[device]->reached()};
}

// The diagram whose turn it is, ready to run; null when it cannot be used.
Diagram* DiagramBound::begin_turn() {
    Direction& direction = directions_[turn_.direction];
    Diagram* const diagram = turn_.pairs ? direction.pair[turn_.at].get() : direction.single[turn_.at].get();
    if (diagram == nullptr) return nullptr;
    if (turn_.direction == 1) mirror(0);
    std::vector<Diagram::Need> needs;
    if (turn_.pairs) {
        needs = {need(turn_.direction, pairs_[turn_.at].first), need(turn_.direction, pairs_[turn_.at].second)};
    } else {
        needs = {need(turn_.direction, static_cast<int>(turn_.at))};
        direction.complete[turn_.at] = 0;
    }
    diagram->begin(direction.windows, turn_.pairs ? pair_options : single_options, needs, makespan_);
    return diagram;
}

// Whose turn comes next; false when all is done.
bool DiagramBound::end_turn() {
    turn_.direction = 1 - turn_.direction;
    if (turn_.direction == 0) return true;
    const std::size_t size = turn_.pairs ? pairs_.size() : directions_[0].single.size();
    if (++turn_.at < size) return true;
    turn_.at = 0;
    const bool again = std::exchange(turn_.changed, false);
    if (!turn_.pairs) {
        if (again && ++turn_.round < most_rounds) return true;
        if (!with_pairs_ || pairs_.empty() || turn_.pair_round == most_pair_rounds) return false;
        turn_.pairs = true;
        return true;
    }
    turn_.pairs = false;
    turn_.round = 0;
    ++turn_.pair_round;
    return again;
}

DiagramVerdict DiagramBound::step(std::int64_t work) {
    const std::int64_t until = work_ + work;
    while (verdict_ == DiagramVerdict::running && work_ < until) {
        ++work_;
        if (running_ == nullptr) {
            running_ = begin_turn();
            if (running_ == nullptr && !end_turn()) verdict_ = DiagramVerdict::alive;
            continue;
        }
        const std::int64_t before = running_->work();
        const DiagramVerdict verdict = running_->step(until - work_);
        work_ += running_->work() - before;
        if (verdict == DiagramVerdict::running) continue;
        const Diagram& diagram = *std::exchange(running_, nullptr);
        if (verdict == DiagramVerdict::dead) {
            verdict_ = verdict;
            break;
        }
        if (verdict == DiagramVerdict::alive) {
            if (!turn_.pairs) directions_[turn_.direction].complete[turn_.at] = 1;
            if (take_starts(turn_.direction, diagram)) {
                turn_.changed = true;
                if (turn_.direction == 1) mirror(1);
                if (!propagate()) {
                    verdict_ = DiagramVerdict::dead;
                    break;
                }
            }
        }
        if (!end_turn()) verdict_ = DiagramVerdict::alive;
    }
    return verdict_;
}

}  // namespace repetend::completion
