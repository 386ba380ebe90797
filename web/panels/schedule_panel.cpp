// The schedule: caption, lanes with their input, hover card, minimap, playback.
#include <algorithm>
#include <cmath>

#include "app/commands.hpp"
#include "gantt/block_layer.hpp"
#include "gantt/painter.hpp"
#include "ui.hpp"

namespace repetend::web {
namespace {

float label_width(const ScheduleView& view, const Look& look, bool small) {
    float widest = 30;
    const float size = look.text->FontSize * look.text->Scale;
    for (int d = 0; d < view.problem.num_devices(); ++d)
        widest = std::max(widest, look.text->CalcTextSizeA(size, 1e9f, 0, device_label(view.problem, d).c_str()).x);
    return std::min(widest + 14, small ? 58.f : 120.f);
}

}  // namespace

Ui::Ui(App& app) : app_(app) {}
Ui::~Ui() = default;

bool Ui::draws_by_shader() const { return layers_[0] && layers_[0]->usable() && !shaders_refused_; }

void Ui::schedule_panel(Rect rect) {
    const float pad = form_ == Form::phone ? 10.f : 20.f;
    if (begin("schedule", rect, look.colours.page, {pad, 10}, ImGuiWindowFlags_NoScrollWithMouse)) {
        const float width = rect.width - 2 * pad;
        ImGui::PushFont(form_ == Form::phone ? look.text : look.caption);
        const std::string caption = app_.caption();
        const float caption_height =
            std::max(ImGui::CalcTextSize(caption.c_str(), nullptr, false, width).y, ImGui::GetTextLineHeight());
        wrapped(caption, look.ink());
        mark("caption");
        ImGui::PopFont();
        if (app_.colours == ColourScheme::kind && rect.height > 330) legend();
        const float used = ImGui::GetCursorPosY() + 4;
        (void)caption_height;
        const float playback_height = look.touch ? 52.f : 44.f, map_height = rect.height > 330 ? 30.f : 18.f;
        Rect lanes{rect.x + pad, rect.y + used, width, rect.height - used - playback_height - map_height - 10};
        const std::shared_ptr<const ScheduleView> view = app_.view();
        if (view && app_.other()) {
            const float half = (lanes.height - 46) / 2;
            const float line = 20;
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const auto title = [&](float y, const std::string& words) {
                list.AddText({lanes.x, y}, look.ink(), words.c_str());
            };
            const std::string name = app_.other_name() == "pinned" ? "before" : app_.other_name();
            const Ticks difference = app_.other()->end - view->end;
            title(lanes.y, "this: makespan " + time_text(*view, view->end));
            chart(*view, {lanes.x, lanes.y + line, width, half}, true);
            std::string words = name + ": makespan " + time_text(*app_.other(), app_.other()->end);
            if (difference != 0) {
                char share[32];
                std::snprintf(
                    share, sizeof share, "%+.1f %%",
                    100.0 * static_cast<double>(difference) / static_cast<double>(std::max<Ticks>(view->end, 1)));
                words += std::string(" (") + share + ")";
            } else {
                words += " (the same)";
            }
            title(lanes.y + line + half + 4, words);
            chart(*app_.other(), {lanes.x, lanes.y + 2 * line + half + 6, width, half}, false);
        } else if (view) {
            chart(*view, lanes, true);
        }
        if (view) {
            minimap({lanes.x + label_width(*view, look, form_ == Form::phone),
                     rect.y + rect.height - playback_height - map_height,
                     width - label_width(*view, look, form_ == Form::phone), map_height});
            playback_bar({lanes.x, rect.y + rect.height - playback_height + 4, width, playback_height - 6});
        }
    }
    ImGui::End();
}

void Ui::legend() {
    const std::shared_ptr<const ScheduleView> view = app_.view();
    if (!view) return;
    static constexpr std::pair<BlockKind, const char*> kinds[] = {{BlockKind::forward, "F forward"},
                                                                  {BlockKind::backward, "B backward"},
                                                                  {BlockKind::input_gradient, "B input gradient"},
                                                                  {BlockKind::weight_gradient, "W weight gradient"},
                                                                  {BlockKind::transfer, "T transfer"},
                                                                  {BlockKind::other, "other"}};
    bool first = true;
    for (const auto& row : kinds) {
        const auto [kind, words] = row;
        const bool used = std::any_of(view->problem.blocks.begin(), view->problem.blocks.end(),
                                      [&](const Block& block) { return block.kind == row.first; });
        if (!used) continue;
        if (!first) ImGui::SameLine(0, 16);
        first = false;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + 3}, {at.x + 12, at.y + 14},
                                                  look.colour(kind_colour(kind, look.colours.dark)), 2);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 17);
        ImGui::TextDisabled("%s", words);
    }
    if (app_.stale()) {
        ImGui::SameLine(0, 16);
        ImGui::TextColored(Look::vector(look.colours.bad), "%s", "the problem has changed since");
    }
}

