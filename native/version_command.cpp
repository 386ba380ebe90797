// `repetend version`.
#include "commands.hpp"
#include "exit_status.hpp"
#include "output.hpp"

namespace repetend::native {

int run_version(const Invocation& invocation) {
    return write_output(invocation, "repetend " REPETEND_VERSION "\n", exit_good);
}

}  // namespace repetend::native
