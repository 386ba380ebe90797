#include "messages.hpp"

#include <cstdio>

#include "exit_status.hpp"

namespace repetend::native {

std::string printable(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        shown += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    return shown;
}

void complain(std::string_view source, std::string_view message) {
    std::string line = "repetend: ";
    if (!source.empty()) line += printable(source) + ": ";
    line += printable(message) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int complain(std::string_view source, const Faults& faults) {
    int shown = 0;
    bool usage = true;
    for (const Fault& fault : faults) {
        // Options are named by themselves: the input is not to blame.
        const bool of_option = fault.path.rfind("--", 0) == 0;
        usage = usage && (of_option || fault.code == FaultCode::usage);
        if (shown++ < most_faults_shown) complain(of_option ? std::string_view() : source, to_string(fault));
    }
    if (shown > most_faults_shown) complain(source, "and " + std::to_string(shown - most_faults_shown) + " more");
    return usage ? exit_usage : exit_bad_input;
}

}  // namespace repetend::native
