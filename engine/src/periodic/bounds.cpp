// Bounds before search (the load bound is classic for modulo schedules; memory energy and gang contraction
// follow the same area argument). See bounds.hpp for what each claims.
#include "periodic/bounds.hpp"

#include <algorithm>

namespace repetend::periodic {

namespace {

__extension__ using Wide = __int128;

struct Energy {
    Ticks ticks = 0;  // per micro-batch: ticks / per
    std::int64_t per = 1;
    int device = -1;
    std::vector<int> blocks;
    std::vector<ProofMatch> matches;
};

std::string quoted(const Problem& problem, int block) { return problem.blocks[static_cast<std::size_t>(block)].name; }

// Largest energy / room over the devices, with the given block times.
std::optional<Energy> largest_energy(const Problem& problem, const Instance& instance, const std::vector<Ticks>& time,
                                     bool with_lags) {
    std::optional<Energy> best;
    const auto path = longest_paths(problem, time, with_lags);
    for (int device : instance.rowed_devices) {
        const Device& where = problem.devices[static_cast<std::size_t>(device)];
        const Memory room = *where.memory_capacity - where.memory_static;
        const auto matches = match_memory(problem, device, path);
        if (!matches || room <= 0) continue;
        // Amounts are scaled down by their greatest common divisor; the room rounds down with them.
        Memory divisor = 0;
        auto fold = [&](Memory value) {
            while (value != 0) {
                const Memory rest = divisor % value;
                divisor = value;
                value = rest;
            }
        };
        for (const MemoryMatch& match : *matches) fold(match.amount);
        for (const Block& block : problem.blocks) fold(transient_on(block, device));
        if (divisor == 0) continue;
        Wide sum = 0;
        std::vector<int> named;
        Ticks longest = 0;
        for (const MemoryMatch& match : *matches) {
            const Ticks length =
                path[static_cast<std::size_t>(match.allocation)][static_cast<std::size_t>(match.release)];
            sum += static_cast<Wide>(match.amount / divisor) * length;
            if (length > longest) {
                longest = length;
                named = {match.allocation, match.release};
            }
        }
        for (int i = 0; i < problem.num_blocks(); ++i)
            sum += static_cast<Wide>(transient_on(problem.blocks[static_cast<std::size_t>(i)], device) / divisor) *
                   time[static_cast<std::size_t>(i)];
        const Memory usable = room / divisor;
        if (sum <= 0 || usable <= 0 || sum > (Wide{1} << 62)) continue;
        Energy found{static_cast<Ticks>(sum), usable, device, named, {}};
        for (const MemoryMatch& match : *matches)
            found.matches.push_back({match.allocation, match.release, match.amount});
        if (!best || static_cast<Wide>(best->ticks) * found.per < static_cast<Wide>(found.ticks) * best->per)
            best = found;
    }
    return best;
}

std::string describe_energy(const Problem& problem, const Energy& energy) {
    std::string words = device_label(problem, energy.device);
    if (energy.blocks.size() == 2)
        words += " must hold the memory of " + quoted(problem, energy.blocks[0]) + " until " +
                 quoted(problem, energy.blocks[1]) + " ends";
    else
        words += " holds memory while its blocks run";
    return words + ", and its capacity has no room for more at once";
}

}  // namespace

Ticks RateBound::period(int copies) const {
    const Wide product = static_cast<Wide>(ticks) * copies;
    return static_cast<Ticks>((product + per - 1) / per);
}

bool less_rate(const RateBound& a, const RateBound& b) {
    return static_cast<Wide>(a.ticks) * b.per < static_cast<Wide>(b.ticks) * a.per;
}

RateBound load_bound(const Problem& problem) {
    RateBound bound;
    for (int device = 0; device < problem.num_devices(); ++device) {
        const Ticks work = work_ticks(problem, device);
        if (work <= bound.ticks) continue;
        bound.ticks = work;
        bound.certificate.kind = CertificateKind::load;
        bound.certificate.device = device;
        bound.certificate.blocks.clear();
        bound.certificate.words = device_label(problem, device) + " is busy all the time: no schedule can be faster";
    }
    return bound;
}

std::optional<RateBound> energy_bound(const Problem& problem, const Instance& instance) {
    const auto energy = largest_energy(problem, instance, instance.time, true);
    if (!energy) return std::nullopt;
    RateBound bound;
    bound.ticks = energy->ticks;
    bound.per = energy->per;
    bound.matches = energy->matches;
    bound.certificate.kind = CertificateKind::cycle;
    bound.certificate.device = energy->device;
    bound.certificate.blocks = energy->blocks;
    bound.certificate.words = describe_energy(problem, *energy) + ": no schedule can be faster";
    return bound;
}

std::optional<RateBound> gang_bound(const Problem& problem, const Instance& instance) {
    Ticks gang_ticks = 0;
    std::vector<int> gangs;
    std::vector<Ticks> time = instance.time;
    for (int i : instance.gangs) {
        if (static_cast<int>(problem.blocks[static_cast<std::size_t>(i)].devices.size()) != problem.num_devices())
            continue;
        gangs.push_back(i);
        gang_ticks += time[static_cast<std::size_t>(i)];
        time[static_cast<std::size_t>(i)] = 0;
    }
    if (gangs.empty()) return std::nullopt;
    const auto energy = largest_energy(problem, instance, time, false);
    if (!energy) return std::nullopt;
    const Wide ticks = static_cast<Wide>(gang_ticks) * energy->per + energy->ticks;
    if (ticks > (Wide{1} << 62)) return std::nullopt;
    RateBound bound;
    bound.ticks = static_cast<Ticks>(ticks);
    bound.per = energy->per;
    bound.matches = energy->matches;
    bound.certificate.kind = CertificateKind::gang;
    bound.certificate.device = energy->device;
    bound.certificate.blocks = gangs;
    bound.certificate.words = "blocks on all devices take " + std::to_string(gang_ticks) +
                              " ticks of every micro-batch, and in the rest " + describe_energy(problem, *energy) +
                              ": no schedule can be faster";
    return bound;
}

RateBound best_rate_bound(const Problem& problem, const Instance& instance, int copies) {
    RateBound best = load_bound(problem);
    for (const auto& bound : {energy_bound(problem, instance), gang_bound(problem, instance)})
        if (bound && bound->period(copies) > best.period(copies)) best = *bound;
    return best;
}

}  // namespace repetend::periodic
