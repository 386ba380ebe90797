// V with its backward pass split into the gradient of the input (B), which the stage before waits for, and the
// gradient of the weights (W), which nobody waits for (Qi et al., Zero Bubble Pipeline Parallelism, ICLR 2024).
#include "placement/family.hpp"

namespace repetend::placement {

Family family_v_split() {
    Family family = family_v();
    family.info = {"v-split", "v with the backward pass split into input and weight gradients",
                   "Weight gradients fill the ramps: with room for D activations N micro-batches take 3N + D - 1.",
                   true, true};
    return family;
}

}  // namespace repetend::placement
