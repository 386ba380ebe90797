// The explorer as a WebAssembly module; see page_api.hpp.
#include "page_api.hpp"

#include <emscripten.h>
#include <imgui.h>

#include <nlohmann/json.hpp>
#include <string>

#include "page_host.hpp"
#include "window.hpp"

using repetend::web::Action;
using repetend::web::SearchTeam;
using repetend::web::Window;

namespace {

constexpr double linger_after_touch_seconds = 3.2;  // what a finger has opened can be read
constexpr double nowhere = -1e6;

struct Page {
    std::unique_ptr<Window> opened;
    repetend::web::App& app = opened->app;
    repetend::web::Ui& ui = opened->ui;
    std::string answer = {};

    Window& window() { return *opened; }

    const char* say(std::string text) {
        answer = std::move(text);
        return answer.c_str();
    }
};

Page* page = nullptr;

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int page_start(int width, int height, int touch) {
    std::unique_ptr<Window> window = Window::open(width, height, "Repetend");
    if (window == nullptr) return 1;
    page = new Page{std::move(window)};
    page->ui.look.touch = touch != 0;
    page->app.most_workers = SearchTeam::most_workers;
    return 0;
}
EMSCRIPTEN_KEEPALIVE void page_resize(int width, int height) {
    repetend::web::resize(page->window().handle(), width, height);
    page->window().wake(3);
}

EMSCRIPTEN_KEEPALIVE int page_frame(double now_ms) { return page->window().frame(now_ms / 1000) ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void page_wake(int frames) { page->window().wake(frames); }
EMSCRIPTEN_KEEPALIVE double page_wake_at() {
    const double at = page->app.wake_at();
    return at < 0 ? -1 : at * 1000;
}
EMSCRIPTEN_KEEPALIVE int page_draws_by_shader() { return page->ui.draws_by_shader() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void page_refuse_shaders() { page->ui.refuse_shaders(); }
EMSCRIPTEN_KEEPALIVE double page_frame_cost() { return page->window().frame_cost_ms(); }

EMSCRIPTEN_KEEPALIVE void page_prefer(int dark, int contrast, int reduced_motion, int theme, int workers) {
    page->window().prefer(dark != 0, contrast != 0);
    page->app.reduced_motion = reduced_motion != 0;
    if (theme >= 0 && theme <= 3) page->app.theme = static_cast<repetend::web::ThemeChoice>(theme);
    if (workers > 0) page->app.set_workers(workers, false);
}

EMSCRIPTEN_KEEPALIVE void page_finger(double x, double y, int phase) {
    Window& window = page->window();
    // Let go far from everything, it was no tap.
    phase == finger_cancelled ? window.pointer(nowhere, nowhere) : window.pointer(x, y);
    if (phase == finger_moves) return window.linger(0.45);
    window.button(false, phase == finger_down);
    if (phase == finger_down) return;
    window.pointer_out();
    window.linger(linger_after_touch_seconds);
}
EMSCRIPTEN_KEEPALIVE void page_leave() { page->window().pointer_out(); }
EMSCRIPTEN_KEEPALIVE void page_wheel(double x, double y, double dx, double dy) {
    page->window().pointer(x, y);
    page->window().scroll(dx, dy);
}
EMSCRIPTEN_KEEPALIVE void page_pinch(double factor, double x, double y, double dx, double dy) {
    page->window().pinch(factor, x, y, dx, dy);
}
EMSCRIPTEN_KEEPALIVE void page_long_press(double x, double y) {
    page->window().long_press(x, y);
    page->window().linger(linger_after_touch_seconds);
}
EMSCRIPTEN_KEEPALIVE int page_handled() { return page->window().take_handled() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void page_text(const char* text) { page->window().text(text); }
EMSCRIPTEN_KEEPALIVE void page_erase() {
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, true);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_Backspace, false);
    page->window().wake(4);
}
EMSCRIPTEN_KEEPALIVE int page_wants_text() { return page->ui.wants_text() ? 1 : 0; }

EMSCRIPTEN_KEEPALIVE const char* page_open(const char* link, int push) {
    return page->say(page->app.open_link(link, push != 0));
}
EMSCRIPTEN_KEEPALIVE const char* page_load(const char* text, const char* name) {
    return page->say(page->app.load_text(text, name));
}
EMSCRIPTEN_KEEPALIVE const char* page_search(const char* options) { return page->say(page->app.search_with(options)); }
EMSCRIPTEN_KEEPALIVE void page_stop() { page->app.stop_search(); }
EMSCRIPTEN_KEEPALIVE const char* page_state() { return page->say(page->app.state_json()); }
EMSCRIPTEN_KEEPALIVE const char* page_result() {
    return page->say(page->app.stale() ? std::string() : page->app.result_text());
}
EMSCRIPTEN_KEEPALIVE int page_command(const char* id) { return page->app.run_command(id) ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE const char* page_items() { return page->say(page->ui.items_json()); }
EMSCRIPTEN_KEEPALIVE const char* page_caption() { return page->say(page->app.caption()); }
EMSCRIPTEN_KEEPALIVE const char* page_table() { return page->say(page->app.table_json()); }
EMSCRIPTEN_KEEPALIVE void page_notice(const char* words) { page->app.notice = words; }
EMSCRIPTEN_KEEPALIVE const char* page_why_idle(int device, double tick) {
    const auto view = page->app.view();
    if (!view || device < 0 || device >= view->problem.num_devices() || !(tick >= 0)) return page->say("");
    return page->say(why_idle(*view, device, static_cast<repetend::Ticks>(tick)));
}
EMSCRIPTEN_KEEPALIVE const char* page_facts(int block, double micro_batch) {
    const auto view = page->app.view();
    const std::int64_t operation = view ? view->find(block, static_cast<std::int64_t>(micro_batch)) : -1;
    nlohmann::json list = nlohmann::json::object();
    if (operation >= 0)
        for (const auto& [name, value] : facts(*view, operation)) list[name] = value;
    return page->say(list.dump());
}

EMSCRIPTEN_KEEPALIVE void page_gallery(const char* lines) { page->ui.set_gallery(lines); }
EMSCRIPTEN_KEEPALIVE const char* page_tour(const char* json) { return page->say(page->app.add_tours(json)); }

EMSCRIPTEN_KEEPALIVE const char* page_actions() {
    nlohmann::json list = nlohmann::json::array();
    for (Action& action : page->app.take_actions())
        list.push_back({{"kind", action.kind},
                        {"name", action.name},
                        {"type", action.type},
                        {"text", action.text},
                        {"more", action.more},
                        {"push", action.push}});
    if (const std::string copied = repetend::web::take_copied(); !copied.empty())
        list.push_back({{"kind", "clipboard"}, {"text", copied}});
    return page->say(list.empty() ? std::string()
                                  : list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}
EMSCRIPTEN_KEEPALIVE void page_progress(int search, double seconds, const char* events, double work, double nodes,
                                        int worker) {
    page->app.worker_progress(search, seconds, events, work, nodes, worker);
}
EMSCRIPTEN_KEEPALIVE void page_search_result(int search, double seconds, const char* result, int last, int worker) {
    page->app.worker_result(search, seconds, result, last != 0, worker);
}
EMSCRIPTEN_KEEPALIVE void page_search_failed(int search, const char* why, int worker) {
    page->app.worker_failed(search, why, worker);
}
EMSCRIPTEN_KEEPALIVE void page_proof(int search, const char* what, const char* text) {
    page->app.worker_proof(search, what, text);
}
EMSCRIPTEN_KEEPALIVE void page_checked(int check, double seconds, const char* answer, const char* failed) {
    page->app.checker_answer(check, seconds, answer, failed);
}
EMSCRIPTEN_KEEPALIVE const char* page_proof_text(const char* what) {
    return page->say(page->app.claims().of(what).text);
}
}
