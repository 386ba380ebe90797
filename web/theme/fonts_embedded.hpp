// Fonts compiled in (see web/cmake): Inter and JetBrains Mono, both under the SIL Open Font License, cut down to the
// characters that the page writes. Empty where the build found no font files.
#pragma once

#include <cstddef>

namespace repetend::web {

struct FontData {
    const unsigned char* bytes = nullptr;
    std::size_t size = 0;
};
FontData font_text();
FontData font_strong();
FontData font_number();

}  // namespace repetend::web
