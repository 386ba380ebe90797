#include "completion/key_search.hpp"

#include <algorithm>
#include <iterator>

namespace repetend::completion {
namespace {

constexpr std::size_t chains_per_side = 8;
constexpr std::int64_t most_key = std::int64_t{1} << 60;
constexpr std::int64_t flip_after = 400;  // decodes without progress

std::int64_t clamp_key(std::int64_t key) { return std::clamp(key, -most_key, most_key); }

}  // namespace

Keys keys_of(const Timing& timing) { return timing.start; }

Keys reversed_keys_of(const Instance& instance, const Timing& timing) {
    const std::size_t micro_batches = timing.start.size() / static_cast<std::size_t>(instance.blocks);
    Keys keys(timing.start.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::size_t block = k / micro_batches;
        const std::size_t n = k % micro_batches;
        keys[block * micro_batches + (micro_batches - 1 - n)] = -(timing.start[k] + instance.time[block]);
    }
    return keys;
}

Keys rule_keys(const Instance& instance, Ticks rate, int by_tail) {
    Keys keys(static_cast<std::size_t>(instance.operations()));
    for (int b = 0; b < instance.blocks; ++b) {
        const std::int64_t tail = std::min(instance.tail[b], most_key / by_tail) * by_tail;
        for (std::int64_t n = 0; n < instance.micro_batches; ++n)
            keys[instance.at(b, n)] = std::min(rate * n, most_key) - tail;
    }
    return keys;
}

KeySearch::KeySearch(std::vector<Side> sides, const Sequence& sequence, Ticks rate, Ticks target, std::uint64_t seed)
    : sides_(std::move(sides)), rate_(std::max<Ticks>(rate, 1)), target_(target), random_(seed) {
    for (const Side& side : sides_) {
        const Instance& instance = *side.instance;
        side.scheduler->set_frozen(side.frozen);
        std::vector<std::int64_t> frozen(static_cast<std::size_t>(instance.blocks), 0);
        if (side.frozen != nullptr) {
            for (const int b : side.frozen->sequence) ++frozen[b];
        }
        std::vector<std::size_t> free;
        for (int b = 0; b < instance.blocks; ++b) {
            for (std::int64_t n = frozen[b]; n < instance.micro_batches; ++n) free.push_back(instance.at(b, n));
        }
        free_.push_back(std::move(free));
    }
    best_ = sequence;
    best_makespan_ = std::numeric_limits<Ticks>::max();
}

void KeySearch::add_start(int side, Keys keys) { given_.push_back({side, std::move(keys)}); }

void KeySearch::offer(const Sequence& sequence) {
    Timing timing;
    shift(0, sequence, timing);
    if (timing.makespan < best_makespan_) take_best(0, sequence, timing.makespan);
}

void KeySearch::begin_epoch(std::int64_t work) {
    ++epoch_;
    epoch_work_ = work;
    stage_ = Stage::sample;
    stage_end_ = work_ + work / 4;
    pool_.clear();
}

bool KeySearch::step() {
    improved_ = false;
    tied_ = false;
    if (reached_target()) stage_ = Stage::over;
    switch (stage_) {
        case Stage::sample:
            sample();
            if (work_ >= stage_end_ && given_.empty()) begin_halving();
            return true;
        case Stage::halve:
            halve();
            return true;
        case Stage::keys:
            perturb_keys(current_);
            if (work_ >= stage_end_) stage_ = Stage::over;
            return true;
        case Stage::over:
            break;
    }
    return false;
}

void KeySearch::decode(int side, const Keys& keys, const DecodeOptions& options) {
    const Side& s = sides_[side];
    s.scheduler->decode(keys, options, decoded_);
    work_ += std::max<std::int64_t>(1, static_cast<std::int64_t>(free_[side].size()));
    if (decoded_.timing.makespan > best_makespan_) return;
    tied_ = decoded_.timing.makespan == best_makespan_;
    improved_ = !tied_;
    last_ = side == 0 ? decoded_.sequence : reversed(decoded_.sequence);
    if (improved_) take_best(side, decoded_.sequence, decoded_.timing.makespan);
}

void KeySearch::shift(int side, const Sequence& sequence, Timing& timing) const {
    const Frozen* frozen = sides_[side].frozen;
    left_shift_after(*sides_[side].instance, frozen != nullptr ? *frozen : Frozen{}, sequence, timing);
}

void KeySearch::take_best(int side, const Sequence& sequence, Ticks makespan) {
    best_ = side == 0 ? sequence : reversed(sequence);
    best_makespan_ = makespan;
    sides_[0].scheduler->set_reference(best_);
    if (sides_.size() > 1) sides_[1].scheduler->set_reference(reversed(best_));
}

// Of the schedule decoded last.
Ticks KeySearch::cost_of(int side) const {
    const Instance& instance = *sides_[side].instance;
    const std::int64_t last = instance.micro_batches - 1;
    Ticks spans = 0;
    for (int d = 0; d < instance.devices; ++d) {
        const auto blocks = instance.on_device[d];
        if (blocks.empty()) continue;
        Ticks begin = std::numeric_limits<Ticks>::max();
        Ticks end = 0;
        for (const int b : blocks) {
            begin = std::min(begin, decoded_.timing.start[instance.at(b, 0)]);
            end = std::max(end, decoded_.timing.start[instance.at(b, last)] + instance.time[b]);
        }
        spans += (end - begin) / 20 / instance.devices;
    }
    return decoded_.timing.makespan + spans;
}

void KeySearch::fill(const Chain& chain, Keys& keys) const {
    const Instance& instance = *sides_[chain.side].instance;
    keys.resize(chain.base.size());
    std::size_t k = 0;
    for (int b = 0; b < instance.blocks; ++b) {
        for (std::int64_t n = 0; n < instance.micro_batches; ++n, ++k) keys[k] = chain.base[k] + chain.offset[b];
    }
}

void KeySearch::random_chain(Chain& chain) {
    chain.side = static_cast<int>(random_.below(static_cast<std::int64_t>(sides_.size())));
    const Instance& instance = *sides_[chain.side].instance;
    chain.options.wait = static_cast<int>(random_.between(0, full_wait));
    if (in_flight_ > 0) chain.options.run_ahead = in_flight_ + random_.below(in_flight_);
    const std::int64_t by_head = random_.between(-16, 16);
    const std::int64_t by_tail = random_.between(-16, 16);
    const std::int64_t noise = random_.below(3);
    for (int b = 0; b < instance.blocks; ++b) {
        const std::int64_t rule = instance.head[b] / 8 * by_head - instance.tail[b] / 8 * by_tail +
                                  instance.head[b] % 8 * by_head / 8 - instance.tail[b] % 8 * by_tail / 8;
        chain.offset[b] = clamp_key(rule + (noise == 0 ? 0 : random_.below(noise == 1 ? rate_ : 4 * rate_)));
    }
    chain.base.resize(static_cast<std::size_t>(instance.operations()));
    for (int b = 0; b < instance.blocks; ++b) {
        for (std::int64_t n = 0; n < instance.micro_batches; ++n) chain.base[instance.at(b, n)] = rate_ * n;
    }
}

// The next of the fixed rules; false when all have been tried.
bool KeySearch::rule_chain(Chain& chain) {
    if (rules_tried_ == std::size(rule_tails) * sides_.size()) return false;
    chain.side = static_cast<int>(rules_tried_ % sides_.size());
    chain.options.wait = 0;
    if (in_flight_ > 0) chain.options.run_ahead = in_flight_;
    chain.base = rule_keys(*sides_[chain.side].instance, rate_, rule_tails[rules_tried_ / sides_.size()]);
    ++rules_tried_;
    return true;
}

void KeySearch::sample() {
    Chain chain;
    chain.offset.assign(static_cast<std::size_t>(sides_[0].instance->blocks), 0);
    if (!given_.empty()) {
        chain.side = given_.back().side;
        chain.base = given_.back().keys;
        chain.options.wait = full_wait - given_wait_ * (full_wait / 2);
        if (++given_wait_ == 3) {
            given_wait_ = 0;
            given_.pop_back();
        }
    } else if (!rule_chain(chain)) {
        random_chain(chain);
    }
    fill(chain, keys_);
    decode(chain.side, keys_, chain.options);
    chain.cost = cost_of(chain.side);
    chain.makespan = decoded_.timing.makespan;
    keep_sample(chain);
}

// The best few of each side, best first.
void KeySearch::keep_sample(const Chain& chain) {
    const auto worse = [](const Chain& a, const Chain& b) { return a.cost < b.cost; };
    pool_.insert(std::upper_bound(pool_.begin(), pool_.end(), chain, worse), chain);
    std::size_t same = 0;
    for (auto c = pool_.begin(); c != pool_.end(); ++c) {
        if (c->side == chain.side && ++same > chains_per_side) {
            pool_.erase(c);
            break;
        }
    }
}

void KeySearch::begin_halving() {
    stage_ = Stage::halve;
    round_ = 0;
    chain_ = 0;
    begin_chain();
}

void KeySearch::begin_chain() {
    // Five rounds share two fifths of the epoch.
    chain_end_ = work_ + epoch_work_ * 2 / 25 / static_cast<std::int64_t>(pool_.size());
    current_ = pool_[chain_];
    chain_best_ = current_;
}

void KeySearch::halve() {
    Chain next = current_;
    perturb_offsets(next);
    fill(next, keys_);
    decode(next.side, keys_, next.options);
    next.cost = cost_of(next.side);
    next.makespan = decoded_.timing.makespan;
    const Ticks per_micro_batch = current_.makespan / sides_[0].instance->micro_batches;
    const Ticks temperature = std::max<Ticks>(1, per_micro_batch / (round_ % 2 == 0 ? 50 : 500));
    if (next.cost <= current_.cost + random_.exponential(temperature)) {
        current_ = next;
        if (current_.cost < chain_best_.cost) chain_best_ = current_;
    }
    if (work_ < chain_end_) return;
    pool_[chain_] = chain_best_;
    if (++chain_ < pool_.size()) {
        begin_chain();
        return;
    }
    std::stable_sort(pool_.begin(), pool_.end(), [](const Chain& a, const Chain& b) { return a.cost < b.cost; });
    chain_ = 0;
    ++round_;
    if (pool_.size() == 1) {
        begin_keys();
        return;
    }
    pool_.resize((pool_.size() + 1) / 2);
    begin_chain();
}

void KeySearch::perturb_offsets(Chain& chain) {
    const Ticks amplitudes[4] = {std::max<Ticks>(1, rate_ / 16), std::max<Ticks>(1, rate_ / 4),
                                 std::max<Ticks>(1, rate_ / 2), 2 * rate_};
    const std::int64_t moves = random_.between(1, 3);
    for (std::int64_t k = 0; k < moves; ++k) {
        const Ticks amplitude = amplitudes[random_.below(4)];
        std::int64_t& offset = chain.offset[random_.below(static_cast<std::int64_t>(chain.offset.size()))];
        offset = clamp_key(offset + random_.between(-amplitude, amplitude));
    }
    if (random_.below(10) == 0) chain.options.wait = static_cast<int>(random_.between(0, full_wait));
}

void KeySearch::begin_keys() {
    stage_ = Stage::keys;
    stage_end_ = work_ + epoch_work_ * 35 / 100;
    current_ = pool_.front();
    pool_.clear();
    // Every other epoch goes on from the pool's winner, though something better may be known from elsewhere: a
    // published schedule is often a hollow that small steps do not leave.
    if (epoch_ % 2 == 1) {
        keys_from_best();
        return;
    }
    fill(current_, keys_);
    current_.base = keys_;
    std::fill(current_.offset.begin(), current_.offset.end(), 0);
    chain_best_ = current_;
    idle_ = 0;
}

// The schedule's own starts as keys: decoding them gives a schedule at least about as good.
void KeySearch::keys_from_best() {
    Timing timing;
    shift(current_.side, current_.side == 0 ? best_ : reversed(best_), timing);
    current_.base = timing.start;
    current_.options.wait = full_wait;
    decode(current_.side, current_.base, current_.options);
    current_.cost = cost_of(current_.side);
    current_.makespan = decoded_.timing.makespan;
    chain_best_ = current_;
    idle_ = 0;
}

void KeySearch::perturb_keys(Chain& current) {
    const Instance& instance = *sides_[current.side].instance;
    const std::int64_t micro_batches = instance.micro_batches;
    Chain next = current;
    const std::vector<std::size_t>& free = free_[current.side];
    if (free.empty()) {
        work_ = stage_end_;
        return;
    }
    // An operation that can move, and what goes with it.
    const std::size_t one = free[random_.below(static_cast<std::int64_t>(free.size()))];
    const std::int64_t n = static_cast<std::int64_t>(one) % micro_batches;
    const Ticks by = random_.between(-rate_, rate_);
    switch (random_.below(4)) {
        case 0:
            next.base[one] += by;
            for (std::int64_t k = random_.below(3); k > 0; --k) {
                next.base[free[random_.below(static_cast<std::int64_t>(free.size()))]] +=
                    random_.between(-rate_, rate_);
            }
            break;
        case 1: {
            const std::int64_t last = std::min(micro_batches, n + random_.between(1, 8));
            for (std::int64_t k = 0; k < last - n; ++k) next.base[one + static_cast<std::size_t>(k)] += by;
            break;
        }
        case 2: {
            const Ticks from = next.base[one];
            const Ticks to = from + random_.below(3 * rate_);
            for (std::int64_t& key : next.base) {
                if (key >= from && key < to) key += random_.between(-rate_ / 4, rate_ / 4);
            }
            break;
        }
        default:
            for (int b = 0; b < instance.blocks; ++b) next.base[instance.at(b, n)] += by;
            break;
    }
    for (std::int64_t& key : next.base) key = clamp_key(key);
    if (random_.below(8) == 0) next.options.wait = static_cast<int>(random_.between(0, full_wait));
    decode(next.side, next.base, next.options);
    next.cost = cost_of(next.side);
    next.makespan = decoded_.timing.makespan;
    if (next.cost <= current.cost + random_.exponential(std::max<Ticks>(1, rate_ / 50))) {
        current = std::move(next);
        if (current.cost < chain_best_.cost) {
            chain_best_ = current;
            idle_ = 0;
        }
    }
    if (++idle_ > flip_after) {
        current.side = sides_.size() > 1 ? 1 - current.side : 0;
        keys_from_best();
    }
}

}  // namespace repetend::completion
