// `repetend convert`: the same problem or schedule in another format.
#include <optional>

#include "commands.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/share.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend::native {
namespace {

Receives wanted_receives(const OptionValues& options) {
    return options.text("receives") == "early" ? Receives::early : Receives::late;
}

std::optional<Receives> wanted_communication(const OptionValues& options) {
    if (!options.flag("communication")) return std::nullopt;
    return wanted_receives(options);
}

int write_torch(const Invocation& invocation, const ScheduleInput& input) {
    const Result<std::string> text =
        write_torch_csv(input.problem, input.schedule, wanted_communication(invocation.options));
    if (!text) return complain(input.label, text.faults());
    if (!invocation.options.flag("quiet")) complain(input.label, "note: " + describe_torch_stages(input.problem));
    return write_output(invocation, *text, exit_good);
}

int write_url(const Invocation& invocation, const Problem& problem, const std::optional<Schedule>& schedule) {
    Recipe recipe;
    recipe.title = problem.name;
    recipe.problem = problem;
    recipe.schedule = schedule;
    return write_output(invocation, write_address(recipe) + "\n", exit_good);
}

int write_converted(const Invocation& invocation, const ScheduleInput& input, const std::string& to) {
    if (to == "problem") return write_output(invocation, write_problem(input.problem), exit_good);
    if (to == "schedule") return write_output(invocation, write_schedule(input.problem, input.schedule), exit_good);
    if (to == "csv") return write_output(invocation, write_csv(input.problem, input.schedule), exit_good);
    if (to == "svg") return write_output(invocation, draw_svg(input.problem, input.schedule, SvgOptions{}), exit_good);
    if (to == "url") return write_url(invocation, input.problem, input.schedule);
    if (to == "torch-csv") return write_torch(invocation, input);
    if (to == "instructions") {
        const auto write = [&](const TextPiece& take) {
            write_instructions(input.problem, input.schedule, wanted_receives(invocation.options), take);
        };
        return write_output_in_pieces(invocation, write, exit_good);
    }
    if (to == "trace") {
        const auto write = [&](const TextPiece& take) { write_trace(input.problem, input.schedule, take); };
        return write_output_in_pieces(invocation, write, exit_good);
    }
    const Result<std::string> plan = write_tessel(input.problem, input.schedule);
    if (!plan) return complain(input.label, plan.faults());
    return write_output(invocation, *plan, exit_good);
}

int convert_problem(const Invocation& invocation, const std::string& from, const std::string& text,
                    const std::string& to) {
    Loaded<ProblemInput> input = read_problem_text(invocation, from, text);
    if (!input) return input.exit_status();
    if (to == "url") return write_url(invocation, input->problem, std::nullopt);
    if (to != "problem") {
        complain(input->label,
                 "is a problem and holds no schedule: search it first (repetend search " + input->label + " --json)");
        return exit_bad_input;
    }
    if (!input->note.empty() && !invocation.options.flag("quiet")) complain(input->label, "note: " + input->note);
    return write_output(invocation, write_problem(input->problem), exit_good);
}

}  // namespace

int run_convert(const Invocation& invocation) {
    Loaded<std::string> path = needed_word(invocation, "convert", "FILE");
    if (!path) return path.exit_status();
    if (!invocation.options.has("to")) {
        complain("--to", "is missing: " + describe_range(*find_option("to")) + " expected");
        return exit_usage;
    }
    const std::string to = invocation.options.text("to");
    Loaded<std::string> text = load_text(*path);
    if (!text) return text.exit_status();
    const std::string from = invocation.options.has("from") ? invocation.options.text("from") : tell_format(*text);
    const bool only_problem = from == "url" && (to == "problem" || (to == "url" && !url_carries_schedule(*text)));
    if (is_problem_format(from) || only_problem) return convert_problem(invocation, from, *text, to);

    Loaded<ScheduleInput> input = read_schedule_text(invocation, from, *text);
    if (!input) return input.exit_status();
    if (!input->note.empty() && !invocation.options.flag("quiet")) complain(input->label, "note: " + input->note);
    if (to != "problem") {
        if (!can_be_followed(*input)) return exit_violation;
        if (const auto violation = verify_schedule(input->problem, input->schedule)) {
            complain(input->label, "not a valid schedule: " + violation->message);
            return exit_violation;
        }
    }
    if (!input->schedule.repetend && to != "problem") {
        // Plans and CSV say nothing of what repeats: look.
        constexpr int most_copies_looked_for = 4;
        input->schedule.repetend = find_any_repetend(input->problem, input->schedule, most_copies_looked_for);
    }
    return write_converted(invocation, *input, to);
}

}  // namespace repetend::native
