#include "periodic/difference_graph.hpp"

#include <algorithm>

#include "periodic/difference_matrix.hpp"

namespace repetend::periodic {

namespace {
constexpr std::int64_t far = std::int64_t{1} << 62;
// Up to this many nodes the closed matrix is quicker; beyond it its history outgrows the memory.
constexpr int matrix_nodes = 200;
}  // namespace

std::unique_ptr<DifferenceSystem> make_difference_system(int nodes, std::int64_t reach) {
    constexpr std::int64_t most_in_32_bits = std::int64_t{1} << 27;
    if (nodes > matrix_nodes) return std::make_unique<DifferenceGraph>(nodes);
    if (reach <= most_in_32_bits) return std::make_unique<DifferenceMatrix<std::int32_t>>(nodes);
    return std::make_unique<DifferenceMatrix<std::int64_t>>(nodes);
}

DifferenceGraph::DifferenceGraph(int nodes)
    : DifferenceSystem(nodes),
      out_(static_cast<std::size_t>(nodes)),
      in_(static_cast<std::size_t>(nodes)),
      potential_(static_cast<std::size_t>(nodes), 0),
      wanted_(static_cast<std::size_t>(nodes)),
      raise_(static_cast<std::size_t>(nodes), 0) {
    for (Search* found : {&forward_, &backward_}) {
        found->slack.assign(static_cast<std::size_t>(nodes), far);
        found->link_arc.assign(static_cast<std::size_t>(nodes), -1);
        found->link_node.assign(static_cast<std::size_t>(nodes), -1);
    }
}

void DifferenceGraph::set_root(int from, int to, std::int64_t weight) {
    out_[static_cast<std::size_t>(from)].push_back({to, -1, weight});
    in_[static_cast<std::size_t>(to)].push_back({from, -1, weight});
}

void DifferenceGraph::watch(int a, int b) { wanted_[static_cast<std::size_t>(a)].push_back(b); }

int DifferenceGraph::slot(int a, int b) const {
    const auto begin = watched_.begin() + static_cast<std::ptrdiff_t>(first_slot_[static_cast<std::size_t>(a)]);
    const auto end = watched_.begin() + static_cast<std::ptrdiff_t>(first_slot_[static_cast<std::size_t>(a) + 1]);
    const auto found = std::lower_bound(begin, end, b, [](const Watched& w, int target) { return w.target < target; });
    return found != end && found->target == b ? static_cast<int>(found - watched_.begin()) : -1;
}

bool DifferenceGraph::close_root() {
    // A potential by Bellman and Ford; more than `nodes` rounds mean a positive cycle.
    bool changed = true;
    for (int round = 0; changed; ++round) {
        if (round > nodes_) return false;
        changed = false;
        for (int a = 0; a < nodes_; ++a) {
            for (const Link& link : out_[static_cast<std::size_t>(a)]) {
                std::int64_t& to = potential_[static_cast<std::size_t>(link.other)];
                const std::int64_t reached = potential_[static_cast<std::size_t>(a)] + link.weight;
                if (reached > to) to = reached, changed = true;
            }
        }
    }
    first_slot_.assign(1, 0);
    for (int a = 0; a < nodes_; ++a) {
        auto& targets = wanted_[static_cast<std::size_t>(a)];
        std::sort(targets.begin(), targets.end());
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        for (int b : targets) watched_.push_back({b, none, -1});
        first_slot_.push_back(watched_.size());
    }
    place_.resize(watched_.size());
    std::int64_t work = 0;
    for (int a = 0; a < nodes_; ++a) {
        const std::size_t begin = first_slot_[static_cast<std::size_t>(a)];
        const std::size_t end = first_slot_[static_cast<std::size_t>(a) + 1];
        if (begin == end) continue;
        search(a, true, forward_, work);
        for (std::size_t k = begin; k < end; ++k) {
            const std::size_t b = static_cast<std::size_t>(watched_[k].target);
            if (forward_.slack[b] < far)
                watched_[k].value = potential_[b] - potential_[static_cast<std::size_t>(a)] - forward_.slack[b];
        }
    }
    return true;
}

std::int64_t DifferenceGraph::at(int a, int b) const {
    const int k = slot(a, b);
    return k < 0 ? none : watched_[static_cast<std::size_t>(k)].value;
}

void DifferenceGraph::repair_potential(const Arc& arc, std::int64_t& work) {
    const std::int64_t lack =
        potential_[static_cast<std::size_t>(arc.from)] + arc.weight - potential_[static_cast<std::size_t>(arc.to)];
    if (lack <= 0) return;
    // Greatest lack first: then every node is raised once, to its final value.
    heap_.clear();
    heap_.push_back({lack, arc.to});
    raise_[static_cast<std::size_t>(arc.to)] = lack;
    std::vector<int> done;
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const auto [by, node] = heap_.back();
        heap_.pop_back();
        if (raise_[static_cast<std::size_t>(node)] != by) continue;
        potential_[static_cast<std::size_t>(node)] += by;
        raise_[static_cast<std::size_t>(node)] = -1;  // final
        done.push_back(node);
        work += static_cast<std::int64_t>(out_[static_cast<std::size_t>(node)].size());
        for (const Link& link : out_[static_cast<std::size_t>(node)]) {
            std::int64_t& most = raise_[static_cast<std::size_t>(link.other)];
            if (most < 0) continue;
            const std::int64_t missing = potential_[static_cast<std::size_t>(node)] + link.weight -
                                         potential_[static_cast<std::size_t>(link.other)];
            if (missing <= most) continue;
            most = missing;
            heap_.push_back({missing, link.other});
            std::push_heap(heap_.begin(), heap_.end());
        }
    }
    for (int node : done) raise_[static_cast<std::size_t>(node)] = 0;
}

