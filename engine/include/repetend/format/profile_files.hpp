// Clusters and models as JSON documents: `repetend.cluster` and `repetend.model`, version 1; their schemas stand in
// presets/schema/. Every fault is answered with its path; unknown fields are refused with the nearest known name.
#pragma once

#include <string_view>

#include "repetend/cost/cluster.hpp"
#include "repetend/cost/transformer.hpp"
#include "repetend/model/fault.hpp"

namespace repetend {

Result<cost::Cluster> read_cluster(std::string_view text);
Result<cost::Model> read_model(std::string_view text);

}  // namespace repetend
