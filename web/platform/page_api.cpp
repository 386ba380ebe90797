// The explorer as a WebAssembly module; see page_api.hpp.
#include "page_api.hpp"

#include <GLES3/gl3.h>
#include <backends/imgui_impl_opengl3.h>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <nlohmann/json.hpp>
#include <string>

#include "panels/ui.hpp"
#include "platform/keys.hpp"

using repetend::web::Action;
using repetend::web::App;
using repetend::web::Ui;

namespace {

struct Page {
    App app;
    Ui ui{app};
    std::string answer;
    double width = 0, height = 0, dpr = 1, last_ms = 0, cost_ms = 0;
    bool system_dark = false, system_contrast = false;
    std::string clipboard;

    const char* say(std::string text) {
        answer = std::move(text);
        return answer.c_str();
    }
    bool dark() const {
        using repetend::web::ThemeChoice;
        return app.theme == ThemeChoice::dark ||
               ((app.theme == ThemeChoice::system || app.theme == ThemeChoice::contrast) && system_dark);
    }
    bool contrast() const {
        using repetend::web::ThemeChoice;
        return app.theme == ThemeChoice::contrast || (app.theme == ThemeChoice::system && system_contrast);
    }
};

Page* page = nullptr;

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int page_start(double width, double height, double dpr, int touch) {
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.antialias = false;
    attributes.alpha = false;
    attributes.depth = false;
    attributes.preserveDrawingBuffer = true;  // for pictures of the page
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &attributes);
    if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS) return 1;
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;
    io.ConfigDragClickToInputText = true;
    page = new Page;
    io.ClipboardUserData = page;
    io.SetClipboardTextFn = [](void* user, const char* text) { static_cast<Page*>(user)->clipboard = text; };
    io.GetClipboardTextFn = [](void* user) { return static_cast<Page*>(user)->clipboard.c_str(); };
    page->ui.look.touch = touch != 0;
    ImGui_ImplOpenGL3_Init("#version 300 es");
    page_resize(width, height, dpr);
    return 0;
}

EMSCRIPTEN_KEEPALIVE void page_resize(double width, double height, double dpr) {
    page->width = width;
    page->height = height;
    page->dpr = dpr;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    io.DisplayFramebufferScale = {static_cast<float>(dpr), static_cast<float>(dpr)};
    if (load_fonts(page->ui.look, static_cast<float>(dpr))) {
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        io.Fonts->Build();
        ImGui_ImplOpenGL3_CreateFontsTexture();
    }
}

