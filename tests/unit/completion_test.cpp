// Completion: published and provable makespans, every N, large N, both objectives, refusals.
#include "repetend/completion/completion.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "completion/diagram_bound.hpp"
#include "completion/list_scheduler.hpp"
#include "completion/makespan_bound.hpp"
#include "completion/random.hpp"
#include "completion/repeat.hpp"
#include "completion/window_search.hpp"
#include "repetend/placement/placement.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::two_stages;

namespace {

Problem placement(const std::string& name, int devices, std::optional<Memory> memory) {
    PlacementOptions options;
    options.devices = devices;
    if (memory) options.memory = {memory};
    auto problem = build_placement(name, options);
    REQUIRE(problem);
    return *problem;
}

// The costs that the zero-bubble papers measured (reference of the families).
Problem uneven(const std::string& name, int devices, Memory memory) {
    PlacementOptions options;
    options.devices = devices;
    options.memory = {memory};
    options.forward = 18522;
    options.backward = 18086;
    options.weight = 9337;
    options.lag = 601;
    auto problem = build_placement(name, options);
    REQUIRE(problem);
    return *problem;
}

Completion start(const Problem& problem, std::int64_t n, Objective objective = Objective::makespan) {
    CompletionOptions options;
    options.micro_batches = n;
    options.objective = objective;
    auto completion = Completion::start(problem, options);
    REQUIRE(completion);
    return std::move(completion).value();
}

void run(Completion& completion, std::int64_t most_work = 30'000'000) {
    while (completion.status() == CompletionStatus::running && completion.work() < most_work) completion.step(100'000);
}

void require_valid(const Problem& problem, const Completion& completion) {
    REQUIRE(completion.best() != nullptr);
    const Schedule& schedule = *completion.best();
    const auto violation = verify_schedule(problem, schedule);
    INFO((violation ? violation->message : std::string("valid")));
    REQUIRE_FALSE(violation);
    REQUIRE(makespan_ticks(problem, schedule) == completion.best_makespan());
    REQUIRE(completion.lower_bound() <= completion.best_makespan());
}

void require_proved(const Problem& problem, std::int64_t n, Ticks makespan) {
    INFO(problem.name << ", N " << n);
    Completion completion = start(problem, n);
    run(completion);
    require_valid(problem, completion);
    CHECK(completion.best_makespan() == makespan);
    CHECK(completion.lower_bound() == makespan);
    CHECK(completion.status() == CompletionStatus::optimal);
}

// The periodic V schedule on four devices, one micro-batch every four ticks, by hand: forwards in a row, then
// backwards up; device d has its forward at tick d and its backward at 4 + 3*(3 - d), modulo four apart.
PeriodicPattern v_pattern() {
    PeriodicPattern pattern;
    pattern.period = 4;
    pattern.start = {{0}, {1}, {2}, {3}, {4}, {7}, {10}, {13}};
    return pattern;
}

}  // namespace

TEST_CASE("V, M and NN reach their lower bounds on four devices") {
    for (const std::int64_t n : {1, 4, 8, 128}) {
        require_proved(placement("v", 4, 4), n, 4 * n + 12);
        require_proved(placement("v", 4, 6), n, 4 * n + 12);
        require_proved(placement("m", 4, 6), n, 6 * n + 12);
        require_proved(placement("m", 4, std::nullopt), n, 6 * n + 12);
        require_proved(placement("nn", 4, 6), n, 8 * n + 12);
        require_proved(placement("nn", 4, std::nullopt), n, 8 * n + 12);
    }
}

TEST_CASE("a split backward fills the ramp: v-split and zb-v reach load plus head") {
    require_proved(placement("v-split", 4, 4), 8, 3 * 8 + 3);
    require_proved(placement("v-split", 8, 8), 16, 3 * 16 + 7);
    require_proved(placement("zb-v", 4, 8), 8, 6 * 8 + 3);
    require_proved(placement("zb-v", 8, 16), 16, 6 * 16 + 7);
}

TEST_CASE("published schedules under tight memory are reached or beaten") {
    require_proved(placement("zb-v", 4, 6), 8, 53);
    require_proved(placement("zb-v", 4, 4), 8, 59);
    require_proved(placement("zb-v", 8, 10), 16, 113);
    require_proved(placement("zb-v", 8, 8), 16, 119);  // published: 123
    require_proved(uneven("v-split", 4, 4), 16, 824145);
    require_proved(uneven("v-split", 4, 8), 16, 792489);
    require_proved(uneven("zb-v", 4, 8), 16, 1529946);  // published: 1534821
    require_proved(uneven("zb-v", 4, 6), 16, 1617413);  // published: 1621561
    require_proved(uneven("zb-v", 4, 4), 16, 1936163);  // published: 2008529
}

TEST_CASE("V under tight memory is proved by diagrams of single devices") {
    require_proved(placement("v", 4, 1), 12, 192);
    require_proved(placement("v", 4, 2), 12, 100);
    require_proved(placement("v", 4, 3), 12, 72);
    require_proved(placement("v", 8, 6), 32, 196);
}

TEST_CASE("few micro-batches of every training shape are proved optimal") {
    require_proved(placement("x", 4, 2), 8, 107);
    require_proved(placement("k", 4, 2), 8, 66);
    require_proved(placement("m", 4, 4), 8, 60);
    for (const char* const name : {"v", "x", "m", "nn", "k", "mllm", "finetune", "alphafold"}) {
        const Problem problem = placement(name, 4, std::nullopt);
        Completion completion = start(problem, 1);
        run(completion);
        require_valid(problem, completion);
        CHECK(completion.status() == CompletionStatus::optimal);
    }
}

TEST_CASE("the cost of a hundred thousand micro-batches is that of writing them down") {
    for (const char* const name : {"v", "k"}) {
        const Problem problem = placement(name, 4, 6);
        Completion few = start(problem, 1000);
        run(few);
        Completion many = start(problem, 100'000);
        run(many);
        CHECK(many.work() < 2 * few.work() + 100'000);
        CHECK(many.status() == CompletionStatus::optimal);
        CHECK(many.best_makespan() - few.best_makespan() == 99'000 * most_work_ticks(problem));
        require_valid(problem, many);
        REQUIRE(many.best()->repetend);
        CHECK(many.best()->repetend->repeats > 99'000);
    }
}

TEST_CASE("a pattern is followed in the middle when the period comes first") {
    const Problem problem = placement("v", 4, 4);
    for (const std::int64_t n : {8, 100, 100'000}) {
        Completion completion = start(problem, n, Objective::period);
        completion.add_pattern(v_pattern());
        run(completion);
        require_valid(problem, completion);
        CHECK(completion.best_makespan() == 4 * n + 12);
        REQUIRE(completion.best()->repetend);
        CHECK(completion.best()->repetend->period == 4);
        CHECK(completion.best()->repetend->copies == 1);
        CHECK(completion.best()->repetend->repeats >= n - 6);
    }
}

TEST_CASE("a period that is worse than possible is followed all the same") {
    // One micro-batch at a time: period 16 where 4 is possible.
    PeriodicPattern pattern = v_pattern();
    pattern.period = 16;
    const Problem problem = placement("v", 4, 4);
    Completion completion = start(problem, 20, Objective::period);
    completion.add_pattern(pattern);
    run(completion);
    require_valid(problem, completion);
    REQUIRE(completion.best()->repetend);
    CHECK(completion.best()->repetend->period == 16);
    // The least period wins over the makespan, whenever it comes.
    completion.add_pattern(v_pattern());
    run(completion);
    require_valid(problem, completion);
    REQUIRE(completion.best()->repetend);
    CHECK(completion.best()->repetend->period == 4);
    CHECK(completion.best_makespan() == 92);
}

TEST_CASE("a schedule is known before any step, and again after a pattern") {
    const Problem problem = placement("v", 4, 4);
    Completion completion = start(problem, 8);
    require_valid(problem, completion);
    completion.add_pattern(v_pattern());
    CHECK(completion.best_makespan() == 44);
    require_valid(problem, completion);
}

TEST_CASE("patterns that do not belong to the problem are ignored") {
    const Problem problem = placement("v", 4, 4);
    Completion completion = start(problem, 8);
    PeriodicPattern pattern = v_pattern();
    pattern.start.pop_back();
    completion.add_pattern(pattern);
    pattern = v_pattern();
    pattern.copies = 2;
    completion.add_pattern(pattern);
    pattern = v_pattern();
    pattern.period = 0;
    completion.add_pattern(pattern);
    // The right size but no schedule: everything at once.
    pattern = v_pattern();
    for (auto& starts : pattern.start) starts[0] = 0;
    completion.add_pattern(pattern);
    run(completion);
    require_valid(problem, completion);
    CHECK(completion.best_makespan() == 44);
}

TEST_CASE("how the work is sliced cannot be seen in the result") {
    const Problem problem = placement("nn", 4, 4);
    std::vector<Schedule> schedules;
    std::vector<std::int64_t> works;
    for (const std::int64_t slice : {std::int64_t{1}, std::int64_t{777}, std::int64_t{400'000}}) {
        Completion completion = start(problem, 5);
        for (std::int64_t done = 0; done < 400'000; done += slice) completion.step(std::min(slice, 400'000 - done));
        require_valid(problem, completion);
        schedules.push_back(*completion.best());
        works.push_back(completion.work());
    }
    CHECK(schedules[0] == schedules[1]);
    CHECK(schedules[0] == schedules[2]);
    CHECK(works[0] == works[1]);
    CHECK(works[0] == works[2]);
}

TEST_CASE("the seed is all the chance there is") {
    const Problem problem = placement("nn", 4, 3);
    const auto schedule = [&](std::uint64_t seed) {
        CompletionOptions options;
        options.micro_batches = 6;
        options.seed = seed;
        auto completion = Completion::start(problem, options);
        REQUIRE(completion);
        completion->step(100'000);
        return *completion->best();
    };
    CHECK(schedule(3) == schedule(3));
}

TEST_CASE("what cannot fit is proved infeasible for any number of micro-batches") {
    for (const std::int64_t n : {1, 7, 100'000}) {
        // A block alone.
        Completion block = start(two_stages(0), n);
        run(block);
        CHECK(block.status() == CompletionStatus::infeasible);
        CHECK(block.best() == nullptr);
        CHECK(block.best_makespan() == 0);
        // One micro-batch alone: the gang of K needs a second unit where a stage holds one.
        Completion gang = start(placement("k", 4, 1), n);
        run(gang);
        CHECK(gang.status() == CompletionStatus::infeasible);
        CHECK(gang.best() == nullptr);
    }
}

TEST_CASE("memory that is left behind limits the number of micro-batches") {
    // Each micro-batch leaves one unit on device 0, and needs another one for a moment.
    const Problem problem = ProblemBuilder({10, -1})
                                .block("a", {0}, 2, 2)
                                .block("b", {1}, 3, 5)
                                .block("c", {0}, 1, -1)
                                .edge(0, 1)
                                .edge(1, 2)
                                .build();
    Completion nine = start(problem, 9);
    run(nine);
    require_valid(problem, nine);
    // The last one may start only when all others have given back what they can: b is done eight times at 26, then c,
    // a, b, c in turn.
    CHECK(nine.best_makespan() == 33);
    CHECK(nine.status() == CompletionStatus::optimal);
    Completion ten = start(problem, 10);
    run(ten);
    CHECK(ten.status() == CompletionStatus::infeasible);
    Completion eleven = start(problem, 11);
    run(eleven);
    CHECK(eleven.status() == CompletionStatus::infeasible);
}

TEST_CASE("releases that come before allocations, transients and static memory count") {
    Problem problem = ProblemBuilder({4, 4})
                          .block("free", {0}, 1, -1)
                          .block("take", {0, 1}, 2, 1, 2)
                          .block("drop", {1}, 3, -1)
                          .edge(0, 1, 2)
                          .edge(1, 2)
                          .build();
    problem.devices[0].memory_static = 2;
    for (const std::int64_t n : {1, 2, 5, 200}) {
        INFO("N " << n);
        Completion completion = start(problem, n);
        run(completion, 3'000'000);
        require_valid(problem, completion);
        CHECK(completion.status() == CompletionStatus::optimal);
    }
}

TEST_CASE("links, lags and large times are nothing special") {
    const Ticks second = 1'000'000'000;
    Problem problem = ProblemBuilder({2, 2, -1})
                          .block("f0", {0}, 3 * second, 1)
                          .block("send", {2}, second, 0)
                          .block("f1", {1}, 3 * second + 1, 1)
                          .block("b1", {1}, 6 * second, -1)
                          .block("back", {2}, second, 0)
                          .block("b0", {0}, 6 * second, -1)
                          .edge(0, 1, 17)
                          .edge(1, 2)
                          .edge(2, 3)
                          .edge(3, 4, second / 2)
                          .edge(4, 5)
                          .build();
    problem.devices[2].kind = DeviceKind::link;
    Completion completion = start(problem, 5);
    run(completion);
    require_valid(problem, completion);
    CHECK(completion.status() == CompletionStatus::optimal);
    // Times near the limit of numbers.
    for (Block& block : problem.blocks) block.time = (std::int64_t{1} << 49) + block.time;
    Completion longest = start(problem, 1);
    run(longest);
    require_valid(problem, longest);
    CHECK(longest.status() == CompletionStatus::optimal);
}

TEST_CASE("numbers out of range are refused") {
    const Problem problem = two_stages(2);
    const auto fault_of = [&](const Problem& p, std::int64_t n) {
        CompletionOptions options;
        options.micro_batches = n;
        const auto completion = Completion::start(p, options);
        REQUIRE_FALSE(completion);
        return completion.faults().front().code;
    };
    CHECK(fault_of(problem, 0) == FaultCode::range);
    CHECK(fault_of(problem, -3) == FaultCode::range);
    CHECK(fault_of(problem, most_operations) == FaultCode::limit);
    Problem slow = problem;
    for (Block& block : slow.blocks) block.time = largest_number;
    CHECK(fault_of(slow, 100) == FaultCode::limit);
    Problem heavy = problem;
    for (Block& block : heavy.blocks) block.memory[0] *= largest_number;
    CHECK(fault_of(heavy, 1000) == FaultCode::limit);
}

TEST_CASE("bounds that cost nothing: ramps, gangs and memory area") {
    using namespace completion;
    CHECK(makespan_bound(make_instance(placement("v", 4, 4), 1'000'000)) == 4'000'012);
    CHECK(makespan_bound(make_instance(placement("nn", 4, std::nullopt), 50)) == 412);
    CHECK(makespan_bound(make_instance(placement("v", 4, 1), 12)) == 192);  // 16 ticks hold one activation
    CHECK(makespan_bound(make_instance(placement("zb-v", 8, 8), 16)) == 119);
    // Two windows that overlap prove nothing together: one micro-batch takes its path and no more.
    CHECK(makespan_bound(make_instance(placement("v", 4, 4), 1)) == 16);
}

TEST_CASE("reversing time twice gives the instance back") {
    using namespace completion;
    const Instance instance = make_instance(placement("zb-v", 4, 4), 3);
    const Instance twice = reversed(reversed(instance));
    CHECK(twice.head == instance.head);
    CHECK(twice.tail == instance.tail);
    CHECK(twice.base == instance.base);
    CHECK(makespan_bound(reversed(instance)) == makespan_bound(instance));
}

TEST_CASE("the list scheduler never exceeds a capacity and never blocks, whatever the keys") {
    using namespace completion;
    const Instance instance = make_instance(placement("zb-v", 4, 3), 6);
    Sequence one_by_one;
    for (int n = 0; n < 6; ++n)
        one_by_one.insert(one_by_one.end(), instance.topological.begin(), instance.topological.end());
    REQUIRE(is_feasible(instance, one_by_one));
    ListScheduler scheduler(instance, one_by_one);
    Random random(5);
    Keys keys(static_cast<std::size_t>(instance.operations()));
    Decoded decoded;
    for (int round = 0; round < 200; ++round) {
        for (auto& key : keys) key = random.below(1000);
        DecodeOptions options;
        options.wait = static_cast<int>(random.between(0, full_wait));
        options.run_ahead = random.below(3);
        scheduler.decode(keys, options, decoded);
        REQUIRE(is_feasible(instance, decoded.sequence));
        REQUIRE(makespan_of(instance, decoded.sequence) <= decoded.timing.makespan);
    }
}

TEST_CASE("a window can be repeated any number of times, and its length is known without doing so") {
    using namespace completion;
    const Instance instance = make_instance(placement("v", 4, 3), 12);
    Sequence one_by_one;
    for (int n = 0; n < 12; ++n)
        one_by_one.insert(one_by_one.end(), instance.topological.begin(), instance.topological.end());
    ListScheduler scheduler(instance, one_by_one);
    Keys keys;
    for (int b = 0; b < instance.blocks; ++b) {
        for (int n = 0; n < 12; ++n) keys.push_back(4 * n - 3 * b);
    }
    Decoded decoded;
    scheduler.decode(keys, {}, decoded);
    const auto windows = find_windows(instance, decoded.sequence, 4);
    REQUIRE_FALSE(windows.empty());
    for (const Window& window : windows) {
        for (const std::int64_t times : {0, 1, 5, 40}) {
            const Sequence sequence = extended(window, times);
            const Instance longer = make_instance(placement("v", 4, 3), 12 + times * window.copies);
            CHECK(is_feasible(longer, sequence));
            Ticks growth = 0;
            std::int64_t work = 0;
            CHECK(extended_makespan(instance, window, times, growth, work) == makespan_of(longer, sequence));
        }
    }
}

TEST_CASE("diagrams refute what is impossible and nothing else") {
    using namespace completion;
    const Instance forward = make_instance(placement("v", 4, 3), 12);
    const Instance backward = reversed(forward);
    DiagramBound bound(forward, backward);
    const auto verdict = [&](Ticks makespan, bool pairs) {
        bound.begin(makespan, pairs);
        DiagramVerdict answer = DiagramVerdict::running;
        while ((answer = bound.step(10'000)) == DiagramVerdict::running) {
        }
        return answer;
    };
    CHECK(verdict(71, false) == DiagramVerdict::dead);
    CHECK(verdict(72, false) == DiagramVerdict::alive);
    CHECK(verdict(72, true) == DiagramVerdict::alive);
    CHECK(verdict(1000, false) == DiagramVerdict::alive);
}

// Weight gradients of a device share a counter, or the diagrams of this problem would be too large to say anything.
TEST_CASE("diagrams of eight devices with two chunks and a split backward refute what load and ramps do not") {
    using namespace completion;
    const Instance forward = make_instance(uneven("zb-v", 8, 8), 32);
    const Instance backward = reversed(forward);
    CHECK(makespan_bound(forward) == 3449483);
    DiagramBound bound(forward, backward);
    bound.begin(3473221, false);
    DiagramVerdict answer = DiagramVerdict::running;
    while ((answer = bound.step(10'000)) == DiagramVerdict::running) {
    }
    CHECK(answer == DiagramVerdict::dead);
}

TEST_CASE("windows of a schedule are decided anew until nothing gets better") {
    using namespace completion;
    const Problem problem = uneven("zb-v", 4, 4);
    const Instance forward = make_instance(problem, 8);
    const Instance backward = reversed(forward);
    // One micro-batch after another: far from good, and every window can be improved.
    Sequence sequence;
    for (int n = 0; n < 8; ++n) sequence.insert(sequence.end(), forward.topological.begin(), forward.topological.end());
    const Ticks before = makespan_of(forward, sequence);
    Ticks after[2] = {};
    for (const int slice : {1'000, 200'000}) {
        WindowSearch windows(forward, backward);
        const std::vector<Diagram::Need> unknown(4);
        windows.begin(sequence, 20, unknown, unknown);
        Ticks best = before;
        while (windows.step(slice)) {
            if (!windows.improved()) continue;
            REQUIRE(is_feasible(forward, windows.best()));
            const Ticks makespan = makespan_of(forward, windows.best());
            REQUIRE(makespan < best);
            best = makespan;
        }
        after[slice == 1'000] = best;
    }
    CHECK(after[0] == after[1]);
    CHECK(after[0] < before / 2);
    CHECK(after[0] >= makespan_bound(forward));
}
