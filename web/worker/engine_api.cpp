#include "engine_api.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "repetend/format/json.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/session/options.hpp"
#include "repetend/session/proofs.hpp"
#include "repetend/session/session.hpp"

using repetend::Fault;
using repetend::Faults;

struct Engine {
    std::optional<repetend::Session> session;
    std::string text;  // what the last call returned

    const char* answer(std::string value) {
        text = std::move(value);
        return text.c_str();
    }
};

namespace {

constexpr double most_work_per_step = 1e15;  // exact in a double, far above what a step should do

std::string one_per_line(const Faults& faults) {
    std::string lines;
    for (const Fault& fault : faults) {
        if (!lines.empty()) lines += '\n';
        lines += to_string(fault);
    }
    return lines;
}

bool decides_a_search(const repetend::OptionRow& row) {
    return row.group == repetend::OptionGroup::search || row.name == "budget" || row.name == "micro-batches";
}

// Fills `values` from an object of options; the faults answer what it is about.
Faults read_options(std::string_view text, repetend::OptionValues& values) {
    Faults faults;
    if (text.empty()) return faults;
    // A depth limit before parsing: the options are flat.
    if (std::count(text.begin(), text.end(), '[') + std::count(text.begin(), text.end(), '{') > 1)
        return {Fault{repetend::FaultCode::type, "options", "a flat object was expected"}};
    const auto document = nlohmann::json::parse(text, nullptr, false);
    if (!document.is_object()) return {Fault{repetend::FaultCode::syntax, "options", "a JSON object was expected"}};
    for (const auto& [name, value] : document.items()) {
        const repetend::OptionRow* row = repetend::find_option(name);
        if (row == nullptr || !decides_a_search(*row)) {
            faults.push_back({repetend::FaultCode::unknown, name, "is no search option"});
            continue;
        }
        const std::string spelling = value.is_string() ? value.get<std::string>() : value.dump();
        if (auto fault = values.set(name, spelling)) faults.push_back(*std::move(fault));
    }
    return faults;
}

std::string_view name_of(repetend::EventKind kind) {
    switch (kind) {
        case repetend::EventKind::period:
            return "period";
        case repetend::EventKind::period_bound:
            return "period_bound";
        case repetend::EventKind::makespan:
            return "makespan";
        case repetend::EventKind::makespan_bound:
            return "makespan_bound";
        case repetend::EventKind::copies:
            return "copies";
        case repetend::EventKind::phase:
            return "phase";
        case repetend::EventKind::finished:
            break;
    }
    return "finished";
}

}  // namespace

extern "C" {

Engine* engine_create() { return new Engine; }

void engine_free(Engine* engine) { delete engine; }

const char* engine_start(Engine* engine, const char* problem, const char* options) {
    engine->session.reset();
    repetend::OptionValues values;
    if (const Faults faults = read_options(options, values); !faults.empty())
        return engine->answer(one_per_line(faults));
    auto read = repetend::read_problem(problem);
    if (!read) return engine->answer(one_per_line(read.faults()));
    repetend::SearchOptions chosen = repetend::search_options(values);
    chosen.log_proof = true;
    auto session = repetend::Session::start(std::move(read).value(), chosen);
    if (!session) return engine->answer(one_per_line(session.faults()));
    engine->session.emplace(std::move(session).value());
    return engine->answer("");
}

int engine_step(Engine* engine, double work) {
    if (!engine->session || !(work >= 1)) return engine->session ? 1 : 0;
    return engine->session->step(static_cast<std::int64_t>(std::min(work, most_work_per_step))) ? 1 : 0;
}

const char* engine_events(Engine* engine) {
    auto list = nlohmann::json::array();
    if (engine->session) {
        for (const repetend::Event& event : engine->session->take_events())
            list.push_back({{"kind", name_of(event.kind)},
                            {"work", event.work},
                            {"nodes", event.nodes},
                            {"copies", event.copies},
                            {"value", event.value},
                            {"text", event.text}});
    }
    return engine->answer(list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

const char* engine_progress(Engine* engine) {
    if (!engine->session) return engine->answer("{}");
    const repetend::Session::Progress progress = engine->session->progress();
    return engine->answer(nlohmann::json{{"work", progress.work}, {"nodes", progress.nodes}}.dump());
}

const char* engine_result(Engine* engine, double seconds) {
    if (!engine->session) return engine->answer("");
    return engine->answer(repetend::write_result(engine->session->problem(), engine->session->result(),
                                                 std::isfinite(seconds) ? seconds : 0.0, REPETEND_VERSION));
}

const char* engine_proof(Engine* engine, const char* what) {
    if (!engine->session) return engine->answer("nothing was searched");
    if (std::string_view(what) == "makespan") {
        const repetend::SearchResult result = engine->session->result();
        const auto proof = makespan_proof(engine->session->problem(), result);
        return engine->answer(proof ? write_makespan_proof(*proof) : why_no_makespan_proof(result));
    }
    const repetend::SearchResult result = engine->session->result();
    const auto proof = engine->session->period_proof();
    if (proof && result.period_optimal && proof->copies != result.copies) {
        // The schedule repeats with more micro-batches than the search for periods tried; their bound is that of any
        // number.
        const std::string copies = std::to_string(result.copies);
        return engine->answer("the schedule repeats for " + copies +
                              " micro-batches together, which the search for the least period did not look at: search "
                              "with copies " +
                              copies + " for a proof");
    }
    return engine->answer(proof ? write_proof(*proof) : why_no_period_proof(result));
}

void engine_stop(Engine* engine, const char* reason) {
    if (!engine->session) return;
    for (const auto known : {repetend::StopReason::timeout, repetend::StopReason::budget})
        if (repetend::to_string(known) == reason) return engine->session->stop(known);
    engine->session->stop(repetend::StopReason::interrupted);
}
}
