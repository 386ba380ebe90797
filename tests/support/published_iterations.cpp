#include "support/published_iterations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "repetend/baseline/baseline.hpp"
#include "repetend/presets_profiles.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend::test {

namespace {

struct Row {
    const char* model;
    std::int64_t devices, chunks;
    double full_s, selective_s, calculon_full_s, calculon_selective_s;
};

constexpr Row rows[] = {{"gpt-22b", 1, 1, 1.42, 1.10, 1.40, 1.14},
                        {"gpt-175b", 8, 3, 18.13, 13.75, 18.03, 13.64},
                        {"gpt-530b", 35, 3, 49.05, 37.83, 49.89, 34.47},
                        {"gpt-1t", 64, 1, 94.42, 71.49, 90.08, 66.04}};

double predicted_s(const Row& row, bool selective) {
    const Result<cost::Profile> profile =
        published_profile(row.model, selective, selective ? cost::Recompute::selective : cost::Recompute::full);
    if (!profile) throw std::runtime_error(to_string(profile.faults().front()));
    const std::int64_t micro_batches = *profile->problem.micro_batches;
    const Result<Schedule> schedule =
        build_baseline(row.chunks > 1 ? "interleaved-1F1B" : "1F1B", profile->problem, micro_batches);
    if (!schedule) throw std::runtime_error(to_string(schedule.faults().front()));
    return cost::throughput(profile->facts, micro_batches, makespan_ticks(profile->problem, *schedule)).iteration_s;
}

}  // namespace

Result<cost::Profile> published_profile(const std::string& model, bool selective, cost::Recompute recompute) {
    const auto* const row =
        std::find_if(std::begin(rows), std::end(rows), [&](const Row& candidate) { return candidate.model == model; });
    cost::ProfileOptions options;
    options.placement = row->chunks > 1 ? "interleaved" : "v";
    options.devices = row->devices;
    if (row->chunks > 1) options.chunks = row->chunks;
    options.tensor_parallel = 8;
    options.sequence_parallel = selective;
    options.recompute = recompute;
    options.partition = cost::Partition::uniform;  // as in those runs
    const Result<cost::Model> shape = model_preset(model);
    const Result<cost::Cluster> cluster = cluster_preset("a100-80");
    if (!shape) return shape.faults();
    if (!cluster) return cluster.faults();
    return cost::build_profile(*shape, *cluster, options);
}

std::vector<PublishedIteration> published_iterations() {
    std::vector<PublishedIteration> all;
    for (const Row& row : rows) {
        all.push_back({row.model, "full recompute", row.full_s, row.calculon_full_s, predicted_s(row, false)});
        all.push_back({row.model, "sequence parallel, selective", row.selective_s, row.calculon_selective_s,
                       predicted_s(row, true)});
    }
    return all;
}

ErrorSummary errors(const std::vector<PublishedIteration>& all) {
    ErrorSummary summary;
    for (const PublishedIteration& row : all) {
        summary.mean += std::fabs(row.error()) / static_cast<double>(all.size());
        summary.worst = std::max(summary.worst, std::fabs(row.error()));
    }
    return summary;
}

}  // namespace repetend::test
