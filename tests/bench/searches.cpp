// Searches measured: one line per case of cases.json, each run by the session as the command line runs it, one thread.
// Seconds are the processor's, so that a busy machine disturbs them little.
// Beside every value stands its proved bound; beside the time the ratio to an earlier run's (earlier.json), so that a
// change of machine shows as one factor in all lines. Values are exact and compared as such: worse than published, or
// than the target that somebody has reached before, is marked.
//
//   searches [--only TEXT] [--json] [--limit SECONDS] [--record]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "repetend/presets.hpp"
#include "repetend/session/session.hpp"
#include "support/paths.hpp"

using namespace repetend;
using nlohmann::json;

namespace {

struct Settings {
    std::string only;
    bool as_json = false;
    bool record = false;
    double limit_s = 60;
};

struct Measured {
    SearchResult result;
    std::optional<double> first_s, best_s, proof_s;  // first schedule or pattern, last improvement, bound met
    double total_s = 0;
    std::int64_t peak_memory_kib = 0;
};

// Linux counts the peak of a process; writing 5 there starts the count again. Elsewhere the column stays empty.
void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }

std::int64_t peak_memory_kib() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::strtoll(line.c_str() + 6, nullptr, 10);
    return 0;
}

Result<Problem> build(const json& one) {
    PlacementOptions options;
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        return one.contains(name) ? std::optional<std::int64_t>(one[name].get<std::int64_t>()) : std::nullopt;
    };
    options.devices = number("devices");
    options.forward = number("forward");
    options.backward = number("backward");
    options.weight = number("weight");
    options.lag = number("lag");
    options.chunks = number("chunks");
    if (const auto memory = number("memory")) options.memory = {*memory};
    Result<Problem> problem = build_preset(one["preset"].get<std::string>(), options);
    if (!problem || !one.contains("spread")) return problem;
    // Uneven: every time multiplied by 1 to 1 + spread percent, drawn with a fixed seed.
    std::uint64_t state = 1;
    for (Block& block : problem->blocks) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        block.time =
            block.time * static_cast<Ticks>(100 + (state >> 33) % (one["spread"].get<std::uint64_t>() + 1)) / 100;
    }
    return problem;
}

