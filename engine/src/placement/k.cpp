// K: two branches side by side, each on half of the devices, meet in a block on all devices and part again
// (Tessel, arXiv 2311.15269): image and text encoders around a shared multimodal part.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    const int half = devices / 2;
    Chain first(sketch);
    forward_sweep(first, 0, half);
    Chain second(sketch);
    forward_sweep(second, half, devices);
    first.join(second);
    first.gang("F", BlockKind::forward, sketch.costs().activation());
    if (!sketch.training()) return;
    first.gang("B", BlockKind::backward, -sketch.costs().activation());
    Chain back = first.fork();
    backward_sweep(first, 0, half);
    backward_sweep(back, half, devices);
}

}  // namespace

Family family_k() {
    Family family;
    family.info = {
        "k", "two branches that meet in a block on all devices (multimodal, Flava)",
        "Branches side by side hold less: no bubble at 4 devices takes room for 3 activations, and 1 is impossible.",
        false, true};
    family.build = build;
    family.least_devices = 2;
    family.even_devices = true;
    family.gangs = 2;
    return family;
}

}  // namespace repetend::placement
