// Where results go: standard output or the file of -o.
#pragma once

#include <string>

#include "commands.hpp"
#include "files.hpp"

namespace repetend::native {

// Before the work: false (and said why) when the output of this command line cannot be written.
bool output_is_writable(const Invocation& invocation);
// Writes the result; answers `status`, or the failure's status when it could not be written.
int write_output(const Invocation& invocation, const std::string& text, int status);
// The same for results that are made piece by piece.
int write_output_in_pieces(const Invocation& invocation, const PieceWriter& write, int status);
// Does the result go to a terminal?
bool output_is_seen(const Invocation& invocation);

}  // namespace repetend::native
