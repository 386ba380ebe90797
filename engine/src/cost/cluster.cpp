// Links and collectives of a cluster; alpha-beta models throughout: latency + bytes / rate.
#include "repetend/cost/cluster.hpp"

#include <algorithm>
#include <cmath>

namespace repetend::cost {

namespace {

// What a ring moves for each byte of the message: 2(n-1)/n.
double ring_factor(std::int64_t members) {
    return 2.0 * static_cast<double>(members - 1) / static_cast<double>(members);
}

double inside_node_ns(const Cluster& cluster, std::int64_t gpus, double bytes) {
    if (gpus <= 1) return 0;
    if (cluster.all_reduce.empty()) {
        return cluster.inside.latency_ns * static_cast<double>(gpus - 1) +
               ring_factor(gpus) * bytes / cluster.inside.bytes_per_ns;
    }
    // The nearest measured size at or above, else the largest: bandwidth by size is not monotone, so nothing is
    // interpolated.
    const AllReduceFit* fit = &cluster.all_reduce.back();
    for (const AllReduceFit& candidate : cluster.all_reduce) {
        if (candidate.gpus >= gpus) {
            fit = &candidate;
            break;
        }
    }
    const double bus = fit->bytes_per_ns * ring_factor(fit->gpus);
    return fit->latency_ns + ring_factor(gpus) * bytes / bus;
}

double between_nodes_ns(const Cluster& cluster, std::int64_t nodes, double senders, double bytes) {
    if (nodes <= 1) return 0;
    const double rate = cluster.network.bytes_per_ns * std::min(static_cast<double>(cluster.cards_per_node), senders);
    return cluster.network.latency_ns + ring_factor(nodes) * bytes / rate;
}

}  // namespace

double efficiency_of(const Cluster& cluster, std::int64_t hidden) {
    double fraction = cluster.gpu.efficiency;
    for (const EfficiencyStep& step : cluster.efficiency) {
        if (hidden >= step.hidden) fraction = step.fraction;
    }
    return fraction;
}

std::int64_t node_of(const Cluster& cluster, std::int64_t gpu) { return gpu / cluster.gpus_per_node; }

double stage_transfer_ns(const Cluster& cluster, std::int64_t from_device, std::int64_t to_device, std::int64_t width,
                         double bytes) {
    if (from_device == to_device) return 0;
    // Neighbours meet where the last GPU of one ends and the first of the other begins.
    const std::int64_t lower = std::min(from_device, to_device);
    const std::int64_t upper = std::max(from_device, to_device);
    const bool same_node = node_of(cluster, lower * width) == node_of(cluster, (upper + 1) * width - 1);
    const auto wide = static_cast<double>(width);
    if (same_node) return cluster.inside.latency_ns + bytes / (cluster.inside.bytes_per_ns * wide);
    const double cards = std::min(wide, static_cast<double>(cluster.cards_per_node));
    return cluster.network.latency_ns + bytes / (cluster.network.bytes_per_ns * cards);
}

double all_reduce_ns(const Cluster& cluster, std::int64_t first, std::int64_t gpus, double bytes) {
    if (gpus <= 1) return 0;
    const std::int64_t nodes = node_of(cluster, first + gpus - 1) - node_of(cluster, first) + 1;
    const std::int64_t local = (gpus + nodes - 1) / nodes;
    return inside_node_ns(cluster, local, bytes) +
           between_nodes_ns(cluster, nodes, static_cast<double>(cluster.cards_per_node), bytes);
}

double spread_all_reduce_ns(const Cluster& cluster, std::int64_t members, std::int64_t stride, double bytes) {
    if (members <= 1) return 0;
    const std::int64_t local = std::max<std::int64_t>(1, std::min(members, cluster.gpus_per_node / stride));
    const std::int64_t nodes = (members + local - 1) / local;
    if (nodes == 1) return inside_node_ns(cluster, members, bytes);
    // All GPUs of a node send at once: each has its share of the cards.
    const double share = static_cast<double>(cluster.cards_per_node) / static_cast<double>(cluster.gpus_per_node);
    return inside_node_ns(cluster, local, bytes) + between_nodes_ns(cluster, nodes, share, bytes);
}

}  // namespace repetend::cost
