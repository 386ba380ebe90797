// The option table: rows in order, and every kind of value checked by its row.
#include "repetend/session/options.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

using namespace repetend;

namespace {

std::string fault_of(std::string_view name, std::string_view text) {
    OptionValues values;
    const std::optional<Fault> fault = values.set(name, text);
    return fault ? to_string(*fault) : "";
}

}  // namespace

TEST_CASE("names and letters of options are unique, and their defaults pass their own checks", "[options]") {
    std::set<std::string> names;
    std::set<char> letters;
    for (const OptionRow& row : option_table()) {
        INFO(row.name);
        CHECK(names.insert(std::string(row.name)).second);
        if (row.letter != '\0') CHECK(letters.insert(row.letter).second);
        CHECK_FALSE(row.usage.empty());
        CHECK(row.usage.back() != '.');
        CHECK(row.low <= row.high);
        CHECK((row.kind == OptionKind::flag) == row.placeholder.empty());
        if (!row.standard.empty()) CHECK(fault_of(row.name, row.standard).empty());
    }
}

TEST_CASE("an option is found by its name in both spellings", "[options]") {
    REQUIRE(find_option("micro-batches") != nullptr);
    CHECK(find_option("micro_batches") == find_option("micro-batches"));
    CHECK(find_option("microbatches") == nullptr);
}

TEST_CASE("values outside a range are refused with the range", "[options]") {
    CHECK(fault_of("devices", "0") == "--devices: '0' is out of range: 1 to 4096 expected");
    CHECK(fault_of("devices", "4097") == "--devices: '4097' is out of range: 1 to 4096 expected");
    CHECK(fault_of("devices", "-3") == "--devices: '-3' is out of range: 1 to 4096 expected");
    CHECK(fault_of("seed", "99999999999999999999999") ==
          "--seed: '99999999999999999999999' is out of range: 0 to 2^53 expected");
    CHECK(fault_of("devices", "4096").empty());
    CHECK(fault_of("seed", "9007199254740992").empty());
    CHECK_FALSE(fault_of("seed", "9007199254740993").empty());
}

TEST_CASE("what is no number is no number", "[options]") {
    for (const char* text : {"", " ", "four", "4x", "0x4", "4.0", "1e3", "nan", "inf", "+", "-", "--4", "+-4", " 4"}) {
        INFO('[' << text << ']');
        CHECK(fault_of("devices", text).find("is not a whole number") != std::string::npos);
    }
    CHECK(fault_of("devices", "+4").empty());
    CHECK(fault_of("devices", "004").empty());
}

TEST_CASE("words are known words, and a near miss is answered with the word meant", "[options]") {
    CHECK(fault_of("objective", "period").empty());
    CHECK(fault_of("objective", "preiod") ==
          "--objective: 'preiod' is not one of makespan|period; did you mean period?");
    CHECK(fault_of("copies", "auto").empty());
    CHECK(fault_of("copies", "outo") == "--copies: 'outo' is not a whole number or auto; did you mean auto?");
    CHECK(fault_of("devcies", "4") == "--devcies: unknown option; did you mean --devices?");
}

