// Checking that a period is least.
//
// CLAIM. For the problem, u copies and the period T of the proof: (A) the starts given are a periodic schedule
// with period T; (B) no periodic schedule has an integer period T' < T. Copy c + u*k of block i starts at
// s(i, c) + k*T; copies of a block start in order; "instance q" of a block means copy q mod u, shifted by q div u
// periods. Only integer starts are considered, which is no loss for integer times and periods.
//
// (A) is checked directly (check_pattern): order, precedence, exclusive devices modulo T, and memory after each
// start. Memory counts instances from index 0; micro-batches before it leave nothing behind, since rows are only
// placed on devices where one micro-batch's changes sum to 0.
//
// (B) LEMMA 0. A schedule of period T' stretches to one of period T'+1 (keep the order on every device, scale, round
// up), so it is enough to refute T - 1. Four kinds of refutation:
//
// LEMMA 1 (load). A device runs u * work ticks every period.
// LEMMA 2 (memory energy). Match every allocation of a device with releases of descendants, all amounts used up. A
// micro-batch then holds at least amount * longest path (start of allocation to end of release), plus transient *
// time; summed over u micro-batches this is at most (capacity - static) * period.
// LEMMA 3 (gangs). Cut the blocks that occupy all devices out of every timeline; what remains is a schedule of
// period T' - u * (their time) in which they last 0 ticks and lags, which may have passed meanwhile, are 0.
//
// LEMMA 4 (clause log). Variables N(i, j, c) count the instances of block i that start before copy c of block j, for
// blocks that share a device. Every schedule of period P = T - 1, suitably normalised, satisfies:
//   a. copies in order, s(i,c) + t <= s(i,c+1), around the period as well; precedence for every copy;
//   b. N >= v: instance v-1 of i ends before copy c of j starts; N <= v: copy c of j ends before instance v of i
//      starts. One of N >= v, N <= v-1 always holds;
//   c. memory: after copy c of an allocating block a started, static + own changes + sum of change(i) * N(i, a, c)
//      (+ transient) fits the capacity. N(i, a, .) for i > a follows from N(a, i, .): instance x of i runs before
//      instance y of a exactly when N(a, i, x) <= y. Rows are placed where net memory is 0 and capacity finite;
//   d. gang positions (u = 1): for blocks x < y on several devices that share one, position = s(y) - s(x) -
//      (N-1)*P lies in [t(x), P - t(y)]; around three of them position(xy) + position(yz) = position(xz) + P*carry
//      with carry 0 or 1, and carry = N(xz) - N(xy) - N(yz) + 1;
//   e. normalisation. Shifting a set of blocks closed under descendants earlier by a whole period keeps all slots and
//      precedences with slack; memory does not grow when every allocation of each device with rows is matched with
//      releases of descendants (then no such set gains memory: max-flow min-cut). Hence some schedule has
//        e1. s(b,c) - s(a,c) <= t(a) + lag + P - 1 for every bridge a -> b of the merged dependency graph;
//        e2. within a component |s(i,0) - s(first,0)| <= sum(t + largest lag) + K*P*(1, or 2 with several copies);
//        e3. the first block of every component within [0, P-1] of the first block of component 0;
//      all of them by one least schedule (shift until nothing more can be shifted);
//   f. with several copies, rotating all copies together is a symmetry: s(0,1) - s(0,0) >= ceil(P/u).
// THE THREE CONDITIONS, tested here: parallel edges are merged before looking for bridges; e1 to e3 only when
// every device with rows has a full matching; rows only where net memory is 0 (net > 0 would admit no schedule at
// all, net < 0 no bound). When the matching is missing, clause logs are refused.
//
// A clause holds when its negation, propagated through a-f and the clauses it names, ends in a conflict; the last
// clause is empty. Unit clauses join the root once they are checked.
#include "repetend/verify/check_proof.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <tuple>

#include "repetend/model/graph.hpp"

