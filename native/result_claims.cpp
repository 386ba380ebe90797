// Reads a result once more for its numbers alone: the schedule inside, which is the large part, is skipped.
#include "result_claims.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace repetend::native {
namespace {

using nlohmann::json;

std::optional<std::int64_t> number(const json& result, const char* field) {
    const auto found = result.find(field);
    if (found == result.end() || !found->is_number_integer()) return std::nullopt;
    return found->get<std::int64_t>();
}

bool claimed(const json& result, const char* field) {
    const auto found = result.find(field);
    return found != result.end() && found->is_boolean() && found->get<bool>();
}

std::string differs(const std::string& what, std::int64_t said, std::int64_t measured) {
    return "the result says " + what + ' ' + std::to_string(said) + ", the schedule has " + std::to_string(measured);
}

// A value, its lower bound, and whether the two are said to meet.
std::optional<std::string> false_bound(const json& result, const std::string& what) {
    const auto value = number(result, what.c_str());
    const auto bound = number(result, (what + "_lower_bound").c_str());
    if (!value || !bound) return std::nullopt;
    const std::string both =
        "the " + what + " is " + std::to_string(*value) + " and its lower bound " + std::to_string(*bound);
    if (*bound > *value) return both + ": one of them is wrong";
    if (claimed(result, (what + "_optimal").c_str()) && *bound != *value) return both + ": that proves nothing optimal";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> false_claim(const std::string& text, const std::optional<RepetendMark>& marked,
                                       const Measures& measures) {
    const auto without_schedule = [](int depth, json::parse_event_t event, json& parsed) {
        return !(depth == 1 && event == json::parse_event_t::key && parsed == "schedule");
    };
    const json result = json::parse(text, without_schedule, false);
    if (!result.is_object() || result.value("format", json()) != "repetend.result") return std::nullopt;
    if (const auto makespan = number(result, "makespan"); makespan && *makespan != measures.makespan) {
        return differs("makespan", *makespan, measures.makespan);
    }
    if (const auto peaks = result.find("peak_memory"); peaks != result.end() && peaks->is_array()) {
        for (std::size_t d = 0; d < measures.peak_memory.size(); ++d) {
            if (d < peaks->size() && (*peaks)[d] == json(measures.peak_memory[d])) continue;
            return "the result's peak_memory of device " + std::to_string(d) +
                   " is not what the schedule holds: " + std::to_string(measures.peak_memory[d]);
        }
    }
    if (marked) {
        if (const auto period = number(result, "period"); period && *period != marked->period) {
            return differs("period", *period, marked->period);
        }
        if (const auto copies = number(result, "copies"); copies && *copies != marked->copies) {
            return differs("copies", *copies, marked->copies);
        }
    }
    if (auto wrong = false_bound(result, "makespan")) return wrong;
    return false_bound(result, "period");
}

}  // namespace repetend::native