TEST_CASE("durations are read exactly", "[options]") {
    const auto ms = [](std::string_view text) {
        OptionValues values;
        REQUIRE_FALSE(values.set("timeout", text));
        return *values.integer("timeout");
    };
    CHECK(ms("30s") == 30'000);
    CHECK(ms("30") == 30'000);
    CHECK(ms("500ms") == 500);
    CHECK(ms("1.5s") == 1500);
    CHECK(ms("0.25") == 250);
    CHECK(ms("2m") == 120'000);
    CHECK(ms("2min") == 120'000);
    CHECK(ms("1.5h") == 5'400'000);
    for (const char* text : {"", "s", ".", "1.", "-1s", "1d", "1 s", "1.2.3s", "0.0001s", "1e3s", "nan"}) {
        INFO('[' << text << ']');
        CHECK(fault_of("timeout", text).find("is not a time such as") != std::string::npos);
    }
    CHECK(fault_of("timeout", "0s").find("is out of range") != std::string::npos);
    CHECK(fault_of("timeout", "999999999999h").find("is out of range") != std::string::npos);
    CHECK(fault_of("timeout", "99999999999999999999999999s").find("is out of range") != std::string::npos);
}

TEST_CASE("memory is one amount or a list, with unlimited among them", "[options]") {
    OptionValues values;
    CHECK(values.amounts("memory").empty());
    REQUIRE_FALSE(values.set("memory", "4,unlimited,007,0"));
    const std::vector<std::optional<Memory>> amounts = values.amounts("memory");
    REQUIRE(amounts.size() == 4);
    CHECK(amounts[0] == 4);
    CHECK_FALSE(amounts[1].has_value());
    CHECK(amounts[2] == 7);
    CHECK(amounts[3] == 0);
    CHECK(values.text("memory") == "4,unlimited,7,0");
    CHECK(fault_of("memory", "4,,2").find("is not a whole number or unlimited") != std::string::npos);
    CHECK(fault_of("memory", "4,").find("is not a whole number or unlimited") != std::string::npos);
    CHECK(fault_of("memory", "-1").find("is out of range") != std::string::npos);
    CHECK(fault_of("memory", std::string(10'000, ',')).find("more than 4096 amounts") != std::string::npos);
}

TEST_CASE("a refused value leaves the earlier one", "[options]") {
    OptionValues values;
    REQUIRE_FALSE(values.set("devices", "8"));
    REQUIRE(values.set("devices", "none"));
    CHECK(values.integer("devices") == 8);
}

TEST_CASE("flags take no other value than true and false", "[options]") {
    OptionValues values;
    CHECK_FALSE(values.flag("json"));
    REQUIRE_FALSE(values.set("json", ""));
    CHECK(values.flag("json"));
    REQUIRE_FALSE(values.set("json", "false"));
    CHECK_FALSE(values.flag("json"));
    CHECK(values.set("json", "yes"));
}

TEST_CASE("options that were not given stay absent in the placement, and defaults reach the search", "[options]") {
    const OptionValues none;
    const PlacementOptions placement = placement_options(none);
    CHECK_FALSE(placement.devices);
    CHECK_FALSE(placement.forward);
    CHECK_FALSE(placement.chunks);
    CHECK(placement.memory.empty());
    const SearchOptions search = search_options(none);
    CHECK(search.copies == 1);
    CHECK_FALSE(search.copies_auto);
    CHECK_FALSE(search.max_in_flight);
    CHECK_FALSE(search.micro_batches);
    CHECK(search.objective == Objective::makespan);
    CHECK(search.seed == 1);
    CHECK(search.work_budget == 0);
}

TEST_CASE("given options arrive where they belong", "[options]") {
    OptionValues values;
    for (const auto& [name, text] : std::vector<std::pair<const char*, const char*>>{{"devices", "8"},
                                                                                     {"micro_batches", "16"},
                                                                                     {"memory", "3"},
                                                                                     {"forward", "2"},
                                                                                     {"backward", "5"},
                                                                                     {"weight", "1"},
                                                                                     {"gang", "4"},
                                                                                     {"lag", "6"},
                                                                                     {"chunks", "3"},
                                                                                     {"inference", ""},
                                                                                     {"copies", "auto"},
                                                                                     {"max-in-flight", "9"},
                                                                                     {"objective", "period"},
                                                                                     {"seed", "77"},
                                                                                     {"budget", "1000"}}) {
        REQUIRE_FALSE(values.set(name, text));
    }
    const PlacementOptions placement = placement_options(values);
    CHECK(placement.devices == 8);
    CHECK(placement.micro_batches == 16);
    REQUIRE(placement.memory.size() == 1);
    CHECK(placement.memory[0] == 3);
    CHECK(placement.forward == 2);
    CHECK(placement.backward == 5);
    CHECK(placement.weight == 1);
    CHECK(placement.gang == 4);
    CHECK(placement.lag == 6);
    CHECK(placement.chunks == 3);
    CHECK(placement.inference);
    const SearchOptions search = search_options(values);
    CHECK(search.copies_auto);
    CHECK(search.max_in_flight == 9);
    CHECK(search.objective == Objective::period);
    CHECK(search.micro_batches == 16);
    CHECK(search.seed == 77);
    CHECK(search.work_budget == 1000);
    CHECK(values.given().size() == 15);
    CHECK(values.given().front().first == "devices");
}
