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
#include "repetend/verify/check_makespan.hpp"
#include "runner.hpp"

namespace repetend::native {
namespace {

int complain_without_proof(const ProblemInput& input, const SearchResult& result) {
    if (result.status == SearchStatus::infeasible) {
        complain(input.label, "infeasible: " + result.infeasible_reason);
        return exit_infeasible;
    }
    if (result.period_optimal) {
        complain(input.label, no_written_proof);
        return exit_nothing_found;
    }
    complain(input.label, "no period was proved least before the search was stopped (" +
                              std::string(to_string(result.stop)) + "); at least " +
                              std::to_string(result.period_lower_bound) +
                              (result.period ? ", at most " + std::to_string(*result.period) : std::string()));
    return result.stop == StopReason::interrupted ? exit_interrupted : exit_nothing_found;
}

int prove_makespan(const Invocation& invocation, const ProblemInput& input, const SearchResult& result,
                   const std::string& path) {
    if (result.status == SearchStatus::infeasible) {
        complain(input.label, "infeasible: " + result.infeasible_reason);
        return exit_infeasible;
    }
    if (!result.schedule || !result.makespan_optimal) {
        complain(input.label, "no makespan was proved least before the search ended (" +
                                  std::string(to_string(result.stop)) + "); at least " +
                                  std::to_string(result.makespan_lower_bound) +
                                  (result.makespan ? ", at most " + std::to_string(*result.makespan) : std::string()));
        return result.stop == StopReason::interrupted ? exit_interrupted : exit_nothing_found;
    }
    const auto argument = find_makespan_argument(input.problem, result.micro_batches, *result.makespan);
    if (!argument) {
        complain(input.label,
                 "the makespan is proved least, but not in a form that can be written down (it took the diagrams of "
                 "the search; work, waiting at the ends and blocks on all devices are not enough)");
        return exit_nothing_found;
    }
    return write_checked_proof(MakespanProof{input.problem, *result.schedule, *argument}, path, invocation, input.label,
                               exit_good);
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
    if (makespan) return prove_makespan(invocation, *input, outcome->result, path);
    if (!outcome->proof) return complain_without_proof(*input, outcome->result);
    return write_checked_proof(*outcome->proof, path, invocation, input->label, exit_good);
}

}  // namespace repetend::native
