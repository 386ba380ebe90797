// The page: where panels stand, and the frame that draws them. Panels read the app and call its actions; what they keep
// themselves is only what is half typed or half dragged.
#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/app.hpp"
#include "gantt/lane_layout.hpp"
#include "theme/look.hpp"

namespace repetend::web {

class BlockLayer;

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    bool has(ImVec2 point) const { return point.x >= x && point.y >= y && point.x < x + width && point.y < y + height; }
};

struct GalleryEntry {
    std::string name, summary, teaches;
    std::shared_ptr<const ScheduleView> view;
};

class Ui {
public:
    explicit Ui(App& app);
    ~Ui();
    void frame();
    // From the text that was made when the site was built: a line for each preset, its name and a link.
    void set_gallery(std::string_view lines);
    // Where widgets stood in the last frame, for scripts and tests.
    std::string items_json() const;
    // What a host needs to know after a frame.
    bool wants_text() const;
    bool cares_for_mouse(float x, float y) const;

    Look look;
    // Two fingers: the host tells distance and centre.
    void pinch(float factor, float x, float y, float dx, float dy);
    void long_press(float x, float y);
    // Draws blocks without shaders, as where they do not compile.
    void refuse_shaders() { shaders_refused_ = true; }
    bool draws_by_shader() const;

private:
    enum class Form { wide, medium, phone };

    // layout (ui.cpp)
    void bar(Rect rect);
    void status_line(Rect rect);
    void toast(Rect area);
    void tour_card(Rect area);
    bool begin(const char* name, Rect rect, Rgb background, ImVec2 padding, ImGuiWindowFlags flags = 0);
    // the schedule (schedule_panel.cpp)
    void schedule_panel(Rect rect);
    void chart(const ScheduleView& view, Rect rect, bool main);
    void chart_input(const ScheduleView& view, const LaneLayout& layout, Rect rect);
    void hover_card(const ScheduleView& view, const Hit& hit);
    void minimap(Rect rect);
    void playback_bar(Rect rect);
    void legend();
    // the sides (problem_panel.cpp, result_panel.cpp, block_table.cpp)
    void problem_panel();
    void block_table();
    void result_panel();
    void proofs();
    void comparison(const ScheduleView& view, const ScheduleView& other);
    void search_chart(float width, float height);
    void own_numbers();
    bool amount_field(const std::string& id, const char* label, const std::string& value, const char* hint,
                      std::string& typed);
    // over everything (overlays.cpp)
    void overlays(Rect area);
    void gallery(Rect area);
    void palette_overlay(Rect area);
    void help(Rect area);
    void share_menu(Rect area);
    void compare_menu(Rect area);
    void tours_menu();
    bool begin_overlay(const char* title, Rect area, float width, float height);

    // widgets (widgets.cpp)
    void mark(const char* id);
    bool button(const char* id, const char* label, bool primary = false, bool enabled = true);
    bool icon(const char* id, const char* label, const char* hint, bool active = false);
    void number_field(const char* option, const char* label, const char* hint);
    bool text_field(const char* id, std::string& text, float width, const char* hint = "");
    void fault_line(const std::string& field);
    void measure(const char* name, const std::string& value, const std::string& beside, const char* definition,
                 bool good);
    void heading(const char* words);
    void wrapped(const std::string& words, ImU32 colour);
    void command_hint(const char* command);

    App& app_;
    std::unique_ptr<BlockLayer> layers_[2];  // this and the other, when two are compared
    Form form_ = Form::wide;
    int tab_ = 0;
    std::map<std::string, Rect> items_;
    std::map<std::string, std::string> typed_;  // fields that are being edited
    std::vector<GalleryEntry> gallery_;
    std::string gallery_filter_, palette_query_, search_query_;
    int palette_row_ = 0;
    bool overlay_fresh_ = false;
    Overlay overlay_before_ = Overlay::none;
    bool dragging_ = false, scrubbing_ = false, dragging_map_ = false, area_ = false;
    ImVec2 drag_from_;
    double area_tick_ = 0;
    int area_lane_ = 0;
    const void* chain_view_ = nullptr;
    std::int64_t chain_of_ = -1;
    std::vector<std::int64_t> chain_, critical_;
    const void* critical_view_ = nullptr;
    bool shaders_refused_ = false;
    std::int64_t undos_seen_ = 0;
    double card_until_ = 0;
    ImVec2 card_at_;
};

}  // namespace repetend::web
