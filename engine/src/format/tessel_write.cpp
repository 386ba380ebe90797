// Schedules as plans of the Tessel reference implementation (the file is described in tessel_read.cpp).
// A plan knows forward and backward blocks on devices, with one memory change for all devices of a block;
// whatever else a problem holds is refused rather than dropped. Capacities and dependencies have no place in
// a plan at all, so nothing is refused on their account.
#include <algorithm>

#include "json_writer.hpp"
#include "repetend/format/tessel.hpp"

namespace repetend {
namespace {

using namespace format;

Faults find_inexpressible(const Problem& problem) {
    FaultList faults;
    for (std::size_t d = 0; d < problem.devices.size(); ++d) {
        if (problem.devices[d].kind == DeviceKind::link) {
            faults.add(FaultCode::unsupported, "devices[" + std::to_string(d) + "].kind", "a Tessel plan has no links");
        }
    }
    for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
        const Block& block = problem.blocks[b];
        const std::string path = "blocks[" + std::to_string(b) + ']';
        if (block.kind != BlockKind::forward && block.kind != BlockKind::backward) {
            faults.add(FaultCode::unsupported, path + ".kind",
                       "a Tessel plan knows forward and backward only; this is " + in_quotes(to_string(block.kind)));
        }
        const auto differs = [&](Memory amount) { return amount != block.memory.front(); };
        if (std::any_of(block.memory.begin(), block.memory.end(), differs)) {
            faults.add(FaultCode::unsupported, path + ".memory",
                       "a Tessel plan has one memory change for all devices of a block");
        }
        if (std::any_of(block.transient.begin(), block.transient.end(), [](Memory amount) { return amount != 0; })) {
            faults.add(FaultCode::unsupported, path + ".transient", "a Tessel plan has no transient memory");
        }
    }
    return faults.take();
}

// The first occurrence of the marked repetend, if it holds every block once.
bool holds_every_block_once(const Problem& problem, const Schedule& schedule, Ticks first, Ticks end) {
    std::vector<int> count(problem.blocks.size(), 0);
    for (const Operation& operation : schedule.operations) {
        if (operation.start >= first && operation.start < end) ++count[static_cast<std::size_t>(operation.block)];
    }
    return std::all_of(count.begin(), count.end(), [](int times) { return times == 1; });
}

}  // namespace

Result<std::string> write_tessel(const Problem& problem, const Schedule& schedule) {
    Faults faults = find_inexpressible(problem);
    if (!faults.empty()) return faults;
    std::string out;
    TallObject object(out, 0);
    object.integer("ndevs", problem.num_devices());
    std::string range = "null";
    if (schedule.repetend) {
        const Ticks first = schedule.repetend->begin, end = first + schedule.repetend->period;
        if (holds_every_block_once(problem, schedule, first, end)) range = number_array(std::vector<Ticks>{first, end});
    }
    object.raw("repetend", range);
    object.lines("blocks", schedule.operations.size(), [&](std::size_t i) {
        const Operation& operation = schedule.operations[i];
        const Block& block = problem.blocks[static_cast<std::size_t>(operation.block)];
        LineObject line(out);
        line.integer("mid", operation.micro_batch);
        line.integer("span", block.time);
        line.integer("memory", block.memory.empty() ? 0 : block.memory.front());
        line.text("btype", to_string(block.kind));
        line.integer("gid", operation.block);
        line.integer("step", operation.start);
        line.numbers("device", block.devices);
        line.close();
    });
    object.close();
    return out + '\n';
}

}  // namespace repetend
