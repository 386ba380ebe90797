// Why no schedule of N micro-batches is shorter: the arguments of makespan proofs, recomputed from the problem.
//
// CHAIN. The blocks along a path of dependencies of one micro-batch run one after another, with the lags in between.
//
// DEVICE. Let W be the device's work in N micro-batches, and M the makespan of any schedule.
// Window at the head, of length t. Let A be the device's blocks with head(b) < t, the head being the longest path to
// the block's start: only instances of these start before t. Of each micro-batch n those that do form a set S(n) within
// A that holds with a block also its ancestors on the device, for they end before it starts. Let o be the last of all
// these operations to start. When it does, all others have ended, so the device holds its static memory, the changes
// of all of them, what o has not released yet and o's transient: the sum over n of change(S(n)) is at most
// R = capacity - static. For any price p >= 0 on memory therefore
//     busy before t  <=  sum of time(S(n))  <=  p R + N * max over S of (time(S) - p change(S))  =: w,
// and the device idles for at least i = t - w before t (counted beyond M where t > M: the bound on busy still holds).
// Window at the tail, of length t': the same in reversed time. Dependencies flip, changes change sign (a release is
// then an allocation that holds from the reversed start), and the memory at the beginning is static + N * (change of
// a micro-batch on the device). It idles for at least i' = t' - w' in the last t' ticks.
// Claim: if X = W + i + i' > t + t', then M >= X.
//     If t + t' <= M the windows lie apart and the rest is t + t' ticks shorter: W <= w + w' + M - t - t', that is
//     M >= X. If t + t' > M take any moment x from M - t' to t (of 0 to M): W <= busy before x + busy after x
//     <= w + w' = t + t' - i - i', that is X <= t + t', which was excluded.
//
// WITHOUT GANGS. Cut from any schedule the moments in which a block that occupies all devices runs: N * (time of those
// blocks) ticks go, nothing else runs in them. What is left obeys all of the above with those blocks' times 0 and all
// lags 0 (a lag may have been cut too): ties of operations of time 0 are in the order of the schedule that was cut.
#include "repetend/verify/check_makespan.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "repetend/model/graph.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend {

namespace {

__extension__ typedef __int128 Wide;

constexpr std::size_t most_blocks_on_device = 20;
constexpr std::size_t most_sets = 1 << 16;
constexpr std::int64_t largest_price = std::int64_t{1} << 40;
constexpr std::size_t most_prices = 400;  // looked at when an argument is searched

std::size_t at(int k) { return static_cast<std::size_t>(k); }

// A problem as the arguments see it, in one direction of time.
struct View {
    std::vector<Ticks> time;
    std::vector<Ticks> head;              // longest path to a block's start
    std::vector<std::vector<int>> pred;   // blocks
    std::vector<std::vector<Ticks>> gap;  // time + lag of each of them
    std::vector<Memory> change;           // on the device
    std::optional<Wide> room;             // capacity minus what is held at the beginning; none: unlimited
    std::vector<int> here;                // blocks on the device
};

class Arguments {
public:
    Arguments(const Problem& problem, std::int64_t micro_batches, bool without_gangs)
        : problem_(problem), micro_batches_(micro_batches), order_(*topological_order(problem)) {
        for (const Block& block : problem.blocks) {
            const bool gang = without_gangs && static_cast<int>(block.devices.size()) == problem.num_devices();
            time_.push_back(gang ? 0 : block.time);
            if (gang) cut_ += static_cast<Wide>(block.time) * micro_batches;
        }
        keep_lags_ = !without_gangs;
    }

    // Ticks that were cut out of the timeline.
    Wide cut() const { return cut_; }

    Wide chain() const {
        const View view = look(-1, false);
        Wide most = 0;
        for (int b = 0; b < problem_.num_blocks(); ++b)
            most = std::max(most, static_cast<Wide>(view.head[at(b)]) + time_[at(b)]);
        return most;
    }

    Wide work(int device) const {
        Wide sum = 0;
        for (int b = 0; b < problem_.num_blocks(); ++b)
            if (uses(b, device)) sum += static_cast<Wide>(time_[at(b)]) * micro_batches_;
        return sum;
    }

