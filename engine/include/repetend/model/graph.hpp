// Facts about the dependency graph of a problem (a directed acyclic multigraph on its blocks, kept as a
// Boost.Graph adjacency list inside the .cpp). All functions expect a problem without faults unless they
// say otherwise.
#pragma once

#include <optional>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend {

// The dependencies with parallel edges merged (largest lag kept), ordered by (from, to).
std::vector<Dependency> merged_dependencies(const Problem& problem);

// Block indices so that every dependency goes from an earlier to a later one; among those ready, the
// one with the least index first (so the order is unique). None when there is a cycle.
std::optional<std::vector<int>> topological_order(const Problem& problem);

// Blocks of one dependency cycle in order, without repetition; empty when there is none.
std::vector<int> find_cycle(const Problem& problem);
// One cycle through each set of blocks that all depend on each other, least block first, in order of
// that block. As the function above, it accepts problems with faults: dependencies on blocks that do not
// exist are left out.
std::vector<std::vector<int>> find_cycles(const Problem& problem);

// Component number of each block in the undirected dependency graph, numbered by least block index.
std::vector<int> components(const Problem& problem);

// Which of `merged_dependencies(problem)` are bridges of the undirected graph: removing one splits its
// component in two.
std::vector<bool> bridges(const Problem& problem);

// Longest path, in ticks, from any start of the DAG to the start of each block (its head).
std::vector<Ticks> heads(const Problem& problem);
// Longest path, in ticks, from the end of each block to any end of the DAG (its tail).
std::vector<Ticks> tails(const Problem& problem);
// Longest path, in ticks, through the whole DAG: the latency of one micro-batch with nothing else.
Ticks critical_path_ticks(const Problem& problem);

// reach[i][j]: there is a path of dependencies from i to j (i != j).
std::vector<std::vector<bool>> transitive_closure(const Problem& problem);

}  // namespace repetend
