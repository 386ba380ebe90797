// What the door (placement.cpp) has to know of a family; each family file answers one.
#pragma once

#include "placement/sketch.hpp"

namespace repetend::placement {

struct Family {
    PlacementInfo info;
    void (*build)(Sketch&) = nullptr;
    Ticks backward = 3;  // default without a split
    int least_devices = 1;
    bool even_devices = false;
    bool chunked = false;  // takes --chunks
    // Blocks for each device (for each chunk of it when chunked) and on all devices, so that sizes are
    // checked before anything is built.
    int forwards_per_device = 1;
    int backwards_per_device = 1;
    int gangs = 0;
};

Family family_v();
Family family_x();
Family family_m();
Family family_nn();
Family family_nn_eager();
Family family_k();
Family family_mllm();
Family family_finetune();
Family family_alphafold();
Family family_zb_v();
Family family_interleaved();
Family family_v_split();

}  // namespace repetend::placement
