// A problem from its JSON document (`repetend.problem`, version 1).
// Values that cannot be read are replaced by harmless ones so that `validate` can go on to the rest of the
// document; what it then says about a place that already has a fault is left out.
#include <climits>
#include <map>

#include "fields.hpp"
#include "repetend/format/json.hpp"

namespace repetend::format {
namespace {

std::string element(const std::string& path, std::size_t index) { return path + '[' + std::to_string(index) + ']'; }

// One of the names of an enumeration, with the nearest one for a slip of the pen.
template <class Kind>
std::optional<Kind> read_kind(Fields& fields, std::optional<Kind> (*from)(std::string_view),
                              const std::vector<std::string>& names, FaultList& faults) {
    const std::optional<std::string> text = fields.string("kind", false);
    if (!text) return std::nullopt;
    const std::optional<Kind> kind = from(*text);
    if (kind) return kind;
    std::string words = "unknown kind " + in_quotes(*text);
    if (const std::string near = nearest_name(*text, names); !near.empty()) {
        words += "; did you mean " + in_quotes(near) + "?";
    } else {
        words += "; expected";
        for (std::size_t i = 0; i < names.size(); ++i) {
            words += (i == 0 ? " " : i + 1 == names.size() ? " or " : ", ") + names[i];
        }
    }
    faults.add(FaultCode::unknown, fields.path_of("kind"), words);
    return std::nullopt;
}

bool refuse_long(const Value& array, const std::string& path, std::int64_t most, FaultList& faults) {
    if (array.items().size() <= static_cast<std::size_t>(most)) return false;
    faults.add(FaultCode::limit, path,
               std::to_string(array.items().size()) + " entries are more than this program accepts (" +
                   std::to_string(most) + ")");
    return true;
}

class ProblemReader {
public:
    ProblemReader(Fields& fields, FaultList& faults) : fields_(fields), faults_(faults) {}

    Problem run() {
        problem_.name = fields_.string("name", false).value_or("");
        problem_.time_unit = fields_.string("time_unit", false).value_or("");
        problem_.memory_unit = fields_.string("memory_unit", false).value_or("");
        // Blocks need the number of devices in their messages, dependencies the names of the blocks.
        each("devices", most_devices, [&](const Value& value, const std::string& path) { read_device(value, path); });
        each("blocks", most_blocks, [&](const Value& value, const std::string& path) { read_block(value, path); });
        for (std::size_t b = 0; b < problem_.blocks.size(); ++b) numbers_.try_emplace(problem_.blocks[b].name, b);
        each("dependencies", most_dependencies,
             [&](const Value& value, const std::string& path) { read_dependency(value, path); });
        problem_.micro_batches = fields_.integer("micro_batches", 1, most_micro_batches, false);
        return std::move(problem_);
    }

private:
    template <class Read>
    void each(const char* name, std::int64_t most, Read read) {
        const Value* array = fields_.array(name, true);
        const std::string path = fields_.path_of(name);
        if (!array || refuse_long(*array, path, most, faults_)) return;
        for (std::size_t i = 0; i < array->items().size(); ++i) read(array->items()[i], element(path, i));
    }

    void read_device(const Value& value, const std::string& path) {
        Fields fields(value, path, faults_);
        Device device;
        device.name = fields.string("name", false).value_or("");
        device.kind = read_kind(fields, device_kind_from, {"compute", "link"}, faults_).value_or(DeviceKind::compute);
        if (const Value* capacity = fields.optional("memory_capacity"); capacity && !capacity->is(Value::Kind::null)) {
            device.memory_capacity =
                read_integer(*capacity, fields.path_of("memory_capacity"), -largest_number, largest_number, faults_);
        }
        device.memory_static = fields.integer("memory_static", -largest_number, largest_number, false).value_or(0);
        device.extra = fields.finish();
        problem_.devices.push_back(std::move(device));
    }

    void read_block(const Value& value, const std::string& path) {
        static const std::vector<std::string> kinds = {"forward",         "backward", "input_gradient",
                                                       "weight_gradient", "transfer", "other"};
        Fields fields(value, path, faults_);
        Block block;
        const std::optional<std::string> name = fields.string("name", true);
        if (!name) names_complete_ = false;
        block.name = name.value_or("");
        block.kind = read_kind(fields, block_kind_from, kinds, faults_).value_or(BlockKind::other);
        block.stage = fields.integer("stage", -largest_number, largest_number, false);
        if (const Value* devices = fields.array("devices", true)) {
            const std::string at = fields.path_of("devices");
            if (!refuse_long(*devices, at, most_devices, faults_)) {
                for (std::size_t k = 0; k < devices->items().size(); ++k) {
                    block.devices.push_back(read_device_number(devices->items()[k], element(at, k)));
                }
            }
        }
        block.time = fields.integer("time", 1, largest_number, true).value_or(1);
        block.memory = read_amounts(fields, "memory", -largest_number, block.devices.size());
        block.transient = read_amounts(fields, "transient", 0, block.devices.size());
        block.extra = fields.finish();
        problem_.blocks.push_back(std::move(block));
    }

