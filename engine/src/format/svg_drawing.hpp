// The parts of one SVG drawing; draw_svg.cpp paints time, lanes and phases, svg_notes.cpp what stands around.
#pragma once

#include <string>
#include <vector>

#include "repetend/format/drawing.hpp"
#include "scene.hpp"
#include "svg_axis.hpp"

namespace repetend::format {

class SvgDrawing {
public:
    SvgDrawing(const Problem& problem, const Schedule& schedule, const SvgOptions& options);
    std::string run();

private:
    // Heights and places in px, top down.
    struct Layout {
        double width = 0;
        double left = 0;     // of the time axis
        double right = 0;    // end of the time axis
        double phases = 0;   // baseline of the phase names
        double bracket = 0;  // line of the bracket
        double ruler = 0;    // baseline of the ruler numbers
        double lanes = 0;    // top of the first lane
        double lane_height = 0;
        double memory_height = 0;  // 0: none
        double pitch = 0;          // from lane to lane
    };
    static Layout make_layout(const Problem& problem, const Scene& scene, const SvgOptions& options);

    double lane_top(int device) const { return layout_.lanes + layout_.pitch * device; }
    double lanes_bottom() const { return lane_top(problem_.num_devices() - 1) + layout_.pitch - lane_gap; }

    // Title and caption; returns by how much the caption is taller than one line.
    double add_header();
    void add_background();
    void add_ruler();
    void add_phases();
    void add_rails();
    void add_lags();
    void add_lane(int device);
    void add_block(std::string& shapes, std::string& texts, double top, double from, double to, const LaneItem& item);
    void add_band(double top, std::size_t piece, const std::vector<LaneItem>& lane);
    void add_memory(int device);
    void add_cut();
    double add_legend(double top);
    double add_measures(double top);

    std::string caption() const;
    std::string costs() const;
    std::string block_title(const LaneItem& item) const;
    // A text element; `extra` holds further attributes.
    void text(double x, double y, double size, const std::string& words, const std::string& extra = "");
    // Words in lines of at most `most` characters.
    static std::vector<std::string> wrap(const std::string& words, std::size_t most);

    static constexpr double lane_gap = 8;
    static constexpr double least_block_px = 1;  // below that, blocks merge into bands

    const Problem& problem_;
    const Schedule& schedule_;
    const SvgOptions options_;
    const Scene scene_;
    const Layout layout_;
    const SvgAxis axis_;
    bool detailed_ = false;  // few enough blocks for a title each
    std::string out_;
};

inline constexpr const char* text_colour = "#1F2328";
inline constexpr const char* muted_colour = "#59636E";
inline constexpr const char* line_colour = "#E1E4E8";
inline constexpr const char* accent_colour = "#0B6BCB";

}  // namespace repetend::format
