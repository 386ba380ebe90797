// The dependency graph as a Boost.Graph adjacency list. Boost finds components, strong components and
// biconnected components; the order of blocks is Kahn's with a heap, because it must be unique.
#include "repetend/model/graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace repetend {
namespace {

struct Lag {
    Ticks ticks = 0;
};
using Digraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Lag>;
using EdgeIndex = boost::property<boost::edge_index_t, std::size_t>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, EdgeIndex>;

bool exists(const Problem& problem, int block) { return block >= 0 && block < problem.num_blocks(); }

// Dependencies between blocks that do not exist are left out: the finders of cycles also serve validation.
Digraph directed_graph(const Problem& problem) {
    Digraph graph(problem.blocks.size());
    for (const Dependency& dependency : problem.dependencies) {
        if (!exists(problem, dependency.from) || !exists(problem, dependency.to)) continue;
        boost::add_edge(static_cast<std::size_t>(dependency.from), static_cast<std::size_t>(dependency.to),
                        Lag{dependency.lag}, graph);
    }
    return graph;
}

Graph undirected_graph(const Problem& problem, const std::vector<Dependency>& dependencies) {
    Graph graph(problem.blocks.size());
    std::size_t index = 0;
    for (const Dependency& dependency : dependencies) {
        boost::add_edge(static_cast<std::size_t>(dependency.from), static_cast<std::size_t>(dependency.to),
                        EdgeIndex(index++), graph);
    }
    return graph;
}

// A shortest cycle through the least block of one strong component, by breadth-first search inside it.
// A dependency of that block on itself counts only where it is the whole component.
std::vector<int> cycle_inside(const Digraph& graph, const std::vector<int>& component, int number, int first) {
    const bool alone = std::count(component.begin(), component.end(), number) == 1;
    std::vector<int> parent(component.size(), -1);
    std::queue<int> reached;
    reached.push(first);
    while (!reached.empty()) {
        const int at = reached.front();
        reached.pop();
        const auto [edge, last] = boost::out_edges(static_cast<std::size_t>(at), graph);
        for (auto e = edge; e != last; ++e) {
            const int next = static_cast<int>(boost::target(*e, graph));
            if (next == first && at == first && !alone) continue;
            if (next == first) {
                std::vector<int> cycle;
                for (int b = at; b != first; b = parent[static_cast<std::size_t>(b)]) cycle.push_back(b);
                cycle.push_back(first);
                std::reverse(cycle.begin(), cycle.end());
                return cycle;
            }
            if (component[static_cast<std::size_t>(next)] != number || parent[static_cast<std::size_t>(next)] >= 0) {
                continue;
            }
            parent[static_cast<std::size_t>(next)] = at;
            reached.push(next);
        }
    }
    return {};
}

}  // namespace

std::vector<Dependency> merged_dependencies(const Problem& problem) {
    std::map<std::pair<int, int>, Ticks> largest_lag;
    for (const Dependency& dependency : problem.dependencies) {
        const auto [at, fresh] = largest_lag.try_emplace({dependency.from, dependency.to}, dependency.lag);
        if (!fresh) at->second = std::max(at->second, dependency.lag);
    }
    std::vector<Dependency> merged;
    merged.reserve(largest_lag.size());
    for (const auto& [ends, lag] : largest_lag) {
        Dependency& dependency = merged.emplace_back();
        dependency.from = ends.first;
        dependency.to = ends.second;
        dependency.lag = lag;
    }
    return merged;
}

std::optional<std::vector<int>> topological_order(const Problem& problem) {
    const Digraph graph = directed_graph(problem);
    std::vector<std::size_t> waiting_for(problem.blocks.size());
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        waiting_for[b] = boost::in_degree(b, graph);
        if (waiting_for[b] == 0) ready.push(static_cast<int>(b));
    }
    std::vector<int> order;
    order.reserve(problem.blocks.size());
    while (!ready.empty()) {
        const int block = ready.top();
        ready.pop();
        order.push_back(block);
        const auto [edge, last] = boost::out_edges(static_cast<std::size_t>(block), graph);
        for (auto e = edge; e != last; ++e) {
            const std::size_t next = boost::target(*e, graph);
            if (--waiting_for[next] == 0) ready.push(static_cast<int>(next));
        }
    }
    if (order.size() != problem.blocks.size()) return std::nullopt;
    return order;
}

