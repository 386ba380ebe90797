// A bounded fuzzer over every parser of documents. Whatever the text, a parser answers with a value that means the
// same when written and read again, or with faults that each say something on one printable line. Longer runs:
//   REPETEND_FUZZ_RUNS=1000000 REPETEND_FUZZ_SEED=7 fuzz_tests
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "mutator.hpp"
#include "repetend/format/cost_tables.hpp"
#include "repetend/format/csv.hpp"
#include "repetend/format/drawing.hpp"
#include "repetend/format/instructions.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/format/torch.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/verify/verify_schedule.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

const std::string problem_text = R"({
  "format": "repetend.problem", "version": 1, "name": "fuzz \"é\"", "time_unit": "ns", "memory_unit": "byte",
  "devices": [{"name": "gpu 0", "memory_capacity": 9, "memory_static": 1}, {"kind": "link", "memory_capacity": null}, {}],
  "blocks": [
    {"name": "F0", "kind": "forward", "stage": 0, "devices": [0], "time": 1, "memory": 1, "transient": 2},
    {"name": "all", "kind": "other", "devices": [0, 1, 2], "time": 3, "memory": [1, 0, -1], "transient": [0, 1, 0]},
    {"name": "W", "kind": "weight_gradient", "devices": [2], "time": 2, "memory": -1, "x_a": [1.5, {"b": null}]}
  ],
  "dependencies": [{"from": "F0", "to": "all", "lag": 2}, {"from": "all", "to": "W"}, {"from": "F0", "to": "W"}],
  "micro_batches": 2, "x_origin": "hand"
})";

const std::string schedule_text = R"({"format": "repetend.schedule", "version": 1, "problem": )" + problem_text + R"(,
  "micro_batches": 2, "operations": [
    {"block": "F0", "micro_batch": 0, "start": 0}, {"block": "all", "micro_batch": 0, "start": 3},
    {"block": "W", "micro_batch": 0, "start": 6}, {"block": "F0", "micro_batch": 1, "start": 6},
    {"block": "all", "micro_batch": 1, "start": 9}, {"block": "W", "micro_batch": 1, "start": 12, "x_why": [1]}],
  "repetend": {"period": 6, "copies": 1, "begin": 0, "repeats": 2, "x_m": 1}, "x_s": "y"})";

const std::string result_text =
    R"({"format": "repetend.result", "version": 1, "status": "optimal", "period": 6, "schedule": )" + schedule_text +
    "}";

const std::string plan_text = R"({"ndevs": 2, "repetend": [0, 6], "blocks": [
  {"mid": 0, "span": 1, "memory": 1, "btype": "forward", "gid": 0, "step": 0, "device": [0]},
  {"mid": 0, "span": 3, "memory": 0, "btype": "forward", "gid": 1, "step": 1, "device": [0, 1]},
  {"mid": 0, "span": 2, "memory": -1, "btype": "backward", "gid": 2, "step": 4, "device": [0]},
  {"mid": 1, "span": 1, "memory": 1, "btype": "forward", "gid": 0, "step": 6, "device": [0]},
  {"mid": 1, "span": 3, "memory": 0, "btype": "forward", "gid": 1, "step": 7, "device": [0, 1]},
  {"mid": 1, "span": 2, "memory": -1, "btype": "backward", "gid": 2, "step": 10, "device": [0]}]})";

