#include "terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace repetend::native {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
}

bool terminal_is_dumb() { return environment("TERM") == "dumb"; }

bool use_colour(const std::string& option) {
    if (option == "always") return true;
    if (option == "never") return false;
    if (!environment("NO_COLOR").empty()) return false;
    const std::string force = environment("CLICOLOR_FORCE");
    if (!force.empty() && force != "0") return true;
    return output_is_terminal() && !terminal_is_dumb();
}

bool use_unicode() {
    // The first of these that is set decides, as setlocale has it. None set says nothing about the terminal.
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        std::string locale = environment(name);
        if (locale.empty()) continue;
        std::transform(locale.begin(), locale.end(), locale.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    }
    return true;
}

}  // namespace repetend::native