namespace repetend {

namespace {

__extension__ typedef __int128 Wide;
constexpr std::int64_t none = -(std::int64_t{1} << 61);
constexpr std::int64_t endless = std::int64_t{1} << 60;
constexpr int most_copies = 64;
constexpr int most_nodes = 2048;
constexpr std::int64_t largest_value = std::int64_t{1} << 40;

std::int64_t div_floor(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
std::int64_t div_ceil(std::int64_t a, std::int64_t b) { return -div_floor(-a, b); }
std::size_t z(std::int64_t k) { return static_cast<std::size_t>(k); }

bool has_rows(const Problem& problem, int device) {
    return problem.devices[z(device)].memory_capacity && net_memory(problem, device) == 0;
}

// Longest path from the start of every block to the end of every descendant, -1 for others.
std::vector<std::vector<Ticks>> paths(const Problem& problem, const std::vector<Ticks>& time, bool with_lags) {
    const int n = problem.num_blocks();
    std::vector<std::vector<Ticks>> path(z(n), std::vector<Ticks>(z(n), -1));
    const auto order = topological_order(problem).value();
    for (int a = 0; a < n; ++a) {
        path[z(a)][z(a)] = time[z(a)];
        for (int i : order)
            for (const Dependency& edge : problem.dependencies)
                if (edge.from == i && path[z(a)][z(i)] >= 0)
                    path[z(a)][z(edge.to)] = std::max(path[z(a)][z(edge.to)],
                                                      path[z(a)][z(i)] + (with_lags ? edge.lag : 0) + time[z(edge.to)]);
    }
    return path;
}

// Whether all allocations on `device` can be matched with releases of descendants (augmenting paths).
bool fully_matched(const Problem& problem, int device, const std::vector<std::vector<bool>>& reach) {
    const int n = problem.num_blocks();
    std::vector<std::vector<Memory>> flow(z(n), std::vector<Memory>(z(n), 0));
    std::vector<Memory> left(z(n)), room(z(n));
    for (int i = 0; i < n; ++i) {
        const Memory change = memory_on(problem.blocks[z(i)], device);
        left[z(i)] = std::max<Memory>(change, 0);
        room[z(i)] = std::max<Memory>(-change, 0);
    }
    for (int source = 0; source < n; ++source) {
        while (left[z(source)] > 0) {
            // Breadth first over allocations and releases; from[] remembers the way.
            std::vector<int> from(z(2 * n), -1);
            std::queue<int> open;
            open.push(source);
            from[z(source)] = source;
            int end = -1;
            while (!open.empty() && end < 0) {
                const int at = open.front();
                open.pop();
                for (int k = 0; k < n && end < 0; ++k) {
                    const bool forward = at < n;
                    const int next = forward ? n + k : k;
                    if (from[z(next)] >= 0) continue;
                    if (forward ? !(reach[z(at)][z(k)] && memory_on(problem.blocks[z(k)], device) < 0)
                                : flow[z(k)][z(at - n)] == 0)
                        continue;
                    from[z(next)] = at;
                    open.push(next);
                    if (forward && room[z(k)] > 0) end = next;
                }
            }
            if (end < 0) return false;
            Memory amount = std::min(left[z(source)], room[z(end - n)]);
            for (int at = end; at != source; at = from[z(at)])
                if (at < n) amount = std::min(amount, flow[z(at)][z(from[z(at)] - n)]);
            for (int at = end; at != source; at = from[z(at)]) {
                const int before = from[z(at)];
                if (at >= n)
                    flow[z(before)][z(at - n)] += amount;
                else
                    flow[z(at)][z(before - n)] -= amount;
            }
            left[z(source)] -= amount;
            room[z(end - n)] -= amount;
        }
    }
    return true;
}

// --- (A) ----------------------------------------------------------------------------------------------------

std::string check_pattern(const PeriodProof& proof) {
    const Problem& problem = proof.problem;
    const int u = proof.copies;
    const Ticks period = proof.period;
    if (proof.start.size() != problem.blocks.size()) return "the schedule does not list every block";
    for (std::size_t i = 0; i < proof.start.size(); ++i) {
        const auto& start = proof.start[i];
        const std::string& name = problem.blocks[i].name;
        if (start.size() != z(u)) return "block " + name + " does not have one start per copy";
        for (Ticks s : start)
            if (s < -largest_number || s > largest_number) return "a start of block " + name + " is out of range";
        for (int c = 0; c < u; ++c) {
            const Ticks next = c + 1 < u ? start[z(c + 1)] : start[0] + period;
            if (start[z(c)] + problem.blocks[i].time > next)
                return "copies of block " + name + " overlap or are out of order";
        }
    }
    for (const Dependency& edge : problem.dependencies)
        for (int c = 0; c < u; ++c)
            if (proof.start[z(edge.from)][z(c)] + problem.blocks[z(edge.from)].time + edge.lag >
                proof.start[z(edge.to)][z(c)])
                return "block " + problem.blocks[z(edge.to)].name + " starts before " +
                       problem.blocks[z(edge.from)].name + " allows";
    for (int d = 0; d < problem.num_devices(); ++d) {
        struct Slot {
            Ticks begin, end;
        };
        std::vector<Slot> slots;
        std::vector<int> here;
        for (int i = 0; i < problem.num_blocks(); ++i) {
            const auto& on = problem.blocks[z(i)].devices;
            if (std::find(on.begin(), on.end(), d) == on.end()) continue;
            here.push_back(i);
            for (Ticks s : proof.start[z(i)]) {
                const Ticks begin = s - div_floor(s, period) * period;
                slots.push_back({begin, begin + problem.blocks[z(i)].time});
            }
        }
        std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.begin < b.begin; });
        for (std::size_t k = 0; k < slots.size(); ++k) {
            const Ticks next = k + 1 < slots.size() ? slots[k + 1].begin : slots[0].begin + period;
            if (slots[k].end > next) return device_label(problem, d) + " runs two blocks at the same time";
        }
        if (!problem.devices[z(d)].memory_capacity) continue;
        if (net_memory(problem, d) > 0) return device_label(problem, d) + " gains memory with every micro-batch";
        if (net_memory(problem, d) < 0) continue;
        for (int a : here) {
            const Block& block = problem.blocks[z(a)];
            for (int c = 0; c < u; ++c) {
                Wide held = static_cast<Wide>(problem.devices[z(d)].memory_static) + transient_on(block, d) +
                            std::max<Memory>(memory_on(block, d), 0) + static_cast<Wide>(memory_on(block, d)) * c;
                for (int i : here) {
                    if (i == a) continue;
                    std::int64_t count = 0;
                    for (Ticks s : proof.start[z(i)]) count += div_ceil(proof.start[z(a)][z(c)] - s, period);
                    held += static_cast<Wide>(memory_on(problem.blocks[z(i)], d)) * count;
                }
                if (held > *problem.devices[z(d)].memory_capacity)
                    return device_label(problem, d) + " holds more than its capacity when " + block.name + " starts";
            }
        }
    }
    return "";
}

// --- Lemmas 1 to 3 ------------------------------------------------------------------------------------------

std::string check_load(const PeriodProof& proof, Ticks refuted) {
    const int d = proof.refutation.device;
    if (d < 0 || d >= proof.problem.num_devices()) return "the load argument names no device";
    if (static_cast<Wide>(work_ticks(proof.problem, d)) * proof.copies <= refuted)
        return device_label(proof.problem, d) + " has time enough for its work";
    return "";
}

std::string check_energy(const PeriodProof& proof, Ticks refuted, bool without_gangs) {
    const Problem& problem = proof.problem;
    const int d = proof.refutation.device;
    if (d < 0 || d >= problem.num_devices() || !has_rows(problem, d)) return "the memory argument names no such device";
    std::vector<Ticks> time;
    Wide rest = refuted;
    for (const Block& block : problem.blocks) {
        const bool cut = without_gangs && static_cast<int>(block.devices.size()) == problem.num_devices();
        time.push_back(cut ? 0 : block.time);
        if (cut) rest -= static_cast<Wide>(block.time) * proof.copies;
    }
    const auto path = paths(problem, time, !without_gangs);
    std::vector<Memory> open;
    for (const Block& block : problem.blocks) open.push_back(memory_on(block, d));
    Memory divisor = 0;  // memory held is a multiple of it, transients included
    auto fold = [&](Memory value) {
        value = value < 0 ? -value : value;
        while (value != 0) divisor = std::exchange(value, divisor % value);
    };
    for (const Block& block : problem.blocks) fold(memory_on(block, d)), fold(transient_on(block, d));
    Wide energy = 0;
    for (const ProofMatch& match : proof.refutation.matches) {
        if (match.allocation < 0 || match.allocation >= problem.num_blocks() || match.release < 0 ||
            match.release >= problem.num_blocks() || match.amount <= 0)
            return "a match of the memory argument is out of range";
        const Ticks length = path[z(match.allocation)][z(match.release)];
        if (length < 0 || open[z(match.allocation)] < match.amount || -open[z(match.release)] < match.amount)
            return "a match of the memory argument does not hold";
        open[z(match.allocation)] -= match.amount;
        open[z(match.release)] += match.amount;
        energy += static_cast<Wide>(match.amount) * length;
    }
    for (Memory amount : open)
        if (amount != 0) return "the memory argument leaves memory unmatched";
    for (int i = 0; i < problem.num_blocks(); ++i)
        energy += static_cast<Wide>(transient_on(problem.blocks[z(i)], d)) * time[z(i)];
    Memory room = *problem.devices[z(d)].memory_capacity - problem.devices[z(d)].memory_static;
    if (divisor > 1 && room > 0) room -= room % divisor;
    if (energy * proof.copies <= static_cast<Wide>(room) * rest) return "the memory argument leaves room enough";
    return "";
}

// --- Lemma 4 ------------------------------------------------------------------------------------------------

class ClauseChecker {
public:
    ClauseChecker(const PeriodProof& proof, Ticks period) : proof_(proof), problem_(proof.problem), period_(period) {}

