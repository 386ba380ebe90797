// JSON text to values: nlohmann/json's event interface feeds a tree of our own. Events, not its own tree,
// because only they show the spelling of a number, a member named twice, and the depth before it is reached.
// The parser under it keeps its own stack on the heap, so no nesting can overflow the call stack.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "json_value.hpp"

namespace repetend::format {
namespace {

class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeBuilder(std::string_view text, FaultList& faults, const StreamedArray* stream)
        : text_(text), faults_(faults), stream_(stream) {}

    bool null() override { return place(Value()); }
    bool boolean(bool value) override { return place(Value::boolean(value)); }
    bool number_integer(number_integer_t value) override { return place(Value::integer(value)); }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return place(fits ? Value::integer(static_cast<std::int64_t>(value)) : Value::number(std::to_string(value)));
    }
    bool number_float(number_float_t, const string_t& spelling) override { return place(Value::number(spelling)); }
    bool string(string_t& value) override { return place(Value::string(std::move(value))); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Value::object()); }
    bool start_array(std::size_t) override { return open(Value::array()); }
    bool key(string_t& value) override {
        stack_.back().key = std::move(value);
        return true;
    }
    bool end_object() override {
        refuse_duplicates(stack_.back().value);
        return close();
    }
    bool end_array() override { return close(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        const std::size_t offset = position == 0 ? 0 : position - 1;
        if (error.id == 406) {  // a number beyond the range of a double
            faults_.add(FaultCode::range, path_here(), "the number is too large; expected an integer up to 2^53");
        } else {
            faults_.add(FaultCode::syntax, line_and_column(text_, offset), reason(offset, error.what()));
        }
        return false;
    }

    Value root;

private:
    struct Frame {
        Value value;
        std::string key;            // object: the member being read
        std::string streamed_path;  // array: not empty when its elements go to the sink
        std::int64_t elements = 0;  // array
    };

    // Path of the value that comes next.
    std::string path_here() const {
        std::string path;
        for (const Frame& frame : stack_) {
            if (frame.value.is(Value::Kind::object)) {
                path += (path.empty() ? "" : ".") + frame.key;
            } else {
                path += '[' + std::to_string(frame.elements) + ']';
            }
        }
        return path;
    }

    bool place(Value value) {
        if (stack_.empty()) {
            root = std::move(value);
            return true;
        }
        Frame& frame = stack_.back();
        if (frame.value.is(Value::Kind::object)) {
            frame.value.append(std::move(frame.key), std::move(value));
            frame.key.clear();
        } else if (!frame.streamed_path.empty()) {
            values_ = values_before_element_;
            return stream_->sink(frame.streamed_path, frame.elements++, value);
        } else {
            ++frame.elements;
            frame.value.append(std::move(value));
        }
        if (++values_ > most_values) {
            faults_.add(FaultCode::limit, "", "more than " + std::to_string(most_values) + " values");
            return false;
        }
        return true;
    }

    bool open(Value value) {
        if (stack_.size() >= most_depth) {
            faults_.add(FaultCode::limit, line_and_column(text_, offset_of_depth()),
                        "nested deeper than " + std::to_string(most_depth) + " levels");
            return false;
        }
        Frame frame;
        frame.value = std::move(value);
        // Elements of a streamed array are many, small, and gone at once.
        if (!stack_.empty() && !stack_.back().streamed_path.empty()) frame.value.reserve(4);
        // Arrays inside an element are part of it.
        const bool inside =
            std::any_of(stack_.begin(), stack_.end(), [](const Frame& f) { return !f.streamed_path.empty(); });
        if (stream_ && !inside && frame.value.is(Value::Kind::array)) {
            const auto found = std::find(stream_->paths.begin(), stream_->paths.end(), path_here());
            if (found != stream_->paths.end()) {
                frame.streamed_path = *found;
                values_before_element_ = values_;
            }
        }
        stack_.push_back(std::move(frame));
        return true;
    }

    bool close() {
        Value value = std::move(stack_.back().value);
        stack_.pop_back();
        return place(std::move(value));
    }

    // Few members are compared pair by pair, many are sorted first.
    static bool has_duplicates(const std::vector<std::string>& given) {
        if (given.size() > 16) {
            std::vector<std::string_view> names(given.begin(), given.end());
            std::sort(names.begin(), names.end());
            return std::adjacent_find(names.begin(), names.end()) != names.end();
        }
        for (std::size_t i = 1; i < given.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                if (given[i] == given[k]) return true;
            }
        }
        return false;
    }

    void refuse_duplicates(const Value& object) {
        if (!has_duplicates(object.names())) return;
        std::vector<std::string_view> names(object.names().begin(), object.names().end());
        std::sort(names.begin(), names.end());
        for (auto at = names.begin(); (at = std::adjacent_find(at, names.end())) != names.end();) {
            const std::string_view name = *at;
            stack_.back().key = name;
            faults_.add(FaultCode::duplicate, path_here(), "the field is given twice");
            while (at != names.end() && *at == name) ++at;
        }
    }

    // Where the nesting first exceeds the bound. Called once, for text that is well formed up to there.
    std::size_t offset_of_depth() const {
        int depth = 0;
        bool in_string = false;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            const char c = text_[i];
            if (in_string) {
                if (c == '\\') ++i;
                if (c == '"') in_string = false;
            } else if (c == '"') {
                in_string = true;
            } else if (c == '[' || c == '{') {
                if (++depth > most_depth) return i;
            } else if (c == ']' || c == '}') {
                --depth;
            }
        }
        return text_.size();
    }

    // The parser's own words without its codes, positions and raw excerpts.
    std::string reason(std::size_t offset, std::string words) const {
        if (const auto start = words.find(" - "); start != std::string::npos) words.erase(0, start + 3);
        std::string expected;
        if (const auto at = words.find("; last read: '"); at != std::string::npos) {
            const auto after = words.rfind("; expected ");
            words.erase(at, after != std::string::npos && after > at ? after - at : std::string::npos);
        }
        if (const auto at = words.rfind("; expected "); at != std::string::npos) {
            expected = words.substr(at + 11);
            if (expected == "string literal") expected = "a string in double quotes";
            words.erase(at);
        }
        if (words == "invalid literal" || words == "unexpected end of input") {
            if (expected.empty()) expected = "a number, a string, true, false, null, an array or an object";
            words =
                offset >= text_.size() ? "the text ends too early" : in_quotes(word_at(offset)) + " is no JSON value";
        }
        if (words.find("ill-formed UTF-8") != std::string::npos) words = "a byte that is not UTF-8";
        return expected.empty() ? words : words + "; expected " + expected;
    }

    std::string_view word_at(std::size_t offset) const {
        const auto part_of_word = [&](std::size_t i) {
            const char c = text_[i];
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
                   c == '+' || c == '.';
        };
        std::size_t first = offset, last = offset;
        // The error may stand on the character after the word.
        while (first > 0 && offset - first < 40 && part_of_word(first - 1)) --first;
        while (last < text_.size() && last - offset < 40 && part_of_word(last)) ++last;
        return text_.substr(first, std::max<std::size_t>(last - first, 1));
    }

    std::string_view text_;
    FaultList& faults_;
    const StreamedArray* stream_;
    std::vector<Frame> stack_;
    std::int64_t values_ = 0;
    std::int64_t values_before_element_ = 0;
};

}  // namespace

bool parse_json(std::string_view text, Value& root, FaultList& faults, const StreamedArray* stream) {
    if (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff") {
        faults.add(FaultCode::syntax, "line 1 column 1", "the text is UTF-16; expected UTF-8");
        return false;
    }
    const std::string_view body = text.substr(0, 3) == "\xef\xbb\xbf" ? text.substr(3) : text;
    if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        faults.add(FaultCode::syntax, "line 1 column 1", "the text is empty; expected a JSON object");
        return false;
    }
    TreeBuilder builder(body, faults, stream);
    // By its base: one parser serves all readers, which halves what a page downloads of it.
    nlohmann::json_sax<nlohmann::json>* const sax = &builder;
    if (!nlohmann::json::sax_parse(body.begin(), body.end(), sax)) return false;
    root = std::move(builder.root);
    return true;
}

}  // namespace repetend::format
