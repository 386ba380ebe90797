// The problem as tables: devices, blocks, dependencies. Every cell can be edited; what the engine refuses stays as
// typed, with its words below.
#include <algorithm>
#include <set>

#include "ui.hpp"

namespace repetend::web {
namespace {

std::string join(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
    return text;
}

std::optional<std::int64_t> whole(const std::string& text) {
    if (text.empty() || text.size() > 17) return std::nullopt;
    std::int64_t value = 0;
    std::size_t at = text[0] == '-' ? 1 : 0;
    if (at == text.size()) return std::nullopt;
    for (; at < text.size(); ++at) {
        if (text[at] < '0' || text[at] > '9') return std::nullopt;
        value = value * 10 + (text[at] - '0');
    }
    return text[0] == '-' ? -value : value;
}

std::optional<std::vector<std::int64_t>> list_of(const std::string& text) {
    std::vector<std::int64_t> numbers;
    std::size_t at = 0;
    while (at <= text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        std::size_t first = at;
        while (first < end && text[first] == ' ') ++first;
        const auto number = whole(text.substr(first, end - first));
        if (!number || numbers.size() > 4096) return std::nullopt;
        numbers.push_back(*number);
        at = end + 1;
    }
    return numbers;
}

}  // namespace

void Ui::block_table() {
    const Problem& problem = app_.document().problem;
    Problem changed = problem;
    std::string gesture, field;
    const auto cell = [&](const std::string& id, const std::string& value, auto apply) {
        ImGui::TableNextColumn();
        std::string text = value;
        const auto typed = typed_.find(id);
        if (typed != typed_.end()) text = typed->second;
        const bool wrong = typed != typed_.end() && !app_.fault_of(id).empty();
        if (wrong) ImGui::PushStyleColor(ImGuiCol_Border, look.colour(look.colours.bad));
        ImGui::PushFont(look.number);
        const bool edited = text_field(id.c_str(), text, -1);
        ImGui::PopFont();
        if (wrong) ImGui::PopStyleColor();
        const bool active = ImGui::IsItemActive();
        if (edited) {
            typed_[id] = text;
            if (apply(text)) gesture = field = id;
        } else if (!active && typed != typed_.end() && !wrong) {
            typed_.erase(id);
        }
        if (wrong && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", app_.fault_of(id).c_str());
    };
    // Every column has a share of its own: shares by content would move with each frame, as a field fills its column.
    struct Column {
        const char* name;
        float share;  // 0: as narrow as the button that removes a row
    };
    const auto begin_table = [&](const char* id, std::initializer_list<Column> columns) {
        if (!ImGui::BeginTable(id, static_cast<int>(columns.size()), ImGuiTableFlags_PadOuterX)) return false;
        for (const Column& column : columns)
            column.share > 0 ? ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthStretch, column.share)
                             : ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed, 24);
        ImGui::TableHeadersRow();
        return true;
    };

