// Reading and writing of `repetend.problem`: what is accepted means what the contract says, and every class of
// bad input is answered with its path, its kind and what was expected.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "repetend/format/json.hpp"

using namespace repetend;

namespace {

// A whole document around the parts that a test is about.
std::string document(const std::string& devices, const std::string& blocks, const std::string& dependencies,
                     const std::string& more = "") {
    return R"({"format": "repetend.problem", "version": 1, "name": "test", "devices": )" + devices + R"(, "blocks": )" +
           blocks + R"(, "dependencies": )" + dependencies + more + "}";
}

std::string with_block(const std::string& block) { return document("[{}, {}]", "[" + block + "]", "[]"); }

Faults faults_of(const std::string& text) {
    const Result<Problem> result = read_problem(text);
    return result ? Faults{} : result.faults();
}

// The one fault of a document, as `path: message`.
std::string only_fault(const std::string& text) {
    const Faults faults = faults_of(text);
    if (faults.size() == 1) return to_string(faults[0]);
    std::string all = std::to_string(faults.size()) + " faults";
    for (const Fault& fault : faults) all += "\n" + to_string(fault);
    return all;
}

FaultCode only_code(const std::string& text) {
    const Faults faults = faults_of(text);
    REQUIRE(faults.size() == 1);
    return faults[0].code;
}

const std::string two_blocks =
    R"([{"name": "a", "devices": [0], "time": 1}, {"name": "b", "devices": [1], "time": 2}])";

}  // namespace

TEST_CASE("every field of a problem arrives in the value") {
    const Result<Problem> result = read_problem(R"({
        "format": "repetend.problem", "version": 1, "name": "n", "time_unit": "ns", "memory_unit": "byte",
        "devices": [{"name": "gpu", "kind": "compute", "memory_capacity": 9007199254740992, "memory_static": 3},
                    {"kind": "link", "memory_capacity": null}, {}],
        "blocks": [{"name": "f", "kind": "input_gradient", "stage": -2, "devices": [2, 0], "time": 9, "memory": [4, -5],
                    "transient": [0, 7], "x_note": {"a": [1.50, "é"]}},
                   {"name": "g", "devices": [1, 2], "time": 1, "memory": 6}],
        "dependencies": [{"from": "g", "to": "f", "lag": 8}, {"from": "g", "to": "f"}],
        "micro_batches": 12, "x_origin": "hand"})");
    REQUIRE(result);
    const Problem& problem = *result;
    CHECK(problem.name == "n");
    CHECK(problem.time_unit == "ns");
    CHECK(problem.memory_unit == "byte");
    REQUIRE(problem.devices.size() == 3);
    CHECK(problem.devices[0].name == "gpu");
    CHECK(problem.devices[0].memory_capacity == std::optional<Memory>(9007199254740992));
    CHECK(problem.devices[0].memory_static == 3);
    CHECK(problem.devices[1].kind == DeviceKind::link);
    CHECK_FALSE(problem.devices[1].memory_capacity);
    CHECK_FALSE(problem.devices[2].memory_capacity);
    REQUIRE(problem.blocks.size() == 2);
    CHECK(problem.blocks[0].kind == BlockKind::input_gradient);
    CHECK(problem.blocks[0].stage == std::optional<std::int64_t>(-2));
    CHECK(problem.blocks[0].devices == std::vector<int>{2, 0});
    CHECK(problem.blocks[0].time == 9);
    CHECK(problem.blocks[0].memory == std::vector<Memory>{4, -5});
    CHECK(problem.blocks[0].transient == std::vector<Memory>{0, 7});
    CHECK(problem.blocks[0].extra == ExtraFields{{"x_note", R"({"a": [1.50, "é"]})"}});
    CHECK(problem.blocks[1].kind == BlockKind::other);
    CHECK(problem.blocks[1].memory == std::vector<Memory>{6, 6});
    CHECK(problem.blocks[1].transient == std::vector<Memory>{0, 0});
    REQUIRE(problem.dependencies.size() == 2);
    CHECK(problem.dependencies[0] == Dependency{1, 0, 8, {}});
    CHECK(problem.dependencies[1] == Dependency{1, 0, 0, {}});
    CHECK(problem.micro_batches == std::optional<std::int64_t>(12));
    CHECK(problem.extra == ExtraFields{{"x_origin", "\"hand\""}});
}

