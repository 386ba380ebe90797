// NN: an encoder on the first half of the devices and a decoder on the rest, each after a lookup in an embedding
// that is spread over all devices (Tessel, arXiv 2311.15269). The backward pass turns back into the second
// lookup after as many stages as lie before it in the forward pass; with an odd number of devices the two
// halves differ by one stage.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    const int half = devices / 2;
    Chain chain(sketch);
    chain.gang("F1", BlockKind::forward, 0);
    forward_sweep(chain, 0, half);
    chain.gang("F2", BlockKind::forward, 0);
    forward_sweep(chain, half, devices);
    if (!sketch.training()) return;
    backward_sweep(chain, devices - half, devices);
    chain.gang("B2", BlockKind::backward, 0);
    backward_sweep(chain, 0, devices - half);
    chain.gang("B1", BlockKind::backward, 0);
}

}  // namespace

Family family_nn() {
    Family family;
    family.info = {
        "nn", "encoder and decoder, each behind a block on all devices (mT5)",
        "Four blocks on all devices: no bubble at 4 devices takes room for 6 activations; the hardest shape to prove.",
        false, true};
    family.build = build;
    family.least_devices = 2;
    family.gangs = 4;
    return family;
}

}  // namespace repetend::placement
