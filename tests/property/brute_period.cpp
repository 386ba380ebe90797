// See the header for the definition, the method and why its horizon loses nothing.
#include "property/brute_period.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "repetend/model/schedule.hpp"

namespace repetend::testing {
namespace {

constexpr Ticks unbounded = std::numeric_limits<Ticks>::min() / 4;

Ticks floor_divide(Ticks a, Ticks b) { return a / b - (a % b != 0 && a < 0 ? 1 : 0); }

// Longest distances: at(x, y) is a lower bound on start(y) - start(x), closed under adding.
class Distances {
public:
    explicit Distances(int nodes) : nodes_(nodes), bound_(static_cast<std::size_t>(nodes * nodes), unbounded) {
        for (int x = 0; x < nodes; ++x) bound_[index(x, x)] = 0;
    }
    Ticks at(int x, int y) const { return bound_[index(x, y)]; }
    int nodes() const { return nodes_; }

    // start(y) - start(x) >= length; false when this closes a positive cycle.
    bool add(int x, int y, Ticks length) {
        if (at(x, y) >= length) return true;
        if (at(y, x) != unbounded && at(y, x) + length > 0) return false;
        for (int p = 0; p < nodes_; ++p) {
            if (at(p, x) == unbounded) continue;
            for (int q = 0; q < nodes_; ++q) {
                if (at(y, q) == unbounded) continue;
                Ticks& bound = bound_[index(p, q)];
                bound = std::max(bound, at(p, x) + length + at(y, q));
            }
        }
        return true;
    }

private:
    std::size_t index(int x, int y) const { return static_cast<std::size_t>(x * nodes_ + y); }

    int nodes_;
    std::vector<Ticks> bound_;
};

// start(to) - start(from) >= length + periods * T
struct Arc {
    int from;
    int to;
    Ticks length;
    std::int64_t periods;
};

struct Range {
    std::int64_t least;
    std::int64_t most;
};

class Search {
public:
    Search(const Problem& problem, int copies, std::int64_t most_nodes, std::optional<std::int64_t> max_in_flight)
        : problem_(problem),
          blocks_(problem.num_blocks()),
          copies_(copies),
          most_nodes_(most_nodes),
          max_in_flight_(max_in_flight) {
        for (int i = 0; i < blocks_; ++i) {
            for (int j = i + 1; j < blocks_; ++j) {
                if (share_a_device(i, j)) neighbours_.push_back({i, j});
            }
        }
    }

    BrutePeriod run() {
        result_.allocations_matched = find_if_matched() || max_in_flight_.has_value();
        if (hopeless()) return result_;
        Ticks longest = 0;
        for (int i = 0; i < blocks_; ++i) longest += copies_ * (block(i).time + largest_lag_from(i));
        if (!try_period(longest)) return result_;
        Ticks load = 1;
        for (int d = 0; d < problem_.num_devices(); ++d) load = std::max(load, copies_ * work_ticks(problem_, d));
        if (result_.pattern->period > load && result_.complete && !try_period(load)) {
            while (result_.complete && try_period(result_.pattern->period - 1)) continue;
        }
        return result_;
    }

private:
    const Block& block(int i) const { return problem_.blocks[static_cast<std::size_t>(i)]; }
    int node(int i, int copy) const { return i * copies_ + copy; }
    bool runs_on(int i, int device) const {
        const std::vector<int>& devices = block(i).devices;
        return std::find(devices.begin(), devices.end(), device) != devices.end();
    }
    bool share_a_device(int i, int j) const {
        const std::vector<int>& devices = block(i).devices;
        return std::any_of(devices.begin(), devices.end(), [&](int d) { return runs_on(j, d); });
    }
    Ticks largest_lag_from(int i) const {
        Ticks lag = 0;
        for (const Dependency& edge : problem_.dependencies) lag = edge.from == i ? std::max(lag, edge.lag) : lag;
        return lag;
    }
    Memory sum_of_changes(int device) const {
        Memory sum = 0;
        for (int i = 0; i < blocks_; ++i) sum += memory_on(block(i), device);
        return sum;
    }
    // Whether the device's memory bounds anything.
    bool has_rows(int device) const {
        return problem_.devices[static_cast<std::size_t>(device)].memory_capacity && sum_of_changes(device) == 0;
    }

    bool hopeless() const {
        for (int d = 0; d < problem_.num_devices(); ++d) {
            const Device& device = problem_.devices[static_cast<std::size_t>(d)];
            if (!device.memory_capacity) continue;
            if (device.memory_static > *device.memory_capacity || sum_of_changes(d) > 0) return true;
        }
        return false;
    }

