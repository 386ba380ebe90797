// From start times to lists. A message happens at one moment for both of its ends: when the data exist (early) or
// when the block that needs them starts (late; a sender that is busy then sends before the block that keeps it busy);
// at one moment messages stand before blocks, in order of (micro-batch,
// route). So all lists are cut out of one order of everything, and in such lists no circle of waiting can arise: of
// all actions that are still to come the first in that order can always go ahead, even where a send waits for its
// receive. Links keep no list: transfers run in the order in which they become possible. (Placing a receive where its
// own device would like it, and the send where the other one would, is what makes hand-written schedules hang.)
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

#include "repetend/execution/execution.hpp"

namespace repetend {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

struct Moment {
    Ticks time = 0;
    bool block = false;  // messages first
    Action action;
};

bool before(const Moment& a, const Moment& b) {
    const auto key = [](const Moment& m) { return std::tie(m.time, m.block, m.action.micro_batch, m.action.index); };
    return key(a) < key(b);
}

std::vector<std::vector<Moment>> moments_of(const Problem& problem, const Schedule& schedule, bool with_links) {
    std::vector<std::vector<Moment>> moments(problem.devices.size());
    for (const Operation& operation : schedule.operations) {
        for (const int device : problem.blocks[at(operation.block)].devices) {
            if (!with_links && problem.devices[at(device)].kind == DeviceKind::link) continue;
            moments[at(device)].push_back(
                {operation.start, true, {ActionKind::compute, operation.block, operation.micro_batch}});
        }
    }
    return moments;
}

Program cut(std::vector<std::vector<Moment>> moments, std::int64_t micro_batches) {
    Program program;
    program.micro_batches = micro_batches;
    for (std::vector<Moment>& lane : moments) {
        std::sort(lane.begin(), lane.end(), before);
        std::vector<Action>& list = program.devices.emplace_back();
        list.reserve(lane.size());
        for (const Moment& moment : lane) list.push_back(moment.action);
        lane = {};
    }
    return program;
}

// The start of what runs on a lane at `time`, or `time` where nothing does.
Ticks free_moment(const Problem& problem, const std::vector<Operation>& lane, Ticks time) {
    const auto later = std::lower_bound(lane.begin(), lane.end(), time,
                                        [](const Operation& operation, Ticks t) { return operation.start < t; });
    if (later == lane.begin()) return time;
    const Operation& last = *std::prev(later);
    return last.start + problem.blocks[at(last.block)].time > time ? last.start : time;
}

}  // namespace

Program program_of(const Problem& problem, const Schedule& schedule) {
    return cut(moments_of(problem, schedule, true), schedule.micro_batches);
}

Program with_communication(const Problem& problem, const Schedule& schedule, Receives receives) {
    std::vector<Route> routes = find_routes(problem);
    std::vector<std::vector<Moment>> moments = moments_of(problem, schedule, false);
    const std::size_t blocks = problem.blocks.size();
    std::vector<Ticks> start(blocks * at(schedule.micro_batches), 0);
    for (const Operation& operation : schedule.operations) {
        start[at(operation.micro_batch) * blocks + at(operation.block)] = operation.start;
    }
    std::vector<std::vector<Operation>> lanes(problem.devices.size());  // in order of start
    for (const Operation& operation : schedule.operations) {
        for (const int device : problem.blocks[at(operation.block)].devices) lanes[at(device)].push_back(operation);
    }
    for (std::size_t r = 0; r < routes.size(); ++r) {
        const Route& route = routes[r];
        for (std::int64_t n = 0; n < schedule.micro_batches; ++n) {
            const Ticks* starts = &start[at(n) * blocks];
            Ticks time = starts[at(route.from)] + problem.blocks[at(route.from)].time;
            if (receives == Receives::late) {
                // With transfers on links the sender has to begin in time for them.
                time = starts[at(route.consumers.front())];
                for (const int consumer : route.consumers) time = std::min(time, starts[at(consumer)]);
                for (const int transfer : route.transfers) time = std::min(time, starts[at(transfer)]);
                time = free_moment(problem, lanes[at(route.sender)], time);
            }
            const int index = static_cast<int>(r);
            moments[at(route.sender)].push_back({time, false, {ActionKind::send, index, n}});
            moments[at(route.receiver)].push_back({time, false, {ActionKind::receive, index, n}});
        }
    }
    Program program = cut(std::move(moments), schedule.micro_batches);
    program.routes = std::move(routes);
    return program;
}

std::string_view to_string(Semantics semantics) {
    switch (semantics) {
        case Semantics::direct:
            return "direct";
        case Semantics::buffered:
            return "buffered";
        case Semantics::rendezvous:
            return "rendezvous";
    }
    return "";
}

}  // namespace repetend
