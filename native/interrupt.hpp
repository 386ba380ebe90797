// Control-C and polite termination: noticed between two slices of work, so that the best so far is printed.
#pragma once

namespace repetend::native {

// From now on the first interrupt is remembered; a second one ends the program at once.
void watch_interrupts();
bool interrupted();

}  // namespace repetend::native
