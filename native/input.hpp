// From what a command line names to problems and schedules, with every complaint already made.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "commands.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/format/assumed_costs.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/share.hpp"
#include "repetend/model/schedule.hpp"

namespace repetend::native {

// Something, or the exit status when there is none; why was said on standard error.
template <class T>
class Loaded {
public:
    Loaded(T value) : content_(std::move(value)) {}
    Loaded(int exit_status) : content_(exit_status) {}
    explicit operator bool() const { return std::holds_alternative<T>(content_); }
    T& operator*() { return std::get<T>(content_); }
    T* operator->() { return &std::get<T>(content_); }
    int exit_status() const { return std::get<int>(content_); }

private:
    std::variant<T, int> content_;
};

struct ProblemInput {
    Problem problem;
    std::string label;       // how messages call it: the file, or the preset
    std::string note;        // what a reader had to assume
    Memory memory_unit = 1;  // what `--memory 1` means in the problem's own unit (2 with a split backward)
};

// Faults that the engine found in a loaded problem, told; the answer is the exit status. What an option set is
// the option's fault.
int complain_about(const ProblemInput& input, const Invocation& invocation, Faults faults);

// FILE or --preset NAME, shaped by the problem options.
Loaded<ProblemInput> load_problem(const Invocation& invocation);

struct ScheduleInput {
    Problem problem;
    Schedule schedule;
    std::string label;
    std::string note;  // what a reader had to assume
    std::string text;  // the document itself, where it may say more than its schedule
    // Formats of orders: what each device runs. With `obstacle`, why devices cannot follow it; there is no schedule
    // then.
    std::optional<Program> program;
    std::string obstacle;
};

// FILE: a schedule, a result, or one of the formats of other tools, as --from says or as its content tells.
Loaded<ScheduleInput> load_schedule(const Invocation& invocation);
// The same from a text that was loaded already.
Loaded<ScheduleInput> load_schedule(const Invocation& invocation, std::string text);

// The text of FILE, unpacked when it is a gzip file, for commands that look at its format themselves.
Loaded<std::string> load_text(const std::string& path);
// A problem of ours, or a cost table.
Loaded<Problem> load_problem_file(const std::string& path);
// The format of a text, as --from would call it: `problem`, `schedule`, `tessel`, `torch-csv`, ...
std::string tell_format(const std::string& text);
// Formats that hold no schedule: `problem`, `megatron-layout`, `zb-costs`.
bool is_problem_format(const std::string& format);
Loaded<ProblemInput> read_problem_text(const Invocation& invocation, const std::string& format,
                                       const std::string& text);
// Complaints about options that no file leaves open.
Faults options_of_presets_alone(const Invocation& invocation);
// What --forward and the like say of files that carry no costs.
AssumedCosts assumed_costs(const OptionValues& options);
Loaded<ScheduleInput> read_schedule_text(const Invocation& invocation, const std::string& format,
                                         const std::string& text);

// A link of the explorer, alone on its line.
Result<Recipe> read_url(const std::string& text);
// A readable link with a schedule in it; others say what to search.
bool url_carries_schedule(const std::string& text);

// False, and said why, when devices cannot follow what FILE orders.
bool can_be_followed(const ScheduleInput& input);

// The one FILE that a command needs; complains when it is missing.
Loaded<std::string> needed_word(const Invocation& invocation, std::string_view command, std::string_view what);

}  // namespace repetend::native
