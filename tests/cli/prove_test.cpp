// `prove`, `search --proof` and `check` of what they write.
#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "program_run.hpp"

using namespace repetend::test;

namespace {

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

TEST_CASE("a period is proved, written and checked", "[cli][prove]") {
    const Folder folder;
    const std::string path = folder / "nn.proof";
    const Ran proved = run({"prove", "--preset", "nn", "-m", "4", "-o", path});
    CHECK(proved.status == 0);
    CHECK(proved.out.empty());
    CHECK(contains(proved.err, "proved and checked: no schedule with an integer period below 9 ticks exists"));
    const Ran checked = run({"check", path});
    CHECK(checked.status == 0);
    CHECK(contains(checked.out, "proved: no schedule with an integer period below 9 ticks exists for one copy"));
    CHECK(contains(run({"check", path, "--json"}).out, R"("valid": true, "proof": {"period": 9, "copies": 1)"));

    // The same on standard output, packed, and on the way of a search.
    CHECK(run({"prove", "--preset", "nn", "-m", "4"}).out == file_text(path));
    const std::string packed = folder / "nn.proof.gz";
    CHECK(run({"prove", "--preset", "nn", "-m", "4", "-o", packed, "--gzip"}).status == 0);
    CHECK(file_text(packed).size() < file_text(path).size());
    CHECK(run({"check", packed}).out == checked.out);
    const std::string beside = folder / "beside.proof";
    CHECK(run({"search", "--preset", "nn", "-m", "4", "-q", "--proof", beside, "-o", folder / "r"}).status == 0);
    CHECK(run({"check", beside}).out == checked.out);
}

TEST_CASE("what is not proved is not accepted", "[cli][prove]") {
    const Folder folder;
    const std::string path = folder / "nn.proof";
    REQUIRE(run({"prove", "--preset", "nn", "-m", "4", "-o", path, "-q"}).status == 0);
    const std::string text = file_text(path);

    const std::string cut = folder / "cut.proof";
    write_text(cut, text.substr(0, text.size() / 2));
    CHECK(run({"check", cut}).status == 3);

    // More memory: the same period is no longer least.
    std::string relaxed = text;
    for (std::size_t at = 0; (at = relaxed.find("\"memory_capacity\": 4", at)) != std::string::npos; ++at)
        relaxed.replace(at, 20, "\"memory_capacity\": 8");
    REQUIRE(relaxed != text);
    const std::string other = folder / "relaxed.proof";
    write_text(other, relaxed);
    const Ran refused = run({"check", other});
    CHECK(refused.status == 6);
    CHECK(contains(refused.out, "not proved: clause"));

    // A proof about another problem than the one given.
    const std::string problem = folder / "m.json";
    REQUIRE(run({"presets", "m", "-m", "4", "-o", problem}).status == 0);
    const Ran foreign = run({"check", path, "--problem", problem});
    CHECK(foreign.status == 6);
    CHECK(contains(foreign.out, "for another problem than"));

    const Ran infeasible = run({"prove", "--preset", "v", "-m", "0"});
    CHECK(infeasible.status == 4);
    CHECK(contains(infeasible.err, "enough would be"));
}

TEST_CASE("a makespan is proved, written and checked", "[cli][prove]") {
    const Folder folder;
    const std::string path = folder / "m.proof";
    const Ran proved =
        run({"prove", "--preset", "m", "-m", "6", "-n", "8", "--objective", "makespan", "-o", path, "-q"});
    CHECK(proved.status == 0);
    const Ran checked = run({"check", path});
    CHECK(checked.status == 0);
    CHECK(contains(checked.out, "proved: no schedule of 8 micro-batches is shorter than 60 ticks"));
    CHECK(contains(run({"check", path, "--json"}).out, R"("proof": {"makespan": 60, "micro_batches": 8)"));

    std::string text = file_text(path);
    text.replace(text.find("\"device\": "), 11, "\"device\": 9");
    const std::string bent = folder / "bent.proof";
    write_text(bent, text);
    CHECK(run({"check", bent}).status == 6);

    // Proved by diagrams alone: no written form, and that is said.
    const Ran none = run({"prove", "--preset", "v", "-m", "3", "-n", "12", "--objective", "makespan"});
    CHECK(none.status == 5);
    CHECK(none.out.empty());
    CHECK(contains(none.err, "not in a form that can be written down"));
}
