// Deriving the axioms of Lemma 4 from the problem; check_proof.cpp states them and why they lose nothing.
#include "verify/clause_axioms.hpp"

#include <algorithm>

#include "repetend/model/graph.hpp"

namespace repetend::verify {

namespace {

constexpr std::int64_t most_terms = 16'000'000;
constexpr Wide largest_span = Wide{1} << 57;

struct Share {
    int block;
    Memory change;
    Memory transient;
};

std::vector<std::vector<Share>> shares_of_devices(const Problem& problem) {
    std::vector<std::vector<Share>> shares(problem.devices.size());
    for (int i = 0; i < problem.num_blocks(); ++i) {
        const Block& block = problem.blocks[at(i)];
        for (std::size_t k = 0; k < block.devices.size(); ++k)
            shares[at(block.devices[k])].push_back({i, block.memory[k], block.transient[k]});
    }
    return shares;
}

// Condition 3.
bool rows_stand(const Problem& problem, int device, const std::vector<Share>& shares) {
    Wide net = 0;
    for (const Share& share : shares) net += share.change;
    return problem.devices[at(device)].memory_capacity && net == 0;
}

class Derivation {
public:
    Derivation(const Problem& problem, const std::vector<ProofVariable>& variables, Effort& effort,
               ClauseAxioms& axioms)
        : problem_(problem), variables_(variables), effort_(effort), axioms_(axioms) {}

    std::string run() {
        axioms_.nodes = blocks() * copies();
        shares_ = shares_of_devices(problem_);
        for (const Block& block : problem_.blocks) axioms_.time.push_back(block.time);
        for (auto step : {&Derivation::find_pairs, &Derivation::name_variables, &Derivation::add_memory_rows,
                          &Derivation::add_arcs}) {
            if (std::string why = (this->*step)(); !why.empty()) return why;
            if (effort_.exhausted()) return too_much_work;
        }
        return "";
    }

private:
    const Problem& problem_;
    const std::vector<ProofVariable>& variables_;
    Effort& effort_;
    ClauseAxioms& axioms_;
    std::vector<std::vector<Share>> shares_;  // per device

    int blocks() const { return problem_.num_blocks(); }
    int copies() const { return axioms_.copies; }
    const std::string& name(int block) const { return problem_.blocks[at(block)].name; }
    Pair* pair(int i, int j) {
        const int found = axioms_.pair_of_blocks(i, j);
        return found < 0 ? nullptr : &axioms_.pairs[at(found)];
    }

    std::string find_pairs() {
        axioms_.pair_of.assign(at(blocks()) * at(blocks()), -1);
        for (const auto& here : shares_) {
            effort_.spend(static_cast<std::int64_t>(here.size() * here.size()));
            if (effort_.exhausted()) return too_much_work;
            for (const Share& a : here) {
                for (const Share& b : here) {
                    int& forth = axioms_.pair_of[at(a.block * blocks() + b.block)];
                    if (a.block >= b.block || forth >= 0) continue;
                    forth = axioms_.pair_of[at(b.block * blocks() + a.block)] = static_cast<int>(axioms_.pairs.size());
                    axioms_.pairs.push_back({a.block, b.block, std::vector<int>(at(copies()), -1), -1});
                }
            }
        }
        return "";
    }