std::vector<std::vector<int>> find_cycles(const Problem& problem) {
    const Digraph graph = directed_graph(problem);
    std::vector<int> component(problem.blocks.size());
    if (component.empty()) return {};
    const int count = boost::strong_components(
        graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
    std::vector<std::vector<int>> cycles;
    std::vector<bool> seen(static_cast<std::size_t>(count), false);
    for (int block = 0; block < problem.num_blocks(); ++block) {
        const int number = component[static_cast<std::size_t>(block)];
        if (seen[static_cast<std::size_t>(number)]) continue;
        seen[static_cast<std::size_t>(number)] = true;
        std::vector<int> cycle = cycle_inside(graph, component, number, block);
        if (!cycle.empty()) cycles.push_back(std::move(cycle));
    }
    return cycles;
}

std::vector<int> find_cycle(const Problem& problem) {
    const std::vector<std::vector<int>> cycles = find_cycles(problem);
    return cycles.empty() ? std::vector<int>() : cycles.front();
}

std::vector<int> components(const Problem& problem) {
    const Graph graph = undirected_graph(problem, problem.dependencies);
    std::vector<int> raw(problem.blocks.size());
    if (raw.empty()) return raw;
    const int count = boost::connected_components(
        graph, boost::make_iterator_property_map(raw.begin(), boost::get(boost::vertex_index, graph)));
    // Boost visits vertices in order of index; the renumbering states the promise instead of relying on that.
    std::vector<int> number(static_cast<std::size_t>(count), -1);
    int next = 0;
    for (int& component : raw) {
        int& renamed = number[static_cast<std::size_t>(component)];
        if (renamed < 0) renamed = next++;
        component = renamed;
    }
    return raw;
}

std::vector<bool> bridges(const Problem& problem) {
    const std::vector<Dependency> merged = merged_dependencies(problem);
    const Graph graph = undirected_graph(problem, merged);
    std::vector<std::size_t> part(merged.size());
    std::vector<bool> is_bridge(merged.size());
    if (merged.empty()) return is_bridge;
    const auto edge_index = boost::get(boost::edge_index, graph);
    const std::size_t parts =
        boost::biconnected_components(graph, boost::make_iterator_property_map(part.begin(), edge_index));
    // An edge on a cycle shares its biconnected component with the rest of that cycle. Parallel edges
    // would make a cycle of their own, which is why they are merged first.
    std::vector<std::size_t> size(parts, 0);
    for (const std::size_t p : part) ++size[p];
    for (std::size_t e = 0; e < merged.size(); ++e) is_bridge[e] = size[part[e]] == 1;
    return is_bridge;
}

std::vector<Ticks> heads(const Problem& problem) {
    const std::optional<std::vector<int>> order = topological_order(problem);
    const Digraph graph = directed_graph(problem);
    std::vector<Ticks> head(problem.blocks.size(), 0);
    if (!order) return head;
    for (const int block : *order) {
        const auto from = static_cast<std::size_t>(block);
        const auto [edge, last] = boost::out_edges(from, graph);
        for (auto e = edge; e != last; ++e) {
            Ticks& next = head[boost::target(*e, graph)];
            next = std::max(next, head[from] + problem.blocks[from].time + graph[*e].ticks);
        }
    }
    return head;
}

std::vector<Ticks> tails(const Problem& problem) {
    const std::optional<std::vector<int>> order = topological_order(problem);
    const Digraph graph = directed_graph(problem);
    std::vector<Ticks> tail(problem.blocks.size(), 0);
    if (!order) return tail;
    for (auto block = order->rbegin(); block != order->rend(); ++block) {
        const auto from = static_cast<std::size_t>(*block);
        const auto [edge, last] = boost::out_edges(from, graph);
        for (auto e = edge; e != last; ++e) {
            const std::size_t to = boost::target(*e, graph);
            tail[from] = std::max(tail[from], graph[*e].ticks + problem.blocks[to].time + tail[to]);
        }
    }
    return tail;
}

Ticks critical_path_ticks(const Problem& problem) {
    const std::vector<Ticks> head = heads(problem);
    Ticks longest = 0;
    for (std::size_t b = 0; b < head.size(); ++b) longest = std::max(longest, head[b] + problem.blocks[b].time);
    return longest;
}

std::vector<std::vector<bool>> transitive_closure(const Problem& problem) {
    const std::size_t blocks = problem.blocks.size();
    std::vector<std::vector<bool>> reach(blocks, std::vector<bool>(blocks, false));
    const std::optional<std::vector<int>> order = topological_order(problem);
    if (!order) return reach;
    // Rows of whole words, last blocks first: what a block reaches is its successors and what they reach.
    const std::size_t words = (blocks + 63) / 64;
    std::vector<std::uint64_t> rows(blocks * words, 0);
    const Digraph graph = directed_graph(problem);
    for (auto block = order->rbegin(); block != order->rend(); ++block) {
        const auto from = static_cast<std::size_t>(*block);
        const auto [edge, last] = boost::out_edges(from, graph);
        for (auto e = edge; e != last; ++e) {
            const std::size_t to = boost::target(*e, graph);
            rows[from * words + to / 64] |= std::uint64_t{1} << (to % 64);
            for (std::size_t w = 0; w < words; ++w) rows[from * words + w] |= rows[to * words + w];
        }
        for (std::size_t to = 0; to < blocks; ++to) reach[from][to] = (rows[from * words + to / 64] >> (to % 64)) & 1;
    }
    return reach;
}

}  // namespace repetend
