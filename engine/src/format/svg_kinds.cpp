// The looks of the kinds; see svg_kinds.hpp.
#include "svg_kinds.hpp"

namespace repetend::format {

const KindLook& kind_look(BlockKind kind) {
    static constexpr KindLook forward{"forward", "#0072B2", "#FFFFFF", nullptr};
    static constexpr KindLook backward{"backward", "#E69F00", "#1F2328", nullptr};
    static constexpr KindLook input_gradient{"input-gradient", "#E69F00", "#1F2328", "#7A5200"};
    static constexpr KindLook weight_gradient{"weight-gradient", "#009E73", "#1F2328", nullptr};
    static constexpr KindLook transfer{"transfer", "#FFFFFF", "#1F2328", "#6B7280"};
    static constexpr KindLook other{"other", "#CC79A7", "#1F2328", nullptr};
    switch (kind) {
        case BlockKind::forward:
            return forward;
        case BlockKind::backward:
            return backward;
        case BlockKind::input_gradient:
            return input_gradient;
        case BlockKind::weight_gradient:
            return weight_gradient;
        case BlockKind::transfer:
            return transfer;
        case BlockKind::other:
            break;
    }
    return other;
}

std::string kind_patterns() {
    const auto pattern = [](const char* id, const char* colour, int size, int turn, const std::string& marks) {
        const std::string side = std::to_string(size);
        std::string out = "<pattern id=\"" + std::string(id) + "\" width=\"" + side + "\" height=\"" + side +
                          "\" patternUnits=\"userSpaceOnUse\"";
        if (turn != 0) out += " patternTransform=\"rotate(" + std::to_string(turn) + ")\"";
        return out + "><rect width=\"" + side + "\" height=\"" + side + "\" fill=\"" + colour + "\"/>" + marks +
               "</pattern>\n";
    };
    return pattern("backward", "#E69F00", 7, 45, "<rect width=\"1\" height=\"7\" fill=\"#F6C465\"/>") +
           pattern("weight-gradient", "#009E73", 5, -45, "<rect width=\"1.3\" height=\"5\" fill=\"#45BF9B\"/>") +
           pattern("other", "#CC79A7", 6, 0, "<circle cx=\"2\" cy=\"2\" r=\"1\" fill=\"#F3D7E5\"/>");
}

std::string kind_fill(BlockKind kind, double width_px) {
    const KindLook& look = kind_look(kind);
    // Patterns and borders need room; below it they would only be noise.
    const bool patterned = width_px >= 6 && (kind == BlockKind::backward || kind == BlockKind::weight_gradient ||
                                             kind == BlockKind::other);
    std::string out =
        " fill=\"" + (patterned ? "url(#" + std::string(look.id) + ")" : plain_colour(kind, width_px)) + '"';
    if (look.border && width_px >= 4) out += " stroke=\"" + std::string(look.border) + "\" stroke-width=\"1\"";
    return out;
}

std::string plain_colour(BlockKind kind, double width_px) {
    return kind == BlockKind::transfer && width_px < 4 ? "#8A919C" : kind_look(kind).colour;
}

}  // namespace repetend::format
