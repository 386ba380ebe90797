// Values without their parser: building, finding, describing and printing them.
#include "json_value.hpp"

#include <algorithm>

namespace repetend::format {

Value Value::boolean(bool value) {
    Value result;
    result.kind_ = Kind::boolean;
    result.integer_ = value ? 1 : 0;
    return result;
}

Value Value::integer(std::int64_t value) {
    Value result;
    result.kind_ = Kind::integer;
    result.integer_ = value;
    return result;
}

Value Value::number(std::string spelling) {
    Value result;
    result.kind_ = Kind::number;
    result.body_ = std::make_unique<Body>();
    result.body_->text = std::move(spelling);
    return result;
}

Value Value::string(std::string text) {
    Value result = number(std::move(text));
    result.kind_ = Kind::string;
    return result;
}

Value Value::array() {
    Value result;
    result.kind_ = Kind::array;
    result.body_ = std::make_unique<Body>();
    return result;
}

Value Value::object() {
    Value result = array();
    result.kind_ = Kind::object;
    return result;
}

const Value* Value::find(std::string_view name) const {
    if (kind_ != Kind::object) return nullptr;
    const auto found = std::find(body_->names.begin(), body_->names.end(), name);
    return found == body_->names.end() ? nullptr : &body_->items[found - body_->names.begin()];
}

void Value::reserve(std::size_t members) {
    body_->names.reserve(members);
    body_->items.reserve(members);
}

void Value::append(std::string name, Value item) {
    body_->names.push_back(std::move(name));
    body_->items.push_back(std::move(item));
}

namespace {

bool path_covers(std::string_view above, std::string_view path) {
    if (path.substr(0, above.size()) != above) return false;
    return path.size() == above.size() || path[above.size()] == '.' || path[above.size()] == '[';
}

}  // namespace

void FaultList::add(FaultCode code, std::string path, std::string message) {
    if (faults_.size() < most_listed) {
        faults_.push_back({code, printable(path), printable(message)});
    } else {
        ++more_;
    }
}

bool FaultList::has_at_or_above(std::string_view path) const {
    return std::any_of(faults_.begin(), faults_.end(),
                       [&](const Fault& fault) { return path_covers(fault.path, path); });
}

Faults FaultList::take() {
    if (more_ > 0) faults_.push_back({FaultCode::limit, "", std::to_string(more_) + " more faults are not listed"});
    more_ = 0;
    return std::move(faults_);
}

std::string line_and_column(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    std::int64_t line = 1, column = 1;
    for (std::size_t i = 0; i < offset; ++i) {
        if (text[i] == '\n') {
            ++line;
            column = 1;
        } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
            ++column;
        }
    }
    return "line " + std::to_string(line) + " column " + std::to_string(column);
}

std::string describe(const Value& value) {
    switch (value.kind()) {
        case Value::Kind::null:
            return "null";
        case Value::Kind::boolean:
            return value.as_integer() ? "true" : "false";
        case Value::Kind::integer:
            return std::to_string(value.as_integer());
        case Value::Kind::number:
            return value.text().size() > 40 ? value.text().substr(0, 37) + "..." : value.text();
        case Value::Kind::string:
            return "the text " + in_quotes(value.text());
        case Value::Kind::array:
            return value.items().empty() ? "an empty array" : "an array";
        case Value::Kind::object:
            return "an object";
    }
    return "";
}

std::string compact_json(const Value& value) {
    std::string out;
    switch (value.kind()) {
        case Value::Kind::null:
        case Value::Kind::boolean:
        case Value::Kind::integer:
            return describe(value);
        case Value::Kind::number:
            return value.text();
        case Value::Kind::string:
            append_json_string(out, value.text());
            return out;
        case Value::Kind::array:
        case Value::Kind::object:
            break;
    }
    const bool object = value.is(Value::Kind::object);
    out += object ? '{' : '[';
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        if (i > 0) out += ", ";
        if (object) {
            append_json_string(out, value.names()[i]);
            out += ": ";
        }
        out += compact_json(value.items()[i]);
    }
    out += object ? '}' : ']';
    return out;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t most = 60;
    std::string_view shown = text;
    if (text.size() > most) {
        std::size_t cut = most - 3;
        while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
        shown = text.substr(0, cut);
    }
    return '"' + printable(shown) + (shown.size() < text.size() ? "...\"" : "\"");
}

std::string printable(std::string_view text) {
    static const char* const digits = "0123456789abcdef";
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        const unsigned char byte = static_cast<unsigned char>(text[at]);
        // C1 controls and line separators are well formed, yet would break a line; XML cannot hold U+FFFE, U+FFFF.
        const bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && length == 2 && text[at + 1] < '\xa0') ||
                             text.substr(at, 3) == "\xe2\x80\xa8" || text.substr(at, 3) == "\xe2\x80\xa9" ||
                             text.substr(at, 3) == "\xef\xbf\xbe" || text.substr(at, 3) == "\xef\xbf\xbf";
        if (length == 0 || control) {
            for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
                const unsigned char part = static_cast<unsigned char>(text[at + i]);
                out += "\\x";
                out += digits[part >> 4];
                out += digits[part & 15];
            }
        } else {
            out.append(text.substr(at, length));
        }
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::size_t utf8_length(std::string_view text, std::size_t offset) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
    if (offset >= text.size()) return 0;
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || offset + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) || (first == 0xf0 && byte(1) < 0x90) ||
        (first == 0xf4 && byte(1) > 0x8f)) {
        return 0;
    }
    return length;
}

void append_json_string(std::string& out, std::string_view text) {
    static const char* const digits = "0123456789abcdef";
    out += '"';
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        const unsigned char byte = static_cast<unsigned char>(text[at]);
        if (length == 0) {
            out += "\xef\xbf\xbd";
            ++at;
            continue;
        }
        if (byte == '"' || byte == '\\') {
            out += '\\';
            out += text[at];
        } else if (byte == '\n') {
            out += "\\n";
        } else if (byte == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 15];
        } else {
            out.append(text.substr(at, length));
        }
        at += length;
    }
    out += '"';
}

}  // namespace repetend::format
