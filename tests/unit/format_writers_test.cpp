// The exact bytes of the JSON writers, written out by hand from the layout that json.hpp promises and the
// fields of the contract.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "problem_builder.hpp"
#include "repetend/format/json.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

Problem small_problem() {
    Problem problem = ProblemBuilder({4, -1}).block("f", {0}, 1, 1).block("g \"all\"", {0, 1}, 2).edge(0, 1, 5).build();
    problem.name = "small";
    problem.time_unit = "ns";
    problem.devices[1].kind = DeviceKind::link;
    problem.devices[1].memory_static = 7;
    problem.blocks[0].kind = BlockKind::forward;
    problem.blocks[0].stage = 3;
    problem.blocks[1].memory = {-1, 0};
    problem.blocks[1].transient = {2, 2};
    problem.micro_batches = 1;
    problem.extra = {{"x_note", "[1, {}]"}};
    return problem;
}

const std::string small_problem_text = R"({
  "format": "repetend.problem",
  "version": 1,
  "name": "small",
  "time_unit": "ns",
  "devices": [
    {"memory_capacity": 4},
    {"kind": "link", "memory_static": 7}
  ],
  "blocks": [
    {"name": "f", "kind": "forward", "stage": 3, "devices": [0], "time": 1, "memory": 1},
    {"name": "g \"all\"", "devices": [0, 1], "time": 2, "memory": [-1, 0], "transient": 2}
  ],
  "dependencies": [
    {"from": "f", "to": "g \"all\"", "lag": 5}
  ],
  "micro_batches": 1,
  "x_note": [1, {}]
}
)";

// The problem as a member of a schedule.
const std::string nested_text = R"("problem": {
    "format": "repetend.problem",
    "version": 1,
    "devices": [
      {}
    ],
    "blocks": [
      {"name": "a", "devices": [0], "time": 2}
    ],
    "dependencies": []
  })";

const std::string schedule_text = R"({
  "format": "repetend.schedule",
  "version": 1,
  )" + nested_text + R"(,
  "micro_batches": 2,
  "operations": [
    {"block": "a", "micro_batch": 0, "start": 0},
    {"block": "a", "micro_batch": 1, "start": 2}
  ],
  "repetend": {"period": 2, "copies": 1, "begin": 0, "repeats": 2}
}
)";

Problem one_block() { return ProblemBuilder({-1}).block("a", {0}, 2).build(); }

Schedule two_runs() {
    Schedule schedule = schedule_of(2, {{0, 0, 0}, {0, 1, 2}});
    schedule.repetend = RepetendMark{2, 1, 0, 2};
    return schedule;
}

}  // namespace

TEST_CASE("a problem is written with fixed order, one block a line, defaults left out") {
    CHECK(write_problem(small_problem()) == small_problem_text);
}

TEST_CASE("a schedule is written with its whole problem and one operation a line") {
    CHECK(write_schedule(one_block(), two_runs()) == schedule_text);
}

TEST_CASE("a result holds every field of the contract") {
    SearchResult result;
    result.status = SearchStatus::optimal;
    result.stop = StopReason::finished;
    result.period = 2;
    result.period_lower_bound = 2;
    result.period_optimal = true;
    result.certificate.kind = CertificateKind::load;
    result.certificate.device = 0;
    result.certificate.bound = 2;
    result.certificate.words = "device 0 is busy all the time";
    result.makespan = 4;
    result.makespan_lower_bound = 4;
    result.makespan_optimal = true;
    result.measures = measure(one_block(), two_runs());
    result.nodes = 12;
    result.seed = 18446744073709551615ull;
    result.threads = 2;
    result.micro_batches = 2;
    result.schedule = two_runs();
    std::string indented;  // the schedule two spaces deeper
    for (const char c : schedule_text.substr(0, schedule_text.size() - 1))
        indented += c == '\n' ? "\n  " : std::string(1, c);
    CHECK(write_result(one_block(), result, 0.12345, "1.2.3") == R"({
  "format": "repetend.result",
  "version": 1,
  "status": "optimal",
  "stop": "finished",
  "period": 2,
  "copies": 1,
  "period_lower_bound": 2,
  "period_optimal": true,
  "certificate": {"kind": "load", "device": 0, "device_name": "device 0", "bound": 2, "words": "device 0 is busy all the time"},
  "makespan": 4,
  "makespan_lower_bound": 4,
  "makespan_optimal": true,
  "bubble": {"steady": 0.000000, "makespan": 0.000000, "span": 0.000000},
  "peak_memory": [0],
  "search": {"nodes": 12, "seconds": 0.123, "seed": 18446744073709551615, "threads": 2, "version": "1.2.3"},
  "schedule": )" + indented + "\n}\n");
}

TEST_CASE("a result says null where there is no value") {
    SearchResult result;
    result.status = SearchStatus::infeasible;
    result.stop = StopReason::timeout;
    result.infeasible_reason = "device 0 needs at least 3";
    CHECK(write_result(one_block(), result, 1, "1") == R"({
  "format": "repetend.result",
  "version": 1,
  "status": "infeasible",
  "stop": "timeout",
  "period": null,
  "copies": 1,
  "period_lower_bound": 0,
  "period_optimal": false,
  "certificate": null,
  "makespan": null,
  "makespan_lower_bound": 0,
  "makespan_optimal": false,
  "bubble": null,
  "peak_memory": null,
  "reason": "device 0 needs at least 3",
  "search": {"nodes": 0, "seconds": 1.000, "seed": 1, "threads": 1, "version": "1"},
  "schedule": null
}
)");
}

TEST_CASE("certificates keep to the kinds of the contract and name devices and blocks") {
    const Problem problem = small_problem();
    const auto certificate_line = [&](const Certificate& certificate) {
        SearchResult result;
        result.certificate = certificate;
        const std::string text = write_result(problem, result, 0, "1");
        const std::size_t at = text.find("\"certificate\": ");
        return text.substr(at, text.find('\n', at) - at);
    };
    Certificate certificate{CertificateKind::gang, -1, {1}, 9, 0, "w"};
    CHECK(certificate_line(certificate) ==
          R"("certificate": {"kind": "cycle", "gang": true, "blocks": ["g \"all\""], "bound": 9, "words": "w"},)");
    certificate.kind = CertificateKind::cycle;
    certificate.blocks = {0, 1};
    CHECK(certificate_line(certificate) ==
          R"("certificate": {"kind": "cycle", "blocks": ["f", "g \"all\""], "bound": 9, "words": "w"},)");
    certificate = {CertificateKind::exhausted, -1, {}, 9, 77, "w"};
    CHECK(certificate_line(certificate) ==
          R"("certificate": {"kind": "exhausted", "bound": 9, "nodes": 77, "words": "w"},)");
    certificate = {CertificateKind::capacity, 1, {}, 9, 0, "w"};
    CHECK(certificate_line(certificate) ==
          R"("certificate": {"kind": "capacity", "device": 1, "device_name": "device 1", "bound": 9, "words": "w"},)");
}

TEST_CASE("the steady bubble follows the period, however few micro-batches the schedule has") {
    // Device 1 of two_stages works 3 ticks for a micro-batch: 1 - 3/7, and with two copies 1 - 6/7.
    SearchResult result;
    result.period = 7;
    CHECK(write_result(two_stages(4), result, 0, "1").find("\"steady\": 0.571429,") != std::string::npos);
    result.copies = 2;
    CHECK(write_result(two_stages(4), result, 0, "1").find("\"steady\": 0.142857,") != std::string::npos);
}
