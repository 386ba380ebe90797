// Errors as values. A Fault says where in the input something is wrong, what is wrong, and what was
// expected; a Result holds either a value or every fault that was found. Nothing a person can feed in
// may crash, hang or be half-accepted, so every parser and builder of the engine answers with these.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace repetend {

// What kind of trouble a fault is; hosts map it to an exit status (see contract: usage 2, bad input 3,
// proved infeasible 4).
enum class FaultCode {
    syntax,       // the text is not well formed (broken JSON, a truncated file)
    type,         // a value has the wrong type
    unknown,      // an unknown field, name or format
    missing,      // a required field is absent
    range,        // a number is outside its bounds
    duplicate,    // a name is used twice
    reference,    // a name or index refers to nothing
    cycle,        // dependencies are circular
    usage,        // options that make no sense together, an impossible preset
    unsupported,  // well formed, but this operation cannot express or handle it
    limit,        // larger than this program accepts
};

// One thing wrong with an input.
struct Fault {
    FaultCode code = FaultCode::syntax;
    // Path into the input: `blocks[3].devices[1]`, `line 4 column 7`, or empty for the whole.
    std::string path;
    // What is wrong and what was expected, one line, no final stop: `device 9 does not exist (there are 4)`.
    std::string message;
};

// `path: message`, or the message alone when the path is empty.
std::string to_string(const Fault& fault);

// Of `candidates`, the one that `name` most likely meant (least edit distance, at most a third of the
// length); empty when none is near. Serves every "did you mean".
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

using Faults = std::vector<Fault>;

// A value, or at least one fault.
template <class T>
class Result {
public:
    Result(T value) : content_(std::move(value)) {}
    Result(Faults faults) : content_(std::move(faults)) { assert(!std::get<Faults>(content_).empty()); }
    Result(Fault fault) : content_(Faults{std::move(fault)}) {}

    explicit operator bool() const { return std::holds_alternative<T>(content_); }
    const T& value() const& { return std::get<T>(content_); }
    T& value() & { return std::get<T>(content_); }
    T&& value() && { return std::get<T>(std::move(content_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const Faults& faults() const { return std::get<Faults>(content_); }

private:
    std::variant<T, Faults> content_;
};

}  // namespace repetend
