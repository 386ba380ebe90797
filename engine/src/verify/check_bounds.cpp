// Lemmas 1 to 3 of check_proof.cpp: the arguments that a person can follow by hand.
#include <algorithm>
#include <numeric>
#include <utility>

#include "repetend/model/graph.hpp"
#include "verify/proof_checks.hpp"

namespace repetend::verify {

namespace {

// Longest paths from the start of a block to the end of each of its descendants, one first block after another.
class LongestPaths {
public:
    LongestPaths(const Problem& problem, std::vector<Ticks> time, bool with_lags)
        : time_(std::move(time)), order_(topological_order(problem).value()), next_(problem.blocks.size()) {
        for (const Dependency& edge : problem.dependencies)
            next_[at(edge.from)].push_back({edge.to, with_lags ? edge.lag : 0});
        effort_of_one_ = static_cast<std::int64_t>(problem.dependencies.size() + problem.blocks.size());
    }

    // From `first` to each block, -1 where there is no path.
    const std::vector<Ticks>& from(int first, Effort& effort) {
        if (first == first_) return path_;
        effort.spend(effort_of_one_);
        first_ = first;
        path_.assign(time_.size(), -1);
        path_[at(first)] = time_[at(first)];
        for (const int i : order_) {
            if (path_[at(i)] < 0) continue;
            for (const auto& [j, lag] : next_[at(i)])
                path_[at(j)] = std::max(path_[at(j)], path_[at(i)] + lag + time_[at(j)]);
        }
        return path_;
    }

private:
    std::vector<Ticks> time_;
    std::vector<int> order_;
    std::vector<std::vector<std::pair<int, Ticks>>> next_;
    std::int64_t effort_of_one_ = 0;
    int first_ = -1;
    std::vector<Ticks> path_;
};

bool names_a_device(const PeriodProof& proof) {
    return proof.refutation.device >= 0 && proof.refutation.device < proof.problem.num_devices();
}

bool is_block(const Problem& problem, int block) { return block >= 0 && block < problem.num_blocks(); }

}  // namespace

std::string check_load(const PeriodProof& proof, Ticks refuted) {
    const int d = proof.refutation.device;
    if (!names_a_device(proof)) return "the load argument names no device";
    if (static_cast<Wide>(work_ticks(proof.problem, d)) * proof.copies <= refuted)
        return device_label(proof.problem, d) + " has time enough for its work";
    return "";
}

std::string check_energy(const PeriodProof& proof, Ticks refuted, bool gangs_are_cut, Effort& effort) {
    const Problem& problem = proof.problem;
    const int d = proof.refutation.device;
    if (!names_a_device(proof) || !has_rows(problem, d)) return "the memory argument names no device with rows";
    std::vector<Ticks> time;
    Wide period = refuted;
    for (const Block& block : problem.blocks) {
        const bool cut = gangs_are_cut && static_cast<int>(block.devices.size()) == problem.num_devices();
        time.push_back(cut ? 0 : block.time);
        if (cut) period -= static_cast<Wide>(block.time) * proof.copies;
    }

    // What is still to be matched, and the energy of transients.
    std::vector<Memory> open;
    Memory divisor = 0;
    Wide energy = 0;
    for (int i = 0; i < problem.num_blocks(); ++i) {
        const Memory transient = transient_on(problem.blocks[at(i)], d);
        open.push_back(memory_on(problem.blocks[at(i)], d));
        divisor = std::gcd(std::gcd(divisor, open.back()), transient);
        energy += static_cast<Wide>(transient) * time[at(i)];
    }
    LongestPaths paths(problem, std::move(time), !gangs_are_cut);
    for (std::size_t k = 0; k < proof.refutation.matches.size(); ++k) {
        const ProofMatch& match = proof.refutation.matches[k];
        const std::string name = "match " + std::to_string(k) + " of the memory argument ";
        if (!is_block(problem, match.allocation) || !is_block(problem, match.release) || match.amount <= 0)
            return name + "is out of range";
        Memory& taken = open[at(match.allocation)];
        Memory& given = open[at(match.release)];
        if (taken < match.amount || -given < match.amount) return name + "uses more than there is";
        const Ticks length = paths.from(match.allocation, effort)[at(match.release)];
        if (effort.exhausted()) return too_much_work;
        if (length < 0) return name + "releases with a block that does not descend from the allocation";
        taken -= match.amount;
        given += match.amount;
        energy += static_cast<Wide>(match.amount) * length;
    }
    if (std::any_of(open.begin(), open.end(), [](Memory amount) { return amount != 0; }))
        return "the memory argument leaves memory unmatched";
    Memory room = *problem.devices[at(d)].memory_capacity - problem.devices[at(d)].memory_static;
    if (divisor > 1) room -= room % divisor;  // (A) holds, so room >= 0
    if (energy * proof.copies <= static_cast<Wide>(room) * period) return "the memory argument leaves room enough";
    return "";
}

}  // namespace repetend::verify
