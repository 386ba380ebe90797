// CSV of PyTorch's pipelining runtime, read. Row k is what rank k runs, from the first slot to the last:
//   cell    a token between blanks, or nothing (a gap)
//   token   stage action micro-batch: 2F0, 3SEND_F1; or (0F3;7B1)OVERLAP_F_B, two tokens that run as one
//   action  F forward, B full backward, I input gradient, W weight gradient;
//           SEND_F RECV_F SEND_B RECV_B, named by the row's own stage;
//           UNSHARD RESHARD REDUCE_GRAD, mostly without a micro-batch: parameters, no part of a schedule
// PyTorch's own reader ignores what follows a token; this one refuses it. The tokens of an overlapped pair are taken
// one after the other: how much their overlap saves no file says.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "json_value.hpp"
#include "repetend/format/torch.hpp"
#include "stage_chain.hpp"
#include "torch_stages.hpp"

namespace repetend {
namespace {

using namespace format;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

enum class Word { forward, backward, input, weight, send_f, recv_f, send_b, recv_b, parameters };

struct WordName {
    std::string_view text;
    Word word;
};
// Where one begins another, the longer one stands first.
constexpr std::array<WordName, 11> word_names = {{{"UNSHARD", Word::parameters},
                                                  {"RESHARD", Word::parameters},
                                                  {"REDUCE_GRAD", Word::parameters},
                                                  {"SEND_F", Word::send_f},
                                                  {"RECV_F", Word::recv_f},
                                                  {"SEND_B", Word::send_b},
                                                  {"RECV_B", Word::recv_b},
                                                  {"F", Word::forward},
                                                  {"B", Word::backward},
                                                  {"I", Word::input},
                                                  {"W", Word::weight}}};

struct Token {
    Word word = Word::forward;
    int stage = 0;
    std::int64_t micro_batch = 0;
};

// What stands in the file for a stage.
struct SeenStage {
    int rank = -1;
    bool forward = false, backward = false, input = false;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The digits at the front, taken off; none when there are none or they exceed `most`.
std::optional<std::int64_t> take_number(std::string_view& text, std::int64_t most) {
    std::size_t count = 0;
    std::int64_t value = 0;
    bool fits = true;
    for (; count < text.size() && is_digit(text[count]); ++count) {
        if (value <= most) value = value * 10 + (text[count] - '0');
        fits = value <= most;
    }
    text.remove_prefix(count);
    return count > 0 && fits ? std::optional(value) : std::nullopt;
}

class Reader {
public:
    Reader(std::string_view text, FaultList& faults) : faults_(faults) { read_rows(text); }

    OrderedPlan run(const Problem* problem, const AssumedCosts& costs) {
        OrderedPlan plan;
        if (faults_.empty()) look_at_stages();
        if (!faults_.empty()) return plan;
        plan.problem = problem ? *problem : make_problem(costs);
        const Result<TorchStages> view = find_torch_stages(plan.problem);
        if (!view) {
            for (const Fault& fault : view.faults())
                faults_.add(fault.code, "", "the problem cannot be one of PyTorch's: " + to_string(fault));
            return plan;
        }
        if (problem) compare(*view);
        if (!faults_.empty()) return plan;
        make_program(plan, *view);
        plan.note = make_note(problem == nullptr);
        return plan;
    }

private:
    void fault(FaultCode code, std::size_t row, std::size_t column, const std::string& message) {
        faults_.add(code, "row " + std::to_string(row) + " cell " + std::to_string(column), message);
    }

    void read_rows(std::string_view text) {
        if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
        if (trimmed(text).empty()) {
            faults_.add(FaultCode::syntax, "line 1", "the text is empty; expected one row for each rank");
            return;
        }
        for (std::size_t begin = 0; begin <= text.size();) {
            std::size_t end = std::min(text.find('\n', begin), text.size());
            std::string_view row = text.substr(begin, end - begin);
            if (!row.empty() && row.back() == '\r') row.remove_suffix(1);
            if (rows_.size() == static_cast<std::size_t>(most_devices)) {
                faults_.add(FaultCode::limit, "", "more than " + std::to_string(most_devices) + " rows");
                return;
            }
            rows_.emplace_back();
            read_row(row);
            if (faults_.full()) return;
            begin = end + 1;
        }
    }

