// Strict reading of one JSON object: every member is asked for by name, has one type and a range, and what
// was not asked for is refused with the nearest known name. Faults say what was expected and what was found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_value.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::format {

class Fields {
public:
    // `value` must outlive this. When it is no object, one fault is added and every read finds nothing
    // without a further complaint.
    Fields(const Value& value, std::string path, FaultList& faults);

    bool is_object() const { return object_ != nullptr; }
    std::string path_of(std::string_view name) const;
    const std::string& path() const { return path_; }

    // The member, or null; `required` adds a fault when it is absent.
    const Value* optional(std::string_view name);
    const Value* required(std::string_view name, std::string_view expected);

    // A required or optional member of one type; nothing when absent or faulty (then the fault is added).
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t least, std::int64_t most, bool needed);
    std::optional<std::string> string(std::string_view name, bool needed);
    const Value* array(std::string_view name, bool needed);

    // After all reads: faults for unknown members; those that begin with `x_` are returned.
    ExtraFields finish();

private:
    const Value* object_ = nullptr;
    std::string path_;
    FaultList& faults_;
    std::vector<std::string> known_;
};

// The value as an integer from `least` to `most`, or nothing and a fault at `path`.
std::optional<std::int64_t> read_integer(const Value& value, const std::string& path, std::int64_t least,
                                         std::int64_t most, FaultList& faults);
// A fault "expected WHAT, found VALUE".
void add_type_fault(const Value& value, const std::string& path, std::string_view expected, FaultList& faults);

// Checks `format` and `version`. False when the document is of another kind, so that reading on makes no
// sense. Inside another document both may be absent.
bool read_format(Fields& fields, std::string_view expected, bool nested, FaultList& faults);

// The members of a problem object; faults of its values and of `validate` are added below `fields.path()`.
Problem read_problem_fields(Fields& fields, bool nested, FaultList& faults);

}  // namespace repetend::format
