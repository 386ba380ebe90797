// What a person edits: a recipe and the problem it stands for. Every edit makes a new document, so undo is a list of
// them; a document that cannot be is refused with the engine's words and changes nothing.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/format/share.hpp"
#include "repetend/model/problem.hpp"

namespace repetend::web {

struct Document {
    Recipe recipe;
    Problem problem;                 // resolved from the recipe
    std::int64_t micro_batches = 1;  // N that counts: option, problem, else twice the devices
};

// A line each; of very many the first.
std::string all_of(const Faults& faults);

// The default of the page: a V over four devices with room for four micro-batches.
Recipe default_recipe();

Result<Document> make_document(Recipe recipe);

// The option values with one more set, or taken away when `text` is empty.
Result<OptionValues> with_option(const OptionValues& values, std::string_view name, std::string_view text);

// Can the preset's own numbers (devices, times) still be edited, or is the problem a fixed one?
bool is_family(const Recipe& recipe);

// The same recipe with the problem itself in place of the preset: every field becomes editable.
Recipe as_own_problem(const Document& document);

// A document from a file's text: a problem, a schedule or result (carried as it is), a Tessel plan, a link.
Result<Recipe> read_any(std::string_view text, std::string_view file_name);

class History {
public:
    explicit History(Document first) : documents_{std::move(first)} {}
    const Document& current() const { return documents_[at_]; }
    // Edits of the same thing within one gesture (typing, dragging) replace each other: `gesture` names it, empty never
    // merges.
    void push(Document document, std::string_view gesture = {});
    // Other options for the same problem, without a step of undo.
    void amend(OptionValues options) { documents_[at_].recipe.options = std::move(options); }
    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < documents_.size(); }
    void undo() {
        if (can_undo()) --at_;
        gesture_.clear();
    }
    void redo() {
        if (can_redo()) ++at_;
        gesture_.clear();
    }
    void end_gesture() { gesture_.clear(); }

private:
    static constexpr std::size_t most_documents = 500;
    std::deque<Document> documents_;  // a panel may look at one while it makes the next
    std::size_t at_ = 0;
    std::string gesture_;
};

}  // namespace repetend::web
