// Sweeps: read strictly, multiplied out lazily. A combination is a number in the mixed radix of its fields' values.
#include <algorithm>

#include "fields.hpp"
#include "json_writer.hpp"
#include "repetend/format/sweep.hpp"

namespace repetend {

namespace {

using namespace format;

constexpr std::string_view file_field = "file";

// What a sweep may set: what a search is of, how it searches and how long. Output and display belong to the batch.
bool is_sweep_field(const OptionRow& row) {
    switch (row.group) {
        case OptionGroup::preset:
        case OptionGroup::profile:
        case OptionGroup::search:
        case OptionGroup::effort:
            return true;
        default:
            return false;
    }
}

std::string field_name(const OptionRow& row) {
    std::string name(row.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

const std::vector<std::string>& field_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list = {std::string(file_field)};
        for (const OptionRow& row : option_table()) {
            if (is_sweep_field(row)) list.push_back(field_name(row));
        }
        return list;
    }();
    return names;
}

// FNV-1a, 64 bits: the same everywhere.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 1099511628211u;
    }
    return hash;
}

std::string hexadecimal(std::uint64_t value) {
    std::string text(16, '0');
    for (std::size_t k = 16; k-- > 0; value >>= 4) text[k] = "0123456789abcdef"[value & 15];
    return text;
}

}  // namespace

class SweepReader {
public:
    SweepReader(Fields& fields, FaultList& faults) : fields_(fields), faults_(faults) {}

    Sweep run() {
        if (const Value* base = object("base")) read_base(*base);
        if (const Value* vary = object("vary")) read_vary(*vary);
        if (sweep_.fields_.empty() && faults_.empty()) {
            faults_.add(FaultCode::missing, "base", "nothing is set; expected fields in `base` or `vary`");
        }
        if (faults_.empty()) read_exclude();
        if (faults_.empty()) multiply();
        return std::move(sweep_);
    }

private:
    const Value* object(const char* name) {
        const Value* value = fields_.optional(name);
        if (!value || value->is(Value::Kind::object)) return value;
        add_type_fault(*value, fields_.path_of(name), "an object", faults_);
        return nullptr;
    }

    // The name of a field, or an empty text and a fault.
    bool known(const std::string& name, const std::string& path) {
        const std::vector<std::string>& names = field_names();
        if (std::find(names.begin(), names.end(), name) != names.end()) return true;
        std::string message = "unknown field " + in_quotes(name);
        if (const OptionRow* row = find_option(name); row != nullptr && field_name(*row) == name) {
            message = "belongs to the command line of batch, not into a sweep";
        } else if (const std::string near = nearest_name(name, names); !near.empty()) {
            message += "; did you mean " + in_quotes(near) + "?";
        } else {
            message += "; expected a long option of search, a preset or a profile with _ for -";
        }
        faults_.add(FaultCode::unknown, path, message);
        return false;
    }

    // One value as an option's text, checked by the option's row.
    void take(Sweep::Field& field, const Value& value, const std::string& path) {
        std::optional<Sweep::FieldValue> taken = text_of(field.name, value, path);
        if (!taken) return;
        for (const Sweep::FieldValue& other : field.values) {
            if (other.text == taken->text) {
                faults_.add(FaultCode::duplicate, path, describe(value) + " stands here twice");
                return;
            }
        }
        field.values.push_back(std::move(*taken));
    }

    std::optional<Sweep::FieldValue> text_of(const std::string& name, const Value& value, const std::string& path) {
        Sweep::FieldValue taken;
        taken.json = compact_json(value);
        switch (value.kind()) {
            case Value::Kind::string:
            case Value::Kind::number:
                taken.text = value.text();
                break;
            case Value::Kind::integer:
                taken.text = std::to_string(value.as_integer());
                break;
            case Value::Kind::boolean:
                taken.text = value.as_integer() != 0 ? "true" : "false";
                break;
            case Value::Kind::array:  // amounts of several devices, layers of several stages
                for (const Value& item : value.items()) {
                    if (!taken.text.empty()) taken.text += ',';
                    taken.text += item.is(Value::Kind::integer)  ? std::to_string(item.as_integer())
                                  : item.is(Value::Kind::string) ? item.text()
                                                                 : std::string("?");
                }
                break;
            default:
                add_type_fault(value, path, "a text, a number, true or false, or an array", faults_);
                return std::nullopt;
        }
        if (name == file_field) {
            if (value.is(Value::Kind::string) && !taken.text.empty()) return taken;
            add_type_fault(value, path, "the path of a problem file", faults_);
            return std::nullopt;
        }
        if (find_option(name)->kind == OptionKind::flag && !value.is(Value::Kind::boolean)) {
            add_type_fault(value, path, "true or false", faults_);
            return std::nullopt;
        }
        OptionValues values;
        if (const std::optional<Fault> fault = values.set(name, taken.text)) {
            faults_.add(FaultCode::range, path, fault->message);
            return std::nullopt;
        }
        return taken;
    }

