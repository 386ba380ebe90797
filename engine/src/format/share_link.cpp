// Links as text: keys and values of the fragment, percent escapes, base64 for the packed parts (RFC 4648, section 5:
// letters that need no escaping in an address). See share.hpp.
#include <algorithm>
#include <array>
#include <set>

#include "repetend/format/share.hpp"

namespace repetend {
namespace {

constexpr std::size_t most_view_keys = 32;
constexpr std::size_t longest_view_value = 512;
constexpr std::size_t longest_title = 200;
constexpr std::string_view base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string to_base64(std::string_view bytes) {
    std::string out;
    unsigned window = 0;
    int bits = 0;
    for (const char c : bytes) {
        window = window << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6) out += base64_letters[window >> (bits - 6) & 63];
    }
    if (bits > 0) out += base64_letters[window << (6 - bits) & 63];
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string out;
    unsigned window = 0;
    int bits = 0;
    for (const char c : text) {
        const std::size_t value = base64_letters.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        window = window << 6 | static_cast<unsigned>(value);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(window >> bits & 0xFF);
        }
    }
    return out;
}

// Letters that stand for themselves in a value. Spaces become `+`, the rest percent escapes.
std::string escape(std::string_view text) {
    static constexpr std::string_view plain = "-_.~,:/!*()";
    static constexpr std::string_view hex = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (alphanumeric || plain.find(c) != std::string_view::npos) {
            out += c;
        } else if (c == ' ') {
            out += '+';
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return out;
}

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// A broken escape stays as it is.
std::string unescape(std::string_view text) {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] == '+') {
            out += ' ';
        } else if (text[k] == '%' && k + 2 < text.size() && hex_digit(text[k + 1]) >= 0 &&
                   hex_digit(text[k + 2]) >= 0) {
            out += static_cast<char>(hex_digit(text[k + 1]) * 16 + hex_digit(text[k + 2]));
            k += 2;
        } else {
            out += text[k];
        }
    }
    return out;
}

std::string key_of(std::string_view option) {
    std::string key(option);
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

// A title is shown: control characters would only confuse.
std::string clean_title(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, ' ');
    if (text.size() > longest_title) {
        std::size_t end = longest_title;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
        text.resize(end);
    }
    return text;
}

class LinkReader {
public:
    Result<Recipe> read(std::string_view link) {
        if (link.size() > longest_link)
            return Fault{FaultCode::limit, "link", "is longer than " + std::to_string(longest_link) + " characters"};
        if (const std::size_t hash = link.find('#'); hash != std::string_view::npos) link = link.substr(hash + 1);
        while (!link.empty()) {
            const std::size_t end = std::min(link.find('&'), link.size());
            take(link.substr(0, end));
            link = link.substr(std::min(end + 1, link.size()));
        }
        finish();
        if (!faults_.empty()) return std::move(faults_);
        return std::move(recipe_);
    }

private:
    void fault(FaultCode code, const std::string& path, const std::string& message) {
        faults_.push_back({code, path, message});
    }

    void take(std::string_view part) {
        const std::size_t equals = std::min(part.find('='), part.size());
        const std::string key = unescape(part.substr(0, equals));
        const std::string_view raw = part.substr(std::min(equals + 1, part.size()));
        if (key.empty()) return;
        if (!seen_.insert(key).second) return;  // the first one counts
        if (key == "v") {
            version_given_ = true;
            if (raw != "1")
                fault(FaultCode::unknown, "v",
                      "this link is of version " + unescape(raw.substr(0, 20)) + "; this program reads version 1");
        } else if (key == "t") {
            recipe_.title = clean_title(unescape(raw));
        } else if (key == "p") {
            problem_ = raw;
        } else if (key == "s") {
            schedule_ = raw;
        } else if (key == "x") {
            extra_ = raw;
        } else if (key == "preset") {
            recipe_.preset = clean_title(unescape(raw));
        } else if (const OptionRow* row = find_option(key); row != nullptr && travels_in_links(*row)) {
            if (auto wrong = recipe_.options.set(row->name, unescape(raw))) faults_.push_back(*std::move(wrong));
        } else if (recipe_.view.size() < most_view_keys && raw.size() <= longest_view_value) {
            recipe_.view.emplace_back(key, unescape(raw));
        }
    }