void DifferenceGraph::search(int root, bool forward, Search& found, std::int64_t& work) {
    for (int node : found.reached) {
        found.slack[static_cast<std::size_t>(node)] = far;
        found.link_arc[static_cast<std::size_t>(node)] = -1;
        found.link_node[static_cast<std::size_t>(node)] = -1;
    }
    found.reached.clear();
    heap_.clear();
    found.slack[static_cast<std::size_t>(root)] = 0;
    found.reached.push_back(root);
    heap_.push_back({0, root});  // negative slack, so that the heap's greatest is the least slack
    while (!heap_.empty()) {
        std::pop_heap(heap_.begin(), heap_.end());
        const auto [negative, node] = heap_.back();
        heap_.pop_back();
        const std::int64_t so_far = found.slack[static_cast<std::size_t>(node)];
        if (-negative != so_far) continue;
        const auto& links = (forward ? out_ : in_)[static_cast<std::size_t>(node)];
        work += 1 + static_cast<std::int64_t>(links.size());
        for (const Link& link : links) {
            const std::int64_t difference =
                potential_[static_cast<std::size_t>(link.other)] - potential_[static_cast<std::size_t>(node)];
            const std::int64_t reached = so_far + (forward ? difference : -difference) - link.weight;
            std::int64_t& best = found.slack[static_cast<std::size_t>(link.other)];
            if (reached >= best) continue;
            if (best == far) found.reached.push_back(link.other);
            best = reached;
            found.link_arc[static_cast<std::size_t>(link.other)] = link.arc;
            found.link_node[static_cast<std::size_t>(link.other)] = node;
            heap_.push_back({-reached, link.other});
            std::push_heap(heap_.begin(), heap_.end());
        }
    }
}

bool DifferenceGraph::add(const Arc& arc, std::int64_t& work) {
    if (arc.weight <= at(arc.from, arc.to)) return true;
    const std::int32_t number = num_arcs();
    const std::int64_t back = at(arc.to, arc.from);
    arcs_.push_back(arc);
    arcs_.back().moment = num_changes();
    tree_of_arc_.push_back(-1);
    replaced_.push_back({});
    if (back != none && back + arc.weight > 0) return false;

    repair_potential(arc, work);
    search(arc.to, true, forward_, work);
    search(arc.from, false, backward_, work);
    const int pair = slot(arc.from, arc.to);
    Place& place = place_[static_cast<std::size_t>(pair)];
    auto& out = out_[static_cast<std::size_t>(arc.from)];
    auto& in = in_[static_cast<std::size_t>(arc.to)];
    if (place.out < 0) {
        replaced_.back() = {pair, true, -1, 0};
        place = {static_cast<std::int32_t>(out.size()), static_cast<std::int32_t>(in.size())};
        out.push_back({arc.to, number, arc.weight});
        in.push_back({arc.from, number, arc.weight});
    } else {
        Link& link = out[static_cast<std::size_t>(place.out)];
        replaced_.back() = {pair, false, link.arc, link.weight};
        link = {arc.to, number, arc.weight};
        in[static_cast<std::size_t>(place.in)] = {arc.from, number, arc.weight};
    }

    const std::int32_t changes_before = num_changes();
    const std::int64_t through =
        arc.weight + potential_[static_cast<std::size_t>(arc.from)] - potential_[static_cast<std::size_t>(arc.to)];
    for (int a : backward_.reached) {
        const std::int64_t base =
            through - backward_.slack[static_cast<std::size_t>(a)] - potential_[static_cast<std::size_t>(a)];
        const std::size_t end = first_slot_[static_cast<std::size_t>(a) + 1];
        for (std::size_t k = first_slot_[static_cast<std::size_t>(a)]; k < end; ++k) {
            const std::size_t b = static_cast<std::size_t>(watched_[k].target);
            if (forward_.slack[b] == far) continue;
            const std::int64_t length = base + potential_[b] - forward_.slack[b];
            if (length <= watched_[k].value) continue;
            changes_.push_back({watched_[k].value, static_cast<std::int32_t>(k), number, watched_[k].latest});
            watched_[k].value = length;
            watched_[k].latest = num_changes() - 1;
            changed_.push_back(static_cast<std::int32_t>(a * nodes_) + watched_[k].target);
        }
        work += static_cast<std::int64_t>(end - first_slot_[static_cast<std::size_t>(a)]);
    }
    if (num_changes() > changes_before) {
        tree_of_arc_.back() = static_cast<std::int32_t>(trees_.size() / static_cast<std::size_t>(4 * nodes_));
        trees_.insert(trees_.end(), forward_.link_arc.begin(), forward_.link_arc.end());
        trees_.insert(trees_.end(), forward_.link_node.begin(), forward_.link_node.end());
        trees_.insert(trees_.end(), backward_.link_arc.begin(), backward_.link_arc.end());
        trees_.insert(trees_.end(), backward_.link_node.begin(), backward_.link_node.end());
    }
    return true;
}

