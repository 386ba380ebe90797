// A schedule prepared for looking at: operations by lane and time, where each stands, what it waits for, memory over
// time. Made once when a schedule arrives; everything drawn or asked per frame is found by binary search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repetend/model/graph.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend::web {

struct LaneItem {
    Ticks start = 0;
    Ticks end = 0;
    std::int32_t operation = 0;  // index into schedule.operations
};

struct Lane {
    std::vector<LaneItem> items;     // by start; they never overlap
    std::vector<MemoryStep> memory;  // in order of time
    Memory peak = 0;
};

struct Edge {
    std::int64_t from = 0;  // operations
    std::int64_t to = 0;
    Ticks lag = 0;
};

struct ScheduleView {
    Problem problem;
    Schedule schedule;
    Measures measures;
    std::vector<Lane> lanes;
    Memory most_memory = 1;  // top of the memory scale that all lanes share
    Ticks end = 0;           // makespan
    std::int64_t id = 0;     // no two views share one

    const Operation& operation(std::int64_t k) const { return schedule.operations[static_cast<std::size_t>(k)]; }
    const Block& block_of(std::int64_t k) const { return problem.blocks[static_cast<std::size_t>(operation(k).block)]; }
    Ticks end_of(std::int64_t k) const { return operation(k).start + block_of(k).time; }
    // Index of an operation, -1 when there is none.
    std::int64_t find(int block, std::int64_t micro_batch) const;
    // The item that runs at `time` on a lane, or -1; and the first item that starts at or after it.
    std::int64_t running_at(int device, Ticks time) const;
    std::size_t first_ending_after(int device, double time) const;
    Memory memory_at(int device, Ticks time) const;

    std::vector<Edge> predecessors(std::int64_t k) const;
    std::vector<Edge> successors(std::int64_t k) const;
    // The chain of operations that fixes the start of one, first to last, itself included.
    std::vector<std::int64_t> chain_to(std::int64_t k) const;

    // Filled by make_view.
    std::vector<std::int64_t> index;  // [block * N + micro_batch]
    std::vector<Dependency> dependencies;
    std::vector<std::int64_t> binding;           // per operation, see binding_predecessors
    std::vector<std::pair<Ticks, Ticks>> lives;  // per micro-batch: first start, last end
};

// A schedule that passed the verifier.
std::shared_ptr<const ScheduleView> make_view(Problem problem, Schedule schedule);

// F, B, W, T, else the first letter of the name: what stands on a block before the micro-batch.
char kind_letter(const Block& block);
std::string label(const ScheduleView& view, std::int64_t operation);       // "F3"
std::string long_label(const ScheduleView& view, std::int64_t operation);  // "f0 of micro-batch 3"

// Why a device does nothing at a moment, in one sentence.
std::string why_idle(const ScheduleView& view, int device, Ticks time);
// What a hover says of an operation: one fact a line, a name and a value.
std::vector<std::pair<std::string, std::string>> facts(const ScheduleView& view, std::int64_t operation);

// "4 devices, 16 micro-batches. The bracket repeats every 4 ticks ..."
std::string amount(std::int64_t value, const std::string& unit, const char* fallback);
std::string time_text(const ScheduleView& view, Ticks ticks);
std::string memory_text(const Problem& problem, Memory memory);

}  // namespace repetend::web
