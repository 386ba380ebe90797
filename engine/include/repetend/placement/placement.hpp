// Placements: from a few numbers to a problem. One file per family under engine/src/placement/; this is
// their only door.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend {

// What a preset accepts (contract, "Preset options"). Absent values take the preset's own default.
struct PlacementOptions {
    std::optional<std::int64_t> devices;        // default 4
    std::optional<std::int64_t> micro_batches;  // N
    // Capacities: empty = the preset's default (unlimited); one value for all devices, else one each.
    // An absent element means unlimited. With a split backward they count activations (capacity 2M).
    std::vector<std::optional<Memory>> memory;
    std::optional<Ticks> forward;        // 1
    std::optional<Ticks> backward;       // 3; with a split 1
    std::optional<Ticks> weight;         // 0 = backward not split; presets that split by nature default to 1
    std::optional<Ticks> gang;           // 1: blocks on all devices
    std::optional<Ticks> lag;            // 0: delay between stages on different devices
    std::optional<std::int64_t> chunks;  // `interleaved`: chunks per device, default 2
    bool inference = false;
};

struct PlacementInfo {
    std::string name;              // as on the command line: "nn-eager"
    std::string summary;           // one line: what it is
    std::string teaches;           // one sentence: what it shows
    bool splits_backward = false;  // by nature
    bool has_inference = true;
};

// Every placement family, in the order in which lists show them.
const std::vector<PlacementInfo>& placements();

// The problem of a placement; faults (code usage, path = the option's name such as `--devices`) for an
// unknown name (with the nearest known one), an impossible number of devices, options it has no use for.
Result<Problem> build_placement(std::string_view name, const PlacementOptions& options);

// Sets capacities as `--memory` says: no value changes nothing, one value counts for every device, else one
// each; an absent value is unlimited. Values are multiplied by `unit` (2 where they count activations of a
// split backward). Faults (usage, path `--memory`) leave the problem as it was.
Faults set_capacities(Problem& problem, const std::vector<std::optional<Memory>>& values, Memory unit);

}  // namespace repetend