void Ui::chart(const ScheduleView& view, Rect rect, bool main) {
    const float labels = label_width(view, look, form_ == Form::phone);
    const LaneLayout layout =
        make_lane_layout(view.problem.num_devices(), rect.width, rect.height, labels, app_.show_memory, app_.scroll);
    if (main) app_.scroll = std::clamp(app_.scroll, 0.0, static_cast<double>(layout.most_scroll()));
    app_.scale.set_pixels(rect.width - labels);

    ImGui::SetCursorScreenPos({rect.x, rect.y});
    ImGui::InvisibleButton(main ? "lanes" : "lanes-other", {rect.width, std::max(rect.height, 1.f)},
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    mark(main ? "lanes" : "lanes-other");
    PaintOptions options;
    options.colours = app_.colours;
    options.show_idle = app_.show_idle;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    Hit hit;
    if (ImGui::IsItemHovered() && !dragging_ && !scrubbing_)
        hit = hit_test(view, layout, app_.scale, mouse.x - rect.x, mouse.y - rect.y);
    const bool pressed_card = card_until_ > ImGui::GetTime();
    if (pressed_card) hit = hit_test(view, layout, app_.scale, card_at_.x - rect.x, card_at_.y - rect.y);
    options.hovered = hit.operation;
    if (app_.playback.shown) options.playhead = app_.playback.time;
    if (main) {
        options.morph = app_.morph();
        options.morph_from = app_.morph_from().get();
        chart_input(view, layout, rect);
    }
    std::unique_ptr<BlockLayer>& layer = layers_[main ? 0 : 1];
    if (!layer) layer = std::make_unique<BlockLayer>();
    if (layer->usable() && !shaders_refused_) options.layer = layer.get();
    Painter painter(*ImGui::GetWindowDrawList(), look, view, layout, app_.scale, {rect.x, rect.y}, options);
    painter.ruler();
    painter.lanes();
    if (options.morph >= 1) {
        painter.memory();
        painter.lags();
        if (app_.show_critical) {
            if (critical_view_ != &view) {
                critical_view_ = &view;
                critical_ = critical_path(view.problem, view.schedule);
            }
            painter.chain(critical_, true);
        }
        if (main && app_.selection() >= 0) {
            if (chain_view_ != &view || chain_of_ != app_.selection()) {
                chain_view_ = &view;
                chain_of_ = app_.selection();
                chain_ = view.chain_to(chain_of_);
            }
            painter.selection(app_.selection(), chain_);
        }
    }
    if (main) painter.area(app_.area());
    painter.playhead();
    if (hit.device >= 0 && app_.overlay == Overlay::none && (!ImGui::IsMouseDown(0) || pressed_card))
        hover_card(view, hit);
}

void Ui::chart_input(const ScheduleView& view, const LaneLayout& layout, Rect rect) {
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 mouse = io.MousePos;
    const float at_x = mouse.x - rect.x - layout.left;
    if (ImGui::IsItemHovered()) {
        if (io.MouseWheel != 0 && !io.KeyShift) {
            app_.scale.zoom(std::pow(1.18, static_cast<double>(io.MouseWheel)), at_x);
        }
        const float sideways = io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0);
        if (sideways != 0) app_.scale.pan(static_cast<double>(sideways) * 60);
        if (ImGui::IsMouseDoubleClicked(0)) {
            const Hit hit = hit_test(view, layout, app_.scale, mouse.x - rect.x, mouse.y - rect.y);
            if (hit.operation >= 0) app_.select(hit.operation);
            app_.run_command(app_.scale.fitted() ? "fit-selection" : "fit");
        }
    }
    if (ImGui::IsItemActivated()) {
        drag_from_ = mouse;
        const bool on_ruler = mouse.y - rect.y < layout.ruler && at_x >= 0;
        scrubbing_ = on_ruler;
        area_ = !on_ruler && (io.KeyCtrl || io.KeyAlt || io.MouseDown[1]);
        area_tick_ = app_.scale.tick(at_x);
        area_lane_ = layout.lane_at(mouse.y - rect.y);
    }
    if (ImGui::IsItemActive()) {
        const ImVec2 moved{mouse.x - drag_from_.x, mouse.y - drag_from_.y};
        if (scrubbing_) {
            app_.playback.playing = false;
            app_.playback.seek(app_.scale.tick(at_x));
        } else if (area_) {
            const int lane = std::clamp(layout.lane_at(std::clamp(mouse.y - rect.y, layout.ruler, layout.bottom - 1)),
                                        0, layout.lanes - 1);
            if (std::abs(moved.x) > 4)
                app_.select_area(area_tick_, app_.scale.tick(at_x), std::max(area_lane_, 0), lane);
        } else if (dragging_ || std::abs(moved.x) + std::abs(moved.y) > 5) {
            dragging_ = true;
            app_.scale.pan(static_cast<double>(io.MouseDelta.x));
            app_.scroll -= static_cast<double>(io.MouseDelta.y);
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        }
    }
    if (ImGui::IsItemDeactivated()) {
        if (!dragging_ && !scrubbing_ && !area_) {
            const Hit hit = hit_test(view, layout, app_.scale, drag_from_.x - rect.x, drag_from_.y - rect.y);
            app_.select(hit.operation);
            if (hit.operation < 0) app_.select_area(0, 0, 0, -1);
            if (look.touch && hit.device >= 0) long_press(drag_from_.x, drag_from_.y);
        }
        dragging_ = scrubbing_ = area_ = false;
    }
}

