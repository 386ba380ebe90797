#include "document.hpp"

#include <algorithm>

#include "repetend/format/json.hpp"
#include "repetend/format/tessel.hpp"
#include "repetend/presets.hpp"
#include "repetend/verify/verify_schedule.hpp"

namespace repetend::web {

std::string all_of(const Faults& faults) {
    std::string lines;
    for (const Fault& fault : faults) {
        if (lines.size() > 600) return lines + "\n...";
        lines += (lines.empty() ? "" : "\n") + to_string(fault);
    }
    return lines;
}

Recipe default_recipe() {
    Recipe recipe;
    recipe.preset = "v";
    for (const auto& [name, text] : {std::pair{"devices", "4"}, {"micro-batches", "16"}, {"memory", "4"}})
        recipe.options.set(name, text);
    return recipe;
}

bool is_family(const Recipe& recipe) {
    if (recipe.preset.empty()) return false;
    for (const PresetInfo& info : presets())
        if (info.name == recipe.preset) return !info.from_file;
    return false;
}

Result<Document> make_document(Recipe recipe) {
    Document document;
    if (!recipe.problem && recipe.preset.empty()) recipe.preset = default_recipe().preset;
    Result<Problem> problem = build_recipe(recipe);
    if (!problem) return problem.faults();
    document.problem = std::move(problem).value();
    document.micro_batches =
        document.problem.micro_batches.value_or(std::int64_t{2} * std::max(1, document.problem.num_devices()));
    if (recipe.schedule) document.micro_batches = recipe.schedule->micro_batches;
    document.recipe = std::move(recipe);
    return document;
}

Result<OptionValues> with_option(const OptionValues& values, std::string_view name, std::string_view text) {
    OptionValues changed;
    for (const auto& [other, value] : values.given())
        if (other != name) changed.set(other, value);
    if (text.empty()) return changed;
    if (auto fault = changed.set(name, text)) return *std::move(fault);
    return changed;
}

Recipe as_own_problem(const Document& document) {
    Recipe recipe;
    recipe.problem = document.problem;
    recipe.problem->micro_batches = document.micro_batches;
    for (const auto& [name, value] : document.recipe.options.given()) {
        const OptionRow* row = find_option(name);
        if (row != nullptr && row->group == OptionGroup::search) recipe.options.set(name, value);
    }
    recipe.title = document.recipe.title;
    return recipe;
}

namespace {

Result<Recipe> own(Problem problem, std::optional<Schedule> schedule) {
    Recipe recipe;
    if (schedule) {
        if (const auto violation = verify_schedule(problem, *schedule))
            return Fault{FaultCode::range, "", "not a valid schedule: " + violation->message};
    }
    recipe.title = problem.name;
    recipe.problem = std::move(problem);
    recipe.schedule = std::move(schedule);
    return recipe;
}

std::string_view trimmed(std::string_view text) {
    const auto space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
    while (!text.empty() && space(text.front())) text.remove_prefix(1);
    while (!text.empty() && space(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

Result<Recipe> read_any(std::string_view text, std::string_view file_name) {
    text = trimmed(text);
    if (text.empty()) return Fault{FaultCode::syntax, std::string(file_name), "is empty"};
    if (text.front() != '{' && text.find("v=1") != std::string_view::npos) return read_link(text);
    const std::string format = document_format(text);
    if (format == "repetend.problem") {
        Result<Problem> problem = read_problem(text);
        if (!problem) return problem.faults();
        return own(std::move(problem).value(), std::nullopt);
    }
    if (format.empty() && text.find("\"block_steps\"") == std::string_view::npos &&
        text.find("\"gid\"") == std::string_view::npos && text.find("\"blocks\"") != std::string_view::npos) {
        // Most likely a problem whose first lines went missing: its reader says what.
        Result<Problem> problem = read_problem(text);
        if (!problem) return problem.faults();
        return own(std::move(problem).value(), std::nullopt);
    }
    if (format == "repetend.schedule" || format == "repetend.result") {
        Result<ProblemSchedule> read = read_schedule(text);
        if (!read) return read.faults();
        return own(std::move(read->problem), std::move(read->schedule));
    }
    if (!format.empty()) {
        return Fault{FaultCode::unknown, std::string(file_name),
                     "is a " + format +
                         "; a repetend.problem, repetend.schedule, repetend.result or Tessel plan was "
                         "expected"};
    }
    Result<TesselPlan> plan = read_tessel(text, nullptr);
    if (!plan) return plan.faults();
    return own(std::move(plan->problem), std::move(plan->schedule));
}

void History::push(Document document, std::string_view gesture) {
    documents_.resize(at_ + 1, documents_.front());
    if (!gesture.empty() && gesture == gesture_) {
        documents_[at_] = std::move(document);
        return;
    }
    gesture_ = gesture;
    documents_.push_back(std::move(document));
    if (documents_.size() > most_documents) documents_.erase(documents_.begin());
    at_ = documents_.size() - 1;
}

}  // namespace repetend::web