    // Which variable of the proof stands for what, and d.
    std::string name_variables() {
        axioms_.bound.assign(2 * variables_.size(), unbounded);
        axioms_.pair_of_variable.assign(variables_.size(), -1);
        axioms_.copy_of_variable.assign(variables_.size(), 0);
        for (std::size_t x = 0; x < variables_.size(); ++x) {
            const ProofVariable& v = variables_[x];
            const std::string which = "variable " + std::to_string(x);
            if (v.first < 0 || v.first >= v.second || v.second >= blocks())
                return which + " names no two blocks in order";
            if (v.kind == ProofVariable::Kind::carry) continue;
            Pair* shared = pair(v.first, v.second);
            if (!shared) return which + " is about blocks that share no device";
            const bool gangs = several_devices(v.first) && several_devices(v.second);
            if (v.kind == ProofVariable::Kind::count && (v.copy < 0 || v.copy >= copies()))
                return which + " names no copy";
            if (v.kind == ProofVariable::Kind::position && (copies() != 1 || !gangs))
                return which + " is a position, which needs one copy and blocks on several devices";
            int& named = v.kind == ProofVariable::Kind::count ? shared->count[at(v.copy)] : shared->position;
            if (named >= 0) return which + " is there twice";
            named = static_cast<int>(x);
            axioms_.pair_of_variable[x] = axioms_.pair_of_blocks(v.first, v.second);
            axioms_.copy_of_variable[x] = v.copy;
            if (v.kind == ProofVariable::Kind::count) continue;
            axioms_.bound[2 * x] = axioms_.time[at(v.first)];
            axioms_.bound[2 * x + 1] = axioms_.time[at(v.second)] - axioms_.period;
        }
        for (const Pair& p : axioms_.pairs)
            if (std::count(p.count.begin(), p.count.end(), -1) > 0)
                return "a count between " + name(p.first) + " and " + name(p.second) + " has no variable";
        for (std::size_t x = 0; x < variables_.size(); ++x)
            if (variables_[x].kind == ProofVariable::Kind::carry && !add_carry(static_cast<int>(x)))
                return "variable " + std::to_string(x) + " is a carry of blocks without positions";
        return "";
    }

    bool several_devices(int block) const { return problem_.blocks[at(block)].devices.size() > 1; }

    bool add_carry(int carry) {
        const ProofVariable& v = variables_[at(carry)];
        if (v.third <= v.second || v.third >= blocks()) return false;
        const Pair *xy = pair(v.first, v.second), *yz = pair(v.second, v.third), *xz = pair(v.first, v.third);
        for (const Pair* p : {xy, yz, xz})
            if (!p || p->position < 0) return false;
        axioms_.bound[at(2 * carry)] = 0;
        axioms_.bound[at(2 * carry + 1)] = -1;
        // Equations, as two inequalities each.
        for (const int sign : {0, 1}) {
            auto term = [](int variable, int side, std::int64_t weight) {
                return RowTerm{weight, 2 * variable + side};
            };
            axioms_.rows.push_back({{term(xy->position, sign, 1), term(yz->position, sign, 1),
                                     term(xz->position, 1 - sign, 1), term(carry, 1 - sign, axioms_.period)},
                                    0});
            axioms_.rows.push_back({{term(xy->count[0], sign, 1), term(yz->count[0], sign, 1),
                                     term(xz->count[0], 1 - sign, 1), term(carry, sign, 1)},
                                    sign == 0 ? 1 : -1});
        }
        return true;
    }

    // c
    std::string add_memory_rows() {
        std::int64_t terms = 0;
        for (int d = 0; d < problem_.num_devices(); ++d) {
            if (!rows_stand(problem_, d, shares_[at(d)])) continue;
            const Memory room = *problem_.devices[at(d)].memory_capacity - problem_.devices[at(d)].memory_static;
            for (const Share& a : shares_[at(d)]) {
                const Memory peak = std::max<Memory>(a.change, 0) + a.transient;
                if (peak <= 0) continue;
                terms += static_cast<std::int64_t>(shares_[at(d)].size()) * copies();
                if (terms > most_terms) return "the problem is too large for a clause log";
                for (int c = 0; c < copies(); ++c) {
                    const Wide limit = static_cast<Wide>(room) - peak - static_cast<Wide>(a.change) * c;
                    if (limit < unbounded || limit > -unbounded) return "amounts are too large for a clause log";
                    Row row{{}, static_cast<std::int64_t>(limit)};
                    for (const Share& i : shares_[at(d)])
                        if (i.block != a.block && i.change != 0) row.terms.push_back(counted(i, a.block, c));
                    axioms_.rows.push_back(std::move(row));
                }
            }
        }
        return "";
    }

