// Terminals on POSIX systems.
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.hpp"

namespace repetend::native {

bool output_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

bool error_is_terminal() { return isatty(STDERR_FILENO) == 1; }

int terminal_columns(int otherwise) {
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        winsize size{};
        if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    }
    return otherwise;
}

}  // namespace repetend::native
