// What the door (baseline.cpp) has to know of a family; each family file answers one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "baseline/orders.hpp"
#include "baseline/pipeline.hpp"
#include "repetend/baseline/baseline.hpp"

namespace repetend::baseline {

struct Family {
    BaselineInfo info;
    // Why the family is not defined for this placement or number of micro-batches; empty when it is.
    std::string (*why_not)(const Pipeline&, std::int64_t micro_batches) = nullptr;
    // The schedule, once it is.
    Result<Schedule> (*build)(const Pipeline&, std::int64_t micro_batches) = nullptr;
    bool in_groups = false;  // micro-batches come in groups of as many as there are workers: so it repeats
};

// The first reason of several; empty when there is none.
inline std::string first_of(std::initializer_list<std::string> reasons) {
    for (const std::string& reason : reasons) {
        if (!reason.empty()) return reason;
    }
    return {};
}

Family family_gpipe();
Family family_1f1b();
Family family_1f1b_plus();
Family family_interleaved();
Family family_breadth_first();
Family family_zb_h1();
Family family_zb_h2();
Family family_zb_v();
Family family_v_half();
Family family_v_min();
Family family_chimera();
Family family_dualpipe();
Family family_dualpipe_v();
Family family_three_f_one_b();
Family family_inference();

}  // namespace repetend::baseline
