// Interrupts on POSIX systems: SIGINT and SIGTERM.
#include <csignal>

#include "interrupt.hpp"

namespace repetend::native {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void remember_interrupt(int) { interrupt_seen = 1; }

}  // namespace

void watch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = remember_interrupt;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one kills
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_seen != 0; }

}  // namespace repetend::native