    void read_base(const Value& base) {
        for (std::size_t k = 0; k < base.items().size(); ++k) {
            const std::string& name = base.names()[k];
            const std::string path = "base." + name;
            if (name.rfind("x_", 0) == 0 || !known(name, path)) continue;
            Sweep::Field field{name, {}};
            take(field, base.items()[k], path);
            if (!field.values.empty()) sweep_.fields_.push_back(std::move(field));
        }
    }

    void read_vary(const Value& vary) {
        for (std::size_t k = 0; k < vary.items().size(); ++k) {
            const std::string& name = vary.names()[k];
            const std::string path = "vary." + name;
            if (name.rfind("x_", 0) == 0 || !known(name, path)) continue;
            if (find_field(name) != nullptr) {
                faults_.add(FaultCode::duplicate, path, "stands in `base` as well");
                continue;
            }
            Sweep::Field field{name, {}};
            const Value& values = vary.items()[k];
            if (values.is(Value::Kind::array)) {
                read_list(field, values, path);
            } else if (values.is(Value::Kind::object)) {
                read_range(field, values, path);
            } else {
                add_type_fault(values, path, "an array of values, or an object with from, to and step", faults_);
            }
            if (!field.values.empty()) sweep_.fields_.push_back(std::move(field));
        }
    }

    void read_list(Sweep::Field& field, const Value& values, const std::string& path) {
        const auto count = static_cast<std::int64_t>(values.items().size());
        if (count == 0) faults_.add(FaultCode::missing, path, "no values; expected at least one");
        if (count > most_values_of_a_field) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_values_of_a_field) + " values");
            return;
        }
        for (std::size_t k = 0; k < values.items().size(); ++k) {
            take(field, values.items()[k], path + '[' + std::to_string(k) + ']');
        }
    }

    void read_range(Sweep::Field& field, const Value& object, const std::string& path) {
        Fields range(object, path, faults_);
        const auto from = range.integer("from", -largest_number, largest_number, true);
        const auto to = range.integer("to", -largest_number, largest_number, true);
        const auto step = range.integer("step", 1, largest_number, false);
        range.finish();
        if (!from || !to) return;
        if (*to < *from) {
            faults_.add(FaultCode::range, path + ".to", "expected at least `from`, " + std::to_string(*from));
            return;
        }
        const std::int64_t stride = step.value_or(1);
        if ((*to - *from) / stride >= most_values_of_a_field) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_values_of_a_field) + " values");
            return;
        }
        for (std::int64_t value = *from; value <= *to; value += stride) {
            const std::size_t before = faults_.count();
            take(field, Value::integer(value), path);
            if (faults_.count() > before) return;  // the others would say the same
        }
    }

    const Sweep::Field* find_field(const std::string& name) const {
        for (const Sweep::Field& field : sweep_.fields_) {
            if (field.name == name) return &field;
        }
        return nullptr;
    }

    // A rule leaves out what has one of the named values in every field that it names.
    struct Rule {
        std::vector<std::vector<bool>> out;  // by field: by value; empty: the field does not matter
    };

    void read_exclude() {
        const Value* rules = fields_.array("exclude", false);
        if (!rules) return;
        if (rules->items().size() > static_cast<std::size_t>(most_rules)) {
            faults_.add(FaultCode::limit, "exclude", "more than " + std::to_string(most_rules) + " rules");
            return;
        }
        for (std::size_t k = 0; k < rules->items().size(); ++k) {
            const std::string path = "exclude[" + std::to_string(k) + ']';
            const Value& object = rules->items()[k];
            if (!object.is(Value::Kind::object) || object.items().empty()) {
                add_type_fault(object, path, "an object that names at least one field", faults_);
                continue;
            }
            Rule rule;
            rule.out.resize(sweep_.fields_.size());
            for (std::size_t m = 0; m < object.items().size(); ++m) {
                read_condition(rule, object.names()[m], object.items()[m], path + '.' + object.names()[m]);
            }
            rules_.push_back(std::move(rule));
        }
    }

    void read_condition(Rule& rule, const std::string& name, const Value& value, const std::string& path) {
        if (!known(name, path)) return;
        std::size_t at = 0;
        while (at < sweep_.fields_.size() && sweep_.fields_[at].name != name) ++at;
        if (at == sweep_.fields_.size()) {
            faults_.add(FaultCode::reference, path, "is not set by this sweep, so nothing can be left out by it");
            return;
        }
        const Sweep::Field& field = sweep_.fields_[at];
        std::vector<bool>& out = rule.out[at];
        out.assign(field.values.size(), false);
        const bool list = value.is(Value::Kind::array);
        const std::size_t count = list ? value.items().size() : 1;
        for (std::size_t k = 0; k < count; ++k) {
            const std::string where = list ? path + '[' + std::to_string(k) + ']' : path;
            const auto wanted = text_of(name, list ? value.items()[k] : value, where);
            if (!wanted) continue;
            bool found = false;
            for (std::size_t v = 0; v < field.values.size(); ++v) {
                if (field.values[v].text != wanted->text) continue;
                out[v] = true;
                found = true;
            }
            if (!found) {
                faults_.add(
                    FaultCode::reference, where,
                    describe(list ? value.items()[k] : value) + " is no value of this field, so nothing is left out");
            }
        }
    }

    bool left_out(const std::vector<std::size_t>& digits) const {
        for (const Rule& rule : rules_) {
            bool all = true;
            for (std::size_t f = 0; f < digits.size() && all; ++f) {
                all = rule.out[f].empty() || rule.out[f][digits[f]];
            }
            if (all) return true;
        }
        return false;
    }

    void multiply() {
        std::int64_t product = 1;
        for (const Sweep::Field& field : sweep_.fields_) {
            product *= static_cast<std::int64_t>(field.values.size());  // both factors are at most 10^6
            if (product <= most_combinations) continue;
            faults_.add(FaultCode::limit, "vary",
                        "more than " + std::to_string(most_combinations) + " combinations, the most that is accepted");
            return;
        }
        for (std::int64_t number = 0; number < product; ++number) {
            if (rules_.empty() || !left_out(sweep_.digits(number))) sweep_.kept_.push_back(number);
        }
        if (sweep_.kept_.empty()) {
            faults_.add(FaultCode::usage, "exclude", "leaves out all combinations");
        }
    }

    static constexpr std::int64_t most_values_of_a_field = most_combinations;
    static constexpr std::int64_t most_rules = 1000;
    Fields& fields_;
    FaultList& faults_;
    Sweep sweep_;
    std::vector<Rule> rules_;
};