void Ui::pinch(float factor, float x, float y, float dx, float dy) {
    const auto lanes = items_.find("lanes");
    if (lanes == items_.end() || !lanes->second.has({x, y})) return;
    const Rect& rect = lanes->second;
    const float labels = app_.view() ? label_width(*app_.view(), look, form_ == Form::phone) : 0;
    app_.scale.zoom(factor, x - rect.x - labels);
    app_.scale.pan(dx);
    app_.scroll -= dy;
}

void Ui::long_press(float x, float y) {
    card_at_ = {x, y};
    card_until_ = ImGui::GetTime() + 3;
}

void Ui::hover_card(const ScheduleView& view, const Hit& hit) {
    if (hit.operation < 0 && !hit.memory && (hit.tick < 0 || hit.tick > static_cast<double>(view.end))) return;
    if (look.touch) {
        ImGui::SetNextWindowPos({std::max(8.f, card_at_.x - 130), card_at_.y - 12}, 0, {0, 1});
    }
    ImGui::SetNextWindowSizeConstraints({0, 0}, {360, 1000});
    if (!ImGui::BeginTooltip()) return;
    if (hit.memory) {
        const Device& device = view.problem.devices[static_cast<std::size_t>(hit.device)];
        ImGui::Text(
            "%s holds %s", device_label(view.problem, hit.device).c_str(),
            memory_text(view.problem, view.memory_at(hit.device, static_cast<Ticks>(std::max(0.0, hit.tick)))).c_str());
        if (device.memory_capacity)
            ImGui::TextDisabled(
                "of %s; at most %s", memory_text(view.problem, *device.memory_capacity).c_str(),
                memory_text(view.problem, view.lanes[static_cast<std::size_t>(hit.device)].peak).c_str());
        ImGui::TextDisabled("at %s", time_text(view, static_cast<Ticks>(hit.tick)).c_str());
    } else if (hit.operation < 0) {
        ImGui::Text("%s is idle", device_label(view.problem, hit.device).c_str());
        ImGui::PushTextWrapPos(340);
        ImGui::TextDisabled("%s", why_idle(view, hit.device, static_cast<Ticks>(hit.tick)).c_str());
        ImGui::PopTextWrapPos();
    } else {
        ImGui::Text("%s, micro-batch %d", view.block_of(hit.operation).name.c_str(),
                    static_cast<int>(view.operation(hit.operation).micro_batch));
        for (const auto& [name, value] : facts(view, hit.operation)) {
            ImGui::TextDisabled("%s", name.c_str());
            ImGui::SameLine(92);
            ImGui::PushTextWrapPos(350);
            ImGui::TextUnformatted(value.c_str());
            ImGui::PopTextWrapPos();
        }
    }
    ImGui::EndTooltip();
}

