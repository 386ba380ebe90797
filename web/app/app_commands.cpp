// What commands do: see commands.hpp for their names and keys.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "app.hpp"
#include "commands.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/trace.hpp"

namespace repetend::web {

void App::select(std::int64_t operation) {
    if (operation != selection_) link_due_ = now_ + 0.6;
    selection_ = view_ && operation < static_cast<std::int64_t>(view_->schedule.operations.size()) ? operation : -1;
    if (selection_ < 0) return;
    area_ = {};
    do_action("say",
              long_label(*view_, selection_) + ", starts at " + time_text(*view_, view_->operation(selection_).start));
}

std::vector<std::int64_t> App::find_blocks(std::string_view query) const {
    constexpr std::size_t most = 12;
    std::vector<std::int64_t> found;
    if (!view_ || query.size() < 2 || query.size() > 80) return found;
    const std::size_t digits = query.find_last_not_of("0123456789") + 1;
    if (digits == query.size() || query.size() - digits > 9 || digits == 0) return found;
    const std::int64_t micro_batch = std::stoll(std::string(query.substr(digits)));
    const bool by_name = query[digits - 1] == ' ';
    const std::string_view what = query.substr(0, by_name ? digits - 1 : digits);
    for (int b = 0; b < view_->problem.num_blocks() && found.size() < most; ++b) {
        const Block& block = view_->problem.blocks[static_cast<std::size_t>(b)];
        const bool meant =
            by_name ? block.name == what : what.size() == 1 && kind_letter(block) == std::toupper(what[0]);
        if (meant && view_->find(b, micro_batch) >= 0) found.push_back(view_->find(b, micro_batch));
    }
    return found;
}

void App::select_area(double from, double to, int first_device, int last_device) {
    select(-1);
    area_ = {std::min(from, to), std::max(from, to), std::min(first_device, last_device),
             std::max(first_device, last_device)};
}

void App::select_neighbour(int by) {
    if (!view_ || view_->schedule.operations.empty()) return;
    if (selection_ < 0) return select(by > 0 ? 0 : static_cast<std::int64_t>(view_->schedule.operations.size()) - 1);
    const int device = view_->block_of(selection_).devices.front();
    const auto& items = view_->lanes[static_cast<std::size_t>(device)].items;
    const auto at =
        std::find_if(items.begin(), items.end(), [&](const LaneItem& item) { return item.operation == selection_; });
    const auto k = at - items.begin() + by;
    if (k >= 0 && k < static_cast<std::ptrdiff_t>(items.size())) select(items[static_cast<std::size_t>(k)].operation);
}

// The playhead to the next moment at which something starts or ends.
void App::step_event(int by) {
    if (!view_) return;
    playback.playing = false;
    std::vector<Ticks> moments{0, view_->end};
    for (const Lane& lane : view_->lanes) {
        const auto& items = lane.items;
        const auto after = std::partition_point(items.begin(), items.end(), [&](const LaneItem& item) {
            return static_cast<double>(item.start) < playback.time;
        });
        for (auto item = after == items.begin() ? after : std::prev(after); item != items.end(); ++item) {
            moments.push_back(item->start);
            moments.push_back(item->end);
            if (static_cast<double>(item->start) > playback.time) break;
        }
        if (after != items.begin()) {
            moments.push_back(std::prev(after)->start);
            if (std::prev(after) != items.begin()) moments.push_back(std::prev(after, 2)->end);
        }
    }
    double best = by > 0 ? playback.end : 0;
    for (const Ticks moment : moments) {
        const auto at = static_cast<double>(moment);
        if (by > 0 && at > playback.time) best = std::min(best, at);
        if (by < 0 && at < playback.time) best = std::max(best, at);
    }
    playback.seek(best);
    if (playback.time < scale.from() || playback.time > scale.to())
        scale.show(playback.time - scale.span() / 2, playback.time + scale.span() / 2, !reduced_motion);
}

void App::compare_with(std::string_view name) {
    other_.reset();
    other_name_.clear();
    if (name.empty() || !view_) {
        if (view_) scale.set_end(static_cast<double>(view_->end));
        return;
    }
    if (name == "pinned") {
        other_ = view_;
    } else {
        Result<Schedule> schedule = build_baseline(name, view_->problem, view_->schedule.micro_batches);
        if (!schedule) {
            message = std::string(name) + ": " + schedule.faults().front().message;
            return;
        }
        other_ = make_view(view_->problem, std::move(schedule).value());
    }
    other_name_ = name;
    scale.set_end(static_cast<double>(std::max(view_->end, other_->end)));
}

std::string App::file_stem() const {
    std::string stem = document().problem.name.empty() ? "schedule" : document().problem.name;
    for (char& c : stem) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!plain) c = '-';
    }
    return stem;
}

