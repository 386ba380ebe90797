// Bad input: one clear line a fault, the exit status of the contract, and nothing on standard output.
#include <catch2/catch_test_macros.hpp>

#include "program_run.hpp"

using namespace repetend::test;

namespace {

// Searches a problem text; the answer is checked to be well behaved.
Ran search(const std::string& text) {
    const Folder folder;
    const Ran ran = run({"search", folder.write("p.json", text), "--timeout", "20s"});
    for (const std::string& line : lines_of(ran.err)) {
        INFO(line);
        CHECK(line.rfind("repetend: ", 0) == 0);
    }
    return ran;
}

void refused(const std::string& text, const std::string& expected) {
    const Ran ran = search(text);
    CAPTURE(ran.err);
    CHECK(ran.status == 3);
    CHECK(ran.out.empty());
    CHECK(contains(ran.err, "p.json: "));
    CHECK(contains(ran.err, expected));
}

}  // namespace

TEST_CASE("the problem that the cases below spoil is itself good", "[cli][bad]") {
    CHECK(search(small_problem()).status == 0);
}

TEST_CASE("text that is no JSON is refused with line and column", "[cli][bad]") {
    refused("", "line 1 column 1");
    refused("hello", "line 1 column 1");
    refused("{", "line 1 column");
    const std::string whole = small_problem();
    refused(whole.substr(0, whole.size() / 2), "line ");
    refused(replaced(whole, "\"small\"", "\"small"), "line ");
    refused(replaced(whole, "\"time\": 1", "\"time\": NaN"), "line 3 column");
    refused(replaced(whole, "\"time\": 1", "\"time\": Infinity"), "line 3 column");
    refused(std::string(3, '\0'), "line 1 column");
    refused("\xff\xfe{\x01}", "line 1 column");
}

TEST_CASE("every truncation of a problem is refused without a crash", "[cli][bad]") {
    const std::string whole = small_problem();
    for (std::size_t length = 1; length + 3 < whole.size(); length += 61) {
        INFO(length);
        CHECK(search(whole.substr(0, length)).status == 3);
    }
}