    std::string run() {
        if (std::string why = set_up(); !why.empty()) return why;
        if (root_conflict_) return "";
        const auto& clauses = proof_.refutation.clauses;
        for (std::size_t k = 0; k < clauses.size(); ++k) {
            for (std::int64_t hint : clauses[k].hints)
                if (hint < 0 || hint >= static_cast<std::int64_t>(k))
                    return "clause " + std::to_string(k) + " names a clause that does not precede it";
            for (const ProofLiteral& literal : clauses[k].literals)
                if (literal.variable < 0 || z(literal.variable) >= bound_.size() / 2 ||
                    literal.value < -largest_value || literal.value > largest_value)
                    return "clause " + std::to_string(k) + " has a literal out of range";
            State before = save();
            bool conflict = false;
            for (const ProofLiteral& literal : clauses[k].literals)
                conflict = conflict || !set(half(literal) ^ 1, 1 - value(literal));
            if (!conflict) conflict = !propagate(clauses[k].hints);
            if (!conflict) return "clause " + std::to_string(k) + " does not follow";
            restore(std::move(before));
            if (clauses[k].literals.empty()) return "";
            if (clauses[k].literals.size() == 1) {
                const ProofLiteral& unit = clauses[k].literals[0];
                if (!set(half(unit), value(unit)) || !propagate({})) return "";  // refuted at the root
            }
        }
        return "the log does not end with the empty clause";
    }

private:
    struct Row {
        struct Term {
            std::int64_t weight;      // > 0
            int first, second, sign;  // sign * N(first, second, copy), counts between two blocks; or
            int variable;             // sign * variable when first < 0
        };
        std::vector<Term> terms;
        int copy = 0;
        std::int64_t limit = 0;
    };
    struct State {
        std::vector<std::int64_t> bound, matrix;
    };