// Empty when the faults are as promised, else what is wrong with them.
std::string complaint_about(const Faults& faults) {
    if (faults.empty()) return "no fault at all";
    for (const Fault& fault : faults) {
        const std::string text = to_string(fault);
        if (fault.message.empty()) return "a fault without words at " + fault.path;
        const bool printable = std::none_of(text.begin(), text.end(),
                                            [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        if (!printable) return "a message that is no printable line: " + text;
        if (text.size() > 1'000'000) return "an endless message";
    }
    return "";
}

// A schedule that was read can be judged and drawn, whatever it says.
void use(const Problem& problem, const Schedule& schedule) {
    verify_schedule(problem, schedule);
    draw_text(problem, schedule, {80, false, false});
    draw_svg(problem, schedule, {});
}

std::string try_problem(const std::string& text, bool& good) {
    const Result<Problem> result = read_problem(text);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (!validate(*result).empty()) return "an invalid problem was accepted";
    const Result<Problem> again = read_problem(write_problem(*result));
    return again && *again == *result ? "" : "not the same when read again";
}

std::string try_schedule(const std::string& text, bool& good) {
    const Result<ProblemSchedule> result = read_schedule(text);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (!validate(result->problem).empty()) return "an invalid problem was accepted";
    const Result<ProblemSchedule> again = read_schedule(write_schedule(result->problem, result->schedule));
    if (!again || again->problem != result->problem || again->schedule != result->schedule)
        return "not the same when read again";
    use(result->problem, result->schedule);
    return "";
}

std::string try_tessel(const std::string& text, bool& good) {
    const Result<TesselPlan> result = read_tessel(text, nullptr);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (!validate(result->problem).empty()) return "an invalid problem was made";
    const Result<std::string> written = write_tessel(result->problem, result->schedule);
    if (!written) return "what was read cannot be written";
    const Result<TesselPlan> again = read_tessel(*written, &result->problem);
    if (!again || again->schedule.operations != result->schedule.operations) return "not the same when read again";
    use(result->problem, result->schedule);
    return "";
}

std::string try_csv(const std::string& text, bool& good) {
    static const Problem problem = *read_problem(problem_text);
    const Result<Schedule> result = read_csv(text, problem);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    const Result<Schedule> again = read_csv(write_csv(problem, *result), problem);
    if (!again || *again != *result) return "not the same when read again";
    use(problem, *result);
    return "";
}

const std::string torch_text =
    "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0I0,0W0,0RECV_B1,0I1,0W1\r\n"
    " 1RECV_F0 ,1F0,1I0,1SEND_B0,,1W0,1RECV_F1,1F1,1I1,1SEND_B1,1W1\r\n";
const std::string overlap_text = "0UNSHARD,0F0,(0F1;0B0)OVERLAP_F_B,1F0,1B0,1F1,1B1,0B1,0REDUCE_GRAD,3F0\n2F0,2F1\n";

// An ordered plan can be followed, or it is said why not, whatever its sends do.
std::string try_plan(const OrderedPlan& plan) {
    if (!validate(plan.problem).empty()) return "an invalid problem was made";
    for (const Semantics semantics : {Semantics::direct, Semantics::buffered, Semantics::rendezvous}) {
        const Execution execution = execute(plan.problem, plan.program, semantics);
        if (execution.schedule.has_value() == !execution.obstacle.empty()) return "neither followed nor refused";
        if (!execution.schedule) continue;
        const auto violation = verify_schedule(plan.problem, *execution.schedule);
        if (violation && violation->kind != ViolationKind::memory)
            return "followed to an invalid schedule: " + violation->message;
    }
    return "";
}

std::string try_torch(const std::string& text, bool& good) {
    const Result<OrderedPlan> result = read_torch_csv(text, nullptr, {});
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (std::string complaint = try_plan(*result); !complaint.empty()) return complaint;
    const Execution execution = execute(result->problem, result->program, Semantics::direct);
    if (!execution.schedule) return "";
    const Result<std::string> written = write_torch_csv(result->problem, *execution.schedule, {});
    if (!written) return "what was read cannot be written";
    const Result<OrderedPlan> again = read_torch_csv(*written, &result->problem, {});
    if (!again) return "what was written cannot be read";
    const Execution second = execute(again->problem, again->program, Semantics::direct);
    return second.schedule == execution.schedule ? "" : "not the same when read again";
}

template <class Write>
std::string text_of_pieces(Write write) {
    std::string text;
    write([&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

std::string try_trace(const std::string& text, bool& good) {
    const Result<ProblemSchedule> result = read_trace(text, nullptr);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (!validate(result->problem).empty()) return "an invalid problem was accepted";
    // Only schedules that the checker accepts are ever written.
    if (verify_schedule(result->problem, result->schedule)) return "";
    const std::string written =
        text_of_pieces([&](const TextSink& sink) { write_trace(result->problem, result->schedule, sink); });
    const Result<ProblemSchedule> again = read_trace(written, nullptr);
    return again && again->schedule == result->schedule && again->problem == result->problem
               ? ""
               : "not the same when read again";
}

std::string try_instructions(const std::string& text, bool& good) {
    const Result<OrderedPlan> result = read_instructions(text, nullptr);
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    return try_plan(*result);
}

std::string try_imported(const Result<ImportedProblem>& result, bool& good) {
    good = static_cast<bool>(result);
    if (!good) return complaint_about(result.faults());
    if (!validate(result->problem).empty()) return "an invalid problem was made";
    const Result<Problem> again = read_problem(write_problem(result->problem));
    return again && *again == result->problem ? "" : "not the same when read again";
}

std::string try_layout(const std::string& text, bool& good) {
    return try_imported(read_megatron_layout(text, {}), good);
}

std::string try_costs(const std::string& text, bool& good) { return try_imported(read_zb_costs(text), good); }

// Text for the report of a failure.
std::string visible(const std::string& text) {
    static const char* const digits = "0123456789abcdef";
    std::string out;
    for (const char c : text.substr(0, 4000)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            out += c;
        } else {
            out += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
        }
    }
    return out;
}

void fuzz(const std::vector<std::string>& seeds, std::string (*attempt)(const std::string&, bool&),
          std::uint64_t runs) {
    const std::uint64_t seed = setting("REPETEND_FUZZ_SEED", 1);
    runs = setting("REPETEND_FUZZ_RUNS", runs);
    std::uint64_t accepted = 0;
    bool good = false;
    for (const std::string& text : seeds) {
        INFO(visible(text));
        REQUIRE(attempt(text, good) == "");
    }
    for (std::uint64_t run = 0; run < runs; ++run) {
        const std::string text = Mutator(seed * 0x100000001b3ull + run).make(seeds);
        const std::string complaint = attempt(text, good);
        accepted += good ? 1 : 0;
        if (!complaint.empty()) FAIL("seed " << seed << ", run " << run << ": " << complaint << "\n" << visible(text));
    }
    // A fuzzer that is always refused, or never, would prove nothing.
    CHECK(accepted > runs / 200);
    CHECK(accepted < runs - runs / 10);
}

}  // namespace

TEST_CASE("fuzz: problems") { fuzz({problem_text}, try_problem, 12'000); }

TEST_CASE("fuzz: schedules and results") { fuzz({schedule_text, result_text}, try_schedule, 8'000); }

TEST_CASE("fuzz: Tessel plans") { fuzz({plan_text}, try_tessel, 10'000); }

TEST_CASE("fuzz: CSV") {
    const Result<ProblemSchedule> seed = read_schedule(schedule_text);
    REQUIRE(seed);
    const std::string full = write_csv(seed->problem, seed->schedule);
    fuzz({full, "start,micro_batch,block\n0,0,F0\n3,0,\"all\"\n6,0,W\n"}, try_csv, 12'000);
}

TEST_CASE("fuzz: PyTorch CSV") { fuzz({torch_text, overlap_text}, try_torch, 12'000); }

TEST_CASE("fuzz: traces") {
    const Result<ProblemSchedule> seed = read_schedule(schedule_text);
    REQUIRE(seed);
    fuzz({text_of_pieces([&](const TextSink& sink) { write_trace(seed->problem, seed->schedule, sink); })}, try_trace,
         6'000);
}

TEST_CASE("fuzz: instruction lists") {
    const Result<ProblemSchedule> seed = read_schedule(schedule_text);
    REQUIRE(seed);
    fuzz({text_of_pieces(
             [&](const TextSink& sink) { write_instructions(seed->problem, seed->schedule, Receives::late, sink); })},
         try_instructions, 6'000);
}

TEST_CASE("fuzz: Megatron layouts") { fuzz({"Et*3|(tt|)*29,m|L", "E||t|L", "E(t|)*3 L"}, try_layout, 12'000); }

TEST_CASE("fuzz: cost tables") {
    fuzz({R"({"n_stages": 2, "n_micro": 8, "max_chunks": 2, "cost_f": [3, 4.25], "cost_b": [5, 6], "cost_w": [1, 2],
 "cost_comm": 0.5, "mem_f": [2, 2], "mem_b": [1, -1], "mem_w": [-3, -1], "max_mem": [9, 8], "print_scaling": 100})"},
         try_costs, 10'000);
}

TEST_CASE("fuzz: the format of any text") {
    Mutator mutator(setting("REPETEND_FUZZ_SEED", 1));
    const std::uint64_t runs = setting("REPETEND_FUZZ_RUNS", 8'000);
    std::uint64_t found = 0;
    for (std::uint64_t run = 0; run < runs; ++run) {
        found += document_format(mutator.make({problem_text, schedule_text, result_text})).empty() ? 0 : 1;
    }
    CHECK(found > runs / 10);
}
