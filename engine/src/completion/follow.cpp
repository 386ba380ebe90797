#include "completion/follow.hpp"

#include <algorithm>

#include "repetend/verify/verify_schedule.hpp"

namespace repetend::completion {
namespace {

constexpr std::size_t most_cuts = 48;
constexpr Ticks most_periods_given_up = 3;  // at each end of the middle
constexpr std::int64_t first_decodes = 40;  // for each cut; more for those that survive a round
constexpr std::size_t cuts_kept = 4;        // one in so many survives a round
constexpr std::int64_t most_work_per_round = 500'000;

// The stretch in which every block has an instance whenever the pattern asks for one.
struct Stretch {
    Ticks begin = 0;
    Ticks end = 0;
};

Stretch full_stretch(const PeriodicPattern& pattern, std::int64_t micro_batches) {
    Stretch stretch;
    const int blocks = static_cast<int>(pattern.start.size());
    for (int b = 0; b < blocks; ++b) {
        const Ticks begin = pattern_start(pattern, b, -1) + 1;
        const Ticks end = pattern_start(pattern, b, micro_batches);
        stretch.begin = b == 0 ? begin : std::max(stretch.begin, begin);
        stretch.end = b == 0 ? end : std::min(stretch.end, end);
    }
    return stretch;
}

Ticks least_start(const PeriodicPattern& pattern) {
    Ticks least = pattern.start[0][0];
    for (const auto& copies : pattern.start) least = std::min(least, copies[0]);
    return least;
}

Frozen freeze(const Instance& instance, const Timing& timing, const Sequence& sequence, Ticks until) {
    Frozen frozen;
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    for (const int b : sequence) {
        const Ticks start = timing.start[instance.at(b, count[b]++)];
        if (start >= until) break;
        frozen.sequence.push_back(b);
        frozen.start.push_back(start);
    }
    return frozen;
}

}  // namespace

Timing unroll(const Instance& instance, const PeriodicPattern& pattern, std::int64_t micro_batches) {
    Timing timing;
    const Ticks least = least_start(pattern);
    for (int b = 0; b < instance.blocks; ++b) {
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            const Ticks start = pattern_start(pattern, b, n) - least;
            timing.start.push_back(start);
            timing.makespan = std::max(timing.makespan, start + instance.time[b]);
        }
    }
    return timing;
}

// One end of the schedule, seen so that the free operations come last: cooldown as it is, warmup reversed.
class Follower::End {
public:
    End(const Instance& instance, Timing rigid, const std::vector<Ticks>& cuts, Ticks rate, std::uint64_t seed)
        : instance_(instance),
          rigid_(std::move(rigid)),
          cuts_(cuts.begin(), cuts.end()),
          rate_(rate),
          seed_(seed),
          sequence_(by_start(instance, rigid_)),
          scheduler_(instance, sequence_) {
        best_makespan_ = std::numeric_limits<Ticks>::max();
        begin();
    }

    // One decode; false when over. `improved()` tells whether the end got shorter.
    bool step() {
        improved_ = false;
        if (over_) return false;
        const std::int64_t before = search_->work();
        const bool more = search_->step();
        work_ += search_->work() - before + static_cast<std::int64_t>(frozen_.sequence.size()) / 16;
        if (search_->improved() && search_->best_makespan() < best_makespan_) {
            best_makespan_ = search_->best_makespan();
            best_frozen_ = frozen_;
            best_ = search_->best();
            improved_ = true;
        }
        if (!more) next();
        return true;
    }
    bool improved() const { return improved_; }
    bool known() const { return !best_.empty(); }
    std::int64_t work() const { return work_; }
    const Frozen& frozen() const { return best_frozen_; }
    const Sequence& sequence() const { return best_; }

private:
    // Where the frozen part ends, and the best found with that.
    struct Cut {
        Cut(Ticks cut_time = 0) : time(cut_time) {}
        Ticks time;
        Ticks makespan = 0;
        Sequence best;
    };

    void begin() {
        const Cut& cut = cuts_[at_];
        frozen_ = freeze(instance_, rigid_, sequence_, cut.time);
        scheduler_.set_reference(sequence_);
        const Ticks least = least_makespan();
        const std::vector<Side> sides{{&instance_, &scheduler_, &frozen_}};
        search_ = std::make_unique<KeySearch>(sides, sequence_, rate_, least, seed_);
        search_->add_start(0, keys_of(rigid_));
        if (best_makespan_ <= least) return;  // an epoch that has not begun is over at once
        if (!cut.best.empty()) search_->offer(cut.best);
        const auto free = instance_.operations() - static_cast<std::int64_t>(frozen_.sequence.size());
        const std::int64_t share = most_work_per_round / static_cast<std::int64_t>(cuts_.size());
        search_->begin_epoch(std::min(share, decodes_ * std::max<std::int64_t>(free, 1)));
    }

