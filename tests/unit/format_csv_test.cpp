// Operations as CSV: the quoting of RFC 4180, columns in any order, and what the reader refuses.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "problem_builder.hpp"
#include "repetend/format/csv.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

Problem awkward_names() {
    Problem problem =
        ProblemBuilder({-1, -1}).block("a, \"b\"\nc", {0, 1}, 3).block("plain", {1}, 2).edge(0, 1).build();
    problem.blocks[1].kind = BlockKind::backward;
    problem.blocks[1].stage = 4;
    return problem;
}

std::string only_fault(const std::string& text, const Problem& problem = two_stages(4)) {
    const Result<Schedule> result = read_csv(text, problem);
    if (result) return "no fault";
    return result.faults().size() == 1 ? to_string(result.faults()[0])
                                       : std::to_string(result.faults().size()) + " faults";
}

}  // namespace

TEST_CASE("a schedule as CSV: header, quotes, CR LF") {
    const Schedule schedule = schedule_of(1, {{0, 0, 0}, {1, 0, 3}});
    CHECK(write_csv(awkward_names(), schedule) ==
          "block,kind,stage,micro_batch,devices,start,end\r\n"
          "\"a, \"\"b\"\"\nc\",other,,0,0 1,0,3\r\n"
          "plain,backward,4,0,1,3,5\r\n");
}

TEST_CASE("written CSV reads back as the same schedule") {
    const Schedule awkward = schedule_of(1, {{0, 0, 0}, {1, 0, 3}});
    const Result<Schedule> first = read_csv(write_csv(awkward_names(), awkward), awkward_names());
    REQUIRE(first);
    CHECK(*first == awkward);
    const Schedule pipeline = two_stages_schedule();
    const Result<Schedule> second = read_csv(write_csv(two_stages(4), pipeline), two_stages(4));
    REQUIRE(second);
    CHECK(*second == pipeline);
}

TEST_CASE("columns may be reordered or left out, lines may end in LF, the order of lines is free") {
    const Result<Schedule> result =
        read_csv("\xef\xbb\xbfstart,block,micro_batch\n\n4,B0,0\n2,B1,0\r\n0,F0,0\n1,F1,0", two_stages(4));
    REQUIRE(result);
    CHECK(*result == schedule_of(1, {{0, 0, 0}, {1, 0, 1}, {2, 0, 2}, {3, 0, 4}}));
}

TEST_CASE("bad CSV is answered with its line and what was expected") {
    const std::string header = "block,micro_batch,start\n";
    CHECK(only_fault("") == "line 1: the text is empty; expected a line of column names");
    CHECK(only_fault(header) == "line 2: no operations; expected one on each line");
    CHECK(only_fault("block,start\nF0,0\n") == "line 1: column \"micro_batch\" is missing");
    CHECK(only_fault("block,micro_batch,start,strat\n") == "line 1: unknown column \"strat\"; did you mean \"start\"?");
    CHECK(only_fault("block,micro_batch,start,start\n") == "line 1: column \"start\" is given twice");
    CHECK(only_fault(header + "F0,0\n") == "line 2: 2 fields; expected 3");
    CHECK(only_fault(header + "F0,0,0\nG,0,0\n") == "line 3: block \"G\" does not exist");
    CHECK(only_fault(header + "F0,0,1.5\n") ==
          "line 2: start: expected an integer from -9007199254740992 to 9007199254740992, found \"1.5\"");
    CHECK(only_fault(header + "F0,-1,0\n") ==
          "line 2: micro_batch: expected an integer from 0 to 2147483647, found \"-1\"");
    CHECK(only_fault(header + "F0,99999999999999999999,0\n").substr(0, 20) == "line 2: micro_batch:");
    CHECK(only_fault(header + "F0,,0\n").substr(0, 20) == "line 2: micro_batch:");
    CHECK(only_fault(header + "\"F0,0,0\n") == "line 2: the text ends inside a quoted field; expected \"");
    CHECK(only_fault(header + "\"F0\"x,0,0\n") ==
          "line 2: text after a quoted field; expected a comma or the end of the line");
    CHECK(only_fault(header + "F\"0,0,0\n") ==
          "line 2: a quote inside a field without quotes; expected the field in quotes");
    CHECK(only_fault(std::string(1000, ',')) == "line 1: more than 64 fields");
}

TEST_CASE("columns that repeat the problem must agree with it") {
    const std::string header = "block,micro_batch,start,";
    CHECK(only_fault(header + "end\nB0,0,4,7\n") == "line 2: end: expected \"6\" as in the problem, found \"7\"");
    CHECK(only_fault(header + "devices\nB0,0,4,1\n") ==
          "line 2: devices: expected \"0\" as in the problem, found \"1\"");
    CHECK(only_fault(header + "kind\nB0,0,4,forward\n") ==
          "line 2: kind: expected \"other\" as in the problem, found \"forward\"");
    CHECK(only_fault(header + "stage\nB0,0,4,0\n") == "line 2: stage: expected \"\" as in the problem, found \"0\"");
}

TEST_CASE("line numbers count the line breaks inside quoted fields") {
    CHECK(only_fault("block,micro_batch,start\n\"a, \"\"b\"\"\nc\",0,0\nnone,0,0\n", awkward_names()) ==
          "line 4: block \"none\" does not exist");
}
