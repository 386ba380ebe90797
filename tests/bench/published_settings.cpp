// Searched schedules against published ones on the models of Tessel's evaluation (arXiv 2311.15269), on 4 to 32 V100
// by the cost model: time per iteration of 128 samples. For every published schedule the best of its settings counts
// (pipeline stages times tensor parallelism = GPUs); what does not fit in 30 GiB is out.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "repetend/baseline/baseline.hpp"
#include "repetend/cost/profile.hpp"
#include "repetend/presets_profiles.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/session/session.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;

namespace {

constexpr std::int64_t search_work = 8'000'000;

struct Timed {
    double seconds = 0;  // 0: nothing fits
    std::string how;     // `4 stages x 2`
    double gap = 0;      // of a search, to its lower bound
};

struct Setting {
    const char* model;
    std::int64_t gpus;
    const char* spread;  // the placement that spreads the embedding
};

Result<cost::Profile> profile_of(const Setting& setting, const std::string& placement, std::int64_t stages) {
    cost::ProfileOptions options;
    options.placement = placement;
    options.devices = stages;
    options.tensor_parallel = setting.gpus / stages;
    return cost::build_profile(*model_preset(setting.model), *cluster_preset("v100"), options);
}

std::string how_text(const Setting& setting, std::int64_t stages) {
    return std::to_string(stages) + " x " + std::to_string(setting.gpus / stages);
}

double iteration_s(const cost::Profile& profile, Ticks makespan) {
    return cost::throughput(profile.facts, *profile.problem.micro_batches, makespan).iteration_s;
}

void keep(Timed& best, double seconds, const std::string& how) {
    if (best.seconds > 0 && best.seconds <= seconds) return;
    best.seconds = seconds;
    best.how = how;
}

// The best of all splits of the GPUs into stages and tensor parallelism.
Timed published(const Setting& setting, const std::string& family, const std::string& placement,
                const std::vector<std::int64_t>& stages) {
    Timed best;
    for (const std::int64_t count : stages) {
        const Result<cost::Profile> profile = profile_of(setting, placement, count);
        if (!profile) continue;
        const Result<Schedule> schedule = build_baseline(family, profile->problem, *profile->problem.micro_batches);
        if (!schedule || verify_schedule(profile->problem, *schedule)) continue;  // over capacity: out of memory
        keep(best, iteration_s(*profile, makespan_ticks(profile->problem, *schedule)), how_text(setting, count));
    }
    return best;
}

// The same for the search: over the placement that spreads the embedding, over one stage a device, where the backward
// pass may be split, and over two stages a device.
Timed searched(const Setting& setting, const std::vector<std::int64_t>& stages) {
    Timed best;
    for (const std::string placement : {setting.spread, "v", "v-split", "interleaved"}) {
        for (const std::int64_t count : stages) {
            const Result<cost::Profile> profile = profile_of(setting, placement, count);
            if (!profile || find_misfit(profile->problem)) continue;
            SearchOptions options;
            options.work_budget = search_work;
            Result<Session> session = Session::start(profile->problem, options);
            if (!session) continue;
            while (session->step(search_work)) {
            }
            const SearchResult result = session->result();
            if (!result.makespan) continue;
            const double seconds = iteration_s(*profile, *result.makespan);
            if (best.seconds > 0 && best.seconds <= seconds) continue;
            keep(best, seconds, placement + " " + how_text(setting, count));
            best.gap = static_cast<double>(*result.makespan) / static_cast<double>(result.makespan_lower_bound) - 1;
        }
    }
    return best;
}

std::string cell(const Timed& timed) {
    if (timed.seconds == 0) return "out of memory";
    char text[64];
    std::snprintf(text, sizeof text, "%.1f s (%s)", timed.seconds, timed.how.c_str());
    return text;
}

// Inference of Flava on 4 V100: the searched branches-beside-each-other placement against a forward-only pipeline and
// against tensor parallelism alone, by the number of samples that go in together.
void inference() {
    std::printf("\n%-8s %7s  %-12s %-12s %-16s %s\n", "model", "samples", "searched (k)", "pipeline (v)",
                "tensor parallel", "against the pipeline");
    for (const std::int64_t samples : {1, 2, 4, 16, 128}) {
        const auto seconds = [&](const char* placement, std::int64_t stages) {
            cost::ProfileOptions options;
            options.placement = placement;
            options.devices = stages;
            options.tensor_parallel = 4 / stages;
            options.micro_batches = samples;
            const Result<cost::Profile> profile =
                cost::build_profile(*model_preset("flava"), *cluster_preset("v100"), options);
            if (!profile) return 0.0;
            SearchOptions search;
            search.work_budget = search_work;
            Result<Session> session = Session::start(profile->problem, search);
            if (!session) return 0.0;
            while (session->step(search_work)) {
            }
            return static_cast<double>(session->result().makespan.value_or(0)) / 1e9;
        };
        // A forward-only chain runs in order: the search finds the pipeline itself.
        const double ours = seconds("k", 4);
        const double pipeline = seconds("v", 4);
        const double together = seconds("v", 1);
        std::printf("%-8s %7d  %8.3f s   %8.3f s   %8.3f s       %+.0f %%\n", "flava", static_cast<int>(samples), ours,
                    pipeline, together, 100 * (ours / pipeline - 1));
    }
}

}  // namespace

int main() {
    const Setting settings[] = {{"gpt-11b", 4, "m"},         {"gpt-24b", 8, "m"},        {"gpt-47b", 16, "m"},
                                {"gpt-77b", 32, "m"},        {"mt5-2b", 4, "nn-eager"},  {"mt5-9b", 8, "nn-eager"},
                                {"mt5-43b", 16, "nn-eager"}, {"mt5-88b", 32, "nn-eager"}};
    std::printf("%-8s %4s  %-28s %-19s %-19s %-19s %8s %9s\n", "model", "GPUs", "searched", "1F1B+", "1F1B", "Chimera",
                "gap", "speed-up");
    int beaten = 0;
    int compared = 0;
    for (const Setting& setting : settings) {
        std::vector<std::int64_t> splits;
        for (std::int64_t stages = 2; stages <= setting.gpus; stages *= 2) splits.push_back(stages);
        const Timed ours = searched(setting, splits);
        const Timed plus = published(setting, "1F1B+", setting.spread, splits);
        const Timed plain = published(setting, "1F1B", "v", splits);
        const Timed chimera = published(setting, "Chimera-direct", "x", {4});
        double best_other = 0;
        for (const Timed* other : {&plus, &plain, &chimera}) {
            if (other->seconds == 0) continue;
            ++compared;
            beaten += ours.seconds < other->seconds ? 1 : 0;
            best_other = best_other == 0 ? other->seconds : std::min(best_other, other->seconds);
        }
        std::printf("%-8s %4d  %-28s %-19s %-19s %-19s %6.2f %% %8.2fx\n", setting.model,
                    static_cast<int>(setting.gpus), cell(ours).c_str(), cell(plus).c_str(), cell(plain).c_str(),
                    cell(chimera).c_str(), 100 * ours.gap,
                    best_other > 0 && ours.seconds > 0 ? best_other / ours.seconds : 0.0);
        std::fflush(stdout);
    }
    std::printf(
        "stages x tensor parallelism in brackets; gap of the search to its lower bound; speed-up over the best "
        "of the others\nthe search is quicker in %d of %d comparisons\n",
        beaten, compared);
    inference();
    return 0;
}
