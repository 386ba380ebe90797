// What is said to be least in the shown schedule, and how far its proof has come: written by the search's worker, read
// by the checker's.
#pragma once

#include <string>
#include <string_view>

namespace repetend::web {

enum class ClaimState {
    none,       // no proof was asked for
    asked,      // the search writes it
    checking,   // the checker reads it
    checked,    // accepted
    refused,    // by the checker
    unwritten,  // proved by the search, in a way that has no written form
};

std::string_view to_string(ClaimState state);

struct Claim {
    ClaimState state = ClaimState::none;
    std::string words;  // checked, refused: the checker's; unwritten: why
    std::string text;   // the proof
    double seconds = 0;
    bool save = false;  // once it is accepted
    bool running() const { return state == ClaimState::asked || state == ClaimState::checking; }
    bool checked() const { return state == ClaimState::checked; }
};

struct Claims {
    Claim period, makespan;
    Claim& of(std::string_view what) { return what == "makespan" ? makespan : period; }
    const Claim& of(std::string_view what) const { return what == "makespan" ? makespan : period; }
    bool running() const { return period.running() || makespan.running(); }
};

}  // namespace repetend::web
