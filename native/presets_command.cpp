// `repetend presets`: what there is, or one of them as a problem.
#include <algorithm>

#include "commands.hpp"
#include "exit_status.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/format/json.hpp"
#include "repetend/presets.hpp"
#include "report.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

std::string list_text(const ReportStyle& style) {
    int name_width = 0;
    for (const PresetInfo& preset : presets()) name_width = std::max(name_width, width_of(preset.name));
    const int indent = name_width + 2;
    std::string text;
    for (const PresetInfo& preset : presets()) {
        text += padded(preset.name, indent) + wrapped(preset.summary, style.columns, indent) + '\n';
        if (!preset.teaches.empty()) {
            text += padded("", indent) + wrapped(preset.teaches, style.columns, indent) + '\n';
        }
    }
    return text;
}

std::string list_json() {
    std::string text = "[";
    for (const PresetInfo& preset : presets()) {
        text += text.size() > 1 ? ",\n " : "\n ";
        text += "{\"name\": " + json_text(preset.name) + ", \"summary\": " + json_text(preset.summary) +
                ", \"teaches\": " + json_text(preset.teaches) +
                ", \"from_file\": " + (preset.from_file ? "true" : "false") + "}";
    }
    return text + "\n]\n";
}

}  // namespace

int run_presets(const Invocation& invocation) {
    if (invocation.words.empty()) {
        // Options that shape a problem need one to shape.
        for (const auto& [name, text] : invocation.options.given()) {
            const OptionGroup group = find_option(name)->group;
            if (group != OptionGroup::preset) continue;
            complain("--" + name, "goes with the NAME of a preset: repetend presets NAME --" + name + " ...");
            return exit_usage;
        }
        const std::string text = invocation.options.flag("json") ? list_json() : list_text(report_style(invocation));
        return write_output(invocation, text, exit_good);
    }
    const Result<Problem> problem = build_preset(invocation.words.front(), placement_options(invocation.options));
    if (!problem) return complain("presets", problem.faults());
    return write_output(invocation, write_problem(*problem), exit_good);
}

}  // namespace repetend::native
