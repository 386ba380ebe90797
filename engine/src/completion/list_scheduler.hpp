// The list scheduler: from a priority (key) for every operation to a feasible schedule.
//
// Idea: Giffler and Thompson's active schedules (Operations Research, 1960), on counts. The state is one
// counter per block, so a device chooses among its blocks and never among N micro-batches. Each step takes
// the device whose earliest possible completion is least; among its operations that could start before that
// completion, the least key runs. `wait` scales how long an operation may be waited for: 0 never, `full_wait`
// up to that completion. No single value is best everywhere.
//
// Memory cannot deadlock: a reference sequence, feasible as a whole, says how the rest of the run may always
// be finished. An operation may run ahead of the reference only when what then remains, in reference order,
// still fits on each of its devices (Banker's algorithm with a known good ending).
#pragma once

#include <algorithm>

#include "completion/compaction.hpp"

namespace repetend::completion {

// Priority of instance n of block b at [instance.at(b, n)]; less runs first.
using Keys = std::vector<std::int64_t>;

inline constexpr int full_wait = 16;

struct DecodeOptions {
    int wait = full_wait;
    // An instance may start only while it is less than this ahead of the slowest block (0: no limit), which
    // keeps what memory does not bind close to the rest, so that the middle repeats.
    std::int64_t run_ahead = 0;
};

struct Decoded {
    Sequence sequence;  // in the order of the decisions
    Timing timing;
};

class ListScheduler {
public:
    // `reference` must be feasible. The instance must outlive the scheduler.
    ListScheduler(const Instance& instance, const Sequence& reference);

    void set_reference(const Sequence& reference);
    // What has run before every decode from now on; the reference must begin with it. Null: nothing.
    void set_frozen(const Frozen* frozen);
    void decode(const Keys& keys, const DecodeOptions& options, Decoded& result);
    // The same in pieces: `keys` and `result` must stay until it is done. False when it is.
    void begin_decode(const Keys& keys, const DecodeOptions& options, Decoded& result);
    bool decode_some(std::int64_t operations);

private:
    // Least start and least completion of what could run next.
    struct Choice {
        Ticks completion = 0;
        Ticks start = 0;
        bool any = false;
        void add(Ticks block_start, Ticks block_completion) {
            completion = any ? std::min(completion, block_completion) : block_completion;
            start = any ? std::min(start, block_start) : block_start;
            any = true;
        }
    };
    // A block's next instance.
    struct Next {
        std::int64_t count = 0;  // its number: how many have run
        bool available = false;  // all it depends on has run
        bool fits = false;       // memory, as of `seen`
        bool ready = false;      // available and fits
        Ticks release = 0;       // when what it depends on lets it start
        Ticks start = 0;         // with the devices' free times
        std::int64_t seen = -1;  // sum of its devices' memory versions when `fits` was set
    };

    // Where a decode stands.
    struct Run {
        std::vector<Next> next;
        std::vector<Choice> choice;              // per device, of the blocks that need no other device
        std::vector<std::uint8_t> dirty;         // per device: its choice must be looked at again
        std::vector<std::uint8_t> dirty_shared;  // per block on several devices: the same
        std::vector<Ticks> free;                 // per device
        std::vector<Memory> level;               // per device
        std::vector<std::int64_t> version;       // per device: counts changes of what `fits` depends on
        std::vector<std::vector<Memory>> need;   // as reference_need_, given what has run ahead; `gone` once run
        std::vector<std::int32_t> first_left;    // per device: first position that has not run
    };

    void begin();
    void release(int block);
    bool fits(int block) const;
    bool consider(int block);
    void refresh(int device);
    int next_device(Choice& choice);
    int choose(int device, const Choice& choice) const;
    void commit(int block, Ticks start);
    void begin_run_ahead();
    void pass_reference();
    void advance_slowest(std::int64_t instance);

    const Instance& instance_;
    Lists<int> alone_on_;        // per device: blocks on no other device
    Lists<int> shared_on_;       // per device: blocks on others as well
    std::vector<int> shared_;    // blocks on several devices
    Lists<int> touched_;         // per block: devices whose choices change when it runs
    Lists<int> touched_shared_;  // per block: blocks on several devices, the same
    // The reference: for each use of a block and each instance its position on that device, and the memory
    // that each position needs when all before it have run and nothing else.
    Sequence reference_;
    std::vector<std::int32_t> position_;               // [use * N + n]
    std::vector<std::vector<Memory>> reference_need_;  // [device][position]
    std::vector<std::int32_t> global_position_;        // [block * N + n]

    const Frozen* frozen_ = nullptr;
    Run begun_;  // after what is frozen
    Decoded begun_result_;
    bool has_begun_ = false;  // begun_ belongs to the reference and the frozen operations
    Run run_;
    Decoded* result_ = nullptr;
    const Keys* keys_ = nullptr;  // of the decode at work
    int wait_ = 0;
    // Only with a limit on running ahead.
    std::int64_t run_ahead_ = 0;
    std::int64_t slowest_ = 0;          // least count of all blocks
    int at_slowest_ = 0;                // how many blocks have it
    std::size_t global_next_ = 0;       // first position of the reference that has not run
    std::vector<std::int64_t> passed_;  // instances of each block before global_next_
};

}  // namespace repetend::completion