    void read_row(std::string_view row) {
        std::size_t column = 0;
        for (std::size_t begin = 0; begin <= row.size(); ++column) {
            const std::size_t end = std::min(row.find(',', begin), row.size());
            std::string_view cell = trimmed(row.substr(begin, end - begin));
            if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
                cell = trimmed(cell.substr(1, cell.size() - 2));
            if (!cell.empty()) read_cell(cell, column);
            begin = end + 1;
        }
    }

    void read_cell(std::string_view cell, std::size_t column) {
        if (cell.front() != '(') {
            read_token(cell, column);
            return;
        }
        const std::size_t close = cell.find(')');
        if (close == std::string_view::npos || trimmed(cell.substr(close + 1)) != "OVERLAP_F_B") {
            fault(FaultCode::syntax, rows_.size() - 1, column,
                  "expected a pair such as (0F3;7B1)OVERLAP_F_B, found " + in_quotes(cell));
            return;
        }
        overlapped_ = true;
        std::string_view pair = cell.substr(1, close - 1);
        while (true) {
            const std::size_t end = std::min(pair.find(';'), pair.size());
            read_token(trimmed(pair.substr(0, end)), column);
            if (end == pair.size()) return;
            pair.remove_prefix(end + 1);
        }
    }

    void read_token(std::string_view token, std::size_t column) {
        const std::size_t row = rows_.size() - 1;
        std::string_view rest = token;
        const auto stage = take_number(rest, most_blocks - 1);
        const auto named = std::find_if(word_names.begin(), word_names.end(), [&](const WordName& name) {
            return rest.substr(0, name.text.size()) == name.text;
        });
        if (!stage || named == word_names.end()) {
            fault(FaultCode::syntax, row, column,
                  "expected a stage from 0 to " + std::to_string(most_blocks - 1) +
                      " and F, B, I, W, SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD or REDUCE_GRAD, found " +
                      in_quotes(token));
            return;
        }
        rest.remove_prefix(named->text.size());
        const bool numbered = !rest.empty();
        const auto micro_batch = take_number(rest, most_micro_batches - 1);
        if (!rest.empty()) {
            fault(FaultCode::syntax, row, column, in_quotes(rest) + " follows the token in " + in_quotes(token));
        } else if (named->word == Word::parameters) {
            if (!numbered || micro_batch) ++parameter_actions_;
            if (numbered && !micro_batch) fault(FaultCode::range, row, column, "no micro-batch: " + in_quotes(token));
        } else if (!micro_batch) {
            fault(numbered ? FaultCode::range : FaultCode::missing, row, column,
                  "expected a micro-batch from 0 to " + std::to_string(most_micro_batches - 1) + " after " +
                      in_quotes(token));
        } else {
            rows_.back().push_back({named->word, static_cast<int>(*stage), *micro_batch});
        }
    }

    // Stages with their ranks and parts, from the compute actions.
    void look_at_stages() {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (const Token& token : rows_[r]) {
                micro_batches_ = std::max(micro_batches_, token.micro_batch + 1);
                if (token.word >= Word::send_f) {
                    with_messages_ = true;
                    continue;
                }
                if (at(token.stage) >= seen_.size()) seen_.resize(at(token.stage) + 1);
                SeenStage& stage = seen_[at(token.stage)];
                if (stage.rank >= 0 && stage.rank != static_cast<int>(r)) {
                    faults_.add(FaultCode::unsupported, "row " + std::to_string(r),
                                "stage " + std::to_string(token.stage) + " runs on rank " + std::to_string(stage.rank) +
                                    " already; a stage lives on one rank");
                    return;
                }
                stage.rank = static_cast<int>(r);
                (token.word == Word::forward    ? stage.forward
                 : token.word == Word::backward ? stage.backward
                                                : stage.input) = true;
            }
        }
        if (seen_.empty()) faults_.add(FaultCode::missing, "", "no compute actions; expected F, B, I or W");
        for (std::size_t s = 0; s < seen_.size() && faults_.empty(); ++s) {
            if (!seen_[s].forward) {
                faults_.add(FaultCode::missing, "",
                            "stage " + std::to_string(s) + " has no forward (there are stages up to " +
                                std::to_string(seen_.size() - 1) + ")");
            }
        }
    }

