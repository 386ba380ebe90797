// The facts of a profile as a field of its problem.
#pragma once

#include "repetend/cost/profile.hpp"

namespace repetend::cost {

void attach_facts(Problem& problem, const ProfileFacts& facts);

}  // namespace repetend::cost
