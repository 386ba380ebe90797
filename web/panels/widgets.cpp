// Widgets that several panels share. Each records where it stood, by the name under which scripts find it.
#include <imgui.h>
#include <imgui_internal.h>  // whether a field takes text
#include <misc/cpp/imgui_stdlib.h>

#include <nlohmann/json.hpp>

#include "app/commands.hpp"
#include "ui.hpp"

namespace repetend::web {

void Ui::mark(const char* id) {
    const ImVec2 from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    items_[id] = {from.x, from.y, to.x - from.x, to.y - from.y};
}

std::string Ui::items_json() const {
    nlohmann::json items = nlohmann::json::object();
    for (const auto& [id, rect] : items_) items[id] = {rect.x, rect.y, rect.width, rect.height};
    return items.dump();
}

// As the last frame left it. A field of an overlay that was closed since then takes nothing any more, though the frame
// without it may be slow to come.
bool Ui::wants_text() const {
    return ImGui::GetCurrentContext()->WantTextInputNextFrame == 1 && app_.overlay == overlay_before_;
}

void Ui::command_hint(const char* command) {
    const CommandRow* row = find_command(command);
    if (row == nullptr || !ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) return;
    std::string words(row->title);
    if (!row->keys.empty()) words += "  (" + std::string(row->keys.substr(0, row->keys.find(' '))) + ")";
    ImGui::SetTooltip("%s", words.c_str());
}

bool Ui::button(const char* id, const char* label, bool primary, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    if (primary) {
        ImGui::PushStyleColor(ImGuiCol_Button, look.accent());
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, look.colour(mix(look.colours.accent, look.colours.text, 0.15)));
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, look.colour(mix(look.colours.accent, look.colours.text, 0.3)));
        ImGui::PushStyleColor(ImGuiCol_Text, look.colour(look.colours.on_accent));
    }
    const bool pressed = ImGui::Button((std::string(label) + "###" + id).c_str());
    if (primary) ImGui::PopStyleColor(4);
    ImGui::EndDisabled();
    mark(id);
    return pressed;
}

bool Ui::icon(const char* id, const char* label, const char* hint, bool active) {
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, look.colours.contrast ? 1.f : 0.f);
    if (active) {
        ImGui::PushStyleColor(ImGuiCol_Button, look.colour(mix(look.colours.page, look.colours.accent, 0.18)));
    } else {
        ImGui::PushStyleColor(ImGuiCol_Button, look.colour(look.colours.page, 0));
    }
    const bool pressed = ImGui::Button((std::string(label) + "###" + id).c_str());
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    mark(id);
    if (find_command(hint) != nullptr)
        command_hint(hint);
    else if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal))
        ImGui::SetTooltip("%s", hint);
    return pressed;
}

void Ui::heading(const char* words) {
    ImGui::Dummy({0, 2});
    ImGui::PushStyleColor(ImGuiCol_Text, look.muted());
    ImGui::TextUnformatted(words);
    ImGui::PopStyleColor();
}

