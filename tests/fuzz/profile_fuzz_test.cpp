// Fuzzing of clusters, models and sweeps: whatever the text, it is read or every fault is named; what was read can be
// used with any placement, and gives a valid problem or a fault.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "mutator.hpp"
#include "repetend/cost/profile.hpp"
#include "repetend/format/profile_files.hpp"
#include "repetend/format/sweep.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/presets_profiles.hpp"

using namespace repetend;
using repetend::testing::Mutator;

namespace {

const std::string cluster_text = R"({"format": "repetend.cluster", "version": 1, "name": "c", "source": "s",
 "gpu": {"name": "g", "tflops": 312.5, "memory_gib": 80, "memory_gb_per_s": 2039, "source": "s"},
 "efficiency": {"source": "s", "steps": [{"hidden": 0, "fraction": 0.4}, {"hidden": 4096, "fraction": 0.5}]},
 "reserve_gib": 2, "gpus_per_node": 8, "nodes": 4,
 "inside": {"source": "s", "latency_us": 10, "gb_per_s": 300, "fraction": 0.65},
 "all_reduce": {"source": "s", "fits": [{"gpus": 2, "latency_us": 46, "gb_per_s": 193}]},
 "network": {"cards_per_node": 8, "source": "s", "latency_us": 20, "gb_per_s": 25},
 "measured": [{"block": "f0", "time_ns": 9}, {"stage": 1, "kind": "backward", "time_ns": 7}]})";

const std::string model_text = R"({"format": "repetend.model", "version": 1, "name": "m", "source": "s",
 "vocabulary": 1000, "head": true, "tied": true,
 "parts": [{"name": "e", "sequence": 64, "embedding": true, "layers": [{"count": 4, "hidden": 64, "heads": 4}]},
  {"name": "d", "after": ["e"], "sequence": 32, "embedding": true, "layers": [
   {"count": 4, "hidden": 64, "heads": 4, "kv_heads": 2, "feed_forward": 100, "gated": true, "experts": 4,
    "experts_per_token": 2, "cross_attention": true}]}],
 "defaults": {"micro_batch_size": 2, "global_batch": 16, "recompute": "selective", "optimizer": "adam"}})";

const std::string sweep_text = R"({"format": "repetend.sweep", "version": 1, "name": "n",
 "base": {"micro_batches": 8, "inference": false, "memory": [4, 3]},
 "vary": {"preset": ["v", "m"], "devices": {"from": 2, "to": 8, "step": 2}, "timeout": ["2s", "1.5m"]},
 "exclude": [{"preset": "v", "devices": [2, 4]}]})";

std::string complaint_about(const Faults& faults) {
    for (const Fault& fault : faults) {
        const std::string text = to_string(fault);
        if (fault.message.empty() || text.size() > 100'000) return "a fault that nobody can read";
        if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
            return "a message that is no printable line";
        }
    }
    return faults.empty() ? "no fault at all" : "";
}

// Profiles of whatever was read.
std::string use(const cost::Model& model, const cost::Cluster& cluster) {
    for (const PlacementInfo& info : placements()) {
        for (const bool split : {false, true}) {
            cost::ProfileOptions options;
            options.placement = info.name;
            options.devices = 2;
            options.split_backward = split;
            options.transfers = split ? cost::Transfers::link : cost::Transfers::lag;
            options.micro_batches = 4;
            const Result<cost::Profile> profile = cost::build_profile(model, cluster, options);
            if (!profile) {
                if (std::string complaint = complaint_about(profile.faults()); !complaint.empty()) return complaint;
                continue;
            }
            if (!validate(profile->problem).empty()) return "an invalid problem was made for " + info.name;
        }
    }
    return "";
}

std::string try_cluster(const std::string& text, bool& good) {
    static const cost::Model model = *read_model(model_text);
    const Result<cost::Cluster> cluster = read_cluster(text);
    good = static_cast<bool>(cluster);
    return good ? use(model, *cluster) : complaint_about(cluster.faults());
}

std::string try_model(const std::string& text, bool& good) {
    static const cost::Cluster cluster = *cluster_preset("a100-80");
    const Result<cost::Model> model = read_model(text);
    good = static_cast<bool>(model);
    return good ? use(*model, cluster) : complaint_about(model.faults());
}

std::string try_sweep(const std::string& text, bool& good) {
    const Result<Sweep> sweep = read_sweep(text);
    good = static_cast<bool>(sweep);
    if (!good) return complaint_about(sweep.faults());
    if (sweep->size() < 1) return "an empty sweep was accepted";
    for (std::int64_t k = 0; k < std::min<std::int64_t>(sweep->size(), 50); ++k) {
        if (sweep->at(k).id.size() != 16) return "a combination without an id";
    }
    return "";
}

void fuzz(const std::string& seed_text, std::string (*attempt)(const std::string&, bool&), std::uint64_t runs) {
    std::uint64_t accepted = 0;
    bool good = false;
    REQUIRE(attempt(seed_text, good) == "");
    REQUIRE(good);
    for (std::uint64_t run = 0; run < runs; ++run) {
        const std::string text = Mutator(0x5eedull * 0x100000001b3ull + run).make({seed_text});
        const std::string complaint = attempt(text, good);
        accepted += good ? 1 : 0;
        if (!complaint.empty()) FAIL("run " << run << ": " << complaint << "\n" << text.substr(0, 4000));
    }
    CHECK(accepted > runs / 200);
    CHECK(accepted < runs - runs / 10);
}

}  // namespace

TEST_CASE("fuzz: clusters") { fuzz(cluster_text, try_cluster, 6'000); }
TEST_CASE("fuzz: models") { fuzz(model_text, try_model, 6'000); }
TEST_CASE("fuzz: sweeps") { fuzz(sweep_text, try_sweep, 6'000); }
