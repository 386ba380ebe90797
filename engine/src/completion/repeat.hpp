// From a schedule for a few micro-batches to one for any number: find a stretch that holds every block the
// same number of times and may be repeated.
//
// A cut is a set of operations that is closed under the order on every device and under dependencies: a point
// that every device passes, each at its own time. For each n the least cut around all operations of the
// micro-batches before n is taken. Two cuts whose counts differ by the same u for every block bound a window:
// after the second one everything is as after the first, memory included, only u micro-batches later. The
// operations between them can therefore be run any number of times.
#pragma once

#include <vector>

#include "completion/instance.hpp"

namespace repetend::completion {

struct Window {
    Sequence before;
    Sequence repeated;
    Sequence after;
    int copies = 1;
};

// Windows of up to `most_copies` micro-batches in a feasible sequence, a few of each length, spread over the
// sequence; the same window is not listed twice.
std::vector<Window> find_windows(const Instance& instance, const Sequence& sequence, int most_copies);

// The window run `times` more often.
Sequence extended(const Window& window, std::int64_t times);

// The makespan of the left shift of `extended(window, times)`, exactly, without running through all of it where
// that can be avoided: once as many windows in a row as any dependency reaches back have each started every
// operation the same time after the window before, all later ones do so too. `growth` receives that time (or that
// of the last window), `work` counts operations looked at.
Ticks extended_makespan(const Instance& instance, const Window& window, std::int64_t times, Ticks& growth,
                        std::int64_t& work);

}  // namespace repetend::completion