void Ui::wrapped(const std::string& words, ImU32 colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void Ui::fault_line(const std::string& field) {
    const std::string& fault = app_.fault_of(field);
    if (!fault.empty()) wrapped(fault, look.colour(look.colours.bad));
}

bool Ui::text_field(const char* id, std::string& text, float width, const char* hint) {
    ImGui::SetNextItemWidth(width);
    if (app_.focus_first && std::string_view(id).starts_with("field-")) {
        ImGui::SetKeyboardFocusHere();
        app_.focus_first = false;
    }
    const bool changed = ImGui::InputTextWithHint((std::string("###") + id).c_str(), hint, &text);
    mark(id);
    return changed;
}

// A field of an option. What is typed stays until the field is left, even where it is refused.
void Ui::number_field(const char* option, const char* label, const char* hint) {
    const OptionRow* row = find_option(option);
    const std::string id = std::string("field-") + option;
    std::string text =
        app_.document().recipe.options.has(option) ? app_.document().recipe.options.text(option) : std::string();
    const auto typed = typed_.find(option);
    if (typed != typed_.end()) text = typed->second;
    const float total = ImGui::GetContentRegionAvail().x;
    const bool countable = row != nullptr && row->kind == OptionKind::integer && !app_.document().recipe.problem;
    const float step = ImGui::GetFrameHeight();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    if (row != nullptr && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
        const std::string range = describe_range(*row);
        ImGui::SetTooltip("%s%s%s", std::string(row->usage).c_str(), range.empty() ? "" : "\n", range.c_str());
    }
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetItemRectSize().x + total - 132);
    ImGui::PushFont(look.number);
    const bool wrong = !app_.fault_of(option).empty();
    if (wrong) ImGui::PushStyleColor(ImGuiCol_Border, look.colour(look.colours.bad));
    const bool changed = text_field(id.c_str(), text, countable ? 132 - 2 * step - 4 : 132, hint);
    if (wrong) ImGui::PopStyleColor();
    const bool active = ImGui::IsItemActive();
    ImGui::PopFont();
    if (changed) {
        typed_[option] = text;
        app_.edit_option(option, text);
    } else if (!active && typed != typed_.end() && !wrong) {
        typed_.erase(option);
    }
    if (countable) {
        const std::int64_t now = app_.document().recipe.options.integer(option).value_or(
            std::string_view(option) == "micro-batches" ? app_.document().micro_batches : row->low);
        int by = 0;
        ImGui::PushButtonRepeat(true);
        ImGui::SameLine(0, 2);
        if (ImGui::Button((std::string("-###less-") + option).c_str(), {step, 0})) by = -1;
        mark((std::string("less-") + option).c_str());
        ImGui::SameLine(0, 2);
        if (ImGui::Button((std::string("+###more-") + option).c_str(), {step, 0})) by = 1;
        mark((std::string("more-") + option).c_str());
        ImGui::PopButtonRepeat();
        if (by != 0 && now + by >= row->low && now + by <= row->high) {
            typed_.erase(option);
            app_.edit_option(option, std::to_string(now + by));
        }
    }
    fault_line(option);
}

// A field beside its label, as number_field, for numbers that are no option. True when `typed` was changed.
bool Ui::amount_field(const std::string& id, const char* label, const std::string& value, const char* hint,
                      std::string& typed) {
    const float total = ImGui::GetContentRegionAvail().x;
    const float start = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(start + total - 132);
    const auto kept = typed_.find(id);
    std::string text = kept == typed_.end() ? value : kept->second;
    const bool wrong = !app_.fault_of(id).empty();
    if (wrong) ImGui::PushStyleColor(ImGuiCol_Border, look.colour(look.colours.bad));
    ImGui::PushFont(look.number);
    const bool changed = text_field(id.c_str(), text, 132, hint);
    const bool active = ImGui::IsItemActive();
    ImGui::PopFont();
    if (wrong) ImGui::PopStyleColor();
    if (changed)
        typed_[id] = typed = text;
    else if (!active && kept != typed_.end() && !wrong)
        typed_.erase(kept);
    fault_line(id);
    return changed;
}

// A number with what it is measured against, its definition on hover.
void Ui::measure(const char* name, const std::string& value, const std::string& beside, const char* definition,
                 bool good) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float start = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, look.muted());
    ImGui::TextUnformatted(name);
    ImGui::PopStyleColor();
    const bool hovered = ImGui::IsItemHovered();
    ImGui::SameLine();
    ImGui::PushFont(look.number);
    const float extent = ImGui::CalcTextSize(value.c_str()).x;
    ImGui::SetCursorPosX(start + std::max(width - extent, 0.f));
    ImGui::TextUnformatted(value.c_str());
    ImGui::PopFont();
    if (*definition && (hovered || ImGui::IsItemHovered())) {
        ImGui::SetNextWindowSize({320, 0});
        if (ImGui::BeginTooltip()) {
            wrapped(definition, look.ink());
            ImGui::EndTooltip();
        }
    }
    if (beside.empty()) return;
    ImGui::PushStyleColor(ImGuiCol_Text, good ? look.colour(look.colours.good) : look.muted());
    const float words = ImGui::CalcTextSize(beside.c_str()).x;
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 5);
    ImGui::SetCursorPosX(start + std::max(width - words, 0.f));
    ImGui::TextUnformatted(beside.c_str());
    ImGui::PopStyleColor();
}

}  // namespace repetend::web
