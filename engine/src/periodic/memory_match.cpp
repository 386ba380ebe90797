// Which release frees which allocation? On one device and for one micro-batch, a full matching of allocations
// with releases of descendants says two things: (1) no set of blocks closed under descendants gains memory
// there (the condition of horizon.cpp; by the max-flow min-cut theorem the matching exists exactly then), and
// (2) memory is held at least amount * (longest path from the allocation's start to the release's end), the
// memory energy of bounds.cpp. Among all full matchings the one with the most energy is wanted: a minimum cost
// flow (Boost.Graph, successive shortest paths), with costs counted down from the longest path.
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>
#include <cstdint>

#include "periodic/instance.hpp"

namespace repetend::periodic {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, Memory,
                    boost::property<boost::edge_residual_capacity_t, Memory,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor,
                                                    boost::property<boost::edge_weight_t, Ticks>>>>>;

struct FlowBuilder {
    FlowGraph graph;

    explicit FlowBuilder(std::size_t nodes) : graph(nodes) {}

    Traits::edge_descriptor add(std::size_t from, std::size_t to, Memory capacity, Ticks cost) {
        const auto forward = boost::add_edge(from, to, graph).first;
        const auto backward = boost::add_edge(to, from, graph).first;
        boost::put(boost::edge_capacity, graph, forward, capacity);
        boost::put(boost::edge_capacity, graph, backward, 0);
        boost::put(boost::edge_weight, graph, forward, cost);
        boost::put(boost::edge_weight, graph, backward, -cost);
        boost::put(boost::edge_reverse, graph, forward, backward);
        boost::put(boost::edge_reverse, graph, backward, forward);
        return forward;
    }
};

}  // namespace

std::vector<std::vector<Ticks>> longest_paths(const Problem& problem, const std::vector<Ticks>& time, bool with_lags) {
    const std::size_t n = static_cast<std::size_t>(problem.num_blocks());
    std::vector<std::vector<std::pair<int, Ticks>>> next(n);
    for (const Dependency& edge : merged_dependencies(problem))
        next[static_cast<std::size_t>(edge.from)].push_back({edge.to, with_lags ? edge.lag : 0});
    const std::vector<int> order = topological_order(problem).value();
    std::vector<std::vector<Ticks>> path(n, std::vector<Ticks>(n, -1));
    for (std::size_t root = 0; root < n; ++root) {
        std::vector<Ticks>& to = path[root];
        to[root] = time[root];
        for (int i : order) {
            const Ticks end = to[static_cast<std::size_t>(i)];
            if (end < 0) continue;
            for (const auto& [j, lag] : next[static_cast<std::size_t>(i)])
                to[static_cast<std::size_t>(j)] =
                    std::max(to[static_cast<std::size_t>(j)], end + lag + time[static_cast<std::size_t>(j)]);
        }
    }
    return path;
}

std::optional<std::vector<MemoryMatch>> match_memory(const Problem& problem, int device,
                                                     const std::vector<std::vector<Ticks>>& path) {
    std::vector<int> allocations, releases;
    Memory total = 0;
    for (int i = 0; i < problem.num_blocks(); ++i) {
        const Memory change = memory_on(problem.blocks[static_cast<std::size_t>(i)], device);
        if (change > 0) {
            allocations.push_back(i);
            total += change;
        } else if (change < 0) {
            releases.push_back(i);
        }
    }
    std::vector<MemoryMatch> matches;
    if (total == 0) return matches;

    Ticks longest = 0;
    for (int a : allocations)
        for (int r : releases)
            longest = std::max(longest, path[static_cast<std::size_t>(a)][static_cast<std::size_t>(r)]);
    const std::size_t source = allocations.size() + releases.size();
    const std::size_t sink = source + 1;
    FlowBuilder flow(sink + 1);
    std::vector<Traits::edge_descriptor> edges;
    std::vector<std::pair<int, int>> ends;
    for (std::size_t a = 0; a < allocations.size(); ++a) {
        flow.add(source, a, memory_on(problem.blocks[static_cast<std::size_t>(allocations[a])], device), 0);
        for (std::size_t r = 0; r < releases.size(); ++r) {
            const Ticks length = path[static_cast<std::size_t>(allocations[a])][static_cast<std::size_t>(releases[r])];
            if (length < 0) continue;
            edges.push_back(flow.add(a, allocations.size() + r, total, longest - length));
            ends.push_back({allocations[a], releases[r]});
        }
    }
    for (std::size_t r = 0; r < releases.size(); ++r)
        flow.add(allocations.size() + r, sink,
                 -memory_on(problem.blocks[static_cast<std::size_t>(releases[r])], device), 0);
    // Where the source no longer leads, Boost adds its largest distance to itself in every round. Nothing reads these
    // sums, but only unsigned ones may wrap.
    const std::size_t nodes = boost::num_vertices(flow.graph);
    std::vector<std::uint64_t> distance(nodes), distance_before(nodes);
    const auto by_node = boost::get(boost::vertex_index, flow.graph);
    boost::successive_shortest_path_nonnegative_weights(
        flow.graph, source, sink,
        boost::distance_map(boost::make_iterator_property_map(distance.begin(), by_node))
            .distance_map2(boost::make_iterator_property_map(distance_before.begin(), by_node)));

    Memory moved = 0;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const Memory amount = boost::get(boost::edge_capacity, flow.graph, edges[e]) -
                              boost::get(boost::edge_residual_capacity, flow.graph, edges[e]);
        if (amount <= 0) continue;
        moved += amount;
        matches.push_back({ends[e].first, ends[e].second, amount});
    }
    if (moved < total) return std::nullopt;
    return matches;
}

}  // namespace repetend::periodic
