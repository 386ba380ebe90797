// `repetend check`: is this schedule valid, and what are its measures? The verifier shares no code with
// anything that makes schedules. Proofs go to proofs.cpp.
#include "commands.hpp"
#include "communication_report.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "input.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "proofs.hpp"
#include "repetend/format/proof_check.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "report.hpp"
#include "result_claims.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

std::string_view kind_name(ViolationKind kind) {
    switch (kind) {
        case ViolationKind::count:
            return "count";
        case ViolationKind::start:
            return "start";
        case ViolationKind::overlap:
            return "overlap";
        case ViolationKind::dependency:
            return "dependency";
        case ViolationKind::memory:
            return "memory";
        case ViolationKind::repetend:
            return "repetend";
    }
    return "";
}

std::string amounts_json(const std::vector<Memory>& amounts) {
    std::string text = "[";
    for (const Memory amount : amounts) text += (text.size() > 1 ? ", " : "") + std::to_string(amount);
    return text + ']';
}

std::string violation_json(const Violation& violation) {
    return "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": false, \"violation\": {\"kind\": \"" +
           std::string(kind_name(violation.kind)) + "\", \"time\": " + std::to_string(violation.time) +
           ", \"message\": " + json_text(violation.message) + "}}\n";
}

// A schedule that is valid by itself, in a document that says something untrue about it.
std::string claim_json(const std::string& message) {
    return "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": false, \"violation\": {\"kind\": \"claim\", "
           "\"message\": " +
           json_text(message) + "}}\n";
}

// Lists of orders that devices cannot follow.
std::string order_json(const std::string& message) {
    return "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": false, \"violation\": {\"kind\": \"order\", "
           "\"message\": " +
           json_text(message) + "}}\n";
}

std::string valid_json(const ScheduleInput& input, const Measures& measures) {
    const auto& mark = input.schedule.repetend;
    return "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": true, \"micro_batches\": " +
           std::to_string(input.schedule.micro_batches) + ", \"makespan\": " + std::to_string(measures.makespan) +
           ", \"period\": " + (mark ? std::to_string(mark->period) : "null") +
           ", \"copies\": " + (mark ? std::to_string(mark->copies) : "null") +
           ", \"peak_memory\": " + amounts_json(measures.peak_memory) + communication_json(input) + "}\n";
}

std::string valid_text(const ScheduleInput& input, const Measures& measures, const ReportStyle& style) {
    const Problem& problem = input.problem;
    const Schedule& schedule = input.schedule;
    std::string text =
        "valid: every block of every micro-batch runs once, devices never overlap, dependencies hold, "
        "memory never exceeds a capacity";
    text = wrapped(text, style.columns, 0) + "\n\n" + describe_problem(problem, schedule.micro_batches, style) + '\n';
    if (schedule.repetend) {
        const RepetendMark& mark = *schedule.repetend;
        text += labelled("Period",
                         time_text(problem, mark.period) + " for " +
                             plural(mark.copies, "micro-batch", "micro-batches") + ", " +
                             plural(mark.repeats, "time", "times") + " from " + time_text(problem, mark.begin) + " on",
                         style.columns);
    } else {
        text += labelled("Period", "nothing repeats", style.columns);
    }
    text += labelled("Makespan", time_text(problem, measures.makespan), style.columns);
    text += describe_measures(problem, measures, schedule.repetend.has_value(), style);
    return text + describe_communication(input, style);
}

// Layouts and cost tables hold no schedule; what can be wrong with them the reader has told.
int check_problem(const Invocation& invocation, const std::string& format, const std::string& document) {
    Loaded<ProblemInput> input = read_problem_text(invocation, format, document);
    if (!input) return input.exit_status();
    const ReportStyle style = report_style(invocation);
    const std::string text =
        invocation.options.flag("json")
            ? "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": true, \"problem\": " +
                  json_text(input->problem.name) + ", \"note\": " + json_text(input->note) + "}\n"
            : wrapped("valid (a problem, no schedule): " + input->note, style.columns, 0) + "\n\n" +
                  describe_problem(input->problem, input->problem.micro_batches.value_or(1), style);
    return write_output(invocation, text, exit_good);
}

}  // namespace

int run_check(const Invocation& invocation) {
    Loaded<std::string> path = needed_word(invocation, "check", "FILE");
    if (!path) return path.exit_status();
    Loaded<std::string> document = load_text(*path);
    if (!document) return document.exit_status();
    if (!invocation.options.has("from")) {
        if (is_proof_format(document_format(*document)))
            return run_check_proof(invocation, *document, input_label(*path));
    }
    const std::string format =
        invocation.options.has("from") ? invocation.options.text("from") : tell_format(*document);
    if (is_problem_format(format) && format != "problem") return check_problem(invocation, format, *document);
    Loaded<ScheduleInput> input = load_schedule(invocation, std::move(*document));
    if (!input) return input.exit_status();
    if (!input->note.empty()) complain(input->label, "note: " + input->note);
    const bool json = invocation.options.flag("json");
    if (!input->obstacle.empty()) {
        const std::string text = json ? order_json(input->obstacle) : "violation: " + printable(input->obstacle) + '\n';
        return write_output(invocation, text, exit_violation);
    }
    if (const auto violation = verify_schedule(input->problem, input->schedule)) {
        const std::string text =
            json ? violation_json(*violation) : "violation: " + printable(violation->message) + '\n';
        return write_output(invocation, text, exit_violation);
    }
    const Measures measures = measure(input->problem, input->schedule);
    if (const auto wrong = false_claim(input->text, input->schedule.repetend, measures)) {
        const std::string text = json ? claim_json(*wrong) : "violation: " + printable(*wrong) + '\n';
        return write_output(invocation, text, exit_violation);
    }
    if (!input->schedule.repetend) {
        // Plans and CSV say nothing of what repeats: look.
        constexpr int most_copies_looked_for = 4;
        input->schedule.repetend = find_any_repetend(input->problem, input->schedule, most_copies_looked_for);
    }
    const std::string text =
        json ? valid_json(*input, measures) : valid_text(*input, measures, report_style(invocation));
    return write_output(invocation, text, exit_good);
}

}  // namespace repetend::native
