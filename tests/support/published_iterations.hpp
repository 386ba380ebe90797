// Measured iteration times of Megatron on A100 (arXiv 2205.05198, table 5; configurations as in calculon's
// validation) beside what the cost model and the published schedule's own order give.
#pragma once

#include <string>
#include <vector>

#include "repetend/cost/profile.hpp"

namespace repetend::test {

struct PublishedIteration {
    std::string model;  // preset
    std::string method;
    double published_s = 0;
    double calculon_s = 0;   // calculon's own prediction
    double predicted_s = 0;  // ours
    double error() const { return predicted_s / published_s - 1; }
};

// All eight rows: 22B to 1T, full recompute with all-reduces, and selective recompute with sequence parallelism.
std::vector<PublishedIteration> published_iterations();

struct ErrorSummary {
    double mean = 0, worst = 0;
};
ErrorSummary errors(const std::vector<PublishedIteration>& rows);

// Profile and options of one row, for tests of its memory.
Result<cost::Profile> published_profile(const std::string& model, bool selective, cost::Recompute recompute);

}  // namespace repetend::test
