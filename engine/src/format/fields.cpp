// Strict reading of one JSON object; see fields.hpp.
#include "fields.hpp"

#include <algorithm>

namespace repetend::format {

Fields::Fields(const Value& value, std::string path, FaultList& faults) : path_(std::move(path)), faults_(faults) {
    if (value.is(Value::Kind::object)) {
        object_ = &value;
    } else {
        add_type_fault(value, path_, "an object", faults_);
    }
}

std::string Fields::path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + '.' + std::string(name);
}

const Value* Fields::optional(std::string_view name) {
    known_.emplace_back(name);
    return object_ ? object_->find(name) : nullptr;
}

const Value* Fields::required(std::string_view name, std::string_view expected) {
    const Value* value = optional(name);
    if (!value && object_) faults_.add(FaultCode::missing, path_of(name), "missing; expected " + std::string(expected));
    return value;
}

std::optional<std::int64_t> Fields::integer(std::string_view name, std::int64_t least, std::int64_t most, bool needed) {
    const Value* value = needed ? required(name, "an integer") : optional(name);
    return value ? read_integer(*value, path_of(name), least, most, faults_) : std::nullopt;
}

std::optional<std::string> Fields::string(std::string_view name, bool needed) {
    const Value* value = needed ? required(name, "a text") : optional(name);
    if (!value) return std::nullopt;
    if (value->is(Value::Kind::string)) return value->text();
    add_type_fault(*value, path_of(name), "a text", faults_);
    return std::nullopt;
}

const Value* Fields::array(std::string_view name, bool needed) {
    const Value* value = needed ? required(name, "an array") : optional(name);
    if (!value || value->is(Value::Kind::array)) return value;
    add_type_fault(*value, path_of(name), "an array", faults_);
    return nullptr;
}

ExtraFields Fields::finish() {
    ExtraFields extra;
    if (!object_) return extra;
    for (std::size_t i = 0; i < object_->names().size(); ++i) {
        const std::string& name = object_->names()[i];
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        if (name.substr(0, 2) == "x_") {
            extra.emplace_back(name, compact_json(object_->items()[i]));
            continue;
        }
        const std::string near = nearest_name(name, known_);
        std::string words = "unknown field " + in_quotes(name);
        if (!near.empty()) {
            words += "; did you mean " + in_quotes(near) + "?";
        } else {
            words += "; expected one of";
            for (std::size_t k = 0; k < known_.size(); ++k) words += (k > 0 ? ", " : " ") + known_[k];
        }
        faults_.add(FaultCode::unknown, path_of(name), words);
    }
    return extra;
}

void add_type_fault(const Value& value, const std::string& path, std::string_view expected, FaultList& faults) {
    faults.add(FaultCode::type, path, "expected " + std::string(expected) + ", found " + describe(value));
}

std::optional<std::int64_t> read_integer(const Value& value, const std::string& path, std::int64_t least,
                                         std::int64_t most, FaultList& faults) {
    if (value.is(Value::Kind::integer) && value.as_integer() >= least && value.as_integer() <= most) {
        return value.as_integer();
    }
    const bool written_as_integer =
        value.is(Value::Kind::integer) ||
        (value.is(Value::Kind::number) && value.text().find_first_of(".eE") == std::string::npos);
    if (written_as_integer) {
        faults.add(FaultCode::range, path,
                   "expected an integer from " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
                       describe(value));
    } else {
        const bool number = value.is(Value::Kind::number);
        add_type_fault(value, path, number ? "an integer without fraction or exponent" : "an integer", faults);
    }
    return std::nullopt;
}

bool read_format(Fields& fields, std::string_view expected, bool nested, FaultList& faults) {
    if (!fields.is_object()) return false;
    const std::string wanted = in_quotes(expected);
    const Value* format = nested ? fields.optional("format") : fields.required("format", wanted);
    if (format && !format->is(Value::Kind::string)) {
        add_type_fault(*format, fields.path_of("format"), wanted, faults);
    } else if (format && format->text() != expected) {
        const std::string found =
            format->text().substr(0, 9) == "repetend." ? format->text() : in_quotes(format->text());
        faults.add(FaultCode::unknown, fields.path_of("format"),
                   "this is a " + found + ", a " + std::string(expected) + " was expected");
        return false;
    }
    const Value* version = nested ? fields.optional("version") : fields.required("version", "1");
    if (version && version->is(Value::Kind::integer) && version->as_integer() != 1) {
        faults.add(FaultCode::unsupported, fields.path_of("version"),
                   "version " + describe(*version) + " cannot be read; expected 1");
        return false;
    }
    if (version) read_integer(*version, fields.path_of("version"), 1, 1, faults);
    return true;
}

}  // namespace repetend::format