void App::save(std::string_view what) {
    if (what == "proof" || what == "makespan-proof") return prove(what == "proof" ? "period" : "makespan", true);
    Action action;
    action.kind = "save";
    action.type = "application/json";
    const std::string stem = file_stem();
    if (what == "problem") {
        action.name = stem + ".json";
        action.text = write_problem(document().problem);
    } else if (!view_) {
        message = "there is no schedule yet";
        return;
    } else if (what == "schedule") {
        action.name = stem + "-schedule.json";
        action.text = write_schedule(view_->problem, view_->schedule);
    } else if (what == "result") {
        if (result_text_.empty()) {
            message = "there is no result: this schedule was not searched";
            return;
        }
        action.name = stem + "-result.json";
        action.text = result_text_;
    } else if (what == "csv") {
        action.name = stem + ".csv";
        action.type = "text/csv";
        action.text = write_csv(view_->problem, view_->schedule);
    } else if (what == "svg") {
        action.name = stem + ".svg";
        action.type = "image/svg+xml";
        action.text = draw_svg(view_->problem, view_->schedule, SvgOptions{});
    } else if (what == "trace") {
        action.name = stem + ".trace.json";
        write_trace(view_->problem, view_->schedule, [&](std::string_view piece) {
            action.text += piece;
            return true;
        });
    } else if (what == "tessel") {
        Result<std::string> plan = write_tessel(view_->problem, view_->schedule);
        if (!plan) {
            message = "A Tessel plan cannot express this: " + plan.faults().front().message;
            return;
        }
        action.name = stem + ".tessel.json";
        action.text = std::move(plan).value();
    } else {
        action.kind = "png";
        action.name = stem + ".png";
        action.text = draw_svg(view_->problem, view_->schedule, SvgOptions{});
    }
    actions_.push_back(std::move(action));
}

