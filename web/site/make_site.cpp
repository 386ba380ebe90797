// Makes what the site shows before its modules run: index.html with the default schedule as a picture, small schedules
// of all presets, the tours. Runs while the site is built.
//   make_site TEMPLATE FOLDER [TOUR.json...]
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "app/app.hpp"
#include "gantt/lane_layout.hpp"
#include "repetend/format/json.hpp"
#include "repetend/presets.hpp"
#include "repetend/session/session.hpp"

using namespace repetend;
using namespace repetend::web;

namespace {

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) std::fprintf(stderr, "make_site: %s cannot be written\n", path.c_str());
    return static_cast<bool>(file);
}

SearchResult searched(const Problem& problem, std::int64_t budget) {
    SearchOptions options;
    options.work_budget = budget;
    Result<Session> session = Session::start(problem, options);
    while (session->step(1'000'000)) {
    }
    return session->result();
}

// The lanes as the explorer draws them when everything is shown: heights in pixels, times in percent of the width, so
// that the canvas takes over without a jump.
std::string picture(const ScheduleView& view) {
    const LaneLayout layout = make_lane_layout(view.problem.num_devices(), 1000, 2000, 68, true, 0);
    const double whole = static_cast<double>(view.end) * 1.015;
    std::ostringstream labels, chart;
    const auto percent = [&](double ticks) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f%%", ticks / whole * 100);
        return std::string(text);
    };
    const float height = layout.ruler + layout.content();
    for (int d = 0; d < view.problem.num_devices(); ++d) {
        const float top = layout.top_of(d);
        labels << "<text x=\"2\" y=\"" << top + layout.lane / 2 + 5 << "\">" << device_label(view.problem, d)
               << "</text>\n";
        chart << "<rect class=\"idle\" x=\"0\" y=\"" << top << "\" width=\"" << percent(static_cast<double>(view.end))
              << "\" height=\"" << layout.lane << "\"/>\n";
        for (const LaneItem& item : view.lanes[static_cast<std::size_t>(d)].items) {
            const bool forward = view.block_of(item.operation).kind == BlockKind::forward;
            const char* kind = forward ? "forward" : "backward";
            chart << "<rect class=\"" << kind << "\" x=\"" << percent(static_cast<double>(item.start)) << "\" y=\""
                  << top << "\" width=\"" << percent(static_cast<double>(item.end - item.start) - 0.1) << "\" height=\""
                  << layout.lane << "\" rx=\"2\"/>";
            if (!forward)
                chart << "<text class=\"on-backward\" text-anchor=\"middle\" x=\""
                      << percent(static_cast<double>(item.start + item.end) / 2) << "\" y=\""
                      << top + layout.lane / 2 + 5 << "\">" << label(view, item.operation) << "</text>";
            chart << '\n';
        }
    }
    if (const auto& mark = view.schedule.repetend) {
        const auto begin = static_cast<double>(mark->begin);
        const double length = static_cast<double>(mark->period * mark->repeats);
        chart << "<rect class=\"accent\" x=\"" << percent(begin) << "\" y=\"21\" width=\"" << percent(length)
              << "\" height=\"2\"/><text class=\"accent\" text-anchor=\"middle\" x=\"" << percent(begin + length / 2)
              << "\" y=\"12\">repetend, period " << time_text(view, mark->period) << "</text>\n";
    }
    std::ostringstream out;
    out << "<div class=\"lanes\" role=\"img\" aria-label=\"The schedule as lanes, one a device\"><svg class=\"labels\" "
           "height=\""
        << height << "\">\n"
        << labels.str() << "</svg><svg class=\"chart\" height=\"" << height << "\">\n"
        << chart.str() << "</svg></div>";
    return out.str();
}

// Enough to show what a preset is like: few micro-batches, room for a steady state.
Recipe small_recipe(const PresetInfo& info) {
    Recipe recipe;
    recipe.preset = info.name;
    recipe.options.set("micro-batches", "6");
    if (!info.from_file) recipe.options.set("memory", info.name == "v" || info.name == "v-split" ? "4" : "6");
    return recipe;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) return 2;
    const std::string folder = arguments[2];
    const Document first = make_document(default_recipe()).value();
    const SearchResult result = searched(first.problem, bounded_work);
    App app;
    app.open_link("", false);
    app.advance(1);  // starts the search of the default
    int search = 0;
    for (const Action& action : app.take_actions())
        if (action.kind == "start") search = std::stoi(action.name);
    app.worker_result(search, 0, write_result(first.problem, result, 0, ""), true);
    if (!app.view()) return 1;
    std::string page = replaced(read(arguments[1]), "@CAPTION@", app.caption());
    page = replaced(page, "@PICTURE@", picture(*app.view()));

    std::string gallery;
    for (const PresetInfo& info : presets()) {
        const Result<Document> document = make_document(small_recipe(info));
        if (!document) {
            std::fprintf(stderr, "make_site: %s: %s\n", info.name.c_str(),
                         to_string(document.faults().front()).c_str());
            return 1;
        }
        const SearchResult found = searched(document->problem, 500'000);
        if (!found.schedule) continue;
        Recipe carried;
        carried.problem = document->problem;
        carried.schedule = found.schedule;
        gallery += info.name + ' ' + write_link(carried) + '\n';
    }
    std::string tours = "[";
    for (int k = 3; k < count; ++k) tours += (k > 3 ? "," : "") + read(arguments[k]);
    return write(folder + "/index.html", page) && write(folder + "/gallery.txt", gallery) &&
                   write(folder + "/tours.json", tours + "]\n")
               ? 0
               : 1;
}
