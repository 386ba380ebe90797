// Facts for the drawings; see scene.hpp.
#include "scene.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "json_value.hpp"
#include "json_writer.hpp"

namespace repetend::format {
namespace {

void hand_out_operations(const Problem& problem, const Schedule& schedule, Scene& scene) {
    scene.lanes.resize(problem.devices.size());
    for (const Operation& operation : schedule.operations) {
        const Block& block = problem.blocks[static_cast<std::size_t>(operation.block)];
        const LaneItem item{operation.start, operation.start + block.time, operation.block, operation.micro_batch};
        scene.first = std::min(scene.first, item.start);
        scene.end = std::max(scene.end, item.end);
        for (const int device : block.devices) scene.lanes[static_cast<std::size_t>(device)].push_back(item);
    }
    for (std::vector<LaneItem>& lane : scene.lanes) {
        std::sort(lane.begin(), lane.end(), [](const LaneItem& a, const LaneItem& b) {
            return std::tie(a.start, a.micro_batch, a.block) < std::tie(b.start, b.micro_batch, b.block);
        });
    }
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char kind_letter(const Block& block) {
    switch (block.kind) {
        case BlockKind::forward:
            return 'F';
        case BlockKind::backward:
            return 'B';
        case BlockKind::input_gradient:
            return 'I';
        case BlockKind::weight_gradient:
            return 'W';
        case BlockKind::transfer:
            return 'T';
        case BlockKind::other:
            break;
    }
    return !block.name.empty() && is_ascii_letter(block.name[0]) ? block.name[0] : 'O';
}

// Capital letters for blocks on several devices, small ones for the others, as in the papers; without gang
// blocks small letters are left for the second and later block of a kind on the same device.
void choose_letters(const Problem& problem, Scene& scene) {
    const bool any_gang = std::any_of(problem.blocks.begin(), problem.blocks.end(),
                                      [](const Block& block) { return block.devices.size() > 1; });
    std::map<std::pair<int, BlockKind>, int> seen;
    for (const Block& block : problem.blocks) {
        const bool gang = block.devices.size() > 1;
        char letter = kind_letter(block);
        const bool named_by_kind = block.kind != BlockKind::other;
        const bool later = !block.devices.empty() && seen[{block.devices[0], block.kind}]++ > 0;
        if (named_by_kind && !gang && (any_gang || later)) letter = static_cast<char>(letter - 'A' + 'a');
        scene.letters.push_back(letter);
        scene.gangs.push_back(gang);
    }
}

// Time of the shortest blocks that matter: those shorter make up less than a tenth of all work.
Ticks typical_block_time(const Problem& problem) {
    std::vector<std::pair<Ticks, double>> work;
    double all = 0;
    for (const Block& block : problem.blocks) {
        const double amount = static_cast<double>(block.time) * static_cast<double>(block.devices.size());
        work.emplace_back(block.time, amount);
        all += amount;
    }
    std::sort(work.begin(), work.end());
    double below = 0;
    for (const auto& [time, amount] : work) {
        below += amount;
        if (below * 10 >= all) return time;
    }
    return 1;
}

void keep_mark(const Schedule& schedule, Scene& scene) {
    if (!schedule.repetend) return;
    const RepetendMark& mark = *schedule.repetend;
    if (mark.period < 1 || mark.repeats < 1 || mark.begin < scene.first || mark.begin >= scene.end) return;
    if (mark.repeats > (scene.end - mark.begin) / mark.period) return;
    scene.mark = mark;
    scene.repetend_end = mark.begin + mark.period * mark.repeats;
}

void add_memory(const Problem& problem, const Schedule& schedule, Scene& scene) {
    if (scene.first < 0) return;
    scene.measures = measure(problem, schedule);
    for (int d = 0; d < problem.num_devices(); ++d) {
        scene.memory.push_back(memory_curve(problem, schedule, d));
        const Memory peak = scene.measures->peak_memory[static_cast<std::size_t>(d)];
        scene.peaks.push_back(peak);
        scene.has_memory = scene.has_memory || peak != 0;
        scene.most_memory = std::max(
            {scene.most_memory, peak, problem.devices[static_cast<std::size_t>(d)].memory_capacity.value_or(0)});
    }
}

std::string_view kind_words(BlockKind kind) {
    switch (kind) {
        case BlockKind::forward:
            return "forward";
        case BlockKind::backward:
            return "backward";
        case BlockKind::input_gradient:
            return "input gradient";
        case BlockKind::weight_gradient:
            return "weight gradient";
        case BlockKind::transfer:
            return "transfer";
        case BlockKind::other:
            break;
    }
    return "other";
}

}  // namespace

Scene make_scene(const Problem& problem, const Schedule& schedule) {
    Scene scene;
    hand_out_operations(problem, schedule, scene);
    choose_letters(problem, scene);
    scene.typical_time = typical_block_time(problem);
    keep_mark(schedule, scene);
    add_memory(problem, schedule, scene);
    scene.time_unit = ReadableUnit::for_time(problem.time_unit, scene.end);
    scene.memory_unit = ReadableUnit::for_memory(problem.memory_unit, scene.most_memory);
    return scene;
}

std::vector<Stretch> choose_stretches(const Scene& scene, double room) {
    const double all = static_cast<double>(scene.end - scene.first);
    if (all <= room || !scene.mark || scene.mark->repeats < 4) return {{scene.first, scene.end}};
    const Ticks period = scene.mark->period;
    const std::int64_t repeats = scene.mark->repeats;
    const double outside = all - static_cast<double>(period * repeats);
    const double fitting = (room - outside) / static_cast<double>(period);
    const std::int64_t keep = fitting < 2 ? 2 : std::min(static_cast<std::int64_t>(fitting), repeats);
    if (keep + 2 > repeats) return {{scene.first, scene.end}};
    const std::int64_t left = (keep + 1) / 2;
    return {{scene.first, scene.mark->begin + left * period}, {scene.repetend_end - (keep - left) * period, scene.end}};
}

std::int64_t periods_left_out(const Scene& scene, const std::vector<Stretch>& stretches) {
    return stretches.size() < 2 ? 0 : (stretches[1].from - stretches[0].to) / scene.mark->period;
}

std::vector<LetterMeaning> letter_meanings(const Problem& problem, const Scene& scene) {
    std::map<std::tuple<BlockKind, bool, char>, bool> found;
    bool any_gang = false;
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        found[{problem.blocks[b].kind, !scene.gangs[b], scene.letters[b]}] = true;
        any_gang = any_gang || scene.gangs[b];
    }
    std::vector<LetterMeaning> meanings;
    for (const auto& [key, yes] : found) {
        const auto& [kind, single, letter] = key;
        std::string words(kind_words(kind));
        if (!single) {
            words += " on several devices";
        } else if (kind != BlockKind::other && !any_gang && letter >= 'a') {
            words += ", second chunk";
        }
        meanings.push_back({letter, kind, !single, words});
    }
    return meanings;
}

std::vector<FactLine> facts(const Problem& problem, const Scene& scene) {
    std::vector<FactLine> lines;
    const auto add = [&](Measure measure, std::string value) {
        lines.push_back({std::string(name(measure)), std::move(value), std::string(definition(measure))});
    };
    if (!scene.measures) return lines;
    if (scene.mark) {
        std::string value = time_text(problem, scene.mark->period);
        if (scene.mark->copies > 1) value += " for " + std::to_string(scene.mark->copies) + " micro-batches";
        add(Measure::period, value);
    }
    add(Measure::makespan, time_text(problem, scene.measures->makespan));
    if (scene.mark) add(Measure::bubble_steady, percent(scene.measures->bubble_steady));
    add(Measure::bubble_makespan, percent(scene.measures->bubble_makespan));
    if (scene.has_memory) {
        const std::size_t most =
            static_cast<std::size_t>(std::max_element(scene.peaks.begin(), scene.peaks.end()) - scene.peaks.begin());
        std::string value = scene.memory_unit.text(scene.peaks[most], 2);
        if (const auto capacity = problem.devices[most].memory_capacity) {
            value += " of " + scene.memory_unit.text(*capacity, 2);
        }
        add(Measure::peak_memory, value);
    }
    return lines;
}

std::string time_text(const Problem& problem, Ticks amount) {
    return ReadableUnit::for_time(problem.time_unit, amount < 0 ? -amount : amount).text(amount);
}

std::string memory_text(const Problem& problem, Memory amount) {
    return ReadableUnit::for_memory(problem.memory_unit, amount < 0 ? -amount : amount).text(amount, 1);
}

std::string percent(double rate) { return fixed(rate * 100, 1) + " %"; }

std::string counted(std::int64_t count, const std::string& thing) {
    return std::to_string(count) + ' ' + thing + (count == 1 ? "" : thing.ends_with("ch") ? "es" : "s");
}

std::string label(std::string_view text, std::size_t most) {
    std::string out = printable(text);
    std::size_t characters = 0;
    for (std::size_t at = 0; at < out.size(); at += std::max<std::size_t>(utf8_length(out, at), 1)) {
        if (++characters > most) return out.substr(0, at);
    }
    return out;
}

}  // namespace repetend::format
