#include "commands.hpp"

#include <algorithm>
#include <cctype>

namespace repetend::web {

const std::vector<CommandRow>& command_table() {
    static const std::vector<CommandRow> table = {
        {"search", "Search, or stop the search", "Search", "Enter"},
        {"pause", "Pause or resume the search", "Search", "p"},
        {"workers", "Workers of a search: 1, 2, 4 or 8", "Search", "Shift+W"},
        {"prove", "Check the proof: a separate checker reads it", "Search", "Shift+C"},
        {"undo", "Undo", "Edit", "Ctrl+z"},
        {"redo", "Redo", "Edit", "Ctrl+Shift+z Ctrl+y"},
        {"gallery", "Presets", "Edit", "g"},
        {"edit", "Type numbers: into the first field (Tab goes on, Escape leaves)", "Edit", "x"},
        {"own", "Make this problem my own (edit every block)", "Edit", "e"},
        {"open", "Open a file", "Edit", "o Ctrl+o"},
        {"reset", "Back to the first picture", "Edit", ""},
        {"play", "Play or pause", "Playback", "Space"},
        {"step-forward", "Forward to the next event", "Playback", "."},
        {"step-back", "Back to the event before", "Playback", ","},
        {"slower", "Slower", "Playback", "["},
        {"faster", "Faster", "Playback", "]"},
        {"loop", "Loop over the repetend alone", "Playback", "l"},
        {"fit", "Show everything", "View", "0 Home"},
        {"fit-selection", "Zoom to the selection, or to one repetend", "View", "f"},
        {"zoom-in", "Zoom in", "View", "w +"},
        {"zoom-out", "Zoom out", "View", "s -"},
        {"left", "Earlier", "View", "a ArrowLeft"},
        {"right", "Later", "View", "d ArrowRight"},
        {"up", "Lanes above", "View", "ArrowUp"},
        {"down", "Lanes below", "View", "ArrowDown"},
        {"colour", "Next colours: kind, micro-batch, stage", "View", "c"},
        {"memory", "Memory under the lanes", "View", "m"},
        {"idle", "Hatch idle time", "View", "i"},
        {"critical", "Critical path", "View", "k"},
        {"select-next", "Select the next block in the lane", "View", "n"},
        {"select-previous", "Select the block before in the lane", "View", "b"},
        {"clear", "Clear the selection, close what is open", "View", "Escape"},
        {"theme", "Next theme: system, light, dark, high contrast", "View", "t"},
        {"compare", "Compare with a published schedule", "Compare", "v"},
        {"pin", "Compare with the picture as it is now", "Compare", "Shift+V"},
        {"share", "Copy link", "Share", "Ctrl+Shift+c"},
        {"export-png", "Save the picture as PNG", "Share", ""},
        {"export-svg", "Save the picture as SVG", "Share", ""},
        {"export-problem", "Save the problem as JSON", "Share", ""},
        {"export-schedule", "Save the schedule as JSON", "Share", ""},
        {"export-result", "Save the result as JSON", "Share", ""},
        {"export-proof", "Save the proof of the period", "Share", "Shift+P"},
        {"export-makespan-proof", "Save the proof of the makespan", "Share", ""},
        {"export-csv", "Save the schedule as CSV", "Share", ""},
        {"export-tessel", "Save a Tessel plan", "Share", ""},
        {"export-trace", "Save a trace for Perfetto", "Share", ""},
        {"print", "Print", "Share", "Ctrl+p"},
        {"palette", "All commands", "Help", "Ctrl+k /"},
        {"help", "Keys and hints", "Help", "?"},
    };
    return table;
}

const CommandRow* find_command(std::string_view id) {
    for (const CommandRow& row : command_table())
        if (row.id == id) return &row;
    return nullptr;
}

const CommandRow* command_of_key(std::string_view key) {
    if (key.empty()) return nullptr;
    for (const CommandRow& row : command_table()) {
        std::string_view rest = row.keys;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            if (rest.substr(0, end) == key) return &row;
            rest = rest.substr(std::min(end + 1, rest.size()));
        }
    }
    return nullptr;
}

std::vector<const CommandRow*> matching_commands(std::string_view query) {
    const auto lower = [](std::string_view text) {
        std::string out(text);
        for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return out;
    };
    const std::string wanted = lower(query);
    std::vector<std::pair<std::size_t, const CommandRow*>> found;
    for (const CommandRow& row : command_table()) {
        const std::string text = lower(row.title) + ' ' + lower(row.id);
        std::size_t first = text.size(), at = 0;
        bool all = true;
        while (all && at < wanted.size()) {
            const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
            const std::size_t place = text.find(wanted.substr(at, end - at));
            all = place != std::string::npos;
            first = std::min(first, place);
            at = end + 1;
        }
        if (all) found.emplace_back(first == text.size() ? 0 : first, &row);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const CommandRow*> rows;
    for (const auto& [rank, row] : found) rows.push_back(row);
    return rows;
}

}  // namespace repetend::web
