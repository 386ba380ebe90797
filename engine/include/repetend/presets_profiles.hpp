// The clusters and models that ship with the engine (presets/clusters, presets/models), compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "repetend/cost/cluster.hpp"
#include "repetend/cost/transformer.hpp"
#include "repetend/model/fault.hpp"

namespace repetend {

std::vector<std::string> cluster_names();
std::vector<std::string> model_names();

// Faults: usage for an unknown name, with the nearest known one.
Result<cost::Cluster> cluster_preset(std::string_view name);
Result<cost::Model> model_preset(std::string_view name);

}  // namespace repetend
