// What is wrong with a program before anything runs, and words for its parts.
#pragma once

#include <cstdint>
#include <string>

#include "repetend/execution/execution.hpp"

namespace repetend::execution {

// `f0 of micro-batch 3`
std::string label(const Problem& problem, int block, std::int64_t micro_batch);

// One sentence, or empty when every operation stands once on each of its devices, every message has both ends, and
// no device has to run a block before what it depends on.
std::string find_fault(const Problem& problem, const Program& program);

// A program leaves the order on this device open: a link without a list.
bool is_unlisted(const Problem& problem, const Program& program, int device);

}  // namespace repetend::execution
