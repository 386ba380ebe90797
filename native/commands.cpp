#include "commands.hpp"

#include "repetend/baseline/baseline.hpp"

namespace repetend::native {
namespace {

std::vector<std::string_view> join(std::initializer_list<std::vector<std::string_view>> lists) {
    std::vector<std::string_view> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

// Names the families, from their own list.
std::string_view compare_details() {
    static const std::string text = [] {
        std::string names;
        for (const BaselineInfo& info : baselines()) names += (names.empty() ? "" : ", ") + info.name;
        return "Runs the search, and every published family that is defined for the problem's placement: " + names +
               ". Each family's order is timed with the problem's own times, lags and dependencies; capacities are "
               "then checked: a schedule over capacity stands in the table as such (exit status 6).";
    }();
    return text;
}

std::vector<Command> make_commands() {
    const std::vector<std::string_view> problem = {"preset",    "devices", "micro-batches", "memory", "forward",
                                                   "backward",  "weight",  "gang",          "lag",    "chunks",
                                                   "embedding", "loss",    "inference"};
    const std::vector<std::string_view> profile = {
        "model",          "cluster",          "placement",    "tensor-parallel", "sequence-parallel",
        "data-parallel",  "micro-batch-size", "global-batch", "recompute",       "optimizer",
        "split-backward", "partition",        "transfers"};
    const std::vector<std::string_view> search = {"copies", "max-in-flight", "objective", "seed"};
    const std::vector<std::string_view> effort = {"timeout", "budget", "threads"};
    const std::vector<std::string_view> progress = {"progress", "color", "quiet"};
    // What other tools' formats leave open.
    const std::vector<std::string_view> importing = {"from",      "problem",  "sends",        "devices", "chunks",
                                                     "forward",   "backward", "weight",       "lag",     "memory",
                                                     "embedding", "loss",     "micro-batches"};
    const std::vector<std::string_view> drawing = {"columns", "ascii"};

    std::vector<Command> table;
    table.push_back(
        {"search",
         "FILE | --preset NAME",
         "find the repetend, prove it, complete it for N micro-batches",
         "Searches the least period with its proof, then a schedule of N micro-batches with a bound on its makespan. "
         "With a FILE only --micro-batches and --memory of the problem options apply; they replace what the file says.",
         join({problem, profile, search, effort, {"json", "output", "proof", "gzip"}, drawing, progress}),
         {{"search --preset m --memory 6", "a preset on 4 devices"},
          {"search --preset v -m 3 --copies auto", "several copies"},
          {"search problem.json -n 128 --json -o out.json", "a problem of your own"}},
         1,
         run_search});
    table.push_back(
        {"frontier",
         "FILE | --preset NAME",
         "best period and makespan for every memory capacity",
         "From the smallest capacity that works to the one beyond which nothing improves: the best period, proved, "
         "and the best makespan found with its bound. One capacity for all devices that hold memory (in activations "
         "for presets with a split backward). Where amounts are too many to try one by one, only those at which "
         "something improves are looked for. --memory is the highest capacity to look at.",
         join({problem,
               profile,
               {"copies", "max-in-flight", "seed"},
               {"timeout", "budget"},
               {"json", "csv", "svg", "output"},
               progress}),
         {{"frontier --preset nn", "a table: what memory buys"},
          {"frontier problem.json --svg -o frontier.svg", "the same as a picture"}},
         1,
         run_frontier});
    table.push_back({"compare",
                     "FILE | --preset NAME",
                     "published schedules and the search on one problem, one table",
                     compare_details(),
                     join({problem, profile, search, effort, {"with", "json", "csv", "svg", "output"}, progress}),
                     {{"compare --preset v-split -n 16", "every family that fits the placement"},
                      {"compare problem.json --with 1F1B,GPipe", "only these two, and the search"}},
                     1,
                     run_compare});
    table.push_back(
        {"prove",
         "FILE | --preset NAME",
         "the least period with a proof for others to check",
         "Finds the least period and writes down why no schedule has a shorter one: the problem, a schedule "
         "with this period, and a refutation of the period one below. The proof is checked before it is "
         "written. It is about whole-numbered periods and the number of micro-batches per repetend given "
         "with --copies. With --objective makespan: that N micro-batches take at least so long. With a FILE only "
         "--micro-batches and --memory of the problem options apply.",
         join({problem, {"copies", "objective", "seed"}, effort, {"output", "gzip"}, progress}),
         {{"prove --preset nn -m 4 -o nn.proof", "prove, and write the proof"},
          {"prove --preset m -m 6 -n 8 --objective makespan -o m.proof", "the makespan of 8 micro-batches"},
          {"check nn.proof", "what it proves, by a checker that shares nothing with the search"}},
         1,
         run_prove});
    table.push_back(
        {"check",
         "FILE",
         "verify a schedule or a proof independently",
         "FILE is a schedule, a result of search, an instruction list, a trace of ours, a Tessel plan, PyTorch's "
         "pipelining CSV, or a CSV of operations together with --problem; a Megatron layout or a cost "
         "table; or a proof of `prove`, which --problem then compares with that problem. The checker "
         "shares "
         "no code with what makes schedules and proofs. It says the first violation or the first step that "
         "does not follow (exit status 6), or what holds.",
         join({importing, {"json", "output"}}),
         {{"check result.json", "is it valid, and what are its measures"},
          {"check nn.proof", "what has been proved"},
          {"check plan.json --problem problem.json", "a Tessel plan with the dependencies that it lacks"}},
         1,
         run_check});
    table.push_back(
        {"show",
         "FILE",
         "draw a schedule",
         "FILE as for check. A text drawing with lanes, phases and memory, or an SVG.",
         join({importing, {"svg", "output"}, drawing, {"color"}}),
         {{"show result.json", "on the terminal"}, {"show result.json --svg -o schedule.svg", "for a paper"}},
         1,
         run_show});
    table.push_back({"convert",
                     "FILE --to FORMAT",
                     "between formats",
                     "Schedules become any of the formats; a problem, a layout or a cost table becomes a problem. What "
                     "a format cannot "
                     "express is refused and nothing is written. --problem gives the times, memory and dependencies "
                     "that a format does not carry.",
                     join({{"to"}, importing, {"communication", "receives", "output", "quiet"}}),
                     {{"convert result.json --to tessel", "a plan for Tessel's runtime"},
                      {"convert result.json --to torch-csv -o schedule.csv", "for PyTorch's pipelining runtime"},
                      {"convert result.json --to trace -o trace.json", "for Perfetto"},
                      {"convert layout.txt --devices 16 --to problem", "a Megatron layout as a problem"},
                      {"convert plan.json --to schedule --problem problem.json", "and back"}},
                     1,
                     run_convert});
    table.push_back({"presets",
                     "[NAME]",
                     "list the presets, or print one as a problem",
                     "With NAME the problem options shape what is printed.",
                     join({{"devices", "micro-batches", "memory", "forward", "backward", "weight", "gang", "lag",
                            "chunks", "inference"},
                           {"json", "output"}}),
                     {{"presets", "what there is"}, {"presets v --devices 8 -o problem.json", "a start for your own"}},
                     1,
                     run_presets});
    table.push_back(
        {"profile",
         "--model M --cluster C --placement P",
         "a problem from a model and a GPU cluster's costs",
         "Cuts the model's layers into stages, gives every block of the placement its time, memory and transfers from "
         "the cluster's figures, and prints the problem, ready for search. --table prints every term instead. Without "
         "--model and --cluster it lists the models and clusters that are built in; FILE may name one of your own "
         "(presets/schema describes both).",
         join({{"devices", "micro-batches", "memory", "chunks", "inference"}, profile, {"table", "output"}, progress}),
         {{"profile", "models and clusters that are built in"},
          {"profile --model gpt-11b --cluster v100 --table", "where its times and memory come from"},
          {"profile --model mt5-2b --cluster v100 -o mt5.json", "the best placement that fits"}},
         0,
         run_profile});
    table.push_back(
        {"batch",
         "FILE",
         "many searches from a sweep, one JSON line each",
         "FILE is a repetend.sweep: fields of search, presets and profiles with lists or ranges of values; all their "
         "combinations are searched, in a fixed order. A combination that names neither a budget nor a timeout gets a "
         "budget of 3000000 work units. --threads is the number of combinations at a time (without it one for each "
         "core) and changes no result. With -o lines are kept as they are found: after a kill at any moment --resume "
         "goes on and repeats nothing. mpirun -n K repetend batch ... spreads the work over K processes.",
         {"output", "resume", "schedules", "plots", "threads", "progress", "quiet"},
         {{"batch sweep.json -o out.jsonl", "all combinations, then a summary"},
          {"batch sweep.json -o out.jsonl --resume", "go on after a kill"},
          {"batch sweep.json -o out.jsonl --plots plots", "memory against time, as SVG"}},
         1,
         run_batch});
    table.push_back(
        {"serve",
         "",
         "serve the web explorer to this machine",
         "Serves the site that the build made, to this machine only, until Ctrl-C. Any static web server does "
         "the same for others: the folder is complete in itself.",
         {"port", "quiet"},
         {{"serve", "and open the address that it prints"}, {"serve --port 0", "any free port"}},
         0,
         run_serve});
    table.push_back(
        {"view",
         "[FILE | #LINK] | --preset NAME",
         "the explorer as a desktop window",
         "Opens a problem, schedule, result or Tessel plan, or what stands behind the # of an explorer's link, in the "
         "same explorer as the web page has; without any of them the page's first view. With a FILE only "
         "--micro-batches and --memory of the preset options apply; options that change a search make a schedule be "
         "searched again. Files are opened by dropping them on the window; what is saved goes into the working "
         "folder and replaces nothing. It needs a display and OpenGL 3.3, and is a program of its own beside this "
         "one, repetend-view.",
         join({{"preset", "devices", "micro-batches", "memory", "forward", "backward", "weight", "gang", "lag",
                "chunks", "inference"},
               search,
               {"budget", "theme", "width", "height", "scale", "picture"}}),
         {{"view", "start with a small pipeline"},
          {"view problem.json", "search it and watch"},
          {"view result.json --theme dark", "a schedule that was found before"},
          {"view --preset nn --memory 6 --picture nn.png", "a picture of the window, without a window"}},
         1,
         run_view});
    table.push_back({"version", "", "print the version", "", {}, {{"version", ""}}, 0, run_version});
    table.push_back({"help", "[COMMAND]", "explain a command", "", {}, {{"help search", ""}}, 1, run_help});
    table.push_back({"completions",
                     "SHELL",
                     "completions for bash, zsh or fish",
                     "Prints a script made from the option table.",
                     {},
                     {{"completions bash > ~/.repetend.bash", "to source from ~/.bashrc"},
                      {"completions zsh > ~/.zfunc/_repetend", "with ~/.zfunc in fpath"},
                      {"completions fish > ~/.config/fish/completions/repetend.fish", ""}},
                     1,
                     run_completions});
    return table;
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> table = make_commands();
    return table;
}

const Command* find_command(std::string_view name) {
    for (const Command& command : commands()) {
        if (command.name == name) return &command;
    }
    return nullptr;
}

}  // namespace repetend::native
