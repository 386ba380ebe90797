// Lower bounds on the makespan that cost almost nothing, whatever the number of micro-batches.
//
// - Heads, load, tails: a set of blocks on one device cannot begin before its least head, runs one after
//   the other, and its last one leaves at least its least tail (Jackson; Carlier).
// - Ramps: by time t a device can have started at most what N layers (one a micro-batch) allow, each an
//   ancestor-closed set of its blocks whose heads lie before t, and together within the capacity. The rest
//   of t is idle, whatever the order. The same backwards from the end. Both ends count together only when
//   the sum exceeds t + t': a makespan below it would let the two windows overlap.
// - Memory area: what micro-batches hold, times how long they must at least hold it, fits in capacity times
//   the time in which anything is held.
// - Gangs: cut every moment in which a block on all devices runs out of a schedule, and what is left is a
//   schedule of the rest, with lags that may have shrunk; so its bound plus the time of the gangs holds.
#pragma once

#include "completion/instance.hpp"

namespace repetend::completion {

Ticks makespan_bound(const Instance& instance);

}  // namespace repetend::completion
