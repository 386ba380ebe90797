// Scale, level of detail, hit test, colours.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "app/schedule_view.hpp"
#include "gantt/lane_layout.hpp"
#include "gantt/level_of_detail.hpp"
#include "gantt/time_scale.hpp"
#include "theme/theme.hpp"

using namespace repetend;
using namespace repetend::web;
using Catch::Approx;

namespace {

// `devices` lanes of `count` blocks of 2 ticks each, one tick apart.
std::shared_ptr<const ScheduleView> lanes(int devices, std::int64_t count) {
    Problem problem;
    Schedule schedule;
    schedule.micro_batches = count;
    for (int d = 0; d < devices; ++d) {
        problem.devices.push_back({});
        Block block;
        block.name = "f" + std::to_string(d);
        block.kind = BlockKind::forward;
        block.devices = {d};
        block.time = 2;
        block.memory = {0};
        block.transient = {0};
        problem.blocks.push_back(block);
        for (std::int64_t m = 0; m < count; ++m) schedule.operations.push_back({d, m, m * 3});
    }
    sort_operations(schedule);
    return make_view(problem, schedule);
}

TEST_CASE("zooming keeps the tick under the cursor") {
    TimeScale scale;
    scale.set_pixels(800);
    scale.set_end(1000);
    scale.fit(false);
    const double tick = scale.tick(300);
    for (int k = 0; k < 10; ++k) {
        scale.zoom(1.3, 300);
        CHECK(scale.tick(300) == Approx(tick));
    }
    for (int k = 0; k < 30; ++k) scale.zoom(0.7, 300);
    CHECK(scale.fitted());
}

TEST_CASE("the range stays at the schedule, and an animation ends where it should") {
    TimeScale scale;
    scale.set_pixels(800);
    scale.set_end(100);
    scale.show(-500, -400, false);
    CHECK(scale.from() > -20);
    scale.show(40, 60, true);
    while (scale.advance(0.02)) {
    }
    CHECK(scale.from() == Approx(40));
    CHECK(scale.to() == Approx(60));
    scale.pan(-1e9);
    CHECK(scale.to() < 130);
    scale.set_end(1);
    scale.zoom(1e9, 10);
    CHECK(scale.span() > 0);
}

TEST_CASE("ruler marks are 1, 2 or 5 times a power of ten and far enough apart") {
    TimeScale scale;
    scale.set_pixels(1000);
    for (const double end : {3.0, 50.0, 777.0, 123456.0, 1e12}) {
        scale.set_end(end);
        scale.fit(false);
        const double step = scale.mark_distance(60);
        CHECK(step >= 1);
        CHECK((step == 1 || step * scale.pixels_per_tick() >= 59.9));
    }
}

TEST_CASE("what is drawn follows the pixels, not the operations") {
    const auto view = lanes(1, 100'000);
    TimeScale scale;
    scale.set_pixels(1200);
    scale.set_end(static_cast<double>(view->end));
    scale.fit(false);
    std::vector<DrawnItem> items;
    visible_items(*view, 0, scale, items);
    CHECK(static_cast<double>(items.size()) <= 1200 / band_pixels + 2);
    CHECK(items.size() > 200);
    for (const DrawnItem& item : items) {
        CHECK(item.band);
        CHECK(item.density == Approx(2.0 / 3).margin(0.12));
    }
    // Zoomed in: each by itself, at its place.
    scale.show(3000, 3030, false);
    items.clear();
    visible_items(*view, 0, scale, items);
    CHECK(items.size() >= 9);
    CHECK(items.size() <= 12);
    for (const DrawnItem& item : items) {
        CHECK_FALSE(item.band);
        CHECK(item.x0 == Approx(scale.x(static_cast<double>(view->operation(item.operation).start))).margin(0.01));
    }
}

TEST_CASE("a wide block behind narrow ones is drawn by itself") {
    Problem problem;
    problem.devices.resize(1);
    for (const auto& [name, time] : {std::pair{"a", 1}, {"b", 1}, {"c", 1000}}) {
        Block block;
        block.name = name;
        block.devices = {0};
        block.time = time;
        block.memory = {0};
        block.transient = {0};
        problem.blocks.push_back(block);
    }
    Schedule schedule;
    schedule.micro_batches = 1;
    schedule.operations = {{0, 0, 0}, {1, 0, 1}, {2, 0, 2}};
    const auto view = make_view(problem, schedule);
    TimeScale scale;
    scale.set_pixels(500);
    scale.set_end(1002);
    scale.fit(false);
    std::vector<DrawnItem> items;
    visible_items(*view, 0, scale, items);
    REQUIRE(items.size() == 2);
    CHECK(items[0].band);
    CHECK_FALSE(items[1].band);
    CHECK(items[1].operation == 2);
}

TEST_CASE("what is under a point") {
    const auto view = lanes(3, 10);
    const LaneLayout layout = make_lane_layout(3, 600, 400, 60, true, 0);
    TimeScale scale;
    scale.set_pixels(540);
    scale.set_end(static_cast<double>(view->end));
    scale.fit(false);
    const auto at = [&](double tick, int device, float below) {
        return hit_test(*view, layout, scale, 60 + static_cast<float>(scale.x(tick)), layout.top_of(device) + below);
    };
    CHECK(view->operation(at(3.5, 1, 5).operation).micro_batch == 1);
    CHECK(at(3.5, 1, 5).device == 1);
    CHECK(at(2.5, 1, 5).operation == -1);
    CHECK(at(2.5, 2, layout.lane + 5).memory);
    CHECK(hit_test(*view, layout, scale, 10, 100).device == -1);
    CHECK(hit_test(*view, layout, scale, 100, 10).device == -1);
    for (const int devices : {1, 4, 32, 500}) {
        const LaneLayout many = make_lane_layout(devices, 600, 400, 60, true, 1e9);
        CHECK(many.lane >= least_lane);
        CHECK(many.top_of(devices - 1) + many.lane <= std::max(many.bottom, many.ruler + many.content()) + 0.5f);
    }
}

TEST_CASE("text reads on everything it stands on") {
    for (const bool dark : {false, true}) {
        for (const bool high : {false, true}) {
            const Palette& colours = palette(dark, high);
            for (const Rgb text : {colours.text, colours.muted, colours.accent, colours.good, colours.bad})
                for (const Rgb ground : {colours.page, colours.panel}) CHECK(contrast(text, ground) >= 4.5);
            CHECK(contrast(colours.on_accent, colours.accent) >= 4.5);
        }
        for (int kind = 0; kind <= static_cast<int>(BlockKind::other); ++kind) {
            const Rgb colour = kind_colour(static_cast<BlockKind>(kind), dark);
            CHECK(contrast(ink_on(colour), colour) >= 4.5);
        }
        for (int k = 0; k < 12; ++k) CHECK(contrast(ink_on(hue_colour(k, dark)), hue_colour(k, dark)) >= 4.5);
    }
    CHECK(contrast(0x000000, 0xFFFFFF) == Approx(21));
}

}  // namespace