bool App::run_command(std::string_view id) {
    if (find_command(id) == nullptr) return false;
    const bool animated = !reduced_motion;
    const double span = scale.span();
    const auto toggle = [&](Overlay which) { overlay = overlay == which ? Overlay::none : which; };
    message.clear();
    if (id == "search")
        search_now();
    else if (id == "pause") {
        if (monitor_.running()) {
            const bool paused = monitor_.phase == SearchPhase::paused;
            monitor_.phase = paused ? SearchPhase::running : SearchPhase::paused;
            do_action(paused ? "resume" : "pause");
        }
    } else if (id == "prove")
        prove_all();
    else if (id == "workers") {
        set_workers(workers_ < most_workers ? workers_ * 2 : 1, true);
        notice = "The next search has " + std::to_string(workers_) + (workers_ == 1 ? " worker" : " workers");
    } else if (id == "undo" || id == "redo") {
        if (id == "undo" ? history_.can_undo() : history_.can_redo()) {
            id == "undo" ? history_.undo() : history_.redo();
            faults_.clear();
            ++undos;
            after_edit(false);
            search_due_ = document().recipe.schedule ? -1 : now_;
        }
    } else if (id == "edit")
        focus_first = true;
    else if (id == "gallery")
        toggle(Overlay::gallery);
    else if (id == "own") {
        if (!document().recipe.problem) {
            Result<Document> own = make_document(as_own_problem(document()));
            if (own) history_.push(std::move(own).value());
            link_due_ = now_;
        }
        overlay = Overlay::problem_table;
    } else if (id == "open")
        do_action("pick");
    else if (id == "reset")
        open(make_document(default_recipe()).value(), true, true);
    else if (id == "play")
        playback.toggle();
    else if (id == "step-forward")
        step_event(1);
    else if (id == "step-back")
        step_event(-1);
    else if (id == "slower")
        playback.change_speed(-1);
    else if (id == "faster")
        playback.change_speed(1);
    else if (id == "loop") {
        playback.loop_repetend = !playback.loop_repetend;
        playback.shown = true;
        if (playback.loops() && !playback.playing) playback.toggle();
    } else if (id == "fit")
        scale.fit(animated), scroll = 0;
    else if (id == "fit-selection") {
        if (selection_ >= 0) {
            const auto start = static_cast<double>(view_->operation(selection_).start);
            const auto time = static_cast<double>(view_->block_of(selection_).time);
            scale.show(start - time * 3, start + time * 4, animated);
        } else if (area_.last >= area_.first) {
            scale.show(area_.from, area_.to, animated);
        } else if (playback.loop_end > playback.loop_begin) {
            const double period = playback.loop_end - playback.loop_begin;
            scale.show(playback.loop_begin - period * 0.25, playback.loop_end + period * 0.25, animated);
        }
    } else if (id == "zoom-in")
        scale.show(scale.from() + span / 6, scale.to() - span / 6, animated);
    else if (id == "zoom-out")
        scale.show(scale.from() - span / 4, scale.to() + span / 4, animated);
    else if (id == "left" && !scale.fitted())
        scale.show(scale.from() - span / 5, scale.to() - span / 5, animated);
    else if (id == "right" && !scale.fitted())
        scale.show(scale.from() + span / 5, scale.to() + span / 5, animated);
    else if (id == "up")
        scroll -= 60;
    else if (id == "down")
        scroll += 60;
    else if (id == "colour")
        colours = static_cast<ColourScheme>((static_cast<int>(colours) + 1) % 3);
    else if (id == "memory")
        show_memory = !show_memory;
    else if (id == "idle")
        show_idle = !show_idle;
    else if (id == "critical")
        show_critical = !show_critical;
    else if (id == "select-next")
        select_neighbour(1);
    else if (id == "select-previous")
        select_neighbour(-1);
    else if (id == "clear") {
        if (overlay != Overlay::none)
            overlay = Overlay::none;
        else if (in_tour())
            end_tour();
        else
            select(-1), area_ = {};
    } else if (id == "theme") {
        theme = static_cast<ThemeChoice>((static_cast<int>(theme) + 1) % 4);
        do_action("prefer", std::to_string(static_cast<int>(theme))).name = "theme";
    } else if (id == "compare")
        toggle(Overlay::compare);
    else if (id == "pin")
        compare_with(other_ ? "" : "pinned");
    else if (id == "share") {
        do_action("copy", link());
        overlay = Overlay::none;
    } else if (id.starts_with("export-"))
        save(id.substr(7));
    else if (id == "print")
        do_action("print", view_ ? draw_svg(view_->problem, view_->schedule, SvgOptions{}) : "");
    else if (id == "palette")
        toggle(Overlay::palette);
    else if (id == "help")
        toggle(Overlay::help);
    if (id != "share") link_due_ = std::max(link_due_, now_ + 0.6);
    return true;
}

bool App::handle_key(std::string_view key) {
    const CommandRow* row = command_of_key(key);
    return row != nullptr && run_command(row->id);
}

std::string App::add_tours(std::string_view text) {
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("steps") || !document["steps"].is_array()) return "no tour";
    Tour tour;
    tour.title = document.value("title", "");
    for (const auto& step : document["steps"]) tour.steps.push_back({step.value("link", ""), step.value("text", "")});
    if (tour.steps.empty()) return "a tour without steps";
    tours_.push_back(std::move(tour));
    end_tour();
    return "";
}

void App::start_tour(std::size_t index) {
    if (index >= tours_.size()) return;
    tour_ = index;
    tour_step_ = 0;
    overlay = Overlay::none;
    open_link(tours_[tour_].steps[0].link, true);
}

void App::tour_step(int by) {
    if (!in_tour()) return;
    const auto next = static_cast<std::int64_t>(tour_step_) + by;
    if (next < 0) return;
    if (next >= static_cast<std::int64_t>(tours_[tour_].steps.size())) return end_tour();
    tour_step_ = static_cast<std::size_t>(next);
    open_link(tours_[tour_].steps[tour_step_].link, true);
}

}  // namespace repetend::web
