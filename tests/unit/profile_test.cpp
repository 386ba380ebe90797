// Profiles: layers of any shape against published formulas, partitions against exhaustive search, problems against
// the three hand-made ones, iteration times and fits against published figures.
#include "repetend/cost/profile.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "property/random.hpp"
#include "repetend/baseline/baseline.hpp"
#include "repetend/cost/formulas.hpp"
#include "repetend/cost/partition.hpp"
#include "repetend/cost/real_models.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/presets_profiles.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/session/session.hpp"
#include "support/published_iterations.hpp"

using namespace repetend;
using namespace repetend::cost;

namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

LayerGroup plain_layer(std::int64_t hidden, std::int64_t heads) {
    return {1, hidden, heads, heads, 4 * hidden, false, 1, 1, false};
}

ProfileOptions on(const std::string& placement, std::int64_t devices) {
    ProfileOptions options;
    options.placement = placement;
    options.devices = devices;
    return options;
}

Result<Profile> profile_of(const std::string& model, const std::string& cluster, const ProfileOptions& options) {
    const Result<Model> shape = model_preset(model);
    const Result<Cluster> machine = cluster_preset(cluster);
    REQUIRE(shape);
    REQUIRE(machine);
    return build_profile(*shape, *machine, options);
}

bool fits(const std::string& model, const ProfileOptions& options) {
    const Result<Profile> profile = profile_of(model, "v100", options);
    INFO(model << " " << options.placement);
    REQUIRE(profile);
    return !find_misfit(profile->problem);
}

std::string first_fault(const Result<Profile>& profile) {
    REQUIRE_FALSE(profile);
    return to_string(profile.faults().front());
}

const Block& block(const Problem& problem, const std::string& name) {
    const auto found =
        std::find_if(problem.blocks.begin(), problem.blocks.end(), [&](const Block& b) { return b.name == name; });
    REQUIRE(found != problem.blocks.end());
    return *found;
}

// Everything but names of devices and texts.
void check_same_costs(const Problem& made, const Problem& expected) {
    REQUIRE(made.num_blocks() == expected.num_blocks());
    for (std::size_t k = 0; k < made.blocks.size(); ++k) {
        INFO(made.blocks[k].name);
        CHECK(made.blocks[k] == expected.blocks[k]);
    }
    for (std::size_t d = 0; d < made.devices.size(); ++d) {
        CHECK(made.devices[d].memory_capacity == expected.devices[d].memory_capacity);
        CHECK(made.devices[d].memory_static == expected.devices[d].memory_static);
    }
    CHECK(made.micro_batches == expected.micro_batches);
}

// The longest stage of every way to cut, by trying them all.
std::int64_t least_longest(const std::vector<std::int64_t>& layers, std::size_t begin, std::int64_t stages,
                           std::int64_t extra_first, std::int64_t extra_last) {
    std::int64_t best = INT64_MAX;
    std::int64_t sum = extra_first;
    if (stages == 1) {
        return std::accumulate(layers.begin() + static_cast<std::ptrdiff_t>(begin), layers.end(), sum) + extra_last;
    }
    for (std::size_t end = begin + 1; end + static_cast<std::size_t>(stages) - 1 <= layers.size(); ++end) {
        sum += layers[end - 1];
        best = std::min(best, std::max(sum, least_longest(layers, end, stages - 1, 0, extra_last)));
    }
    return best;
}

}  // namespace