Measured run(const Problem& problem, const json& one, double limit_s) {
    SearchOptions options;
    options.micro_batches = one["micro_batches"].get<std::int64_t>();
    options.objective = one.value("objective", "makespan") == "period" ? Objective::period : Objective::makespan;
    const std::string copies = one.value("copies", "1");
    options.copies_auto = copies == "auto";
    if (!options.copies_auto) options.copies = std::atoi(copies.c_str());
    forget_peak_memory();
    const std::clock_t begin = std::clock();
    const auto elapsed = [&] { return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC; };
    Measured measured;
    Result<Session> session = Session::start(problem, options);
    if (!session) return measured;
    const bool wants_period = options.objective == Objective::period;
    bool more = true;
    while (more) {
        more = session->step(200'000);
        const double now_s = elapsed();
        for (const Event& event : session->take_events()) {
            if (event.kind != (wants_period ? EventKind::period : EventKind::makespan)) continue;
            if (!measured.first_s) measured.first_s = now_s;
            measured.best_s = now_s;
        }
        const Session::Progress progress = session->progress();
        const bool met = wants_period ? progress.period && *progress.period == progress.period_lower_bound
                                      : progress.makespan && *progress.makespan == progress.makespan_lower_bound;
        if (!met) measured.proof_s.reset();
        if (met && !measured.proof_s) measured.proof_s = now_s;
        if (more && now_s > limit_s) {
            session->stop(StopReason::timeout);
            more = false;
        }
    }
    measured.total_s = elapsed();
    measured.peak_memory_kib = peak_memory_kib();
    measured.result = session->result();
    return measured;
}

std::string seconds(const std::optional<double>& value) {
    if (!value) return "-";
    char text[32];
    std::snprintf(text, sizeof text, *value < 10 ? "%.3f" : "%.1f", *value);
    return text;
}

std::string period_text(const SearchResult& result) {
    if (!result.period) return "-";
    return std::to_string(*result.period) + (result.copies > 1 ? "/" + std::to_string(result.copies) : "");
}

// Against what is known from outside.
std::string verdict(const json& one, const SearchResult& result) {
    if (one.contains("period")) {
        const std::string wanted = one["period"];
        const std::size_t slash = wanted.find('/');
        const std::int64_t copies = slash == std::string::npos ? 1 : std::atoll(wanted.c_str() + slash + 1);
        if (!result.period) return "NONE";
        if (*result.period * copies > std::atoll(wanted.c_str()) * result.copies) return "ABOVE " + wanted;
        return result.period_optimal ? "" : "not proved";
    }
    if (!result.makespan) return one.contains("target") || one.contains("published") ? "NONE" : "";
    if (one.contains("published") && *result.makespan > one["published"].get<std::int64_t>()) return "ABOVE PUBLISHED";
    if (one.contains("target") && *result.makespan > one["target"].get<std::int64_t>())
        return "above " + std::to_string(one["target"].get<std::int64_t>());
    return "";
}

int measure_all(const Settings& settings) {
    const auto folder = test::source_dir() / "tests" / "bench";
    const json cases = json::parse(std::ifstream(folder / "cases.json"));
    json earlier = json::object();
    if (std::ifstream file(folder / "earlier.json"); file) earlier = json::parse(file);
    if (!settings.as_json)
        std::printf("%-42s %10s %10s %13s %13s %7s %7s %7s %7s %7s %9s %6s %5s\n", "case", "period", "bound",
                    "makespan", "bound", "gap", "first s", "best s", "proof s", "all s", "nodes", "MiB", "ratio");
    json lines = json::array();
    int short_of = 0;
    for (const json& one : cases["cases"]) {
        const std::string name = one["name"];
        if (name.find(settings.only) == std::string::npos) continue;
        const Result<Problem> problem = build(one);
        if (!problem) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), to_string(problem.faults().front()).c_str());
            return 1;
        }
        const Measured measured = run(*problem, one, settings.limit_s);
        const SearchResult& result = measured.result;
        const std::string remark = verdict(one, result);
        short_of += !remark.empty();
        const double before = earlier.contains(name) ? earlier[name]["seconds"].get<double>() : 0;
        const bool is_period = one.value("objective", "makespan") == "period";
        const double gap = !is_period && result.makespan && result.makespan_lower_bound > 0
                               ? static_cast<double>(*result.makespan - result.makespan_lower_bound) /
                                     static_cast<double>(*result.makespan)
                               : 0;
        if (settings.record) earlier[name] = {{"seconds", measured.total_s}, {"nodes", result.nodes}};
        if (settings.record && result.makespan && !is_period) earlier[name]["makespan"] = *result.makespan;
        if (settings.as_json) {
            json line = {{"case", name}, {"seconds", measured.total_s}, {"nodes", result.nodes}};
            line["period"] = result.period ? json(*result.period) : json();
            line["copies"] = result.copies;
            line["period_lower_bound"] = result.period_lower_bound;
            line["makespan"] = result.makespan ? json(*result.makespan) : json();
            line["makespan_lower_bound"] = result.makespan_lower_bound;
            for (const auto& [key, value] : {std::pair{"first_seconds", measured.first_s},
                                             {"best_seconds", measured.best_s},
                                             {"proof_seconds", measured.proof_s}})
                line[key] = value ? json(*value) : json();
            line["peak_memory_kib"] = measured.peak_memory_kib;
            line["ratio"] = before > 0 ? json(measured.total_s / before) : json();
            line["remark"] = remark;
            lines.push_back(line);
            continue;
        }
        char ratio[16] = "-";
        if (before > 0) std::snprintf(ratio, sizeof ratio, "%.2f", measured.total_s / before);
        std::printf("%-42s %10s %10lld %13s %13s %6.2f%% %7s %7s %7s %7s %9lld %6lld %5s  %s\n", name.c_str(),
                    period_text(result).c_str(), static_cast<long long>(result.period_lower_bound),
                    result.makespan && !is_period ? std::to_string(*result.makespan).c_str() : "-",
                    is_period ? "-" : std::to_string(result.makespan_lower_bound).c_str(), 100 * gap,
                    seconds(measured.first_s).c_str(), seconds(measured.best_s).c_str(),
                    seconds(measured.proof_s).c_str(), seconds(measured.total_s).c_str(),
                    static_cast<long long>(result.nodes), static_cast<long long>(measured.peak_memory_kib / 1024),
                    ratio, remark.c_str());
        std::fflush(stdout);
    }
    if (settings.as_json) std::cout << lines.dump(2) << '\n';
    if (settings.record) std::ofstream(folder / "earlier.json") << earlier.dump(1) << '\n';
    if (!settings.as_json) std::printf("%d short of what is known from elsewhere\n", short_of);
    return 0;
}

}  // namespace

int main(int count, char** words) {
    Settings settings;
    for (int k = 1; k < count; ++k) {
        const std::string word = words[k];
        const bool has_value = k + 1 < count;
        if (word == "--json") {
            settings.as_json = true;
        } else if (word == "--record") {
            settings.record = true;
        } else if (word == "--only" && has_value) {
            settings.only = words[++k];
        } else if (word == "--limit" && has_value) {
            settings.limit_s = std::atof(words[++k]);
        } else {
            std::fprintf(stderr, "usage: searches [--only TEXT] [--json] [--limit SECONDS] [--record]\n");
            return 2;
        }
    }
    return measure_all(settings);
}