EMSCRIPTEN_KEEPALIVE int page_frame(double now_ms) {
    const double begin = emscripten_get_now();
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = static_cast<float>(std::clamp((now_ms - page->last_ms) / 1000, 0.0005, 0.1));
    page->last_ms = now_ms;
    const bool moving = page->app.advance(now_ms / 1000);
    apply_style(page->ui.look, page->dark(), page->contrast());
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    page->ui.frame();
    ImGui::Render();
    page->cost_ms = emscripten_get_now() - begin;
    glViewport(0, 0, static_cast<int>(page->width * page->dpr + 0.5), static_cast<int>(page->height * page->dpr + 0.5));
    const ImVec4 clear = repetend::web::Look::vector(page->ui.look.colours.page);
    glClearColor(clear.x, clear.y, clear.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return moving ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE double page_wake_at() {
    const double at = page->app.wake_at();
    return at < 0 ? -1 : at * 1000;
}
EMSCRIPTEN_KEEPALIVE int page_draws_by_shader() { return page->ui.draws_by_shader() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE void page_refuse_shaders() { page->ui.refuse_shaders(); }
EMSCRIPTEN_KEEPALIVE double page_frame_cost() { return page->cost_ms; }

EMSCRIPTEN_KEEPALIVE void page_prefer(int dark, int contrast, int reduced_motion, int theme) {
    page->system_dark = dark != 0;
    page->system_contrast = contrast != 0;
    page->app.reduced_motion = reduced_motion != 0;
    if (theme >= 0 && theme <= 3) page->app.theme = static_cast<repetend::web::ThemeChoice>(theme);
}

EMSCRIPTEN_KEEPALIVE void page_pointer(double x, double y, int inside) {
    ImGui::GetIO().AddMousePosEvent(inside ? static_cast<float>(x) : -FLT_MAX,
                                    inside ? static_cast<float>(y) : -FLT_MAX);
}
EMSCRIPTEN_KEEPALIVE void page_button(int button, int down) {
    if (button >= 0 && button < 3) ImGui::GetIO().AddMouseButtonEvent(button, down != 0);
}
EMSCRIPTEN_KEEPALIVE void page_wheel(double dx, double dy) {
    ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(dx), static_cast<float>(dy));
}
EMSCRIPTEN_KEEPALIVE void page_pinch(double factor, double x, double y, double dx, double dy) {
    page->ui.pinch(static_cast<float>(factor), static_cast<float>(x), static_cast<float>(y), static_cast<float>(dx),
                   static_cast<float>(dy));
}
EMSCRIPTEN_KEEPALIVE void page_long_press(double x, double y) {
    page->ui.long_press(static_cast<float>(x), static_cast<float>(y));
}

EMSCRIPTEN_KEEPALIVE int page_key(const char* name, const char* combination, int down, int ctrl, int shift, int alt) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Ctrl, ctrl != 0);
    io.AddKeyEvent(ImGuiMod_Shift, shift != 0);
    io.AddKeyEvent(ImGuiMod_Alt, alt != 0);
    const ImGuiKey key = repetend::web::imgui_key(name);
    if (key != ImGuiKey_None) io.AddKeyEvent(key, down != 0);
    if (down == 0) return 0;
    const std::string_view pressed = combination;
    const bool typing = io.WantTextInput;
    const bool in_palette = page->app.overlay == repetend::web::Overlay::palette;
    if (typing || in_palette) {
        if (pressed == "Escape" && (in_palette || page->app.overlay != repetend::web::Overlay::none) &&
            !(typing && !in_palette))
            return page->app.run_command("clear");
        if (pressed == "Ctrl+k") return page->app.run_command("palette");
        return pressed.size() == 1 || pressed == "Space" || pressed == "Tab" || pressed == "Backspace" ||
               pressed == "ArrowUp" || pressed == "ArrowDown";
    }
    return page->app.handle_key(pressed) ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void page_text(const char* text) { ImGui::GetIO().AddInputCharactersUTF8(text); }
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
    nlohmann::ordered_json list = nlohmann::ordered_json::object();
    if (operation >= 0)
        for (const auto& [name, value] : facts(*view, operation)) list[name] = value;
    return page->say(list.dump());
}

EMSCRIPTEN_KEEPALIVE void page_gallery(const char* lines) { page->ui.set_gallery(lines); }
EMSCRIPTEN_KEEPALIVE const char* page_tour(const char* json) { return page->say(page->app.add_tours(json)); }

EMSCRIPTEN_KEEPALIVE const char* page_actions() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (Action& action : page->app.take_actions())
        list.push_back({{"kind", action.kind},
                        {"name", action.name},
                        {"type", action.type},
                        {"text", action.text},
                        {"more", action.more},
                        {"push", action.push}});
    if (!page->clipboard.empty()) {
        list.push_back({{"kind", "clipboard"}, {"text", page->clipboard}});
        page->clipboard.clear();
    }
    return page->say(list.empty() ? std::string()
                                  : list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}
EMSCRIPTEN_KEEPALIVE void page_progress(int search, double seconds, const char* events, double work, double nodes) {
    page->app.worker_progress(search, seconds, events, work, nodes);
}
EMSCRIPTEN_KEEPALIVE void page_search_result(int search, double seconds, const char* result, int last) {
    page->app.worker_result(search, seconds, result, last != 0);
}
EMSCRIPTEN_KEEPALIVE void page_search_failed(int search, const char* why) { page->app.worker_failed(search, why); }
}
