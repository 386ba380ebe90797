// Problems and schedules as packed bytes; see share.hpp. Rows are coded column by column as differences to what the
// rows before suggest: block names count up, stages step by one, times repeat within a kind, the starts of a block grow
// by the same step from one micro-batch to the next.
#include <algorithm>
#include <array>
#include <map>

#include "repetend/format/share.hpp"
#include "repetend/verify/verify_schedule.hpp"
#include "share_coding.hpp"

namespace repetend {
namespace {

using namespace format;

constexpr char problem_version = 1;
constexpr char schedule_version = 1;
constexpr std::uint64_t most_packed_operations = 1 << 22;
constexpr std::uint64_t most_packed_devices_of_blocks = 1 << 20;

std::uint64_t folded(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t unfolded(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}
// Differences in unsigned arithmetic: hostile numbers wrap around and are refused by validation.
std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

template <class Coder>
void code_signed(Coder& coder, NumberModel& model, std::int64_t& value, std::int64_t expected) {
    std::uint64_t code = folded(difference(value, expected));
    coder.number(model, code);
    value = sum(unfolded(code), expected);
}

template <class Coder, class T>
void code_small(Coder& coder, NumberModel& model, T& value, std::uint64_t most) {
    auto code = static_cast<std::uint64_t>(value);
    code_count(coder, model, code, most);
    value = static_cast<T>(code);
}

// `f3` after steps: f4 is +1, f2 is -1; nothing for a name without a number.
std::string neighbour(const std::string& name, int step) {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9' && name.size() - digits < 9) --digits;
    if (digits == name.size()) return {};
    const int number = std::stoi(name.substr(digits)) + step;
    return number < 0 ? std::string() : name.substr(0, digits) + std::to_string(number);
}

struct NameColumn {
    TextModel text;
    NumberModel how;
    std::string before;

    template <class Coder>
    void code(Coder& coder, std::string& name) {
        const std::string up = neighbour(before, 1), down = neighbour(before, -1);
        std::uint64_t choice = !up.empty() && name == up ? 1 : !down.empty() && name == down ? 2 : 0;
        code_count(coder, how, choice, 2);
        if (choice == 0)
            code_text(coder, text, name);
        else
            name = choice == 1 ? up : down;
        before = name;
    }
};

// Per kind: what the last block of that kind had.
struct KindColumns {
    NumberModel time, memory, transient;
    std::int64_t last_time = 1, last_memory = 0, last_transient = 0;
};

template <class Coder>
class ProblemPacking {
public:
    explicit ProblemPacking(Coder& coder) : coder_(coder) {}

    void code(Problem& problem) {
        code_text(coder_, words_, problem.name);
        code_text(coder_, words_, problem.time_unit);
        code_text(coder_, words_, problem.memory_unit);
        code_optional(counts_, problem.micro_batches, last_micro_batches_);
        rows(problem.devices, most_devices, [&](Device& device) { code(device); });
        rows(problem.blocks, most_blocks, [&](Block& block) { code(block); });
        rows(problem.dependencies, most_dependencies, [&](Dependency& dependency) { code(dependency); });
    }

private:
    template <class Row, class Each>
    void rows(std::vector<Row>& list, std::int64_t most, Each each) {
        std::uint64_t count = list.size();
        code_count(coder_, counts_, count, static_cast<std::uint64_t>(most));
        if constexpr (Coder::reading) list.clear();
        for (std::uint64_t k = 0; k < count && !coder_.failed(); ++k) {
            if constexpr (Coder::reading) list.emplace_back();  // grows with what was really read
            each(list[k]);
        }
    }

    void code_optional(NumberModel& model, std::optional<std::int64_t>& value, std::int64_t& last) {
        std::uint64_t given = value ? 1 : 0;
        code_count(coder_, given_, given, 1);
        if (given == 0) {
            value.reset();
            return;
        }
        std::int64_t number = value.value_or(0);
        code_signed(coder_, model, number, last);
        value = last = number;
    }

    void code(Device& device) {
        device_names_.code(coder_, device.name);
        code_small(coder_, device_kinds_, device.kind, 1);
        code_optional(capacities_, device.memory_capacity, last_capacity_);
        code_signed(coder_, statics_, device.memory_static, last_static_);
        last_static_ = device.memory_static;
    }

    void code(Block& block) {
        block_names_.code(coder_, block.name);
        code_small(coder_, block_kinds_, block.kind, static_cast<std::uint64_t>(BlockKind::other));
        KindColumns& columns = kinds_[static_cast<std::size_t>(block.kind)];
        code_optional(stages_, block.stage, last_stage_);
        code_signed(coder_, columns.time, block.time, columns.last_time);
        columns.last_time = block.time;

        std::uint64_t count = block.devices.size();
        code_count(coder_, gang_sizes_, count, static_cast<std::uint64_t>(most_devices));
        gang_total_ += count;
        if constexpr (Coder::reading) {
            if (gang_total_ > most_packed_devices_of_blocks) {
                coder_.fail();
                return;
            }
            block.devices.resize(count);
            block.memory.resize(count);
            block.transient.resize(count);
        }
        for (std::uint64_t k = 0; k < count && !coder_.failed(); ++k) {
            std::int64_t device = block.devices[k];
            code_signed(coder_, k == 0 ? first_devices_ : further_devices_, device,
                        k == 0 ? last_device_ : std::int64_t{block.devices[k - 1]} + 1);
            block.devices[k] = static_cast<int>(std::clamp<std::int64_t>(device, -1, most_devices));
            if (k == 0) last_device_ = block.devices[0];
            code_signed(coder_, columns.memory, block.memory[k], columns.last_memory);
            columns.last_memory = block.memory[k];
            code_signed(coder_, columns.transient, block.transient[k], columns.last_transient);
            columns.last_transient = block.transient[k];
        }
    }

    void code(Dependency& dependency) {
        std::int64_t from = dependency.from, to = dependency.to;
        code_signed(coder_, froms_, from, last_from_ + 1);
        code_signed(coder_, tos_, to, sum(from, 1));
        last_from_ = std::clamp<std::int64_t>(from, -1, most_blocks);
        dependency.from = static_cast<int>(last_from_);
        dependency.to = static_cast<int>(std::clamp<std::int64_t>(to, -1, most_blocks));
        code_signed(coder_, lags_, dependency.lag, last_lag_);
        last_lag_ = dependency.lag;
    }

    Coder& coder_;
    TextModel words_;
    NameColumn device_names_, block_names_;
    NumberModel counts_, given_, device_kinds_, capacities_, statics_, block_kinds_, stages_, gang_sizes_;
    NumberModel first_devices_, further_devices_, froms_, tos_, lags_;
    std::array<KindColumns, 6> kinds_;
    std::int64_t last_micro_batches_ = 0, last_capacity_ = 0, last_static_ = 0, last_stage_ = 0, last_device_ = 0;
    std::int64_t last_from_ = -1, last_lag_ = 0;
    std::uint64_t gang_total_ = 0;
};

// Starts by block, then by micro-batch.
template <class Coder>
void code_starts(Coder& coder, std::vector<Ticks>& starts, std::uint64_t blocks, std::uint64_t micro_batches) {
    NumberModel first, steady, changed;
    Ticks before = 0;
    for (std::uint64_t b = 0; b < blocks; ++b) {
        Ticks step = 0;
        bool rule_held = false;
        for (std::uint64_t m = 0; m < micro_batches && !coder.failed(); ++m) {
            const std::uint64_t k = b * micro_batches + m;
            if constexpr (Coder::reading) starts.push_back(0);
            const Ticks expected = m == 0 ? before : sum(starts[k - 1], step);
            code_signed(coder, m == 0 ? first : rule_held ? steady : changed, starts[k], expected);
            rule_held = starts[k] == expected;
            if (m > 0) step = difference(starts[k], starts[k - 1]);
            if (m == 0) before = starts[k];
        }
    }
}

template <class Coder>
void code_mark(Coder& coder, std::optional<RepetendMark>& mark) {
    NumberModel model;
    std::uint64_t given = mark ? 1 : 0;
    code_count(coder, model, given, 1);
    if (given == 0) return;
    if constexpr (Coder::reading) mark.emplace();
    std::int64_t copies = mark->copies;
    for (std::int64_t* value : {&mark->period, &copies, &mark->begin, &mark->repeats})
        code_signed(coder, model, *value, 0);
    mark->copies = static_cast<int>(std::clamp<std::int64_t>(copies, -1, 1 << 30));
}

}  // namespace

std::string pack_problem(const Problem& problem) {
    Packer packer;
    Problem copy = problem;
    ProblemPacking<Packer>(packer).code(copy);
    return seal(problem_version, packer.finish());
}

Result<Problem> unpack_problem(std::string_view bytes) {
    const Result<std::string_view> body = unseal(bytes, problem_version, "the packed problem");
    if (!body) return body.faults();
    Unpacker unpacker(*body);
    Problem problem;
    ProblemPacking<Unpacker>(unpacker).code(problem);
    if (unpacker.failed()) return Fault{FaultCode::syntax, "the packed problem", "makes no sense"};
    if (Faults faults = validate(problem); !faults.empty()) return faults;
    return problem;
}

std::string pack_schedule(const Problem& problem, const Schedule& schedule) {
    const auto blocks = static_cast<std::uint64_t>(problem.num_blocks());
    auto micro_batches = static_cast<std::uint64_t>(schedule.micro_batches);
    std::vector<Ticks> starts(blocks * micro_batches);
    for (const Operation& operation : schedule.operations)
        starts[static_cast<std::uint64_t>(operation.block) * micro_batches +
               static_cast<std::uint64_t>(operation.micro_batch)] = operation.start;
    Packer packer;
    NumberModel count;
    packer.number(count, micro_batches);
    std::optional<RepetendMark> mark = schedule.repetend;
    code_mark(packer, mark);
    code_starts(packer, starts, blocks, micro_batches);
    return seal(schedule_version, packer.finish());
}

Result<Schedule> unpack_schedule(std::string_view bytes, const Problem& problem) {
    const char* what = "the packed schedule";
    const Result<std::string_view> body = unseal(bytes, schedule_version, what);
    if (!body) return body.faults();
    Unpacker unpacker(*body);
    NumberModel count;
    std::uint64_t micro_batches = 0;
    const auto blocks = static_cast<std::uint64_t>(problem.num_blocks());
    code_count(unpacker, count, micro_batches, most_packed_operations / std::max<std::uint64_t>(blocks, 1));
    if (micro_batches == 0) return Fault{FaultCode::limit, what, "has no operations, or too many"};
    Schedule schedule;
    schedule.micro_batches = static_cast<std::int64_t>(micro_batches);
    code_mark(unpacker, schedule.repetend);
    std::vector<Ticks> starts;
    code_starts(unpacker, starts, blocks, micro_batches);
    if (unpacker.failed()) return Fault{FaultCode::syntax, what, "makes no sense"};
    for (std::uint64_t k = 0; k < starts.size(); ++k)
        schedule.operations.push_back(
            {static_cast<int>(k / micro_batches), static_cast<std::int64_t>(k % micro_batches), starts[k]});
    sort_operations(schedule);
    if (const auto violation = verify_schedule(problem, schedule))
        return Fault{FaultCode::range, what, "is not valid: " + violation->message};
    return schedule;
}

}  // namespace repetend
