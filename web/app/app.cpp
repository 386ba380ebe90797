// Documents: what is opened and edited, and when that is searched. A change of the problem is searched at once when it
// is small, within a budget of work units, so that the same link gives the same picture everywhere.
#include "app.hpp"

#include <algorithm>

#include "repetend/format/json.hpp"
#include "repetend/format/proof_check.hpp"
#include "repetend/presets.hpp"

namespace repetend::web {
namespace {

constexpr double typing_pause_seconds = 0.15;
constexpr double link_pause_seconds = 0.6;
constexpr double morph_seconds = 0.25;
constexpr double notice_seconds = 4;
constexpr std::int64_t small_operations = 6000;  // re-searched while typing

std::string field_of(const Fault& fault) {
    std::string field = fault.path.starts_with("--") ? fault.path.substr(2) : fault.path;
    std::replace(field.begin(), field.end(), '_', '-');
    return field;
}

Document first_document() { return make_document(default_recipe()).value(); }

}  // namespace

App::App() : history_(first_document()) {}

Action& App::do_action(std::string kind, std::string text, std::string more) {
    Action action;
    action.kind = std::move(kind);
    action.text = std::move(text);
    action.more = std::move(more);
    return actions_.emplace_back(std::move(action));
}

std::string App::open_link(std::string_view link, bool push) {
    if (const std::size_t hash = link.find('#'); hash != std::string_view::npos) link = link.substr(hash + 1);
    if (link.empty()) {
        open(first_document(), push, !first_picture_);
        return "";
    }
    const auto refuse = [&](const Faults& faults) {
        if (first_picture_) open(first_document(), false, false);
        message = "This link cannot be opened: " + all_of(faults);
        do_action("say", message);
        return message;
    };
    Result<Recipe> recipe = read_link(link);
    if (!recipe) return refuse(recipe.faults());
    const Faults faults = open_recipe(std::move(recipe).value(), push);
    return faults.empty() ? "" : refuse(faults);
}

Faults App::open_recipe(Recipe recipe, bool push) {
    const std::vector<std::pair<std::string, std::string>> keys = recipe.view;
    Result<Document> document = make_document(std::move(recipe));
    if (!document) return document.faults();
    pending_view_ = keys;
    open(std::move(document).value(), push, !first_picture_);
    return {};
}

Faults App::open_read(Result<Recipe> recipe) {
    if (!recipe) return recipe.faults();
    Result<Document> document = make_document(std::move(recipe).value());
    if (!document) return document.faults();
    open(std::move(document).value(), true, true);
    overlay = Overlay::none;
    return {};
}

std::string App::load_text(std::string_view text, std::string_view name) {
    if (is_proof_format(document_format(text))) {
        open_proof(text, name);
        return "";
    }
    const Faults faults = open_read(read_any(text, name));
    if (faults.empty()) return "";
    message = (name.empty() ? "This text" : std::string(name)) + " cannot be opened: " + all_of(faults);
    do_action("say", message);
    return message;
}

void App::open_preset(std::string_view name) {
    Recipe recipe;
    recipe.preset = name;
    // Search options stay as they are; numbers of the problem are the new preset's own, with a memory worth looking at.
    for (const auto& [option, text] : document().recipe.options.given()) {
        const OptionRow* row = find_option(option);
        if (row != nullptr && row->group == OptionGroup::search) recipe.options.set(option, text);
    }
    if (is_family(recipe)) {
        recipe.options.set("devices", "4");
        recipe.options.set("micro-batches", "16");
        recipe.options.set("memory", name == "alphafold" || name == "k" ? "3"
                                     : name == "v" || name == "v-split" ? "4"
                                                                        : "6");
    }
    if (const Faults faults = open_read(std::move(recipe)); !faults.empty()) message = all_of(faults);
}

void App::open(Document document, bool push, bool keep_history) {
    if (push && link_due_ >= 0) say_link();  // or Back would not find what is left now
    link_push_ = false;
    if (keep_history)
        history_.push(std::move(document));
    else
        history_ = History(std::move(document));
    message.clear();
    faults_.clear();
    select(-1);
    area_ = {};
    compare_with("");
    playback = Playback();
    scroll = 0;
    scale.fit(false);
    after_edit(push);
}

void App::edit_option(std::string_view name, std::string_view text) {
    const std::string field(name);
    Recipe recipe = document().recipe;
    recipe.schedule.reset();
    Result<OptionValues> options = with_option(recipe.options, name, text);
    if (options) options = with_option(*options, "budget", "");
    if (!options) {
        faults_[field] = options.faults().front().message;
        return;
    }
    recipe.options = std::move(options).value();
    Result<Document> document = make_document(std::move(recipe));
    if (!document) {
        // Said beside the field that was touched: it is the one that makes the whole impossible.
        faults_[field] = document.faults().front().message;
        return;
    }
    faults_.clear();
    history_.push(std::move(document).value(), field);
    after_edit(false);
}

void App::edit_problem(Problem problem, std::string_view gesture, std::string_view field) {
    Recipe recipe = as_own_problem(document());
    recipe.problem = std::move(problem);
    Result<Document> document = make_document(std::move(recipe));
    if (!document) {
        faults_.clear();
        for (const Fault& fault : document.faults()) faults_.emplace(field_of(fault), fault.message);
        faults_.emplace(std::string(field), document.faults().front().message);
        return;
    }
    faults_.clear();
    history_.push(std::move(document).value(), gesture);
    after_edit(false);
}

const std::string& App::fault_of(const std::string& field) const {
    static const std::string none;
    const auto found = faults_.find(field);
    return found == faults_.end() ? none : found->second;
}

void App::after_edit(bool push) {
    stale_ = true;
    link_due_ = now_ + (push ? 0 : link_pause_seconds);
    link_push_ = link_push_ || push;
    if (monitor_.running()) {
        do_action("stop");
        monitor_.phase = SearchPhase::idle;
    }
    ++search_;  // what the search before still says counts no more
    forget_claims();
    const Document& current = document();
    if (current.recipe.schedule) {  // carried: nothing to search
        search_due_ = -1;
        summary_.reset();
        result_text_.clear();
        monitor_ = SearchMonitor();
        adopt(make_view(current.problem, *current.recipe.schedule), false);
        return;
    }
    const std::int64_t operations = current.micro_batches > small_operations
                                        ? current.micro_batches
                                        : current.micro_batches * current.problem.num_blocks();
    if (operations <= small_operations || push || first_picture_)
        search_due_ = now_ + (push || first_picture_ ? 0 : typing_pause_seconds);
    else
        search_due_ = -1;
}

void App::say_link() {
    link_due_ = -1;
    const std::string current = link();
    if (current != link_shown_) {
        link_shown_ = current;
        Action action;
        action.kind = "link";
        action.text = current;
        action.push = link_push_;
        actions_.push_back(std::move(action));
    }
    link_push_ = false;
}

void App::adopt(std::shared_ptr<const ScheduleView> view, bool animate) {
    const bool same_blocks = view_ && view_->problem.blocks.size() == view->problem.blocks.size();
    if (animate && same_blocks && !reduced_motion && !(view_->schedule == view->schedule) &&
        view->schedule.operations.size() <= 20'000) {
        morph_from_ = view_;
        morph_ = 0;
    }
    view_ = std::move(view);
    stale_ = false;
    scale.set_end(static_cast<double>(std::max(view_->end, other_ ? other_->end : 0)));
    playback.end = static_cast<double>(view_->end);
    playback.time = std::min(playback.time, playback.end);
    playback.loop_begin = playback.loop_end = 0;
    if (const auto& mark = view_->schedule.repetend) {
        const std::int64_t middle = mark->begin + mark->period * (mark->repeats / 2);
        playback.loop_begin = static_cast<double>(middle);
        playback.loop_end = static_cast<double>(middle + mark->period);
    }
    if (selection_ >= static_cast<std::int64_t>(view_->schedule.operations.size())) select(-1);
    first_picture_ = false;
    if (!pending_view_.empty()) {
        Recipe recipe;
        recipe.view = std::exchange(pending_view_, {});
        apply_view_keys(recipe);
    }
}

void App::show_view(std::shared_ptr<const ScheduleView> view) { adopt(std::move(view), true); }

bool App::advance(double now) {
    const double passed = std::clamp(now - now_, 0.0, 0.1);
    now_ = now;
    ++frames;
    bool moving = scale.advance(passed);
    moving |= playback.advance(passed);
    if (morph_ < 1) {
        morph_ = std::min(1.0, morph_ + passed / morph_seconds);
        if (morph_ >= 1) morph_from_.reset();
        moving = true;
    }
    if (search_due_ >= 0 && now >= search_due_) begin_search(true);
    if (link_due_ >= 0 && now >= link_due_) say_link();
    if (!notice.empty()) {
        if (notice_until_ == 0) notice_until_ = now + notice_seconds;
        if (now >= notice_until_) {
            notice.clear();
            notice_until_ = 0;
        }
    }
    return moving;
}

double App::wake_at() const {
    double at = -1;
    for (const double due : {search_due_, link_due_, notice.empty() ? -1 : notice_until_})
        if (due >= 0 && (at < 0 || due < at)) at = due;
    return at;
}

}  // namespace repetend::web
