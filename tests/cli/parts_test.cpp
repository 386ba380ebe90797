// Parts of the command line on their own: words and numbers for people, slices of work, the shortest repetend.
#include <catch2/catch_test_macros.hpp>

#include "runner.hpp"
#include "text.hpp"

using namespace repetend;
using namespace repetend::native;

namespace {

Problem with_units(const std::string& time, const std::string& memory) {
    Problem problem;
    problem.time_unit = time;
    problem.memory_unit = memory;
    return problem;
}

}  // namespace

TEST_CASE("amounts are exact, with a readable form where the unit is known and the number long", "[cli][text]") {
    CHECK(time_text(with_units("", ""), 12) == "12 ticks");
    CHECK(time_text(with_units("tick", ""), 1) == "1 tick");
    CHECK(time_text(with_units("ns", ""), 187'654'321) == "187654321 ns (187.7 ms)");
    CHECK(time_text(with_units("ns", ""), 999) == "999 ns");
    CHECK(time_text(with_units("furlong", ""), 5000) == "5000 furlong");
    CHECK(memory_text(with_units("", "byte"), 34'359'738'368) == "34359738368 bytes (32 GiB)");
    CHECK(memory_text(with_units("", "byte"), 1) == "1 byte");
    CHECK(memory_text(with_units("", ""), 4) == "4");
    CHECK(short_time(with_units("us", ""), 1'500'000) == "1.5 s");
    CHECK(short_memory(with_units("", "byte"), -134'217'728) == "-128 MiB");
    CHECK(short_memory(with_units("", "chunks"), 7) == "7");
}

TEST_CASE("what is not nothing does not look like nothing", "[cli][text]") {
    CHECK(percent(0) == "0.0 %");
    CHECK(percent(0.0001) == "< 0.1 %");
    CHECK(percent(0.125) == "12.5 %");
}

TEST_CASE("text is wrapped between words with its later lines indented", "[cli][text]") {
    CHECK(wrapped("one two three", 80, 0) == "one two three");
    CHECK(wrapped("one two three", 9, 2) == "one two\n  three");
    CHECK(wrapped("a-word-longer-than-the-line and more", 10, 0) == "a-word-longer-than-the-line\nand more");
    CHECK(wrapped("", 10, 4).empty());
    CHECK(wrapped("é é é", 5, 0) == "é é é");  // counted in characters, not bytes
}

TEST_CASE("JSON strings are escaped", "[cli][text]") {
    CHECK(json_text("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\u000a\\u0001\"");
    CHECK(json_text("é") == "\"é\"");
}

TEST_CASE("slices settle under the time after which a person notices", "[cli][runner]") {
    // A machine that does `speed` units a second, steadily and then suddenly a thousand times slower.
    SliceSizer sizer;
    double speed = 1e9;
    for (int i = 0; i < 40; ++i) sizer.took(static_cast<double>(sizer.work()) / speed, 1e9);
    const double settled_s = static_cast<double>(sizer.work()) / speed;
    CHECK(settled_s > 0.001);
    CHECK(settled_s < 0.02);
    speed = 1e6;
    sizer.took(static_cast<double>(sizer.work()) / speed, 1e9);
    CHECK(static_cast<double>(sizer.work()) / speed < 0.02);  // one long slice, no second one
    sizer.took(0.008, 0.001);
    CHECK(static_cast<double>(sizer.work()) / speed < 0.002);  // the deadline is near
    for (int i = 0; i < 40; ++i) sizer.took(1, 1e9);
    CHECK(sizer.work() >= 1);
}

TEST_CASE("the shortest repetend is the one with the least period per micro-batch", "[cli][runner]") {
    ShortestRepetend shortest;
    CHECK_FALSE(shortest.found());
    const auto event = [](EventKind kind, int copies, Ticks value) {
        Event made;
        made.kind = kind;
        made.copies = copies;
        made.value = value;
        return made;
    };
    shortest.take({event(EventKind::period, 1, 10), event(EventKind::period_bound, 1, 10)});
    CHECK(shortest.found()->period == 10);
    CHECK(shortest.found()->optimal);
    shortest.take({event(EventKind::period, 3, 24), event(EventKind::period_bound, 3, 22)});
    CHECK(shortest.found()->copies == 3);
    CHECK_FALSE(shortest.found()->optimal);
    shortest.take(
        {event(EventKind::period, 4, 38), event(EventKind::period, 3, 23), event(EventKind::period_bound, 3, 23)});
    CHECK(shortest.found()->period == 23);
    CHECK(shortest.found()->optimal);
    shortest.take({event(EventKind::period, 2, 20)});
    CHECK(shortest.found()->period == 23);
}