    bool splits() const {
        return std::any_of(seen_.begin(), seen_.end(), [](const SeenStage& stage) { return stage.input; });
    }
    bool trains() const {
        return std::any_of(seen_.begin(), seen_.end(),
                           [](const SeenStage& stage) { return stage.input || stage.backward; });
    }

    Problem make_problem(const AssumedCosts& costs) const {
        const bool split = splits();
        const Memory unit = split ? 2 : 1;
        const Ticks input = costs.backward.value_or(1), weight = costs.weight.value_or(1);
        std::vector<ChainStage> stages;
        for (const SeenStage& seen : seen_) {
            ChainStage& stage = stages.emplace_back();
            stage.device = seen.rank;
            stage.forward = costs.forward.value_or(1);
            if (!trains()) continue;
            stage.forward_memory = unit;
            stage.backward = seen.input ? input : split ? input + weight : costs.backward.value_or(3);
            stage.backward_memory = seen.input ? -1 : -unit;
            stage.weight = seen.input ? weight : 0;
            stage.weight_memory = -1;
        }
        Problem problem = make_chain(static_cast<int>(rows_.size()), stages, costs.lag);
        problem.name = "PyTorch schedule";
        problem.micro_batches = micro_batches_;
        return problem;
    }

    // The file must be about this problem: same stages on the same ranks, nothing split that the problem keeps whole.
    void compare(const TorchStages& view) {
        if (view.stages.size() != seen_.size()) {
            faults_.add(FaultCode::reference, "",
                        "the file has " + std::to_string(seen_.size()) + " stages, the problem has " +
                            std::to_string(view.stages.size()));
            return;
        }
        if (view.device_of_rank.size() < rows_.size()) {
            faults_.add(FaultCode::reference, "",
                        "the file has " + std::to_string(rows_.size()) + " ranks, the problem has " +
                            std::to_string(view.device_of_rank.size()) + " devices");
            return;
        }
        std::vector<int> ours, theirs;
        for (std::size_t s = 0; s < seen_.size(); ++s) {
            ours.push_back(view.stages[s].rank);
            theirs.push_back(seen_[s].rank);
        }
        if (ours != theirs) {
            faults_.add(FaultCode::reference, "",
                        "the file has " + stage_map_words(theirs) + ", the problem has " + stage_map_words(ours));
        }
        for (std::size_t s = 0; s < seen_.size() && faults_.empty(); ++s) {
            const TorchStage& stage = view.stages[s];
            if (seen_[s].input && stage.weight < 0) {
                faults_.add(FaultCode::reference, "",
                            "the backward of stage " + std::to_string(s) +
                                (stage.backward < 0 ? " is in the file, but the problem has none"
                                                    : " is split in the file and one block in the problem"));
            } else if (seen_[s].backward && stage.backward < 0) {
                faults_.add(FaultCode::reference, "",
                            "the backward of stage " + std::to_string(s) + " is in the file, but the problem has none");
            }
        }
    }

