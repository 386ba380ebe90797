// Plans of the Tessel reference implementation, read. The file, as its source shows it:
//   ndevs      number of devices
//   repetend   [first, end): the steps of the repetend, or null, or absent
//   blocks     one object for each block of each micro-batch: mid (micro-batch), gid (position of the block
//              in the placement), step (start), span (time), memory (signed, the same on every device),
//              btype ("forward" or "backward"), device (array)
// It holds neither dependencies nor capacities, and not the period either: end - first is longer than the
// period when the devices of the repetend are skewed against each other. The period is recomputed with
// Tessel's rule (the longest device span, then the offset that dependencies across copies ask for),
// extended to dependencies that cross more than one copy: each asks for ceil(distance in time / copies).
#include <algorithm>
#include <array>
#include <climits>
#include <map>

#include "fields.hpp"
#include "repetend/format/tessel.hpp"

namespace repetend {
namespace {

using namespace format;

struct Instance {
    std::int64_t gid = 0, mid = 0;
    Ticks step = 0, span = 1;
    Memory memory = 0;
    BlockKind kind = BlockKind::forward;
    std::vector<int> devices;
};

class PlanReader {
public:
    explicit PlanReader(FaultList& faults) : faults_(faults) {}

    bool read(const Value& root) {
        Fields fields(root, "", faults_);
        num_devices_ = fields.integer("ndevs", 1, most_devices, true).value_or(most_devices);
        read_range(fields.optional("repetend"));
        if (const Value* blocks = fields.array("blocks", true)) {
            if (blocks->items().empty()) faults_.add(FaultCode::missing, "blocks", "at least one block is needed");
            for (std::size_t k = 0; k < blocks->items().size(); ++k) read_instance(blocks->items()[k], k);
        }
        fields.finish();
        return faults_.empty() && check_instances();
    }

    // The blocks of one micro-batch as the plan shows them, in the order of gid, as one chain.
    Problem make_problem() const {
        Problem problem;
        problem.name = "Tessel plan";
        problem.devices.resize(static_cast<std::size_t>(num_devices_));
        for (std::size_t g = 0; g < first_of_gid_.size(); ++g) {
            const Instance& instance = instances_[first_of_gid_[g]];
            Block block;
            block.name = (instance.kind == BlockKind::forward ? 'f' : 'b') + std::to_string(g);
            block.kind = instance.kind;
            block.devices = instance.devices;
            block.time = instance.span;
            block.memory.assign(block.devices.size(), instance.memory);
            block.transient.assign(block.devices.size(), 0);
            problem.blocks.push_back(std::move(block));
            if (g > 0) problem.dependencies.push_back({static_cast<int>(g) - 1, static_cast<int>(g), 0, {}});
        }
        problem.micro_batches = micro_batches_;
        return problem;
    }

    // Whether the plan is one of this problem: faults where it is not.
    void compare(const Problem& problem) {
        if (problem.num_devices() != num_devices_) {
            faults_.add(FaultCode::reference, "ndevs",
                        std::to_string(num_devices_) + " devices, but the problem has " +
                            std::to_string(problem.num_devices()));
        }
        if (problem.blocks.size() != first_of_gid_.size()) {
            faults_.add(FaultCode::reference, "blocks",
                        std::to_string(first_of_gid_.size()) + " blocks in a micro-batch, but the problem has " +
                            std::to_string(problem.blocks.size()));
            return;
        }
        for (std::size_t g = 0; g < first_of_gid_.size(); ++g) {
            const Instance& instance = instances_[first_of_gid_[g]];
            const Block& block = problem.blocks[g];
            const std::string path = "blocks[" + std::to_string(first_of_gid_[g]) + ']';
            const std::string theirs =
                ", but block " + in_quotes(block.name) + " (position " + std::to_string(g) + ") has ";
            if (instance.span != block.time) {
                faults_.add(FaultCode::reference, path + ".span",
                            std::to_string(instance.span) + theirs + "time " + std::to_string(block.time));
            }
            std::vector<int> devices = block.devices;
            std::sort(devices.begin(), devices.end());
            if (devices != instance.devices) {
                faults_.add(
                    FaultCode::reference, path + ".device",
                    "other devices than block " + in_quotes(block.name) + " (position " + std::to_string(g) + ")");
            }
            const auto other = std::find_if(block.memory.begin(), block.memory.end(),
                                            [&](Memory amount) { return amount != instance.memory; });
            if (other != block.memory.end()) {
                faults_.add(FaultCode::reference, path + ".memory",
                            std::to_string(instance.memory) + theirs + "memory " + std::to_string(*other));
            }
        }
    }

    Schedule make_schedule() const {
        Schedule schedule;
        schedule.micro_batches = micro_batches_;
        for (const Instance& instance : instances_) {
            schedule.operations.push_back({static_cast<int>(instance.gid), instance.mid, instance.step});
        }
        sort_operations(schedule);
        return schedule;
    }