TEST_CASE("a written problem reads back as the same value and writes the same bytes") {
    const std::string text =
        document(R"([{"name": "q\"\\\n\u0001é", "memory_capacity": 0}, {"kind": "link", "x_a": null}])",
                 R"([{"name": "ü", "devices": [1, 0], "time": 3, "memory": [1, 2], "transient": 4},
                                          {"name": "b", "kind": "transfer", "stage": 0, "devices": [1], "time": 1}])",
                 R"([{"from": "ü", "to": "b", "lag": 2, "x_why": [true, 1e5]}])", R"(, "x_z": {})");
    const Result<Problem> first = read_problem(text);
    REQUIRE(first);
    const std::string written = write_problem(*first);
    const Result<Problem> second = read_problem(written);
    REQUIRE(second);
    CHECK(*second == *first);
    CHECK(write_problem(*second) == written);
}

TEST_CASE("a byte order mark is accepted") {
    CHECK(read_problem("\xef\xbb\xbf" + document("[{}, {}]", two_blocks, "[]")));
}

TEST_CASE("text that is no JSON is answered with line, column and what was expected") {
    CHECK(only_fault("") == "line 1 column 1: the text is empty; expected a JSON object");
    CHECK(only_fault(" \n\t") == "line 1 column 1: the text is empty; expected a JSON object");
    CHECK(only_fault("{\n  \"a\": 1,\n}") == "line 3 column 1: unexpected '}'; expected a string in double quotes");
    CHECK(only_fault("{\"é\": NaN}") ==
          "line 1 column 7: \"NaN\" is no JSON value; expected a number, a string, true, false, null, an array or an "
          "object");
    CHECK(only_fault("{\"a\": 1") == "line 1 column 8: the text ends too early; expected '}'");
    CHECK(only_fault("[1, 2") == "line 1 column 6: the text ends too early; expected ']'");
    CHECK(only_fault("{\"a\" 1}") == "line 1 column 6: unexpected number literal; expected ':'");
    CHECK(only_fault("{\"a\": \"\xff\"}") == "line 1 column 8: a byte that is not UTF-8");
    CHECK(only_fault("\xff\xfe{") == "line 1 column 1: the text is UTF-16; expected UTF-8");
    CHECK(only_fault("{} {}") == "line 1 column 4: unexpected '{'; expected end of input");
    for (const char* text :
         {"{", "nul", "{\"a\": 01}", "{\"a\": .5}", "{'a': 1}", "{\"a\": \"\\ud800\"}", "/* */ {}"}) {
        CAPTURE(text);
        CHECK(only_code(text) == FaultCode::syntax);
    }
}

TEST_CASE("every cut of a valid document is refused") {
    const std::string text = document("[{}, {}]", two_blocks, R"([{"from": "a", "to": "b"}])");
    REQUIRE(read_problem(text));
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK(only_code(text.substr(0, length)) == FaultCode::syntax);
    }
}

TEST_CASE("nesting is bounded, however deep the text goes") {
    const std::string deep(1'000'000, '[');
    CHECK(only_fault(deep) == "line 1 column 65: nested deeper than 64 levels");
    std::string objects;
    for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
    CHECK(only_code(objects) == FaultCode::limit);
    // 64 levels are read: the fault is then about the content.
    const std::string allowed =
        R"({"format": "repetend.problem", "version": 1, "devices": [{}], "dependencies": [], "blocks":
        [{"name": "a", "devices": [0], "time": 1, "x_deep": )" +
        std::string(61, '[') + std::string(61, ']') + "}]}";
    CHECK(read_problem(allowed));
}

TEST_CASE("a field given twice is refused") {
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [0], "time": 1, "time": 1})")) ==
          "blocks[0].time: the field is given twice");
    CHECK(only_fault(document("[{}, {}]", two_blocks, "[]", R"(, "name": "again")")) ==
          "name: the field is given twice");
    CHECK(only_fault(document("[{}, {}]", two_blocks, "[]", R"(, "x_a": {"k": [{"b": 1, "b": 2}]})")) ==
          "x_a.k[0].b: the field is given twice");
}

TEST_CASE("unknown fields are refused with the nearest known name; x_ fields are kept") {
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [0], "time": 1, "memroy": 1})")) ==
          "blocks[0].memroy: unknown field \"memroy\"; did you mean \"memory\"?");
    CHECK(only_fault(document(R"([{"capacity": 4}, {}])", two_blocks, "[]")).substr(0, 43) ==
          "devices[0].capacity: unknown field \"capacit");
    CHECK(only_fault(document("[{}, {}]", two_blocks, R"([{"from": "a", "to": "b", "delay": 1}])")) ==
          "dependencies[0].delay: unknown field \"delay\"; expected one of from, to, lag");
    CHECK(only_fault(document("[{}, {}]", two_blocks, "[]", R"(, "microbatches": 3)")) ==
          "microbatches: unknown field \"microbatches\"; did you mean \"micro_batches\"?");
    CHECK(only_fault(document("[{}, {}]", two_blocks, "[]", R"(, "X_note": 3)")).substr(0, 6) == "X_note");
}

