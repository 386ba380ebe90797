// The rows of the option table (the contract's options, and a few additions) and what the engine makes of
// them. The checks of a value by its row stand in options_values.cpp.
#include "repetend/session/options.hpp"

#include <algorithm>

namespace repetend {
namespace {

constexpr std::int64_t most_threads = 256;
constexpr std::int64_t most_copies = 256;
constexpr std::int64_t year_ms = std::int64_t{365} * 24 * 3600 * 1000;

std::vector<OptionRow> make_table() {
    using enum OptionKind;
    using G = OptionGroup;
    const std::int64_t any = largest_number;
    return {
        // name, letter, kind, group, placeholder, default, low, high, words, usage
        {"preset", 'p', text, G::preset, "NAME", "", 0, 0, "",
         "take a preset instead of FILE; `repetend presets` lists them"},
        {"devices", 'd', integer, G::preset, "D", "4", 1, most_devices, "", "devices"},
        {"micro-batches", 'n', integer, G::preset, "N", "", 1, most_micro_batches, "",
         "micro-batches; without it the problem's own number, else twice the devices"},
        {"memory", 'm', amounts, G::preset, "M", "", 0, any, "unlimited",
         "capacity: one for all devices or one each, separated by commas; with a split backward in activations"},
        {"forward", '\0', integer, G::preset, "T", "1", 1, any, "", "time of a forward block"},
        {"backward", '\0', integer, G::preset, "T", "", 1, any, "",
         "time of a backward block (default 3; 1 when split)"},
        {"weight", '\0', integer, G::preset, "T", "", 0, any, "",
         "time of the weight gradient; 0: backward is not split"},
        {"gang", '\0', integer, G::preset, "T", "1", 1, any, "", "time of a block on all devices"},
        {"lag", '\0', integer, G::preset, "T", "0", 0, any, "", "delay between stages on different devices"},
        {"chunks", '\0', integer, G::preset, "C", "2", 1, most_blocks, "",
         "chunks per device (preset interleaved, Megatron layouts)"},
        {"embedding", '\0', integer, G::preset, "T", "0", 0, any, "",
         "time of the embedding's forward (Megatron layouts)"},
        {"loss", '\0', integer, G::preset, "T", "0", 0, any, "", "time of the loss's forward (Megatron layouts)"},
        {"inference", '\0', flag, G::preset, "", "", 0, 1, "", "forward blocks only"},

        {"model", '\0', text, G::profile, "NAME|FILE", "", 0, 0, "",
         "take costs from a model on a cluster; `repetend profile` alone lists both"},
        {"cluster", '\0', text, G::profile, "NAME|FILE", "", 0, 0, "", "the GPUs and links that the model runs on"},
        {"placement", '\0', text, G::profile, "NAME|auto", "auto", 0, 0, "",
         "which stage runs where; auto tries every one that fits and keeps the best"},
        {"tensor-parallel", '\0', integer, G::profile, "T", "1", 1, 4096, "", "GPUs of each pipeline device"},
        {"sequence-parallel", '\0', flag, G::profile, "", "", 0, 1, "",
         "split what tensor parallelism leaves whole along the sequence"},
        {"data-parallel", '\0', integer, G::profile, "R", "1", 1, 65536, "", "replicas of the whole pipeline"},
        {"micro-batch-size", '\0', integer, G::profile, "B", "", 1, 1 << 20, "",
         "samples of a micro-batch; without it the model's own number"},
        {"global-batch", '\0', integer, G::profile, "G", "", 1, most_micro_batches, "",
         "samples of an iteration, instead of --micro-batches"},
        {"recompute", '\0', choice, G::profile, "WHAT", "", 0, 0, "none|selective|full",
         "what the backward pass computes again: nothing, attention scores, everything"},
        {"optimizer", '\0', choice, G::profile, "NAME", "", 0, 0, "adam|adam-fp32-gradients|distributed-adam|half-adam",
         "what is held for every parameter"},
        {"split-backward", '\0', flag, G::profile, "", "", 0, 1, "", "input and weight gradients as blocks apart"},
        {"partition", '\0', text, G::profile, "HOW", "balanced", 0, 0, "",
         "layers of each stage: balanced (exact, by time), uniform, or numbers separated by commas"},
        {"transfers", '\0', choice, G::profile, "HOW", "lag", 0, 0, "lag|link",
         "transfers as delays, or as blocks on links that wait for each other"},

        {"copies", 'u', integer_or_word, G::search, "U", "1", 1, most_copies, "auto",
         "micro-batches per repetend; auto tries more while the bound says that it may help"},
        {"max-in-flight", '\0', integer, G::search, "R", "", 1, most_micro_batches, "",
         "most micro-batches in one repetend; without it no limit"},
        {"objective", '\0', choice, G::search, "WHAT", "makespan", 0, 0, "makespan|period",
         "least makespan, or least period first"},
        {"seed", 's', integer, G::search, "S", "1", 0, any, "", "seed of the search; same seed, same result"},

        {"timeout", 't', duration, G::effort, "TIME", "", 1, year_ms, "", "stop after this long: 500ms, 30s, 2m, 1h"},
        {"budget", 'b', integer, G::effort, "WORK", "", 1, any, "",
         "stop after this many work units: the same on every machine"},
        {"threads", 'j', integer, G::effort, "K", "1", 0, most_threads, "",
         "threads to search with; the answer is the same for any number. 0: one per core"},

        {"from", '\0', choice, G::input, "FORMAT", "", 0, 0,
         "problem|schedule|tessel|csv|torch-csv|trace|instructions|megatron-layout|zb-costs|url",
         "format of FILE; without it, told from its content"},
        {"problem", '\0', text, G::input, "FILE", "", 0, 0, "",
         "problem file with the times, memory and dependencies that FILE does not carry"},

        {"sends", '\0', choice, G::input, "HOW", "buffered", 0, 0, "buffered|blocking",
         "what a send in FILE does: go on at once, or wait for its receive"},

        {"with", '\0', text, G::input, "NAME,...", "", 0, 0, "",
         "compare with these published schedules only, separated by commas"},

        {"to", '\0', choice, G::output, "FORMAT", "", 0, 0,
         "problem|schedule|tessel|torch-csv|instructions|trace|svg|csv|url", "format to write"},
        {"communication", '\0', flag, G::output, "", "", 0, 1, "", "write sends and receives too (torch-csv)"},
        {"receives", '\0', choice, G::output, "WHEN", "late", 0, 0, "early|late",
         "receives as soon as the data exist, or directly before the block that needs them"},
        {"table", '\0', flag, G::output, "", "", 0, 1, "", "every term of the costs instead of the problem"},
        {"resume", '\0', flag, G::output, "", "", 0, 1, "", "go on with an output that was begun: nothing runs twice"},
        {"schedules", '\0', text, G::output, "DIR", "", 0, 0, "", "write each result with its schedule here"},
        {"plots", '\0', text, G::output, "DIR", "", 0, 0, "", "write plots of all results here, as SVG"},
        {"json", '\0', flag, G::output, "", "", 0, 1, "", "write JSON"},
        {"csv", '\0', flag, G::output, "", "", 0, 1, "", "write comma-separated values"},
        {"svg", '\0', flag, G::output, "", "", 0, 1, "", "write a drawing as SVG"},
        {"output", 'o', text, G::output, "FILE", "", 0, 0, "", "write here instead of standard output"},
        {"proof", '\0', text, G::output, "FILE", "", 0, 0, "", "write here the proof that the period is least"},
        {"gzip", '\0', flag, G::output, "", "", 0, 1, "", "compress the proof"},
        {"columns", '\0', integer, G::output, "COLS", "", 40, 1000, "",
         "width of text drawings; without it the terminal's, else 100"},
        {"ascii", '\0', flag, G::output, "", "", 0, 1, "", "draw with plain ASCII only"},

        {"port", '\0', integer, G::output, "P", "", 0, 65535, "",
         "port on the loopback address; without it the first free one from 8731 on, 0 for any free one"},
        {"picture", '\0', text, G::output, "FILE", "", 0, 0, "",
         "write the window's content here as PNG when the search has settled, then end; no window shows"},
        {"theme", '\0', choice, G::output, "NAME", "light", 0, 0, "light|dark|contrast", "colours of the window"},
        {"width", '\0', integer, G::output, "PIXELS", "1280", 320, 8192, "", "width of the window"},
        {"height", '\0', integer, G::output, "PIXELS", "800", 240, 8192, "", "height of the window"},
        {"scale", '\0', integer, G::output, "PERCENT", "", 50, 400, "",
         "size of letters and lines; without it what the screen asks for, and 100 for a picture"},

        {"progress", '\0', choice, G::display, "WHEN", "auto", 0, 0, "auto|always|never|json",
         "progress on standard error; json: one event a line"},
        {"color", '\0', choice, G::display, "WHEN", "auto", 0, 0, "auto|always|never", "colours in text"},
        {"quiet", 'q', flag, G::display, "", "", 0, 1, "", "no progress and no notes"},
    };
}

}  // namespace

const std::vector<OptionRow>& option_table() {
    static const std::vector<OptionRow> table = make_table();
    return table;
}

const OptionRow* find_option(std::string_view name) {
    std::string dashed(name);
    std::replace(dashed.begin(), dashed.end(), '_', '-');
    for (const OptionRow& row : option_table()) {
        if (row.name == dashed) return &row;
    }
    return nullptr;
}

std::vector<std::string> option_words(const OptionRow& row) {
    std::vector<std::string> words;
    std::string_view rest = row.words;
    while (!rest.empty()) {
        const std::size_t bar = rest.find('|');
        words.emplace_back(rest.substr(0, bar));
        rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
    }
    return words;
}

std::string_view title(OptionGroup group) {
    switch (group) {
        case OptionGroup::preset:
            return "Problem";
        case OptionGroup::profile:
            return "Model and cluster";
        case OptionGroup::search:
            return "Search";
        case OptionGroup::effort:
            return "Effort";
        case OptionGroup::input:
            return "Input";
        case OptionGroup::output:
            return "Output";
        case OptionGroup::display:
            return "Display";
    }
    return "";
}

PlacementOptions placement_options(const OptionValues& values) {
    PlacementOptions options;
    const auto given = [&](std::string_view name) {
        return values.has(name) ? values.integer(name) : std::optional<std::int64_t>();
    };
    options.devices = given("devices");
    options.micro_batches = given("micro-batches");
    options.memory = values.amounts("memory");
    options.forward = given("forward");
    options.backward = given("backward");
    options.weight = given("weight");
    options.gang = given("gang");
    options.lag = given("lag");
    options.chunks = given("chunks");
    options.inference = values.flag("inference");
    return options;
}

SearchOptions search_options(const OptionValues& values) {
    SearchOptions options;
    options.copies_auto = values.text("copies") == "auto";
    options.copies = options.copies_auto ? 1 : static_cast<int>(*values.integer("copies"));
    options.max_in_flight = values.integer("max-in-flight");
    options.objective = values.text("objective") == "period" ? Objective::period : Objective::makespan;
    options.micro_batches = values.integer("micro-batches");
    options.seed = static_cast<std::uint64_t>(*values.integer("seed"));
    options.work_budget = values.integer("budget").value_or(0);
    return options;
}

}  // namespace repetend
