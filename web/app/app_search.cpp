// Searches: what starts them, what their workers tell, when they end. The search button has no limit but the person;
// several workers search with seeds in a row, and the document takes the seed of the one whose result is shown.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app.hpp"
#include "repetend/format/json.hpp"

namespace repetend::web {
namespace {

// The seed of each worker; after the largest come the smallest.
std::int64_t seed_of(const Document& document, int worker) {
    const std::int64_t high = find_option("seed")->high;
    const std::int64_t seed = document.recipe.options.integer("seed").value_or(1);
    return seed > high - worker ? seed - (high - worker) - 1 : seed + worker;
}

// The options that decide a search, as the worker's module takes them.
std::string search_options_json(const Document& document, bool bounded, int worker) {
    nlohmann::json options = nlohmann::json::object();
    for (const auto& [name, text] : document.recipe.options.given()) {
        const OptionRow* row = find_option(name);
        if (row != nullptr && row->group == OptionGroup::search) options[name] = text;
    }
    options["micro-batches"] = std::to_string(document.micro_batches);
    if (bounded) options["budget"] = std::to_string(document.recipe.options.integer("budget").value_or(bounded_work));
    if (worker > 0) options["seed"] = std::to_string(seed_of(document, worker));
    return options.dump();
}

}  // namespace

void App::set_workers(int count, bool remember) {
    workers_ = std::clamp(count, 1, most_workers);
    if (remember) do_action("prefer", std::to_string(workers_)).name = "workers";
    if (!monitor_.running()) dismiss_idle();
}

// The one that found what is shown stays until the next search: it alone can write the proof.
void App::dismiss_idle() {
    for (int k = workers_; k < most_workers; ++k)
        if (k != team_.best()) do_action("dismiss").name = std::to_string(k);
}

void App::begin_search(bool bounded) {
    search_due_ = -1;
    ++search_;
    forget_claims();
    monitor_.begin();
    team_.begin(workers_, document().recipe.options.text("objective") == "period");
    std::string options = search_options_json(document(), bounded, 0);
    for (int k = 1; k < team_.size(); ++k) options += '\n' + search_options_json(document(), bounded, k);
    do_action("start", write_problem(document().problem), std::move(options)).name = std::to_string(search_);
}

void App::search_now() {
    if (monitor_.running()) return stop_search();
    if (document().recipe.schedule || document().recipe.options.has("budget")) {
        Recipe recipe = document().recipe;
        recipe.schedule.reset();
        recipe.options = with_option(recipe.options, "budget", "").value();
        history_.push(make_document(std::move(recipe)).value());
    }
    begin_search(false);
}

std::string App::search_with(std::string_view text) {
    Recipe recipe = document().recipe;
    recipe.schedule.reset();
    const auto options = nlohmann::json::parse(text.empty() ? std::string_view("{}") : text, nullptr, false);
    if (!options.is_object()) return "an object of options was expected";
    for (const auto& [name, value] : options.items()) {
        const OptionRow* row = find_option(name);
        if (row == nullptr || !travels_in_links(*row)) return name + ": is no option of a search";
        Result<OptionValues> changed = with_option(recipe.options, row->name,
                                                   value.is_null()     ? std::string()
                                                   : value.is_string() ? value.get<std::string>()
                                                                       : value.dump());
        if (!changed) return all_of(changed.faults());
        recipe.options = std::move(changed).value();
    }
    Result<Document> document = make_document(std::move(recipe));
    if (!document) return all_of(document.faults());
    const bool bounded = document->recipe.options.has("budget");
    history_.push(std::move(document).value());
    after_edit(false);
    begin_search(bounded);
    return "";
}

void App::stop_search() {
    search_due_ = -1;
    if (!monitor_.running()) return;
    do_action("stop");
}

void App::worker_progress(int search, double seconds, std::string_view events, double work, double nodes, int worker) {
    if (search != search_ || !monitor_.running() || team_.ended(worker)) return;
    team_.take_progress(worker, seconds, work, nodes);
    const auto counts = [&](std::string_view kind, std::int64_t value, int copies) {
        return team_.take_event(worker, kind, value, copies);
    };
    if (!monitor_.take_events(events, team_.seconds(), counts)) return;
    heard_from_team();
}

void App::heard_from_team() {
    monitor_.work = team_.work();
    monitor_.nodes = team_.nodes();
    if (monitor_.seconds > 0.05) monitor_.nodes_per_second = static_cast<double>(monitor_.nodes) / monitor_.seconds;
    if (team_.size() > 1) {
        const int running = team_.running();
        monitor_.activity = (running < team_.size() ? std::to_string(running) + " of " : "") +
                            std::to_string(team_.size()) + " workers";
        if (team_.best() >= 0) team_.complete(*summary_);
    }
    for (const int worker : team_.take_superfluous()) do_action("stop").name = std::to_string(worker);
    if (team_.over()) end_search();
}

void App::worker_result(int search, double seconds, std::string_view text, bool last, int worker) {
    if (search != search_ || team_.ended(worker)) return;
    monitor_.seconds = std::max(monitor_.seconds, seconds);
    std::optional<ResultSummary> summary = read_summary(text);
    if (!summary) return worker_failed(search, "the search answered with a text that is no result", worker);
    if (team_.take_result(worker, *summary, last)) {
        summary_ = std::move(summary);
        result_text_ = text;
        if (found_schedule()) {
            Result<ProblemSchedule> read = read_schedule(text);
            if (!read) return search_failed(all_of(read.faults()));
            std::shared_ptr<const ScheduleView> view = make_view(std::move(read->problem), std::move(read->schedule));
            monitor_.keep_improvement(view);
            adopt(std::move(view), true);
        }
    }
    heard_from_team();
}

bool App::found_schedule() const { return result_text_.find("\"schedule\": null") == std::string::npos; }

void App::end_search() {
    if (team_.failed()) return search_failed(team_.why_failed());
    monitor_.phase = SearchPhase::done;
    if (team_.best_failed()) summary_->stop = "interrupted";  // what it told last; others ended
    if (!found_schedule()) {
        stale_ = false;
        if (summary_->status == "infeasible") view_.reset();
    }
    if (monitor_.period != summary_->period) monitor_.period = summary_->period;
    // The address says with which seed a single worker finds this.
    if (team_.best() > 0) {
        const std::int64_t seed = seed_of(document(), team_.best());
        if (auto options = with_option(document().recipe.options, "seed", std::to_string(seed)))
            history_.amend(std::move(options).value());
    }
    if (team_.size() > workers_) dismiss_idle();
    do_action("say", status());
    link_due_ = std::max(link_due_, now_ + 0.01);
}

void App::worker_failed(int search, std::string_view why, int worker) {
    if (search != search_ || team_.ended(worker)) return;
    team_.take_failure(worker, why);
    heard_from_team();
}

void App::search_failed(const std::string& why) {
    monitor_.phase = SearchPhase::failed;
    monitor_.error = why;
    message = "The search could not run: " + why;
    do_action("say", message);
}

}  // namespace repetend::web
