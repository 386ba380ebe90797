// A decimal is an integer over a power of ten. Both are exact doubles here, so that their quotient is the nearest
// double to what was written, without help from a library that might differ.
#include "decimal.hpp"

#include "json_writer.hpp"

namespace repetend::format {
namespace {

constexpr std::size_t most_digits = 15;

std::optional<double> decimal_of(std::string_view spelling) {
    double mantissa = 0;
    double scale = 1;
    std::size_t digits = 0;
    bool fraction = false;
    const bool negative = !spelling.empty() && spelling.front() == '-';
    if (negative) spelling.remove_prefix(1);
    for (const char c : spelling) {
        if (c == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (c < '0' || c > '9') return std::nullopt;
        mantissa = mantissa * 10 + (c - '0');
        if (fraction) scale *= 10;
        if (++digits > most_digits) return std::nullopt;
    }
    if (digits == 0) return std::nullopt;
    return (negative ? -mantissa : mantissa) / scale;
}

std::string bound(double value) {
    std::string text = fixed(value, 6);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace

std::optional<double> read_decimal(Fields& fields, FaultList& faults, std::string_view name, double least, double most,
                                   bool needed) {
    const Value* value = needed ? fields.required(name, "a number") : fields.optional(name);
    if (!value) return std::nullopt;
    const std::string path = fields.path_of(name);
    if (!value->is(Value::Kind::integer) && !value->is(Value::Kind::number)) {
        add_type_fault(*value, path, "a number", faults);
        return std::nullopt;
    }
    const std::string spelling = value->is(Value::Kind::integer) ? std::to_string(value->as_integer()) : value->text();
    const std::optional<double> number = decimal_of(spelling);
    if (!number) {
        add_type_fault(*value, path, "a number of at most 15 digits without exponent", faults);
        return std::nullopt;
    }
    if (*number >= least && *number <= most) return number;
    faults.add(FaultCode::range, path,
               "expected a number from " + bound(least) + " to " + bound(most) + ", found " + describe(*value));
    return std::nullopt;
}

std::optional<bool> read_boolean(Fields& fields, FaultList& faults, std::string_view name) {
    const Value* value = fields.optional(name);
    if (!value) return std::nullopt;
    if (value->is(Value::Kind::boolean)) return value->as_integer() != 0;
    add_type_fault(*value, fields.path_of(name), "true or false", faults);
    return std::nullopt;
}

}  // namespace repetend::format
