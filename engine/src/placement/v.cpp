// V: one stage a device; forward down the devices, backward up again. The placement of GPipe and 1F1B
// (Tessel, arXiv 2311.15269; Huang et al., GPipe, NeurIPS 2019).
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    Chain chain(sketch);
    forward_sweep(chain, 0, sketch.devices());
    if (sketch.training()) backward_sweep(chain, 0, sketch.devices());
}

}  // namespace

Family family_v() {
    Family family;
    family.info = {"v", "one stage a device, forward down and backward up",
                   "No bubble takes room for as many micro-batches as devices; with half of it the period doubles (4 "
                   "devices: 4, then 8).",
                   false, true};
    family.build = build;
    return family;
}

}  // namespace repetend::placement
