// The same order of blocks, run with sends that go on at once and with sends that wait, each with receives early and
// late; for a file that says itself where its sends and receives stand, with those.
#include "communication_report.hpp"

#include <algorithm>
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

// Where the devices' time between their first and their last block goes while they do not work.
struct Idle {
    Ticks all = 0;         // between first start and last end, summed over the devices that compute
    Ticks idle = 0;        // of it, without work
    Ticks on_the_way = 0;  // of that, while data of the next block are under way: lags, and blocks on links
};

// Length of the union of intervals within [from, to].
Ticks covered(std::vector<std::pair<Ticks, Ticks>> intervals, Ticks from, Ticks to) {
    std::sort(intervals.begin(), intervals.end());
    Ticks length = 0;
    for (const auto& [begin, end] : intervals) {
        const Ticks first = std::max(begin, from), last = std::min(end, to);
        if (last <= first) continue;
        length += last - first;
        from = last;
    }
    return length;
}

Idle idle_of(const Problem& problem, const Schedule& schedule) {
    const auto at = [](auto index) { return static_cast<std::size_t>(index); };
    const std::size_t blocks = problem.blocks.size();
    std::vector<Ticks> start(blocks * at(schedule.micro_batches), 0);
    for (const Operation& operation : schedule.operations)
        start[at(operation.micro_batch) * blocks + at(operation.block)] = operation.start;
    std::vector<std::vector<Dependency>> before(blocks);
    for (const Dependency& edge : problem.dependencies) before[at(edge.to)].push_back(edge);
    Idle idle;
    std::vector<Ticks> free(problem.devices.size(), -1);
    for (const Operation& operation : schedule.operations) {  // in order of start
        const Block& block = problem.blocks[at(operation.block)];
        std::vector<std::pair<Ticks, Ticks>> under_way;
        for (const Dependency& edge : before[at(operation.block)]) {
            const Block& source = problem.blocks[at(edge.from)];
            const Ticks begin = start[at(operation.micro_batch) * blocks + at(edge.from)];
            const bool link = problem.devices[at(source.devices.front())].kind == DeviceKind::link;
            const Ticks end = begin + source.time;
            under_way.emplace_back(link ? begin : end, end + edge.lag);
        }
        for (const int device : block.devices) {
            if (problem.devices[at(device)].kind == DeviceKind::link) continue;
            const Ticks since = free[at(device)] < 0 ? operation.start : free[at(device)];
            free[at(device)] = operation.start + block.time;
            idle.all += free[at(device)] - since;
            idle.idle += operation.start - since;
            if (operation.start > since) idle.on_the_way += covered(under_way, since, operation.start);
        }
    }
    return idle;
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
    const Idle idle = idle_of(input.problem, input.schedule);
    if (idle.on_the_way > 0) {
        const auto share = [&](Ticks part) {
            return percent(static_cast<double>(part) / static_cast<double>(idle.all));
        };
        text += labelled("Waiting",
                         "between their first and last blocks the devices wait " + share(idle.idle) +
                             " of the time: " + share(idle.on_the_way) + " while data are on the way, " +
                             share(idle.idle - idle.on_the_way) + " for other reasons",
                         style.columns);
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
    const Idle idle = idle_of(input.problem, input.schedule);
    return text + "], \"idle_ticks\": " + std::to_string(idle.idle) +
           ", \"idle_while_on_the_way_ticks\": " + std::to_string(idle.on_the_way) + "}";
}

}  // namespace repetend::native
