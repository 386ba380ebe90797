// What opens over the page: presets, commands, keys, sharing, comparison, the problem's tables, tours.
#include <imgui_internal.h>  // order of windows

#include <algorithm>

#include "app/commands.hpp"
#include "gantt/painter.hpp"
#include "repetend/baseline/baseline.hpp"
#include "ui.hpp"

namespace repetend::web {

bool Ui::begin_overlay(const char* title, Rect area, float width, float height) {
    width = std::min(width, area.width - 16);
    height = std::min(height, area.height - 16);
    ImGui::GetForegroundDrawList();
    const float top = form_ == Form::phone ? 8.f : std::max(8.f, std::min(64.f, (area.height - height) / 2));
    // The page behind is dimmed and closes what is open.
    ImGui::SetNextWindowPos({area.x, area.y});
    ImGui::SetNextWindowSize({area.width, area.height});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(look.colours.dark ? 0x000000 : 0x1F2328, 0.35));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("veil", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    if (overlay_fresh_) ImGui::SetWindowFocus();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    if (ImGui::InvisibleButton("close-veil", {area.width, area.height}) && !overlay_fresh_)
        app_.overlay = Overlay::none;
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    ImGui::SetNextWindowPos({area.x + (area.width - width) / 2, area.y + top});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {20, 16});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(look.colours.dark ? look.colours.panel : look.colours.page));
    ImGui::Begin(title, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar(3);
    if (overlay_fresh_) ImGui::SetWindowFocus();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::PushFont(look.title);
    ImGui::TextUnformatted(title);
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::SetCursorPosX(width - 20 - ImGui::CalcTextSize("Close").x - 2 * ImGui::GetStyle().FramePadding.x);
    if (icon("close", "Close", "clear")) app_.overlay = Overlay::none;
    return true;
}

void Ui::overlays(Rect area) {
    switch (app_.overlay) {
        case Overlay::none:
            return;
        case Overlay::gallery:
            return gallery(area);
        case Overlay::palette:
            return palette_overlay(area);
        case Overlay::help:
            return help(area);
        case Overlay::share:
            return share_menu(area);
        case Overlay::compare:
            return compare_menu(area);
        case Overlay::problem_table:
            begin_overlay("Blocks and dependencies", area, 900, area.height - 60);
            block_table();
            ImGui::End();
            return;
        case Overlay::tours:
            begin_overlay("Tours", area, 460, 120 + 44 * static_cast<float>(app_.tours().size()));
            tours_menu();
            ImGui::End();
            return;
    }
}

void Ui::gallery(Rect area) {
    begin_overlay("Presets", area, 1040, area.height - 60);
    const float width = ImGui::GetContentRegionAvail().x;
    const int columns = width > 900 ? 3 : width > 560 ? 2 : 1;
    const float gap = 14, card = (width - gap * static_cast<float>(columns - 1) - 12) / static_cast<float>(columns);
    const float height = columns == 1 ? 150.f : 168.f;
    ImGui::BeginChild("cards");
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (std::size_t k = 0; k < gallery_.size(); ++k) {
        const GalleryEntry& entry = gallery_[k];
        const ImVec2 at{origin.x + (card + gap) * static_cast<float>(k % static_cast<std::size_t>(columns)),
                        origin.y + (height + gap) * static_cast<float>(k / static_cast<std::size_t>(columns))};
        ImGui::SetCursorScreenPos(at);
        const std::string id = "preset-" + entry.name;
        if (ImGui::InvisibleButton(id.c_str(), {card, height})) app_.open_preset(entry.name);
        mark(id.c_str());
        if (!ImGui::IsItemVisible()) continue;
        const bool hovered = ImGui::IsItemHovered() || ImGui::IsItemFocused();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const bool current = app_.document().recipe.preset == entry.name;
        list.AddRectFilled(at, {at.x + card, at.y + height},
                           look.colour(mix(look.colours.panel, look.colours.accent, hovered ? 0.1 : 0)), 8);
        if (hovered || current)
            list.AddRect(at, {at.x + card, at.y + height}, look.accent(), 8, 0, current ? 1.8f : 1.2f);
        list.PushClipRect({at.x + 10, at.y + 6}, {at.x + card - 10, at.y + height - 6}, true);
        list.AddText(look.caption, look.caption->FontSize * look.caption->Scale, {at.x + 12, at.y + 8}, look.ink(),
                     entry.name.c_str());
        const float picture = at.y + 34;
        if (entry.view)
            paint_thumbnail(list, look, *entry.view, {at.x + 12, picture}, {at.x + card - 12, picture + 44});
        const float size = look.text->FontSize * look.text->Scale;
        list.AddText(look.text, size, {at.x + 12, picture + 50}, look.ink(), entry.summary.c_str(), nullptr, card - 24);
        const float lines = look.text->CalcTextSizeA(size, 1e9f, card - 24, entry.summary.c_str()).y;
        list.AddText(look.text, size, {at.x + 12, picture + 54 + lines}, look.muted(), entry.teaches.c_str(), nullptr,
                     card - 24);
        list.PopClipRect();
    }
    const auto rows = (gallery_.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
    ImGui::SetCursorScreenPos({origin.x, origin.y + (height + gap) * static_cast<float>(rows)});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    ImGui::End();
}

void Ui::palette_overlay(Rect area) {
    begin_overlay("All commands", area, 520, 460);
    if (overlay_fresh_) ImGui::SetKeyboardFocusHere();
    if (text_field("palette-query", palette_query_, -1, "A command, or a block such as B7 or f0 7")) palette_row_ = 0;
    auto rows = matching_commands(palette_query_);
    std::erase_if(rows, [&](const CommandRow* row) { return !app_.offers(*row); });
    const int count = static_cast<int>(rows.size());
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++palette_row_;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --palette_row_;
    palette_row_ = std::clamp(palette_row_, 0, std::max(count - 1, 0));
    std::string_view chosen;
    if (ImGui::IsKeyPressed(ImGuiKey_Enter) && count > 0 && !overlay_fresh_)
        chosen = rows[static_cast<std::size_t>(palette_row_)]->id;
    ImGui::BeginChild("rows");
    // `B7` or `f0 7`: blocks of the schedule.
    for (const std::int64_t operation : app_.find_blocks(palette_query_)) {
        if (ImGui::Selectable(("Go to " + long_label(*app_.view(), operation)).c_str()) ||
            (count == 0 && ImGui::IsKeyPressed(ImGuiKey_Enter))) {
            app_.select(operation);
            app_.overlay = Overlay::none;
            app_.run_command("fit-selection");
            break;
        }
    }
    for (int k = 0; k < count; ++k) {
        const CommandRow& row = *rows[static_cast<std::size_t>(k)];
        if (ImGui::Selectable((std::string(row.title) + "###row" + std::string(row.id)).c_str(), k == palette_row_))
            chosen = row.id;
        if (k == palette_row_ && (ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow)))
            ImGui::SetScrollHereY();
        const std::string keys(row.keys);
        const float width = ImGui::CalcTextSize(keys.c_str()).x;
        ImGui::SameLine();
        ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width - 18);
        ImGui::TextDisabled("%s", keys.c_str());
    }
    ImGui::EndChild();
    ImGui::End();
    if (!chosen.empty()) {
        app_.overlay = Overlay::none;
        app_.run_command(chosen);
    }
}

