// `repetend prove`: the least period with a proof that a separate checker accepts. The search is that of `search
// --objective period`; a single micro-batch stands for N, which plays no part here. With --objective makespan it is the
// makespan of N micro-batches, where the bound has an argument that can be written down.
#include "commands.hpp"
#include "exit_status.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "proofs.hpp"
#include "repetend/session/proofs.hpp"
#include "runner.hpp"

namespace repetend::native {
namespace {

// `why` there is nothing to write.
int complain_without_proof(const ProblemInput& input, const SearchResult& result, const std::string& why) {
    complain(input.label, why);
    if (result.status == SearchStatus::infeasible) return exit_infeasible;
    return result.stop == StopReason::interrupted ? exit_interrupted : exit_nothing_found;
}

}  // namespace

int run_prove(const Invocation& invocation) {
    Loaded<ProblemInput> input = load_problem(invocation);
    if (!input) return input.exit_status();
    if (invocation.options.flag("gzip") && output_is_seen(invocation)) {
        complain("--gzip", "compressed bytes are nothing for a terminal: add -o FILE");
        return exit_usage;
    }
    if (!output_is_writable(invocation)) return exit_failure;

    SearchOptions options = search_options(invocation.options);
    // Unless the makespan is asked for by name, it is the period.
    const bool makespan = invocation.options.has("objective") && options.objective == Objective::makespan;
    if (!makespan) {
        options.objective = Objective::period;
        options.micro_batches = 1;
        options.log_proof = true;
    }
    watch_interrupts();
    ProgressReporter progress(invocation, input->problem);
    const Result<RunOutcome> outcome = run_sessions(input->problem, invocation, options, progress);
    progress.finish();
    if (!outcome) return complain_about(*input, invocation, outcome.faults());
    const std::string path = invocation.options.has("output") ? invocation.options.text("output") : "-";
    const SearchResult& result = outcome->result;
    if (makespan) {
        const auto proof = makespan_proof(input->problem, result);
        if (!proof) return complain_without_proof(*input, result, why_no_makespan_proof(result));
        return write_checked_proof(*proof, path, invocation, input->label, exit_good);
    }
    if (!outcome->proof) return complain_without_proof(*input, result, why_no_period_proof(result));
    return write_checked_proof(*outcome->proof, path, invocation, input->label, exit_good);
}

}  // namespace repetend::native
