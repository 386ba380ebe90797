// interleaved: C chunks a device, stage k on device k mod D (Narayanan et al., Megatron-LM, SC 2021). Each chunk
// is one stage with the given times, so a micro-batch costs C times the work of V at equal times.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    const int stages = devices * sketch.costs().chunks;
    Chain chain(sketch);
    for (int stage = 0; stage < stages; ++stage) {
        chain.forward("f" + std::to_string(stage), stage, stage % devices);
    }
    if (!sketch.training()) return;
    for (int stage = stages - 1; stage >= 0; --stage) chain.backward("", stage, stage % devices);
}

}  // namespace

Family family_interleaved() {
    Family family;
    family.info = {"interleaved", "several chunks a device, stage k on device k mod D (Megatron-LM)",
                   "More, smaller stages hold more: no bubble at 4 devices and 2 chunks takes 6 activations.", false,
                   true};
    family.build = build;
    family.chunked = true;
    return family;
}

}  // namespace repetend::placement
