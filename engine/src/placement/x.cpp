// X: two independent V chains over the same devices in opposite directions, every device holding two stages
// (Li and Hoefler, Chimera, SC 2021). One micro-batch of the problem is one run of both chains.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void chain_of(Sketch& sketch, const std::string& prefix, bool reversed) {
    const int devices = sketch.devices();
    const auto device_of = [&](int stage) { return reversed ? devices - 1 - stage : stage; };
    Chain chain(sketch);
    for (int stage = 0; stage < devices; ++stage) {
        chain.forward(prefix + "f" + std::to_string(stage), stage, device_of(stage));
    }
    if (!sketch.training()) return;
    for (int stage = devices - 1; stage >= 0; --stage) chain.backward(prefix, stage, device_of(stage));
}

void build(Sketch& sketch) {
    chain_of(sketch, "down.", false);
    chain_of(sketch, "up.", true);
}

}  // namespace

Family family_x() {
    Family family;
    family.info = {"x", "two pipelines in opposite directions over the same devices (Chimera)",
                   "Two independent chains fill each other's gaps: 8 devices run without bubble on 6 activations, "
                   "where v needs 8.",
                   false, true};
    family.build = build;
    family.forwards_per_device = 2;
    family.backwards_per_device = 2;
    return family;
}

}  // namespace repetend::placement
