// The linear partition problem, by dynamic programming over (stages, layers): first the least longest stage, then,
// with that as a limit, the least sum of squared stage times. Both passes are exact; layers are some hundreds, so
// O(stages * layers^2) is nothing.
#include "repetend/cost/partition.hpp"

#include <algorithm>
#include <limits>

namespace repetend::cost {

namespace {

class Partitioner {
public:
    Partitioner(const std::vector<std::int64_t>& layer_ns, std::int64_t stages, std::int64_t head_ns,
                std::int64_t tail_ns)
        : layers_(layer_ns.size()), stages_(static_cast<std::size_t>(stages)), head_(head_ns), tail_(tail_ns) {
        sums_.push_back(0);
        for (const std::int64_t time : layer_ns) sums_.push_back(sums_.back() + time);
    }

    std::vector<std::int64_t> run() {
        const double limit = solve(std::numeric_limits<double>::infinity(),
                                   [](double before, double stage) { return std::max(before, stage); });
        solve(limit, [](double before, double stage) { return before + stage * stage; });
        std::vector<std::int64_t> counts(stages_);
        std::size_t end = layers_;
        for (std::size_t k = stages_; k-- > 0;) {
            const std::size_t begin = cut_[k * (layers_ + 1) + end];
            counts[k] = static_cast<std::int64_t>(end - begin);
            end = begin;
        }
        return counts;
    }

private:
    double stage_ns(std::size_t stage, std::size_t begin, std::size_t end) const {
        std::int64_t time = sums_[end] - sums_[begin];
        if (stage == 0) time += head_;
        if (stage + 1 == stages_) time += tail_;
        return static_cast<double>(time);
    }

    // Least cost of everything; stages above `limit` are not allowed.
    template <class Join>
    double solve(double limit, Join join) {
        constexpr double none = std::numeric_limits<double>::infinity();
        std::vector<double> best(layers_ + 1, none);
        best[0] = 0;
        cut_.assign(stages_ * (layers_ + 1), 0);
        for (std::size_t k = 0; k < stages_; ++k) {
            std::vector<double> next(layers_ + 1, none);
            for (std::size_t end = k + 1; end + (stages_ - k - 1) <= layers_; ++end) {
                for (std::size_t begin = k; begin < end; ++begin) {  // smallest first: the longest last stage wins ties
                    if (best[begin] == none) continue;
                    const double stage = stage_ns(k, begin, end);
                    if (stage > limit) continue;
                    const double cost = join(best[begin], stage);
                    if (cost >= next[end]) continue;
                    next[end] = cost;
                    cut_[k * (layers_ + 1) + end] = begin;
                }
            }
            best = std::move(next);
        }
        return best[layers_];
    }

    std::size_t layers_, stages_;
    std::int64_t head_, tail_;
    std::vector<std::int64_t> sums_;
    std::vector<std::size_t> cut_;  // (stage, end) -> begin of the stage
};

}  // namespace

std::vector<std::int64_t> balanced_partition(const std::vector<std::int64_t>& layer_ns, std::int64_t stages,
                                             std::int64_t head_ns, std::int64_t tail_ns) {
    return Partitioner(layer_ns, stages, head_ns, tail_ns).run();
}

std::vector<std::int64_t> uniform_partition(std::int64_t layers, std::int64_t stages) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(stages), layers / stages);
    for (std::int64_t k = 0; k < layers % stages; ++k) ++counts[static_cast<std::size_t>(stages - 1 - k)];
    return counts;
}

}  // namespace repetend::cost
