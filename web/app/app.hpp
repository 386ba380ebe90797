// The explorer without its looks: what is edited, searched, shown, selected and played. Panels and scripts call it; it
// asks the host for what only a host can do (workers, clipboard, files, the address bar) by actions that the host
// fetches. No ImGui, no browser: it runs in unit tests.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "claims.hpp"
#include "commands.hpp"
#include "document.hpp"
#include "gantt/time_scale.hpp"
#include "playback.hpp"
#include "schedule_view.hpp"
#include "search_monitor.hpp"
#include "search_team.hpp"

namespace repetend::web {

// What the host shall do. `kind`: "start" (name of the search, text problem, more the options of each worker, a line
// each), "stop" (name of one worker, or empty: all), "dismiss" (name of a worker that is not needed any more), "pause",
// "resume", "copy", "save" (name, type, text), "prove" (name of the search, text: of what, type: the worker that
// found it), "check" (name, text the proof, more the problem),
// "uncheck", "png", "pick" (a file dialog), "print", "link" (text; push says whether Back should return here),
// "prefer" (name, text: remember a setting), "say" (for the live region).
struct Action {
    std::string kind, name, type, text, more;
    bool push = false;
};

// Work units of a search that nobody asked for by the button: about a second. The slow presets on eight devices with
// memory for eight (nn, nn-eager, mllm) end as short as with twice as much; tighter memory gains from the button.
inline constexpr std::int64_t bounded_work = 3'000'000;

enum class ColourScheme { kind, micro_batch, stage };
enum class ThemeChoice { system, light, dark, contrast };
enum class Overlay { none, gallery, palette, help, share, compare, problem_table, tours };

struct TourStep {
    std::string link, text;
};
struct Tour {
    std::string title;
    std::vector<TourStep> steps;
};

class App {
public:
    App();

    // --- what a person does -------------------------------------------------------------------------------------
    // Opens a link; empty, or what is wrong with it (then everything stays, or the default comes at the start).
    std::string open_link(std::string_view link, bool push);
    // The same for what was read already; what is wrong, or nothing.
    Faults open_recipe(Recipe recipe, bool push);
    // What a reader made of a text, in place of what is shown; its faults where it made nothing.
    Faults open_read(Result<Recipe> recipe);
    // A dropped, opened or pasted text; empty, or what is wrong.
    std::string load_text(std::string_view text, std::string_view name);
    void open_preset(std::string_view name);
    // One option from a field; what is wrong stays beside it (`fault_of`).
    void edit_option(std::string_view name, std::string_view text);
    void edit_problem(Problem problem, std::string_view gesture, std::string_view field);
    const std::string& fault_of(const std::string& field) const;
    void clear_faults() { faults_.clear(); }
    bool run_command(std::string_view id);
    bool handle_key(std::string_view key);

    // Options as an object, for scripts; empty, or what is wrong.
    std::string search_with(std::string_view options_json);
    void search_now();
    void stop_search();
    void select(std::int64_t operation);
    // Operations that a query such as `B7` (kind and micro-batch) or `f0 7` (block and micro-batch) means; at most 12.
    std::vector<std::int64_t> find_blocks(std::string_view query) const;
    void select_area(double from, double to, int first_device, int last_device);
    void show_view(std::shared_ptr<const ScheduleView> view);
    void compare_with(std::string_view baseline);  // empty: end of the comparison
    // Proofs of what is proved least are written and checked; a second call stops that. `what`: period or makespan.
    void prove_all();
    void prove(std::string_view what, bool save);
    void start_tour(std::size_t index);
    void tour_step(int by);

    // --- what the host tells --------------------------------------------------------------------------------------
    void worker_progress(int search, double seconds, std::string_view events_json, double work, double nodes,
                         int worker = 0);
    void worker_result(int search, double seconds, std::string_view result_json, bool last, int worker = 0);
    void worker_failed(int search, std::string_view why, int worker = 0);
    // A proof that was asked for, or words why there is none; what the checker answered, or why it could not.
    void worker_proof(int search, std::string_view what, std::string_view text);
    void checker_answer(int check, double seconds, std::string_view answer, std::string_view failed);
    // Lets time pass: true while something moves.
    bool advance(double now_seconds);
    // When `advance` wants to be called again although nothing moves; negative: not at all.
    double wake_at() const;
    std::vector<Action> take_actions() { return std::exchange(actions_, {}); }