    View look(int device, bool reversed) const {
        View view;
        view.time = time_;
        const auto blocks = static_cast<std::size_t>(problem_.num_blocks());
        view.pred.resize(blocks);
        view.gap.resize(blocks);
        for (const Dependency& edge : problem_.dependencies) {
            const int from = reversed ? edge.to : edge.from, to = reversed ? edge.from : edge.to;
            view.pred[at(to)].push_back(from);
            view.gap[at(to)].push_back(time_[at(from)] + (keep_lags_ ? edge.lag : 0));
        }
        view.head.assign(blocks, 0);
        for (std::size_t k = 0; k < blocks; ++k) {
            const int b = order_[reversed ? blocks - 1 - k : k];
            for (std::size_t p = 0; p < view.pred[at(b)].size(); ++p)
                view.head[at(b)] = std::max(view.head[at(b)], view.head[at(view.pred[at(b)][p])] + view.gap[at(b)][p]);
        }
        Wide net = 0;
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            const Memory change = device >= 0 && uses(b, device) ? memory_on(problem_.blocks[at(b)], device) : 0;
            net += change;
            view.change.push_back(reversed ? -change : change);
            if (device >= 0 && uses(b, device)) view.here.push_back(b);
        }
        if (device >= 0 && problem_.devices[at(device)].memory_capacity) {
            view.room = static_cast<Wide>(*problem_.devices[at(device)].memory_capacity) -
                        problem_.devices[at(device)].memory_static;
            if (reversed) *view.room -= net * micro_batches_;
        }
        return view;
    }

    // Sets of the device's blocks with heads below `length` that hold every ancestor of their blocks; false when there
    // are too many. Calls use(time, change) for each.
    template <class Use>
    bool each_set(const View& view, Ticks length, Use use) const {
        std::vector<int> may;
        for (const int b : view.here)
            if (view.head[at(b)] < length) may.push_back(b);
        if (may.size() > most_blocks_on_device) return false;
        // Ancestors first: a head is at least that of an ancestor, and equal ones are ordered by descent.
        std::vector<std::uint32_t> ancestors(may.size(), 0);
        for (std::size_t k = 0; k < may.size(); ++k) {
            std::vector<std::uint8_t> seen(static_cast<std::size_t>(problem_.num_blocks()), 0);
            std::vector<int> open{may[k]};
            while (!open.empty()) {
                const int b = open.back();
                open.pop_back();
                for (const int a : view.pred[at(b)]) {
                    if (seen[at(a)]) continue;
                    seen[at(a)] = 1;
                    open.push_back(a);
                }
            }
            for (std::size_t j = 0; j < may.size(); ++j)
                if (seen[at(may[j])]) ancestors[k] |= std::uint32_t{1} << j;
        }
        std::set<std::uint32_t> seen{0};
        std::vector<std::uint32_t> open{0};
        while (!open.empty()) {
            const std::uint32_t set = open.back();
            open.pop_back();
            Wide time = 0, change = 0;
            for (std::size_t k = 0; k < may.size(); ++k) {
                if ((set >> k & 1) != 0) {
                    time += view.time[at(may[k])];
                    change += view.change[at(may[k])];
                } else if ((ancestors[k] & ~set) == 0) {
                    const std::uint32_t larger = set | std::uint32_t{1} << k;
                    if (seen.insert(larger).second) open.push_back(larger);
                }
            }
            if (seen.size() > most_sets) return false;
            use(time, change);
        }
        return true;
    }

    // Idle time in the window, at least; none where the window says nothing or is out of range.
    std::optional<Wide> idle(const View& view, const MakespanWindow& window) const {
        if (window.length < 0 || window.price_ticks < 0 || window.price_ticks > largest_price ||
            window.price_memory < 1 || window.price_memory > largest_price)
            return std::nullopt;
        if (window.length == 0) return Wide{0};
        if (window.price_ticks > 0 && !view.room) return std::nullopt;
        Wide most = 0;  // of the empty set
        const bool all = each_set(view, window.length, [&](Wide time, Wide change) {
            most = std::max(most, time * window.price_memory - change * window.price_ticks);
        });
        if (!all) return std::nullopt;
        Wide busy = most * micro_batches_;
        if (window.price_ticks > 0) busy += std::max<Wide>(*view.room, 0) * window.price_ticks;
        busy /= window.price_memory;  // rounded down: busy time is whole, and what is rounded is not negative
        return std::max<Wide>(window.length - busy, 0);
    }

    // What the argument shows; none where it shows nothing.
    std::optional<Wide> bound(const MakespanArgument& argument) const {
        if (argument.kind == MakespanArgument::Kind::chain) return chain() + cut_;
        if (argument.device < 0 || argument.device >= problem_.num_devices()) return std::nullopt;
        const auto head = idle(look(argument.device, false), argument.head);
        const auto tail = idle(look(argument.device, true), argument.tail);
        if (!head || !tail) return std::nullopt;
        const Wide least = work(argument.device) + *head + *tail;
        const Wide windows = static_cast<Wide>(argument.head.length) + argument.tail.length;
        if (windows > 0 && least <= windows) return std::nullopt;
        return least + cut_;
    }

private:
    const Problem& problem_;
    std::int64_t micro_batches_;
    std::vector<int> order_;  // topological
    std::vector<Ticks> time_;
    bool keep_lags_ = true;
    Wide cut_ = 0;

    bool uses(int block, int device) const {
        const std::vector<int>& on = problem_.blocks[at(block)].devices;
        return std::find(on.begin(), on.end(), device) != on.end();
    }
};

