#include "schedule_view.hpp"

#include <algorithm>
#include <cctype>

namespace repetend::web {

std::shared_ptr<const ScheduleView> make_view(Problem problem, Schedule schedule) {
    static std::int64_t last_id = 0;
    auto view = std::make_shared<ScheduleView>();
    view->id = ++last_id;
    view->measures = measure(problem, schedule);
    view->end = view->measures.makespan;
    view->binding = binding_predecessors(problem, schedule);
    view->dependencies = merged_dependencies(problem);
    view->lanes.resize(problem.devices.size());
    view->index.assign(problem.blocks.size() * static_cast<std::size_t>(schedule.micro_batches), -1);
    view->lives.assign(static_cast<std::size_t>(schedule.micro_batches), {view->end, 0});
    for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
        const Operation& operation = schedule.operations[k];
        const Block& block = problem.blocks[static_cast<std::size_t>(operation.block)];
        auto& life = view->lives[static_cast<std::size_t>(operation.micro_batch)];
        life = {std::min(life.first, operation.start), std::max(life.second, operation.start + block.time)};
        view->index[static_cast<std::size_t>(operation.block * schedule.micro_batches + operation.micro_batch)] =
            static_cast<std::int64_t>(k);
        for (const int device : block.devices)
            view->lanes[static_cast<std::size_t>(device)].items.push_back(
                {operation.start, operation.start + block.time, static_cast<std::int32_t>(k)});
    }
    for (int d = 0; d < problem.num_devices(); ++d) {
        Lane& lane = view->lanes[static_cast<std::size_t>(d)];
        lane.memory = memory_curve(problem, schedule, d);
        lane.peak = view->measures.peak_memory[static_cast<std::size_t>(d)];
        const Device& device = problem.devices[static_cast<std::size_t>(d)];
        view->most_memory = std::max({view->most_memory, lane.peak, device.memory_capacity.value_or(0)});
    }
    view->problem = std::move(problem);
    view->schedule = std::move(schedule);
    return view;
}

std::int64_t ScheduleView::find(int block, std::int64_t micro_batch) const {
    if (block < 0 || block >= problem.num_blocks() || micro_batch < 0 || micro_batch >= schedule.micro_batches)
        return -1;
    return index[static_cast<std::size_t>(block * schedule.micro_batches + micro_batch)];
}

std::size_t ScheduleView::first_ending_after(int device, double time) const {
    const auto& items = lanes[static_cast<std::size_t>(device)].items;
    return static_cast<std::size_t>(
        std::partition_point(items.begin(), items.end(),
                             [&](const LaneItem& item) { return static_cast<double>(item.end) <= time; }) -
        items.begin());
}

std::int64_t ScheduleView::running_at(int device, Ticks time) const {
    const auto& items = lanes[static_cast<std::size_t>(device)].items;
    const std::size_t k = first_ending_after(device, static_cast<double>(time));
    return k < items.size() && items[k].start <= time ? items[k].operation : -1;
}

Memory ScheduleView::memory_at(int device, Ticks time) const {
    const auto& steps = lanes[static_cast<std::size_t>(device)].memory;
    const auto after =
        std::partition_point(steps.begin(), steps.end(), [&](const MemoryStep& step) { return step.time <= time; });
    return after == steps.begin() ? problem.devices[static_cast<std::size_t>(device)].memory_static
                                  : std::prev(after)->memory;
}

std::vector<Edge> ScheduleView::predecessors(std::int64_t k) const {
    std::vector<Edge> edges;
    for (const Dependency& dependency : dependencies)
        if (dependency.to == operation(k).block)
            edges.push_back({find(dependency.from, operation(k).micro_batch), k, dependency.lag});
    return edges;
}

std::vector<Edge> ScheduleView::successors(std::int64_t k) const {
    std::vector<Edge> edges;
    for (const Dependency& dependency : dependencies)
        if (dependency.from == operation(k).block)
            edges.push_back({k, find(dependency.to, operation(k).micro_batch), dependency.lag});
    return edges;
}

std::vector<std::int64_t> ScheduleView::chain_to(std::int64_t k) const {
    std::vector<std::int64_t> chain;
    while (k >= 0 && chain.size() <= schedule.operations.size()) {
        chain.push_back(k);
        k = binding[static_cast<std::size_t>(k)];
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

char kind_letter(const Block& block) {
    switch (block.kind) {
        case BlockKind::forward:
            return 'F';
        case BlockKind::backward:
        case BlockKind::input_gradient:
            return 'B';
        case BlockKind::weight_gradient:
            return 'W';
        case BlockKind::transfer:
            return 'T';
        case BlockKind::other:
            break;
    }
    const auto first = block.name.empty() ? 'x' : block.name.front();
    return static_cast<unsigned char>(first) < 127 ? static_cast<char>(std::toupper(static_cast<unsigned char>(first)))
                                                   : 'x';
}

std::string label(const ScheduleView& view, std::int64_t k) {
    return kind_letter(view.block_of(k)) + std::to_string(view.operation(k).micro_batch);
}

std::string long_label(const ScheduleView& view, std::int64_t k) {
    return view.block_of(k).name + " of micro-batch " + std::to_string(view.operation(k).micro_batch);
}

std::string amount(std::int64_t value, const std::string& unit, const char* fallback) {
    static constexpr std::pair<double, const char*> bytes[] = {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
    static constexpr std::pair<double, const char*> seconds[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}};
    const auto scaled = [&](const auto& table) -> std::string {
        for (const auto& [size, name] : table) {
            if (static_cast<double>(value < 0 ? -value : value) < size) continue;
            char text[48];
            std::snprintf(text, sizeof text, "%.4g %s", static_cast<double>(value) / size, name);
            return text;
        }
        return {};
    };
    std::string text;
    if (unit == "byte") text = scaled(bytes);
    if (unit == "ns") text = scaled(seconds);
    if (!text.empty()) return text;
    text = std::to_string(value);
    if (unit.empty()) return *fallback ? text + ' ' + fallback + (value == 1 ? "" : "s") : text;
    if (unit == "tick") return text + (value == 1 ? " tick" : " ticks");
    return text + ' ' + unit;
}

std::string time_text(const ScheduleView& view, Ticks ticks) { return amount(ticks, view.problem.time_unit, "tick"); }
std::string memory_text(const Problem& problem, Memory memory) { return amount(memory, problem.memory_unit, ""); }

}  // namespace repetend::web
