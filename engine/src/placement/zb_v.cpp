// zb-v: two chunks a device in V order: device r holds stages r and 2D-1-r, so the first and the last stage
// share a device and the turn of the chain needs no transfer. Backward split into input and weight gradients (Qi et
// al., Pipeline Parallelism with Controllable Memory, NeurIPS 2024; Zero Bubble Pipeline Parallelism, ICLR 2024).
// Memory counts activations of one chunk.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int stages = 2 * sketch.devices();
    const auto device_of = [&](int stage) { return stage < sketch.devices() ? stage : stages - 1 - stage; };
    Chain chain(sketch);
    for (int stage = 0; stage < stages; ++stage) {
        chain.forward("f" + std::to_string(stage), stage, device_of(stage));
    }
    if (!sketch.training()) return;
    for (int stage = stages - 1; stage >= 0; --stage) chain.backward("", stage, device_of(stage));
}

}  // namespace

Family family_zb_v() {
    Family family;
    family.info = {"zb-v", "two chunks a device in V order, backward split (zero bubble)",
                   "No bubble at 4 devices takes 4 chunk activations; with 2D of them N micro-batches take 6N + D - 1.",
                   true, true};
    family.build = build;
    family.forwards_per_device = 2;
    family.backwards_per_device = 2;
    return family;
}

}  // namespace repetend::placement
