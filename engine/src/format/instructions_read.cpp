// Instruction lists, read. Instructions are many: they are taken one by one while the text is parsed, with the names of
// their blocks numbered as they come, because the problem may stand after them.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "fields.hpp"
#include "repetend/format/instructions.hpp"

namespace repetend {
namespace {

using namespace format;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// An instruction before its names are known.
struct Instruction {
    ActionKind kind = ActionKind::compute;
    int name = -1;
    int other = -1;  // send, receive: the device at the other end
    std::int64_t micro_batch = 0;
};

struct DeviceList {
    std::vector<Instruction> instructions;
    std::vector<BufferUse> buffers;
};

class Reader {
public:
    explicit Reader(FaultList& faults) : faults_(faults), lists_(at(most_devices)) {}

    // One element of `devices[k].instructions`.
    bool take(const std::string& array, std::int64_t index, const Value& element) {
        const std::size_t slot = list_number(array);
        DeviceList& list = lists_[slot];
        if (++count_ > 4 * most_operations) {
            faults_.add(FaultCode::limit, array, "too many instructions");
            return false;
        }
        Fields fields(element, array + '[' + std::to_string(index) + ']', faults_);
        Instruction instruction;
        BufferUse use;
        const std::string kind = fields.string("do", true).value_or("");
        instruction.micro_batch = fields.integer("micro_batch", 0, most_micro_batches - 1, true).value_or(0);
        if (kind == "compute") {
            instruction.name = name_of(fields, "block");
            if (const Value* reads = fields.array("reads", true)) {
                for (std::size_t k = 0; k < reads->items().size(); ++k) {
                    use.read.push_back(static_cast<int>(
                        read_integer(reads->items()[k], fields.path_of("reads") + '[' + std::to_string(k) + ']', 0,
                                     most_buffers, faults_)
                            .value_or(0)));
                }
            }
            const Value* writes = fields.required("writes", "a buffer or null");
            if (writes && !writes->is(Value::Kind::null)) {
                use.written = static_cast<int>(
                    read_integer(*writes, fields.path_of("writes"), 0, most_buffers, faults_).value_or(0));
            }
        } else if (kind == "send" || kind == "receive") {
            const bool sends = kind == "send";
            instruction.kind = sends ? ActionKind::send : ActionKind::receive;
            instruction.name = name_of(fields, "data");
            instruction.other =
                static_cast<int>(fields.integer(sends ? "to" : "from", 0, most_devices - 1, true).value_or(0));
            if (sends) fields.array("over", false);
            const int buffer = static_cast<int>(fields.integer("buffer", 0, most_buffers, true).value_or(0));
            if (sends) {
                use.read.push_back(buffer);
            } else {
                use.written = buffer;
            }
        } else if (fields.is_object()) {
            faults_.add(FaultCode::unknown, fields.path_of("do"),
                        "unknown instruction " + in_quotes(kind) + "; expected compute, send or receive");
            return !faults_.full();
        }
        fields.finish();
        list.instructions.push_back(instruction);
        list.buffers.push_back(std::move(use));
        return !faults_.full();
    }

    OrderedPlan finish(const Value& root, const Problem* given) {
        OrderedPlan plan;
        Fields fields(root, "", faults_);
        if (!read_format(fields, "repetend.instructions", false, faults_)) return plan;
        if (const Value* problem = fields.required("problem", "a problem object")) {
            Fields parts(*problem, "problem", faults_);
            plan.problem = read_problem_fields(parts, true, faults_);
        }
        if (given) plan.problem = *given;
        plan.program.micro_batches = fields.integer("micro_batches", 1, most_micro_batches, true).value_or(1);
        const Value* devices = fields.array("devices", true);
        fields.finish();
        if (!faults_.empty() || !devices) return plan;
        plan.program.routes = find_routes(plan.problem);
        plan.program.devices.resize(plan.problem.devices.size());
        number_blocks(plan.problem);
        for (std::size_t k = 0; k < devices->items().size() && faults_.empty(); ++k)
            read_device(devices->items()[k], k, plan);
        return plan;
    }

private:
    static constexpr std::int64_t most_buffers = 1 << 30;

    // The number in `devices[7].instructions`.
    static std::size_t list_number(const std::string& array) {
        std::size_t number = 0;
        for (std::size_t k = array.find('[') + 1; array[k] != ']'; ++k) number = number * 10 + at(array[k] - '0');
        return number;
    }

