#include "completion/feasible_order.hpp"

#include <algorithm>
#include <set>

#include "completion/matching.hpp"

namespace repetend::completion {
namespace {

bool block_fits(const Instance& instance, const std::vector<Memory>& level, int block) {
    for (const Use& use : instance.uses[block]) {
        if (instance.limited[use.device] && level[use.device] + use.need() > instance.capacity[use.device])
            return false;
    }
    return true;
}

// A block that takes nothing and leaves no less room than before may run at once: whatever could follow
// without it can follow with it.
bool is_free_move(const Instance& instance, int block) {
    for (const Use& use : instance.uses[block]) {
        if (instance.limited[use.device] && use.change > 0) return false;
    }
    return true;
}

Instance one_micro_batch(const Instance& instance) {
    Instance one = instance;
    one.micro_batches = 1;
    for (int d = 0; d < instance.devices; ++d) {
        one.base[d] += std::max<Memory>(0, (instance.micro_batches - 1) * instance.net(d));
    }
    return one;
}

}  // namespace

// Depth-first over count vectors.
class FeasibleOrderSearch::Walk {
public:
    Walk(const Instance& instance, std::int64_t most_states) : instance_(instance), most_states_(most_states) {
        count_.assign(static_cast<std::size_t>(instance.blocks), 0);
        level_ = instance.base;
        rank_.resize(static_cast<std::size_t>(instance.blocks));
        for (int k = 0; k < instance.blocks; ++k) rank_[instance.topological[k]] = k;
        push_choices();
    }

    // False when over; then feasible() or dead() or neither (the limit was reached).
    bool step(std::int64_t steps) {
        const std::int64_t operations = instance_.operations();
        while (steps-- > 0) {
            if (feasible() || dead()) return false;
            Frame& frame = frames_.back();
            if (frame.next == frame.choices.size()) {
                if (static_cast<std::int64_t>(dead_.size()) >= most_states_) return false;
                dead_.insert(count_);
                frames_.pop_back();
                if (!frames_.empty()) undo();
                continue;
            }
            apply(frame.choices[frame.next++]);
            if (static_cast<std::int64_t>(path_.size()) == operations) return false;
            if (!dead_.empty() && dead_.count(count_) > 0) {
                undo();
                continue;
            }
            push_choices();
        }
        return true;
    }
    bool feasible() const { return static_cast<std::int64_t>(path_.size()) == instance_.operations(); }
    bool dead() const { return frames_.empty(); }
    const Sequence& path() const { return path_; }

private:
    struct Frame {
        std::vector<int> choices;
        std::size_t next = 0;
    };

    void apply(int block) {
        for (const Use& use : instance_.uses[block]) level_[use.device] += use.change;
        ++count_[block];
        path_.push_back(block);
    }
    void undo() {
        const int block = path_.back();
        path_.pop_back();
        --count_[block];
        for (const Use& use : instance_.uses[block]) level_[use.device] -= use.change;
    }

    void push_choices() {
        Frame frame;
        for (int b = 0; b < instance_.blocks; ++b) {
            const std::int64_t n = count_[b];
            if (n == instance_.micro_batches || !block_fits(instance_, level_, b)) continue;
            bool ready = true;
            for (const Edge& edge : instance_.preds[b]) ready = ready && count_[edge.block] > n;
            if (!ready) continue;
            if (is_free_move(instance_, b)) {
                frame.choices.assign(1, b);
                break;
            }
            frame.choices.push_back(b);
        }
        std::sort(frame.choices.begin(), frame.choices.end(),
                  [&](int a, int b) { return count_[a] != count_[b] ? count_[a] < count_[b] : rank_[a] > rank_[b]; });
        frames_.push_back(std::move(frame));
    }

    const Instance& instance_;
    std::int64_t most_states_;
    std::vector<std::int64_t> count_;
    std::vector<Memory> level_;
    std::vector<int> rank_;
    Sequence path_;
    std::vector<Frame> frames_;
    std::set<std::vector<std::int64_t>> dead_;
};

FeasibleOrderSearch::FeasibleOrderSearch(const Instance& instance, std::int64_t most_states)
    : instance_(instance), most_states_(most_states), one_(one_micro_batch(instance)) {
    for (int d = 0; d < instance.devices; ++d) {
        if (!instance.limited[d]) continue;
        const Memory last = instance.base[d] + instance.micro_batches * instance.net(d);
        if (instance.base[d] > instance.capacity[d] || last > instance.capacity[d]) finish(Feasibility::infeasible);
    }
    if (phase_ != Phase::over) walk_ = std::make_unique<Walk>(one_, most_states_);
}

FeasibleOrderSearch::~FeasibleOrderSearch() = default;

bool FeasibleOrderSearch::finish(Feasibility verdict) {
    verdict_ = verdict;
    phase_ = Phase::over;
    return false;
}

bool FeasibleOrderSearch::step(std::int64_t steps) {
    if (phase_ == Phase::over) return false;
    work_ += steps;
    if (walk_->step(steps)) return true;
    if (phase_ == Phase::all) {
        sequence_ = walk_->path();
        return finish(walk_->feasible() ? Feasibility::feasible
                      : walk_->dead()   ? Feasibility::infeasible
                                        : Feasibility::unknown);
    }
    if (walk_->feasible()) {
        const Sequence& alone = walk_->path();
        sequence_.reserve(static_cast<std::size_t>(instance_.operations()));
        for (std::int64_t n = 0; n < instance_.micro_batches; ++n) {
            sequence_.insert(sequence_.end(), alone.begin(), alone.end());
        }
        return finish(Feasibility::feasible);
    }
    bool no_growth = true;
    for (int d = 0; d < instance_.devices; ++d) {
        no_growth = no_growth && (!instance_.limited[d] || instance_.net(d) <= 0);
    }
    for_any_number_ = walk_->dead() && no_growth && only_takes_room(instance_);
    if (for_any_number_) return finish(Feasibility::infeasible);
    if (instance_.micro_batches == 1) return finish(walk_->dead() ? Feasibility::infeasible : Feasibility::unknown);
    walk_ = std::make_unique<Walk>(instance_, most_states_);
    phase_ = Phase::all;
    return true;
}

bool only_takes_room(const Instance& instance) {
    std::vector<std::vector<Ticks>> distances(static_cast<std::size_t>(instance.blocks));
    for (int d = 0; d < instance.devices; ++d) {
        if (!instance.limited[d]) continue;
        for (const int b : instance.on_device[d]) {
            if (distances[b].empty()) distances_from(instance, b, distances[b]);
        }
        if (!match_memory(instance, d, distances).releases_covered) return false;
    }
    return true;
}

}  // namespace repetend::completion