    const PeriodProof& proof_;
    const Problem& problem_;
    Ticks period_;
    int nodes_ = 0;
    std::vector<std::int64_t> bound_;                 // [2x]: x >= , [2x+1]: -x >=
    std::vector<std::int64_t> matrix_;                // s(b) - s(a) >= [a * nodes + b]
    std::map<std::tuple<int, int, int>, int> count_;  // (first, second, copy) -> variable
    std::map<std::pair<int, int>, int> position_;     // (first, second) -> variable
    std::vector<std::pair<int, int>> pairs_;
    std::vector<Row> rows_;
    bool root_conflict_ = false;
    bool moved_ = false;  // a bound or a matrix entry changed in this round

    static int half(const ProofLiteral& literal) { return 2 * literal.variable + (literal.at_least ? 0 : 1); }
    static std::int64_t value(const ProofLiteral& literal) { return literal.at_least ? literal.value : -literal.value; }
    int u() const { return proof_.copies; }
    int node(int block, std::int64_t copy) const { return block * u() + static_cast<int>(copy); }
    std::int64_t& entry(int a, int b) { return matrix_[z(a) * z(nodes_) + z(b)]; }
    State save() const { return {bound_, matrix_}; }
    void restore(State state) {
        bound_ = std::move(state.bound);
        matrix_ = std::move(state.matrix);
    }

