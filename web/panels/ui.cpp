// Where everything stands: wide, medium and phone; bar, status line, messages, tours.
#include "ui.hpp"

#include <imgui_internal.h>  // order of windows

#include <algorithm>

#include "app/commands.hpp"
#include "repetend/format/share.hpp"
#include "repetend/presets.hpp"

namespace repetend::web {

void Ui::set_gallery(std::string_view lines) {
    gallery_.clear();
    for (const PresetInfo& info : presets()) {
        GalleryEntry entry{info.name, info.summary, info.teaches, nullptr};
        const std::string key = '\n' + info.name + ' ';
        std::size_t at = lines.find(key.substr(1)) == 0 ? 0 : lines.find(key);
        if (at != std::string_view::npos) {
            at += at == 0 ? key.size() - 1 : key.size();
            const Result<Recipe> recipe = read_link(lines.substr(at, lines.find('\n', at) - at));
            if (recipe && recipe->schedule) entry.view = make_view(*recipe->problem, *recipe->schedule);
        }
        gallery_.push_back(std::move(entry));
    }
}

bool Ui::begin(const char* name, Rect rect, Rgb background, ImVec2 padding, ImGuiWindowFlags flags) {
    ImGui::SetNextWindowPos({rect.x, rect.y});
    ImGui::SetNextWindowSize({rect.width, rect.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(background));
    // The frame begins in this colour, and filling a window with it costs as much as all that is drawn in it.
    if (background == look.colours.page) flags |= ImGuiWindowFlags_NoBackground;
    const bool open =
        ImGui::Begin(name, nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoBringToFrontOnFocus | flags);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return open;
}

void Ui::frame() {
    items_.clear();
    if (undos_seen_ != app_.undos) {
        undos_seen_ = app_.undos;
        typed_.clear();
        ImGui::ClearActiveID();
    }
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    form_ = size.x >= 1100 ? Form::wide : size.x >= 700 ? Form::medium : Form::phone;
    const float bar_height = look.touch ? 56.f : 50.f, status_height = 28;
    const Rect area{0, bar_height, size.x, std::max(size.y - bar_height - status_height, 100.f)};
    bar({0, 0, size.x, bar_height});

    const auto scrolling = [&](const char* name, Rect rect, bool problem) {
        ImGui::SetNextWindowPos({rect.x, rect.y});
        ImGui::SetNextWindowSize({rect.width, rect.height});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {16, 10});
        ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(look.colours.panel));
        if (ImGui::Begin(name, nullptr,
                         ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                             ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoBringToFrontOnFocus)) {
            // Lines to what lies beside it, below whatever is opened over both.
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const float right = rect.x + rect.width;
            list.PushClipRectFullScreen();
            if (rect.x > 0)
                list.AddLine({rect.x, rect.y}, {rect.x, rect.y + rect.height}, look.line(), look.hairline());
            if (right < size.x)
                list.AddLine({right - 1, rect.y}, {right - 1, rect.y + rect.height}, look.line(), look.hairline());
            list.PopClipRect();
            problem ? problem_panel() : result_panel();
        }
        ImGui::PopStyleColor();
        ImGui::PopStyleVar();
        ImGui::End();
    };
    if (form_ == Form::phone) {
        const float top = std::max(area.height * 0.52f, 240.f);
        schedule_panel({0, area.y, area.width, top});
        const Rect tabs{0, area.y + top, area.width, 44};
        if (begin("tabs", tabs, look.colours.page, {8, 2})) {
            static constexpr const char* names[] = {"Result", "Problem", "Presets"};
            for (int k = 0; k < 3; ++k) {
                if (k > 0) ImGui::SameLine();
                if (icon((std::string("tab-") + names[k]).c_str(), names[k], names[k], tab_ == k)) {
                    if (k == 2)
                        app_.run_command("gallery");
                    else
                        tab_ = k;
                }
            }
        }
        ImGui::End();
        const float rest = tabs.y + tabs.height;
        scrolling("side", {0, rest, area.width, std::max(area.y + area.height - rest, 60.f)}, tab_ == 1);
    } else {
        const bool wide = form_ == Form::wide;
        const float left = app_.fold_problem ? 0.f : 280.f;
        const float right = wide && !app_.fold_result ? 280.f : 0.f;
        const float strip = wide || app_.fold_result ? 0.f : std::min(area.height * 0.34f, 230.f);
        if (left > 0) scrolling("problem", {0, area.y, left, area.height}, true);
        schedule_panel({left, area.y, area.width - left - right, area.height - strip});
        if (right > 0) scrolling("result", {area.width - right, area.y, right, area.height}, false);
        if (strip > 0) scrolling("result", {left, area.y + area.height - strip, area.width - left, strip}, false);
    }
    status_line({0, size.y - status_height, size.x, status_height});
    if (overlay_before_ != app_.overlay) {
        overlay_fresh_ = true;
        overlay_before_ = app_.overlay;
        palette_query_.clear();
        palette_row_ = 0;
    }
    overlays({0, 0, size.x, size.y});
    overlay_fresh_ = false;
    tour_card(area);
    toast(area);
}

