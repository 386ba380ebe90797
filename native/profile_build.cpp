// --placement auto builds every family's problem, leaves out what cannot be built or cannot fit, searches the others
// for a fixed amount of work and keeps the one with most tokens per second: the same choice on every machine.
#include "profile_build.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "files.hpp"
#include "repetend/format/profile_files.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/presets_profiles.hpp"
#include "repetend/session/session.hpp"

namespace repetend::native {
namespace {

// Enough for the first schedules of each placement, some tenths of a second.
constexpr std::int64_t work_for_choice = 1'000'000;

Fault usage(std::string path, std::string message) { return {FaultCode::usage, std::move(path), std::move(message)}; }

bool looks_like_a_file(const std::string& word) {
    std::error_code ignored;
    return word.find('/') != std::string::npos || word.find(".json") != std::string::npos ||
           std::filesystem::exists(word, ignored);
}

// A built-in value by its name, or one from a file; faults of a file have its name before their path.
template <class T>
Result<T> named_or_read(const OptionValues& values, const char* option, const std::vector<std::string>& names,
                        Result<T> (*preset)(std::string_view), Result<T> (*read)(std::string_view)) {
    const std::string flag = std::string("--") + option;
    if (!values.has(option)) return usage(flag, "is missing; a profile needs a model and a cluster");
    const std::string word = values.text(option);
    const bool known = std::find(names.begin(), names.end(), word) != names.end();
    if (known || !looks_like_a_file(word)) {
        Result<T> found = preset(word);
        if (found) return found;
        return usage(flag, found.faults().front().message);
    }
    const ReadText text = read_file(word);
    if (!text.text) return Fault{FaultCode::syntax, word, text.error};
    Result<T> made = read(*text.text);
    if (made) return made;
    Faults faults = made.faults();
    for (Fault& fault : faults) fault.path = word + (fault.path.empty() ? "" : ": " + fault.path);
    return faults;
}

// `8,8,8,6`; nothing when it is none.
std::vector<std::int64_t> read_counts(const std::string& text) {
    std::vector<std::int64_t> counts;
    std::size_t at = 0;
    while (at <= text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        std::int64_t count = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, count);
        if (error != std::errc() || stop != text.data() + end || count < 1 || count > 1 << 20) return {};
        counts.push_back(count);
        at = end + 1;
    }
    return counts;
}

void read_partition(const OptionValues& values, cost::ProfileOptions& options, Faults& faults) {
    const std::string text = values.text("partition");
    if (text == "balanced") {
        options.partition = cost::Partition::balanced;
    } else if (text == "uniform") {
        options.partition = cost::Partition::uniform;
    } else {
        options.partition = cost::Partition::given;
        options.given_layers = read_counts(text);
        if (!options.given_layers.empty()) return;
        std::string message = "'" + text.substr(0, 40) + "' is not balanced, uniform or numbers separated by commas";
        const std::string near = nearest_name(text, {"balanced", "uniform"});
        if (!near.empty()) message += "; did you mean " + near + "?";
        faults.push_back(usage("--partition", message));
    }
}

cost::ProfileOptions profile_options(const OptionValues& values, Faults& faults) {
    cost::ProfileOptions options;
    const auto given = [&](const char* name) {
        return values.has(name) ? values.integer(name) : std::optional<std::int64_t>();
    };
    options.placement = values.text("placement");
    options.devices = *values.integer("devices");
    options.tensor_parallel = *values.integer("tensor-parallel");
    options.data_parallel = *values.integer("data-parallel");
    options.sequence_parallel = values.flag("sequence-parallel");
    options.micro_batch_size = given("micro-batch-size");
    options.micro_batches = given("micro-batches");
    options.global_batch = given("global-batch");
    options.chunks = given("chunks");
    if (values.has("recompute")) options.recompute = cost::recompute_from(values.text("recompute"));
    if (values.has("optimizer")) options.optimizer = cost::optimizer_from(values.text("optimizer"));
    options.split_backward = values.flag("split-backward");
    if (values.has("inference")) options.inference = values.flag("inference");
    options.transfers = values.text("transfers") == "link" ? cost::Transfers::link : cost::Transfers::lag;
    read_partition(values, options, faults);
    // Costs come from formulas here.
    for (const char* name : {"forward", "backward", "weight", "gang", "lag"}) {
        if (values.has(name)) {
            faults.push_back(usage(std::string("--") + name, "goes with --preset; a profile has times of its own"));
        }
    }
    return options;
}

std::string fits_not(const Problem& problem) {
    const std::optional<Misfit> misfit = find_misfit(problem);
    return misfit ? describe(*misfit, problem) : std::string();
}

double tokens_per_s(const cost::Profile& profile) {
    SearchOptions options;
    options.work_budget = work_for_choice;
    Result<Session> session = Session::start(profile.problem, options);
    if (!session) return 0;
    while (session->step(work_for_choice)) {
    }
    const SearchResult result = session->result();
    if (!result.makespan) return 0;
    return cost::throughput(profile.facts, result.micro_batches, *result.makespan).tokens_per_s;
}

Result<cost::Profile> build_with_capacities(const cost::Model& model, const cost::Cluster& cluster,
                                            const cost::ProfileOptions& options, const OptionValues& values) {
    Result<cost::Profile> profile = cost::build_profile(model, cluster, options);
    if (!profile) return profile;
    if (Faults faults = set_capacities(profile->problem, values.amounts("memory"), 1); !faults.empty()) return faults;
    return profile;
}

Result<BuiltProfile> choose(const cost::Model& model, const cost::Cluster& cluster, cost::ProfileOptions options,
                            const OptionValues& values) {
    BuiltProfile built;
    std::optional<std::size_t> best;
    for (const PlacementInfo& info : placements()) {
        options.placement = info.name;
        cost::ProfileOptions mine = options;
        if (info.name != "interleaved") mine.chunks.reset();
        TriedPlacement tried{info.name, "", 0};
        Result<cost::Profile> profile = build_with_capacities(model, cluster, mine, values);
        if (info.name == "finetune" || info.name == "alphafold") {
            tried.refusal = "another computation";  // a frozen embedding, three forward sweeps
        } else if (!profile) {
            tried.refusal = to_string(profile.faults().front());
        } else if (tried.refusal = fits_not(profile->problem); tried.refusal.empty()) {
            tried.tokens_per_s = tokens_per_s(*profile);
            if (tried.tokens_per_s <= 0) tried.refusal = "no schedule was found within its memory";
        }
        if (tried.refusal.empty() && (!best || tried.tokens_per_s > built.tried[*best].tokens_per_s)) {
            best = built.tried.size();
            built.profile = std::move(*profile);
        }
        built.tried.push_back(std::move(tried));
    }
    if (!best) {
        std::string message = "no placement fits:";
        for (const TriedPlacement& tried : built.tried) message += ' ' + tried.name + " (" + tried.refusal + ");";
        message.pop_back();
        return Fault{FaultCode::unsupported, "--placement auto", message};
    }
    std::string others;
    for (std::size_t k = 0; k < built.tried.size(); ++k) {
        if (k == *best || !built.tried[k].refusal.empty()) continue;
        char text[64];
        std::snprintf(text, sizeof text, " %.0f", built.tried[k].tokens_per_s);
        others += (others.empty() ? "" : ",") + (' ' + built.tried[k].name) + text;
    }
    char text[64];
    std::snprintf(text, sizeof text, ", %.0f tokens/s in a short search", built.tried[*best].tokens_per_s);
    built.note = "placement " + built.tried[*best].name + text +
                 (others.empty() ? "; no other fits" : "; others that fit:" + others);
    return built;
}

}  // namespace

bool wants_profile(const OptionValues& values) {
    return std::any_of(option_table().begin(), option_table().end(),
                       [&](const OptionRow& row) { return row.group == OptionGroup::profile && values.has(row.name); });
}

Result<BuiltProfile> build_profile_of(const OptionValues& values) {
    Faults faults;
    const cost::ProfileOptions options = profile_options(values, faults);
    const Result<cost::Model> model =
        named_or_read<cost::Model>(values, "model", model_names(), model_preset, read_model);
    if (!model) faults.insert(faults.end(), model.faults().begin(), model.faults().end());
    const Result<cost::Cluster> cluster =
        named_or_read<cost::Cluster>(values, "cluster", cluster_names(), cluster_preset, read_cluster);
    if (!cluster) faults.insert(faults.end(), cluster.faults().begin(), cluster.faults().end());
    if (!faults.empty()) return faults;
    if (options.placement == "auto") return choose(*model, *cluster, options, values);
    Result<cost::Profile> profile = build_with_capacities(*model, *cluster, options, values);
    if (!profile) return profile.faults();
    BuiltProfile built;
    built.profile = std::move(*profile);
    return built;
}

}  // namespace repetend::native
