// `repetend search`: find the repetend, prove it, complete it.
#include "commands.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "proofs.hpp"
#include "repetend/format/json.hpp"
#include "repetend/session/proofs.hpp"
#include "report.hpp"
#include "runner.hpp"

namespace repetend::native {
namespace {

// Before the search: can a proof be written where --proof says?
int prepare_proof(const Invocation& invocation) {
    const std::string path = invocation.options.text("proof");
    if (path == "-") {
        complain("--proof", "a file was expected: standard output holds the result");
        return exit_usage;
    }
    const std::string error = check_writable(path);
    if (!error.empty()) complain(path, error);
    return error.empty() ? exit_good : exit_failure;
}

// After the result was written with `status`.
int finish_proof(const Invocation& invocation, const ProblemInput& input, const RunOutcome& outcome, int status) {
    if (outcome.proof)
        return write_checked_proof(*outcome.proof, invocation.options.text("proof"), invocation, input.label, status);
    complain(input.label, "no proof was written: " + std::string(outcome.repetend && outcome.repetend->optimal
                                                                     ? no_written_period_proof
                                                                     : "no period was proved least"));
    return status;
}

}  // namespace

int run_search(const Invocation& invocation) {
    Loaded<ProblemInput> input = load_problem(invocation);
    if (!input) return input.exit_status();
    if (!output_is_writable(invocation)) return exit_failure;
    const bool with_proof = invocation.options.has("proof");
    if (const int status = with_proof ? prepare_proof(invocation) : exit_good; status != exit_good) return status;

    watch_interrupts();
    ProgressReporter progress(invocation, input->problem);
    SearchOptions options = search_options(invocation.options);
    options.log_proof = with_proof;
    const Result<RunOutcome> outcome = run_sessions(input->problem, invocation, options, progress);
    progress.finish();
    if (!outcome) return complain_about(*input, invocation, outcome.faults());

    const bool json = invocation.options.flag("json");
    const SearchResult& result = outcome->result;
    if (result.status == SearchStatus::infeasible && (json || !output_is_seen(invocation))) {
        complain(input->label, "infeasible: " + result.infeasible_reason);
    }
    const std::string text = json ? write_result(input->problem, result, outcome->seconds, REPETEND_VERSION)
                                  : search_report(input->problem, *outcome, report_style(invocation));
    const int status = write_output(invocation, text, exit_status_of(result));
    return with_proof ? finish_proof(invocation, *input, *outcome, status) : status;
}

}  // namespace repetend::native
