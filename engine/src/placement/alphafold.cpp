// alphafold: three forward sweeps over the devices, of which only the last is kept for the one backward sweep
// ("3F1B"; Tessel, arXiv 2311.15269): a model that recycles its own output.
#include "placement/family.hpp"

namespace repetend::placement {

namespace {

void build(Sketch& sketch) {
    const int devices = sketch.devices();
    Chain chain(sketch);
    for (int sweep = 1; sweep <= 3; ++sweep) {
        for (int stage = 0; stage < devices; ++stage) {
            const std::string name = "f" + std::to_string(sweep) + "." + std::to_string(stage);
            if (sweep == 3) {
                chain.forward(name, stage, stage);
            } else {
                chain.forward_without_memory(name, stage, stage);
            }
        }
    }
    if (sketch.training()) backward_sweep(chain, 0, devices);
}

}  // namespace

Family family_alphafold() {
    Family family;
    family.info = {"alphafold", "three forward sweeps, one backward sweep",
                   "Sweeps that hold no memory may run far ahead: 2 activations are enough for no bubble at 4 devices.",
                   false, true};
    family.build = build;
    family.backward = 1;
    family.forwards_per_device = 3;
    return family;
}

}  // namespace repetend::placement
