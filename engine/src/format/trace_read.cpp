// Our own traces, read. A slice is an operation when its `args` say which block and micro-batch it is and when it
// starts, in ticks; blocks on several devices have one slice on each of them, which must agree. Everything else in the
// file (names, arrows, memory) can be made again and is passed over.
#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "fields.hpp"
#include "repetend/format/trace.hpp"

namespace repetend {
namespace {

using namespace format;

class Reader {
public:
    explicit Reader(FaultList& faults) : faults_(faults) {}

    bool take(std::int64_t index, const Value& event) {
        const Value* phase = event.find("ph");
        const Value* args = event.find("args");
        if (!phase || !phase->is(Value::Kind::string) || phase->text() != "X" || !args || !args->find("block"))
            return true;
        const std::string path = "traceEvents[" + std::to_string(index) + "].args";
        Fields fields(*args, path, faults_);
        const auto block = fields.string("block", true);
        const auto micro_batch = fields.integer("micro_batch", 0, most_micro_batches - 1, true);
        const auto start = fields.integer("start", -largest_number, largest_number, true);
        if (!block || !micro_batch || !start) return !faults_.full();
        if (static_cast<std::int64_t>(operations_.size()) >= most_operations) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_operations) + " operations");
            return false;
        }
        const auto [place, fresh] = numbers_.try_emplace(*block, static_cast<int>(names_.size()));
        if (fresh) names_.push_back(*block);
        if (names_.size() > static_cast<std::size_t>(most_blocks)) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_blocks) + " different blocks");
            return false;
        }
        operations_.push_back({place->second, *micro_batch, *start});
        return true;
    }

    ProblemSchedule finish(const Value& root, const Problem* given) {
        ProblemSchedule result;
        const Value* other = root.find("otherData");
        if (operations_.empty()) {
            faults_.add(FaultCode::missing, "traceEvents",
                        "no slice says which block it is (args: block, micro_batch, start); only traces written by "
                        "this program can be read");
            return result;
        }
        std::int64_t micro_batches = 0;
        for (const Operation& operation : operations_)
            micro_batches = std::max(micro_batches, operation.micro_batch + 1);
        result.schedule.micro_batches = micro_batches;
        if (other && other->is(Value::Kind::object)) read_other(*other, given == nullptr, result);
        if (given) {
            result.problem = *given;
        } else if (!other || !other->find("problem")) {
            faults_.add(FaultCode::missing, "otherData.problem", "missing; expected a problem object");
        }
        if (faults_.empty()) resolve(result);
        return result;
    }

private:
    void read_other(const Value& other, bool with_problem, ProblemSchedule& result) {
        Fields fields(other, "otherData", faults_);
        const Value* problem = fields.optional("problem");
        if (problem && with_problem) {
            Fields problem_fields(*problem, "otherData.problem", faults_);
            result.problem = read_problem_fields(problem_fields, true, faults_);
        }
        if (const auto count = fields.integer("micro_batches", 1, most_micro_batches, false))
            result.schedule.micro_batches = std::max(*count, result.schedule.micro_batches);
        if (const Value* mark = fields.optional("repetend")) {
            Fields parts(*mark, "otherData.repetend", faults_);
            RepetendMark read;
            read.period = parts.integer("period", 1, largest_number, true).value_or(1);
            read.copies = static_cast<int>(parts.integer("copies", 1, 1 << 30, true).value_or(1));
            read.begin = parts.integer("begin", -largest_number, largest_number, true).value_or(0);
            read.repeats = parts.integer("repeats", 1, largest_number, true).value_or(1);
            result.schedule.repetend = read;
        }
    }

    void resolve(ProblemSchedule& result) {
        std::unordered_map<std::string, int> index;
        std::vector<std::string> known;
        for (int b = 0; b < result.problem.num_blocks(); ++b) {
            known.push_back(result.problem.blocks[static_cast<std::size_t>(b)].name);
            index.emplace(known.back(), b);
        }
        std::vector<int> block_of;
        for (const std::string& name : names_) {
            const auto found = index.find(name);
            block_of.push_back(found == index.end() ? -1 : found->second);
            if (found != index.end()) continue;
            const std::string near = faults_.full() ? "" : nearest_name(name, known);
            faults_.add(FaultCode::reference, "traceEvents",
                        "block " + in_quotes(name) + " does not exist" +
                            (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
        }
        if (!faults_.empty()) return;
        auto& operations = result.schedule.operations;
        operations = std::move(operations_);
        for (Operation& operation : operations) operation.block = block_of[static_cast<std::size_t>(operation.block)];
        sort_operations(result.schedule);
        join_gangs(result);
    }

    // Equal slices of a block on several devices are one operation.
    void join_gangs(ProblemSchedule& result) {
        auto& operations = result.schedule.operations;
        std::vector<Operation> joined;
        for (std::size_t k = 0; k < operations.size();) {
            std::size_t same = k;
            while (same < operations.size() && operations[same] == operations[k]) ++same;
            const Block& block = result.problem.blocks[static_cast<std::size_t>(operations[k].block)];
            // Slices too many or too few are left for the checker of schedules to name.
            const std::size_t devices = block.devices.size();
            for (std::size_t copies = (same - k + devices - 1) / devices; copies > 0; --copies)
                joined.push_back(operations[k]);
            k = same;
        }
        operations = std::move(joined);
    }

    FaultList& faults_;
    std::vector<Operation> operations_;
    std::unordered_map<std::string, int> numbers_;
    std::vector<std::string> names_;
};

}  // namespace

Result<ProblemSchedule> read_trace(std::string_view text, const Problem* problem) {
    FaultList faults;
    Reader reader(faults);
    StreamedArray stream;
    stream.paths = {"traceEvents"};
    stream.sink = [&](const std::string&, std::int64_t index, const Value& event) { return reader.take(index, event); };
    Value root;
    if (!parse_json(text, root, faults, &stream)) return faults.take();
    ProblemSchedule result;
    if (root.is(Value::Kind::object)) {
        result = reader.finish(root, problem);
    } else {
        add_type_fault(root, "", "an object with traceEvents", faults);
    }
    if (!faults.empty()) return faults.take();
    return result;
}

}  // namespace repetend