    // No closed set of blocks has a positive sum on a device whose rows count.
    bool find_if_matched() const {
        for (unsigned set = 0; set < 1u << blocks_; ++set) {
            const auto in_set = [&](int i) { return ((set >> i) & 1u) != 0; };
            const bool closed =
                std::all_of(problem_.dependencies.begin(), problem_.dependencies.end(),
                            [&](const Dependency& edge) { return !in_set(edge.from) || in_set(edge.to); });
            if (!closed) continue;
            for (int d = 0; d < problem_.num_devices(); ++d) {
                Memory sum = 0;
                for (int i = 0; i < blocks_; ++i) sum += in_set(i) ? memory_on(block(i), d) : 0;
                if (has_rows(d) && sum > 0) return false;
            }
        }
        return true;
    }

    // Component number of each block when dependencies from `left_out_from` to `left_out_to` are left out.
    std::vector<int> component_numbers(int left_out_from, int left_out_to) const {
        std::vector<int> number(static_cast<std::size_t>(blocks_));
        for (int i = 0; i < blocks_; ++i) number[static_cast<std::size_t>(i)] = i;
        for (int round = 0; round < blocks_; ++round) {
            for (const Dependency& edge : problem_.dependencies) {
                if (edge.from == left_out_from && edge.to == left_out_to) continue;
                int& a = number[static_cast<std::size_t>(edge.from)];
                int& b = number[static_cast<std::size_t>(edge.to)];
                a = b = std::min(a, b);
            }
        }
        return number;
    }

    // See the header: the horizon with `max_in_flight`.
    bool add_limited_horizon(Distances& distances, Ticks period) const {
        const std::int64_t limit = *max_in_flight_;
        Ticks step = 0;
        for (int i = 0; i < blocks_; ++i) step = std::max(step, block(i).time + largest_lag_from(i));
        step += (limit + 2) * period;
        for (int x = 0; x < blocks_; ++x) {
            for (int y = 0; y < blocks_; ++y) {
                if (!distances.add(x, y, -(blocks_ - 1) * step)) return false;
            }
        }
        for (const auto& [i, j] : neighbours_) {
            if (!add(distances, order_arcs(i, j, 0, 1 - limit).first)) return false;
            if (!add(distances, order_arcs(i, j, 0, limit).second)) return false;
        }
        return true;
    }

    // Whether indices within `max_in_flight` consecutive values go with the decided orders.
    bool indices_exist(const Distances& distances) const {
        std::vector<Arc> arcs;
        for (const auto& [i, j] : neighbours_) {
            const std::int64_t before = range_of(distances, i, j, 0).least;
            arcs.push_back({i, j, -before, 0});
            arcs.push_back({j, i, before - 1, 0});
        }
        for (int i = 0; i < blocks_; ++i) {
            for (int j = 0; j < blocks_; ++j) arcs.push_back({i, j, 1 - *max_in_flight_, 0});
        }
        return starts_for(arcs, 0).has_value();
    }

    // For problems whose horizon is only a guess: an unmatched allocation may have to fall behind by as many
    // periods as there are amounts to make up for.
    std::int64_t spare_periods() const {
        constexpr Memory most = 40;
        std::int64_t periods = 4;
        for (int d = 0; d < problem_.num_devices(); ++d) {
            Memory sum = 0;
            for (int i = 0; i < blocks_; ++i) sum += std::min(most, std::abs(memory_on(block(i), d)));
            periods = std::max(periods, std::min(most, sum));
        }
        return periods;
    }