    int name_of(Fields& fields, const char* member) {
        const std::optional<std::string> name = fields.string(member, true);
        if (!name) return -1;
        if (const auto found = numbers_.find(*name); found != numbers_.end()) return found->second;
        if (names_.size() >= at(most_blocks)) {
            faults_.add(FaultCode::limit, fields.path_of(member),
                        "more than " + std::to_string(most_blocks) + " different blocks are named");
            return -1;
        }
        names_.push_back(*name);
        return numbers_.emplace(*name, static_cast<int>(names_.size()) - 1).first->second;
    }

    void number_blocks(const Problem& problem) {
        std::unordered_map<std::string, int> index;
        std::vector<std::string> known;
        for (int b = 0; b < problem.num_blocks(); ++b) {
            known.push_back(problem.blocks[at(b)].name);
            index.emplace(known.back(), b);
        }
        for (const std::string& name : names_) {
            const auto found = index.find(name);
            block_of_.push_back(found == index.end() ? -1 : found->second);
            if (found != index.end()) continue;
            const std::string near = faults_.full() ? "" : nearest_name(name, known);
            faults_.add(FaultCode::reference, "devices",
                        "block " + in_quotes(name) + " does not exist" +
                            (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
        }
    }

    void read_device(const Value& value, std::size_t k, OrderedPlan& plan) {
        Fields fields(value, "devices[" + std::to_string(k) + ']', faults_);
        const auto device = fields.integer("device", 0, plan.problem.num_devices() - 1, true);
        fields.array("buffers", false);
        fields.array("instructions", true);
        fields.finish();
        if (!device || !faults_.empty()) return;
        if (plan.problem.devices[at(*device)].kind == DeviceKind::link) {
            faults_.add(FaultCode::reference, fields.path_of("device"),
                        "device " + std::to_string(*device) + " is a link; links follow no instructions");
            return;
        }
        std::vector<Action>& list = plan.program.devices[at(*device)];
        if (!list.empty()) {
            faults_.add(FaultCode::duplicate, fields.path_of("device"), "the device is listed twice");
            return;
        }
        const DeviceList& read = lists_[k];
        for (std::size_t i = 0; i < read.instructions.size() && faults_.empty(); ++i) {
            const Instruction& instruction = read.instructions[i];
            const int block = block_of_[at(instruction.name)];
            const std::string path = fields.path_of("instructions") + '[' + std::to_string(i) + ']';
            const int route = instruction.kind == ActionKind::compute
                                  ? block
                                  : route_of(plan, block, instruction, static_cast<int>(*device), path);
            list.push_back({instruction.kind, route, instruction.micro_batch});
        }
        if (faults_.empty() && plan.obstacle.empty())
            plan.obstacle = find_buffer_fault(plan.problem, plan.program, static_cast<int>(*device), read.buffers);
    }

    int route_of(const OrderedPlan& plan, int block, const Instruction& instruction, int device,
                 const std::string& path) {
        const bool sends = instruction.kind == ActionKind::send;
        const int sender = sends ? device : instruction.other, receiver = sends ? instruction.other : device;
        const auto& routes = plan.program.routes;
        const auto found = std::lower_bound(routes.begin(), routes.end(), std::pair(block, receiver),
                                            [](const Route& route, const std::pair<int, int>& key) {
                                                return std::pair(route.from, route.receiver) < key;
                                            });
        if (found != routes.end() && found->from == block && found->receiver == receiver && found->sender == sender)
            return static_cast<int>(found - routes.begin());
        faults_.add(FaultCode::reference, path,
                    "no data of " + in_quotes(plan.problem.blocks[at(block)].name) + " go from device " +
                        std::to_string(sender) + " to device " + std::to_string(receiver) + " in this problem");
        return 0;
    }

    FaultList& faults_;
    std::vector<DeviceList> lists_;  // by place in `devices`
    std::int64_t count_ = 0;
    std::unordered_map<std::string, int> numbers_;
    std::vector<std::string> names_;
    std::vector<int> block_of_;  // by name
};

}  // namespace

Result<OrderedPlan> read_instructions(std::string_view text, const Problem* problem) {
    FaultList faults;
    Reader reader(faults);
    StreamedArray stream;
    for (std::int64_t k = 0; k < most_devices; ++k)
        stream.paths.push_back("devices[" + std::to_string(k) + "].instructions");
    stream.sink = [&](const std::string& array, std::int64_t index, const Value& element) {
        return reader.take(array, index, element);
    };
    Value root;
    if (!parse_json(text, root, faults, &stream)) return faults.take();
    OrderedPlan plan = reader.finish(root, problem);
    if (!faults.empty()) return faults.take();
    return plan;
}

}  // namespace repetend
