#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

#include "repetend/model/problem.hpp"
#include "unit/problem_builder.hpp"

using namespace repetend;
using repetend::testing::ProblemBuilder;
using repetend::testing::two_stages;

namespace {

// The faults as "code path: message" would be brittle; path and a key phrase are the contract.
bool has_fault(const Problem& problem, FaultCode code, const std::string& path, const std::string& phrase) {
    for (const Fault& fault : validate(problem)) {
        if (fault.code == code && fault.path == path && fault.message.find(phrase) != std::string::npos) return true;
    }
    return false;
}

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("a sound problem has no faults", "[model]") { CHECK(validate(two_stages(2)).empty()); }

TEST_CASE("the numbers at the border of the range are accepted", "[model]") {
    Problem problem = ProblemBuilder({0}).block("a", {0}, largest_number).build();
    problem.devices[0].memory_capacity = largest_number;
    CHECK(validate(problem).empty());
}

TEST_CASE("an empty problem misses devices and blocks", "[model]") {
    CHECK(has_fault(Problem(), FaultCode::missing, "devices", "at least one"));
    CHECK(has_fault(Problem(), FaultCode::missing, "blocks", "at least one"));
}

TEST_CASE("a device that does not exist is named with the number of devices", "[model]") {
    Problem problem = two_stages(2);
    problem.blocks[3].devices = {0, 9};
    problem.blocks[3].memory = {0, 0};
    problem.blocks[3].transient = {0, 0};
    problem.devices.resize(4);
    const Faults faults = validate(problem);
    REQUIRE(faults.size() == 1);
    CHECK(to_string(faults[0]) == "blocks[3].devices[1]: device 9 does not exist (there are 4)");
    problem.blocks[3].devices[1] = -1;
    CHECK(has_fault(problem, FaultCode::reference, "blocks[3].devices[1]", "device -1 does not exist"));
}

TEST_CASE("every fault of a block has its own path", "[model]") {
    Problem problem = two_stages(2);
    SECTION("no devices") {
        problem.blocks[1].devices.clear();
        CHECK(has_fault(problem, FaultCode::missing, "blocks[1].devices", "at least one device"));
    }
    SECTION("a device twice") {
        problem.blocks[1].devices = {0, 0};
        CHECK(has_fault(problem, FaultCode::duplicate, "blocks[1].devices[1]", "device 0 is named twice"));
    }
    SECTION("no time") {
        problem.blocks[2].time = 0;
        CHECK(has_fault(problem, FaultCode::range, "blocks[2].time", "0 is out of range"));
    }
    SECTION("too much time") {
        problem.blocks[2].time = largest_number + 1;
        CHECK(has_fault(problem, FaultCode::range, "blocks[2].time", "out of range"));
    }
    SECTION("memory array of another length") {
        problem.blocks[0].memory = {1, 1};
        CHECK(has_fault(problem, FaultCode::range, "blocks[0].memory", "2 amounts for 1 devices"));
    }
    SECTION("transient array of another length") {
        problem.blocks[0].transient.clear();
        CHECK(has_fault(problem, FaultCode::range, "blocks[0].transient", "0 amounts for 1 devices"));
    }
    SECTION("memory out of range") {
        problem.blocks[0].memory[0] = std::numeric_limits<std::int64_t>::min();
        CHECK(has_fault(problem, FaultCode::range, "blocks[0].memory[0]", "out of range"));
    }
    SECTION("a negative transient") {
        problem.blocks[0].transient[0] = -1;
        CHECK(has_fault(problem, FaultCode::range, "blocks[0].transient[0]", "-1 is out of range"));
    }
    SECTION("a stage that JSON cannot carry") {
        problem.blocks[0].stage = largest_number + 1;
        CHECK(has_fault(problem, FaultCode::range, "blocks[0].stage", "out of range"));
    }
    SECTION("no name") {
        problem.blocks[0].name.clear();
        CHECK(has_fault(problem, FaultCode::missing, "blocks[0].name", "name"));
    }
    SECTION("a name used before") {
        problem.blocks[3].name = "F1";
        CHECK(has_fault(problem, FaultCode::duplicate, "blocks[3].name", "already used by blocks[1]"));
    }
}

TEST_CASE("faults of devices, dependencies and N have their paths", "[model]") {
    Problem problem = two_stages(2);
    SECTION("capacity") {
        problem.devices[1].memory_capacity = huge;
        CHECK(has_fault(problem, FaultCode::range, "devices[1].memory_capacity", "out of range"));
    }
    SECTION("static memory") {
        problem.devices[0].memory_static = -huge;
        CHECK(has_fault(problem, FaultCode::range, "devices[0].memory_static", "out of range"));
    }
    SECTION("from") {
        problem.dependencies[2].from = 17;
        CHECK(
            has_fault(problem, FaultCode::reference, "dependencies[2].from", "block 17 does not exist (there are 4)"));
    }
    SECTION("to") {
        problem.dependencies[0].to = -2;
        CHECK(has_fault(problem, FaultCode::reference, "dependencies[0].to", "block -2 does not exist"));
    }
    SECTION("lag") {
        problem.dependencies[0].lag = -1;
        CHECK(has_fault(problem, FaultCode::range, "dependencies[0].lag", "-1 is out of range"));
    }
    SECTION("micro-batches") {
        problem.micro_batches = 0;
        CHECK(has_fault(problem, FaultCode::range, "micro_batches", "0 is out of range"));
    }
}

TEST_CASE("all faults are found, not only the first", "[model]") {
    Problem problem = two_stages(2);
    problem.blocks[0].time = -1;
    problem.blocks[1].devices = {7};
    problem.dependencies[1].lag = -4;
    problem.micro_batches = -1;
    CHECK(validate(problem).size() == 4);
}

TEST_CASE("cycles are named by their blocks, every one of them", "[model]") {
    Problem problem = ProblemBuilder({-1})
                          .block("a", {0}, 1)
                          .block("b", {0}, 1)
                          .block("c", {0}, 1)
                          .block("d", {0}, 1)
                          .block("e", {0}, 1)
                          .edge(0, 1)
                          .edge(1, 2)
                          .edge(2, 0)
                          .edge(2, 3)
                          .edge(3, 4)
                          .edge(4, 3)
                          .edge(4, 4)
                          .build();
    CHECK(has_fault(problem, FaultCode::cycle, "dependencies", "a -> b -> c -> a"));
    CHECK(has_fault(problem, FaultCode::cycle, "dependencies", "d -> e -> d"));
    CHECK(has_fault(problem, FaultCode::cycle, "dependencies[6]", "e depends on itself"));
    CHECK(validate(problem).size() == 3);
}

TEST_CASE("sums that leave the range of the arithmetic are refused", "[model]") {
    SECTION("times") {
        const Problem problem = ProblemBuilder({-1}).block("a", {0}, largest_number).block("b", {0}, 1).build();
        CHECK(has_fault(problem, FaultCode::range, "blocks", "all times and lags together"));
    }
    SECTION("lags count as well, and each parallel edge") {
        const Problem problem = ProblemBuilder({-1})
                                    .block("a", {0}, 1)
                                    .block("b", {0}, 1)
                                    .edge(0, 1, largest_number / 2)
                                    .edge(0, 1, largest_number / 2)
                                    .build();
        CHECK(has_fault(problem, FaultCode::range, "blocks", "all times and lags together"));
    }
    SECTION("memory, whatever its sign") {
        const Problem problem =
            ProblemBuilder({-1, -1}).block("a", {1}, 1, largest_number).block("b", {1}, 1, -1).build();
        CHECK(has_fault(problem, FaultCode::range, "devices[1]", "all memory amounts"));
    }
    SECTION("64-bit overflow does not hide them") {
        Problem problem = two_stages(2);
        for (Block& block : problem.blocks) block.time = huge;
        CHECK(has_fault(problem, FaultCode::range, "blocks", "all times and lags together"));
    }
}

TEST_CASE("problems beyond the limits are refused before they are looked at", "[model]") {
    Problem problem = two_stages(2);
    problem.devices.resize(static_cast<std::size_t>(most_devices) + 1);
    const Faults faults = validate(problem);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].code == FaultCode::limit);
    CHECK(faults[0].path == "devices");
}