TEST_CASE("a plain layer of the general kind is the published one", "[profile]") {
    for (const auto& [hidden, heads] : {std::pair{4096, 32}, {6144, 48}, {8192, 64}, {25600, 160}}) {
        for (const std::int64_t wide : {1, 2, 8}) {
            const LayerShape shape{1, 2048, hidden, heads, false};
            const LayerCosts layer = layer_costs(plain_layer(hidden, heads), 2048, {1, wide, false, 0});
            const double width = static_cast<double>(wide);
            CHECK(layer.parameters * width == static_cast<double>(layer_parameters(shape)));
            CHECK((layer.linear_flops + layer.attention_flops) * width == static_cast<double>(forward_flops(shape)));
            CHECK(layer.activation_bytes == static_cast<double>(activation_bytes(shape, wide)));
            CHECK(layer.boundary_bytes == static_cast<double>(boundary_bytes(shape)));
        }
    }
    LayerGroup cross = plain_layer(1024, 16);
    cross.cross_attention = true;
    const LayerCosts layer = layer_costs(cross, 1024, {4, 1, false, 1024});
    const LayerShape shape{4, 1024, 1024, 16, true};
    CHECK(layer.parameters == static_cast<double>(layer_parameters(shape)));
    CHECK(layer.linear_flops + layer.attention_flops == static_cast<double>(forward_flops(shape)));
    CHECK(layer.activation_bytes == static_cast<double>(activation_bytes(shape, 1)));
}

TEST_CASE("gated layers, grouped queries and experts count their own matrices", "[profile]") {
    // Llama 2 7 B: 4h^2 + 3 * h * 11008 and two norms; 202.4 million parameters.
    LayerGroup llama{1, 4096, 32, 32, 11008, true, 1, 1, false};
    CHECK(layer_costs(llama, 2048, {}).parameters == 4.0 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2 * 4096);
    // A quarter of the key and value heads: 2h^2 + 2 * h * h/4.
    llama.kv_heads = 8;
    CHECK(layer_costs(llama, 2048, {}).parameters == 2.5 * 4096 * 4096 + 3.0 * 4096 * 11008 + 2 * 4096);
    // Eight experts are held, two are worked with, a router chooses.
    LayerGroup mixture = llama;
    mixture.experts = 8;
    mixture.experts_per_token = 2;
    const double expert = 3.0 * 4096 * 11008;
    CHECK(layer_costs(mixture, 2048, {}).parameters == layer_costs(llama, 2048, {}).parameters + 7 * expert + 8 * 4096);
    CHECK(layer_costs(mixture, 2048, {}).linear_flops ==
          layer_costs(llama, 2048, {}).linear_flops + 2 * 2048 * (expert + 8 * 4096));
}

TEST_CASE("what is kept for weight gradients is 32sbh, less than all activations", "[profile]") {
    const LayerCosts layer = layer_costs(plain_layer(4096, 32), 2048, {1, 1, false, 0});
    CHECK(layer.weight_gradient_bytes == 32.0 * 2048 * 4096);
    CHECK(layer.activation_bytes - layer.weight_gradient_bytes == 2.0 * 2048 * 4096 + 5.0 * 32 * 2048 * 2048);
}

TEST_CASE("activations of the first stage equal the published memory per GPU", "[profile]") {
    struct Row {
        std::int64_t layers, hidden, heads, micro_batch;
        double in_flight;  // layers' worth on the first stage, as a factor
        double none, selective;
    };
    const Row rows[] = {{48, 6144, 64, 4, 1, 59.25, 9.5625},
                        {96, 12288, 96, 1, 1 + 7.0 / 24, 66.84375, 12.3515625},
                        {105, 20480, 128, 1, 1 + 34.0 / 105, 114.0234375, 23.076171875},
                        {128, 25600, 160, 1, 1, 131.25, 26.5625}};
    for (const Row& row : rows) {
        INFO(row.hidden);
        const LayerCosts none = layer_costs(plain_layer(row.hidden, row.heads), 2048, {row.micro_batch, 8, false, 0});
        const LayerCosts split = layer_costs(plain_layer(row.hidden, row.heads), 2048, {row.micro_batch, 8, true, 0});
        const double layers = static_cast<double>(row.layers) * row.in_flight;
        CHECK(std::fabs(layers * none.activation_bytes / gibibyte - row.none) < 1e-9);
        CHECK(std::fabs(layers * (split.activation_bytes - split.attention_bytes) / gibibyte - row.selective) < 1e-9);
    }
    CHECK(state_bytes(Optimizer::adam_fp32_gradients, 1).all() == 18);
    CHECK(state_bytes(Optimizer::distributed_adam, 4).all() == 6 + 12.0 / 4);
    CHECK(state_bytes(Optimizer::half_adam, 1).all() == 8);
}

