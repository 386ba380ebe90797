// A profile's facts travel with its problem as `x_profile`, so that whoever searches it, later and elsewhere, can
// give the result in a user's terms. Numbers are written so that reading them gives the same values again.
#include "cost/facts.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace repetend::cost {

namespace {

using Json = nlohmann::json;             // read: names are looked up
using Written = nlohmann::ordered_json;  // kept in this order

constexpr const char* field = "x_profile";

Written whole(double value) { return static_cast<std::int64_t>(std::floor(std::min(value, 1e18))); }

template <class Number>
bool take(const Json& object, const char* name, Number& value, double least) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number()) return false;
    const double number = found->template get<double>();
    if (!(number >= least && number <= 1e18)) return false;
    value = found->template get<Number>();
    return true;
}

bool take_text(const Json& object, const char* name, std::string& value) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string()) return false;
    value = found->get<std::string>();
    return true;
}

}  // namespace

void attach_facts(Problem& problem, const ProfileFacts& facts) {
    Written object = {
        {"model", facts.model},
        {"cluster", facts.cluster},
        {"placement", facts.placement},
        {"gpus", facts.gpus},
        {"data_parallel", facts.data_parallel},
        {"layers", facts.layers},
        {"samples_per_micro_batch", facts.samples_per_micro_batch},
        {"tokens_per_micro_batch", facts.tokens_per_micro_batch},
        {"model_flops_per_micro_batch", facts.model_flops_per_micro_batch},
        {"peak_flops_per_ns", facts.peak_flops_per_ns},
        {"gradients_ns", facts.gradients_ns},
        {"optimizer_ns", facts.optimizer_ns},
    };
    Written memory = Written::array();
    for (const MemoryTerms& terms : facts.memory) {
        memory.push_back({{"parameters", whole(terms.parameters)},
                          {"weights", whole(terms.weight_bytes)},
                          {"gradients", whole(terms.gradient_bytes)},
                          {"optimizer", whole(terms.optimizer_bytes)},
                          {"activations_per_micro_batch", whole(terms.activation_bytes)},
                          {"transient", whole(terms.transient_bytes)}});
    }
    object["memory"] = std::move(memory);
    problem.extra.emplace_back(field, object.dump(-1, ' ', false, Written::error_handler_t::replace));
}

std::optional<ProfileFacts> facts_of(const Problem& problem) {
    for (const auto& [name, text] : problem.extra) {
        if (name != field) continue;
        const Json object = Json::parse(text.data(), text.data() + text.size(), nullptr, false);
        if (!object.is_object()) return std::nullopt;
        ProfileFacts facts;
        bool good = take_text(object, "model", facts.model) && take_text(object, "cluster", facts.cluster) &&
                    take_text(object, "placement", facts.placement);
        good = good && take(object, "gpus", facts.gpus, 1) && take(object, "data_parallel", facts.data_parallel, 1) &&
               take(object, "layers", facts.layers, 1) &&
               take(object, "samples_per_micro_batch", facts.samples_per_micro_batch, 1) &&
               take(object, "tokens_per_micro_batch", facts.tokens_per_micro_batch, 1) &&
               take(object, "peak_flops_per_ns", facts.peak_flops_per_ns, 1e-6) &&
               take(object, "gradients_ns", facts.gradients_ns, 0) &&
               take(object, "optimizer_ns", facts.optimizer_ns, 0);
        const auto flops = object.find("model_flops_per_micro_batch");
        good = good && flops != object.end() && flops->is_number() && flops->get<double>() >= 0;
        if (!good) return std::nullopt;
        facts.model_flops_per_micro_batch = flops->get<double>();
        const auto memory = object.find("memory");
        if (memory == object.end() || !memory->is_array()) return std::nullopt;
        for (const Json& row : *memory) {
            MemoryTerms terms;
            if (!row.is_object() || !take(row, "parameters", terms.parameters, 0) ||
                !take(row, "weights", terms.weight_bytes, 0) || !take(row, "gradients", terms.gradient_bytes, 0) ||
                !take(row, "optimizer", terms.optimizer_bytes, 0) ||
                !take(row, "activations_per_micro_batch", terms.activation_bytes, 0) ||
                !take(row, "transient", terms.transient_bytes, 0)) {
                return std::nullopt;
            }
            facts.memory.push_back(terms);
        }
        return facts;
    }
    return std::nullopt;
}

Throughput throughput(const ProfileFacts& facts, std::int64_t micro_batches, Ticks makespan_ns) {
    Throughput result;
    const double iteration_ns = static_cast<double>(makespan_ns) + static_cast<double>(facts.gradients_ns) +
                                static_cast<double>(facts.optimizer_ns);
    if (iteration_ns <= 0) return result;
    const double all = static_cast<double>(micro_batches) * static_cast<double>(facts.data_parallel);
    result.iteration_s = iteration_ns / 1e9;
    result.tokens_per_s = all * static_cast<double>(facts.tokens_per_micro_batch) / result.iteration_s;
    result.samples_per_s = all * static_cast<double>(facts.samples_per_micro_batch) / result.iteration_s;
    result.model_flops_utilisation = all * facts.model_flops_per_micro_batch /
                                     (iteration_ns * facts.peak_flops_per_ns * static_cast<double>(facts.gpus));
    return result;
}

}  // namespace repetend::cost
