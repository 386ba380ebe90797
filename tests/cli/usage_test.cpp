// The command line as such: commands, options, help, completions, exit status 2.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "commands.hpp"
#include "exit_status.hpp"
#include "help.hpp"
#include "program_run.hpp"

using namespace repetend;
using namespace repetend::test;

TEST_CASE("an unknown command is answered with the nearest known one", "[cli][usage]") {
    const Ran ran = run({"serch", "--preset", "v"});
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err == "repetend: serch: unknown command; did you mean search? (`repetend help` lists them)\n");
}

TEST_CASE("without a command the help is on standard error and the status is usage", "[cli][usage]") {
    const Ran ran = run({});
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, "a command is missing"));
    CHECK(contains(ran.err, "repetend search"));
}

TEST_CASE("every usage error is one line that names the option", "[cli][usage]") {
    struct Case {
        std::vector<std::string> words;
        std::string expected;
    };
    const std::vector<Case> cases = {
        {{"search", "--preset", "v", "--devces", "4"}, "--devces: unknown option of search; did you mean --devices?"},
        {{"search", "--preset", "v", "--devices"}, "--devices: a value is missing"},
        {{"search", "--preset", "v", "--devices", "four"}, "--devices: 'four' is not a whole number"},
        {{"search", "--preset", "v", "--devices", "0"}, "--devices: '0' is out of range: 1 to 4096 expected"},
        {{"search", "--preset", "v", "--memory", "-3"}, "--memory: '-3' is out of range"},
        {{"search", "--preset", "v", "--memory", "1,2"}, "--memory: 2 values for 4 devices"},
        {{"search", "--preset", "v", "--json=3"}, "--json: takes no value"},
        {{"search", "--preset", "v", "--timeout", "soon"}, "--timeout: 'soon' is not a time"},
        {{"search", "--preset", "v", "--budget", "99999999999999999999"},
         "--budget: '99999999999999999999' is out of range"},
        {{"search", "--preset", "v", "--objective", "speed"}, "--objective: 'speed' is not one of makespan|period"},
        {{"search", "--preset", "v", "--copies", "0"}, "--copies: '0' is out of range"},
        {{"search", "--preset", "v", "--to", "svg"}, "--to: search has no such option"},
        {{"search", "--preset", "nothing-like-it"}, "there is no preset `nothing-like-it`"},
        {{"search", "--preset", "k", "--devices", "5"}, "--devices: `k` needs an even number of devices, not 5"},
        {{"search", "--preset", "v", "--chunks", "2"}, "--chunks: "},
        {{"search", "--preset", "v", "some.json"}, "some.json: give a FILE or --preset, not both"},
        {{"search"}, "a FILE or --preset NAME is missing"},
        {{"search", "a.json", "b.json"}, "b.json: unexpected"},
        {{"search", "a.json", "--gang", "4"}, "--gang: goes with --preset, not with a FILE"},
        {{"frontier", "--preset", "v", "--json", "--csv"}, "give one of --json, --csv and --svg"},
        {{"frontier", "--preset", "v", "--memory", "1,2,3,4"}, "--memory: one capacity for all devices is expected"},
        {{"check"}, "FILE is missing"},
        {{"show"}, "FILE is missing"},
        {{"convert"}, "FILE is missing"},
        {{"convert", "a.json"}, "--to: is missing"},
        {{"convert", "a.json", "--to", "pdf"}, "--to: 'pdf' is not one of"},
        {{"presets", "--devices", "4"}, "--devices: goes with the NAME of a preset"},
        {{"presets", "nothing-like-it"}, "there is no preset `nothing-like-it`"},
        {{"completions"}, "SHELL is missing"},
        {{"completions", "fisch"}, "fisch: unknown shell; did you mean fish?"},
        {{"help", "serch"}, "serch: unknown command; did you mean search?"},
        {{"--json", "search"}, "--json: the command comes first"},
    };
    for (const Case& one : cases) {
        std::string line;
        for (const std::string& word : one.words) line += word + ' ';
        INFO(line);
        const Ran ran = run(one.words);
        CHECK(ran.status == 2);
        CHECK(ran.out.empty());
        CAPTURE(ran.err);
        CHECK(ran.err.rfind("repetend: ", 0) == 0);
        CHECK(contains(ran.err, one.expected));
        CHECK(lines_of(ran.err).size() == 1);
    }
}

TEST_CASE("all usage errors are told at once", "[cli][usage]") {
    const Ran ran = run({"search", "--preset", "v", "--devices", "x", "--seed", "y", "--colour", "never"});
    CHECK(ran.status == 2);
    CHECK(lines_of(ran.err).size() == 3);
    CHECK(contains(ran.err, "--colour: unknown option of search; did you mean --color?"));
}

