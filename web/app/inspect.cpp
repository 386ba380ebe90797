// What a person wants to know of a block, and why a device waits. An idle device waits for the next operation in its
// lane: that one starts when a dependency ends, when another device of its gang becomes free, when memory is given
// back, or simply where the schedule put it.
#include <algorithm>

#include "schedule_view.hpp"

namespace repetend::web {
namespace {

// The operation that gives memory back on `device` exactly at `time`, or -1.
std::int64_t releasing_at(const ScheduleView& view, int device, Ticks time) {
    const auto& items = view.lanes[static_cast<std::size_t>(device)].items;
    const auto at =
        std::partition_point(items.begin(), items.end(), [&](const LaneItem& item) { return item.end < time; });
    for (auto item = at; item != items.end() && item->end == time; ++item) {
        const Block& block = view.block_of(item->operation);
        if (memory_on(block, device) < 0 || transient_on(block, device) > 0) return item->operation;
    }
    return -1;
}

// Would `operation` have been too much for some device of it just before its start?
int full_device(const ScheduleView& view, std::int64_t operation) {
    const Block& block = view.block_of(operation);
    const Ticks start = view.operation(operation).start;
    for (const int device : block.devices) {
        const auto& capacity = view.problem.devices[static_cast<std::size_t>(device)].memory_capacity;
        if (!capacity || start == 0) continue;
        const Memory needed = std::max<Memory>(memory_on(block, device), 0) + transient_on(block, device);
        if (needed > 0 && view.memory_at(device, start - 1) + needed > *capacity) return device;
    }
    return -1;
}

}  // namespace

std::string why_idle(const ScheduleView& view, int device, Ticks time) {
    const auto& items = view.lanes[static_cast<std::size_t>(device)].items;
    const std::size_t k = view.first_ending_after(device, static_cast<double>(time));
    if (items.empty()) return "nothing runs here";
    if (k >= items.size()) return "no work left";
    const std::int64_t next = items[k].operation;
    const Ticks start = items[k].start;
    const std::string what = label(view, next) + " ";
    for (const Edge& edge : view.predecessors(next)) {
        if (view.end_of(edge.from) + edge.lag != start) continue;
        const Block& from = view.block_of(edge.from);
        std::string words = what + "waits for " + long_label(view, edge.from);
        const bool here = std::find(from.devices.begin(), from.devices.end(), device) != from.devices.end();
        if (!here) words += " on " + device_label(view.problem, from.devices.front());
        if (edge.lag > 0) words += " and " + time_text(view, edge.lag) + " of transfer";
        return words;
    }
    const Block& block = view.block_of(next);
    for (const int other : block.devices) {
        if (other == device) continue;
        const std::int64_t before = start > 0 ? view.running_at(other, start - 1) : -1;
        if (before >= 0 && view.end_of(before) == start)
            return what + "needs " + device_label(view.problem, other) + " as well, which runs " +
                   long_label(view, before) + " until then";
    }
    if (const int full = full_device(view, next); full >= 0) {
        std::string words = what + "waits: memory of " + device_label(view.problem, full) + " is full";
        const std::int64_t release = releasing_at(view, full, start);
        return release >= 0 ? words + " until " + long_label(view, release) + " ends" : words;
    }
    return what + "could start earlier without making anything faster; the repetend keeps its rhythm";
}

std::vector<std::pair<std::string, std::string>> facts(const ScheduleView& view, std::int64_t k) {
    const Operation& operation = view.operation(k);
    const Block& block = view.block_of(k);
    std::vector<std::pair<std::string, std::string>> list;
    std::string kind(to_string(block.kind));
    std::replace(kind.begin(), kind.end(), '_', ' ');
    if (block.stage) kind += ", stage " + std::to_string(*block.stage);
    list.emplace_back("kind", kind);
    std::string devices;
    for (const int device : block.devices) {
        if (devices.size() > 60) {
            devices += ", ...";
            break;
        }
        devices += (devices.empty() ? "" : ", ") + device_label(view.problem, device);
    }
    list.emplace_back(block.devices.size() > 1 ? "devices" : "device", devices);
    list.emplace_back("time", std::to_string(operation.start) + " to " + std::to_string(view.end_of(k)) + " (" +
                                  time_text(view, block.time) + ")");
    for (std::size_t d = 0; d < block.devices.size() && d < 1; ++d) {
        if (block.memory[d] != 0)
            list.emplace_back("memory", (block.memory[d] > 0 ? "holds +" : "releases ") +
                                            memory_text(view.problem, block.memory[d]) +
                                            (block.memory[d] > 0 ? " from its start" : " at its end"));
        if (block.transient[d] > 0)
            list.emplace_back("transient", memory_text(view.problem, block.transient[d]) + " while it runs");
    }
    const std::int64_t before = view.binding[static_cast<std::size_t>(k)];
    if (before >= 0) {
        list.emplace_back("starts after", long_label(view, before));
    } else if (operation.start > 0) {
        const int full = full_device(view, k);
        const std::int64_t release = full >= 0 ? releasing_at(view, full, operation.start) : -1;
        list.emplace_back("starts", full < 0       ? "where the schedule puts it"
                                    : release >= 0 ? "when " + long_label(view, release) + " gives memory back"
                                                   : "when memory is free");
    } else {
        list.emplace_back("starts", "at once");
    }
    Ticks slack = view.end - view.end_of(k);
    for (const Edge& edge : view.successors(k))
        slack = std::min(slack, view.operation(edge.to).start - edge.lag - view.end_of(k));
    for (const int device : block.devices) {
        const auto& items = view.lanes[static_cast<std::size_t>(device)].items;
        const std::size_t next = view.first_ending_after(device, static_cast<double>(view.end_of(k)));
        if (next < items.size()) slack = std::min(slack, items[next].start - view.end_of(k));
    }
    list.emplace_back("slack", slack > 0 ? time_text(view, slack) + " before anything else moves" : "none");
    return list;
}

}  // namespace repetend::web
