// finetune: a first block on all devices that needs no backward (a frozen embedding), then V with a backward of
// twice the forward (Tessel, arXiv 2311.15269).
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    Chain chain(sketch);
    chain.gang("F", BlockKind::forward, 0);
    forward_sweep(chain, 0, sketch.devices());
    if (sketch.training()) backward_sweep(chain, 0, sketch.devices());
}

}  // namespace

Family family_finetune() {
    Family family;
    family.info = {"finetune", "a frozen block on all devices, then v without recompute",
                   "One block on all devices is enough to make 4 activations too few at 4 devices: 5 ticks, 4 from 5 "
                   "activations on.",
                   false, true};
    family.build = build;
    family.backward = 2;
    family.gangs = 1;
    return family;
}

}  // namespace repetend::placement
