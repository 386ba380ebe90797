// The explorer on a desktop: the loop that draws and waits, and what the app asks its host for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/app.hpp"
#include "desktop_check.hpp"
#include "desktop_search.hpp"
#include "window.hpp"

namespace repetend::web {

class DesktopExplorer {
public:
    explicit DesktopExplorer(std::unique_ptr<Window> window);
    ~DesktopExplorer();
    // Until the person closes the window.
    void run();
    void open_file(const std::string& path);
    // Waits until the search has settled; the window's content as a PNG, or empty with `error` set.
    std::string settled_picture(std::string& error);

private:
    void deliver();
    void act();
    void act(const Action& action);
    void save(const std::string& name, std::string_view bytes);
    void paste();
    void show_cursor();
    void wait(bool frame_is_wanted);
    std::string draw_picture(const std::function<void()>& draw);

    std::unique_ptr<Window> window_;
    App& app_;
    SearchThread search_;
    ProofChecks checks_;
    std::string picture_name_;  // a picture is to be saved under it
    std::string title_;
    int cursor_ = 0;
};

}  // namespace repetend::web
