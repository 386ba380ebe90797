// A schedule from its JSON document (`repetend.schedule`, version 1), or out of a `repetend.result`, which
// holds one. Operations are many (up to most_operations): they are read one by one while the text is
// parsed, never kept as a tree, and their block names are numbered as they come, because the problem may
// stand after them. Whether the operations make a valid schedule is the verifier's business.
#include <algorithm>
#include <climits>
#include <unordered_map>
#include <utility>

#include "fields.hpp"
#include "repetend/format/json.hpp"

namespace repetend {
namespace {

using namespace format;

// What a result holds beside its schedule.
constexpr const char* result_fields[] = {
    "status",           "stop",        "period",   "copies",   "period_lower_bound",
    "period_optimal",   "certificate", "makespan", "bubble",   "makespan_lower_bound",
    "makespan_optimal", "peak_memory", "search",   "schedule", "reason",
    "copies_note",      "throughput"};

class ScheduleReader {
public:
    explicit ScheduleReader(FaultList& faults) : faults_(faults) {}

    // Takes one element of `operations`; its block holds a number of `names_` for now.
    bool take_operation(const std::string& array, std::int64_t index, const Value& element) {
        if (index >= most_operations) {
            faults_.add(
                FaultCode::limit, array,
                "more than " + std::to_string(most_operations) + " operations are more than this program accepts");
            return false;
        }
        // The usual case without any bookkeeping: three members in the usual order.
        const Value* block = element.find("block");
        const Value* micro_batch = element.find("micro_batch");
        const Value* start = element.find("start");
        if (block && micro_batch && start && element.names().size() == 3 && block->is(Value::Kind::string) &&
            in_range(*micro_batch, 0, most_micro_batches) && in_range(*start, -largest_number, largest_number)) {
            return keep(number_of(array, block->text()), micro_batch->as_integer(), start->as_integer());
        }
        Fields fields(element, array + '[' + std::to_string(index) + ']', faults_);
        const std::optional<std::string> name = fields.string("block", true);
        const std::int64_t m = fields.integer("micro_batch", 0, most_micro_batches, true).value_or(0);
        const std::int64_t s = fields.integer("start", -largest_number, largest_number, true).value_or(0);
        ExtraFields extra = fields.finish();
        const int number = name ? number_of(array, *name) : -1;
        if (!extra.empty() && number >= 0) extras_.push_back({number, m, std::move(extra)});
        return keep(number, m, s);
    }

    ProblemSchedule finish(Fields& fields) {
        ProblemSchedule result;
        const std::size_t faults_before = faults_.count();
        bool problem_read = false;
        if (const Value* problem = fields.required("problem", "a problem object")) {
            Fields problem_fields(*problem, fields.path_of("problem"), faults_);
            result.problem = read_problem_fields(problem_fields, true, faults_);
            problem_read = faults_.count() == faults_before;
        }
        const std::optional<std::int64_t> micro_batches = fields.integer("micro_batches", 1, most_micro_batches, true);
        result.schedule.micro_batches = micro_batches.value_or(0);
        fields.array("operations", true);
        if (const Value* mark = fields.optional("repetend"); mark && !mark->is(Value::Kind::null)) {
            result.schedule.repetend = read_mark(*mark, fields.path_of("repetend"));
        }
        result.schedule.repetend_extra = std::move(mark_extra_);
        result.schedule.extra = fields.finish();
        if (problem_read) resolve_blocks(result.problem, fields.path_of("operations"));
        if (micro_batches) check_micro_batches(*micro_batches, fields.path_of("operations"));
        if (!faults_.empty()) return result;
        result.schedule.operations = std::move(operations_);
        result.schedule.operation_extra = sorted_extras();
        sort_operations(result.schedule);
        return result;
    }

private:
    static bool in_range(const Value& value, std::int64_t least, std::int64_t most) {
        return value.is(Value::Kind::integer) && value.as_integer() >= least && value.as_integer() <= most;
    }

    bool keep(int block, std::int64_t micro_batch, std::int64_t start) {
        operations_.push_back({block, micro_batch, start});
        return true;
    }

    // Number of a name in order of appearance; -1 (with one fault) for more names than a problem can have.
    int number_of(const std::string& array, const std::string& name) {
        if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
        if (names_.size() >= static_cast<std::size_t>(most_blocks)) {
            if (!too_many_names_) {
                faults_.add(FaultCode::limit, array,
                            "more than " + std::to_string(most_blocks) + " different blocks are named");
            }
            too_many_names_ = true;
            return -1;
        }
        names_.push_back(name);
        return numbers_.emplace(name, static_cast<int>(names_.size()) - 1).first->second;
    }