TEST_CASE("a balanced partition is the best of all", "[profile]") {
    testing::Random random(7);
    for (int round = 0; round < 200; ++round) {
        std::vector<std::int64_t> layers(static_cast<std::size_t>(random.from_to(1, 9)));
        for (std::int64_t& time : layers) time = random.from_to(1, 20);
        const std::int64_t stages = random.from_to(1, static_cast<std::int64_t>(layers.size()));
        const std::int64_t head = random.from_to(0, 10);
        const std::int64_t tail = random.from_to(0, 10);
        const std::vector<std::int64_t> counts = balanced_partition(layers, stages, head, tail);
        REQUIRE(static_cast<std::int64_t>(counts.size()) == stages);
        CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) ==
              static_cast<std::int64_t>(layers.size()));
        std::int64_t longest = 0;
        std::size_t at = 0;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            CHECK(counts[k] >= 1);
            std::int64_t time = (k == 0 ? head : 0) + (k + 1 == counts.size() ? tail : 0);
            for (std::int64_t n = 0; n < counts[k]; ++n) time += layers[at++];
            longest = std::max(longest, time);
        }
        CHECK(longest == least_longest(layers, 0, stages, head, tail));
    }
    CHECK(balanced_partition(std::vector<std::int64_t>(30, 5), 4, 0, 0) == std::vector<std::int64_t>{7, 7, 8, 8});
    CHECK(uniform_partition(30, 4) == std::vector<std::int64_t>{7, 7, 8, 8});
    // An embedding and a head that cost as much as a layer each.
    CHECK(balanced_partition(std::vector<std::int64_t>(30, 5), 4, 5, 5) == std::vector<std::int64_t>{7, 8, 8, 7});
}

TEST_CASE("the general profile gives the three hand-made problems", "[profile]") {
    const Result<Profile> gpt = profile_of("gpt-11b", "v100", on("m", 4));
    REQUIRE(gpt);
    check_same_costs(gpt->problem, gpt_v100x4());
    CHECK(gpt->problem.dependencies == gpt_v100x4().dependencies);
    const Result<Profile> mt5 = profile_of("mt5-2b", "v100", on("nn", 4));
    REQUIRE(mt5);
    check_same_costs(mt5->problem, mt5_v100x4());
    const Result<Profile> flava = profile_of("flava", "v100", on("k", 4));
    REQUIRE(flava);
    check_same_costs(flava->problem, flava_v100x4());
    CHECK(flava->problem.dependencies == flava_v100x4().dependencies);
}

TEST_CASE("every placement makes a valid problem of every model that it suits", "[profile]") {
    int made = 0;
    for (const std::string& model : model_names()) {
        for (const PlacementInfo& info : placements()) {
            for (const bool split : {false, true}) {
                for (const Transfers transfers : {Transfers::lag, Transfers::link}) {
                    ProfileOptions options = on(info.name, 8);
                    options.split_backward = split;
                    options.transfers = transfers;
                    options.micro_batches = 6;
                    const Result<Profile> profile = profile_of(model, "a100-80", options);
                    INFO(model << " " << info.name);
                    if (!profile) continue;
                    ++made;
                    REQUIRE(validate(profile->problem).empty());
                    const std::int64_t layers = std::accumulate(profile->layers_per_stage.begin(),
                                                                profile->layers_per_stage.end(), std::int64_t{0});
                    CHECK(layers == (info.name == "k" ? 48 : profile->facts.layers));
                    for (int d = 0; d < profile->problem.num_devices(); ++d) {
                        CHECK(net_memory(profile->problem, d) == 0);
                    }
                    const auto facts = facts_of(profile->problem);
                    REQUIRE(facts);
                    CHECK(facts->model_flops_per_micro_batch == profile->facts.model_flops_per_micro_batch);
                }
            }
        }
    }
    CHECK(made > 400);
}