    void make_program(OrderedPlan& plan, const TorchStages& view) {
        plan.program.micro_batches = micro_batches_;
        plan.program.devices.resize(plan.problem.devices.size());
        std::map<std::pair<int, int>, int> route_of;  // (from, receiver)
        if (with_messages_) {
            plan.program.routes = find_routes(plan.problem);
            for (std::size_t k = 0; k < plan.program.routes.size(); ++k)
                route_of[{plan.program.routes[k].from, plan.program.routes[k].receiver}] = static_cast<int>(k);
        }
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            auto& list = plan.program.devices[at(view.device_of_rank[r])];
            list.reserve(rows_[r].size());
            for (const Token& token : rows_[r]) {
                const std::int64_t n = token.micro_batch;
                if (token.word >= Word::send_f) {
                    add_message(list, route_of, view, token, static_cast<int>(r));
                    continue;
                }
                const TorchStage& stage = view.stages[at(token.stage)];
                if (token.word == Word::forward) {
                    list.push_back({ActionKind::compute, stage.forward, n});
                } else if (token.word == Word::weight) {
                    list.push_back({ActionKind::compute, stage.weight, n});
                } else {
                    list.push_back({ActionKind::compute, stage.backward, n});
                    if (token.word == Word::backward && stage.weight >= 0) {
                        list.push_back({ActionKind::compute, stage.weight, n});
                        joined_parts_ = true;
                    }
                }
            }
            rows_[r] = {};
        }
    }

    void add_message(std::vector<Action>& list, const std::map<std::pair<int, int>, int>& route_of,
                     const TorchStages& view, const Token& token, int rank) {
        const bool sends = token.word == Word::send_f || token.word == Word::send_b;
        const bool forward = token.word == Word::send_f || token.word == Word::recv_f;
        const int from = token.stage + (sends ? 0 : forward ? -1 : 1);
        const int to = sends ? token.stage + (forward ? 1 : -1) : token.stage;
        const int stages = static_cast<int>(view.stages.size());
        const std::string where = "row " + std::to_string(rank);
        const std::string what = std::string(sends ? "a send" : "a receive") + " of stage " +
                                 std::to_string(token.stage) + ", micro-batch " + std::to_string(token.micro_batch);
        if (token.stage >= stages || from < 0 || from >= stages || to < 0 || to >= stages) {
            faults_.add(FaultCode::reference, where, what + ": there is no stage at the other end");
            return;
        }
        const TorchStage& source = view.stages[at(from)];
        const int block = forward ? source.forward : source.backward;
        const auto found = route_of.find({block, view.device_of_rank[at(view.stages[at(to)].rank)]});
        if (found == route_of.end()) {
            faults_.add(FaultCode::reference, where,
                        what + ": stages " + std::to_string(from) + " and " + std::to_string(to) +
                            " are on one rank and need no message");
        } else if (view.stages[at(token.stage)].rank != rank) {
            faults_.add(FaultCode::reference, where,
                        what + ": that stage runs on rank " + std::to_string(view.stages[at(token.stage)].rank));
        } else {
            list.push_back({sends ? ActionKind::send : ActionKind::receive, found->second, token.micro_batch});
        }
    }

    std::string make_note(bool assumed) const {
        std::string note;
        const auto add = [&](const std::string& words) { note += (note.empty() ? "" : "; ") + words; };
        if (assumed) {
            std::vector<int> ranks;
            for (const SeenStage& stage : seen_) ranks.push_back(stage.rank);
            add(stage_map_words(ranks) +
                ", one chain; the file carries no times and no memory: every stage is taken to cost the same, memory "
                "unlimited (--problem gives the real ones)");
        }
        if (joined_parts_) add("full backwards of split stages are taken as I directly followed by W");
        if (overlapped_) add("overlapped pairs are taken one after the other");
        if (parameter_actions_ > 0) {
            add(std::to_string(parameter_actions_) +
                " actions on parameters (UNSHARD, RESHARD, REDUCE_GRAD) are left out");
        }
        return note;
    }

    FaultList& faults_;
    std::vector<std::vector<Token>> rows_;
    std::vector<SeenStage> seen_;
    std::int64_t micro_batches_ = 0;
    std::int64_t parameter_actions_ = 0;
    bool with_messages_ = false;
    bool overlapped_ = false;
    bool joined_parts_ = false;
};

}  // namespace

Result<OrderedPlan> read_torch_csv(std::string_view text, const Problem* problem, const AssumedCosts& costs) {
    FaultList faults;
    OrderedPlan plan = Reader(text, faults).run(problem, costs);
    if (!faults.empty()) return faults.take();
    return plan;
}

}  // namespace repetend
