// Reading and writing of `repetend.schedule`, alone and inside a `repetend.result`.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "problem_builder.hpp"
#include "repetend/format/json.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

const std::string problem_text = R"({"format": "repetend.problem", "version": 1, "name": "p", "devices": [{}, {}],
    "blocks": [{"name": "a", "devices": [0], "time": 1}, {"name": "b", "devices": [1], "time": 2}],
    "dependencies": [{"from": "a", "to": "b"}]})";

std::string document(const std::string& operations, const std::string& more = "",
                     const std::string& micro_batches = "2") {
    return R"({"format": "repetend.schedule", "version": 1, "operations": )" + operations + R"(, "micro_batches": )" +
           micro_batches + R"(, "problem": )" + problem_text + more + "}";
}

std::string only_fault(const std::string& text) {
    const Result<ProblemSchedule> result = read_schedule(text);
    if (result) return "no fault";
    if (result.faults().size() == 1) return to_string(result.faults()[0]);
    std::string all = std::to_string(result.faults().size()) + " faults";
    for (const Fault& fault : result.faults()) all += "\n" + to_string(fault);
    return all;
}

const std::string operations_text =
    R"([{"block": "a", "micro_batch": 0, "start": 0}, {"block": "a", "micro_batch": 1, "start": 1},
    {"block": "b", "micro_batch": 0, "start": 1}, {"start": 3, "micro_batch": 1, "block": "b"}])";

}  // namespace

TEST_CASE("a schedule arrives with blocks resolved by name and operations in order") {
    const Result<ProblemSchedule> result = read_schedule(
        document(operations_text, R"(, "repetend": {"period": 2, "copies": 1, "begin": 1, "repeats": 2})"));
    REQUIRE(result);
    CHECK(result->problem.blocks.size() == 2);
    CHECK(result->schedule.micro_batches == 2);
    CHECK(result->schedule.operations ==
          std::vector<Operation>{{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 3}});  // by start, micro-batch, block
    CHECK(result->schedule.repetend == std::optional<RepetendMark>(RepetendMark{2, 1, 1, 2}));
}

TEST_CASE("the mark of the repetend may be absent or null") {
    for (const char* more : {"", R"(, "repetend": null)"}) {
        const Result<ProblemSchedule> result = read_schedule(document(operations_text, more));
        REQUIRE(result);
        CHECK_FALSE(result->schedule.repetend);
    }
}

TEST_CASE("a written schedule reads back as the same value") {
    const Problem problem = two_stages(4);
    Schedule schedule = two_stages_schedule();
    schedule.repetend = RepetendMark{3, 1, 4, 2};
    const Result<ProblemSchedule> result = read_schedule(write_schedule(problem, schedule));
    REQUIRE(result);
    CHECK(result->problem == problem);
    CHECK(result->schedule == schedule);
}

TEST_CASE("faults of the problem inside a schedule carry their whole path") {
    std::string text = document(operations_text);
    text.replace(text.find("\"time\": 2"), 9, "\"time\": 0");
    CHECK(only_fault(text) == "problem.blocks[1].time: expected an integer from 1 to 9007199254740992, found 0");
    CHECK(only_fault(
              R"({"format": "repetend.schedule", "version": 1, "operations": [], "micro_batches": 1, "problem": 3})") ==
          "problem: expected an object, found 3");
    std::string other = document(operations_text);
    other.replace(other.find("repetend.problem"), 16, "repetend.result!");
    CHECK(only_fault(other) == "problem.format: this is a repetend.result!, a repetend.problem was expected");
}

TEST_CASE("operations are checked one by one") {
    const auto operation = [](const std::string& text) { return only_fault(document("[" + text + "]")); };
    CHECK(operation(R"({"block": "aa", "micro_batch": 0, "start": 0})") ==
          "operations[0].block: block \"aa\" does not exist");
    CHECK(operation(R"({"block": 0, "micro_batch": 0, "start": 0})") ==
          "operations[0].block: expected a text, found 0");
    CHECK(operation(R"({"block": "a", "micro_batch": 2, "start": 0})") ==
          "operations[0].micro_batch: expected an integer from 0 to 1, found 2");
    CHECK(operation(R"({"block": "a", "micro_batch": -1, "start": 0})").substr(0, 26) == "operations[0].micro_batch:");
    CHECK(operation(R"({"block": "a", "micro_batch": 0, "start": 1.0})") ==
          "operations[0].start: expected an integer without fraction or exponent, found 1.0");
    CHECK(operation(R"({"block": "a", "micro_batch": 0, "start": 9007199254740993})").substr(0, 20) ==
          "operations[0].start:");
    CHECK(operation(R"({"block": "a", "micro_batch": 0})") == "operations[0].start: missing; expected an integer");
    CHECK(operation(R"({"block": "a", "micro_batch": 0, "start": 0, "end": 1})").substr(0, 18) == "operations[0].end:");
    CHECK(operation(R"({"block": "a", "micro_batch": 0, "start": 0, "x_end": 1})") == "no fault");
    CHECK(operation(R"({"block": "a", "micro_batch": 0, "start": 0, "start": 1})") ==
          "operations[0].start: the field is given twice");
    CHECK(operation("[]") == "operations[0]: expected an object, found an empty array");
    CHECK(only_fault(document("{}")) == "operations: expected an array, found an object");
}

