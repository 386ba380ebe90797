// Random small problems, the same for the same seed everywhere. Most have a capacity that binds and a schedule
// all the same; together they show everything the problem format allows: gang blocks, branches, several branches
// joining, parallel edges, lags, several components, links, static and transient memory, releases before
// allocations, memory left behind, unlimited and impossible capacities, times from 1 to 10^9.
#pragma once

#include <cstdint>
#include <string>

#include "repetend/model/problem.hpp"

namespace repetend::testing {

struct ProblemShape {
    int least_devices = 2;
    int most_devices = 3;
    int least_blocks = 3;
    int most_blocks = 7;
};

Problem random_problem(std::uint64_t seed, const ProblemShape& shape);

// JSON-like text for messages of failing tests; not the format of files.
std::string text_of(const Problem& problem);

}  // namespace repetend::testing