TEST_CASE("the nearest name forgives a third of the letters", "[model]") {
    const std::vector<std::string> fields = {"memory", "devices", "transient", "time"};
    CHECK(nearest_name("mempry", fields) == "memory");
    CHECK(nearest_name("divices", fields) == "devices");
    CHECK(nearest_name("tmie", fields) == "time");  // a swap of neighbours is one edit
    CHECK(nearest_name("transeint", fields) == "transient");
    CHECK(nearest_name("colour", fields).empty());
    CHECK(nearest_name("", fields).empty());
    CHECK(nearest_name(std::string(100000, 'x'), fields).empty());
}

TEST_CASE("kinds go to text and back", "[model]") {
    for (const char* text : {"forward", "backward", "input_gradient", "weight_gradient", "transfer", "other"}) {
        REQUIRE(block_kind_from(text));
        CHECK(to_string(*block_kind_from(text)) == text);
    }
    CHECK_FALSE(block_kind_from("Forward"));
    CHECK(device_kind_from("link") == DeviceKind::link);
    CHECK_FALSE(device_kind_from("gpu"));
}

TEST_CASE("work and net memory are sums per device", "[model]") {
    Problem problem = two_stages(2);
    problem.blocks[2].time = 7;
    problem.blocks[3].memory[0] = -3;
    CHECK(work_ticks(problem, 0) == 3);
    CHECK(work_ticks(problem, 1) == 8);
    CHECK(most_work_ticks(problem) == 8);
    CHECK(net_memory(problem, 0) == -2);
    CHECK(net_memory(problem, 1) == 0);
    CHECK(memory_on(problem.blocks[3], 1) == 0);
}

TEST_CASE("a block above the capacity alone is a misfit", "[model]") {
    SECTION("with static memory and transient") {
        Problem problem = two_stages(4);
        problem.devices[1].memory_static = 2;
        problem.blocks[2].transient[0] = 3;
        const std::optional<Misfit> misfit = find_misfit(problem);
        REQUIRE(misfit);
        CHECK(misfit->device == 1);
        CHECK(misfit->block == 2);
        CHECK(describe(*misfit, problem) == "block B1 alone needs 5 on device 1: the capacity is 4");
    }
    SECTION("static memory alone") {
        Problem problem = two_stages(4);
        problem.devices[0].name = "gpu0";
        problem.devices[0].memory_static = 5;
        const std::optional<Misfit> misfit = find_misfit(problem);
        REQUIRE(misfit);
        CHECK(misfit->block == -1);
        CHECK(describe(*misfit, problem) == "the static memory of gpu0 is 5: the capacity is 4");
    }
    SECTION("nothing when everything fits") { CHECK_FALSE(find_misfit(two_stages(1))); }
    SECTION("nothing when a release before it may make room") {
        const Problem problem =
            ProblemBuilder({4}).block("free", {0}, 1, -2).block("take", {0}, 1, 6).edge(0, 1).build();
        CHECK_FALSE(find_misfit(problem));
    }
}
