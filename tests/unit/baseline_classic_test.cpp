// GPipe, 1F1B, 1F1B+, the inference pipeline, Chimera (direct) and 3F1B against published and measured numbers.
#include "baseline_support.hpp"

using namespace repetend;
using namespace repetend::testing;

namespace {

void check_period(const Run& run, Ticks period, int copies) {
    REQUIRE(run.schedule.repetend);
    CHECK(run.schedule.repetend->period == period);
    CHECK(run.schedule.repetend->copies == copies);
}

TEST_CASE("GPipe and 1F1B take m(F+B) + (p-1)(F+B)") {
    for (const std::int64_t p : {1, 2, 3, 4, 8}) {
        for (const std::int64_t m : {1, 2, 3, 4, 7, 8, 32}) {
            const Problem v = placement("v", p, {2, 5});
            CHECK(run("GPipe", v, m).makespan == (m + p - 1) * 7);
            CHECK(run("1F1B", v, m).makespan == (m + p - 1) * 7);
        }
    }
}

TEST_CASE("GPipe holds m micro-batches on every device, stage s of 1F1B min(p - s, m)") {
    for (const std::int64_t m : {1, 3, 9}) {
        const Problem v = placement("v", 5, {});
        CHECK(run("GPipe", v, m).measures.peak_memory == std::vector<Memory>(5, m));
        const std::vector<Memory> peaks = run("1F1B", v, m).measures.peak_memory;
        for (std::int64_t s = 0; s < 5; ++s) CHECK(peaks[static_cast<std::size_t>(s)] == std::min<Memory>(5 - s, m));
    }
}

TEST_CASE("1F1B with 4 devices and 8 micro-batches idles 3 of 11, by both definitions of the rate") {
    const Run run_8 = run("1F1B", placement("v", 4, {1, 2}), 8);
    const Ticks ideal = 8 * 3;
    CHECK(run_8.makespan == 33);
    CHECK((run_8.makespan - ideal) * 10'000 / run_8.makespan == 2727);  // idle over total
    CHECK((run_8.makespan - ideal) * 10'000 / ideal == 3750);           // idle over ideal
    CHECK(static_cast<int>(run_8.measures.bubble_makespan * 10'000) == 2727);
}

TEST_CASE("1F1B with a split backward hands the input gradient on before the weight gradient") {
    CHECK(run("1F1B", placement("v-split", 4, {1, 1, 1}), 8).makespan == 8 * 3 + 3 * 2);
    CHECK(run("1F1B", placement("v-split", 4, {3, 4, 2}), 8).makespan == 8 * 9 + 3 * 7);
}

TEST_CASE("128 micro-batches on the unit costs of 4 devices") {
    const Problem v = placement("v", 4, {}), m = placement("m", 4, {}), nn = placement("nn", 4, {});
    const Run v_1f1b = run("1F1B", v, 128);
    CHECK(v_1f1b.makespan == 524);
    check_period(v_1f1b, 4, 1);
    CHECK(run("GPipe", v, 128).makespan == 524);

    const Run m_plus = run("1F1B+", m, 128);
    CHECK(m_plus.makespan == 1034);
    check_period(m_plus, 8, 1);
    CHECK(m_plus.measures.bubble_steady == 0.25);
    const Run nn_plus = run("1F1B+", nn, 128);
    CHECK(nn_plus.makespan == 1290);
    check_period(nn_plus, 10, 1);

    CHECK(run("GPipe", m, 128).makespan == 780);
    CHECK(run("GPipe", nn, 128).makespan == 1036);
    CHECK(run("GPipe", nn, 128).peak == 128);
    CHECK_FALSE(run("GPipe", v, 128).schedule.repetend);
}

TEST_CASE("1F1B+ also orders gangs that no forward block follows, and branches") {
    check_period(run("1F1B+", placement("mllm", 4, {}), 32), 10, 1);
    check_period(run("1F1B+", placement("k", 4, {}), 32), 8, 1);
    check_period(run("1F1B+", placement("finetune", 4, {1, 2}), 32), 5, 1);
    for (const char* shape : {"m", "nn", "nn-eager", "mllm"}) {
        for (const std::int64_t devices : {2, 3, 5, 8}) run("1F1B+", placement(shape, devices, {}), 6);
    }
}

TEST_CASE("the inference pipeline takes m + p - 1 steps on V and reaches the work bound elsewhere") {
    for (const std::int64_t p : {1, 2, 4, 8}) CHECK(run("inference", inference("v", p), 16).makespan == 16 + p - 1);
    check_period(run("inference", inference("m", 4), 32), 2, 1);
    check_period(run("inference", inference("nn", 4), 32), 3, 1);
    check_period(run("inference", inference("k", 4), 32), 2, 1);
    check_period(run("inference", inference("x", 4), 32), 2, 1);
    check_period(run("inference", inference("alphafold", 4), 32), 3, 1);
}

TEST_CASE("Chimera direct takes 20 steps for two micro-batches each way, 14 with a backward of 2") {
    const Run slow = run("Chimera-direct", placement("x", 4, {}), 64);
    check_period(slow, 20, 2);
    CHECK(static_cast<int>(slow.measures.bubble_steady * 1000 + 0.5) == 200);
    const Run fast = run("Chimera-direct", placement("x", 4, {1, 2}), 64);
    check_period(fast, 14, 2);
    CHECK(fast.makespan == 16 + 31 * 14);  // one unit is the 16 steps of the published picture
    CHECK(run("Chimera-direct", placement("x", 4, {1, 2}), 2).makespan == 16);
}

TEST_CASE("Chimera direct says which sizes it lacks") {
    CHECK(reason("Chimera-direct", placement("x", 6, {}), 4) == "4 devices are needed, there are 6");
    CHECK(reason("Chimera-direct", placement("x", 4, {}), 3) == "micro-batches come in pairs, 3 is an odd number");
    CHECK(reason("Chimera-direct", placement("v", 4, {}), 4) == "a micro-batch has 1 chain of stages, expected 2");
}

TEST_CASE("3F1B runs three sweeps and a backward without a bubble, with the memory of 1F1B") {
    for (const std::int64_t p : {2, 3, 4, 5, 8, 12}) {
        const Run run_p = run("3F1B", placement("alphafold", p, {1, 1}), 64);
        check_period(run_p, 4, 1);
        for (std::int64_t s = 0; s < p; ++s) CHECK(run_p.measures.peak_memory[static_cast<std::size_t>(s)] == p - s);
    }
    CHECK(run("3F1B", placement("alphafold", 4, {1, 1}), 1).makespan == 16);
}

}  // namespace