std::vector<std::size_t> Sweep::digits(std::int64_t number) const {
    std::vector<std::size_t> digits(fields_.size());
    for (std::size_t f = fields_.size(); f-- > 0;) {
        const auto radix = static_cast<std::int64_t>(fields_[f].values.size());
        digits[f] = static_cast<std::size_t>(number % radix);
        number /= radix;
    }
    return digits;
}

SweepCombination Sweep::at(std::int64_t index) const {
    const std::vector<std::size_t> chosen = digits(kept_[static_cast<std::size_t>(index)]);
    SweepCombination combination;
    std::vector<std::string> members;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
        const FieldValue& value = fields_[f].values[chosen[f]];
        std::string member;
        append_json_string(member, fields_[f].name);
        members.push_back(member + ": " + value.json);
        if (fields_[f].name == file_field) {
            combination.file = value.text;
        } else {
            combination.values.set(fields_[f].name, value.text);  // passed its checks when it was read
        }
    }
    for (const std::string& member : members) combination.inputs += (combination.inputs.empty() ? "{" : ", ") + member;
    combination.inputs += '}';
    std::sort(members.begin(), members.end());
    std::string canonical;
    for (const std::string& member : members) canonical += member + '\n';
    combination.id = hexadecimal(hash_of(canonical));
    return combination;
}

std::vector<std::string> Sweep::varied() const {
    std::vector<std::string> names;
    for (const Field& field : fields_) {
        if (field.values.size() > 1) names.push_back(field.name);
    }
    return names;
}

Result<Sweep> read_sweep(std::string_view text) {
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    Fields fields(root, "", faults);
    if (!read_format(fields, "repetend.sweep", false, faults)) return faults.take();
    fields.string("name", false);
    fields.optional("exclude");
    Sweep sweep = SweepReader(fields, faults).run();
    fields.finish();
    if (!faults.empty()) return faults.take();
    return sweep;
}

}  // namespace repetend
