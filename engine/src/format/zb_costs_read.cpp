// Cost tables of the zero-bubble schedulers, as JSON with the names of their configuration. One number for each device;
// with two chunks a device holds stages r and 2p-1-r (the V of ZB-V), with more chunks stage k is on device k mod p,
// and each chunk costs what the table says. Numbers may have fractions: all times (and all memory amounts) are then
// counted in a unit as fine as the finest of them, so nothing is rounded.
#include <algorithm>
#include <cstddef>
#include <optional>

#include "fields.hpp"
#include "repetend/format/cost_tables.hpp"
#include "stage_chain.hpp"

namespace repetend {
namespace {

using namespace format;

// A decimal number as digits * 10^-decimals, exactly.
struct Decimal {
    std::int64_t digits = 0;
    int decimals = 0;
};

constexpr int most_decimals = 9;

// From the spelling of a JSON number; none when it has too many digits.
std::optional<Decimal> parse_decimal(const std::string& text) {
    Decimal number;
    std::size_t i = 0;
    const bool negative = !text.empty() && text[0] == '-';
    if (negative) ++i;
    bool point = false;
    int exponent = 0;
    const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
    std::size_t end = mantissa;
    if (text.find('.') < mantissa) end = text.find_last_not_of('0', mantissa - 1) + 1;  // zeros that say nothing
    for (; i < end; ++i) {
        if (text[i] == '.') {
            point = true;
            continue;
        }
        if (number.digits > largest_number / 10) return std::nullopt;
        number.digits = number.digits * 10 + (text[i] - '0');
        if (point) ++number.decimals;
    }
    i = mantissa;
    if (i < text.size()) {
        const bool down = ++i < text.size() && text[i] == '-';
        if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
        for (; i < text.size(); ++i) exponent = std::min(exponent * 10 + (text[i] - '0'), 1000);
        number.decimals += down ? exponent : -exponent;
    }
    if (number.digits == 0) number.decimals = 0;
    while (number.decimals > 0 && number.digits % 10 == 0) {
        number.digits /= 10;
        --number.decimals;
    }
    for (; number.decimals < 0; ++number.decimals) {
        if (number.digits > largest_number / 10) return std::nullopt;
        number.digits *= 10;
    }
    if (number.decimals > most_decimals || number.digits > largest_number) return std::nullopt;
    if (negative) number.digits = -number.digits;
    return number;
}

using Numbers = std::vector<Decimal>;

class Reader {
public:
    Reader(const Value& root, FaultList& faults) : fields_(root, "", faults), faults_(faults) {}

    ImportedProblem run() {
        ImportedProblem imported;
        const std::int64_t p = fields_.integer("n_stages", 1, most_devices, true).value_or(0);
        const auto n = fields_.integer("n_micro", 1, most_micro_batches, true);
        const std::int64_t chunks = fields_.integer("max_chunks", 1, most_blocks, false).value_or(1);
        stages_ = static_cast<std::size_t>(p);
        if (p * chunks > most_blocks / 3) {
            faults_.add(FaultCode::limit, "max_chunks", "more stages than this program accepts");
            return imported;
        }
        if (p == 0) return imported;
        Numbers f = numbers("cost_f", true), b = numbers("cost_b", true), w = numbers("cost_w", true);
        Numbers comm = {number(fields_.optional("cost_comm"), "cost_comm")};
        Numbers mf = numbers("mem_f", false), mb = numbers("mem_b", false), mw = numbers("mem_w", false);
        const Value* limit = fields_.optional("max_mem");
        Numbers most;
        if (limit && !limit->is(Value::Kind::null)) most = numbers("max_mem", false);
        fields_.optional("print_scaling");
        fields_.finish();
        if (!faults_.empty()) return imported;
        const int time_scale = scale({&f, &b, &w, &comm});
        const int memory_scale = scale({&mf, &mb, &mw, &most});
        check(f, b, w, comm, mf, mb, mw);
        if (!faults_.empty()) return imported;

        std::vector<ChainStage> stages;
        bool joined = false;
        for (std::int64_t s = 0; s < p * chunks; ++s) {
            const std::int64_t device = chunks == 2 ? std::min(s, 2 * p - 1 - s) : s % p;
            const auto r = static_cast<std::size_t>(device);
            ChainStage& stage = stages.emplace_back();
            stage.device = static_cast<int>(device);
            stage.forward = f[r].digits;
            stage.backward = b[r].digits;
            stage.weight = w[r].digits;
            stage.forward_memory = mf[r].digits;
            stage.backward_memory = mb[r].digits;
            stage.weight_memory = mw[r].digits;
            if (stage.weight > 0) continue;
            stage.backward_memory += stage.weight_memory;
            joined = true;
        }
        imported.problem = make_chain(static_cast<int>(p), stages, comm.front().digits);
        imported.problem.name = "zero-bubble cost table";
        imported.problem.micro_batches = n;
        imported.problem.time_unit = unit(time_scale);
        imported.problem.memory_unit = unit(memory_scale);
        for (std::size_t r = 0; r < most.size(); ++r) imported.problem.devices[r].memory_capacity = most[r].digits;
        imported.note = std::to_string(p * chunks) + " stages on " + std::to_string(p) + " devices" +
                        (chunks == 1   ? ""
                         : chunks == 2 ? ", two chunks each in V order, each with the costs of the table"
                                       : ", " + std::to_string(chunks) +
                                             " chunks each in looped order, each with the costs of the table") +
                        "; cost_b is the input gradient alone" + (most.empty() ? "; memory unlimited" : "");
        if (joined) imported.note += "; a weight gradient of no time is part of its backward";
        if (time_scale > 0) imported.note += "; times are numbers " + imported.problem.time_unit;
        for (const Fault& fault : validate(imported.problem)) faults_.add(fault.code, fault.path, fault.message);
        return imported;
    }

private:
    Decimal number(const Value* value, const std::string& path) {
        if (!value) return {};
        if (!value->is(Value::Kind::integer) && !value->is(Value::Kind::number)) {
            add_type_fault(*value, path, "a number", faults_);
            return {};
        }
        const std::string text = value->is(Value::Kind::integer) ? std::to_string(value->as_integer()) : value->text();
        if (const auto parsed = parse_decimal(text)) return *parsed;
        faults_.add(FaultCode::range, path,
                    "expected a number up to 2^53 with at most " + std::to_string(most_decimals) + " decimals, found " +
                        describe(*value));
        return {};
    }

