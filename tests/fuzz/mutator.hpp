// Deterministic mutations of text: what a disk, an editor or an enemy does to a document. The seed is the whole
// state, so a failure is repeated by its seed and number.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace repetend::testing {

// A number from the environment, for longer runs (REPETEND_FUZZ_SEED, REPETEND_FUZZ_RUNS).
inline std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : state_(seed) {}

    // splitmix64 (Steele, Lea, Flood 2014).
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    // 0 .. bound-1
    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }

    // One of the seeds with one to four mutations.
    std::string make(const std::vector<std::string>& seeds) {
        std::string text = seeds[below(seeds.size())];
        const std::size_t times = 1 + below(4);
        for (std::size_t i = 0; i < times; ++i) mutate(text, seeds);
        return text;
    }

private:
    void mutate(std::string& text, const std::vector<std::string>& seeds) {
        switch (below(10)) {
            case 0:  // a flipped bit
                if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1 << below(8));
                return;
            case 1:  // any byte
                text.insert(below(text.size() + 1), 1, static_cast<char>(below(256)));
                return;
            case 2:  // cut off
                text.resize(below(text.size() + 1));
                return;
            case 3: {  // a part removed
                const std::size_t at = below(text.size() + 1);
                text.erase(at, below(1 + text.size() / 8));
                return;
            }
            case 4: {  // a part repeated elsewhere
                const std::size_t at = below(text.size() + 1);
                text.insert(below(text.size() + 1), text.substr(at, below(1 + text.size() / 8)));
                return;
            }
            case 5: {  // the start of one document, the end of another
                const std::string& other = seeds[below(seeds.size())];
                text = text.substr(0, below(text.size() + 1)) + other.substr(below(other.size() + 1));
                return;
            }
            case 6:
            case 7:
                swap_tokens(text);
                return;
            case 8:
                replace_token(text);
                return;
            default:
                nest(text);
        }
    }

    struct Token {
        std::size_t at = 0, length = 0;
    };

    // Strings, words and numbers, single marks.
    static std::vector<Token> tokens(std::string_view text) {
        std::vector<Token> found;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at + 1;
            if (text[at] == '"') {
                while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
                end = end < text.size() ? end + 1 : text.size();
            } else if (in_word(text[at])) {
                while (end < text.size() && in_word(text[end])) ++end;
            }
            if (text[at] != ' ' && text[at] != '\n') found.push_back({at, end - at});
            at = end;
        }
        return found;
    }
    static bool in_word(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' || c == '_';
    }

    void swap_tokens(std::string& text) {
        const std::vector<Token> found = tokens(text);
        if (found.size() < 2) return;
        const Token a = found[below(found.size())], b = found[below(found.size())];
        const Token &first = a.at < b.at ? a : b, &second = a.at < b.at ? b : a;
        if (first.at == second.at) return;
        const std::string left = text.substr(first.at, first.length), right = text.substr(second.at, second.length);
        text.replace(second.at, second.length, left);
        text.replace(first.at, first.length, right);
    }

    void replace_token(std::string& text) {
        static const std::vector<std::string> values = {"-1",
                                                        "0",
                                                        "1",
                                                        "2",
                                                        "7",
                                                        "1.0",
                                                        "1e3",
                                                        "-0",
                                                        "1e308",
                                                        "1e999",
                                                        "NaN",
                                                        "Infinity",
                                                        "true",
                                                        "null",
                                                        "\"\"",
                                                        "[]",
                                                        "{}",
                                                        "9007199254740991",
                                                        "9007199254740992",
                                                        "9007199254740993",
                                                        "-9007199254740992",
                                                        "9223372036854775807",
                                                        "9223372036854775808",
                                                        "-9223372036854775808",
                                                        "-9223372036854775809",
                                                        "18446744073709551615",
                                                        "18446744073709551616",
                                                        "2147483647",
                                                        "2147483648",
                                                        "4294967296",
                                                        "99999999999999999999999999999999999999",
                                                        "\"\\u0000\"",
                                                        "\"\\ud800\"",
                                                        "\"a\\nb\"",
                                                        "\"\xc3\xa9\"",
                                                        "\"x_\"",
                                                        "\"time\"",
                                                        "\"devices\"",
                                                        "\"from\"",
                                                        "\"F0\""};
        const std::vector<Token> found = tokens(text);
        if (found.empty()) return;
        const Token token = found[below(found.size())];
        text.replace(token.at, token.length, values[below(values.size())]);
    }

    void nest(std::string& text) {
        const std::size_t depth = below(20) == 0 ? 20'000 : 1 + below(80);
        const bool objects = below(2) == 0;
        std::string open, close;
        for (std::size_t i = 0; i < depth; ++i) {
            open += objects ? "{\"x_\":" : "[";
            close += objects ? '}' : ']';
        }
        const std::vector<Token> found = tokens(text);
        if (found.empty()) return;
        const Token token = found[below(found.size())];
        const std::string inner = text.substr(token.at, token.length);
        text.replace(token.at, token.length, open + inner + (below(4) == 0 ? "" : close));
    }

    std::uint64_t state_;
};

}  // namespace repetend::testing