    void next() {
        cuts_[at_].makespan = search_->best_makespan();
        cuts_[at_].best = search_->best();
        if (++at_ == cuts_.size()) {
            if (cuts_.size() == 1) {
                over_ = true;
                return;
            }
            std::stable_sort(cuts_.begin(), cuts_.end(),
                             [](const Cut& a, const Cut& b) { return a.makespan < b.makespan; });
            cuts_.resize((cuts_.size() + cuts_kept - 1) / cuts_kept);
            decodes_ *= cuts_kept;
            at_ = 0;
        }
        begin();
    }

    // What no order of the free operations can beat: paths and loads from the frozen ones on.
    Ticks least_makespan() const {
        std::vector<Ticks> free(static_cast<std::size_t>(instance_.devices), 0);
        std::vector<std::int64_t> count(static_cast<std::size_t>(instance_.blocks), 0);
        Ticks least = 0;
        for (std::size_t k = 0; k < frozen_.sequence.size(); ++k) {
            const int b = frozen_.sequence[k];
            ++count[b];
            const Ticks end = frozen_.start[k] + instance_.time[b];
            for (const Use& use : instance_.uses[b]) free[use.device] = end;
            least = std::max(least, end);
        }
        for (int b = 0; b < instance_.blocks; ++b) {
            for (const Edge& edge : instance_.preds[b]) {
                for (std::int64_t n = count[b]; n < count[edge.block]; ++n) {
                    const Ticks ready =
                        rigid_.start[instance_.at(edge.block, n)] + instance_.time[edge.block] + edge.lag;
                    least = std::max(least, ready + instance_.time[b] + instance_.tail[b]);
                }
            }
        }
        for (int d = 0; d < instance_.devices; ++d) {
            Ticks load = 0;
            Ticks tail = std::numeric_limits<Ticks>::max();
            for (const int b : instance_.on_device[d]) {
                const std::int64_t left = instance_.micro_batches - count[b];
                load += left * instance_.time[b];
                if (left > 0) tail = std::min(tail, instance_.tail[b]);
            }
            if (load > 0) least = std::max(least, free[d] + load + tail);
        }
        return least;
    }

    const Instance& instance_;
    Timing rigid_;
    std::vector<Cut> cuts_;
    Ticks rate_;
    std::uint64_t seed_;
    Sequence sequence_;
    ListScheduler scheduler_;
    Frozen frozen_;
    std::unique_ptr<KeySearch> search_;
    std::size_t at_ = 0;
    std::int64_t decodes_ = first_decodes;  // for each cut, this round
    bool over_ = false;
    bool improved_ = false;
    std::int64_t work_ = 0;
    Ticks best_makespan_ = 0;
    Frozen best_frozen_;
    Sequence best_;
};

Follower::Follower(const Problem& problem, const PeriodicPattern& pattern, std::int64_t micro_batches, Ticks target,
                   std::uint64_t seed)
    : micro_batches_(micro_batches), target_(target) {
    best_.pattern = pattern;
    const Ticks period = pattern.period;
    if (repeats(pattern, micro_batches) < 2) return;
    // Long enough that what lies before the middle and what lies after it have nothing to do with each other.
    const std::int64_t apart = unroll(make_instance(problem, 1), pattern, 1).makespan / period + 4;
    std::int64_t small = micro_batches % pattern.copies + pattern.copies * apart;
    while (small < micro_batches && repeats(pattern, small) < apart) small += pattern.copies;
    small = std::min(small, micro_batches);

    forward_ = std::make_unique<Instance>(make_instance(problem, small));
    backward_ = std::make_unique<Instance>(reversed(*forward_));
    rigid_ = unroll(*forward_, pattern, small);
    if (verify_schedule(problem, make_schedule(rigid_, forward_->blocks))) return;
    possible_ = true;
    best_.small = small;
    best_.timing = rigid_;
    best_.shift = -least_start(pattern);
    best_.before.assign(static_cast<std::size_t>(forward_->blocks), 0);
    best_.after.assign(static_cast<std::size_t>(forward_->blocks), 0);

    const Ticks least = least_start(pattern);
    const Stretch stretch = full_stretch(pattern, small);
    const Ticks begin = stretch.begin - least;
    const Ticks end = stretch.end - least;
    const Ticks room = std::min((end - begin - 2 * period) / 2, most_periods_given_up * period);
    // Only moments at which something ends (before the middle) or starts (after it) differ as cuts.
    const auto cuts_from = [&](Ticks first, int direction) {
        std::vector<Ticks> distances{0};
        for (int b = 0; b < forward_->blocks; ++b) {
            for (const Ticks start : pattern.start[b]) {
                const Ticks event = start + (direction > 0 ? forward_->time[b] : 0) - least;
                Ticks distance = (event - first) % period * direction;
                if (distance < 0) distance += period;
                for (; distance <= room; distance += period) distances.push_back(distance);
            }
        }
        std::sort(distances.begin(), distances.end());
        distances.erase(std::unique(distances.begin(), distances.end()), distances.end());
        std::vector<Ticks> cuts;
        const std::size_t size = std::min(distances.size(), most_cuts);
        for (std::size_t k = 0; k < size; ++k)
            cuts.push_back(first + direction * distances[k * distances.size() / size]);
        return cuts;
    };
    // Reversed, an operation starts where its end was: free are those that end by the cut.
    Timing mirrored = rigid_;
    const Keys reversed_ends = reversed_keys_of(*forward_, rigid_);
    for (std::size_t k = 0; k < mirrored.start.size(); ++k) mirrored.start[k] = rigid_.makespan + reversed_ends[k];
    std::vector<Ticks> mirrored_cuts;
    for (const Ticks cut : cuts_from(begin, 1)) mirrored_cuts.push_back(rigid_.makespan - cut);
    warmup_ = std::make_unique<End>(*backward_, std::move(mirrored), mirrored_cuts, period / pattern.copies, seed);
    cooldown_ = std::make_unique<End>(*forward_, rigid_, cuts_from(end, -1), period / pattern.copies, seed + 1);
}