    bool add_horizon(Distances& distances, Ticks period) const {
        if (max_in_flight_) return add_limited_horizon(distances, period);
        const Ticks spare = (copies_ == 1 ? 1 : 2) * period - 1;
        Ticks longest = (blocks_ - 1) * spare;
        for (const Dependency& edge : problem_.dependencies) longest += block(edge.from).time + edge.lag;
        if (!result_.allocations_matched) {
            longest += spare_periods() * period;
            for (int x = 0; x < distances.nodes(); ++x) {
                for (int y = 0; y < distances.nodes(); ++y) {
                    if (!distances.add(x, y, -longest)) return false;
                }
            }
            return true;
        }
        for (const Dependency& edge : problem_.dependencies) {
            const std::vector<int> parts = component_numbers(edge.from, edge.to);
            const bool bridge = parts[static_cast<std::size_t>(edge.from)] != parts[static_cast<std::size_t>(edge.to)];
            Ticks lag = 0;  // the largest of parallel edges: the one that binds
            for (const Dependency& other : problem_.dependencies) {
                if (other.from == edge.from && other.to == edge.to) lag = std::max(lag, other.lag);
            }
            const Ticks most = bridge ? block(edge.from).time + lag + spare : longest;
            for (int c = 0; c < copies_; ++c) {
                if (!distances.add(node(edge.to, c), node(edge.from, c), -most)) return false;
            }
        }
        const std::vector<int> component = component_numbers(-1, -1);
        for (int i = 1; i < blocks_; ++i) {
            if (component[static_cast<std::size_t>(i)] != i) continue;
            if (!distances.add(node(0, 0), node(i, 0), 0)) return false;
            if (!distances.add(node(i, 0), node(0, 0), -(period - 1))) return false;
        }
        return true;
    }

    std::vector<Arc> fixed_arcs() const {
        std::vector<Arc> arcs;
        for (int i = 0; i < blocks_; ++i) {
            for (int c = 0; c < copies_; ++c) {
                const bool last = c + 1 == copies_;
                if (copies_ > 1) arcs.push_back({node(i, c), node(i, last ? 0 : c + 1), block(i).time, last ? -1 : 0});
            }
        }
        for (const Dependency& edge : problem_.dependencies) {
            for (int c = 0; c < copies_; ++c) {
                arcs.push_back({node(edge.from, c), node(edge.to, c), block(edge.from).time + edge.lag, 0});
            }
        }
        return arcs;
    }

    // Exactly `count` instances of i start before copy c of j.
    std::pair<Arc, Arc> order_arcs(int i, int j, int c, std::int64_t count) const {
        const std::int64_t turn = floor_divide(count, copies_);
        const auto copy = static_cast<int>(count - turn * copies_);
        const std::int64_t turn_before = floor_divide(count - 1, copies_);
        const auto copy_before = static_cast<int>(count - 1 - turn_before * copies_);
        return {Arc{node(i, copy_before), node(j, c), block(i).time, turn_before},
                Arc{node(j, c), node(i, copy), block(j).time, -turn}};
    }

    bool add(Distances& distances, const Arc& arc) const {
        return distances.add(arc.from, arc.to, arc.length + arc.periods * period_);
    }