    // --- what is shown --------------------------------------------------------------------------------------------
    const Document& document() const { return history_.current(); }
    const History& history() const { return history_; }
    const std::shared_ptr<const ScheduleView>& view() const { return view_; }
    const std::shared_ptr<const ScheduleView>& other() const { return other_; }
    const std::string& other_name() const { return other_name_; }
    // What the picture is morphed from, and how far it is (0..1).
    const std::shared_ptr<const ScheduleView>& morph_from() const { return morph_from_; }
    double morph() const { return morph_; }
    const std::optional<ResultSummary>& summary() const { return summary_; }
    const std::string& result_text() const { return result_text_; }
    SearchMonitor& monitor() { return monitor_; }
    const SearchMonitor& monitor() const { return monitor_; }
    // How many workers the next search has, and how many the host can run at all: a person's setting, no part of the
    // document.
    int workers() const { return workers_; }
    void set_workers(int count, bool remember);
    int most_workers = 1;
    bool offers(const CommandRow& command) const { return most_workers > 1 || command.id != "workers"; }
    const Claims& claims() const { return claims_; }
    bool proved_least(std::string_view what) const;
    std::int64_t selection() const { return selection_; }
    struct Area {
        double from = 0, to = 0;
        int first = 0, last = -1;
    };
    const Area& area() const { return area_; }
    bool stale() const { return stale_; }  // the picture is of an earlier problem
    std::string link() const;
    std::string state_json() const;
    // The result as rows of a name and a value, for the table beside the canvas.
    std::string table_json() const;
    std::string caption() const;
    std::string status() const;
    std::string costs() const;

    TimeScale scale;
    double scroll = 0;  // pixels above the first lane
    Playback playback;
    ColourScheme colours = ColourScheme::kind;
    ThemeChoice theme = ThemeChoice::system;
    Overlay overlay = Overlay::none;
    bool show_memory = true, show_idle = false, show_critical = false;
    bool fold_problem = false, fold_result = false;
    bool reduced_motion = false;
    std::int64_t undos = 0;    // undo and redo so far: what is half typed then counts no more
    bool focus_first = false;  // the next field that is drawn takes the keyboard
    std::string message;       // one line that went wrong, until the next action
    std::string notice;        // one line that went well
    const std::vector<Tour>& tours() const { return tours_; }
    std::size_t tour_at() const { return tour_; }
    std::size_t tour_step_at() const { return tour_step_; }
    bool in_tour() const { return tour_ < tours_.size(); }
    void end_tour() { tour_ = tours_.size(); }
    std::string add_tours(std::string_view json);
    std::int64_t frames = 0;

private:
    void open(Document document, bool push, bool keep_history);
    void after_edit(bool push);
    void say_link();  // what the address bar shall show
    void begin_search(bool bounded);
    void heard_from_team();
    void end_search();
    void search_failed(const std::string& why);
    bool found_schedule() const;
    void dismiss_idle();
    void adopt(std::shared_ptr<const ScheduleView> view, bool animate);
    void apply_view_keys(const Recipe& recipe);
    void save(std::string_view what);
    std::string file_stem() const;
    void save_proof(std::string_view what);
    void begin_check(std::string_view what, std::string text, std::string problem);
    void open_proof(std::string_view text, std::string_view name);
    void show_opened_proof(bool accepted, Claim verdict);
    void forget_claims();
    void complain(std::string words);
    void select_neighbour(int by);
    void step_event(int by);
    Action& do_action(std::string kind, std::string text = {}, std::string more = {});

    History history_;
    std::map<std::string, std::string> faults_;
    SearchMonitor monitor_;
    SearchTeam team_;
    int workers_ = 1;
    int search_ = 0;  // number of the search whose messages count
    std::optional<ResultSummary> summary_;
    std::string result_text_;
    Claims claims_;
    std::map<int, std::string> checks_;  // running ones: what each is about
    int check_ = 0;
    std::string opened_proof_, opened_name_;
    std::shared_ptr<const ScheduleView> view_, other_, morph_from_;
    std::string other_name_;
    double morph_ = 1;
    std::int64_t selection_ = -1;
    Area area_;
    bool stale_ = false;
    bool first_picture_ = true;
    double now_ = 0, search_due_ = -1, link_due_ = -1, notice_until_ = 0;
    bool link_push_ = false;
    std::string link_shown_;
    std::vector<std::pair<std::string, std::string>> pending_view_;
    std::vector<Tour> tours_;
    std::size_t tour_ = 0, tour_step_ = 0;
    std::vector<Action> actions_;
};

}  // namespace repetend::web