TEST_CASE("30 layers on 4 stages are 30 layers, given ones too", "[profile]") {
    Model model = *model_preset("gpt-11b");
    model.parts[0].layers[0].count = 30;
    const Cluster cluster = *cluster_preset("v100");
    ProfileOptions options = on("m", 4);
    const Result<Profile> balanced = build_profile(model, cluster, options);
    REQUIRE(balanced);
    CHECK(balanced->layers_per_stage == std::vector<std::int64_t>{7, 7, 8, 8});
    options.partition = Partition::given;
    options.given_layers = {9, 8, 8, 5};
    const Result<Profile> given = build_profile(model, cluster, options);
    REQUIRE(given);
    CHECK(given->layers_per_stage == options.given_layers);
    CHECK(block(given->problem, "f0").time > block(given->problem, "f3").time);
    options.given_layers = {9, 8, 8, 6};
    CHECK(first_fault(build_profile(model, cluster, options)) ==
          "--partition: 9,8,8,6 are 31 layers, the model has 30 there");
    options.given_layers = {15, 15};
    CHECK(first_fault(build_profile(model, cluster, options)) ==
          "--partition: 2 numbers for 4 stages; give one for each");
}

TEST_CASE("embedding and head are counted where they live", "[profile]") {
    ProfileOptions options = on("v", 4);
    options.partition = Partition::uniform;
    const Result<Profile> tied = profile_of("gpt-22b", "a100-80", options);
    REQUIRE(tied);
    const double table = 51200.0 * 6144;
    const std::vector<MemoryTerms>& memory = tied->facts.memory;
    CHECK(memory[0].parameters - memory[1].parameters == table);
    CHECK(memory[3].parameters - memory[1].parameters == table);
    CHECK(block(tied->problem, "f3").time > block(tied->problem, "f1").time);  // the head
    CHECK(block(tied->problem, "f0").time > block(tied->problem, "f1").time);  // the lookup
    // Spread over all devices, the lookup is theirs together.
    const Result<Profile> spread = profile_of("gpt-11b", "v100", on("m", 4));
    REQUIRE(spread);
    CHECK(spread->facts.memory[0].parameters == spread->facts.memory[3].parameters);
}

TEST_CASE("recomputation buys memory with time", "[profile]") {
    Ticks last_time = 0;
    Memory last_memory = INT64_MAX;
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
        ProfileOptions options = on("v", 4);
        options.recompute = recompute;
        const Result<Profile> profile = profile_of("gpt-22b", "a100-80", options);
        REQUIRE(profile);
        CHECK(block(profile->problem, "b1").time > last_time);
        CHECK(block(profile->problem, "f1").memory[0] < last_memory);
        last_time = block(profile->problem, "b1").time;
        last_memory = block(profile->problem, "f1").memory[0];
    }
}

TEST_CASE("a split backward pass does the same work and frees the same memory", "[profile]") {
    ProfileOptions options = on("v", 4);
    const Result<Profile> whole = profile_of("llama-2-7b", "a100-80", options);
    options.split_backward = true;
    const Result<Profile> split = profile_of("llama-2-7b", "a100-80", options);
    REQUIRE(whole);
    REQUIRE(split);
    for (const char* stage : {"0", "1", "2", "3"}) {
        const std::string number = stage;
        const Ticks both = block(split->problem, "b" + number).time + block(split->problem, "w" + number).time;
        CHECK(std::abs(both - block(whole->problem, "b" + number).time) <= 1);  // each is rounded
    }
}

