#include "repetend/session/proofs.hpp"

#include "repetend/verify/check_makespan.hpp"

namespace repetend {
namespace {

std::string range_of(Ticks least, const std::optional<Ticks>& most) {
    return "at least " + std::to_string(least) + (most ? ", at most " + std::to_string(*most) : std::string());
}

}  // namespace

std::optional<MakespanProof> makespan_proof(const Problem& problem, const SearchResult& result) {
    if (!result.schedule || !result.makespan || !result.makespan_optimal) return std::nullopt;
    const auto argument = find_makespan_argument(problem, result.micro_batches, *result.makespan);
    if (!argument) return std::nullopt;
    return MakespanProof{problem, *result.schedule, *argument};
}

std::string why_no_period_proof(const SearchResult& result) {
    if (result.status == SearchStatus::infeasible) return "infeasible: " + result.infeasible_reason;
    if (result.period_optimal) return no_written_period_proof;
    return "no period was proved least before the search was stopped (" + std::string(to_string(result.stop)) + "); " +
           range_of(result.period_lower_bound, result.period);
}

std::string why_no_makespan_proof(const SearchResult& result) {
    if (result.status == SearchStatus::infeasible) return "infeasible: " + result.infeasible_reason;
    if (result.schedule && result.makespan_optimal)
        return "the makespan is proved least, but not in a form that can be written down (it took the diagrams of the "
               "search; work, waiting at the ends and blocks on all devices are not enough)";
    return "no makespan was proved least before the search ended (" + std::string(to_string(result.stop)) + "); " +
           range_of(result.makespan_lower_bound, result.makespan);
}

}  // namespace repetend
