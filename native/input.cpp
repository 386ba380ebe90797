#include "input.hpp"

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "exit_status.hpp"
#include "files.hpp"
#include "gzip.hpp"
#include "messages.hpp"
#include "profile_build.hpp"
#include "repetend/presets.hpp"

namespace repetend::native {
namespace {

constexpr std::size_t most_unzipped_bytes = std::size_t{1} << 28;  // a small file must not become a large one

Loaded<ProblemInput> problem_of_preset(const Invocation& invocation, const std::string& name) {
    PlacementOptions options = placement_options(invocation.options);
    Result<Problem> problem = build_preset(name, options);
    if (!problem) return complain("--preset", problem.faults());
    ProblemInput input;
    input.problem = std::move(*problem);
    input.label = name;
    // Asked of the preset itself, which alone knows whether its backward is split.
    options.memory = {Memory{1}};
    if (const Result<Problem> measured = build_preset(name, options)) {
        input.memory_unit = measured->devices.front().memory_capacity.value_or(1);
    }
    return input;
}

Loaded<ProblemInput> problem_of_profile(const Invocation& invocation) {
    Result<BuiltProfile> built = build_profile_of(invocation.options);
    if (!built) return complain("", built.faults());
    if (!built->note.empty() && !invocation.options.flag("quiet")) complain("", built->note);
    ProblemInput input;
    input.problem = std::move(built->profile.problem);
    input.label = input.problem.name;
    return input;
}

}  // namespace

Loaded<std::string> needed_word(const Invocation& invocation, std::string_view command, std::string_view what) {
    if (!invocation.words.empty()) return invocation.words.front();
    complain(command, std::string(what) + " is missing; usage: repetend " + std::string(command) + ' ' +
                          std::string(find_command(command)->arguments));
    return exit_usage;
}

Loaded<std::string> load_text(const std::string& path) {
    ReadText answer = read_file(path);
    if (!answer.text) {
        complain(input_label(path), answer.error);
        return answer.too_large ? exit_bad_input : exit_failure;
    }
    if (!is_gzip(*answer.text)) return std::move(*answer.text);
    Unzipped unzipped = gunzip(*answer.text, most_unzipped_bytes);
    if (unzipped.text) return std::move(*unzipped.text);
    complain(input_label(path), unzipped.error);
    return exit_bad_input;
}

int complain_about(const ProblemInput& input, const Invocation& invocation, Faults faults) {
    for (Fault& fault : faults) {
        if (fault.path == "micro_batches" && invocation.options.has("micro-batches")) fault.path = "--micro-batches";
    }
    return complain(input.label, faults);
}

Loaded<ProblemInput> load_problem(const Invocation& invocation) {
    const bool preset = invocation.options.has("preset");
    if (wants_profile(invocation.options)) {
        if (preset || !invocation.words.empty()) {
            complain("--model", "goes with neither a FILE nor --preset");
            return exit_usage;
        }
        return problem_of_profile(invocation);
    }
    if (preset && !invocation.words.empty()) {
        complain(invocation.words.front(), "give a FILE or --preset, not both");
        return exit_usage;
    }
    if (preset) return problem_of_preset(invocation, invocation.options.text("preset"));
    if (invocation.words.empty()) {
        complain("", "a FILE or --preset NAME is missing (`repetend presets` lists the presets)");
        return exit_usage;
    }
    if (const Faults faults = options_of_presets_alone(invocation); !faults.empty()) return complain("", faults);
    Loaded<std::string> text = load_text(invocation.words.front());
    if (!text) return text.exit_status();
    Loaded<ProblemInput> input = read_problem_text(invocation, tell_format(*text), *text);
    if (input && !input->note.empty() && !invocation.options.flag("quiet"))
        complain(input->label, "note: " + input->note);
    return input;
}

Loaded<ScheduleInput> load_schedule(const Invocation& invocation) {
    Loaded<std::string> text = load_text(invocation.words.front());
    if (!text) return text.exit_status();
    return load_schedule(invocation, std::move(*text));
}

Loaded<ScheduleInput> load_schedule(const Invocation& invocation, std::string text) {
    const std::string format = invocation.options.has("from") ? invocation.options.text("from") : tell_format(text);
    if (format == "problem") {
        // Read as a schedule it says of itself what it is.
        const Result<ProblemSchedule> refused = read_schedule(text);
        if (!refused) return complain(input_label(invocation.words.front()), refused.faults());
    }
    Loaded<ScheduleInput> input = read_schedule_text(invocation, format, text);
    // Another problem than the document's own makes another schedule of it; its claims are then no longer about that.
    if (input && format == "schedule" && !invocation.options.has("problem")) input->text = std::move(text);
    return input;
}

}  // namespace repetend::native
