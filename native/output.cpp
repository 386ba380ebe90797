#include "output.hpp"

#include "exit_status.hpp"
#include "files.hpp"
#include "messages.hpp"
#include "terminal.hpp"

namespace repetend::native {
namespace {

std::string output_path(const Invocation& invocation) {
    return invocation.options.has("output") ? invocation.options.text("output") : "-";
}

std::string output_label(const std::string& path) { return path == "-" ? "standard output" : path; }

}  // namespace

bool output_is_writable(const Invocation& invocation) {
    const std::string path = output_path(invocation);
    const std::string error = check_writable(path);
    if (!error.empty()) complain(output_label(path), error);
    return error.empty();
}

int write_output(const Invocation& invocation, const std::string& text, int status) {
    return write_output_in_pieces(
        invocation, [&](const TextPiece& take) { take(text); }, status);
}

int write_output_in_pieces(const Invocation& invocation, const PieceWriter& write, int status) {
    const std::string path = output_path(invocation);
    const std::string error = write_file(path, write);
    if (error.empty()) return status;
    complain(output_label(path), error);
    return exit_failure;
}

bool output_is_seen(const Invocation& invocation) { return output_path(invocation) == "-" && output_is_terminal(); }

}  // namespace repetend::native