    // One for each device, or the same for all; memory that is not given is 0.
    Numbers numbers(const char* name, bool needed) {
        const Value* value = needed ? fields_.required(name, "one number for each stage") : fields_.optional(name);
        if (!value || !value->is(Value::Kind::array)) return Numbers(stages_, number(value, name));
        Numbers list;
        if (value->items().size() != stages_) {
            faults_.add(FaultCode::range, name,
                        std::to_string(value->items().size()) + " numbers, expected one for each of " +
                            std::to_string(stages_) + " stages");
            return Numbers(stages_);
        }
        for (std::size_t k = 0; k < stages_; ++k)
            list.push_back(number(&value->items()[k], std::string(name) + '[' + std::to_string(k) + ']'));
        return list;
    }

    // All numbers with the same decimals, as whole numbers; answers how many decimals that were.
    int scale(const std::vector<Numbers*>& lists) {
        int finest = 0;
        for (const Numbers* list : lists) {
            for (const Decimal& number : *list) finest = std::max(finest, number.decimals);
        }
        for (Numbers* list : lists) {
            for (Decimal& number : *list) {
                for (; number.decimals < finest; ++number.decimals) {
                    if (number.digits > largest_number / 10 || number.digits < -largest_number / 10) {
                        if (faults_.empty())
                            faults_.add(FaultCode::range, "",
                                        "the numbers are too far apart to be counted in one unit");
                        number.decimals = finest;
                        break;
                    }
                    number.digits *= 10;
                }
            }
        }
        return finest;
    }

    void check(const Numbers& f, const Numbers& b, const Numbers& w, const Numbers& comm, const Numbers& mf,
               const Numbers& mb, const Numbers& mw) {
        const auto wrong = [&](const char* name, std::size_t k, const std::string& words) {
            faults_.add(FaultCode::range, std::string(name) + '[' + std::to_string(k) + ']', words);
        };
        if (comm.front().digits < 0) faults_.add(FaultCode::range, "cost_comm", "expected a number of at least 0");
        for (std::size_t k = 0; k < stages_; ++k) {
            if (f[k].digits <= 0) wrong("cost_f", k, "expected a number above 0");
            if (b[k].digits <= 0) wrong("cost_b", k, "expected a number above 0");
            if (w[k].digits < 0) wrong("cost_w", k, "expected a number of at least 0");
            if (mf[k].digits + mb[k].digits + mw[k].digits != 0) {
                wrong("mem_f", k,
                      "mem_f + mem_b + mem_w must be 0 for each stage: what the forward takes is given back");
            }
        }
    }

    static std::string unit(int decimals) {
        if (decimals == 0) return {};
        return "x 0." + std::string(static_cast<std::size_t>(decimals) - 1, '0') + '1';
    }

    Fields fields_;
    FaultList& faults_;
    std::size_t stages_ = 0;
};

}  // namespace

Result<ImportedProblem> read_zb_costs(std::string_view text) {
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    ImportedProblem imported = Reader(root, faults).run();
    if (!faults.empty()) return faults.take();
    return imported;
}

}  // namespace repetend
