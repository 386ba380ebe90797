// What a finished search has proved, in forms that a checker accepts who does not trust the search; and where there is
// none, why, in words. For the period the session itself holds the proof (Session::period_proof).
#pragma once

#include <optional>
#include <string>

#include "repetend/model/proof.hpp"
#include "repetend/session/session.hpp"

namespace repetend {

// The proof that the result's makespan is least; none when that is not proved, or only in ways that have no written
// form.
std::optional<MakespanProof> makespan_proof(const Problem& problem, const SearchResult& result);

// Why the session of this result has no period proof; and why there is none of its makespan.
std::string why_no_period_proof(const SearchResult& result);
std::string why_no_makespan_proof(const SearchResult& result);

// Said where a period is proved least but the argument has no written form.
inline constexpr const char* no_written_period_proof =
    "the period is proved least, but not in a form that can be written down (memory that later blocks do not "
    "release, a limit on micro-batches in flight, or a search too long to log)";

}  // namespace repetend