TEST_CASE("measured times replace formulas, and must meet a block", "[profile]") {
    Cluster cluster = *cluster_preset("v100");
    const Model model = *model_preset("gpt-11b");
    cluster.measured = {{"f1", std::nullopt, "", 123}, {"", 2, "backward", 456}};
    const Result<Profile> profile = build_profile(model, cluster, on("m", 4));
    REQUIRE(profile);
    CHECK(block(profile->problem, "f1").time == 123);
    CHECK(block(profile->problem, "b2").time == 456);
    CHECK(block(profile->problem, "f2").time == block(gpt_v100x4(), "f2").time);
    cluster.measured = {{"f9", std::nullopt, "", 1}};
    CHECK(first_fault(build_profile(model, cluster, on("m", 4))) == "measured[0]: block `f9` is not in this problem");
}

TEST_CASE("transfers between nodes are slower, and share their cards as blocks", "[profile]") {
    ProfileOptions options = on("m", 16);  // two nodes
    options.micro_batches = 4;
    const Result<Profile> lags = profile_of("gpt-47b", "v100", options);
    REQUIRE(lags);
    const auto lag = [&](const std::string& from) {
        for (const Dependency& edge : lags->problem.dependencies) {
            if (lags->problem.blocks[static_cast<std::size_t>(edge.from)].name == from) return edge.lag;
        }
        return Ticks{0};
    };
    CHECK(lag("f6") < lag("f7"));  // device 7 is the last of its node
    CHECK(lag("f7") == 20'000 + std::llround(2.0 * 2048 * 8192 / (0.9 * 12.5)));
    options.transfers = Transfers::link;
    const Result<Profile> links = profile_of("gpt-47b", "v100", options);
    REQUIRE(links);
    CHECK(block(links->problem, "f7>f8").kind == BlockKind::transfer);
    CHECK(block(links->problem, "f7>f8").time == lag("f7"));
    CHECK(links->problem.num_devices() == 16 + 30);
}

TEST_CASE("iteration times on A100 are near the measured ones", "[profile]") {
    const auto rows = test::published_iterations();
    REQUIRE(rows.size() == 8);
    const test::ErrorSummary summary = test::errors(rows);
    CHECK(summary.mean <= 0.08);
    CHECK(summary.worst <= 0.15);
}

TEST_CASE("what fits on V100 agrees with the notes of the published runs", "[profile]") {
    struct Setting {
        const char* model;
        std::int64_t gpus;
        bool gpt;
    };
    const Setting settings[] = {{"gpt-11b", 4, true},   {"gpt-24b", 8, true},  {"gpt-47b", 16, true},
                                {"gpt-77b", 32, true},  {"mt5-2b", 4, false},  {"mt5-9b", 8, false},
                                {"mt5-43b", 16, false}, {"mt5-88b", 32, false}};
    for (const Setting& setting : settings) {
        // The embedding spread over all devices fits everywhere.
        CHECK(fits(setting.model, on(setting.gpt ? "m" : "nn-eager", setting.gpus)));
        // Chimera: four stages in both directions. Out of memory for every GPT, and for mT5 on 16 and 32.
        ProfileOptions chimera = on("x", 4);
        chimera.tensor_parallel = setting.gpus / 4;
        CHECK(fits(setting.model, chimera) == (!setting.gpt && setting.gpus <= 8));
        // One GPU cannot hold the embedding of any GPT, nor those of the two large mT5.
        if (setting.gpt || setting.gpus > 8) CHECK_FALSE(fits(setting.model, on("v", setting.gpus)));
    }
    CHECK(fits("mt5-2b", on("v", 4)));
    ProfileOptions pairs = on("v", 4);
    pairs.tensor_parallel = 2;
    CHECK(fits("mt5-9b", pairs));
    // 1F1B on 32 GPUs: pipelines of at most 4 stages for GPT and 2 for mT5.
    const auto deep = [](const char* model, std::int64_t stages) {
        ProfileOptions options = on("v", stages);
        options.tensor_parallel = 32 / stages;
        const Result<Profile> profile = profile_of(model, "v100", options);
        REQUIRE(profile);
        // The first stage holds as many micro-batches as there are stages.
        const Device& device = profile->problem.devices[0];
        const MemoryTerms& memory = profile->facts.memory[0];
        return static_cast<double>(device.memory_static) + static_cast<double>(stages) * memory.activation_bytes +
                   memory.transient_bytes <=
               static_cast<double>(*device.memory_capacity);
    };
    CHECK(deep("gpt-77b", 2));
    CHECK(deep("gpt-77b", 4));
    CHECK_FALSE(deep("gpt-77b", 8));
    CHECK(deep("mt5-88b", 2));
    CHECK_FALSE(deep("mt5-88b", 4));
}

TEST_CASE("options that make no sense are named", "[profile]") {
    ProfileOptions options = on("nn", 4);
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--placement: `nn` is for models of two parts, an encoder and a decoder, that each begin with a lookup");
    options = on("m", 64);
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--devices: 64 stages for 32 layers; every stage needs one");
    options = on("m", 4);
    options.tensor_parallel = 3;
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--tensor-parallel: 3 does not divide the 32 heads of part `decoder`");
    options = on("m", 4);
    options.global_batch = 3;
    options.data_parallel = 2;
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--global-batch: 3 samples are no whole number of micro-batches of 2 on all replicas together");
    options = on("zbv", 4);
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--placement: there is no placement `zbv`; did you mean `zb-v`?");
    options = on("m", 4);
    options.sequence_parallel = true;
    CHECK(first_fault(profile_of("gpt-11b", "v100", options)) ==
          "--sequence-parallel: goes with --tensor-parallel 2 or more");
    Cluster small = *cluster_preset("v100");
    small.nodes = 1;
    CHECK(first_fault(build_profile(*model_preset("gpt-24b"), small, on("m", 16))) ==
          "--devices: 16 GPUs are wanted, `nodes of 8 V100-SXM 32 GB, 100 Gbit/s between nodes` has 8");
}

TEST_CASE("throughput follows its definition", "[profile]") {
    ProfileFacts facts;
    facts.gpus = 4;
    facts.data_parallel = 2;
    facts.samples_per_micro_batch = 3;
    facts.tokens_per_micro_batch = 300;
    facts.model_flops_per_micro_batch = 1e12;
    facts.peak_flops_per_ns = 1000;
    facts.gradients_ns = 200;
    facts.optimizer_ns = 300;
    const Throughput rates = throughput(facts, 5, 999'999'500);
    CHECK(rates.iteration_s == 1);
    CHECK(rates.tokens_per_s == 3000);
    CHECK(rates.samples_per_s == 30);
    CHECK(rates.model_flops_utilisation == 1e13 / (1e9 * 1000 * 4));
}

TEST_CASE("a searched schedule beats 1F1B+ on the models whose embedding is spread", "[profile]") {
    for (const auto& [model, placement] : {std::pair{"gpt-11b", "m"}, {"mt5-2b", "nn-eager"}}) {
        INFO(model);
        const Result<Profile> profile = profile_of(model, "v100", on(placement, 4));
        REQUIRE(profile);
        const std::int64_t micro_batches = *profile->problem.micro_batches;
        const Result<Schedule> published = build_baseline("1F1B+", profile->problem, micro_batches);
        REQUIRE(published);
        SearchOptions options;
        options.work_budget = 500'000;
        Result<Session> session = Session::start(profile->problem, options);
        REQUIRE(session);
        while (session->step(options.work_budget)) {
        }
        const SearchResult found = session->result();
        REQUIRE(found.makespan);
        const double theirs =
            throughput(profile->facts, micro_batches, makespan_ticks(profile->problem, *published)).iteration_s;
        const double ours = throughput(profile->facts, micro_batches, *found.makespan).iteration_s;
        CHECK(theirs / ours > 1.4);
    }
}
