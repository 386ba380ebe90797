// Blocks that can never fit, whatever the schedule.
//
// A block brings its allocation and its transient. It is a misfit when static memory and these exceed the
// capacity and nothing else can push the device's memory below its static part at that moment. The second
// half matters because memory changes are signed: a release without an allocation before it would make room.
// Nothing can, whatever the number of micro-batches, exactly when every set of blocks that holds all its own
// ancestors sums to at least 0 on the device, that is, when all releases can be matched with allocations of
// their ancestors (minimum closure as maximum flow: J.-C. Picard, Management Science 22, 1976).
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "repetend/model/problem.hpp"

namespace repetend {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowNetwork = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

void add_arc(FlowNetwork& network, std::size_t from, std::size_t to, std::int64_t capacity) {
    const auto forth = boost::add_edge(from, to, network).first;
    const auto back = boost::add_edge(to, from, network).first;
    boost::put(boost::edge_capacity, network, forth, capacity);
    boost::put(boost::edge_capacity, network, back, std::int64_t{0});
    boost::put(boost::edge_reverse, network, forth, back);
    boost::put(boost::edge_reverse, network, back, forth);
}

// Whether all releases on `device` can be matched with allocations of their ancestors.
bool releases_are_matched(const Problem& problem, int device) {
    const std::size_t blocks = problem.blocks.size();
    const std::size_t source = blocks;
    const std::size_t sink = blocks + 1;
    FlowNetwork network(blocks + 2);
    std::int64_t released = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        const Memory change = memory_on(problem.blocks[i], device);
        if (change < 0) {
            add_arc(network, source, i, -change);
            released += -change;
        } else if (change > 0) {
            add_arc(network, i, sink, change);
        }
    }
    if (released == 0) return true;
    // Validation keeps the sum of all amounts on a device within the range, so `released` is never a bottleneck.
    for (const Dependency& dependency : problem.dependencies) {
        add_arc(network, static_cast<std::size_t>(dependency.to), static_cast<std::size_t>(dependency.from), released);
    }
    return boost::push_relabel_max_flow(network, source, sink) == released;
}

}  // namespace

std::optional<Misfit> find_misfit(const Problem& problem) {
    std::vector<std::optional<Misfit>> first(problem.devices.size());
    for (int b = 0; b < problem.num_blocks(); ++b) {
        const Block& block = problem.blocks[static_cast<std::size_t>(b)];
        for (std::size_t k = 0; k < block.devices.size(); ++k) {
            const int device = block.devices[k];
            const Device& place = problem.devices[static_cast<std::size_t>(device)];
            std::optional<Misfit>& misfit = first[static_cast<std::size_t>(device)];
            const Memory needed = place.memory_static + std::max<Memory>(block.memory[k], 0) + block.transient[k];
            if (!misfit && place.memory_capacity && needed > *place.memory_capacity) {
                misfit = Misfit{device, b, needed, *place.memory_capacity};
            }
        }
    }
    for (int d = 0; d < problem.num_devices(); ++d) {
        const Device& place = problem.devices[static_cast<std::size_t>(d)];
        // Static memory is there before anything runs, so nothing can make room for it.
        if (place.memory_capacity && place.memory_static > *place.memory_capacity) {
            return Misfit{d, -1, place.memory_static, *place.memory_capacity};
        }
        if (first[static_cast<std::size_t>(d)] && releases_are_matched(problem, d)) {
            return first[static_cast<std::size_t>(d)];
        }
    }
    return std::nullopt;
}

std::string describe(const Misfit& misfit, const Problem& problem) {
    const std::string device = device_label(problem, misfit.device);
    const std::string limit = "the capacity is " + std::to_string(misfit.capacity);
    if (misfit.block < 0) {
        return "the static memory of " + device + " is " + std::to_string(misfit.needed) + ": " + limit;
    }
    const std::string& block = problem.blocks[static_cast<std::size_t>(misfit.block)].name;
    return "block " + block + " alone needs " + std::to_string(misfit.needed) + " on " + device + ": " + limit;
}

}  // namespace repetend