void Ui::bar(Rect rect) {
    if (begin("bar", rect, look.colours.page, {16, (rect.height - ImGui::GetFrameHeight()) / 2})) {
        const bool small = form_ == Form::phone;
        ImGui::PushFont(look.title);
        const float y = ImGui::GetCursorPosY();
        const auto next = [&](float distance = 8) {
            ImGui::SameLine(0, distance);
            ImGui::SetCursorPosY(y);
        };
        ImGui::SetCursorPosY((rect.height - ImGui::GetTextLineHeight()) / 2 - 1);
        ImGui::TextUnformatted("Repetend");
        ImGui::PopFont();
        next(small ? 10 : 20);
        const Document& document = app_.document();
        std::string what = !document.recipe.title.empty() ? document.recipe.title : document.problem.name;
        if (what.empty()) what = "your problem";
        if (!document.recipe.preset.empty() && small) what = document.recipe.preset;
        if (what.size() > (small ? 10 : 44)) what = what.substr(0, small ? 9 : 43) + "...";
        if (button("presets", what.c_str())) app_.run_command("gallery");
        command_hint("gallery");
        if (!small) {
            next();
            ImGui::BeginDisabled(!app_.history().can_undo());
            if (icon("undo", "Undo", "undo")) app_.run_command("undo");
            ImGui::EndDisabled();
            next(2);
            ImGui::BeginDisabled(!app_.history().can_redo());
            if (icon("redo", "Redo", "redo")) app_.run_command("redo");
            ImGui::EndDisabled();
        }
        const bool running = app_.monitor().running();
        const char* search = running ? "Stop" : "Search";
        const auto width = [&](const char* words) {
            return ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x;
        };
        float right = width(search) + 8 + width("Share") + 8 + width("?");
        if (!small) right += 16 + width("Compare") + width("Tours");
        next();
        ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), rect.width - 16 - right));
        if (button("search", search, !running)) app_.run_command("search");
        command_hint("search");
        next();
        if (!small) {
            if (button("compare", "Compare")) app_.run_command("compare");
            command_hint("compare");
            next();
            if (button("tours", "Tours"))
                app_.overlay = app_.overlay == Overlay::tours ? Overlay::none : Overlay::tours;
            next();
        }
        if (button("share", "Share")) app_.overlay = app_.overlay == Overlay::share ? Overlay::none : Overlay::share;
        next();
        if (button("help", "?")) app_.run_command("help");
        ImGui::GetWindowDrawList()->AddLine({0, rect.height - 1}, {rect.width, rect.height - 1}, look.line(),
                                            look.hairline());
    }
    ImGui::End();
}

void Ui::status_line(Rect rect) {
    if (begin("status", rect, look.colours.panel, {16, 5})) {
        ImGui::GetWindowDrawList()->AddLine({rect.x, rect.y}, {rect.width, rect.y}, look.line(), look.hairline());
        const bool failed = app_.monitor().phase == SearchPhase::failed;
        ImGui::PushStyleColor(ImGuiCol_Text, failed ? look.colour(look.colours.bad) : look.muted());
        ImGui::TextUnformatted(app_.status().c_str());
        ImGui::PopStyleColor();
        mark("status");
        const std::string costs = app_.costs();
        const float width = ImGui::CalcTextSize(costs.c_str()).x;
        if (ImGui::GetItemRectMax().x + width + 40 < rect.width) {
            ImGui::SameLine();
            ImGui::SetCursorPosX(rect.width - 16 - width);
            ImGui::TextDisabled("%s", costs.c_str());
        }
    }
    ImGui::End();
}

void Ui::toast(Rect area) {
    const std::string& words = app_.message.empty() ? app_.notice : app_.message;
    if (words.empty()) return;
    const bool bad = !app_.message.empty();
    const float width = std::min(area.width - 32, 560.f);
    ImGui::SetNextWindowPos({(area.width - width) / 2, area.y + area.height - 16}, 0, {0, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(look.colours.panel));
    ImGui::PushStyleColor(ImGuiCol_Border, look.colour(bad ? look.colours.bad : look.colours.good));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.5f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8);
    if (ImGui::Begin("toast", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav)) {
        wrapped(words, look.ink());
        mark("message");
        if (bad && button("dismiss", "Close")) app_.message.clear();
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    ImGui::BringWindowToDisplayFront(ImGui::FindWindowByName("toast"));
}

void Ui::tour_card(Rect area) {
    if (!app_.in_tour()) return;
    const Tour& tour = app_.tours()[app_.tour_at()];
    const float width = std::min(area.width - 24, 520.f);
    const float middle = form_ == Form::wide ? area.width / 2 : area.width / 2;
    ImGui::SetNextWindowPos({middle, area.y + area.height - 84}, 0, {0.5f, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.colour(look.colours.dark ? look.colours.panel : look.colours.page));
    ImGui::PushStyleColor(ImGuiCol_Border, look.accent());
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.2f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10);
    if (ImGui::Begin("tour", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing)) {
        const std::size_t at = app_.tour_step_at();
        ImGui::PushStyleColor(ImGuiCol_Text, look.muted());
        ImGui::Text("%s  %d of %d", tour.title.c_str(), static_cast<int>(at) + 1, static_cast<int>(tour.steps.size()));
        ImGui::PopStyleColor();
        ImGui::PushFont(look.caption);
        wrapped(tour.steps[at].text, look.ink());
        ImGui::PopFont();
        const bool last = at + 1 == tour.steps.size();
        if (button("tour-next", last ? "Done" : "Next", true)) app_.tour_step(1);
        ImGui::SameLine();
        if (button("tour-back", "Back", false, at > 0)) app_.tour_step(-1);
        ImGui::SameLine();
        if (!last && icon("tour-end", "End", "End the tour; what you see stays")) app_.end_tour();
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
}

}  // namespace repetend::web
