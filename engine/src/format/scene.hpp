// What both drawings show, before any painting: lanes in time order, one letter for each block, the phases,
// and where a long schedule may be cut. Made for valid schedules; others (overlaps, starts below 0) are drawn
// as they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repetend/model/schedule.hpp"
#include "repetend/schedule/measures.hpp"
#include "units.hpp"

namespace repetend::format {

// An operation on one lane.
struct LaneItem {
    Ticks start = 0;
    Ticks end = 0;
    int block = 0;
    std::int64_t micro_batch = 0;
};

// Time that is shown without a gap.
struct Stretch {
    Ticks from = 0;
    Ticks to = 0;
};

struct Scene {
    Ticks first = 0;                           // 0, or the first start when that is below 0
    Ticks end = 1;                             // the last end
    std::vector<std::vector<LaneItem>> lanes;  // per device, by start
    std::vector<char> letters;                 // per block
    std::vector<bool> gangs;                   // per block: on several devices
    std::optional<RepetendMark> mark;          // only when it lies inside the schedule
    Ticks repetend_end = 0;
    Ticks typical_time = 1;  // blocks that make up nine tenths of the work take at least this long
    bool has_memory = false;
    Memory most_memory = 1;                       // largest capacity or level anywhere
    std::vector<std::vector<MemoryStep>> memory;  // per device
    std::vector<Memory> peaks;                    // per device
    std::optional<Measures> measures;             // none when a start lies below 0
    ReadableUnit time_unit, memory_unit;
};
Scene make_scene(const Problem& problem, const Schedule& schedule);

// The stretches to show so that they take at most about `room` ticks: everything where that fits or nothing
// repeats, else the start and the end of the schedule with whole periods left out between them.
std::vector<Stretch> choose_stretches(const Scene& scene, double room);
// Periods that `stretches` leave out.
std::int64_t periods_left_out(const Scene& scene, const std::vector<Stretch>& stretches);

// What the letters mean, one entry for each that occurs: 'F' and "forward".
struct LetterMeaning {
    char letter = ' ';
    BlockKind kind = BlockKind::other;
    bool gang = false;
    std::string words;
};
std::vector<LetterMeaning> letter_meanings(const Problem& problem, const Scene& scene);

// One line of fact for a drawing: "makespan", "44 ticks", the definition.
struct FactLine {
    std::string name, value, definition;
};
std::vector<FactLine> facts(const Problem& problem, const Scene& scene);

// An amount alone, in the unit that suits it; for numbers that are not compared with others.
std::string time_text(const Problem& problem, Ticks amount);
std::string memory_text(const Problem& problem, Memory amount);
// `rate` as a percentage: "12.5 %".
std::string percent(double rate);
// "4 devices", "1 device".
std::string counted(std::int64_t count, const std::string& thing);
// One line without control characters, cut to `most` characters.
std::string label(std::string_view text, std::size_t most);

}  // namespace repetend::format
