// From options to a profile: models and clusters by name or from files, and the choice of a placement.
#pragma once

#include <string>
#include <vector>

#include "repetend/cost/profile.hpp"
#include "repetend/session/options.hpp"

namespace repetend::native {

// Was any of --model, --cluster or what goes with them given?
bool wants_profile(const OptionValues& values);

// One placement that `auto` looked at.
struct TriedPlacement {
    std::string name;
    std::string refusal;      // why not, or
    double tokens_per_s = 0;  // of what a short search found
};

struct BuiltProfile {
    cost::Profile profile;
    std::vector<TriedPlacement> tried;  // with --placement auto
    std::string note;                   // what `auto` chose and why
};

// Faults name an option, or a file and the path inside it. --memory replaces the capacities.
Result<BuiltProfile> build_profile_of(const OptionValues& values);

}  // namespace repetend::native
