// What the explorer says: status, caption, costs, its state for scripts, its link.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app.hpp"
#include "repetend/presets.hpp"

namespace repetend::web {
namespace {

std::string counted(std::int64_t count, const char* one) {
    return std::to_string(count) + ' ' + one + (count == 1 ? "" : "s");
}

std::string fixed_number(double value, const char* format) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::optional<double> number_of(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

constexpr const char* colour_names[] = {"kind", "micro_batch", "stage"};

}  // namespace

std::string App::caption() const {
    if (!view_) {
        if (summary_ && summary_->status == "infeasible")
            return "There is no such schedule. " +
                   (summary_->reason.empty() ? summary_->certificate : summary_->reason);
        return monitor_.running() ? "Searching ..." : "";
    }
    std::int64_t devices = 0;
    for (const Device& device : view_->problem.devices) devices += device.kind == DeviceKind::compute;
    std::string text = counted(devices, "device") + ", " + counted(view_->schedule.micro_batches, "micro-batch");
    if (view_->schedule.micro_batches != 1) text.insert(text.size() - 1, "e");
    text += ". ";
    if (const auto& mark = view_->schedule.repetend) {
        text += "The bracket repeats every " + time_text(*view_, mark->period);
        if (mark->copies > 1) text += " for " + std::to_string(mark->copies) + " micro-batches";
        const Ticks slack = mark->period - mark->copies * most_work_ticks(view_->problem);
        text += slack == 0 ? "; the busiest device never idles in it. "
                           : "; the busiest device idles " + time_text(*view_, slack) + " of it. ";
    } else {
        text += "Nothing repeats in it. ";
    }
    if (claims_.period.state == ClaimState::refused || claims_.makespan.state == ClaimState::refused)
        return text + "THE PROOF WAS REFUSED by the checker.";
    const auto proved = [&](const char* what) {
        return claims_.of(what).checked() ? "Proved and checked: " : "Proved: ";
    };
    if (proved_least("makespan"))
        text += std::string(proved("makespan")) + "no schedule of these micro-batches ends earlier.";
    const bool period = proved_least("period");
    if (period && (!proved_least("makespan") || (claims_.period.checked() && !claims_.makespan.checked())))
        text += std::string(proved_least("makespan") ? " " : "") + proved("period") +
                "nothing repeats faster with this memory.";
    return text;
}

std::string App::status() const {
    switch (monitor_.phase) {
        case SearchPhase::running:
        case SearchPhase::paused: {
            std::string text = monitor_.phase == SearchPhase::paused ? "paused" : "searching";
            if (!monitor_.activity.empty() && monitor_.phase == SearchPhase::running) text += ": " + monitor_.activity;
            if (monitor_.makespan)
                text += ", best makespan " + std::to_string(*monitor_.makespan);
            else if (monitor_.period)
                text += ", best period " + std::to_string(*monitor_.period);
            if (monitor_.makespan && monitor_.makespan_bound > 0)
                text += ", bound " + std::to_string(monitor_.makespan_bound);
            text += ", " + counted(monitor_.nodes, "node");
            if (monitor_.nodes_per_second >= 1) text += fixed_number(monitor_.nodes_per_second, " (%.0f/s)");
            return text + fixed_number(monitor_.seconds, ", %.1f s");
        }
        case SearchPhase::failed:
            return "failed: " + monitor_.error;
        case SearchPhase::done:
        case SearchPhase::idle:
            break;
    }
    const bool refused = claims_.period.state == ClaimState::refused || claims_.makespan.state == ClaimState::refused;
    if (document().recipe.schedule) {
        if (claims_.period.checked()) return "proved and checked: the period of this schedule is least";
        if (claims_.makespan.checked()) return "proved and checked: the makespan of this schedule is least";
        return "a schedule as it was given: valid, checked by the verifier";
    }
    if (!summary_) return stale_ ? "changed: press Search" : "";
    if (stale_) return "changed: press Search";
    const bool by_period = document().recipe.options.text("objective") == "period";
    const bool checked = claims_.of(by_period ? "period" : "makespan").checked();
    std::string text = refused                            ? "PROOF REFUSED BY THE CHECKER"
                       : claims_.running()                ? "checking the proof"
                       : summary_->status == "optimal"    ? (checked ? "proved and checked" : "proved optimal")
                       : summary_->status == "infeasible" ? "proved infeasible"
                       : summary_->status == "feasible"   ? "feasible, not proved optimal"
                                                          : "nothing found";
    if (!checked && !refused && claims_.period.checked()) text += " (the period is proved and checked)";
    if (summary_->stop == "budget") text += ", stopped at its work budget";
    if (summary_->stop == "interrupted") text += ", stopped";
    if (summary_->stop == "timeout") text += ", out of time";
    return text + ", " + counted(summary_->nodes, "node") +
           (summary_->seconds < 0.1 ? fixed_number(summary_->seconds * 1000, ", %.1f ms")
                                    : fixed_number(summary_->seconds, ", %.1f s")) +
           (team_.size() > 1 ? ", found with seed " + std::to_string(summary_->seed) + " by one of " +
                                   std::to_string(team_.size()) + " workers"
                             : ", seed " + std::to_string(summary_->seed));
}

std::string App::costs() const {
    const Problem& problem = view_ ? view_->problem : document().problem;
    std::string text;
    static constexpr std::pair<BlockKind, const char*> kinds[] = {
        {BlockKind::forward, "forward"},           {BlockKind::backward, "backward"},
        {BlockKind::input_gradient, "input grad"}, {BlockKind::weight_gradient, "weight grad"},
        {BlockKind::transfer, "transfer"},         {BlockKind::other, "other"}};
    for (const auto& [kind, name] : kinds) {
        Ticks least = 0, most = 0;
        for (const Block& block : problem.blocks) {
            if (block.kind != kind) continue;
            least = most == 0 ? block.time : std::min(least, block.time);
            most = std::max(most, block.time);
        }
        if (most == 0) continue;
        text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + amount(least, problem.time_unit, "");
        if (most != least) text += " to " + amount(most, problem.time_unit, "");
    }
    return text;
}

std::string App::link() const {
    Recipe recipe = document().recipe;
    recipe.view.clear();
    // How far the search went whose result is shown, where opening the link would go less or more far.
    const std::int64_t work = team_.work_of_best();
    if (!recipe.schedule && !recipe.options.has("budget") && monitor_.phase == SearchPhase::done && summary_ &&
        work > (summary_->stop == "finished" ? bounded_work : 0))
        recipe.options.set("budget", std::to_string(work + (summary_->stop == "finished" ? 1 : 0)));
    const auto add = [&](const char* key, std::string value) { recipe.view.emplace_back(key, std::move(value)); };
    if (!scale.fitted() && view_)
        add("view", fixed_number(scale.from(), "%.6g") + "," + fixed_number(scale.to(), "%.6g"));
    if (colours != ColourScheme::kind) add("colour", colour_names[static_cast<int>(colours)]);
    if (!show_memory) add("curve", "0");
    if (show_critical) add("critical", "1");
    if (playback.shown && playback.time > 0 && !playback.playing) add("at", fixed_number(playback.time, "%.6g"));
    if (selection_ >= 0 && view_) {
        const Operation& operation = view_->operation(selection_);
        add("sel", std::to_string(operation.block) + "." + std::to_string(operation.micro_batch));
    }
    if (!other_name_.empty() && other_name_ != "pinned") add("with", other_name_);
    return write_link(recipe);
}

void App::apply_view_keys(const Recipe& recipe) {
    for (const auto& [key, value] : recipe.view) {
        const std::size_t comma = value.find_first_of(",.");
        if (key == "view" && value.find(',') != std::string::npos) {
            const auto from = number_of(value.substr(0, value.find(',')));
            const auto to = number_of(value.substr(value.find(',') + 1));
            if (from && to && *to > *from && std::abs(*from) < 1e16 && std::abs(*to) < 1e16)
                scale.show(*from, *to, false);
        } else if (key == "colour") {
            for (int k = 0; k < 3; ++k)
                if (value == colour_names[k]) colours = static_cast<ColourScheme>(k);
        } else if (key == "curve") {
            show_memory = value != "0";
        } else if (key == "critical") {
            show_critical = value == "1";
        } else if (key == "at") {
            if (const auto at = number_of(value)) playback.seek(*at);
        } else if (key == "sel" && comma != std::string::npos) {
            const auto block = number_of(value.substr(0, comma));
            const auto micro_batch = number_of(value.substr(comma + 1));
            if (block && micro_batch && *block >= 0 && *block < 1e9 && *micro_batch >= 0 && *micro_batch < 1e9)
                select(view_->find(static_cast<int>(*block), static_cast<std::int64_t>(*micro_batch)));
        } else if (key == "with") {
            compare_with(value);
        }
    }
}

std::string App::state_json() const {
    using Json = nlohmann::json;
    Json state;
    const Problem& problem = document().problem;
    state["name"] = problem.name;
    state["problem"] = problem.name;
    state["preset"] = document().recipe.preset;
    state["title"] = document().recipe.title;
    const bool searching = monitor_.running() || search_due_ >= 0;
    const bool known = summary_ && !stale_;
    state["status"] = searching ? "searching" : known ? summary_->status : view_ && !stale_ ? "given" : "none";
    state["searching"] = searching;
    state["stop"] = known ? Json(summary_->stop) : Json();
    const auto or_null = [](const std::optional<Ticks>& value) { return value ? Json(*value) : Json(); };
    state["period"] = known ? or_null(summary_->period) : Json();
    state["copies"] = known ? Json(summary_->copies) : Json();
    state["period_lower_bound"] = known ? Json(summary_->period_lower_bound) : Json();
    state["period_optimal"] = known && summary_->period_optimal;
    state["makespan"] = view_ && !stale_ ? Json(view_->end) : Json();
    state["makespan_lower_bound"] = known ? Json(summary_->makespan_lower_bound) : Json();
    state["makespan_optimal"] = known && summary_->makespan_optimal;
    state["micro_batches"] = document().micro_batches;
    state["devices"] = problem.num_devices();
    state["operations"] = view_ ? view_->schedule.operations.size() : 0;
    state["playing"] = playback.playing;
    state["time"] = playback.time;
    state["selection"] = Json();
    if (selection_ >= 0 && view_) {
        const Operation& operation = view_->operation(selection_);
        state["selection"] = {{"block", view_->block_of(selection_).name},
                              {"micro_batch", operation.micro_batch},
                              {"start", operation.start}};
    }
    state["compared_with"] = other_ ? Json(other_name_) : Json();
    state["compared_makespan"] = other_ ? Json(other_->end) : Json();
    state["from"] = scale.from();
    state["to"] = scale.to();
    state["colour"] = colour_names[static_cast<int>(colours)];
    state["overlay"] = static_cast<int>(overlay);
    state["caption"] = caption();
    state["status_text"] = status();
    state["certificate"] = known ? summary_->certificate : "";
    state["message"] = message;
    for (const char* what : {"period", "makespan"}) {
        const Claim& claim = claims_.of(what);
        state["proof"][what] = {{"proved", proved_least(what)},
                                {"state", to_string(claim.state)},
                                {"words", claim.words},
                                {"seconds", claim.seconds}};
    }
    state["notice"] = notice;
    state["faults"] = faults_;
    state["can_undo"] = history_.can_undo();
    state["can_redo"] = history_.can_redo();
    state["improvements"] = monitor_.improvements.size();
    state["nodes"] = monitor_.nodes;
    state["work"] = monitor_.work;
    state["search_seconds"] = monitor_.seconds;
    state["workers"] = workers_;
    state["frames"] = frames;
    state["link"] = link();
    state["peak_memory"] = view_ ? Json(view_->measures.peak_memory) : Json();
    state["bubble_makespan"] = view_ ? Json(view_->measures.bubble_makespan) : Json();
    return state.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string App::table_json() const {
    auto rows = nlohmann::json::array();
    const auto row = [&](const char* name, std::string value) {
        if (!value.empty()) rows.push_back({name, std::move(value)});
    };
    const auto least = [&](const char* what) {
        return claims_.of(what).checked() ? std::string(", proved least and checked") : std::string(", proved least");
    };
    row("problem", document().problem.name);
    row("picture", caption());
    row("status", status());
    row("costs", costs());
    if (summary_ && !stale_) {
        if (summary_->period)
            row("period", std::to_string(*summary_->period) + (summary_->period_optimal ? least("period") : ""));
        row("proved lower bound of the period", std::to_string(summary_->period_lower_bound));
        if (summary_->makespan)
            row("makespan",
                std::to_string(*summary_->makespan) + (summary_->makespan_optimal ? least("makespan") : ""));
        row("proved lower bound of the makespan", std::to_string(summary_->makespan_lower_bound));
        row("why not faster", summary_->certificate);
    }
    for (const auto& [what, name] :
         {std::pair{"period", "proof of the period"}, {"makespan", "proof of the makespan"}}) {
        const Claim& claim = claims_.of(what);
        if (claim.state != ClaimState::none)
            row(name, std::string(to_string(claim.state)) + (claim.words.empty() ? "" : ": " + claim.words));
    }
    if (view_) {
        row("makespan bubble", fixed_number(view_->measures.bubble_makespan * 100, "%.1f %%"));
        std::string peaks;
        for (int d = 0; d < std::min(view_->problem.num_devices(), 64); ++d)
            peaks += (peaks.empty() ? "" : ", ") + device_label(view_->problem, d) + ": " +
                     memory_text(view_->problem, view_->lanes[static_cast<std::size_t>(d)].peak);
        row("peak memory", peaks);
    }
    if (selection_ >= 0 && view_) {
        row("selected", long_label(*view_, selection_));
        for (const auto& [name, value] : facts(*view_, selection_)) rows.push_back({name, value});
    }
    return rows.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace repetend::web