    void resolve_blocks(const Problem& problem, const std::string& path) {
        std::unordered_map<std::string, int> index;
        std::vector<std::string> known;
        for (int b = 0; b < problem.num_blocks(); ++b) {
            known.push_back(problem.blocks[b].name);
            index.emplace(known.back(), b);
        }
        std::vector<int> block_of(names_.size(), -1);
        for (std::size_t k = 0; k < names_.size(); ++k) {
            if (const auto found = index.find(names_[k]); found != index.end()) block_of[k] = found->second;
        }
        for (OperationExtra& extra : extras_) extra.block = block_of[static_cast<std::size_t>(extra.block)];
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            int& block = operations_[i].block;
            if (block < 0) continue;
            const std::string& name = names_[static_cast<std::size_t>(block)];
            block = block_of[static_cast<std::size_t>(block)];
            if (block >= 0) continue;
            const std::string near = faults_.full() ? "" : nearest_name(name, known);
            faults_.add(FaultCode::reference, path + '[' + std::to_string(i) + "].block",
                        "block " + in_quotes(name) + " does not exist" +
                            (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
        }
    }

    void check_micro_batches(std::int64_t count, const std::string& path) {
        for (std::size_t i = 0; i < operations_.size(); ++i) {
            const std::int64_t found = operations_[i].micro_batch;
            if (found < count) continue;
            faults_.add(
                FaultCode::range, path + '[' + std::to_string(i) + "].micro_batch",
                "expected an integer from 0 to " + std::to_string(count - 1) + ", found " + std::to_string(found));
        }
    }

    // In order; of an operation that is there twice (the checker will say so) only the first.
    std::vector<OperationExtra> sorted_extras() {
        const auto key = [](const OperationExtra& extra) { return std::pair(extra.micro_batch, extra.block); };
        std::stable_sort(extras_.begin(), extras_.end(),
                         [&](const OperationExtra& a, const OperationExtra& b) { return key(a) < key(b); });
        extras_.erase(std::unique(extras_.begin(), extras_.end(),
                                  [&](const OperationExtra& a, const OperationExtra& b) { return key(a) == key(b); }),
                      extras_.end());
        return std::move(extras_);
    }

    RepetendMark read_mark(const Value& value, const std::string& path) {
        Fields fields(value, path, faults_);
        RepetendMark mark;
        mark.period = fields.integer("period", 1, largest_number, true).value_or(1);
        mark.copies = static_cast<int>(fields.integer("copies", 1, INT_MAX, true).value_or(1));
        mark.begin = fields.integer("begin", -largest_number, largest_number, true).value_or(0);
        mark.repeats = fields.integer("repeats", 1, largest_number, true).value_or(1);
        mark_extra_ = fields.finish();
        return mark;
    }

    FaultList& faults_;
    std::vector<Operation> operations_;
    std::vector<OperationExtra> extras_;
    ExtraFields mark_extra_;
    std::unordered_map<std::string, int> numbers_;
    std::vector<std::string> names_;
    bool too_many_names_ = false;
};

}  // namespace

Result<ProblemSchedule> read_schedule(std::string_view text) {
    FaultList faults;
    ScheduleReader reader(faults);
    StreamedArray stream;
    stream.paths = {"operations", "schedule.operations"};
    stream.sink = [&](const std::string& array, std::int64_t index, const Value& element) {
        return reader.take_operation(array, index, element);
    };
    Value root;
    if (!parse_json(text, root, faults, &stream)) return faults.take();
    Fields fields(root, "", faults);
    const Value* format = root.find("format");
    ProblemSchedule result;
    const std::string kind = format && format->is(Value::Kind::string) ? format->text() : "";
    if (kind == "repetend.result" || kind == "repetend.makespan_proof") {
        read_format(fields, kind, false, faults);
        if (kind == "repetend.result")
            for (const char* name : result_fields) fields.optional(name);
        else
            for (const char* name : {"makespan", "argument", "schedule"}) fields.optional(name);
        fields.finish();
        const Value* held = fields.required("schedule", "a schedule object");
        if (held && held->is(Value::Kind::null)) {
            faults.add(FaultCode::missing, "schedule", "this result holds no schedule");
        } else if (held) {
            Fields inner(*held, "schedule", faults);
            if (read_format(inner, "repetend.schedule", true, faults)) result = reader.finish(inner);
        }
    } else if (read_format(fields, "repetend.schedule", false, faults)) {
        result = reader.finish(fields);
    } else {
        // Of another kind: what its `operations` may hold does not matter.
        FaultList only;
        Fields again(root, "", only);
        read_format(again, "repetend.schedule", false, only);
        return only.take();
    }
    if (!faults.empty()) return faults.take();
    return result;
}

}  // namespace repetend
