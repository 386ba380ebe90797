// Profiles in words and tables.
#pragma once

#include <string>

#include "repetend/cost/profile.hpp"
#include "repetend/session/session.hpp"

namespace repetend::native {

// Every term: blocks with their summands, transfers, memory of every GPU, what an iteration adds.
std::string profile_table(const cost::Profile& profile, int columns);

// A result in a user's terms: iteration, tokens per second, utilisation, memory by part.
std::string throughput_report(const Problem& problem, const cost::ProfileFacts& facts, const SearchResult& result,
                              int columns);

}  // namespace repetend::native
