// M: V between a first and a last block on all devices: a language model whose huge embedding is spread over
// every device (Tessel, arXiv 2311.15269).
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    Chain chain(sketch);
    chain.gang("F", BlockKind::forward, 0);
    forward_sweep(chain, 0, sketch.devices());
    if (!sketch.training()) return;
    backward_sweep(chain, 0, sketch.devices());
    chain.gang("B", BlockKind::backward, 0);
}

}  // namespace

Family family_m() {
    Family family;
    family.info = {
        "m", "v between two blocks on all devices (language model, sharded embedding)",
        "Blocks on all devices cost memory: no bubble at 4 devices takes room for 5 activations, where v takes 4.",
        false, true};
    family.build = build;
    family.gangs = 2;
    return family;
}

}  // namespace repetend::placement