void DifferenceGraph::undo(std::int32_t num_changes_kept, std::int32_t num_arcs_kept) {
    while (num_changes() > num_changes_kept) {
        const Change& change = changes_.back();
        watched_[static_cast<std::size_t>(change.slot)].value = change.before;
        watched_[static_cast<std::size_t>(change.slot)].latest = change.previous;
        changes_.pop_back();
    }
    while (num_arcs() > num_arcs_kept) {
        const Arc& arc = arcs_.back();
        auto& out = out_[static_cast<std::size_t>(arc.from)];
        auto& in = in_[static_cast<std::size_t>(arc.to)];
        const Replaced& replaced = replaced_.back();  // slot -1: the arc of a conflict was never linked
        if (replaced.slot >= 0) {
            Place& place = place_[static_cast<std::size_t>(replaced.slot)];
            if (replaced.fresh) {
                out.pop_back();
                in.pop_back();
                place = {};
            } else {
                out[static_cast<std::size_t>(place.out)] = {arc.to, replaced.arc, replaced.weight};
                in[static_cast<std::size_t>(place.in)] = {arc.from, replaced.arc, replaced.weight};
            }
        }
        replaced_.pop_back();
        if (tree_of_arc_.back() >= 0)
            trees_.resize(static_cast<std::size_t>(tree_of_arc_.back()) * static_cast<std::size_t>(4 * nodes_));
        tree_of_arc_.pop_back();
        arcs_.pop_back();
    }
}

void DifferenceGraph::forget_history() {
    for (const Change& change : changes_) watched_[static_cast<std::size_t>(change.slot)].latest = -1;
    changes_.clear();
    for (const Arc& arc : arcs_) {
        for (Link& link : out_[static_cast<std::size_t>(arc.from)]) link.arc = -1;
        for (Link& link : in_[static_cast<std::size_t>(arc.to)]) link.arc = -1;
    }
    arcs_.clear();
    replaced_.clear();
    tree_of_arc_.clear();
    trees_.clear();
}

void DifferenceGraph::explain(int a, int b, std::int64_t need, std::int32_t before, std::vector<std::int32_t>& path,
                              std::int64_t& slack) const {
    if (a == b) return;
    const Watched& pair = watched_[static_cast<std::size_t>(slot(a, b))];
    std::int64_t value = pair.value;
    std::int32_t k = pair.latest;
    while (k >= 0) {
        const Change& change = changes_[static_cast<std::size_t>(k)];
        if (k < before && change.before < need) break;
        value = change.before;
        k = change.previous;
    }
    slack = value - need;
    if (k < 0) return;
    const std::int32_t number = changes_[static_cast<std::size_t>(k)].arc;
    const Arc& arc = arcs_[static_cast<std::size_t>(number)];
    const std::size_t nodes = static_cast<std::size_t>(nodes_);
    const std::int32_t* tree =
        trees_.data() + static_cast<std::size_t>(tree_of_arc_[static_cast<std::size_t>(number)]) * 4 * nodes;
    auto take = [&](std::int32_t of) {
        if (of >= 0 && arcs_[static_cast<std::size_t>(of)].reason.half >= 0) path.push_back(of);
    };
    take(number);
    for (int node = a; node != arc.from;) {
        take(tree[2 * nodes + static_cast<std::size_t>(node)]);
        node = tree[3 * nodes + static_cast<std::size_t>(node)];
    }
    for (int node = b; node != arc.to;) {
        take(tree[static_cast<std::size_t>(node)]);
        node = tree[nodes + static_cast<std::size_t>(node)];
    }
}

std::vector<Ticks> DifferenceGraph::solution() const {
    std::vector<Ticks> start = potential_;
    const Ticks least = *std::min_element(start.begin(), start.end());
    for (Ticks& value : start) value -= least;
    return start;
}

}  // namespace repetend::periodic
