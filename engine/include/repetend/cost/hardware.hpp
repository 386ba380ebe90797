// What hardware does in a given time. Rates are per nanosecond: 1 GB/s is 1 byte/ns, 1 TFLOP/s is 1000 FLOP/ns. Vendor
// bandwidths count 10^9 bytes, memory sizes 2^30.
#pragma once

#include <cstdint>
#include <string>

namespace repetend::cost {

struct Gpu {
    std::string name;
    double peak_flops_per_ns = 0;  // 16-bit
    double efficiency = 0;         // fraction of the peak that a stage reaches
    std::int64_t memory_bytes = 0;
    double memory_bytes_per_ns = 0;
    std::string source;
};

// Time to move bytes: latency + bytes / rate. For a collective the rate is its algorithm bandwidth (message size
// over time), not the bus bandwidth.
struct Link {
    double latency_ns = 0;
    double bytes_per_ns = 0;
    std::string source;
};

Gpu v100_sxm_32gb();
// Stage to stage inside a node of V100.
Link v100_nvlink();
// All-reduce inside a node of V100, over 4 devices.
Link v100_all_reduce_4();

double compute_ns(const Gpu& gpu, double flops);
double transfer_ns(const Link& link, std::int64_t bytes);
// Reading and writing device memory: small messages reach less of the peak.
double memory_ns(const Gpu& gpu, std::int64_t bytes);
double memory_efficiency(std::int64_t bytes);

// To whole nanoseconds, nearest, at least 1: where a duration enters a problem.
std::int64_t round_ns(double duration_ns);

}  // namespace repetend::cost