void Ui::help(Rect area) {
    begin_overlay("Keys and hints", area, 860, area.height - 60);
    ImGui::BeginChild("keys");
    wrapped(
        "Wheel zooms at the cursor, drag pans, Shift and wheel goes sideways, Ctrl and drag measures an area, a double "
        "click zooms in and back, a drag on the ruler scrubs. Hover a block or a gap to learn why it is there.",
        look.ink());
    const int columns = ImGui::GetContentRegionAvail().x > 640 ? 2 : 1;
    if (ImGui::BeginTable("table", columns)) {
        std::string_view group;
        for (const CommandRow& row : command_table()) {
            if (!app_.offers(row)) continue;
            if (row.group != group) {
                group = row.group;
                ImGui::TableNextColumn();
                heading(std::string(group).c_str());
            }
            const float start = ImGui::GetCursorPosX();
            ImGui::PushFont(look.number);
            ImGui::TextColored(Look::vector(look.colours.accent), "%s", std::string(row.keys).c_str());
            ImGui::PopFont();
            ImGui::SameLine();
            ImGui::SetCursorPosX(start + 150);
            ImGui::PushTextWrapPos(0);
            ImGui::TextUnformatted(std::string(row.title).c_str());
            ImGui::PopTextWrapPos();
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
    ImGui::End();
}

void Ui::share_menu(Rect area) {
    begin_overlay("Share and save", area, 460, 600);
    std::string link = app_.link();
    wrapped("The link carries the problem, how it was searched and what you look at. Nothing is sent to a server.",
            look.muted());
    if (button("copy-link", "Copy link", true)) app_.run_command("share");
    ImGui::SameLine();
    ImGui::TextDisabled("%d characters", static_cast<int>(link.size()));
    if (link.size() > 8000)
        wrapped("Some programs cut links of this length off: save the schedule as a file as well.",
                look.colour(look.colours.bad));
    ImGui::Dummy({0, 2});
    for (const char* id :
         {"export-png", "export-svg", "export-result", "export-schedule", "export-problem", "export-proof",
          "export-makespan-proof", "export-csv", "export-tessel", "export-trace", "print"}) {
        const CommandRow* row = find_command(id);
        if (button(id, std::string(row->title).c_str())) {
            app_.overlay = Overlay::none;
            app_.run_command(id);
        }
    }
    ImGui::End();
}

void Ui::compare_menu(Rect area) {
    begin_overlay("Compare with", area, 620, area.height - 90);
    if (app_.other() && button("compare-end", "End the comparison")) {
        app_.compare_with("");
        app_.overlay = Overlay::none;
    }
    if (button("pin", "The picture as it is now")) {
        app_.compare_with("pinned");
        app_.overlay = Overlay::none;
    }
    wrapped(
        "Or a published schedule, for the same problem and the same times. Capacities are not looked at: its memory is "
        "shown under the lanes.",
        look.muted());
    ImGui::BeginChild("families");
    constexpr float names_width = 150;
    const float room = ImGui::GetContentRegionAvail().x - names_width;
    for (const BaselineInfo& info : baselines()) {
        const std::string id = "compare-" + info.name;
        ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, {0, 0});
        const float height = ImGui::CalcTextSize(info.defined.c_str(), nullptr, false, room).y;
        if (ImGui::Selectable((info.name + "###" + id).c_str(), app_.other_name() == info.name, 0, {0, height})) {
            app_.compare_with(info.name);
            if (app_.other()) app_.overlay = Overlay::none;
        }
        ImGui::PopStyleVar();
        mark(id.c_str());
        ImGui::SameLine(names_width);
        ImGui::PushTextWrapPos(0);
        ImGui::TextDisabled("%s", info.defined.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::EndChild();
    ImGui::End();
}

void Ui::tours_menu() {
    for (std::size_t k = 0; k < app_.tours().size(); ++k) {
        const std::string id = "tour-" + std::to_string(k);
        if (button(id.c_str(), app_.tours()[k].title.c_str())) app_.start_tour(k);
    }
    if (app_.tours().empty()) ImGui::TextDisabled("loading");
}

}  // namespace repetend::web
