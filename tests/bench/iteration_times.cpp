// The cost model against measured iteration times. Nothing is fitted to these rows: the efficiencies are those of
// presets/clusters/a100-80.json.
#include <cstdio>

#include "support/published_iterations.hpp"

int main() {
    const auto rows = repetend::test::published_iterations();
    std::printf("%-10s %-30s %9s %9s %8s %9s\n", "model", "method", "measured", "predicted", "error", "calculon");
    for (const auto& row : rows) {
        std::printf("%-10s %-30s %7.2f s %7.2f s %+6.1f %% %7.2f s\n", row.model.c_str(), row.method.c_str(),
                    row.published_s, row.predicted_s, 100 * row.error(), row.calculon_s);
    }
    const auto summary = repetend::test::errors(rows);
    std::printf("mean error %.1f %%, worst %.1f %%\n", 100 * summary.mean, 100 * summary.worst);
    return 0;
}
