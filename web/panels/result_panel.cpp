// What was found, how good it is and why it cannot be better; the course of the search.
#include <algorithm>
#include <cmath>

#include "ui.hpp"

namespace repetend::web {
namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

}  // namespace

void Ui::result_panel() {
    const std::shared_ptr<const ScheduleView> view = app_.view();
    const auto& summary = app_.summary();
    heading("Result");
    if (summary && !app_.stale()) {
        const ResultSummary& s = *summary;
        if (s.status == "infeasible") {
            ImGui::PushFont(look.caption);
            wrapped("No schedule exists", look.colour(look.colours.bad));
            ImGui::PopFont();
            wrapped(s.reason.empty() ? s.certificate : s.reason, look.ink());
        }
        const std::string unit = view ? view->problem.time_unit : std::string();
        if (s.period) {
            std::string value = amount(*s.period, unit, "tick");
            const bool proved = s.period_optimal;
            const bool checked = app_.claims().period.checked();
            std::string beside = proved ? (checked ? "proved and checked" : "proved least")
                                        : "bound " + amount(s.period_lower_bound, unit, "tick");
            if (s.copies > 1) {
                char each[48];
                std::snprintf(each, sizeof each, "%.4g each, ", static_cast<double>(*s.period) / s.copies);
                beside = each + std::string("copies ") + std::to_string(s.copies) + ", " + beside;
            }
            measure("period", value, beside, std::string(definition(Measure::period)).c_str(), proved);
        }
        if (s.makespan) {
            const bool checked = app_.claims().makespan.checked();
            std::string beside = s.makespan_optimal ? (checked ? "proved and checked" : "proved least")
                                                    : "bound " + amount(s.makespan_lower_bound, unit, "tick");
            if (!s.makespan_optimal && s.makespan_lower_bound > 0)
                beside += ", gap " + percent(static_cast<double>(*s.makespan - s.makespan_lower_bound) /
                                             static_cast<double>(s.makespan_lower_bound));
            // What stands below belongs to the picture, which may be one of the improvements.
            if (view && view->end != *s.makespan)
                measure("makespan", time_text(*view, view->end),
                        "of this picture; the best is " + amount(*s.makespan, unit, "tick"),
                        std::string(definition(Measure::makespan)).c_str(), false);
            else
                measure("makespan", amount(*s.makespan, unit, "tick"), beside,
                        std::string(definition(Measure::makespan)).c_str(), s.makespan_optimal);
        }
    } else if (view) {
        measure("makespan", time_text(*view, view->end), app_.stale() ? "of the problem before" : "as given",
                std::string(definition(Measure::makespan)).c_str(), false);
    }
    if (view) {
        if (view->schedule.repetend)
            measure("steady bubble", percent(view->measures.bubble_steady), "",
                    std::string(definition(Measure::bubble_steady)).c_str(), false);
        measure("makespan bubble", percent(view->measures.bubble_makespan), "",
                std::string(definition(Measure::bubble_makespan)).c_str(), false);
        measure("span bubble", percent(view->measures.bubble_span), "",
                std::string(definition(Measure::bubble_span)).c_str(), false);
        // Peak memory, a bar for each device.
        heading("Peak memory");
        const float width = ImGui::GetContentRegionAvail().x;
        const int shown = std::min(view->problem.num_devices(), 16);
        for (int d = 0; d < shown; ++d) {
            const Device& device = view->problem.devices[static_cast<std::size_t>(d)];
            const Memory peak = view->lanes[static_cast<std::size_t>(d)].peak;
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const Memory scale = std::max<Memory>(device.memory_capacity.value_or(view->most_memory), 1);
            const float share = std::min(1.f, static_cast<float>(peak) / static_cast<float>(scale));
            ImDrawList& list = *ImGui::GetWindowDrawList();
            const float left = at.x + 74, right = at.x + width - 64;
            list.AddRectFilled({left, at.y + 5}, {right, at.y + 11},
                               look.colour(mix(look.colours.panel, look.colours.text, 0.1)), 3);
            list.AddRectFilled({left, at.y + 5}, {left + (right - left) * share, at.y + 11}, look.accent(), 3);
            std::string name = device_label(view->problem, d);
            if (name.size() > 10) name = name.substr(0, 9) + ".";
            ImGui::TextDisabled("%s", name.c_str());
            ImGui::SameLine();
            std::string words = amount(peak, view->problem.memory_unit, "");
            if (device.memory_capacity && view->problem.memory_unit.empty())
                words += "/" + std::to_string(*device.memory_capacity);
            ImGui::PushFont(look.small);
            ImGui::SetCursorScreenPos({at.x + width - ImGui::CalcTextSize(words.c_str()).x, at.y + 2});
            ImGui::TextUnformatted(words.c_str());
            ImGui::PopFont();
            ImGui::SetCursorScreenPos({at.x, at.y + 19});
        }
        ImGui::Dummy({0, 0});
        if (shown < view->problem.num_devices())
            ImGui::TextDisabled("and %d more", view->problem.num_devices() - shown);
    }
    if (summary && !app_.stale() && !summary->certificate.empty() && summary->status != "infeasible") {
        heading("Why not faster");
        wrapped(summary->certificate, look.ink());
        mark("certificate");
        if (!summary->copies_note.empty()) wrapped(summary->copies_note, look.muted());
    }
    if (view && !app_.stale()) proofs();
    if (view && app_.other()) comparison(*view, *app_.other());
    if (view && app_.area().last >= app_.area().first) {
        const App::Area& area = app_.area();
        Ticks busy = 0, least = 0, most = 0;
        std::int64_t count = 0;
        for (int d = area.first; d <= area.last; ++d) {
            const auto& items = view->lanes[static_cast<std::size_t>(d)].items;
            for (std::size_t k = view->first_ending_after(d, area.from);
                 k < items.size() && static_cast<double>(items[k].start) < area.to; ++k) {
                const Ticks time = items[k].end - items[k].start;
                busy += time;
                least = count == 0 ? time : std::min(least, time);
                most = std::max(most, time);
                ++count;
            }
        }
        heading("Selected area");
        measure("length", time_text(*view, static_cast<Ticks>(std::lround(area.to - area.from))), "", "", false);
        measure("blocks", std::to_string(count), "", "", false);
        if (count > 0) {
            measure("busy", time_text(*view, busy), "", "Sum of the times of the blocks that touch the area", false);
            measure("least, most", std::to_string(least) + ", " + std::to_string(most), "", "", false);
        }
    }
    heading("Search");
    search_chart(ImGui::GetContentRegionAvail().x, 130);
    const auto& improvements = app_.monitor().improvements;
    if (improvements.size() > 1) {
        ImGui::TextDisabled("Improvements");
        const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        for (std::size_t k = 0; k < improvements.size(); ++k) {
            char words[64];
            std::snprintf(words, sizeof words, "%lld###improvement-%d",
                          static_cast<long long>(improvements[k].view->end), static_cast<int>(k));
            const float width = ImGui::CalcTextSize(words, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
            if (k > 0 && ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= end) ImGui::SameLine();
            if (ImGui::SmallButton(words)) app_.show_view(improvements[k].view);
            mark(("improvement-" + std::to_string(k)).c_str());
        }
    }
}

// What is proved least, whether a checker has read the proof, and what it says.
void Ui::proofs() {
    const bool any = app_.proved_least("period") || app_.proved_least("makespan");
    if (!any) return;
    heading("Proof");
    for (const auto& [what, label] : {std::pair{"period", "period"}, {"makespan", "makespan"}}) {
        if (!app_.proved_least(what)) continue;
        const Claim& claim = app_.claims().of(what);
        const std::string state(to_string(claim.state));
        const bool bad = claim.state == ClaimState::refused;
        const float start = ImGui::GetCursorPosX(), width = ImGui::GetContentRegionAvail().x;
        ImGui::TextDisabled("%s", label);
        ImGui::SameLine();
        ImGui::SetCursorPosX(start + std::max(width - ImGui::CalcTextSize(state.c_str()).x, 0.f));
        ImGui::PushStyleColor(ImGuiCol_Text, bad               ? look.colour(look.colours.bad)
                                             : claim.checked() ? look.colour(look.colours.good)
                                                               : look.muted());
        ImGui::TextUnformatted(state.c_str());
        ImGui::PopStyleColor();
        mark((std::string("proof-") + what).c_str());
        if (!claim.words.empty()) wrapped(claim.words, bad ? look.colour(look.colours.bad) : look.ink());
    }
    const bool running = app_.claims().running();
    bool open = running;
    for (const char* what : {"period", "makespan"})
        open = open || (app_.proved_least(what) && app_.claims().of(what).state == ClaimState::none);
    if (open) {
        if (button("prove", running ? "Stop checking" : "Check")) app_.run_command("prove");
        command_hint("prove");
        ImGui::SameLine();
    }
    // The proof of what the search was for, as far as it has a written form.
    const bool makespan =
        app_.proved_least("makespan") && app_.claims().makespan.state != ClaimState::unwritten &&
        (!app_.proved_least("period") || app_.document().recipe.options.text("objective") == "makespan");
    const char* save = makespan ? "export-makespan-proof" : "export-proof";
    if (button("save-proof", "Download proof", false, !running)) app_.run_command(save);
    command_hint(save);
}

// Two schedules side by side, the same measures of both.
void Ui::comparison(const ScheduleView& view, const ScheduleView& other) {
    heading("Comparison");
    const std::string name = app_.other_name() == "pinned" ? "before" : app_.other_name();
    if (ImGui::BeginTable("comparison", 3, ImGuiTableFlags_SizingStretchProp)) {
        const auto row = [&](const char* what, const std::string& a, const std::string& b) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextDisabled("%s", what);
            ImGui::PushFont(look.small);
            for (const std::string& value : {a, b}) {
                ImGui::TableNextColumn();
                ImGui::TextUnformatted(value.c_str());
            }
            ImGui::PopFont();
        };
        row("", "this", name);
        row("makespan", std::to_string(view.end), std::to_string(other.end));
        const auto period = [](const ScheduleView& which) {
            return which.schedule.repetend ? std::to_string(which.schedule.repetend->period) : std::string("none");
        };
        row("period", period(view), period(other));
        row("bubble", percent(view.measures.bubble_makespan), percent(other.measures.bubble_makespan));
        const auto peak = [&](const ScheduleView& which) {
            return amount(*std::max_element(which.measures.peak_memory.begin(), which.measures.peak_memory.end()),
                          which.problem.memory_unit, "");
        };
        row("most memory", peak(view), peak(other));
        ImGui::EndTable();
    }
    for (int d = 0; d < other.problem.num_devices(); ++d) {
        const auto& capacity = other.problem.devices[static_cast<std::size_t>(d)].memory_capacity;
        if (!capacity || other.lanes[static_cast<std::size_t>(d)].peak <= *capacity) continue;
        wrapped(name + " needs more memory than " + device_label(other.problem, d) + " has",
                look.colour(look.colours.bad));
        break;
    }
    if (!(view.problem == other.problem))
        wrapped("The two problems differ: compare with care.", look.colour(look.colours.bad));
}