TEST_CASE("numbers must be integers in their range") {
    const auto time = [](const std::string& value) {
        return only_fault(with_block(R"({"name": "a", "devices": [0], "time": )" + value + "}"));
    };
    CHECK(time("1.0") == "blocks[0].time: expected an integer without fraction or exponent, found 1.0");
    CHECK(time("1e3") == "blocks[0].time: expected an integer without fraction or exponent, found 1e3");
    CHECK(time("true") == "blocks[0].time: expected an integer, found true");
    CHECK(time("\"4\"") == "blocks[0].time: expected an integer, found the text \"4\"");
    CHECK(time("null") == "blocks[0].time: expected an integer, found null");
    CHECK(time("[1]") == "blocks[0].time: expected an integer, found an array");
    CHECK(time("{}") == "blocks[0].time: expected an integer, found an object");
    const std::string range = "blocks[0].time: expected an integer from 1 to 9007199254740992, found ";
    CHECK(time("0") == range + "0");
    CHECK(time("-1") == range + "-1");
    CHECK(time("9007199254740993") == range + "9007199254740993");
    CHECK(time("18446744073709551615") == range + "18446744073709551615");
    CHECK(time("123456789012345678901234567890") == range + "123456789012345678901234567890");
    CHECK(time("1e999") == "blocks[0].time: the number is too large; expected an integer up to 2^53");
    CHECK(read_problem(with_block(R"({"name": "a", "devices": [0], "time": 9007199254740991})")));
}

TEST_CASE("memory and transients are integers or arrays parallel to the devices") {
    const auto block = [](const std::string& rest) {
        return only_fault(with_block(R"({"name": "a", "devices": [0, 1], "time": 1, )" + rest + "}"));
    };
    CHECK(block(R"("memory": "much")") ==
          "blocks[0].memory: expected an integer or an array of integers, found the text \"much\"");
    CHECK(block(R"("memory": [1, 0.5])") ==
          "blocks[0].memory[1]: expected an integer without fraction or exponent, found 0.5");
    CHECK(block(R"("memory": [1])").substr(0, 17) == "blocks[0].memory:");
    CHECK(block(R"("transient": -1)") ==
          "blocks[0].transient: expected an integer from 0 to 9007199254740992, found -1");
    CHECK(block(R"("transient": [0, -3])") ==
          "blocks[0].transient[1]: expected an integer from 0 to 9007199254740992, found -3");
    CHECK(block(R"("memory": -9007199254740993)").substr(0, 17) == "blocks[0].memory:");
}

TEST_CASE("devices must exist") {
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [0, 9], "time": 1})")) ==
          "blocks[0].devices[1]: device 9 does not exist (there are 2)");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [-1], "time": 1})")) ==
          "blocks[0].devices[0]: device -1 does not exist (there are 2)");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [99999999999], "time": 1})")) ==
          "blocks[0].devices[0]: device 99999999999 does not exist (there are 2)");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [1, 1], "time": 1})")).substr(0, 20) ==
          "blocks[0].devices[1]");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [], "time": 1})")).substr(0, 18) == "blocks[0].devices:");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": 0, "time": 1})")) ==
          "blocks[0].devices: expected an array, found 0");
}

TEST_CASE("kinds must be known") {
    CHECK(only_fault(with_block(R"({"name": "a", "kind": "foward", "devices": [0], "time": 1})")) ==
          "blocks[0].kind: unknown kind \"foward\"; did you mean \"forward\"?");
    CHECK(only_fault(document(R"([{"kind": "tpu"}, {}])", two_blocks, "[]")) ==
          "devices[0].kind: unknown kind \"tpu\"; expected compute or link");
    CHECK(only_fault(document(R"([{"kind": 3}, {}])", two_blocks, "[]")) ==
          "devices[0].kind: expected a text, found 3");
}

