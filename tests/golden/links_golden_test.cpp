// Old links keep opening, for ever: every line of the golden file was written by some version of the program.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <string>

#include "repetend/format/json.hpp"
#include "repetend/format/share.hpp"
#include "repetend/presets.hpp"
#include "support/paths.hpp"

using namespace repetend;

TEST_CASE("old links keep opening and say the same as when they were written") {
    std::ifstream file(repetend::test::source_dir() / "tests/golden/format/links.txt");
    REQUIRE(file);
    std::string line;
    int links = 0;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        // "<blocks> <devices> <micro-batches> <sum of times> <link>"
        int blocks = 0, devices = 0;
        std::int64_t micro_batches = 0, times = 0;
        std::size_t at = 0;
        const auto number = [&] {
            std::size_t used = 0;
            const std::int64_t value = std::stoll(line.substr(at), &used);
            at += used;
            return value;
        };
        blocks = static_cast<int>(number());
        devices = static_cast<int>(number());
        micro_batches = number();
        times = number();
        INFO(line);
        const Result<Recipe> recipe = read_link(line.substr(at + 1));
        REQUIRE(recipe);
        const Problem problem = recipe->problem
                                    ? *recipe->problem
                                    : build_preset(recipe->preset, placement_options(recipe->options)).value();
        CHECK(problem.num_blocks() == blocks);
        CHECK(problem.num_devices() == devices);
        std::int64_t sum = 0;
        for (const Block& block : problem.blocks) sum += block.time;
        CHECK(sum == times);
        CHECK((recipe->schedule ? recipe->schedule->micro_batches : problem.micro_batches.value_or(0)) ==
              micro_batches);
        if (recipe->problem) CHECK(write_link(*recipe) == line.substr(at + 1));  // and are written the same
        ++links;
    }
    CHECK(links >= 4);
}