    // Marks the repetend where the range holds every block once, and says its period in words.
    std::string mark_repetend(const Problem& problem, Schedule& schedule) const {
        if (!has_range_) return "";
        std::vector<const Instance*> inside(first_of_gid_.size(), nullptr);
        std::size_t count = 0;
        for (const Instance& instance : instances_) {
            if (instance.step < range_[0] || instance.step >= range_[1]) continue;
            ++count;
            inside[static_cast<std::size_t>(instance.gid)] = &instance;
        }
        const std::string range =
            "the range [" + std::to_string(range_[0]) + ", " + std::to_string(range_[1]) + ") of the repetend ";
        if (count != inside.size() || std::count(inside.begin(), inside.end(), nullptr) > 0) {
            return range + "does not hold every block once and was left out";
        }
        const Ticks period = period_of(problem, inside);
        Ticks last_start = range_[0], last_end = 0;
        for (const Instance* instance : inside) last_start = std::max(last_start, instance->step);
        for (const Instance& instance : instances_) last_end = std::max(last_end, instance.step + instance.span);
        const std::string words = "the period of the repetend, recomputed, is " + std::to_string(period);
        if (last_start >= range_[0] + period || range_[0] + period > last_end) {
            return words + ": the range is skewed, so one occurrence cannot be marked";
        }
        schedule.repetend = RepetendMark{period, 1, range_[0], 1};
        return words;
    }

private:
    void read_range(const Value* value) {
        if (!value || value->is(Value::Kind::null)) return;
        if (!value->is(Value::Kind::array) || value->items().size() != 2) {
            add_type_fault(*value, "repetend", "null or an array of two steps, first and end", faults_);
            return;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            const std::string path = "repetend[" + std::to_string(k) + ']';
            range_[k] = read_integer(value->items()[k], path, 0, largest_number, faults_).value_or(0);
        }
        has_range_ = true;
        if (faults_.empty() && range_[1] <= range_[0]) {
            faults_.add(FaultCode::range, "repetend[1]", "expected a step after " + std::to_string(range_[0]));
        }
    }

    void read_instance(const Value& value, std::size_t index) {
        Fields fields(value, "blocks[" + std::to_string(index) + ']', faults_);
        Instance instance;
        instance.gid = fields.integer("gid", 0, most_blocks - 1, true).value_or(0);
        instance.mid = fields.integer("mid", 0, most_micro_batches - 1, true).value_or(0);
        instance.step = fields.integer("step", 0, largest_number, true).value_or(0);
        instance.span = fields.integer("span", 1, largest_number, true).value_or(1);
        instance.memory = fields.integer("memory", -largest_number, largest_number, true).value_or(0);
        if (const std::optional<std::string> kind = fields.string("btype", true)) {
            if (*kind == "backward") {
                instance.kind = BlockKind::backward;
            } else if (*kind != "forward") {
                faults_.add(FaultCode::unknown, fields.path_of("btype"),
                            "unknown kind " + in_quotes(*kind) + "; expected \"forward\" or \"backward\"");
            }
        }
        if (const Value* devices = fields.array("device", true))
            read_devices(*devices, fields.path_of("device"), instance);
        fields.finish();
        instances_.push_back(std::move(instance));
    }

    void read_devices(const Value& array, const std::string& path, Instance& instance) {
        if (array.items().empty()) faults_.add(FaultCode::missing, path, "a block needs at least one device");
        for (std::size_t k = 0; k < array.items().size() && k < static_cast<std::size_t>(most_devices); ++k) {
            const std::string place = path + '[' + std::to_string(k) + ']';
            const auto device = read_integer(array.items()[k], place, 0, num_devices_ - 1, faults_);
            if (device) instance.devices.push_back(static_cast<int>(*device));
        }
        std::sort(instance.devices.begin(), instance.devices.end());
        if (std::adjacent_find(instance.devices.begin(), instance.devices.end()) != instance.devices.end()) {
            faults_.add(FaultCode::duplicate, path, "a device is named twice");
        }
    }

    // Every gid alike in all micro-batches, every (gid, mid) once.
    bool check_instances() {
        std::int64_t most_gid = 0, most_mid = 0;
        for (const Instance& instance : instances_) {
            most_gid = std::max(most_gid, instance.gid);
            most_mid = std::max(most_mid, instance.mid);
        }
        micro_batches_ = most_mid + 1;
        std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> seen;
        std::map<std::int64_t, std::size_t> first;
        for (std::size_t k = 0; k < instances_.size(); ++k) {
            const Instance& instance = instances_[k];
            const std::string path = "blocks[" + std::to_string(k) + ']';
            const auto [same, fresh] = seen.try_emplace({instance.gid, instance.mid}, k);
            if (!fresh) {
                faults_.add(FaultCode::duplicate, path,
                            "gid " + std::to_string(instance.gid) + " of micro-batch " + std::to_string(instance.mid) +
                                " stands in blocks[" + std::to_string(same->second) + "] already");
            }
            const std::size_t model = first.try_emplace(instance.gid, k).first->second;
            const Instance& other = instances_[model];
            const char* differs = instance.span != other.span         ? ".span"
                                  : instance.memory != other.memory   ? ".memory"
                                  : instance.kind != other.kind       ? ".btype"
                                  : instance.devices != other.devices ? ".device"
                                                                      : nullptr;
            if (differs) {
                faults_.add(FaultCode::reference, path + differs,
                            "not the same as in blocks[" + std::to_string(model) + "], which is gid " +
                                std::to_string(instance.gid) + " too");
            }
        }
        if (!faults_.empty()) return false;
        if (static_cast<std::int64_t>(instances_.size()) != (most_gid + 1) * micro_batches_) {
            add_missing(seen, most_gid);
            return false;
        }
        for (const auto& [gid, index] : first) first_of_gid_.push_back(index);
        return true;
    }

