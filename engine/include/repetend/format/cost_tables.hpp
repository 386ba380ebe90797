// Inputs of other tools that describe a problem rather than a schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "repetend/format/assumed_costs.hpp"
#include "repetend/model/problem.hpp"

namespace repetend {

struct ImportedProblem {
    Problem problem;
    std::string note;  // what the reader made of it, in words
};

// What a layout string leaves open.
struct LayoutOptions {
    std::optional<std::int64_t> devices;  // without it, stages / chunks
    std::optional<std::int64_t> chunks;   // per device; without it, stages / devices
    std::optional<std::int64_t> micro_batches;
    AssumedCosts costs;   // of one decoder layer; a layer for multi-token prediction costs the same
    Ticks embedding = 0;  // forward time of the embedding, of the loss; their backward in proportion
    Ticks loss = 0;
};

// Megatron's pipeline layout: `Et*3|(tt|)*29,m|L`. Stages go to the devices in turn.
Result<ImportedProblem> read_megatron_layout(std::string_view text, const LayoutOptions& options);

// A cost table with the names of the zero-bubble scheduler's configuration: n_stages, n_micro, max_chunks, cost_f,
// cost_b (the input gradient alone), cost_w, cost_comm, mem_f, mem_b, mem_w, max_mem. Fractions are kept by a finer
// unit.
Result<ImportedProblem> read_zb_costs(std::string_view text);

}  // namespace repetend
