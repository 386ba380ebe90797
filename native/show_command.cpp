// `repetend show`: a schedule as a drawing. What is drawn is valid: a schedule that is not is refused with
// its first violation.
#include "commands.hpp"
#include "exit_status.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "report.hpp"

namespace repetend::native {

int run_show(const Invocation& invocation) {
    Loaded<std::string> path = needed_word(invocation, "show", "FILE");
    if (!path) return path.exit_status();
    Loaded<ScheduleInput> input = load_schedule(invocation);
    if (!input) return input.exit_status();
    if (!input->note.empty()) complain(input->label, "note: " + input->note);
    if (!can_be_followed(*input)) return exit_violation;
    if (const auto violation = verify_schedule(input->problem, input->schedule)) {
        complain(input->label, "not a valid schedule: " + violation->message);
        return exit_violation;
    }
    if (invocation.options.flag("svg")) {
        return write_output(invocation, draw_svg(input->problem, input->schedule, SvgOptions{}), exit_good);
    }
    const ReportStyle style = report_style(invocation);
    TextDrawingOptions options;
    options.columns = style.columns;
    options.colour = style.colour;
    options.unicode = style.unicode;
    const std::string text = describe_problem(input->problem, input->schedule.micro_batches, style) + '\n' +
                             draw_text(input->problem, input->schedule, options);
    return write_output(invocation, text, exit_good);
}

}  // namespace repetend::native
