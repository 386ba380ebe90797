// `repetend profile`, and models on clusters given to search.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "program_run.hpp"
#include "repetend/format/json.hpp"

using namespace repetend;
using namespace repetend::test;

namespace {

// The first line that holds a text.
std::string line_with(const std::string& text, const std::string& part) {
    const std::size_t at = text.find(part);
    if (at == std::string::npos) return {};
    const std::size_t begin = text.rfind('\n', at) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

}  // namespace

TEST_CASE("profile alone lists models and clusters", "[cli][profile]") {
    const Ran ran = run({"profile"});
    CHECK(ran.status == 0);
    for (const char* name : {"gpt-11b", "mt5-88b", "flava", "llama-2-70b", "mixtral-8x7b", "v100", "a100-80", "h100"}) {
        CHECK(contains(ran.out, std::string("\n  ") + name + ' '));
    }
}

TEST_CASE("profile prints a problem that search takes, with the result in a user's terms", "[cli][profile]") {
    const Ran made = run({"profile", "--model", "gpt-11b", "--cluster", "v100", "--placement", "m"});
    CHECK(made.status == 0);
    CHECK(made.err.empty());
    REQUIRE(read_problem(made.out));
    const Ran found = run({"search", "-", "--budget", "200000", "--micro-batches", "16"}, {made.out});
    CHECK(found.status == 0);
    CHECK(contains(found.out, "tokens/s"));
    CHECK(contains(found.out, "utilisation"));
    CHECK(contains(found.out, "weights 4.954 GiB, gradients 4.954 GiB"));
    const Ran direct = run({"search", "--model", "gpt-11b", "--cluster", "v100", "--placement", "m", "--budget",
                            "200000", "--micro-batches", "16", "--json"});
    CHECK(direct.status == 0);
    CHECK(contains(direct.out, "\"tokens_per_second\": "));
}

TEST_CASE("the table shows every term", "[cli][profile]") {
    const Ran ran = run({"profile", "--model", "gpt-11b", "--cluster", "v100", "--placement", "m", "--table"});
    CHECK(ran.status == 0);
    // 8 layers of 24bsh^2 and of 4bs^2h, at 50 TFLOP/s.
    CHECK(contains(line_with(ran.out, "f0 f1 f2 f3"), "8 layers, products with weights"));
    CHECK(contains(line_with(ran.out, "f0 f1 f2 f3"), "6.597 TFLOP"));
    CHECK(contains(line_with(ran.out, "f0 f1 f2 f3"), "131.9414 ms"));
    CHECK(contains(ran.out, "all-reduce of the lookup"));
    CHECK(contains(ran.out, "8,8,8,8 (32 of"));
    CHECK(contains(line_with(ran.out, "GPU 0 "), "19.82 GiB"));
    CHECK(contains(ran.out, "optimizer step"));
}

TEST_CASE("auto keeps the best placement that fits and says so", "[cli][profile]") {
    const Ran ran = run({"profile", "--model", "gpt-11b", "--cluster", "v100"});
    CHECK(ran.status == 0);
    CHECK(contains(ran.err, "repetend: placement m, "));  // the embedding fits on no single GPU
    CHECK(contains(ran.out, "\"x_profile\""));
    const Ran none = run({"profile", "--model", "gpt-175b", "--cluster", "v100"});
    CHECK(none.status == 2);
    CHECK(contains(none.err, "no placement fits: v (the static memory of GPU 0 is"));
}

TEST_CASE("mistakes of a profile are named", "[cli][profile]") {
    const Ran wrong =
        run({"profile", "--model", "gpt11b", "--cluster", "v10", "--partition", "balansed", "--gang", "3"});
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.err, "profile has no such option"));
    const Ran names = run({"profile", "--model", "gpt11b", "--cluster", "v10", "--partition", "balansed"});
    CHECK(names.status == 2);
    CHECK(names.out.empty());
    CHECK(names.err ==
          "repetend: --partition: 'balansed' is not balanced, uniform or numbers separated by commas; did you mean "
          "balanced?\n"
          "repetend: --model: there is no model `gpt11b`; did you mean `gpt-11b`?\n"
          "repetend: --cluster: there is no cluster `v10`; did you mean `v100`?\n");
    const Ran half = run({"profile", "--model", "gpt-11b"});
    CHECK(half.status == 2);
    CHECK(half.err == "repetend: --cluster: is missing; a profile needs a model and a cluster\n");
    const Ran both = run({"search", "--preset", "v", "--model", "gpt-11b"});
    CHECK(both.status == 2);
}

TEST_CASE("a model file of one's own, and its faults", "[cli][profile]") {
    const Folder folder;
    const std::string good = folder.write("model.json", R"({"format": "repetend.model", "version": 1, "name": "mine",
        "source": "me", "parts": [{"name": "p", "sequence": 128, "layers": [{"count": 30, "hidden": 256, "heads": 4}]}]})");
    const Ran made = run({"profile", "--model", good, "--cluster", "h100", "--placement", "v", "--micro-batches", "8"});
    CHECK(made.status == 0);
    CHECK(read_problem(made.out));
    const std::string bad = folder.write("bad.json", R"({"format": "repetend.model", "version": 1, "name": "mine",
        "source": "me", "parts": [{"name": "p", "sequnce": 128, "layers": []}]})");
    const Ran told = run({"profile", "--model", bad, "--cluster", "h100"});
    CHECK(told.status == 3);
    CHECK(contains(told.err, "repetend: " + bad +
                                 ": parts[0].sequnce: unknown field \"sequnce\"; did you mean "
                                 "\"sequence\"?\n"));
    CHECK(contains(told.err, ": parts[0].layers: at least one layer is needed\n"));
    const Ran absent = run({"profile", "--model", folder / "none.json", "--cluster", "h100"});
    CHECK(absent.status == 3);
    CHECK(contains(absent.err, "none.json: cannot be read"));
}
