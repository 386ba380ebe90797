// `repetend profile`: a problem from a model and a cluster, or every term that goes into it.
#include "commands.hpp"
#include "exit_status.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "profile_build.hpp"
#include "profile_report.hpp"
#include "repetend/format/json.hpp"
#include "repetend/presets_profiles.hpp"
#include "report.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

std::string list_text(int columns) {
    std::string text = "models\n";
    for (const std::string& name : model_names()) {
        const Result<cost::Model> model = model_preset(name);
        if (!model) continue;  // a test keeps every file readable
        text += "  " + padded(name, 20) +
                wrapped(model->name + ", " + std::to_string(cost::count_layers(*model)) + " layers", columns, 22) +
                '\n';
    }
    text += "clusters\n";
    for (const std::string& name : cluster_names()) {
        const Result<cost::Cluster> cluster = cluster_preset(name);
        if (cluster) text += "  " + padded(name, 20) + wrapped(cluster->name, columns, 22) + '\n';
    }
    return text;
}

}  // namespace

int run_profile(const Invocation& invocation) {
    const OptionValues& options = invocation.options;
    if (!wants_profile(options) && !options.flag("table")) {
        return write_output(invocation, list_text(report_style(invocation).columns), exit_good);
    }
    if (!output_is_writable(invocation)) return exit_failure;
    const Result<BuiltProfile> built = build_profile_of(options);
    if (!built) return complain("", built.faults());
    const cost::Profile& profile = built->profile;
    if (!options.flag("quiet")) {
        if (!built->note.empty()) complain("", built->note);
        // A problem that cannot fit is still a problem; whoever asked for it should know.
        if (const auto misfit = find_misfit(profile.problem)) {
            complain("", "does not fit: " + describe(*misfit, profile.problem));
        }
    }
    const std::string text = options.flag("table") ? profile_table(profile, report_style(invocation).columns)
                                                   : write_problem(profile.problem);
    return write_output(invocation, text, exit_good);
}

}  // namespace repetend::native