    // change * N(i, a, copy)
    RowTerm counted(const Share& i, int a, int copy) {
        const bool negative = i.change < 0;
        RowTerm term{negative ? -i.change : i.change, -1, axioms_.pair_of_blocks(i.block, a), copy, negative};
        if (i.block < a) term.half = 2 * axioms_.pairs[at(term.pair)].count[at(copy)] + (negative ? 1 : 0);
        return term;
    }

    // a, e, f
    std::string add_arcs() {
        const Ticks period = axioms_.period;
        std::vector<Ticks> lag(problem_.blocks.size(), 0);
        const std::vector<Dependency> edges = merged_dependencies(problem_);  // condition 1
        for (const Dependency& edge : edges) lag[at(edge.from)] = std::max(lag[at(edge.from)], edge.lag);
        Wide span = static_cast<Wide>(period) * blocks();
        for (int i = 0; i < blocks(); ++i) span += axioms_.time[at(i)] + lag[at(i)];
        if (span > largest_span) return "times are too large for a clause log";

        const std::vector<int> component = components(problem_);
        std::vector<int> first;
        for (int i = 0; i < blocks(); ++i) {
            if (component[at(i)] == static_cast<int>(first.size())) {
                first.push_back(i);
                add(first[0], 0, i, 0, 0);  // e3
                add(i, 0, first[0], 0, 1 - period);
            }
            for (int c = 0; c < copies(); ++c) {
                add(first[at(component[at(i)])], c, i, c, -static_cast<std::int64_t>(span));  // e2
                add(i, c, first[at(component[at(i)])], c, -static_cast<std::int64_t>(span));
            }
            for (int c = 0; c + 1 < copies(); ++c) add(i, c, i, c + 1, axioms_.time[at(i)]);  // a
            add(i, copies() - 1, i, 0, axioms_.time[at(i)] - period);
        }
        const std::vector<bool> is_bridge = bridges(problem_);
        for (std::size_t e = 0; e < edges.size(); ++e) {
            const Dependency& edge = edges[e];
            const Ticks length = axioms_.time[at(edge.from)] + edge.lag;
            for (int c = 0; c < copies(); ++c) {
                add(edge.from, c, edge.to, c, length);
                if (is_bridge[e]) add(edge.to, c, edge.from, c, 1 - period - length);  // e1
            }
        }
        if (copies() > 1) add(0, 0, 0, 1, ceil_divide(period, copies()));  // f
        return "";
    }

    void add(int i, int c, int j, int d, std::int64_t weight) {
        axioms_.arcs.push_back({axioms_.node(i, c), axioms_.node(j, d), weight});
    }
};

}  // namespace

std::string test_conditions(const Problem& problem, Effort& effort) {
    const std::vector<std::vector<Share>> shares = shares_of_devices(problem);
    std::vector<std::vector<bool>> descends;
    for (int d = 0; d < problem.num_devices(); ++d) {
        if (!rows_stand(problem, d, shares[at(d)])) continue;
        std::vector<Memory> change(problem.blocks.size(), 0);
        for (const Share& share : shares[at(d)]) change[at(share.block)] = share.change;
        if (descends.empty()) descends = transitive_closure(problem);
        if (released_by_descendants(change, descends, effort)) continue;
        if (effort.exhausted()) return too_much_work;
        return "descendants do not release all that is allocated on " + device_label(problem, d) +
               ": clause logs do not cover this";
    }
    return "";
}

std::string derive_axioms(const Problem& problem, int copies, Ticks period, const std::vector<ProofVariable>& variables,
                          Effort& effort, ClauseAxioms& axioms) {
    axioms = {};
    axioms.copies = copies;
    axioms.period = period;
    return Derivation(problem, variables, effort, axioms).run();
}

}  // namespace repetend::verify
