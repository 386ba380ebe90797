// Operations as comma-separated values (RFC 4180): one line for each, fields with commas, quotes or line
// breaks in double quotes, quotes doubled, lines ended by CR LF. Reading also takes LF alone, blank lines and
// a byte order mark, columns in any order, and checks what the problem already knows.
#include "repetend/format/csv.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "json_value.hpp"

namespace repetend {
namespace {

using namespace format;

const std::vector<std::string>& column_names() {
    static const std::vector<std::string> names = {"block", "kind", "stage", "micro_batch", "devices", "start", "end"};
    return names;
}
enum Column : std::size_t {
    block_column,
    kind_column,
    stage_column,
    micro_batch_column,
    devices_column,
    start_column,
    end_column,
    num_columns
};

std::string field(std::string_view text) {
    if (text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string device_list(const Block& block) {
    std::string out;
    for (const int device : block.devices) out += (out.empty() ? "" : " ") + std::to_string(device);
    return out;
}

std::string stage_text(const Block& block) { return block.stage ? std::to_string(*block.stage) : ""; }

// Digits with an optional minus, nothing else.
std::optional<std::int64_t> parse_integer(std::string_view text) {
    const bool negative = !text.empty() && text[0] == '-';
    const std::string_view digits = text.substr(negative ? 1 : 0);
    if (digits.empty() || digits.size() > 17) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return negative ? -value : value;
}

// One record after the other; quoted fields may hold line breaks.
class Records {
public:
    explicit Records(std::string_view text) : text_(text) {}

    // False at the end of the text or, with a fault, where it is broken. Blank lines are skipped.
    bool next(std::vector<std::string>& fields, FaultList& faults) {
        while (at_ < text_.size() && (text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n")) end_line();
        if (at_ >= text_.size()) return false;
        line_of_record_ = line_;
        std::size_t count = 0;
        while (true) {
            if (count == fields.size()) fields.emplace_back();
            if (count >= most_fields) {
                faults.add(FaultCode::limit, where(), "more than " + std::to_string(most_fields) + " fields");
                return false;
            }
            if (!next_field(fields[count++], faults)) return false;
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            if (at_ < text_.size()) end_line();
            fields.resize(count);
            return true;
        }
    }

    std::string where() const { return "line " + std::to_string(line_of_record_); }

private:
    static constexpr std::size_t most_fields = 64;

    void end_line() {
        at_ += text_[at_] == '\r' ? 2 : 1;
        ++line_;
    }

    bool ends_field() const {
        return at_ >= text_.size() || text_[at_] == ',' || text_[at_] == '\n' || text_.substr(at_, 2) == "\r\n";
    }

    bool next_field(std::string& out, FaultList& faults) {
        out.clear();
        if (at_ < text_.size() && text_[at_] == '"') {
            ++at_;
            while (true) {
                if (at_ >= text_.size()) {
                    faults.add(FaultCode::syntax, where(), "the text ends inside a quoted field; expected \"");
                    return false;
                }
                if (text_[at_] == '"' && text_.substr(at_, 2) != "\"\"") break;
                if (text_[at_] == '"') ++at_;
                if (text_[at_] == '\n') ++line_;
                out += text_[at_++];
            }
            ++at_;
            if (ends_field()) return true;
            faults.add(FaultCode::syntax, where(),
                       "text after a quoted field; expected a comma or the end of the line");
            return false;
        }
        while (!ends_field()) {
            if (text_[at_] == '"') {
                faults.add(FaultCode::syntax, where(),
                           "a quote inside a field without quotes; expected the field in quotes");
                return false;
            }
            out += text_[at_++];
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::int64_t line_ = 1;
    std::int64_t line_of_record_ = 1;
};

class CsvReader {
public:
    CsvReader(std::string_view text, const Problem& problem, FaultList& faults)
        : records_(text), problem_(problem), faults_(faults) {
        for (const Block& block : problem.blocks) names_.push_back(block.name);
        for (int b = 0; b < problem.num_blocks(); ++b) numbers_.try_emplace(names_[static_cast<std::size_t>(b)], b);
    }

    Schedule run() {
        Schedule schedule;
        if (!read_header()) return schedule;
        std::vector<std::string> fields;
        while (records_.next(fields, faults_)) {
            if (fields.size() != width_) {
                fault(FaultCode::syntax, std::to_string(fields.size()) + " fields; expected " + std::to_string(width_));
                continue;
            }
            if (static_cast<std::int64_t>(schedule.operations.size()) >= most_operations) {
                fault(FaultCode::limit, "more than " + std::to_string(most_operations) + " operations");
                break;
            }
            if (const auto operation = read_row(fields)) {
                schedule.operations.push_back(*operation);
                schedule.micro_batches = std::max(schedule.micro_batches, operation->micro_batch + 1);
            }
        }
        if (faults_.empty() && schedule.operations.empty()) {
            faults_.add(FaultCode::missing, "line 2", "no operations; expected one on each line");
        }
        sort_operations(schedule);
        return schedule;
    }

private:
    void fault(FaultCode code, const std::string& message) { faults_.add(code, records_.where(), message); }

    bool read_header() {
        column_.fill(none);
        std::vector<std::string> fields;
        if (!records_.next(fields, faults_)) {
            if (faults_.empty())
                faults_.add(FaultCode::syntax, "line 1", "the text is empty; expected a line of column names");
            return false;
        }
        width_ = fields.size();
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const auto found = std::find(column_names().begin(), column_names().end(), fields[k]);
            if (found == column_names().end()) {
                const std::string near = nearest_name(fields[k], column_names());
                fault(FaultCode::unknown,
                      "unknown column " + in_quotes(fields[k]) +
                          (near.empty() ? "; expected block, kind, stage, micro_batch, devices, start or end"
                                        : "; did you mean " + in_quotes(near) + "?"));
                continue;
            }
            std::size_t& column = column_[static_cast<std::size_t>(found - column_names().begin())];
            if (column != none) fault(FaultCode::duplicate, "column " + in_quotes(fields[k]) + " is given twice");
            column = k;
        }
        for (const Column needed : {block_column, micro_batch_column, start_column}) {
            if (column_[needed] == none)
                fault(FaultCode::missing, "column " + in_quotes(column_names()[needed]) + " is missing");
        }
        return faults_.empty();
    }

    std::optional<Operation> read_row(const std::vector<std::string>& fields) {
        const std::size_t faults_before = faults_.count();
        Operation operation;
        const std::string& name = fields[column_[block_column]];
        const auto found = numbers_.find(name);
        if (found == numbers_.end()) {
            const std::string near = faults_.full() ? "" : nearest_name(name, names_);
            fault(FaultCode::reference, "block " + in_quotes(name) + " does not exist" +
                                            (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
        } else {
            operation.block = found->second;
        }
        operation.micro_batch = read_number(fields, micro_batch_column, 0, most_micro_batches - 1);
        operation.start = read_number(fields, start_column, -largest_number, largest_number);
        if (faults_.count() != faults_before) return std::nullopt;
        const Block& block = problem_.blocks[static_cast<std::size_t>(operation.block)];
        check(fields, kind_column, std::string(to_string(block.kind)));
        check(fields, stage_column, stage_text(block));
        check(fields, devices_column, device_list(block));
        check(fields, end_column, std::to_string(operation.start + block.time));
        return faults_.count() == faults_before ? std::optional(operation) : std::nullopt;
    }

    std::int64_t read_number(const std::vector<std::string>& fields, Column column, std::int64_t least,
                             std::int64_t most) {
        const std::string& text = fields[column_[column]];
        const auto value = parse_integer(text);
        if (value && *value >= least && *value <= most) return *value;
        fault(value ? FaultCode::range : FaultCode::type, column_names()[column] + ": expected an integer from " +
                                                              std::to_string(least) + " to " + std::to_string(most) +
                                                              ", found " + in_quotes(text));
        return 0;
    }

    // A column that says what the problem knows already must agree with it.
    void check(const std::vector<std::string>& fields, Column column, const std::string& expected) {
        if (column_[column] == none || fields[column_[column]] == expected) return;
        fault(FaultCode::reference, column_names()[column] + ": expected " + in_quotes(expected) +
                                        " as in the problem, found " + in_quotes(fields[column_[column]]));
    }

    static constexpr std::size_t none = SIZE_MAX;
    Records records_;
    const Problem& problem_;
    FaultList& faults_;
    std::vector<std::string> names_;
    std::map<std::string, int> numbers_;
    std::array<std::size_t, num_columns> column_{};
    std::size_t width_ = 0;
};

}  // namespace

std::string write_csv(const Problem& problem, const Schedule& schedule) {
    std::vector<std::string> before, devices;  // per block: what does not change from line to line
    for (const Block& block : problem.blocks) {
        before.push_back(field(block.name) + ',' + std::string(to_string(block.kind)) + ',' + stage_text(block) + ',');
        devices.push_back(',' + device_list(block) + ',');
    }
    std::string out = "block,kind,stage,micro_batch,devices,start,end\r\n";
    for (const Operation& operation : schedule.operations) {
        const std::size_t b = static_cast<std::size_t>(operation.block);
        out += before[b] + std::to_string(operation.micro_batch) + devices[b] + std::to_string(operation.start) + ',';
        out += std::to_string(operation.start + problem.blocks[b].time) + "\r\n";
    }
    return out;
}

Result<Schedule> read_csv(std::string_view text, const Problem& problem) {
    FaultList faults;
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    Schedule schedule = CsvReader(text, problem, faults).run();
    if (!faults.empty()) return faults.take();
    return schedule;
}

}  // namespace repetend
