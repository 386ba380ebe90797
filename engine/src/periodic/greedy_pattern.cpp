#include "periodic/greedy_pattern.hpp"

#include <algorithm>
#include <numeric>

namespace repetend::periodic {

namespace {

constexpr Ticks longer_by_16[] = {0, 1, 2, 4, 8, 16, 32};    // periods tried, in sixteenths above the least
constexpr Ticks order_by_16[] = {4, 8, 16};                  // the first pass's, above that
constexpr Ticks extra_lag_by_64[] = {0, 1, 2, 3, 4, 6, 10};  // of a period, on every dependency of the first pass

struct Busy {
    Ticks begin = 0;  // from 0 to the period
    Ticks end = 0;    // may reach beyond the period
    int block = 0;
};

class Greedy {
public:
    Greedy(const Problem& problem, const Instance& instance, std::int64_t& work)
        : problem_(problem), instance_(instance), work_(work) {
        preds_.resize(static_cast<std::size_t>(instance.num_blocks));
        for (const Dependency& edge : instance.edges) preds_[at(edge.to)].push_back(&edge);
        const std::vector<Ticks> head = heads(problem);
        order_.resize(preds_.size());
        std::iota(order_.begin(), order_.end(), 0);
        // A predecessor's head is less, so this is a topological order.
        std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return head[at(a)] < head[at(b)]; });
    }

    // Every block from the first moment at which its devices are free in every period; false when one finds none.
    bool first_fit(Ticks period, Ticks extra_lag) {
        period_ = period;
        busy_.assign(static_cast<std::size_t>(problem_.num_devices()), {});
        start_.assign(static_cast<std::size_t>(instance_.num_blocks), 0);
        for (const int b : order_) {
            const Ticks begin = earliest(b, extra_lag);
            Ticks start = begin;
            while (const Ticks wait = until_free(b, start)) {
                start += wait;
                if (start >= begin + period) return false;
            }
            place(b, start);
        }
        return true;
    }

    // The same order around the period on every device, in a period `period`. Expects that every device's work fits and
    // no block on several devices.
    void squeeze(Ticks period) {
        std::vector<Ticks> place(static_cast<std::size_t>(instance_.num_blocks), 0);
        for (std::vector<Busy>& lane : busy_) {
            if (lane.empty()) continue;
            // Scaled, then pushed on where blocks overlap, then back where the last one runs into the next period.
            const Ticks first = scaled(lane.front().begin, period);
            Ticks end = first;
            for (Busy& one : lane) {
                const Ticks time = instance_.time[at(one.block)];
                one.begin = std::max(end, scaled(one.begin, period));
                end = one.end = one.begin + time;
            }
            Ticks limit = first + period;
            for (auto one = lane.rbegin(); one != lane.rend() && one->end > limit; ++one) {
                one->begin = limit - instance_.time[at(one->block)];
                limit = one->begin;
            }
            for (const Busy& one : lane) place[at(one.block)] = one.begin;
        }
        period_ = period;
        for (const int b : order_) {
            const Ticks begin = earliest(b, 0);
            const Ticks phase = place[at(b)] - begin;
            start_[at(b)] = begin + phase - floor_div(phase, period) * period;
        }
        work_ += instance_.num_blocks;
    }

    bool fits_memory() const {
        for (const MemoryRow& row : instance_.rows) {
            Memory held = 0;
            for (const RowTerm& term : row.terms)
                held += term.weight * (floor_div(start_[at(row.block)] - start_[at(term.block)] - 1, period_) + 1);
            work_ += static_cast<std::int64_t>(row.terms.size());
            if (held > row.limit) return false;
        }
        return true;
    }

    const std::vector<Ticks>& starts() const { return start_; }

private:
    const Problem& problem_;
    const Instance& instance_;
    std::int64_t& work_;
    Ticks period_ = 1;
    std::vector<int> order_;
    std::vector<std::vector<const Dependency*>> preds_;
    std::vector<std::vector<Busy>> busy_;  // per device, by begin; the last may reach into the next period
    std::vector<Ticks> start_;

    static std::size_t at(int k) { return static_cast<std::size_t>(k); }

    Ticks ready(const Dependency& edge, const std::vector<Ticks>& start, Ticks extra_lag) const {
        return start[at(edge.from)] + instance_.time[at(edge.from)] + edge.lag + extra_lag;
    }

    Ticks earliest(int block, Ticks extra_lag) const {
        Ticks begin = 0;
        for (const Dependency* edge : preds_[at(block)]) begin = std::max(begin, ready(*edge, start_, extra_lag));
        return begin;
    }

    Ticks scaled(Ticks phase, Ticks period) const {
        __extension__ typedef __int128 Wide;
        return static_cast<Ticks>(static_cast<Wide>(phase) * period / period_);
    }

    // 0 when the block can start then, else how long at least until it can.
    Ticks until_free(int block, Ticks start) const {
        const Ticks phase = start % period_;
        const Ticks end = phase + instance_.time[at(block)];
        for (const int device : problem_.blocks[at(block)].devices) {
            for (const Busy& one : busy_[at(device)]) {
                ++work_;
                // Once as it lies, once a period earlier or later.
                for (const Ticks moved : {one.begin - period_, one.begin, one.begin + period_}) {
                    const Ticks moved_end = moved + one.end - one.begin;
                    if (moved < end && phase < moved_end) return moved_end - phase;
                }
            }
        }
        return instance_.time[at(block)] <= period_ ? 0 : period_;
    }

    void place(int block, Ticks start) {
        start_[at(block)] = start;
        const Busy one{start % period_, start % period_ + instance_.time[at(block)], block};
        for (const int device : problem_.blocks[at(block)].devices) {
            std::vector<Busy>& lane = busy_[at(device)];
            lane.insert(std::upper_bound(lane.begin(), lane.end(), one,
                                         [](const Busy& a, const Busy& b) { return a.begin < b.begin; }),
                        one);
        }
    }
};

}  // namespace

std::optional<GreedyPattern> greedy_pattern(const Problem& problem, const Instance& instance, Ticks at_least,
                                            std::int64_t& work) {
    Greedy greedy(problem, instance, work);
    for (const Ticks longer : longer_by_16) {
        const Ticks period = at_least + at_least * longer / 16;
        for (const Ticks extra : extra_lag_by_64) {
            const Ticks lag = period * extra / 64;
            if (greedy.first_fit(period, lag) && greedy.fits_memory()) return GreedyPattern{period, greedy.starts()};
            if (!instance.gangs.empty()) continue;
            for (const Ticks order : order_by_16) {
                if (!greedy.first_fit(period + std::max<Ticks>(1, period * order / 16), lag)) continue;
                greedy.squeeze(period);
                if (greedy.fits_memory()) return GreedyPattern{period, greedy.starts()};
            }
        }
    }
    return std::nullopt;
}

}  // namespace repetend::periodic
