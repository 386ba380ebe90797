// What proofs cost: the search of the period without and with its log, then trimming and writing, then the checker.
// Least user time of several runs, taken in turns, so that a busy machine disturbs all alike.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

#include "repetend/format/proof.hpp"
#include "repetend/periodic/periodic.hpp"
#include "repetend/presets.hpp"
#include "repetend/verify/check_proof.hpp"

namespace {

using namespace repetend;

double seconds_of(const std::function<void()>& work) {
    const std::clock_t begun = std::clock();
    work();
    return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}

PeriodicSearch searched(const Problem& problem, int copies, bool log_proof) {
    PeriodicOptions options;
    options.copies = copies;
    options.log_proof = log_proof;
    PeriodicSearch search = PeriodicSearch::start(problem, options).value();
    while (search.step(1'000'000) == PeriodicStatus::running) {
    }
    return search;
}

void measure(const char* preset, int devices, std::int64_t memory, int copies) {
    constexpr int runs = 7;
    PlacementOptions options;
    options.devices = devices;
    options.memory = {memory};
    const Problem problem = build_preset(preset, options).value();
    double plain = 1e9, logged = 1e9, written = 1e9, checked = 1e9;
    std::size_t clauses = 0, bytes = 0;
    bool accepted = true;
    for (int run = 0; run < runs; ++run) {
        plain = std::min(plain, seconds_of([&] { searched(problem, copies, false); }));
        PeriodicSearch search = searched(problem, copies, false);
        logged = std::min(logged, seconds_of([&] { search = searched(problem, copies, true); }));
        if (run > 1) continue;
        PeriodProof proof;
        std::string text;
        written =
            std::min(written, seconds_of([&] {
                         proof = {problem, copies, search.best()->period, search.best()->start, *search.refutation()};
                         text = write_proof(proof);
                     }));
        clauses = proof.refutation.clauses.size();
        bytes = text.size();
        checked = std::min(checked, seconds_of([&] { accepted = accepted && check_proof(proof).accepted; }));
    }
    std::printf("%-6s %7d %6lld %6d  %8.3f %8.3f %6.1f %%  %8.3f %8.3f %5.1fx %8zu %6zu  %s\n", preset, devices,
                static_cast<long long>(memory), copies, plain, logged, (logged / plain - 1) * 100, written, checked,
                checked / plain, clauses, bytes / 1000, accepted ? "accepted" : "REFUSED");
    std::fflush(stdout);
}

}  // namespace

int main() {
    std::printf("preset devices memory copies    search   logged   cost     write    check  ratio  clauses     kB\n");
    measure("nn", 16, 16, 1);
    measure("nn", 32, 32, 1);
    measure("mllm", 32, 32, 1);
    measure("x", 32, 16, 1);
    measure("m", 16, 16, 1);
    measure("m", 4, 3, 3);
    return 0;
}
