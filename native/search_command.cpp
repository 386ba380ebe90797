// `repetend search`: find the repetend, prove it, complete it.
#include "commands.hpp"
#include "exit_status.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "repetend/format/json.hpp"
#include "report.hpp"
#include "runner.hpp"

namespace repetend::native {

int run_search(const Invocation& invocation) {
    Loaded<ProblemInput> input = load_problem(invocation);
    if (!input) return input.exit_status();
    if (!output_is_writable(invocation)) return exit_failure;

    watch_interrupts();
    ProgressReporter progress(invocation, input->problem);
    const Result<RunOutcome> outcome = run_sessions(input->problem, invocation, progress);
    progress.finish();
    if (!outcome) return complain_about(*input, invocation, outcome.faults());

    const bool json = invocation.options.flag("json");
    const SearchResult& result = outcome->result;
    if (result.status == SearchStatus::infeasible && (json || !output_is_seen(invocation))) {
        complain(input->label, "infeasible: " + result.infeasible_reason);
    }
    const std::string text = json ? write_result(input->problem, result, outcome->seconds, REPETEND_VERSION)
                                  : search_report(input->problem, *outcome, report_style(invocation));
    return write_output(invocation, text, exit_status_of(result));
}

}  // namespace repetend::native
