// Beam search over counts of all devices.
//
// The diagram over all devices, restricted: operations are taken in order of start, one more each level, and only the
// most promising `width` partial schedules survive a level. Promising is a least end: over all devices, when the device
// is free plus what it still needs at least by its own diagram of the reversed problem; the largest of these, plus
// `lambda` sixteenths of their mean. Partial schedules that cannot end by the deadline are dropped, so a beam that dies
// early costs little. Of partial schedules with equal counts few are kept.
//
// The same beam re-optimises a window of a schedule: what runs before it and after it stays in its order, and only what
// lies between is decided anew. What a device still needs is then the time from when its rest must begin, and before
// that its work in the window, or what it needs to the end by its own diagram less what it needs from the window's end:
// no way through the window takes less.
//
// A partial schedule is a chain of decisions that shares its past with others; when an instance of a block ended is
// found by walking back its block's chain, which is as long as there are micro-batches in flight.
#pragma once

#include <vector>

#include "completion/compaction.hpp"
#include "completion/diagram.hpp"

namespace repetend::completion {

struct BeamOptions {
    int width = 100;
    int lambda_16 = 16;          // sixteenths
    std::int64_t run_ahead = 0;  // as DecodeOptions
};

enum class BeamVerdict { running, found, dead };

class Beam {
public:
    // The instance must outlive the beam. `reference` is a feasible sequence: an allocation is made only when the
    // rest, in its order, still fits (as in the list scheduler), so memory cannot deadlock.
    Beam(const Instance& instance, const Sequence& reference);

    // `needs`: per device what it still needs (see Diagram::Need); where empty, its load and least tail serve.
    // `latest`: latest start per operation for an end by `deadline`.
    void begin(const BeamOptions& options, const std::vector<Diagram::Need>& needs, const std::vector<Ticks>& latest,
               Ticks deadline);
    // Only operations first..last-1 of `sequence` (feasible, in order of start when shifted left) are decided, so that
    // everything ends by `deadline`; those before run at the times of `timing`, its left shift. `needs` as in begin.
    void begin_window(const BeamOptions& options, const std::vector<Diagram::Need>& needs, const Sequence& sequence,
                      const Timing& timing, std::size_t first, std::size_t last, Ticks deadline);
    BeamVerdict step(std::int64_t work);
    std::int64_t work() const { return work_; }
    // After `found`: with a window, all of the sequence.
    Sequence sequence() const;

private:
    struct Decision {
        std::int32_t parent;      // the decision before, -1
        std::int32_t same_block;  // the block's instance before, -1
        std::int32_t block;
        Ticks end;
    };
    struct Partial {
        std::int32_t last;  // decision
        Ticks last_start;
        std::uint64_t hash;
        std::int64_t slowest;
    };
    struct Option {
        Ticks score;
        std::int32_t partial;
        std::int32_t block;
        Ticks start;
    };
    struct Level {
        std::vector<Partial> partials;
        std::vector<std::int32_t> count;   // [partial * blocks + block]
        std::vector<std::int32_t> latest;  // decision of each block's latest instance
        std::vector<Ticks> release;        // of each block's next instance, not_ready when something is missing
        std::vector<Ticks> free;           // [partial * devices + device]
        std::vector<Memory> memory;
        std::vector<CountKey> left;  // [partial * devices + device]: key of the counts left
        void clear();
    };

    void begin_at(Ticks deadline);
    void set_latest(const Sequence& sequence, std::size_t first, std::size_t last);
    void options_of(std::int32_t partial);
    bool safe(std::size_t partial, int block) const;
    Ticks need(int device, const Level& level, std::size_t partial, int block) const;
    void select();
    void make_child(const Option& option);
    void set_release(Level& level, std::size_t partial, int block);

    const Instance& instance_;
    std::vector<std::uint64_t> salt_;  // per block
    struct Place {
        std::int32_t block;
        std::int32_t instance;
    };
    std::vector<std::vector<Place>> order_;  // per device: the reference
    std::vector<std::int32_t> position_;     // [use * N + n]: where in it
    BeamOptions options_;
    std::vector<Diagram::Need> needs_;
    std::vector<std::vector<CountKey>> weight_;  // per use: [block][k-th use]
    const std::vector<Ticks>* latest_ = nullptr;
    std::vector<std::int64_t> limit_;  // per block: instances that are decided
    std::vector<Ticks> need_at_end_;   // per device: by its diagram, when all that is decided has run
    std::vector<Ticks> after_;         // per device: from the end of what is decided to the deadline, at least
    std::int64_t to_decide_ = 0;       // operations in all
    Sequence after_window_;
    std::vector<Ticks> window_latest_;
    Ticks deadline_ = 0;
    BeamVerdict verdict_ = BeamVerdict::dead;
    std::int64_t decided_ = 0;
    std::int64_t work_ = 0;
    std::size_t at_ = 0;
    int shift_ = 0;  // scores are compared without so many low bits, so that nothing overflows
    std::vector<Decision> decisions_;
    Level level_;
    Level next_;
    std::vector<Option> choices_;
    std::vector<Ticks> ends_;  // scratch: per device
};

}  // namespace repetend::completion