    // Raises a bound; false when it passes its opposite.
    bool set(int h, std::int64_t v) {
        if (bound_[z(h)] >= v) return true;
        bound_[z(h)] = v;
        moved_ = true;
        return bound_[z(h)] + bound_[z(h ^ 1)] <= 0;
    }

    // s(to) - s(from) >= weight, closed; false on a positive cycle.
    bool arc(int from, int to, Wide wide) {
        const std::int64_t weight = static_cast<std::int64_t>(std::clamp<Wide>(wide, none, endless));
        if (weight <= entry(from, to)) return true;
        if (entry(to, from) != none && entry(to, from) + weight > 0) return false;
        moved_ = true;
        for (int a = 0; a < nodes_; ++a) {
            if (entry(a, from) == none) continue;
            const std::int64_t base = entry(a, from) + weight;
            if (base <= entry(a, to)) continue;
            for (int b = 0; b < nodes_; ++b)
                if (entry(to, b) != none && base + entry(to, b) > entry(a, b)) entry(a, b) = base + entry(to, b);
        }
        return true;
    }

    std::string set_up();
    std::string set_up_variables();
    void set_up_rows();
    bool propagate(const std::vector<std::int64_t>& hints);
    bool propagate_pair(int first, int second);
    bool propagate_row(const Row& row);
    bool propagate_clause(const ProofClause& clause);
    std::int64_t term_value(const Row::Term& term, int copy) const;
    bool limit_term(const Row::Term& term, int copy, std::int64_t most);
    // "instance a of block i starts before instance b of block j" as (half, value).
    std::pair<int, std::int64_t> before(int i, std::int64_t a, int j, std::int64_t b) const {
        const bool forward = i < j;
        const std::int64_t copied = forward ? b : a;
        const std::int64_t k = div_floor(copied, u());
        const int x = count_.at({std::min(i, j), std::max(i, j), static_cast<int>(copied - k * u())});
        return forward ? std::pair{2 * x, a - k * u() + 1} : std::pair{2 * x + 1, k * u() - b};
    }
};

std::string ClauseChecker::set_up_variables() {
    std::vector<bool> gang;
    for (const Block& block : problem_.blocks) gang.push_back(block.devices.size() > 1);
    auto meet = [&](int i, int j) {
        for (int d : problem_.blocks[z(i)].devices)
            for (int e : problem_.blocks[z(j)].devices)
                if (d == e) return true;
        return false;
    };
    const auto& variables = proof_.refutation.variables;
    const int n = problem_.num_blocks();
    bound_.assign(2 * variables.size(), -endless);
    for (std::size_t x = 0; x < variables.size(); ++x) {
        const ProofVariable& v = variables[x];
        if (v.first < 0 || v.first >= v.second || v.second >= n)
            return "variable " + std::to_string(x) + " is out of range";
        if (v.kind == ProofVariable::Kind::count) {
            if (v.copy < 0 || v.copy >= u() || !meet(v.first, v.second) ||
                !count_.emplace(std::tuple{v.first, v.second, v.copy}, static_cast<int>(x)).second)
                return "variable " + std::to_string(x) + " is no count";
        } else if (v.kind == ProofVariable::Kind::position) {
            if (u() != 1 || !gang[z(v.first)] || !gang[z(v.second)] || !meet(v.first, v.second) ||
                !position_.emplace(std::pair{v.first, v.second}, static_cast<int>(x)).second)
                return "variable " + std::to_string(x) + " is no position";
            bound_[2 * x] = problem_.blocks[z(v.first)].time;
            bound_[2 * x + 1] = problem_.blocks[z(v.second)].time - period_;
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (meet(i, j)) {
                pairs_.push_back({i, j});
                for (int c = 0; c < u(); ++c)
                    if (!count_.count({i, j, c}))
                        return "a count between " + problem_.blocks[z(i)].name + " and " + problem_.blocks[z(j)].name +
                               " is missing";
            }
    for (std::size_t x = 0; x < variables.size(); ++x) {
        const ProofVariable& v = variables[x];
        if (v.kind != ProofVariable::Kind::carry) continue;
        if (v.third <= v.second || v.third >= n || !position_.count({v.first, v.second}) ||
            !position_.count({v.second, v.third}) || !position_.count({v.first, v.third}))
            return "variable " + std::to_string(x) + " is no carry";
        bound_[2 * x] = 0;
        bound_[2 * x + 1] = -1;
        const int carry = static_cast<int>(x);
        const int xy = position_.at({v.first, v.second}), yz = position_.at({v.second, v.third}),
                  xz = position_.at({v.first, v.third});
        const int nxy = count_.at({v.first, v.second, 0}), nyz = count_.at({v.second, v.third, 0}),
                  nxz = count_.at({v.first, v.third, 0});
        for (int sign : {1, -1}) {
            rows_.push_back({{{1, -1, -1, sign, xy},
                              {1, -1, -1, sign, yz},
                              {1, -1, -1, -sign, xz},
                              {period_, -1, -1, -sign, carry}},
                             0,
                             0});
            rows_.push_back(
                {{{1, -1, -1, sign, nxy}, {1, -1, -1, sign, nyz}, {1, -1, -1, -sign, nxz}, {1, -1, -1, sign, carry}},
                 0,
                 sign});
        }
    }
    return "";
}

void ClauseChecker::set_up_rows() {
    for (int d = 0; d < problem_.num_devices(); ++d) {
        if (!has_rows(problem_, d)) continue;
        std::vector<int> here;
        for (int i = 0; i < problem_.num_blocks(); ++i) {
            const auto& on = problem_.blocks[z(i)].devices;
            if (std::find(on.begin(), on.end(), d) != on.end()) here.push_back(i);
        }
        for (int a : here) {
            const Memory change = memory_on(problem_.blocks[z(a)], d);
            const Memory peak = std::max<Memory>(change, 0) + transient_on(problem_.blocks[z(a)], d);
            if (peak <= 0) continue;
            for (int c = 0; c < u(); ++c) {
                Row row;
                row.copy = c;
                row.limit =
                    *problem_.devices[z(d)].memory_capacity - problem_.devices[z(d)].memory_static - peak - change * c;
                for (int i : here) {
                    const Memory m = memory_on(problem_.blocks[z(i)], d);
                    if (i != a && m != 0) row.terms.push_back({m < 0 ? -m : m, i, a, m < 0 ? -1 : 1, -1});
                }
                rows_.push_back(std::move(row));
            }
        }
    }
}

std::string ClauseChecker::set_up() {
    const int n = problem_.num_blocks();
    if (static_cast<std::int64_t>(n) * u() > most_nodes) return "the problem is too large for a clause log";
    nodes_ = n * u();
    const auto reach = transitive_closure(problem_);
    for (int d = 0; d < problem_.num_devices(); ++d) {
        if (problem_.devices[z(d)].memory_capacity && net_memory(problem_, d) > 0)
            return "a device gains memory with every micro-batch";
        if (has_rows(problem_, d) && !fully_matched(problem_, d, reach))
            return "an allocation on " + device_label(problem_, d) +
                   " is not matched by releases of descendants: clause logs do not cover this";
    }
    if (std::string why = set_up_variables(); !why.empty()) return why;
    set_up_rows();

    matrix_.assign(z(nodes_) * z(nodes_), none);
    for (int a = 0; a < nodes_; ++a) entry(a, a) = 0;
    bool fine = true;
    auto add = [&](int from, int to, Wide weight) { fine = fine && arc(from, to, weight); };
    Ticks sum = 0;
    for (int i = 0; i < n; ++i) {
        const Ticks time = problem_.blocks[z(i)].time;
        Ticks lag = 0;
        for (const Dependency& edge : problem_.dependencies)
            if (edge.from == i) lag = std::max(lag, edge.lag);
        sum += time + lag;
        if (time > period_) fine = false;
        for (int c = 0; c + 1 < u(); ++c) add(node(i, c), node(i, c + 1), time);
        if (u() > 1) add(node(i, u() - 1), node(i, 0), time - period_);
    }
    if (u() > 1) add(node(0, 0), node(0, 1), div_ceil(period_, u()));  // f
    const auto edges = merged_dependencies(problem_);
    const auto bridge = bridges(problem_);
    const auto component = components(problem_);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const Ticks reach_ticks = problem_.blocks[z(edges[e].from)].time + edges[e].lag;
        for (int c = 0; c < u(); ++c) {
            add(node(edges[e].from, c), node(edges[e].to, c), reach_ticks);
            if (bridge[e])
                add(node(edges[e].to, c), node(edges[e].from, c),
                    -(static_cast<Wide>(reach_ticks) + period_ - 1));  // e1
        }
    }
    std::vector<int> first;
    for (int i = 0; i < n; ++i) {
        if (component[z(i)] == static_cast<int>(first.size())) first.push_back(i);
        const Wide span = sum + static_cast<Wide>(n) * (u() > 1 ? 2 : 1) * period_;
        const int root = first[z(component[z(i)])];
        add(node(i, 0), node(root, 0), -span);  // e2
        add(node(root, 0), node(i, 0), -span);
    }
    for (std::size_t k = 1; k < first.size(); ++k) {  // e3
        add(node(first[0], 0), node(first[k], 0), 0);
        add(node(first[k], 0), node(first[0], 0), 1 - period_);
    }
    root_conflict_ = !fine || !propagate({});
    return "";
}

bool ClauseChecker::propagate_pair(int first, int second) {
    // What the matrix says of the counts, then what the counts say to the matrix.
    for (int c = 0; c < u(); ++c) {
        for (int b = 0; b < u(); ++b) {
            for (const bool forward : {true, false}) {
                const int i = forward ? first : second, j = forward ? second : first;
                const std::int64_t length = entry(node(i, c), node(j, b));
                if (length == none) continue;
                // Instance c + u*k of i cannot run after copy b of j, so it runs before.
                const std::int64_t k = div_floor(length + problem_.blocks[z(j)].time - 1, period_);
                const auto [h, v] = before(i, c + u() * k, j, b);
                if (!set(h, v)) return false;
            }
        }
    }
    const auto found = position_.find({first, second});
    for (int c = 0; c < u(); ++c) {
        const int x = count_.at({first, second, c});
        const std::int64_t low = bound_[z(2 * x)], high = -bound_[z(2 * x + 1)];
        if (low > high) return false;
        if (low > -endless) {
            const std::int64_t k = div_floor(low - 1, u());
            Wide weight = problem_.blocks[z(first)].time + static_cast<Wide>(k) * period_;
            if (found != position_.end()) weight = bound_[z(2 * found->second)] + static_cast<Wide>(k) * period_;
            if (!arc(node(first, low - 1 - k * u()), node(second, c), weight)) return false;
        }
        if (high < endless) {
            const std::int64_t k = div_floor(high, u());
            Wide weight = problem_.blocks[z(second)].time - static_cast<Wide>(k) * period_;
            if (found != position_.end())
                weight = bound_[z(2 * found->second + 1)] - static_cast<Wide>(k - 1) * period_;
            if (!arc(node(second, c), node(first, high - k * u()), weight)) return false;
        }
        if (found == position_.end() || low <= -endless || high >= endless) continue;
        const std::int64_t there = entry(node(first, 0), node(second, 0)),
                           back = entry(node(second, 0), node(first, 0));
        if (there != none && !set(2 * found->second, there - (high - 1) * period_)) return false;
        if (back != none && !set(2 * found->second + 1, back + (low - 1) * period_)) return false;
    }
    return true;
}

std::int64_t ClauseChecker::term_value(const Row::Term& term, int copy) const {
    if (term.first < 0) return bound_[z(2 * term.variable + (term.sign > 0 ? 0 : 1))];
    if (term.first < term.second)
        return bound_[z(2 * count_.at({term.first, term.second, copy}) + (term.sign > 0 ? 0 : 1))];
    // Counted from the other block; the greatest lower bound over its copies.
    std::int64_t best = -endless;
    for (int c = 0; c < u(); ++c) {
        const int x = count_.at({term.second, term.first, c});
        const std::int64_t bound = bound_[z(2 * x + (term.sign > 0 ? 1 : 0))];
        if (bound <= -endless) continue;
        best = std::max(best, term.sign > 0 ? c + u() * div_floor(copy + bound, u()) + 1
                                            : -(c + u() * div_ceil(copy + 1 - bound, u())));
    }
    return best;
}

bool ClauseChecker::limit_term(const Row::Term& term, int copy, std::int64_t most) {
    if (term.first < 0) return set(2 * term.variable + (term.sign > 0 ? 1 : 0), -most);
    // N <= most: instance `most` of first does not run before; -N <= most: instance -most-1 does.
    const auto [h, v] =
        term.sign > 0 ? before(term.second, copy, term.first, most) : before(term.first, -most - 1, term.second, copy);
    return set(h, v);
}

bool ClauseChecker::propagate_row(const Row& row) {
    Wide sum = 0;
    for (const Row::Term& term : row.terms) sum += static_cast<Wide>(term.weight) * term_value(term, row.copy);
    if (sum > row.limit) return false;
    for (const Row::Term& term : row.terms) {
        const Wide most = term_value(term, row.copy) + (row.limit - sum) / term.weight;
        if (most < largest_value && !limit_term(term, row.copy, static_cast<std::int64_t>(most))) return false;
    }
    return true;
}

bool ClauseChecker::propagate_clause(const ProofClause& clause) {
    const ProofLiteral* open = nullptr;
    for (const ProofLiteral& literal : clause.literals) {
        if (bound_[z(half(literal))] >= value(literal)) return true;
        if (bound_[z(half(literal) ^ 1)] >= 1 - value(literal)) continue;
        if (open) return true;
        open = &literal;
    }
    return open && set(half(*open), value(*open));
}

bool ClauseChecker::propagate(const std::vector<std::int64_t>& hints) {
    moved_ = true;
    // Bounds only grow and no proof needs more rounds than it has steps; a log that creeps is cut off (and refused).
    for (int round = 0; moved_ && round < 100000; ++round) {
        moved_ = false;
        for (std::int64_t hint : hints)
            if (!propagate_clause(proof_.refutation.clauses[z(hint)])) return false;
        for (const Row& row : rows_)
            if (!propagate_row(row)) return false;
        for (const auto& [first, second] : pairs_)
            if (!propagate_pair(first, second)) return false;
    }
    return true;
}

}  // namespace

ProofVerdict check_proof(const PeriodProof& proof) {
    auto refuse = [](std::string why) { return ProofVerdict{false, std::move(why)}; };
    if (proof.copies < 1 || proof.copies > most_copies) return refuse("the number of copies is out of range");
    Wide sum = 0;
    for (const Block& block : proof.problem.blocks) sum += block.time;
    for (const Dependency& edge : proof.problem.dependencies) sum += edge.lag;
    const Wide span =
        (sum * proof.copies + std::max<Ticks>(proof.period, 1)) * (4 * proof.copies * proof.problem.num_blocks() + 8);
    if (proof.period < 1 || proof.period > largest_number || span > (Wide{1} << 58))
        return refuse("the period or the times are out of range");
    if (std::string why = check_pattern(proof); !why.empty()) return refuse(why);
    const Ticks refuted = proof.period - 1;
    std::string why;
    if (refuted > 0) {
        switch (proof.refutation.kind) {
            case RefutationKind::load:
                why = check_load(proof, refuted);
                break;
            case RefutationKind::energy:
                why = check_energy(proof, refuted, false);
                break;
            case RefutationKind::gang:
                why = check_energy(proof, refuted, true);
                break;
            case RefutationKind::clauses:
                why = ClauseChecker(proof, refuted).run();
                break;
        }
    }
    if (!why.empty()) return refuse(why);
    return {true, "the schedule repeats every " + std::to_string(proof.period) + " ticks" +
                      (proof.copies > 1 ? " with " + std::to_string(proof.copies) + " micro-batches" : "") +
                      ", and no schedule with an integer period below " + std::to_string(proof.period) +
                      " exists for " + std::to_string(proof.copies) + (proof.copies == 1 ? " copy" : " copies")};
}

}  // namespace repetend