std::int64_t Follower::repeats(const PeriodicPattern& pattern, std::int64_t micro_batches) {
    const Stretch stretch = full_stretch(pattern, micro_batches);
    return stretch.end > stretch.begin ? (stretch.end - stretch.begin) / pattern.period : 0;
}

Follower::~Follower() = default;

bool Follower::step() {
    if (!possible_ || makespan() <= target_) return false;
    End* const end = warmup_->work() <= cooldown_->work() ? warmup_.get() : cooldown_.get();
    End* const other = end == warmup_.get() ? cooldown_.get() : warmup_.get();
    const std::int64_t before = warmup_->work() + cooldown_->work();
    if (!end->step() && !other->step()) return false;
    work_ += warmup_->work() + cooldown_->work() - before;
    if (warmup_->known() && cooldown_->known() && (warmup_->improved() || cooldown_->improved())) assemble();
    return true;
}

// Warmup as late as the middle allows, the middle as it is, then the cooldown as early as possible.
void Follower::assemble() {
    const Instance& instance = *forward_;
    Timing mirrored;
    left_shift_after(*backward_, warmup_->frozen(), warmup_->sequence(), mirrored);
    Frozen frozen;
    std::vector<std::int64_t> instances_before(static_cast<std::size_t>(instance.blocks), 0);
    std::vector<std::int64_t> instances_after(static_cast<std::size_t>(instance.blocks), 0);
    const Sequence& backward = warmup_->sequence();
    for (std::size_t k = backward.size(); k-- > warmup_->frozen().sequence.size();) {
        const int b = backward[k];
        const std::int64_t n = instances_before[b]++;
        const Ticks start = mirrored.start[instance.at(b, instance.micro_batches - 1 - n)];
        frozen.sequence.push_back(b);
        frozen.start.push_back(rigid_.makespan - start - instance.time[b]);
    }
    std::vector<std::int64_t> count(static_cast<std::size_t>(instance.blocks), 0);
    const Frozen& until = cooldown_->frozen();
    for (std::size_t k = 0; k < until.sequence.size(); ++k) {
        const int b = until.sequence[k];
        if (count[b]++ < instances_before[b]) continue;
        frozen.sequence.push_back(b);
        frozen.start.push_back(until.start[k]);
    }
    Sequence sequence = frozen.sequence;
    const Sequence& forward = cooldown_->sequence();
    for (std::size_t k = until.sequence.size(); k < forward.size(); ++k) {
        sequence.push_back(forward[k]);
        ++instances_after[forward[k]];
    }
    // Frozen times may lie before the pattern's own begin.
    Ticks least = 0;
    for (const Ticks start : frozen.start) least = std::min(least, start);
    for (Ticks& start : frozen.start) start -= least;
    Ticks first = std::numeric_limits<Ticks>::max();
    Timing timing;
    left_shift_after(instance, frozen, sequence, timing);
    for (const Ticks start : timing.start) first = std::min(first, start);
    for (Ticks& start : timing.start) start -= first;
    timing.makespan -= first;
    if (best_.timing.makespan <= timing.makespan) return;
    best_.timing = std::move(timing);
    best_.shift = -least_start(best_.pattern) - least - first;
    best_.before = std::move(instances_before);
    best_.after = std::move(instances_after);
}

Ticks Follower::makespan() const {
    return best_.timing.makespan + (micro_batches_ - best_.small) / best_.pattern.copies * best_.pattern.period;
}

}  // namespace repetend::completion
