// NN-eager: as NN, but the second lookup runs as early as it can, directly after the first stage, and its backward
// directly before that stage's backward. The reference defines it for 4 devices; this rule gives its listing there
// and extends to any number from 2 up.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    Chain chain(sketch);
    chain.gang("F1", BlockKind::forward, 0);
    forward_sweep(chain, 0, 1);
    chain.gang("F2", BlockKind::forward, 0);
    forward_sweep(chain, 1, devices);
    if (!sketch.training()) return;
    backward_sweep(chain, 1, devices);
    chain.gang("B2", BlockKind::backward, 0);
    backward_sweep(chain, 0, 1);
    chain.gang("B1", BlockKind::backward, 0);
}

}  // namespace

Family family_nn_eager() {
    Family family;
    family.info = {
        "nn-eager", "nn with the second block on all devices as early as possible",
        "Where one block runs decides: against nn 5 activations do for 6, but 2 give 14 ticks instead of 12.", false,
        true};
    family.build = build;
    family.least_devices = 2;
    family.gangs = 4;
    return family;
}

}  // namespace repetend::placement
