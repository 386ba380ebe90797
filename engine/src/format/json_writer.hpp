// Building blocks of the JSON writers: one object per line, defaults left out, nested objects indented.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json_value.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend::format {

// Members of one object on one line: {"name": "f0", "time": 1}
class LineObject {
public:
    explicit LineObject(std::string& out) : out_(out) { out_ += '{'; }
    void raw(std::string_view name, std::string_view json) {
        if (!first_) out_ += ", ";
        first_ = false;
        append_json_string(out_, name);
        out_ += ": ";
        out_ += json;
    }
    void text(std::string_view name, std::string_view value) {
        raw(name, "");
        append_json_string(out_, value);
    }
    void integer(std::string_view name, std::int64_t value) { raw(name, std::to_string(value)); }
    template <class Number>
    void numbers(std::string_view name, const std::vector<Number>& values);
    void extra(const ExtraFields& fields) {
        for (const auto& [name, json] : fields) raw(name, json);
    }
    void close() { out_ += '}'; }

private:
    std::string& out_;
    bool first_ = true;
};

template <class Number>
std::string number_array(const std::vector<Number>& values) {
    std::string out = "[";
    for (const Number value : values) {
        if (out.size() > 1) out += ", ";
        out += std::to_string(value);
    }
    return out + ']';
}

template <class Number>
void LineObject::numbers(std::string_view name, const std::vector<Number>& values) {
    raw(name, number_array(values));
}

// Members of an object, one per line, at a depth of indentation.
class TallObject {
public:
    TallObject(std::string& out, int depth) : out_(out), depth_(depth) { out_ += '{'; }
    // Starts a member; its value is to be appended next.
    std::string& member(std::string_view name) {
        out_ += first_ ? "\n" : ",\n";
        first_ = false;
        indent(depth_ + 1);
        append_json_string(out_, name);
        out_ += ": ";
        return out_;
    }
    void raw(std::string_view name, std::string_view json) { member(name) += json; }
    void text(std::string_view name, std::string_view value) { append_json_string(member(name), value); }
    void integer(std::string_view name, std::int64_t value) { raw(name, std::to_string(value)); }
    void boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
    // An array with one element per line; `write(i)` appends element i.
    template <class Write>
    void lines(std::string_view name, std::size_t count, Write write) {
        member(name) += '[';
        for (std::size_t i = 0; i < count; ++i) {
            out_ += i == 0 ? "\n" : ",\n";
            indent(depth_ + 2);
            write(i);
        }
        if (count > 0) {
            out_ += '\n';
            indent(depth_ + 1);
        }
        out_ += ']';
    }
    void close() {
        out_ += '\n';
        indent(depth_);
        out_ += '}';
    }

private:
    void indent(int depth) { out_.append(static_cast<std::size_t>(depth) * 2, ' '); }

    std::string& out_;
    int depth_;
    bool first_ = true;
};

// A problem or a schedule as an object at `depth`, without a newline at the end.
void append_problem(std::string& out, const Problem& problem, int depth);
void append_schedule(std::string& out, const Problem& problem, const Schedule& schedule, int depth);

// A number with `decimals` digits after the point, rounded half away from zero: the same bytes everywhere.
std::string fixed(double value, int decimals);

}  // namespace repetend::format
