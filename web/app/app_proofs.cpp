// Proofs on the page. The worker that searched writes one, the checker's worker reads it, and only what that accepts is
// called checked or saved. A proof that is opened or dropped is checked first and shown then.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"

namespace repetend::web {
namespace {

constexpr std::int64_t most_shown_operations = 500'000;

// The periodic schedule of a proof, for as many micro-batches as the problem asks for or as show that it repeats.
Result<Schedule> schedule_of(const PeriodProof& proof) {
    const Problem& problem = proof.problem;
    Ticks first = proof.start[0][0], last = first;
    for (int b = 0; b < problem.num_blocks(); ++b) {
        for (const Ticks start : proof.start[static_cast<std::size_t>(b)]) {
            first = std::min(first, start);
            last = std::max(last, start + problem.blocks[static_cast<std::size_t>(b)].time);
        }
    }
    const std::int64_t in_flight = ((last - first) / proof.period + 1) * proof.copies;
    std::int64_t count =
        problem.micro_batches.value_or(std::max<std::int64_t>(2 * problem.num_devices(), in_flight + 4 * proof.copies));
    count = std::min<std::int64_t>(count, most_shown_operations / problem.num_blocks());
    if (count < 1 || count / proof.copies > (largest_number - (last - first)) / proof.period)
        return Fault{FaultCode::limit, "", "the schedule of this proof is too long to be shown"};
    Schedule schedule;
    schedule.micro_batches = count;
    for (int b = 0; b < problem.num_blocks(); ++b)
        for (std::int64_t m = 0; m < count; ++m)
            schedule.operations.push_back(
                {b, m,
                 proof.start[static_cast<std::size_t>(b)][static_cast<std::size_t>(m % proof.copies)] - first +
                     m / proof.copies * proof.period});
    const Ticks earliest =
        std::min_element(schedule.operations.begin(), schedule.operations.end(), [](const auto& a, const auto& b) {
            return a.start < b.start;
        })->start;
    for (Operation& operation : schedule.operations) operation.start -= earliest;
    sort_operations(schedule);
    schedule.repetend = find_repetend(problem, schedule, proof.period, proof.copies);
    return schedule;
}

// What an accepted proof shows.
Result<Recipe> recipe_of(const std::string& text) {
    Recipe recipe;
    if (document_format(text) == "repetend.makespan_proof") {
        Result<MakespanProof> proof = read_makespan_proof(text);
        if (!proof) return proof.faults();
        recipe.problem = std::move(proof->problem);
        recipe.schedule = std::move(proof->schedule);
        if (!recipe.schedule->repetend)
            recipe.schedule->repetend = find_any_repetend(*recipe.problem, *recipe.schedule, 4);
    } else {
        Result<PeriodProof> proof = read_proof(text);
        if (!proof) return proof.faults();
        Result<Schedule> schedule = schedule_of(*proof);
        if (!schedule) return schedule.faults();
        recipe.problem = std::move(proof->problem);
        recipe.schedule = std::move(schedule).value();
    }
    recipe.title = recipe.problem->name;
    return recipe;
}

}  // namespace

std::string_view to_string(ClaimState state) {
    switch (state) {
        case ClaimState::none:
            break;
        case ClaimState::asked:
            return "being written";
        case ClaimState::checking:
            return "being checked";
        case ClaimState::checked:
            return "proved and checked";
        case ClaimState::refused:
            return "refused";
        case ClaimState::unwritten:
            return "no written form";
    }
    return "not checked";
}

bool App::proved_least(std::string_view what) const {
    if (stale_) return false;
    if (!summary_) return claims_.of(what).checked();
    return what == "makespan" ? summary_->makespan_optimal : summary_->period && summary_->period_optimal;
}

void App::complain(std::string words) {
    message = std::move(words);
    do_action("say", message);
}

void App::forget_claims() {
    if (!checks_.empty() || claims_.running()) do_action("uncheck");
    checks_.clear();
    claims_ = Claims();
    opened_proof_.clear();
}

void App::prove_all() {
    if (claims_.running()) {
        forget_claims();
        notice = "The check was stopped";
        return;
    }
    if (monitor_.running() || search_due_ >= 0)
        return complain("The search still runs: a proof is written when it has ended");
    const bool period = proved_least("period"), makespan = proved_least("makespan");
    if (!period && !makespan) {
        return complain(
            document().recipe.schedule ? "This schedule was not searched here, so nothing is proved: press Search"
            : !summary_ || stale_      ? "Nothing is proved yet: press Search"
                                       : "Neither the period nor the makespan is proved least: there is no proof");
    }
    // The shown states are asked for anew: an answer that was none the first time says so again.
    for (const char* what : {"period", "makespan"})
        if (proved_least(what)) prove(what, false);
}

void App::prove(std::string_view what, bool save) {
    Claim& claim = claims_.of(what);
    const std::string name(what);
    switch (claim.state) {
        case ClaimState::asked:
        case ClaimState::checking:
            claim.save = claim.save || save;
            return;
        case ClaimState::checked:
            if (save) return save_proof(what);
            notice = "Proved and checked: " + claim.words;
            return;
        case ClaimState::refused:
            return complain("The proof of the " + name + " was refused: " + claim.words);
        case ClaimState::unwritten:
            if (save)
                complain("There is no proof to save: " + claim.words);
            else
                notice = "There is no written proof of the " + name + ": " + claim.words;
            return;
        case ClaimState::none:
            break;
    }
    if (monitor_.running() || !proved_least(what) || !summary_)
        return complain("The " + name + " is not proved least, so there is no proof of it");
    claim.state = ClaimState::asked;
    claim.save = save;
    Action& action = do_action("prove", name);
    action.name = std::to_string(search_);
    action.type = std::to_string(team_.best());
}

void App::save_proof(std::string_view what) {
    Action& action = do_action("save", claims_.of(what).text);
    action.type = "application/json";
    action.name = file_stem() + (what == "makespan" ? ".makespan.proof" : ".proof");
}

void App::begin_check(std::string_view what, std::string text, std::string problem) {
    checks_[++check_] = what;
    do_action("check", std::move(text), std::move(problem)).name = std::to_string(check_);
}

void App::worker_proof(int search, std::string_view what, std::string_view text) {
    Claim& claim = claims_.of(what);
    if (search != search_ || claim.state != ClaimState::asked) return;
    if (text.starts_with('{')) {
        claim.state = ClaimState::checking;
        claim.text = text;
        return begin_check(what, claim.text, write_problem(document().problem));
    }
    claim.state = ClaimState::unwritten;
    claim.words = text;
    const std::string words = "There is no written proof of the " + std::string(what) + ": " + claim.words;
    if (claim.save) return complain(words);
    notice = words;
    do_action("say", words);
}

void App::checker_answer(int check, double seconds, std::string_view answer, std::string_view failed) {
    const auto found = checks_.find(check);
    if (found == checks_.end()) return;
    const std::string what = std::exchange(found->second, {});
    checks_.erase(found);
    const bool opened = what == "opened";
    if (!failed.empty()) {
        if (!opened) claims_.of(what) = Claim();
        return complain("The proof was not checked: " + std::string(failed));
    }
    const auto document = nlohmann::json::parse(answer, nullptr, false);
    const auto* claim = document.is_object() && document.contains("proof") ? &document["proof"] : nullptr;
    if (opened && claim == nullptr) return complain(opened_name_ + " cannot be opened: " + std::string(answer));
    Claim verdict;
    verdict.state = ClaimState::refused;
    verdict.seconds = seconds;
    verdict.words = claim == nullptr ? std::string(answer) : claim->value("message", "");
    const bool accepted = claim != nullptr && document.value("valid", false);
    if (opened) return show_opened_proof(accepted, std::move(verdict));

    verdict.text = claims_.of(what).text;
    verdict.save = claims_.of(what).save;
    if (accepted) {
        // The proof holds for the problem shown; is it also about the number shown?
        const bool makespan = what == "makespan";
        const std::int64_t shown = makespan ? summary_->makespan.value_or(-1) : summary_->period.value_or(-1);
        const std::int64_t count = makespan ? this->document().micro_batches : summary_->copies;
        if (claim->value(what, std::int64_t{-1}) == shown &&
            claim->value(makespan ? "micro_batches" : "copies", std::int64_t{-1}) == count)
            verdict.state = ClaimState::checked;
        else
            verdict.words = "the proof holds, but not for the number shown: " + verdict.words;
    }
    claims_.of(what) = verdict;
    if (!verdict.checked())
        return complain("THE PROOF OF THE " + std::string(what == "makespan" ? "MAKESPAN" : "PERIOD") +
                        " WAS REFUSED: " + verdict.words);
    if (verdict.save) save_proof(what);
    notice = "Proved and checked: " + verdict.words;
    do_action("say", notice);
}

void App::open_proof(std::string_view text, std::string_view name) {
    forget_claims();
    opened_proof_ = text;
    opened_name_ = name.empty() ? "This proof" : name;
    notice = "Checking " + opened_name_ + " ...";
    do_action("say", notice);
    begin_check("opened", opened_proof_, "");
}

void App::show_opened_proof(bool accepted, Claim verdict) {
    const std::string text = std::exchange(opened_proof_, {});
    notice.clear();
    if (!accepted) return complain(opened_name_ + ": THE PROOF WAS REFUSED: " + verdict.words);
    if (const Faults faults = open_read(recipe_of(text)); !faults.empty())
        return complain(opened_name_ +
                        ": proved and checked, but its schedule cannot be shown: " + to_string(faults.front()));
    verdict.state = ClaimState::checked;
    verdict.text = text;
    notice = "Proved and checked: " + verdict.words;
    claims_.of(document_format(text) == "repetend.makespan_proof" ? "makespan" : "period") = std::move(verdict);
    do_action("say", notice);
}

}  // namespace repetend::web