    int read_device_number(const Value& value, const std::string& path) {
        const bool whole = value.is(Value::Kind::integer);
        if (whole && value.as_integer() >= INT_MIN && value.as_integer() <= INT_MAX) {
            return static_cast<int>(value.as_integer());
        }
        if (whole) {
            faults_.add(FaultCode::reference, path,
                        "device " + describe(value) + " does not exist (there are " +
                            std::to_string(problem_.devices.size()) + ")");
        } else {
            read_integer(value, path, 0, most_devices - 1, faults_);
        }
        return -1;
    }

    // One amount for each device; a scalar counts on every device.
    std::vector<Memory> read_amounts(Fields& fields, const char* name, Memory least, std::size_t devices) {
        const Value* value = fields.optional(name);
        const std::string path = fields.path_of(name);
        if (!value) return std::vector<Memory>(devices, 0);
        if (!value->is(Value::Kind::array)) {
            if (!value->is(Value::Kind::integer) && !value->is(Value::Kind::number)) {
                add_type_fault(*value, path, "an integer or an array of integers", faults_);
                return std::vector<Memory>(devices, 0);
            }
            return std::vector<Memory>(devices, read_integer(*value, path, least, largest_number, faults_).value_or(0));
        }
        // Without a list of devices there is nothing that the amounts could be parallel to.
        if (devices == 0 || refuse_long(*value, path, most_devices, faults_)) return std::vector<Memory>(devices, 0);
        std::vector<Memory> amounts;
        for (std::size_t k = 0; k < value->items().size(); ++k) {
            amounts.push_back(
                read_integer(value->items()[k], element(path, k), least, largest_number, faults_).value_or(0));
        }
        return amounts;
    }

    void read_dependency(const Value& value, const std::string& path) {
        Fields fields(value, path, faults_);
        Dependency dependency;
        dependency.from = read_block_name(fields, "from");
        dependency.to = read_block_name(fields, "to");
        dependency.lag = fields.integer("lag", 0, largest_number, false).value_or(0);
        dependency.extra = fields.finish();
        problem_.dependencies.push_back(std::move(dependency));
    }

    int read_block_name(Fields& fields, const char* end) {
        const std::optional<std::string> name = fields.string(end, true);
        if (!name) return -1;
        if (const auto found = numbers_.find(*name); found != numbers_.end()) return static_cast<int>(found->second);
        // With a block whose own name could not be read nobody can tell.
        if (names_complete_) faults_.add(FaultCode::reference, fields.path_of(end), unknown_block(*name));
        return -1;
    }

    std::string unknown_block(const std::string& name) {
        if (all_names_.empty()) {
            for (const Block& block : problem_.blocks) all_names_.push_back(block.name);
        }
        const std::string near = faults_.full() ? "" : nearest_name(name, all_names_);
        return "block " + in_quotes(name) + " does not exist" +
               (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?");
    }

    Fields& fields_;
    FaultList& faults_;
    Problem problem_;
    std::map<std::string, std::size_t> numbers_;
    std::vector<std::string> all_names_;
    bool names_complete_ = true;
};

bool is_dependency_end(const std::string& path) {
    return path.substr(0, 13) == "dependencies[" &&
           (path.find("].from") != std::string::npos || path.find("].to") != std::string::npos);
}

}  // namespace

Problem read_problem_fields(Fields& fields, bool nested, FaultList& faults) {
    if (!read_format(fields, "repetend.problem", nested, faults)) return {};
    Problem problem = ProblemReader(fields, faults).run();
    problem.extra = fields.finish();
    if (faults.full()) return problem;
    for (const Fault& fault : validate(problem)) {
        // The ends of dependencies were resolved above, with names instead of numbers.
        if (is_dependency_end(fault.path)) continue;
        const std::string path = fields.path_of(fault.path);
        if (!faults.has_at_or_above(path)) faults.add(fault.code, path, fault.message);
    }
    return problem;
}

}  // namespace repetend::format

namespace repetend {

Result<Problem> read_problem(std::string_view text) {
    using namespace format;
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    Fields fields(root, "", faults);
    Problem problem = read_problem_fields(fields, false, faults);
    if (!faults.empty()) return faults.take();
    return problem;
}

}  // namespace repetend
