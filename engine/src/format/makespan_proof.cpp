// The format stands in repetend/format/makespan_proof.hpp.
#include "repetend/format/makespan_proof.hpp"

#include <climits>

#include "fields.hpp"
#include "json_writer.hpp"
#include "repetend/format/json.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend {
namespace {

using namespace format;

MakespanWindow read_window(Fields& fields, const char* name, FaultList& faults) {
    MakespanWindow window;
    const Value* value = fields.required(name, "an object");
    if (!value) return window;
    Fields inner(*value, fields.path_of(name), faults);
    window.length = inner.integer("length", 0, largest_number, true).value_or(0);
    const Value* price = inner.array("price", true);
    if (price && price->items().size() != 2) {
        add_type_fault(*price, inner.path_of("price"), "two numbers, ticks and memory", faults);
    } else if (price) {
        const std::string path = inner.path_of("price");
        window.price_ticks = read_integer(price->items()[0], path + "[0]", 0, largest_number, faults).value_or(0);
        window.price_memory = read_integer(price->items()[1], path + "[1]", 1, largest_number, faults).value_or(1);
    }
    inner.finish();
    return window;
}

MakespanArgument read_argument(const Value& value, FaultList& faults) {
    Fields fields(value, "argument", faults);
    MakespanArgument argument;
    const std::string kind = fields.string("kind", true).value_or("device");
    if (kind == "chain") {
        argument.kind = MakespanArgument::Kind::chain;
    } else if (kind != "device") {
        faults.add(FaultCode::range, "argument.kind", "expected chain or device, found " + in_quotes(kind));
    }
    if (const Value* flag = fields.required("without_gangs", "true or false")) {
        if (flag->is(Value::Kind::boolean))
            argument.without_gangs = flag->as_integer() != 0;
        else
            add_type_fault(*flag, "argument.without_gangs", "true or false", faults);
    }
    if (argument.kind == MakespanArgument::Kind::device) {
        argument.device = static_cast<int>(fields.integer("device", 0, INT_MAX, true).value_or(0));
        argument.head = read_window(fields, "head", faults);
        argument.tail = read_window(fields, "tail", faults);
    }
    fields.finish();
    return argument;
}

void append_window(TallObject& object, const char* name, const MakespanWindow& window) {
    LineObject line(object.member(name));
    line.integer("length", window.length);
    line.numbers("price", std::vector<std::int64_t>{window.price_ticks, window.price_memory});
    line.close();
}

}  // namespace

Result<MakespanProof> read_makespan_proof(std::string_view text) {
    // The schedule as in a result, operation by operation; then everything else, without its operations.
    Result<ProblemSchedule> schedule = read_schedule(text);
    if (!schedule) return schedule.faults();
    FaultList faults;
    StreamedArray stream;
    stream.paths = {"schedule.operations"};
    stream.sink = [](const std::string&, std::int64_t, const Value&) { return true; };
    Value root;
    if (!parse_json(text, root, faults, &stream)) return faults.take();
    Fields fields(root, "", faults);
    if (!read_format(fields, "repetend.makespan_proof", false, faults)) return faults.take();
    MakespanProof proof;
    const std::optional<std::int64_t> makespan = fields.integer("makespan", 0, largest_number, true);
    if (const Value* argument = fields.required("argument", "an object"))
        proof.argument = read_argument(*argument, faults);
    fields.required("schedule", "a schedule object");
    fields.finish();
    proof.problem = std::move(schedule->problem);
    proof.schedule = std::move(schedule->schedule);
    const Ticks found = makespan_ticks(proof.problem, proof.schedule);
    if (makespan && *makespan != found)
        faults.add(FaultCode::range, "makespan",
                   "the schedule takes " + std::to_string(found) + ", found " + std::to_string(*makespan));
    if (!faults.empty()) return faults.take();
    return proof;
}

std::string write_makespan_proof(const MakespanProof& proof) {
    std::string out;
    TallObject object(out, 0);
    object.text("format", "repetend.makespan_proof");
    object.integer("version", 1);
    object.integer("makespan", makespan_ticks(proof.problem, proof.schedule));
    {
        const bool device = proof.argument.kind == MakespanArgument::Kind::device;
        TallObject argument(object.member("argument"), 1);
        argument.text("kind", device ? "device" : "chain");
        argument.boolean("without_gangs", proof.argument.without_gangs);
        if (device) {
            argument.integer("device", proof.argument.device);
            append_window(argument, "head", proof.argument.head);
            append_window(argument, "tail", proof.argument.tail);
        }
        argument.close();
    }
    append_schedule(object.member("schedule"), proof.problem, proof.schedule, 1);
    object.close();
    return out + '\n';
}

}  // namespace repetend