// Windows worth trying on one side, with their idle times: from each head to where the next set of blocks may start,
// at every price at which the best set changes.
std::vector<std::pair<MakespanWindow, Wide>> windows_of(const Arguments& arguments, const View& view) {
    std::vector<std::pair<MakespanWindow, Wide>> found{{MakespanWindow(), Wide{0}}};
    std::set<Ticks> lengths;
    for (const int b : view.here) lengths.insert(view.head[at(b)]);
    for (const Ticks length : lengths) {
        if (length == 0) continue;
        std::set<std::pair<std::int64_t, std::int64_t>> prices{{0, 1}};
        if (view.room) {
            const bool all = arguments.each_set(view, length, [&](Wide time, Wide change) {
                if (change > 0 && time > 0 && time <= largest_price && change <= largest_price &&
                    prices.size() < most_prices)
                    prices.insert({static_cast<std::int64_t>(time), static_cast<std::int64_t>(change)});
            });
            if (!all) continue;
        }
        MakespanWindow best;
        Wide most = 0;
        for (const auto& [ticks, memory] : prices) {
            const MakespanWindow window{length, ticks, memory};
            const auto idle = arguments.idle(view, window);
            if (idle && *idle > most) best = window, most = *idle;
        }
        if (most > 0) found.emplace_back(best, most);
    }
    return found;
}

}  // namespace

ProofVerdict check_makespan_proof(const MakespanProof& proof) {
    ProofVerdict verdict;
    if (const Faults faults = validate(proof.problem); !faults.empty()) {
        verdict.words = "the problem has faults: " + to_string(faults.front());
        return verdict;
    }
    if (const auto violation = verify_schedule(proof.problem, proof.schedule)) {
        verdict.words = "the schedule is not valid: " + violation->message;
        return verdict;
    }
    Ticks makespan = 0;
    for (const Operation& operation : proof.schedule.operations)
        makespan = std::max(makespan, operation.start + proof.problem.blocks[at(operation.block)].time);
    const MakespanArgument& argument = proof.argument;
    const Arguments arguments(proof.problem, proof.schedule.micro_batches, argument.without_gangs);
    const auto bound = arguments.bound(argument);
    if (!bound) {
        verdict.words = "the argument shows nothing";
        return verdict;
    }
    const std::string unit = proof.problem.time_unit.empty() ? "ticks" : proof.problem.time_unit;
    if (*bound < makespan) {
        verdict.words = "the argument shows only " + std::to_string(static_cast<Ticks>(*bound)) + ' ' + unit +
                        ", the schedule takes " + std::to_string(makespan);
        return verdict;
    }
    verdict.accepted = true;
    verdict.words = "no schedule of " + std::to_string(proof.schedule.micro_batches) +
                    " micro-batches is shorter than " + std::to_string(makespan) + ' ' + unit + ": ";
    if (argument.kind == MakespanArgument::Kind::chain) {
        verdict.words += "so long is the longest chain of a micro-batch";
    } else {
        if (argument.without_gangs) verdict.words += "beside the blocks on all devices, ";
        verdict.words += device_label(proof.problem, argument.device) + " has " +
                         std::to_string(static_cast<Ticks>(arguments.work(argument.device))) + ' ' + unit + " of work";
        if (argument.head.length > 0) verdict.words += " and must wait for its first blocks";
        if (argument.tail.length > 0)
            verdict.words +=
                std::string(argument.head.length > 0 ? ", and" : " and") + " others must wait for its last";
    }
    verdict.words += "; the given one takes as long";
    return verdict;
}

std::optional<MakespanArgument> find_makespan_argument(const Problem& problem, std::int64_t micro_batches,
                                                       Ticks makespan) {
    for (const bool without_gangs : {false, true}) {
        const Arguments arguments(problem, micro_batches, without_gangs);
        if (without_gangs && arguments.cut() == 0) break;
        MakespanArgument argument;
        argument.without_gangs = without_gangs;
        argument.kind = MakespanArgument::Kind::chain;
        if (*arguments.bound(argument) >= makespan) return argument;
        argument.kind = MakespanArgument::Kind::device;
        for (int d = 0; d < problem.num_devices(); ++d) {
            const Wide work = arguments.work(d) + arguments.cut();
            const auto heads = windows_of(arguments, arguments.look(d, false));
            const auto tails = windows_of(arguments, arguments.look(d, true));
            argument.device = d;
            for (const auto& [head, head_idle] : heads) {
                for (const auto& [tail, tail_idle] : tails) {
                    if (work + head_idle + tail_idle < makespan) continue;
                    argument.head = head;
                    argument.tail = tail;
                    const auto bound = arguments.bound(argument);
                    if (bound && *bound >= makespan) return argument;
                }
            }
        }
    }
    return std::nullopt;
}

}  // namespace repetend
