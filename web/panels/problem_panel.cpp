// What is searched: the preset's numbers or the problem's own, and how the search goes about it. Every field comes from
// the option table and is refused in the engine's words.
#include <algorithm>

#include "repetend/presets.hpp"
#include "ui.hpp"

namespace repetend::web {

// One number for all: the capacity of every device, the time of every block of a kind.
void Ui::own_numbers() {
    const Problem& problem = app_.document().problem;
    std::string typed;
    const auto whole = [](const std::string& text) -> std::optional<std::int64_t> {
        if (text.empty() || text.size() > 16 || text.find_first_not_of("0123456789") != std::string::npos)
            return std::nullopt;
        return std::stoll(text);
    };
    std::string capacity;
    bool mixed = false;
    for (const Device& device : problem.devices) {
        const std::string own = device.memory_capacity ? std::to_string(*device.memory_capacity) : "";
        mixed |= &device != &problem.devices.front() && own != capacity;
        if (&device == &problem.devices.front()) capacity = own;
    }
    if (amount_field("all-memory", "Memory", mixed ? "" : capacity, mixed ? "mixed" : "unlimited", typed)) {
        Problem changed = problem;
        const auto value = whole(typed);
        for (Device& device : changed.devices) device.memory_capacity = value;
        if (value || typed.empty()) app_.edit_problem(std::move(changed), "all-memory", "all-memory");
    }
    static constexpr std::pair<BlockKind, const char*> kinds[] = {{BlockKind::forward, "Forward"},
                                                                  {BlockKind::backward, "Backward"},
                                                                  {BlockKind::input_gradient, "Input gradient"},
                                                                  {BlockKind::weight_gradient, "Weight gradient"},
                                                                  {BlockKind::transfer, "Transfer"},
                                                                  {BlockKind::other, "Other"}};
    for (const auto& [kind, label] : kinds) {
        std::optional<Ticks> time;
        bool differs = false;
        for (const Block& block : problem.blocks) {
            if (block.kind != kind) continue;
            differs |= time && *time != block.time;
            time = block.time;
        }
        if (!time) continue;
        const std::string id = "all-" + std::string(to_string(kind));
        if (!amount_field(id, label, differs ? "" : std::to_string(*time), "mixed", typed)) continue;
        const auto value = whole(typed);
        if (!value) continue;
        Problem changed = problem;
        for (Block& block : changed.blocks)
            if (block.kind == kind) block.time = *value;
        app_.edit_problem(std::move(changed), id, id);
    }
}

void Ui::problem_panel() {
    const Document& document = app_.document();
    const bool family = is_family(document.recipe);
    heading("Problem");
    if (button("gallery", document.recipe.preset.empty() ? "Own problem: choose a preset"
                                                         : ("Preset " + document.recipe.preset).c_str()))
        app_.run_command("gallery");
    if (!document.recipe.preset.empty()) {
        for (const PresetInfo& info : presets())
            if (info.name == document.recipe.preset) wrapped(info.summary, look.muted());
    } else if (!document.problem.name.empty()) {
        wrapped(document.problem.name, look.muted());
    }
    ImGui::Dummy({0, 2});
    if (family) number_field("devices", "Devices", "4");
    number_field("micro-batches", "Micro-batches", std::to_string(document.micro_batches).c_str());
    if (document.recipe.problem) {
        own_numbers();
    } else {
        number_field("memory", "Memory", "unlimited");
    }
    if (family) {
        number_field("forward", "Forward", "1");
        number_field("backward", "Backward", "auto");
        number_field("weight", "Weight gradient", "auto");
        number_field("gang", "Blocks on all", "1");
        number_field("lag", "Transfer lag", "0");
        if (document.recipe.preset == "interleaved") number_field("chunks", "Chunks", "2");
        bool inference = document.recipe.options.flag("inference");
        if (ImGui::Checkbox("Inference (forward only)", &inference))
            app_.edit_option("inference", inference ? "true" : "");
        mark("field-inference");
        fault_line("inference");
    }
    fault_line("");
    ImGui::Dummy({0, 4});
    if (button("own", document.recipe.problem ? "Blocks and dependencies ..." : "Edit every block ..."))
        app_.run_command("own");
    ImGui::SameLine();
    if (button("open", "Open file")) app_.run_command("open");

    ImGui::Dummy({0, 4});
    ImGui::Separator();
    heading("Search");
    const auto choice = [&](const char* option, const char* label, const std::string& now,
                            std::initializer_list<const char*> words) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(label);
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetContentRegionMax().x - 132);
        ImGui::SetNextItemWidth(132);
        std::string chosen;
        if (ImGui::BeginCombo((std::string("###") + option).c_str(), now.c_str())) {
            for (const char* word : words)
                if (ImGui::Selectable(word, now == word)) chosen = word;
            ImGui::EndCombo();
        }
        mark((std::string("field-") + option).c_str());
        return chosen;
    };
    const std::string objective =
        choice("objective", "Objective", document.recipe.options.text("objective"), {"makespan", "period"});
    if (!objective.empty()) app_.edit_option("objective", objective);
    fault_line("objective");
    number_field("copies", "Copies", "1");
    number_field("max-in-flight", "Most in flight", "no limit");
    number_field("seed", "Seed", "1");
    if (app_.most_workers > 1) {
        const std::string workers = choice("workers", "Workers", std::to_string(app_.workers()), {"1", "2", "4", "8"});
        if (!workers.empty()) app_.set_workers(std::stoi(workers), true);
    }
    if (!document.recipe.schedule && !app_.monitor().running() && app_.stale()) {
        wrapped("The picture is of the problem before.", look.muted());
        if (button("search-here", "Search", true)) app_.run_command("search");
    }
}

}  // namespace repetend::web