    // How many instances of i may start before copy c of j, given the distances.
    Range range_of(const Distances& distances, int i, int j, int c) const {
        Range range{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
        for (int x = 0; x < copies_; ++x) {
            // Instance x + n*copies cannot wait for the end of j when start(i, x) - start(j, c) + n*T < t_j for sure.
            const Ticks most_gap = -distances.at(node(i, x), node(j, c));
            const std::int64_t before = floor_divide(block(j).time - 1 - most_gap, period_);
            range.least = std::max(range.least, x + copies_ * before + 1);
            // It cannot end before j starts when start(i, x) - start(j, c) + n*T > -t_i for sure.
            const Ticks least_gap = distances.at(node(j, c), node(i, x));
            const std::int64_t after = floor_divide(-block(i).time - least_gap, period_) + 1;
            range.most = std::min(range.most, x + copies_ * after);
        }
        return range;
    }

    bool memory_can_fit(const Distances& distances) const {
        for (int d = 0; d < problem_.num_devices(); ++d) {
            if (!has_rows(d)) continue;
            const Device& device = problem_.devices[static_cast<std::size_t>(d)];
            for (int a = 0; a < blocks_; ++a) {
                if (!runs_on(a, d)) continue;
                const Memory own = memory_on(block(a), d);
                for (int c = 0; c < copies_; ++c) {
                    Memory held = device.memory_static + transient_on(block(a), d) + std::max<Memory>(own, 0) + own * c;
                    for (int i = 0; i < blocks_; ++i) {
                        const Memory change = memory_on(block(i), d);
                        if (i == a || change == 0) continue;
                        const Range range = range_of(distances, i, a, c);
                        held += change * (change > 0 ? range.least : range.most);
                    }
                    if (held > *device.memory_capacity) return false;
                }
            }
        }
        return true;
    }

    bool try_period(Ticks period) {
        period_ = period;
        for (int i = 0; i < blocks_; ++i) {
            if (copies_ * block(i).time > period) return false;
        }
        Distances distances(blocks_ * copies_);
        for (const Arc& arc : fixed_arcs()) {
            if (!add(distances, arc)) return false;
        }
        return add_horizon(distances, period) && extend(distances);
    }

    // Decides the open pair with the fewest choices, in every way. On success the pattern is in the result.
    bool extend(const Distances& distances) {
        if (++result_.nodes > most_nodes_) {
            result_.complete = false;
            return false;
        }
        int best_i = -1;
        int best_j = -1;
        int best_copy = -1;
        Range best{0, std::numeric_limits<std::int64_t>::max()};
        for (const auto& [i, j] : neighbours_) {
            for (int c = 0; c < copies_; ++c) {
                const Range range = range_of(distances, i, j, c);
                if (range.least > range.most) return false;
                const bool decided = range.least == range.most && holds(distances, i, j, c, range.least);
                if (decided || range.most - range.least >= best.most - best.least) continue;
                best = range;
                best_i = i;
                best_j = j;
                best_copy = c;
            }
        }
        if (!memory_can_fit(distances)) return false;
        if (best_i < 0) return accept(distances);
        for (std::int64_t count = best.least; count <= best.most; ++count) {
            const auto [after, before] = order_arcs(best_i, best_j, best_copy, count);
            Distances next = distances;
            if (!add(next, after) || !add(next, before)) continue;
            if (extend(next)) return true;
        }
        return false;
    }

    bool holds(const Distances& distances, int i, int j, int c, std::int64_t count) const {
        const auto [after, before] = order_arcs(i, j, c, count);
        return distances.at(after.from, after.to) >= after.length + after.periods * period_ &&
               distances.at(before.from, before.to) >= before.length + before.periods * period_;
    }

    // Every order is decided: the least period for these orders, and its pattern.
    bool accept(const Distances& distances) {
        if (max_in_flight_ && !indices_exist(distances)) return false;
        std::vector<Arc> arcs = fixed_arcs();
        for (const auto& [i, j] : neighbours_) {
            for (int c = 0; c < copies_; ++c) {
                const auto [after, before] = order_arcs(i, j, c, range_of(distances, i, j, c).least);
                arcs.push_back(after);
                arcs.push_back(before);
            }
        }
        Ticks too_short = 0;
        for (int i = 0; i < blocks_; ++i) too_short = std::max(too_short, copies_ * block(i).time - 1);
        Ticks enough = period_;
        while (enough - too_short > 1) {
            const Ticks middle = too_short + (enough - too_short) / 2;
            (starts_for(arcs, middle) ? enough : too_short) = middle;
        }
        const std::optional<std::vector<Ticks>> starts = starts_for(arcs, enough);
        if (!starts) throw std::logic_error("brute force: decided orders without a schedule");
        PeriodicPattern pattern;
        pattern.period = enough;
        pattern.copies = copies_;
        for (int i = 0; i < blocks_; ++i) {
            const auto first = starts->begin() + node(i, 0);
            pattern.start.emplace_back(first, first + copies_);
        }
        if (const std::string fault = pattern_fault(problem_, pattern); !fault.empty()) {
            throw std::logic_error("brute force: its own pattern is wrong: " + fault);
        }
        result_.pattern = std::move(pattern);
        return true;
    }

    // Bellman-Ford from 0 everywhere; none when there is a positive cycle.
    std::optional<std::vector<Ticks>> starts_for(const std::vector<Arc>& arcs, Ticks period) const {
        std::vector<Ticks> start(static_cast<std::size_t>(blocks_ * copies_), 0);
        for (int round = 0; round <= blocks_ * copies_; ++round) {
            bool changed = false;
            for (const Arc& arc : arcs) {
                const Ticks least = start[static_cast<std::size_t>(arc.from)] + arc.length + arc.periods * period;
                Ticks& at = start[static_cast<std::size_t>(arc.to)];
                if (at >= least) continue;
                at = least;
                changed = true;
            }
            if (!changed) return start;
        }
        return std::nullopt;
    }

    const Problem& problem_;
    int blocks_;
    int copies_;
    std::int64_t most_nodes_;
    std::optional<std::int64_t> max_in_flight_;
    std::vector<std::pair<int, int>> neighbours_;  // pairs of blocks that share a device
    Ticks period_ = 0;
    BrutePeriod result_;
};

}  // namespace

BrutePeriod brute_period(const Problem& problem, int copies, std::int64_t most_nodes,
                         std::optional<std::int64_t> max_in_flight) {
    return Search(problem, copies, most_nodes, max_in_flight).run();
}

}  // namespace repetend::testing
