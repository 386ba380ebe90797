// The same order of blocks, run with sends that go on at once and with sends that wait, each with receives early and
// late; for a file that says itself where its sends and receives stand, with those.
#include "communication_report.hpp"

#include <utility>
#include <vector>

#include "repetend/execution/execution.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

// Beyond this the four runs would take longer than the check itself.
constexpr std::size_t most_actions = 2'000'000;

struct Run {
    Semantics semantics = Semantics::buffered;
    std::string receives;  // `early`, `late`, or `as given`
    Execution execution;
};

struct Runs {
    std::int64_t messages = 0;  // of one micro-batch
    std::vector<Run> runs;
};

Runs run_all(const ScheduleInput& input) {
    Runs all;
    const bool given = input.program && !input.program->routes.empty();
    const std::vector<Route> routes = given ? input.program->routes : find_routes(input.problem);
    all.messages = static_cast<std::int64_t>(routes.size());
    if (routes.empty() || input.schedule.operations.size() > most_actions ||
        routes.size() > most_actions / static_cast<std::size_t>(input.schedule.micro_batches)) {
        return all;
    }
    for (const Semantics semantics : {Semantics::buffered, Semantics::rendezvous}) {
        if (given) {
            all.runs.push_back({semantics, "as given", execute(input.problem, *input.program, semantics)});
            continue;
        }
        for (const auto& [receives, words] : {std::pair{Receives::late, "late"}, std::pair{Receives::early, "early"}}) {
            const Program program = with_communication(input.problem, input.schedule, receives);
            all.runs.push_back({semantics, words, execute(input.problem, program, semantics)});
        }
    }
    return all;
}

}  // namespace

std::string describe_communication(const ScheduleInput& input, const ReportStyle& style) {
    const Runs all = run_all(input);
    if (all.messages == 0) return {};
    std::string text = labelled("Messages",
                                std::to_string(all.messages) + " for each micro-batch, from device to device" +
                                    (all.runs.empty() ? " (too many to run them)" : ""),
                                style.columns);
    for (std::size_t k = 0; k < all.runs.size(); ++k) {
        const Run& run = all.runs[k];
        std::string words = run.semantics == Semantics::buffered ? "sends go on at once, receives "
                                                                 : "sends wait for their receives, receives ";
        words += run.receives + ": ";
        if (run.execution.schedule) {
            words += "makespan " + time_text(input.problem, run.execution.makespan);
        } else {
            words += run.execution.obstacle;
        }
        text += labelled(k == 0 ? "Executed" : "", words, style.columns);
    }
    return text;
}

std::string communication_json(const ScheduleInput& input) {
    const Runs all = run_all(input);
    if (all.messages == 0) return {};
    std::string text =
        ", \"communication\": {\"messages_per_micro_batch\": " + std::to_string(all.messages) + ", \"runs\": [";
    for (const Run& run : all.runs) {
        text += (&run == &all.runs.front() ? "" : ", ") + std::string("{\"sends\": \"") +
                (run.semantics == Semantics::buffered ? "buffered" : "blocking") +
                "\", \"receives\": " + json_text(run.receives) +
                ", \"makespan\": " + (run.execution.schedule ? std::to_string(run.execution.makespan) : "null") +
                ", \"deadlock\": " + (run.execution.obstacle.empty() ? "null" : json_text(run.execution.obstacle)) +
                "}";
    }
    return text + "]}";
}

}  // namespace repetend::native