// Best so far as falling steps, the bound as rising steps, until they meet.
void Ui::search_chart(float width, float height) {
    const SearchMonitor& monitor = app_.monitor();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("chart", {width, height});
    mark("chart");
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool by_makespan = !monitor.makespans.empty();
    const auto& best = by_makespan ? monitor.makespans : monitor.periods;
    const auto& bound = by_makespan ? monitor.makespan_bounds : monitor.period_bounds;
    const float left = at.x + 6, right = at.x + width - 44, top = at.y + 16, bottom = at.y + height - 16;
    const float small = look.small->FontSize * look.small->Scale;
    const auto text = [&](float x, float y, const std::string& words, ImU32 colour) {
        list.AddText(look.small, small, {x, y}, colour, words.c_str());
    };
    list.AddLine({left, bottom}, {right, bottom}, look.line(), look.hairline());
    if (best.empty()) {
        text(left, (top + bottom) / 2 - 6, monitor.running() ? "nothing found yet" : "best and bound appear here",
             look.muted());
        return;
    }
    std::int64_t low = best.back().value, high = best.front().value;
    for (const ChartPoint& point : bound) {
        low = std::min(low, point.value);
        high = std::max(high, point.value);
    }
    // The first bounds may be far below: what matters is where they meet.
    low = std::max(
        low, best.back().value - 3 * std::max<std::int64_t>(high - best.back().value, best.back().value / 12 + 1));
    if (low == high) {  // proved at once: a line through the middle
        low -= 1;
        high += 1;
    }
    const double span = std::max<double>(static_cast<double>(high - low), 1);
    const double end = std::max(monitor.seconds, 0.001);
    const auto px = [&](double seconds) {
        return left + (right - left) * static_cast<float>(std::min(seconds / end, 1.0));
    };
    const auto py = [&](std::int64_t value) {
        return bottom - (bottom - top) * static_cast<float>(std::max(0.0, static_cast<double>(value - low) / span));
    };
    const auto steps = [&](const std::vector<ChartPoint>& points, ImU32 colour, float thickness) {
        for (std::size_t k = 0; k < points.size(); ++k) {
            const float x0 = px(points[k].seconds), y0 = py(points[k].value);
            const float x1 = k + 1 < points.size() ? px(points[k + 1].seconds) : right;
            list.AddLine({x0, y0}, {x1, y0}, colour, thickness);
            if (k + 1 < points.size()) list.AddLine({x1, y0}, {x1, py(points[k + 1].value)}, colour, thickness);
        }
    };
    steps(bound, look.colour(look.colours.good), 1.6f);
    steps(best, look.accent(), 2);
    const bool met = !bound.empty() && bound.back().value == best.back().value;
    text(right + 5, py(best.back().value) - (met ? 6 : 10), std::to_string(best.back().value), look.accent());
    if (!bound.empty() && !met)
        text(right + 5, py(std::max(bound.back().value, low)) + 0, std::to_string(bound.back().value),
             look.colour(look.colours.good));
    if (met) {
        list.AddCircleFilled({px(std::max(bound.back().seconds, best.back().seconds)), py(best.back().value)}, 3.5f,
                             look.colour(look.colours.good));
    }
    text(left, at.y, by_makespan ? "makespan: best" : "period: best", look.accent());
    text(left + 104, at.y, "bound", look.colour(look.colours.good));
    if (met) text(left + 146, at.y, "proved", look.colour(look.colours.good));
    char words[32];
    std::snprintf(words, sizeof words, end < 0.1 ? "%.1f ms" : "%.1f s", end < 0.1 ? end * 1000 : end);
    text(right - 40, bottom + 3, words, look.muted());
}

}  // namespace repetend::web
