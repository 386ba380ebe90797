// A parsed JSON document as plain values, for readers that must be strict: numbers keep their spelling (so
// that 1.0 and 1e3 can be told from integers), objects keep the order of their members.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/model/fault.hpp"

namespace repetend::format {

class Value {
public:
    enum class Kind : std::uint8_t { null, boolean, integer, number, string, array, object };

    Value() = default;
    static Value boolean(bool value);
    static Value integer(std::int64_t value);
    static Value number(std::string spelling);  // any other number, as it was written
    static Value string(std::string text);
    static Value array();
    static Value object();

    Kind kind() const { return kind_; }
    bool is(Kind kind) const { return kind_ == kind; }
    // The integer, or 0 or 1 for a boolean.
    std::int64_t as_integer() const { return integer_; }
    // The text of a string or the spelling of a number.
    const std::string& text() const { return body_->text; }
    // Elements of an array or member values of an object; names() stands beside the latter.
    const std::vector<Value>& items() const { return body_->items; }
    const std::vector<std::string>& names() const { return body_->names; }
    // The member of an object with this name, or null.
    const Value* find(std::string_view name) const;

    // Room for the members of a small object.
    void reserve(std::size_t members);
    void append(Value item) { body_->items.push_back(std::move(item)); }
    void append(std::string name, Value item);

private:
    struct Body {
        std::string text;
        std::vector<Value> items;
        std::vector<std::string> names;
    };
    Kind kind_ = Kind::null;
    std::int64_t integer_ = 0;
    std::unique_ptr<Body> body_;
};

// Collects faults; after the first `most_listed` it only counts, so that a long broken file cannot fill
// the memory with complaints. Messages are made one printable line.
class FaultList {
public:
    static constexpr std::size_t most_listed = 200;
    void add(FaultCode code, std::string path, std::string message);
    bool empty() const { return faults_.empty(); }
    std::size_t count() const { return faults_.size() + more_; }
    // True when further faults are only counted.
    bool full() const { return faults_.size() >= most_listed; }
    // True when a fault stands at `path` or at something that contains it.
    bool has_at_or_above(std::string_view path) const;
    Faults take();

private:
    Faults faults_;
    std::size_t more_ = 0;
};

// Deepest nesting that is read; the formats need 5.
inline constexpr int most_depth = 64;
// Most values held as a tree at once (elements that go to a sink are not held).
inline constexpr std::int64_t most_values = 8'000'000;

// Receives the elements of a streamed array one by one instead of their being kept; `array` is its path,
// `index` counts from 0. False ends the parse (the sink has said why).
using ElementSink = std::function<bool(const std::string& array, std::int64_t index, const Value& element)>;

// Which array is streamed: the one found at any of these paths, such as "operations".
struct StreamedArray {
    std::vector<std::string> paths;
    ElementSink sink;
};

// Parses text. Broken text (with line and column), a member named twice, too deep nesting and too many
// values go to `faults`; false when no tree could be made.
bool parse_json(std::string_view text, Value& root, FaultList& faults, const StreamedArray* stream = nullptr);

// `line 3 column 7` of a byte offset; columns count characters.
std::string line_and_column(std::string_view text, std::size_t offset);

// What a value is, for messages: `true`, `1.0`, `"text"`, `an array`.
std::string describe(const Value& value);
// A value as compact JSON text.
std::string compact_json(const Value& value);

// Text in double quotes for messages: control characters and broken UTF-8 made visible, long text cut.
std::string in_quotes(std::string_view text);
// One printable line: control characters and broken UTF-8 as \xNN.
std::string printable(std::string_view text);
// Appends a JSON string literal; broken UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);
// Length of the well-formed UTF-8 sequence that starts at `offset`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t offset);

}  // namespace repetend::format