TEST_CASE("options may come in any order and form", "[cli][usage]") {
    const std::string expected = run({"presets", "v", "--devices", "3", "--micro-batches", "5"}).out;
    REQUIRE(contains(expected, "\"micro_batches\": 5"));
    CHECK(run({"presets", "--micro-batches=5", "--devices=3", "v"}).out == expected);
    CHECK(run({"presets", "-d", "3", "v", "-n5"}).out == expected);
    CHECK(run({"presets", "v", "-d", "8", "-d", "3", "-n", "5"}).out == expected);  // the last one counts
    CHECK(run({"presets", "-d", "3", "-n", "5", "--", "v"}).out == expected);
}

TEST_CASE("the short helps fit one screen of 80 by 24 and begin with examples", "[cli][help]") {
    const auto fits = [](const std::string& text) {
        const std::vector<std::string> lines = lines_of(text);
        CHECK(lines.size() <= 24);
        for (const std::string& line : lines) {
            INFO(line);
            CHECK(line.size() <= 80);
        }
    };
    const Ran top = run({"-h"});
    CHECK(top.status == 0);
    CHECK(top.err.empty());
    fits(top.out);
    CHECK(lines_of(top.out)[2].rfind("  repetend search ", 0) == 0);
    for (const native::Command& command : native::commands()) {
        INFO(command.name);
        const Ran ran = run({std::string(command.name), "-h"});
        CHECK(ran.status == 0);
        fits(ran.out);
        CHECK(ran.out.rfind("  repetend " + std::string(command.name), 0) == 0);
    }
}

TEST_CASE("the long helps explain every option of the command", "[cli][help]") {
    for (const native::Command& command : native::commands()) {
        INFO(command.name);
        const Ran ran = run({"help", std::string(command.name)});
        CHECK(ran.status == 0);
        CHECK(run({std::string(command.name), "--help"}).out == ran.out);
        for (const std::string_view option : command.options) {
            INFO(option);
            REQUIRE(find_option(option) != nullptr);
            CHECK(contains(ran.out, "--" + std::string(option)));
        }
    }
}

TEST_CASE("the help lists the exit statuses of the contract", "[cli][help]") {
    const std::vector<std::pair<int, std::string>> contract = {{0, "a result was produced"},
                                                               {1, "internal or input/output failure"},
                                                               {2, "usage"},
                                                               {3, "bad input"},
                                                               {4, "proved infeasible"},
                                                               {5, "a limit was reached with nothing found"},
                                                               {6, "check or compare found a violation"},
                                                               {130, "interrupted"}};
    REQUIRE(native::exit_status_table().size() == contract.size());
    const std::string help = run({"help"}).out;
    for (std::size_t i = 0; i < contract.size(); ++i) {
        INFO(contract[i].first);
        CHECK(native::exit_status_table()[i].status == contract[i].first);
        CHECK(contains(help, " " + std::to_string(contract[i].first) + "  " + contract[i].second));
    }
}

TEST_CASE("the manual page in the repository is the one that the program prints", "[cli][help]") {
    std::ifstream file(source_dir() / "native" / "repetend.1", std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), {}};
    // After a change of a table: repetend help man > native/repetend.1
    CHECK(committed == native::manual_page());
    CHECK(run({"help", "man"}).out == committed);
}

TEST_CASE("the version is one line, by command and by option", "[cli][help]") {
    const Ran ran = run({"version"});
    CHECK(ran.status == 0);
    CHECK(ran.out == "repetend " REPETEND_VERSION "\n");
    CHECK(run({"--version"}).out == ran.out);
}

TEST_CASE("completions know every command, option and word", "[cli][completions]") {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        INFO(shell);
        const Ran ran = run({"completions", shell});
        CHECK(ran.status == 0);
        CHECK(ran.err.empty());
        for (const native::Command& command : native::commands()) {
            CHECK(contains(ran.out, std::string(command.name)));
            for (const std::string_view option : command.options) {
                INFO(option);
                const std::string form =
                    std::string(shell) == "fish" ? "-l " + std::string(option) : "--" + std::string(option);
                CHECK(contains(ran.out, form));
                for (const std::string& word : option_words(*find_option(option))) CHECK(contains(ran.out, word));
            }
        }
        CHECK(contains(ran.out, "nn-eager"));
    }
}

TEST_CASE("presets are listed, and each prints as a problem that can be read again", "[cli][presets]") {
    const Ran list = run({"presets"});
    REQUIRE(list.status == 0);
    for (const char* name : {"v", "x", "m", "nn", "nn-eager", "k", "mllm", "finetune", "alphafold", "zb-v",
                             "interleaved", "v-split", "gpt-v100x4", "mt5-v100x4", "flava-v100x4"}) {
        INFO(name);
        CHECK(contains("\n" + list.out, std::string("\n") + name + " "));
        const Ran problem = run({"presets", name});
        CHECK(problem.status == 0);
        CHECK(problem.out.rfind("{\n  \"format\": \"repetend.problem\"", 0) == 0);
        const Ran again = run({"convert", "-", "--to", "problem"}, {.input = problem.out});
        CHECK(again.status == 0);
        CHECK(again.out == problem.out);
    }
}
