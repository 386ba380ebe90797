#include "repetend/cost/hardware.hpp"

#include <algorithm>
#include <cmath>

namespace repetend::cost {

Gpu v100_sxm_32gb() {
    return {"V100-SXM 32 GB",
            125'000.0,
            0.40,
            std::int64_t{32} << 30,
            900.0,
            "vendor peaks; 40 % of the 16-bit peak is the default assumed for this card, not a measurement of these "
            "models"};
}

Link v100_nvlink() {
    return {10'000.0, 0.65 * 150.0, "NVLink2, 150 GB/s in one direction, 65 % of it reached, 10 us latency"};
}

Link v100_all_reduce_4() {
    return {45'000.0, 57.2, "fit to the V100 NVLink all-reduce table of vTrain (MIT licence), 4 devices, 1 MB to 1 GB"};
}

double compute_ns(const Gpu& gpu, double flops) { return flops / (gpu.peak_flops_per_ns * gpu.efficiency); }

double transfer_ns(const Link& link, std::int64_t bytes) {
    return link.latency_ns + static_cast<double>(bytes) / link.bytes_per_ns;
}

double memory_efficiency(std::int64_t bytes) {
    // Steps of calculon's A100 file (Apache-2.0).
    if (bytes >= 100'000'000) return 0.90;
    if (bytes >= 10'000'000) return 0.75;
    if (bytes >= 1'000'000) return 0.60;
    return 0.30;
}

double memory_ns(const Gpu& gpu, std::int64_t bytes) {
    return static_cast<double>(bytes) / (gpu.memory_bytes_per_ns * memory_efficiency(bytes));
}

std::int64_t round_ns(double duration_ns) {
    // Durations beyond the range of a problem are refused there; here they only must not overflow.
    return std::max<std::int64_t>(1, std::llround(std::min(duration_ns, 1e18)));
}

}  // namespace repetend::cost