    // Names the first instance that is missing; there is one, so the walk ends.
    void add_missing(const std::map<std::pair<std::int64_t, std::int64_t>, std::size_t>& seen, std::int64_t most_gid) {
        std::pair<std::int64_t, std::int64_t> wanted{0, 0};
        for (const auto& [key, index] : seen) {
            if (key != wanted) break;
            wanted = key.second + 1 < micro_batches_ ? std::pair{key.first, key.second + 1}
                                                     : std::pair{key.first + 1, std::int64_t{0}};
        }
        faults_.add(FaultCode::missing, "blocks",
                    "gid " + std::to_string(wanted.first) + " of micro-batch " + std::to_string(wanted.second) +
                        " is missing; expected gid 0 to " + std::to_string(most_gid) + " of micro-batch 0 to " +
                        std::to_string(micro_batches_ - 1));
    }

    Ticks period_of(const Problem& problem, const std::vector<const Instance*>& inside) const {
        std::vector<Ticks> first(static_cast<std::size_t>(num_devices_), LLONG_MAX), last(first.size(), 0);
        for (const Instance* instance : inside) {
            for (const int device : instance->devices) {
                const auto d = static_cast<std::size_t>(device);
                first[d] = std::min(first[d], instance->step);
                last[d] = std::max(last[d], instance->step + instance->span);
            }
        }
        Ticks period = 1;
        for (std::size_t d = 0; d < first.size(); ++d) {
            if (last[d] > 0) period = std::max(period, last[d] - first[d]);
        }
        for (const Dependency& dependency : problem.dependencies) {
            const Instance& from = *inside[static_cast<std::size_t>(dependency.from)];
            const Instance& to = *inside[static_cast<std::size_t>(dependency.to)];
            const std::int64_t copies = from.mid - to.mid;
            const Ticks distance = from.step + from.span + dependency.lag - to.step;
            if (copies > 0 && distance > 0) period = std::max(period, (distance + copies - 1) / copies);
        }
        return period;
    }

    FaultList& faults_;
    std::int64_t num_devices_ = 0;
    std::int64_t micro_batches_ = 0;
    bool has_range_ = false;
    std::array<Ticks, 2> range_{};
    std::vector<Instance> instances_;
    std::vector<std::size_t> first_of_gid_;  // an instance for each gid
};

bool keeps_dependencies(const Problem& problem, const Schedule& schedule) {
    std::vector<std::vector<Ticks>> start(problem.blocks.size());
    for (auto& row : start) row.resize(static_cast<std::size_t>(schedule.micro_batches));
    for (const Operation& op : schedule.operations) {
        start[static_cast<std::size_t>(op.block)][static_cast<std::size_t>(op.micro_batch)] = op.start;
    }
    for (const Dependency& dependency : problem.dependencies) {
        const std::size_t from = static_cast<std::size_t>(dependency.from),
                          to = static_cast<std::size_t>(dependency.to);
        for (std::size_t m = 0; m < start[from].size(); ++m) {
            if (start[to][m] < start[from][m] + problem.blocks[from].time + dependency.lag) return false;
        }
    }
    return true;
}

}  // namespace

Result<TesselPlan> read_tessel(std::string_view text, const Problem* problem) {
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    PlanReader reader(faults);
    if (!reader.read(root)) return faults.take();
    TesselPlan plan;
    if (problem) {
        reader.compare(*problem);
        plan.problem = *problem;
    } else {
        plan.problem = reader.make_problem();
        for (const Fault& fault : validate(plan.problem)) faults.add(fault.code, fault.path, fault.message);
    }
    if (!faults.empty()) return faults.take();
    plan.schedule = reader.make_schedule();
    const std::string period = reader.mark_repetend(plan.problem, plan.schedule);
    if (!problem) {
        plan.note =
            "the plan carries no dependencies and no capacities: taken as one chain in the order of gid, memory "
            "unlimited";
        if (!keeps_dependencies(plan.problem, plan.schedule)) {
            plan.note += " (but its starts do not follow that chain: give the problem it was made for)";
        }
    }
    if (!period.empty()) plan.note += (plan.note.empty() ? "" : "; ") + period;
    return plan;
}

}  // namespace repetend
