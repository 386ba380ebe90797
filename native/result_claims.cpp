// Reads a result once more for its numbers alone: the schedule inside, which is the large part, is skipped.
#include "result_claims.hpp"

#include <cmath>
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

// A field of the wrong type says nothing that could be checked.
std::optional<std::string> wrong_type(const json& result) {
    for (const char* field : {"period", "copies", "period_lower_bound", "makespan", "makespan_lower_bound"}) {
        const auto found = result.find(field);
        if (found == result.end() || found->is_null() || found->is_number_integer()) continue;
        return std::string("the result's ") + field + " is no whole number";
    }
    for (const char* field : {"period_optimal", "makespan_optimal"}) {
        const auto found = result.find(field);
        if (found == result.end() || found->is_boolean()) continue;
        return std::string("the result's ") + field + " is neither true nor false";
    }
    return std::nullopt;
}

std::optional<std::string> false_status(const json& result) {
    const auto found = result.find("status");
    if (found == result.end()) return std::nullopt;
    const std::string status = found->is_string() ? found->get<std::string>() : found->dump();
    if (status == "infeasible" || status == "unknown")
        return "the result says status " + status + ", but holds a schedule";
    if (status != "optimal" && status != "feasible") return "the result's status " + status + " means nothing";
    if (status == "optimal" && !claimed(result, "period_optimal") && !claimed(result, "makespan_optimal"))
        return "the result says status optimal, but neither its period nor its makespan is said to be";
    return std::nullopt;
}

// Shares are written with six decimals.
std::optional<std::string> false_bubble(const json& result, bool marked, const Measures& measures) {
    const auto bubble = result.find("bubble");
    if (bubble == result.end() || !bubble->is_object()) return std::nullopt;
    const auto differs_at = [&](const char* field, double measured) {
        const auto found = bubble->find(field);
        if (found == bubble->end() || found->is_null()) return false;
        return !found->is_number() || std::abs(found->get<double>() - measured) > 1.5e-6;
    };
    const auto words = [](const char* field) {
        return std::string("the result's ") + field + " bubble is not that of its schedule";
    };
    if (differs_at("makespan", measures.bubble_makespan)) return words("makespan");
    if (differs_at("span", measures.bubble_span)) return words("span");
    if (marked && differs_at("steady", measures.bubble_steady)) return words("steady");
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
    if (auto wrong = wrong_type(result)) return wrong;
    if (auto wrong = false_status(result)) return wrong;
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
    if (auto wrong = false_bubble(result, marked.has_value(), measures)) return wrong;
    if (auto wrong = false_bound(result, "makespan")) return wrong;
    return false_bound(result, "period");
}

}  // namespace repetend::native