void Ui::minimap(Rect rect) {
    ImGui::SetCursorScreenPos({rect.x, rect.y});
    ImGui::InvisibleButton("minimap", {std::max(rect.width, 1.f), rect.height});
    mark("minimap");
    if (ImGui::IsItemActive()) {
        const double tick = static_cast<double>(ImGui::GetIO().MousePos.x - rect.x) / static_cast<double>(rect.width) *
                            app_.scale.end() * 1.015;
        const double half = app_.scale.span() / 2;
        if (app_.scale.fitted())
            app_.scale.show(tick - half / 4, tick + half / 4, !app_.reduced_motion);
        else
            app_.scale.show(tick - half, tick + half, false);
    }
    paint_minimap(*ImGui::GetWindowDrawList(), look, *app_.view(), app_.scale, {rect.x, rect.y},
                  {rect.x + rect.width, rect.y + rect.height}, app_.colours);
}

void Ui::playback_bar(Rect rect) {
    ImGui::SetCursorScreenPos({rect.x, rect.y});
    Playback& playback = app_.playback;
    const bool small = form_ == Form::phone;
    if (icon("step-back", "<", "step-back")) app_.run_command("step-back");
    ImGui::SameLine(0, 2);
    if (button("play", playback.playing ? "Pause" : "Play", !playback.playing)) app_.run_command("play");
    command_hint("play");
    ImGui::SameLine(0, 2);
    if (icon("step-forward", ">", "step-forward")) app_.run_command("step-forward");
    ImGui::SameLine(0, 8);
    char speed[24];
    std::snprintf(speed, sizeof speed, "×%g", playback.speed);
    if (icon("speed", speed, "faster")) playback.speed = playback.speed >= 16 ? 0.25 : playback.speed * 2;
    ImGui::SameLine(0, 2);
    ImGui::BeginDisabled(playback.loop_end <= playback.loop_begin);
    if (icon("loop", small ? "Loop" : "Loop repetend", "loop", playback.loop_repetend)) app_.run_command("loop");
    ImGui::EndDisabled();
    const std::shared_ptr<const ScheduleView> view = app_.view();
    std::string words;
    if (playback.shown && view) {
        words = "t = " + std::to_string(static_cast<Ticks>(playback.time)) + " of " + time_text(*view, view->end);
        std::vector<std::int64_t> flying;
        std::int64_t running = 0;
        const auto now = static_cast<Ticks>(playback.time);
        for (int d = 0; d < view->problem.num_devices(); ++d) running += view->running_at(d, now) >= 0;
        for (std::size_t m = 0; m < view->lives.size(); ++m)  // begun, not ended
            if (view->lives[m].first <= now && now < view->lives[m].second)
                flying.push_back(static_cast<std::int64_t>(m));
        words += ", " + std::to_string(running) + " busy, in flight";
        if (flying.empty()) words += ": none";
        for (std::size_t k = 0; k < flying.size() && k < 12; ++k) words += (k ? " " : ": ") + std::to_string(flying[k]);
        if (flying.size() > 12) words += " ...";
    } else if (!small) {
        words = "Space plays; drag the ruler to scrub; wheel zooms; click a block";
    }
    ImGui::SameLine(0, 12);
    ImGui::AlignTextToFramePadding();
    const float room = rect.x + rect.width - ImGui::GetCursorScreenPos().x - (small ? 0 : 160);
    if (!playback.shown && ImGui::CalcTextSize(words.c_str()).x > room) words.clear();
    while (words.size() > 4 && ImGui::CalcTextSize(words.c_str()).x > room)
        words = words.substr(0, words.size() - 5) + "...";
    if (words.size() > 4) ImGui::TextDisabled("%s", words.c_str());
    if (small) return;
    ImGui::SameLine();
    ImGui::SetCursorScreenPos({rect.x + rect.width - 142, rect.y});
    if (icon("zoom-out", "-", "zoom-out")) app_.run_command("zoom-out");
    ImGui::SameLine(0, 2);
    if (icon("zoom-in", "+", "zoom-in")) app_.run_command("zoom-in");
    ImGui::SameLine(0, 2);
    if (icon("fit", "Fit", "fit")) app_.run_command("fit");
    ImGui::SameLine(0, 2);
    static constexpr const char* schemes[] = {"Kind", "Batch", "Stage"};
    if (icon("colour", schemes[static_cast<int>(app_.colours)], "colour")) app_.run_command("colour");
}

}  // namespace repetend::web
