// Drawings of a schedule: text for terminals, SVG for pages and print.
#pragma once

#include <cstdint>
#include <string>

#include "repetend/model/schedule.hpp"

namespace repetend {

struct TextDrawingOptions {
    int columns = 100;     // width of the terminal
    bool colour = false;   // ANSI colours
    bool unicode = true;   // box characters; else ASCII
    bool measures = true;  // the measures with their definitions below; off for hosts that print them anyway
};
// Lanes, phases (warmup, repetend, cooldown), repetend bracket, a memory line per device, legend. Scales
// time so that any schedule fits; long ones are cut in the repeating middle with a mark that says so.
std::string draw_text(const Problem& problem, const Schedule& schedule, const TextDrawingOptions& options);

struct SvgOptions {
    std::string title;  // empty: the problem's name
    double width_px = 1200;
    bool memory = true;  // memory curve under each lane, with the capacity line
    bool legend = true;
};
// Standalone SVG (no scripts, no outside fonts), readable in greyscale print and for colour-blind people:
// kinds differ by colour (Okabe-Ito) and by pattern. Same value, same bytes.
std::string draw_svg(const Problem& problem, const Schedule& schedule, const SvgOptions& options);

}  // namespace repetend
