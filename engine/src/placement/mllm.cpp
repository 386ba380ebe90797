// mllm: V with a pair of blocks on all devices at each end of the forward pass (Tessel, arXiv 2311.15269). The
// reference has no inference variant of it.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    Chain chain(sketch);
    chain.gang("F1", BlockKind::forward, 0);
    forward_sweep(chain, 0, devices);
    chain.gang("F2", BlockKind::forward, 0);
    chain.gang("B2", BlockKind::backward, 0);
    backward_sweep(chain, 0, devices);
    chain.gang("B1", BlockKind::backward, 0);
}

}  // namespace

Family family_mllm() {
    Family family;
    family.info = {"mllm", "v with blocks on all devices before, between and after the passes",
                   "The blocks of nn in another order: as fast with much memory, slower with little (2 activations: 13 "
                   "against 12).",
                   false, false};
    family.build = build;
    family.gangs = 4;
    return family;
}

}  // namespace repetend::placement
