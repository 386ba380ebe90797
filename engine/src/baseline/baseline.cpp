// The door of the baselines: the list of families, names, sizes, and the repetend that a schedule shows.
#include "repetend/baseline/baseline.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "baseline/family.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend {
namespace {

using baseline::Family;
using baseline::Pipeline;

const std::vector<Family>& families() {
    static const std::vector<Family> list = {
        baseline::family_gpipe(),       baseline::family_1f1b(),          baseline::family_1f1b_plus(),
        baseline::family_interleaved(), baseline::family_breadth_first(), baseline::family_zb_h1(),
        baseline::family_zb_h2(),       baseline::family_zb_v(),          baseline::family_v_half(),
        baseline::family_v_min(),       baseline::family_chimera(),       baseline::family_dualpipe(),
        baseline::family_dualpipe_v(),  baseline::family_three_f_one_b(), baseline::family_inference(),
    };
    return list;
}

// Lower case, without what people put between words.
std::string plain(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c == '-' || c == '_' || c == ' ') continue;
        text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

const Family* find_family(std::string_view name) {
    const std::string wanted = plain(name);
    for (const Family& family : families()) {
        if (plain(family.info.name) == wanted) return &family;
    }
    return nullptr;
}

Fault no_such_family(std::string_view name) {
    std::vector<std::string> names;
    for (const Family& family : families()) names.push_back(plain(family.info.name));
    std::string message = "there is no baseline `" + std::string(name) + "`";
    const std::string near = nearest_name(plain(name), names);
    if (!near.empty()) message += "; did you mean `" + find_family(near)->info.name + "`?";
    return {FaultCode::usage, "--with", message};
}

std::optional<Fault> wrong_size(const Problem& problem, std::int64_t micro_batches) {
    if (micro_batches < 1 || micro_batches > most_micro_batches) {
        return Fault{FaultCode::usage, "--micro-batches",
                     std::to_string(micro_batches) + " is outside 1.." + std::to_string(most_micro_batches)};
    }
    if (micro_batches > most_operations / std::max(1, problem.num_blocks())) {
        return Fault{FaultCode::limit, "",
                     "the schedule would have more than " + std::to_string(most_operations) + " operations"};
    }
    return std::nullopt;
}

bool fits(const Problem& problem, const Measures& measures) {
    for (std::size_t d = 0; d < problem.devices.size(); ++d) {
        const auto& capacity = problem.devices[d].memory_capacity;
        if (capacity && measures.peak_memory[d] > *capacity) return false;
    }
    return true;
}

}  // namespace

const std::vector<BaselineInfo>& baselines() {
    static const std::vector<BaselineInfo> infos = [] {
        std::vector<BaselineInfo> list;
        for (const Family& family : families()) list.push_back(family.info);
        return list;
    }();
    return infos;
}

const BaselineInfo* find_baseline(std::string_view name) {
    const Family* family = find_family(name);
    return family == nullptr ? nullptr : &baselines()[static_cast<std::size_t>(family - families().data())];
}

Result<Schedule> build_baseline(std::string_view name, const Problem& problem, std::int64_t micro_batches) {
    const Family* family = find_family(name);
    if (family == nullptr) return no_such_family(name);
    if (auto fault = wrong_size(problem, micro_batches)) return *fault;
    const Result<Pipeline> pipeline = baseline::recognise(problem);
    if (!pipeline) return pipeline.faults();
    if (std::string reason = family->why_not(*pipeline, micro_batches); !reason.empty()) {
        return Fault{FaultCode::unsupported, "", std::move(reason)};
    }
    Result<Schedule> schedule = family->build(*pipeline, micro_batches);
    if (!schedule) return schedule;
    const int copies = family->in_groups ? std::max(2, pipeline->num_workers()) : 2;
    schedule->repetend = find_any_repetend(problem, *schedule, copies);
    return schedule;
}

std::vector<NamedSchedule> fitting_baselines(const Problem& problem, std::int64_t micro_batches) {
    std::vector<NamedSchedule> fitting;
    if (wrong_size(problem, micro_batches)) return fitting;
    const Result<Pipeline> pipeline = baseline::recognise(problem);
    if (!pipeline) return fitting;
    std::vector<std::pair<Ticks, std::size_t>> order;  // by makespan, then as listed
    std::vector<NamedSchedule> found;
    for (const Family& family : families()) {
        if (!family.why_not(*pipeline, micro_batches).empty()) continue;
        Result<Schedule> schedule = family.build(*pipeline, micro_batches);
        if (!schedule) continue;
        const Measures measures = measure(problem, *schedule);
        if (!fits(problem, measures)) continue;
        order.emplace_back(measures.makespan, found.size());
        found.push_back({family.info.name, std::move(*schedule)});
    }
    std::sort(order.begin(), order.end());
    for (const auto& [makespan, k] : order) fitting.push_back(std::move(found[k]));
    return fitting;
}

}  // namespace repetend