TEST_CASE("deep nesting is refused", "[cli][bad]") {
    refused(std::string(200'000, '['), "line 1 column");
    std::string deep;
    for (int i = 0; i < 50'000; ++i) deep += "{\"a\":";
    refused(deep, "line 1 column");
}

TEST_CASE("values of the wrong type are refused with their path", "[cli][bad]") {
    refused("[]", "object");
    refused("3", "object");
    refused(replaced(small_problem(), "\"time\": 1", "\"time\": \"1\""), "blocks[0].time: ");
    refused(replaced(small_problem(), "\"time\": 1", "\"time\": 1.5"), "blocks[0].time: ");
    refused(replaced(small_problem(), "\"time\": 1", "\"time\": null"), "blocks[0].time: ");
    refused(replaced(small_problem(), "\"name\": \"small\"", "\"name\": 7"), "name: ");
    refused(replaced(small_problem(), "\"devices\": [0]", "\"devices\": 0"), "blocks[0].devices: ");
    refused(replaced(small_problem(), "\"from\": \"f0\"", "\"from\": 0"), "dependencies[0].from: ");
    refused(replaced(small_problem(), "\"version\": 1", "\"version\": 2"), "version: ");
    refused(replaced(small_problem(), "repetend.problem", "repetend.schedule"), "repetend.schedule");
}

TEST_CASE("numbers out of range are refused", "[cli][bad]") {
    for (const char* number : {"0", "-1", "9007199254740993", "99999999999999999999999999", "1e400", "1e3"}) {
        INFO(number);
        refused(replaced(small_problem(), "\"time\": 1", std::string("\"time\": ") + number), "blocks[0].time: ");
    }
    refused(replaced(small_problem(), "\"micro_batches\": 3", "\"micro_batches\": 0"), "micro_batches: ");
    refused(replaced(small_problem(), "\"memory_capacity\": 2", "\"memory_capacity\": 9007199254740993"),
            "devices[0].memory_capacity: ");
}

TEST_CASE("a schedule that would end after the largest time is refused", "[cli][bad]") {
    const Folder folder;
    // 4 * 10^15 ticks a micro-batch on the one device: two end before 2^53, three do not.
    const std::string long_problem = folder.write("long.json", R"({"format": "repetend.problem", "version": 1,
        "devices": [{}], "blocks": [{"name": "a", "devices": [0], "time": 4000000000000000}], "dependencies": []})");
    CHECK(run({"search", long_problem, "-n", "2"}).status == 0);
    const Ran ran = run({"search", long_problem, "-n", "3"});
    CHECK(ran.status == 2);
    CHECK(contains(ran.err, "at least 12000000000000000 ticks, more than 2^53"));
}

TEST_CASE("names that are used twice, unknown or circular are refused", "[cli][bad]") {
    refused(replaced(small_problem(), "\"name\": \"f1\"", "\"name\": \"f0\""), "blocks[1].name: ");
    refused(replaced(small_problem(), "\"to\": \"f1\"", "\"to\": \"f7\""), "dependencies[0].to: ");
    refused(replaced(small_problem(), "\"devices\": [1]", "\"devices\": [9]"),
            "blocks[1].devices[0]: device 9 does not exist (there are 2)");
    refused(replaced(small_problem(), "\"devices\": [1]", "\"devices\": [1, 1]"), "blocks[1].devices[1]: ");
    refused(replaced(small_problem(), "{\"from\": \"b1\", \"to\": \"b0\"}", "{\"from\": \"b1\", \"to\": \"f0\"}"),
            "dependencies");
    refused(replaced(small_problem(), "\"time\": 1", "\"tmie\": 1"), "time");
}

TEST_CASE("empty arrays are refused", "[cli][bad]") {
    refused(replaced(small_problem(), "[{\"memory_capacity\": 2}, {\"memory_capacity\": 2}]", "[]"), "devices: ");
    refused(replaced(small_problem(), "\"devices\": [0]", "\"devices\": []"), "blocks[0].devices: ");
    refused(R"({"format": "repetend.problem", "version": 1, "devices": [{}], "blocks": [], "dependencies": []})",
            "blocks: ");
}

TEST_CASE("all faults are told, and of very many the first and how many more", "[cli][bad]") {
    const Ran two =
        search(replaced(replaced(small_problem(), "\"time\": 1", "\"time\": 0"), "\"to\": \"f1\"", "\"to\": \"f7\""));
    CHECK(two.status == 3);
    CHECK(contains(two.err, "blocks[0].time: "));
    CHECK(contains(two.err, "dependencies[0].to: "));

    std::string many =
        R"({"format": "repetend.problem", "version": 1, "devices": [{}], "dependencies": [], "blocks": [)";
    for (int i = 0; i < 50; ++i) {
        many += (i == 0 ? "" : ",") + ("{\"name\": \"b" + std::to_string(i) + "\", \"devices\": [0], \"time\": 0}");
    }
    const Ran ran = search(many + "]}");
    CHECK(ran.status == 3);
    CHECK(lines_of(ran.err).size() == 21);
    CHECK(contains(lines_of(ran.err).back(), "and 30 more"));
}

TEST_CASE("control characters from a file do not reach the terminal", "[cli][bad]") {
    const Ran ran = search(replaced(small_problem(), "\"to\": \"f1\"", "\"to\": \"\\u001b[31mf1\\u0007\""));
    CHECK(ran.status == 3);
    CHECK(ran.err.find('\x1b') == std::string::npos);
    CHECK(ran.err.find('\x07') == std::string::npos);
}

TEST_CASE("a capacity below one block's need is infeasible and says where", "[cli][bad]") {
    const std::string tight = replaced(small_problem(), "\"memory_capacity\": 2", "\"memory_capacity\": 0");
    for (const bool json : {false, true}) {
        const Folder folder;
        std::vector<std::string> words = {"search", folder.write("p.json", tight)};
        if (json) words.emplace_back("--json");
        const Ran ran = run(words);
        CHECK(ran.status == 4);
        CHECK(lines_of(ran.err).size() == 1);
        CHECK(contains(ran.err, "infeasible"));
        CHECK(contains(ran.err, "f0"));
        CHECK(contains(ran.err, "device 0"));
        CHECK(contains(ran.err, "1"));  // what would be enough
        if (json) CHECK(contains(ran.out, "\"status\": \"infeasible\""));
        if (json) CHECK(contains(ran.out, "\"schedule\": null"));
    }
    CHECK(run({"search", "--preset", "k", "--memory", "1"}).status == 4);
    CHECK(run({"frontier", "--preset", "k", "--memory", "1"}).status == 4);
}

TEST_CASE("what cannot be read is an input/output failure in one line", "[cli][bad]") {
    const Folder folder;
    for (const char* command : {"search", "frontier", "check", "show"}) {
        INFO(command);
        const Ran missing = run({command, folder / "missing.json"});
        CHECK(missing.status == 1);
        CHECK(lines_of(missing.err).size() == 1);
        CHECK(contains(missing.err, "missing.json: "));
        const Ran directory = run({command, folder / ""});
        CHECK(directory.status == 1);
        CHECK(lines_of(directory.err).size() == 1);
        CHECK(contains(directory.err, "is a directory"));
    }
    CHECK(run({"convert", folder / "missing.json", "--to", "svg"}).status == 1);
}

TEST_CASE("what cannot be written is an input/output failure, told before the search", "[cli][bad]") {
    const Folder folder;
    const Ran nowhere = run({"search", "--preset", "nn", "-d", "32", "-m", "32", "-o", folder / "none/result.json"});
    CHECK(nowhere.status == 1);
    CHECK(nowhere.seconds < 2);
    CHECK(lines_of(nowhere.err).size() == 1);
    CHECK(contains(nowhere.err, "none/result.json: cannot be written"));
    const Ran directory = run({"search", "--preset", "v", "-o", folder / ""});
    CHECK(directory.status == 1);
    CHECK(lines_of(directory.err).size() == 1);
    const Ran full = run({"search", "--preset", "v"}, {.output_device = "/dev/full"});
    CHECK(full.status == 1);
    CHECK(contains(full.err, "standard output: cannot be written"));
    CHECK(run({"help"}, {.output_device = "/dev/full"}).status == 1);
    CHECK(run({"search", "--preset", "v", "-o", "/dev/full"}).status == 1);
}

TEST_CASE("bad schedules, plans and tables are refused by every command that reads them", "[cli][bad]") {
    const Folder folder;
    const std::string problem = folder.write("p.json", small_problem());
    const std::vector<std::string> texts = {"",
                                            "{",
                                            "[1, 2",
                                            "nonsense",
                                            small_problem(),
                                            R"({"format": "repetend.schedule", "version": 1})",
                                            R"({"format": "repetend.result", "version": 1, "schedule": null})",
                                            R"({"ndevs": 2, "blocks": [{"mid": -1}]})",
                                            "block,micro_batch,start\nf0,0,nan\n",
                                            "block,micro_batch,start\nq9,0,0\n"};
    for (const std::string& text : texts) {
        INFO(text);
        const std::string file = folder.write("bad", text);
        for (const std::vector<std::string>& words :
             std::vector<std::vector<std::string>>{{"check", file, "--problem", problem},
                                                   {"show", file, "--problem", problem},
                                                   {"convert", file, "--to", "schedule", "--problem", problem}}) {
            const Ran ran = run(words);
            CAPTURE(words.front(), ran.err);
            CHECK(ran.status == 3);
            CHECK(ran.out.empty());
            CHECK(ran.err.rfind("repetend: ", 0) == 0);
        }
    }
}
