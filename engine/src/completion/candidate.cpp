#include "completion/candidate.hpp"

#include <algorithm>

namespace repetend::completion {
namespace {

constexpr std::int64_t check_repeats = 3;

Timing expand_followed(const Followed& followed, std::int64_t micro_batches, Ticks makespan) {
    const std::int64_t more = micro_batches - followed.small;
    const Ticks later = more / followed.pattern.copies * followed.pattern.period;
    const int blocks = static_cast<int>(followed.pattern.start.size());
    Timing timing;
    timing.makespan = makespan;
    timing.start.reserve(static_cast<std::size_t>(blocks * micro_batches));
    for (int b = 0; b < blocks; ++b) {
        const Ticks* small = followed.timing.start.data() + b * followed.small;
        for (std::int64_t n = 0; n < micro_batches; ++n) {
            if (n < followed.before[b]) {
                timing.start.push_back(small[n]);
            } else if (n < micro_batches - followed.after[b]) {
                timing.start.push_back(pattern_start(followed.pattern, b, n) + followed.shift);
            } else {
                timing.start.push_back(small[n - more] + later);
            }
        }
    }
    return timing;
}

}  // namespace

Ticks pattern_start(const PeriodicPattern& pattern, int block, std::int64_t n) {
    std::int64_t turn = n / pattern.copies;
    std::int64_t copy = n % pattern.copies;
    if (copy < 0) {
        copy += pattern.copies;
        --turn;
    }
    return pattern.start[block][static_cast<std::size_t>(copy)] + turn * pattern.period;
}

Timing Candidate::expand(const Instance& instance) const {
    if (const auto* timing = std::get_if<Timing>(&form)) return *timing;
    if (const auto* followed = std::get_if<Followed>(&form)) return expand_followed(*followed, micro_batches, makespan);
    const auto& repeated = std::get<Repeated>(form);
    Timing timing;
    left_shift(instance, extended(repeated.window, repeated.times), timing);
    return timing;
}

Ticks Candidate::growth(std::int64_t fewer) const {
    if (const auto* followed = std::get_if<Followed>(&form))
        return fewer / followed->pattern.copies * followed->pattern.period;
    if (const auto* repeated = std::get_if<Repeated>(&form)) return fewer / repeated->window.copies * repeated->growth;
    return 0;
}

Candidate Candidate::reduced() const {
    Candidate result = *this;
    if (auto* repeated = std::get_if<Repeated>(&result.form)) {
        const std::int64_t fewer = std::max<std::int64_t>(0, repeated->times - check_repeats);
        repeated->times -= fewer;
        result.micro_batches -= fewer * repeated->window.copies;
    } else if (const auto* followed = std::get_if<Followed>(&result.form)) {
        const std::int64_t copies = followed->pattern.copies;
        const std::int64_t fewer =
            std::max<std::int64_t>(0, (micro_batches - followed->small) / copies - check_repeats);
        result.micro_batches -= fewer * copies;
        result.makespan -= fewer * followed->pattern.period;
    }
    return result;
}

Candidate make_candidate(Timing timing, const Instance& instance) {
    Candidate candidate;
    candidate.micro_batches = static_cast<std::int64_t>(timing.start.size()) / instance.blocks;
    candidate.makespan = timing.makespan;
    candidate.form = std::move(timing);
    return candidate;
}

Candidate make_candidate(Followed followed, std::int64_t micro_batches) {
    Candidate candidate;
    candidate.micro_batches = micro_batches;
    candidate.makespan =
        followed.timing.makespan + (micro_batches - followed.small) / followed.pattern.copies * followed.pattern.period;
    candidate.form = std::move(followed);
    return candidate;
}

// The starts of a block ascend with the micro-batch, so the operations are merged from one list per block:
// blocks by their next start, which costs a logarithm of the number of blocks and not of N.
Schedule make_schedule(const Timing& timing, int blocks) {
    Schedule schedule;
    schedule.micro_batches = static_cast<std::int64_t>(timing.start.size()) / blocks;
    schedule.operations.reserve(timing.start.size());
    const auto later = [](const Operation& a, const Operation& b) {
        if (a.start != b.start) return a.start > b.start;
        return a.micro_batch != b.micro_batch ? a.micro_batch > b.micro_batch : a.block > b.block;
    };
    std::vector<Operation> next;
    for (int b = 0; b < blocks; ++b) {
        next.push_back({b, 0, timing.start[static_cast<std::size_t>(b * schedule.micro_batches)]});
    }
    std::make_heap(next.begin(), next.end(), later);
    while (!next.empty()) {
        std::pop_heap(next.begin(), next.end(), later);
        Operation& operation = next.back();
        schedule.operations.push_back(operation);
        if (++operation.micro_batch == schedule.micro_batches) {
            next.pop_back();
            continue;
        }
        const std::int64_t at = operation.block * schedule.micro_batches + operation.micro_batch;
        operation.start = timing.start[static_cast<std::size_t>(at)];
        std::push_heap(next.begin(), next.end(), later);
    }
    return schedule;
}

}  // namespace repetend::completion