    void finish() {
        if (!version_given_) fault(FaultCode::missing, "v", "a link begins with v=1");
        if (!problem_.empty() && !recipe_.preset.empty())
            fault(FaultCode::usage, "p", "a link has a preset or a problem, not both");
        if (!schedule_.empty() && problem_.empty())
            fault(FaultCode::usage, "s", "a schedule needs the problem that it is for");
        if (!extra_.empty() && problem_.empty())
            fault(FaultCode::usage, "x", "x_ fields need the problem that they are for");
        if (!faults_.empty() || problem_.empty()) return;
        unpack(problem_, "p", [&](const std::string& bytes) { return keep(unpack_problem(bytes), recipe_.problem); });
        if (recipe_.problem && !schedule_.empty()) {
            unpack(schedule_, "s", [&](const std::string& bytes) {
                return keep(unpack_schedule(bytes, *recipe_.problem), recipe_.schedule);
            });
        }
        if (!faults_.empty() || extra_.empty()) return;
        unpack(extra_, "x", [&](const std::string& bytes) {
            return unpack_extra(bytes, *recipe_.problem, recipe_.schedule ? &*recipe_.schedule : nullptr);
        });
    }

    template <class T>
    static Faults keep(Result<T> value, std::optional<T>& target) {
        if (!value) return value.faults();
        target = std::move(value).value();
        return {};
    }

    template <class Unpack>
    void unpack(std::string_view text, const char* key, Unpack unpack_bytes) {
        const std::optional<std::string> bytes = from_base64(text);
        if (!bytes) return fault(FaultCode::syntax, key, "holds a character that no link has");
        const Faults faults = unpack_bytes(*bytes);
        faults_.insert(faults_.end(), faults.begin(), faults.end());
    }

    Recipe recipe_;
    Faults faults_;
    std::set<std::string> seen_;
    bool version_given_ = false;
    std::string_view problem_, schedule_, extra_;
};

}  // namespace

bool travels_in_links(const OptionRow& row) {
    if (row.name == "preset") return false;  // a key of its own
    return row.group == OptionGroup::preset || row.group == OptionGroup::search || row.name == "budget";
}

std::string write_link(const Recipe& recipe) {
    std::string out = "v=1";
    const auto add = [&](std::string_view key, const std::string& value) {
        out += '&';
        out += key;
        out += '=';
        out += value;
    };
    if (!recipe.preset.empty()) add("preset", escape(recipe.preset));
    for (const auto& [name, text] : recipe.options.given()) {
        const OptionRow* row = find_option(name);
        if (row != nullptr && travels_in_links(*row))
            add(key_of(name), row->kind == OptionKind::flag && text.empty() ? "true" : escape(text));
    }
    if (!recipe.title.empty()) add("t", escape(clean_title(recipe.title)));
    for (const auto& [key, value] : recipe.view) add(escape(key), escape(value));
    if (recipe.problem) {
        add("p", to_base64(pack_problem(*recipe.problem)));
        const Schedule* schedule = recipe.schedule ? &*recipe.schedule : nullptr;
        if (const std::string extra = pack_extra(*recipe.problem, schedule); !extra.empty()) add("x", to_base64(extra));
        if (recipe.schedule) add("s", to_base64(pack_schedule(*recipe.problem, *recipe.schedule)));
    }
    return out;
}

std::string write_address(const Recipe& recipe) { return "index.html#" + write_link(recipe); }

Result<Recipe> read_link(std::string_view link) { return LinkReader().read(link); }

}  // namespace repetend
