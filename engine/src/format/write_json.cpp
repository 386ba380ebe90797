// Problems and schedules as JSON documents. Same value, same bytes: the field order is that of the contract,
// every block and operation has a line of its own, and what equals its default is left out.
#include <algorithm>
#include <cmath>
#include <utility>

#include "json_writer.hpp"
#include "repetend/format/json.hpp"

namespace repetend::format {
namespace {

void append_device(std::string& out, const Device& device) {
    LineObject object(out);
    if (!device.name.empty()) object.text("name", device.name);
    if (device.kind != DeviceKind::compute) object.text("kind", to_string(device.kind));
    if (device.memory_capacity) object.integer("memory_capacity", *device.memory_capacity);
    if (device.memory_static != 0) object.integer("memory_static", device.memory_static);
    object.extra(device.extra);
    object.close();
}

// A scalar where all devices have the same amount, nothing where that is zero.
void append_amounts(LineObject& object, std::string_view name, const std::vector<Memory>& amounts) {
    if (amounts.empty()) return;
    const bool equal = std::all_of(amounts.begin(), amounts.end(), [&](Memory m) { return m == amounts.front(); });
    if (!equal) {
        object.numbers(name, amounts);
    } else if (amounts.front() != 0) {
        object.integer(name, amounts.front());
    }
}

void append_block(std::string& out, const Block& block) {
    LineObject object(out);
    object.text("name", block.name);
    if (block.kind != BlockKind::other) object.text("kind", to_string(block.kind));
    if (block.stage) object.integer("stage", *block.stage);
    object.numbers("devices", block.devices);
    object.integer("time", block.time);
    append_amounts(object, "memory", block.memory);
    append_amounts(object, "transient", block.transient);
    object.extra(block.extra);
    object.close();
}

const ExtraFields& extra_of(const Schedule& schedule, const Operation& operation) {
    static const ExtraFields none;
    const auto& extras = schedule.operation_extra;
    const auto key = std::pair(operation.micro_batch, operation.block);
    const auto found =
        std::lower_bound(extras.begin(), extras.end(), key, [](const OperationExtra& extra, const auto& wanted) {
            return std::pair(extra.micro_batch, extra.block) < wanted;
        });
    const bool has = found != extras.end() && std::pair(found->micro_batch, found->block) == key;
    return has ? found->fields : none;
}

}  // namespace

void append_problem(std::string& out, const Problem& problem, int depth) {
    TallObject object(out, depth);
    object.text("format", "repetend.problem");
    object.integer("version", 1);
    if (!problem.name.empty()) object.text("name", problem.name);
    if (!problem.time_unit.empty()) object.text("time_unit", problem.time_unit);
    if (!problem.memory_unit.empty()) object.text("memory_unit", problem.memory_unit);
    object.lines("devices", problem.devices.size(), [&](std::size_t i) { append_device(out, problem.devices[i]); });
    object.lines("blocks", problem.blocks.size(), [&](std::size_t i) { append_block(out, problem.blocks[i]); });
    object.lines("dependencies", problem.dependencies.size(), [&](std::size_t i) {
        const Dependency& dependency = problem.dependencies[i];
        LineObject line(out);
        line.text("from", problem.blocks[static_cast<std::size_t>(dependency.from)].name);
        line.text("to", problem.blocks[static_cast<std::size_t>(dependency.to)].name);
        if (dependency.lag != 0) line.integer("lag", dependency.lag);
        line.extra(dependency.extra);
        line.close();
    });
    if (problem.micro_batches) object.integer("micro_batches", *problem.micro_batches);
    for (const auto& [name, json] : problem.extra) object.raw(name, json);
    object.close();
}

void append_schedule(std::string& out, const Problem& problem, const Schedule& schedule, int depth) {
    TallObject object(out, depth);
    object.text("format", "repetend.schedule");
    object.integer("version", 1);
    append_problem(object.member("problem"), problem, depth + 1);
    object.integer("micro_batches", schedule.micro_batches);
    out.reserve(out.size() + schedule.operations.size() * 60);
    object.lines("operations", schedule.operations.size(), [&](std::size_t i) {
        const Operation& operation = schedule.operations[i];
        LineObject line(out);
        line.text("block", problem.blocks[static_cast<std::size_t>(operation.block)].name);
        line.integer("micro_batch", operation.micro_batch);
        line.integer("start", operation.start);
        line.extra(extra_of(schedule, operation));
        line.close();
    });
    if (schedule.repetend) {
        LineObject line(object.member("repetend"));
        line.integer("period", schedule.repetend->period);
        line.integer("copies", schedule.repetend->copies);
        line.integer("begin", schedule.repetend->begin);
        line.integer("repeats", schedule.repetend->repeats);
        line.extra(schedule.repetend_extra);
        line.close();
    }
    for (const auto& [name, json] : schedule.extra) object.raw(name, json);
    object.close();
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return "0";
    std::int64_t scale = 1;
    for (int i = 0; i < decimals; ++i) scale *= 10;
    const double scaled = std::round(std::abs(value) * static_cast<double>(scale));
    if (scaled > 9e15) return std::to_string(std::llround(std::min(value, 9e18)));
    const std::int64_t whole = static_cast<std::int64_t>(scaled);
    std::string out = value < 0 && whole > 0 ? "-" : "";
    out += std::to_string(whole / scale);
    if (decimals == 0) return out;
    const std::string part = std::to_string(whole % scale);
    return out + '.' + std::string(static_cast<std::size_t>(decimals) - part.size(), '0') + part;
}

}  // namespace repetend::format

namespace repetend {

std::string write_problem(const Problem& problem) {
    std::string out;
    format::append_problem(out, problem, 0);
    return out + '\n';
}

std::string write_schedule(const Problem& problem, const Schedule& schedule) {
    std::string out;
    format::append_schedule(out, problem, schedule, 0);
    return out + '\n';
}

}  // namespace repetend
