// Routes: which dependencies need a message. Transfers on links are no work of a device; they are followed to the
// blocks that wait for them.
#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "repetend/execution/execution.hpp"
#include "repetend/model/graph.hpp"

namespace repetend {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool on_links_only(const Problem& problem, const Block& block) {
    return std::all_of(block.devices.begin(), block.devices.end(),
                       [&](int device) { return problem.devices[at(device)].kind == DeviceKind::link; });
}

bool runs_on(const Block& block, int device) {
    return std::find(block.devices.begin(), block.devices.end(), device) != block.devices.end();
}

void insert_unique(std::vector<int>& list, int value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

class Finder {
public:
    explicit Finder(const Problem& problem) : problem_(problem), next_(problem.blocks.size()) {
        for (const Dependency& dependency : merged_dependencies(problem))
            next_[at(dependency.from)].push_back(dependency);
        for (const Block& block : problem.blocks) only_link_.push_back(on_links_only(problem, block) ? 1 : 0);
    }

    std::vector<Route> run() {
        for (int from = 0; from < problem_.num_blocks(); ++from) {
            if (only_link_[at(from)] != 0) continue;
            for (const Dependency& edge : next_[at(from)]) {
                if (only_link_[at(edge.to)] == 0) {
                    reach(from, edge.to, edge.lag, -1);
                } else {
                    follow(from, edge.to);
                }
            }
        }
        std::vector<Route> routes;
        for (auto& [key, route] : found_) routes.push_back(std::move(route));
        take_turns(routes);
        return routes;
    }

private:
    // Everything that waits behind the transfer `first`, over further transfers.
    void follow(int from, int first) {
        std::vector<int> open = {first};
        std::vector<char> seen(problem_.blocks.size(), 0);
        seen[at(first)] = 1;
        while (!open.empty()) {
            const int transfer = open.back();
            open.pop_back();
            for (const Dependency& edge : next_[at(transfer)]) {
                if (only_link_[at(edge.to)] == 0) {
                    reach(from, edge.to, 0, first);
                } else if (seen[at(edge.to)] == 0) {
                    seen[at(edge.to)] = 1;
                    open.push_back(edge.to);
                }
            }
        }
    }

    void reach(int from, int to, Ticks lag, int transfer) {
        for (const int device : problem_.blocks[at(to)].devices) {
            if (problem_.devices[at(device)].kind == DeviceKind::link) continue;
            if (runs_on(problem_.blocks[at(from)], device)) continue;
            const auto [place, fresh] = found_.try_emplace({from, device});
            Route& route = place->second;
            if (fresh) {
                route.from = from;
                route.receiver = device;
                route.lag = lag;
            }
            route.lag = std::min(route.lag, lag);
            insert_unique(route.consumers, to);
            if (transfer >= 0) insert_unique(route.transfers, transfer);
        }
    }

    void take_turns(std::vector<Route>& routes) const {
        int from = -1;
        std::size_t turn = 0;
        for (Route& route : routes) {
            if (route.from != from) turn = 0;
            from = route.from;
            std::vector<int> senders;
            for (const int device : problem_.blocks[at(from)].devices) {
                if (problem_.devices[at(device)].kind == DeviceKind::compute) senders.push_back(device);
            }
            route.sender = senders[turn++ % senders.size()];
            std::sort(route.consumers.begin(), route.consumers.end());
            std::sort(route.transfers.begin(), route.transfers.end());
        }
    }

    const Problem& problem_;
    std::vector<std::vector<Dependency>> next_;
    std::vector<char> only_link_;
    std::map<std::pair<int, int>, Route> found_;
};

}  // namespace

std::vector<Route> find_routes(const Problem& problem) { return Finder(problem).run(); }

}  // namespace repetend