TEST_CASE("the mark of the repetend is checked") {
    const auto mark = [](const std::string& text) {
        return only_fault(document(operations_text, ", \"repetend\": " + text));
    };
    CHECK(mark(R"({"period": 0, "copies": 1, "begin": 0, "repeats": 1})").substr(0, 16) == "repetend.period:");
    CHECK(mark(R"({"period": 1, "copies": 0, "begin": 0, "repeats": 1})").substr(0, 16) == "repetend.copies:");
    CHECK(mark(R"({"period": 1, "copies": 1, "repeats": 1})") == "repetend.begin: missing; expected an integer");
    CHECK(mark(R"({"period": 1, "copies": 1, "begin": 0, "repeats": 0})").substr(0, 17) == "repetend.repeats:");
    CHECK(mark("[1]") == "repetend: expected an object, found an array");
}

TEST_CASE("the count of micro-batches is required and in range") {
    CHECK(only_fault(document("[]", "", "0")) == "micro_batches: expected an integer from 1 to 2147483648, found 0");
    CHECK(only_fault(document("[]", "", "null")) == "micro_batches: expected an integer, found null");
}

TEST_CASE("a schedule can be taken out of a result") {
    std::string result =
        R"({"format": "repetend.result", "version": 1, "status": "feasible", "period": null, "schedule": )";
    const Result<ProblemSchedule> read = read_schedule(result + document(operations_text) + "}");
    REQUIRE(read);
    CHECK(read->schedule.operations.size() == 4);
    CHECK(only_fault(result + "null}") == "schedule: this result holds no schedule");
    CHECK(only_fault(result + document(R"([{"block": "a", "micro_batch": 7, "start": 0}])") + "}") ==
          "schedule.operations[0].micro_batch: expected an integer from 0 to 1, found 7");
    CHECK(only_fault(R"({"format": "repetend.result", "version": 1})") ==
          "schedule: missing; expected a schedule object");
    CHECK(only_fault(result + document(operations_text) + ", \"operations\": []}").substr(0, 11) == "operations:");
}

TEST_CASE("a problem is not taken for a schedule") {
    CHECK(only_fault(problem_text) == "format: this is a repetend.problem, a repetend.schedule was expected");
}

TEST_CASE("more block names than a problem can have are refused without keeping them") {
    std::string operations = "[";
    for (int i = 0; i < 17'000; ++i) {
        operations += std::string(i > 0 ? "," : "") + R"({"block": "n)" + std::to_string(i) +
                      R"(", "micro_batch": 0, "start": 0})";
    }
    const Result<ProblemSchedule> result = read_schedule(document(operations + "]"));
    REQUIRE_FALSE(result);
    CHECK(result.faults()[0].code == FaultCode::limit);
    CHECK(result.faults()[0].path == "operations");
}

TEST_CASE("fields that begin with x_ are kept wherever they stand, and written again in their place") {
    const std::string text = document(R"([{"block": "a", "micro_batch": 1, "start": 8, "x_why": {"by": [1.50, "é"]}},
        {"block": "b", "micro_batch": 1, "start": 9}, {"block": "a", "micro_batch": 0, "start": 0, "x_rank": 3, "x_b": null},
        {"block": "b", "micro_batch": 0, "start": 1}])",
                                      R"(, "repetend": {"period": 8, "copies": 1, "begin": 0, "repeats": 1, "x_m": 1},
        "x_tool": "mine")");
    const Result<ProblemSchedule> read = read_schedule(text);
    REQUIRE(read);
    CHECK(read->schedule.extra == ExtraFields{{"x_tool", "\"mine\""}});
    CHECK(read->schedule.repetend_extra == ExtraFields{{"x_m", "1"}});
    REQUIRE(read->schedule.operation_extra.size() == 2);
    CHECK(read->schedule.operation_extra[0].fields == ExtraFields{{"x_rank", "3"}, {"x_b", "null"}});
    const std::string written = write_schedule(read->problem, read->schedule);
    CHECK(written.find(R"({"block": "a", "micro_batch": 1, "start": 8, "x_why": {"by": [1.50, "é"]}})") !=
          std::string::npos);
    CHECK(written.find(R"("repeats": 1, "x_m": 1})") != std::string::npos);
    const Result<ProblemSchedule> again = read_schedule(written);
    REQUIRE(again);
    CHECK(again->schedule == read->schedule);
    CHECK(write_schedule(again->problem, again->schedule) == written);
}
