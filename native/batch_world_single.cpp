// Without MPI: one process, and a refusal to be one of several that would all write the same file.
#include <cstdlib>

#include "batch_world.hpp"
#include "terminal.hpp"

namespace repetend::native {

World join_world() {
    World world;
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const std::string size = environment(name);
        if (size.empty() || size == "1") continue;
        world.error = "started as one of " + size +
                      " processes, but this program was built without MPI (install it and configure again)";
    }
    return world;
}

std::string share_text(const std::string& text) { return text; }

Coordination coordinate(const Coordinator&) { return Coordination::complete; }

void work(const std::function<std::optional<std::string>(std::int64_t)>&) {}

void leave_world(bool, int) {}

}  // namespace repetend::native