TEST_CASE("names are unique, dependencies name blocks and form no cycle") {
    CHECK(only_code(document("[{}]",
                             R"([{"name": "a", "devices": [0], "time": 1}, {"name": "a", "devices": [0], "time": 1}])",
                             "[]")) == FaultCode::duplicate);
    CHECK(only_fault(document("[{}, {}]", two_blocks, R"([{"from": "a", "to": "b"}, {"from": "c", "to": "b"}])")) ==
          "dependencies[1].from: block \"c\" does not exist");
    CHECK(only_fault(document("[{}, {}]", two_blocks, R"([{"from": "a", "to": 1}])")) ==
          "dependencies[0].to: expected a text, found 1");
    CHECK(only_fault(document("[{}, {}]", two_blocks, R"([{"to": "b"}])")) ==
          "dependencies[0].from: missing; expected a text");
    const Faults cycle =
        faults_of(document("[{}, {}]", two_blocks, R"([{"from": "a", "to": "b"}, {"from": "b", "to": "a"}])"));
    REQUIRE(cycle.size() == 1);
    CHECK(cycle[0].code == FaultCode::cycle);
    CHECK(cycle[0].message.find("a -> b") != std::string::npos);
}

TEST_CASE("required fields and empty arrays are named") {
    CHECK(only_fault(R"({"format": "repetend.problem", "version": 1, "devices": [{}], "dependencies": []})") ==
          "blocks: missing; expected an array");
    CHECK(only_fault(with_block(R"({"name": "a", "devices": [0]})")) == "blocks[0].time: missing; expected an integer");
    CHECK(only_fault(with_block(R"({"name": "a", "time": 1})")) == "blocks[0].devices: missing; expected an array");
    CHECK(only_fault(document("[{}]", "[]", "[]")).substr(0, 7) == "blocks:");
    CHECK(only_fault(with_block("7")) == "blocks[0]: expected an object, found 7");
    CHECK(only_fault("[]") == "expected an object, found an empty array");
    CHECK(only_fault(document("[{}, {}]", two_blocks, "[]", R"(, "micro_batches": 0)")) ==
          "micro_batches: expected an integer from 1 to 2147483648, found 0");
}

TEST_CASE("another kind of document and another version are told apart") {
    CHECK(only_fault(R"({"format": "repetend.schedule", "version": 1, "operations": [1]})") ==
          "format: this is a repetend.schedule, a repetend.problem was expected");
    CHECK(only_fault(R"({"format": "onnx"})") == "format: this is a \"onnx\", a repetend.problem was expected");
    const Faults version = faults_of(R"({"format": "repetend.problem", "version": 2, "devices": [], "new": 1})");
    REQUIRE(version.size() == 1);
    CHECK(version[0].code == FaultCode::unsupported);
    CHECK(to_string(version[0]) == "version: version 2 cannot be read; expected 1");
    CHECK(document_format(R"({"devices": [], "format": "repetend.schedule", )") == "repetend.schedule");
    CHECK(document_format(R"({"a": {"format": "repetend.schedule"}})").empty());
    CHECK(document_format(R"({"format": 3, "a": "b"})").empty());
    CHECK(document_format("ndevs").empty());
    CHECK(document_format(std::string(100'000, '[')).empty());
}

TEST_CASE("all faults are answered, not only the first") {
    const Faults faults = faults_of(document(
        R"([{"memory_capacity": "big"}, {"nme": "x"}])",
        R"([{"name": "a", "devices": [0, 7], "time": 1.5}, {"name": "b", "kind": "x", "devices": [1], "time": 0, "memory": [1, 2]}])",
        R"([{"from": "a", "to": "zz"}, {"from": "b", "to": "a", "lag": -4}, {"from": "a", "to": "b"}])",
        R"(, "micro_batches": true)"));
    std::vector<std::string> paths;
    for (const Fault& fault : faults) paths.push_back(fault.path);
    std::sort(paths.begin(), paths.end());
    CHECK(paths == std::vector<std::string>{"blocks[0].devices[1]", "blocks[0].time", "blocks[1].kind",
                                            "blocks[1].memory", "blocks[1].time", "dependencies", "dependencies[0].to",
                                            "dependencies[1].lag", "devices[0].memory_capacity", "devices[1].nme",
                                            "micro_batches"});
}

TEST_CASE("a long list of faults is cut and counted") {
    std::string blocks;
    for (int i = 0; i < 1000; ++i) blocks += std::string(i > 0 ? "," : "") + "0";
    const Faults faults = faults_of(document("[{}]", "[" + blocks + "]", "[]"));
    REQUIRE(faults.size() == 201);
    CHECK(faults.back().message == "800 more faults are not listed");
}

TEST_CASE("messages stay on one line whatever names hold") {
    const Faults faults = faults_of(document(
        "[{}]",
        R"([{"name": "a\nb", "devices": [0], "time": 1}, {"name": "a\nb", "devices": [0], "time": 1, "k\r\u001b[31m": 1}])",
        R"([{"from": "x\ny", "to": "a\nb"}])"));
    REQUIRE(faults.size() == 3);
    for (const Fault& fault : faults) {
        const std::string text = to_string(fault);
        CHECK(std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
    }
}
