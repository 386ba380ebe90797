#include "desktop_explorer.hpp"

#include <imgui.h>

#include <nlohmann/json.hpp>

#include "desktop_files.hpp"
#include "desktop_host.hpp"
#include "desktop_picture.hpp"
#include "host.hpp"
#include "opengl.hpp"
#include "window_texts.hpp"

namespace repetend::web {
namespace {

DesktopExplorer* open_explorer = nullptr;  // GLFW's callback carries nothing else

}  // namespace

DesktopExplorer::DesktopExplorer(std::unique_ptr<Window> window)
    : window_(std::move(window)),
      app_(window_->app),
      search_([] { glfwPostEmptyEvent(); }),
      checks_([] { glfwPostEmptyEvent(); }) {
    // From what was made when this program was built: small pictures of the presets, and the tours.
    window_->ui.set_gallery(text_gallery_txt);
    for (const auto& tour : nlohmann::json::parse(text_tours_json)) app_.add_tours(tour.dump());
    window_->on_paste = [this] { paste(); };
    glfwSetWindowSizeLimits(window_->handle(), 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
    open_explorer = this;
    glfwSetDropCallback(window_->handle(), [](GLFWwindow*, int count, const char** paths) {
        for (int k = 0; k < count; ++k) open_explorer->open_file(paths[k]);
    });
}
DesktopExplorer::~DesktopExplorer() { open_explorer = nullptr; }

std::string DesktopExplorer::draw_picture(const std::function<void()>& draw) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_->handle(), &width, &height);
    return picture(width, height, draw);
}

void DesktopExplorer::run() {
    glfwSwapInterval(1);
    GLFWwindow* handle = window_->handle();
    while (glfwWindowShouldClose(handle) == 0) {
        deliver();
        bool more = false;
        if (take_frame_request()) {
            int width = 0, height = 0;
            glfwGetFramebufferSize(handle, &width, &height);
            if (width > 0 && height > 0) {  // not minimised
                if (!picture_name_.empty()) {
                    app_.notice.clear();
                    const std::string bytes = draw_picture([&] { window_->frame(glfwGetTime()); });
                    save(std::exchange(picture_name_, {}), bytes);
                }
                more = window_->frame(glfwGetTime());
                act();
                show_cursor();
                glfwSwapBuffers(handle);
            }
        }
        if (more) request_frame();
        wait(more);
    }
}

// Until something happens; at once when a frame is wanted.
void DesktopExplorer::wait(bool frame_is_wanted) {
    if (frame_is_wanted) return glfwPollEvents();
    const double at = app_.wake_at();
    if (at < 0) return glfwWaitEvents();
    const double seconds = at - glfwGetTime();
    if (seconds > 0) glfwWaitEventsTimeout(seconds + 0.001);
    if (glfwGetTime() >= at) window_->wake(2);
}

std::string DesktopExplorer::settled_picture(std::string& error) {
    std::string bytes;
    app_.reduced_motion = true;
    for (bool settled = false; !settled;) {
        deliver();
        bool more = true;
        bytes = draw_picture([&] {
            more = window_->frame(glfwGetTime());
            act();
        });
        if (bytes.empty()) {
            error = "the graphics system has no room for a picture of this size";
            return bytes;
        }
        const SearchPhase phase = app_.monitor().phase;
        const bool searched = phase == SearchPhase::done || phase == SearchPhase::failed;
        settled = !more && (searched || app_.document().recipe.schedule);
        if (!settled && !more) glfwWaitEventsTimeout(0.05);
    }
    if (app_.monitor().phase == SearchPhase::failed) error = app_.monitor().error;
    return bytes;
}

void DesktopExplorer::deliver() {
    for (const SearchMessage& message : search_.take()) {
        if (message.kind == SearchMessage::Kind::progress)
            app_.worker_progress(message.search, message.seconds, message.text, message.work, message.nodes);
        else if (message.kind == SearchMessage::Kind::result)
            app_.worker_result(message.search, message.seconds, message.text, message.last);
        else if (message.kind == SearchMessage::Kind::proof)
            app_.worker_proof(message.search, message.what, message.text);
        else
            app_.worker_failed(message.search, message.text);
        window_->wake(2);
    }
    for (const ProofChecks::Answer& answer : checks_.take()) {
        app_.checker_answer(answer.check, answer.seconds, answer.text, answer.failed);
        window_->wake(2);
    }
}

void DesktopExplorer::act() {
    for (std::vector<Action> actions = app_.take_actions(); !actions.empty(); actions = app_.take_actions())
        for (const Action& action : actions) act(action);
}

void DesktopExplorer::act(const Action& action) {
    const std::string& kind = action.kind;
    if (kind == "start") {
        search_.start(std::stoi(action.name), action.text, action.more);
    } else if (kind == "stop") {
        search_.stop();
    } else if (kind == "pause" || kind == "resume") {
        search_.pause(kind == "pause");
    } else if (kind == "prove") {
        search_.prove(std::stoi(action.name), action.text);
    } else if (kind == "check") {
        checks_.start(std::stoi(action.name), action.text, action.more);
    } else if (kind == "copy") {
        // Where the page is served from, nobody knows here; every page and `repetend view` take the part after #.
        glfwSetClipboardString(window_->handle(), ("#" + action.text).c_str());
        app_.notice = "Link copied: it goes behind the explorer's address, or to repetend view '#...'";
        window_->wake(2);
    } else if (kind == "save") {
        save(action.name, action.text);
    } else if (kind == "print") {
        save("print.svg", action.text);
    } else if (kind == "png") {
        picture_name_ = action.name;
        window_->wake(2);
    } else if (kind == "pick") {
        app_.notice = "Drop a file on this window, or copy its text and paste it here";
        window_->wake(2);
    } else if (kind == "link") {
        const Document& document = app_.document();
        const std::string name = !document.recipe.title.empty() ? document.recipe.title : document.problem.name;
        const std::string title = (name.empty() ? "schedule" : name) + " - Repetend";
        if (title != title_) glfwSetWindowTitle(window_->handle(), (title_ = title).c_str());
    }
}

void DesktopExplorer::save(const std::string& name, std::string_view bytes) {
    std::string error = bytes.empty() ? "there is no room for it" : "";
    const std::string written = bytes.empty() ? std::string() : write_new_file(name, bytes, error);
    if (written.empty())
        app_.message = name + ": " + error;
    else
        app_.notice = "Saved " + written;
    window_->wake(2);
}

void DesktopExplorer::open_file(const std::string& path) {
    std::string error;
    const auto text = read_text_file(path, error);
    if (text)
        app_.load_text(*text, name_of_file(path));
    else
        app_.message = name_of_file(path) + " " + error;
    window_->wake(3);
}

void DesktopExplorer::paste() {
    const char* text = glfwGetClipboardString(window_->handle());
    if (text != nullptr && text[0] != '\0') app_.load_text(text, "The pasted text");
    window_->wake(3);
}

void DesktopExplorer::show_cursor() {
    static GLFWcursor* const text = glfwCreateStandardCursor(GLFW_IBEAM_CURSOR);
    const int wanted = ImGui::GetMouseCursor();
    if (wanted == cursor_) return;
    cursor_ = wanted;
    glfwSetCursor(window_->handle(), wanted == ImGuiMouseCursor_TextInput ? text : nullptr);
}

}  // namespace repetend::web
