// What formats of orders are read to: no times, only what each device runs after what.
#pragma once

#include <string>

#include "repetend/execution/execution.hpp"

namespace repetend {

struct OrderedPlan {
    Problem problem;
    Program program;       // whether devices can follow it is for `execute` to say
    std::string note;      // what the reader had to assume or left out, in words
    std::string obstacle;  // why nobody can follow it, where the reader knows already; else empty
};

}  // namespace repetend