    heading("Devices");
    if (begin_table("devices",
                    {{"name", 1.2f}, {"kind", 0.9f}, {"capacity (empty: unlimited)", 2}, {"static", 1.4f}})) {
        for (std::size_t d = 0; d < problem.devices.size() && d < 256; ++d) {
            const Device& device = problem.devices[d];
            const std::string base = "devices[" + std::to_string(d) + "].";
            cell(base + "name", device.name,
                 [&](const std::string& text) { return changed.devices[d].name = text, true; });
            ImGui::TableNextColumn();
            ImGui::AlignTextToFramePadding();
            ImGui::TextDisabled("%s", std::string(to_string(device.kind)).c_str());
            cell(base + "memory_capacity", device.memory_capacity ? std::to_string(*device.memory_capacity) : "",
                 [&](const std::string& text) {
                     const auto value = whole(text);
                     if (!value && !text.empty()) return false;
                     changed.devices[d].memory_capacity = value;
                     return true;
                 });
            cell(base + "memory_static", std::to_string(device.memory_static), [&](const std::string& text) {
                const auto value = whole(text);
                if (value) changed.devices[d].memory_static = *value;
                return value.has_value();
            });
        }
        ImGui::EndTable();
    }
    heading("Blocks of one micro-batch");
    if (begin_table("blocks", {{"name", 1},
                               {"kind", 1.65f},
                               {"stage", 0.9f},
                               {"devices", 1.1f},
                               {"time", 0.9f},
                               {"memory", 1.1f},
                               {"", 0}})) {
        std::size_t remove = problem.blocks.size();
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(problem.blocks.size()));
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                const auto b = static_cast<std::size_t>(row);
                const Block& block = problem.blocks[b];
                const std::string base = "blocks[" + std::to_string(b) + "].";
                cell(base + "name", block.name,
                     [&](const std::string& text) { return changed.blocks[b].name = text, true; });
                ImGui::TableNextColumn();
                ImGui::SetNextItemWidth(-1);
                // On a phone the word needs the place of the arrow.
                const bool narrow = ImGui::GetContentRegionAvail().x < 100;
                if (ImGui::BeginCombo(("###" + base + "kind").c_str(), std::string(to_string(block.kind)).c_str(),
                                      narrow ? ImGuiComboFlags_NoArrowButton : ImGuiComboFlags_None)) {
                    for (int kind = 0; kind <= static_cast<int>(BlockKind::other); ++kind) {
                        const std::string name(to_string(static_cast<BlockKind>(kind)));
                        if (ImGui::Selectable(name.c_str(), kind == static_cast<int>(block.kind))) {
                            changed.blocks[b].kind = static_cast<BlockKind>(kind);
                            field = base + "kind";
                        }
                    }
                    ImGui::EndCombo();
                }
                cell(base + "stage", block.stage ? std::to_string(*block.stage) : "", [&](const std::string& text) {
                    const auto value = whole(text);
                    if (!value && !text.empty()) return false;
                    changed.blocks[b].stage = value;
                    return true;
                });
                cell(base + "devices", join(block.devices), [&](const std::string& text) {
                    const auto list = list_of(text);
                    if (!list) return false;
                    Block& target = changed.blocks[b];
                    const Memory memory = target.memory.front(), transient = target.transient.front();
                    target.devices.clear();
                    for (const std::int64_t device : *list)
                        target.devices.push_back(static_cast<int>(std::clamp<std::int64_t>(device, -1, most_devices)));
                    target.memory.resize(list->size(), memory);
                    target.transient.resize(list->size(), transient);
                    return true;
                });
                cell(base + "time", std::to_string(block.time), [&](const std::string& text) {
                    const auto value = whole(text);
                    if (value) changed.blocks[b].time = *value;
                    return value.has_value();
                });
                const bool uniform = std::set<Memory>(block.memory.begin(), block.memory.end()).size() == 1;
                std::string memory = std::to_string(block.memory.front());
                for (std::size_t k = 1; !uniform && k < block.memory.size(); ++k)
                    memory += "," + std::to_string(block.memory[k]);
                cell(base + "memory", memory, [&](const std::string& text) {
                    const auto list = list_of(text);
                    if (!list || (list->size() != 1 && list->size() != block.devices.size())) return false;
                    for (std::size_t k = 0; k < block.devices.size(); ++k)
                        changed.blocks[b].memory[k] = (*list)[list->size() == 1 ? 0 : k];
                    return true;
                });
                ImGui::TableNextColumn();
                if (problem.blocks.size() > 1 && icon((base + "remove").c_str(), "x", "Remove this block")) remove = b;
            }
        }
        ImGui::EndTable();
        if (remove < problem.blocks.size()) {
            changed.blocks.erase(changed.blocks.begin() + static_cast<std::ptrdiff_t>(remove));
            const int gone = static_cast<int>(remove);
            std::erase_if(changed.dependencies, [&](const Dependency& dependency) {
                return dependency.from == gone || dependency.to == gone;
            });
            for (Dependency& dependency : changed.dependencies) {
                dependency.from -= dependency.from > gone;
                dependency.to -= dependency.to > gone;
            }
            field = "blocks";
        }
    }
    if (button("add-block", "Add a block")) {
        Block block;
        int number = problem.num_blocks();
        const auto taken = [&](const std::string& name) {
            return std::any_of(problem.blocks.begin(), problem.blocks.end(),
                               [&](const Block& other) { return other.name == name; });
        };
        while (taken("block" + std::to_string(number))) ++number;
        block.name = "block" + std::to_string(number);
        block.devices = {0};
        block.memory = {0};
        block.transient = {0};
        changed.blocks.push_back(std::move(block));
        field = "blocks";
    }
    heading("Dependencies");
    const auto block_name = [&](int b) { return problem.blocks[static_cast<std::size_t>(b)].name; };
    const auto block_number = [&](const std::string& name) {
        for (int b = 0; b < problem.num_blocks(); ++b)
            if (block_name(b) == name) return b;
        return -1;
    };
    if (begin_table("dependencies", {{"from", 1}, {"to", 1}, {"lag", 1}, {"", 0}})) {
        std::size_t remove = problem.dependencies.size();
        ImGuiListClipper clipper;
        clipper.Begin(static_cast<int>(problem.dependencies.size()));
        while (clipper.Step()) {
            for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
                const auto e = static_cast<std::size_t>(row);
                const Dependency& dependency = problem.dependencies[e];
                const std::string base = "dependencies[" + std::to_string(e) + "].";
                const auto end = [&](const char* name, int now, int Dependency::*member) {
                    cell(base + name, block_name(now), [&](const std::string& text) {
                        const int number = block_number(text);
                        if (number >= 0) changed.dependencies[e].*member = number;
                        return number >= 0;
                    });
                };
                end("from", dependency.from, &Dependency::from);
                end("to", dependency.to, &Dependency::to);
                cell(base + "lag", std::to_string(dependency.lag), [&](const std::string& text) {
                    const auto value = whole(text);
                    if (value) changed.dependencies[e].lag = *value;
                    return value.has_value();
                });
                ImGui::TableNextColumn();
                if (icon((base + "remove").c_str(), "x", "Remove this dependency")) remove = e;
            }
        }
        ImGui::EndTable();
        if (remove < problem.dependencies.size()) {
            changed.dependencies.erase(changed.dependencies.begin() + static_cast<std::ptrdiff_t>(remove));
            field = "dependencies";
        }
    }
    if (problem.num_blocks() > 1 && button("add-dependency", "Add a dependency")) {
        changed.dependencies.push_back({problem.num_blocks() - 2, problem.num_blocks() - 1, 0, {}});
        field = "dependencies";
    }
    if (!field.empty()) app_.edit_problem(std::move(changed), gesture, field);
}

}  // namespace repetend::web
