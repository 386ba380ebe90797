// Proofs from text; the format stands in repetend/format/proof.hpp. Variables and clauses are many: they are taken one
// by one while the text is parsed, never kept as a tree.
#include <climits>
#include <map>
#include <optional>

#include "fields.hpp"
#include "repetend/format/proof.hpp"

namespace repetend {
namespace {

using namespace format;

constexpr const char* variables_path = "refutation.variables";
constexpr const char* clauses_path = "refutation.clauses";

std::string item(const std::string& path, std::size_t index) { return path + '[' + std::to_string(index) + ']'; }

class ProofReader {
public:
    explicit ProofReader(FaultList& faults) : faults_(faults) {}

    // Takes one element of `variables` or `clauses`; false ends the parse.
    bool take(const std::string& array, std::int64_t index, const Value& element) {
        if (faults_.full()) return false;
        const std::string path = array + '[' + std::to_string(index) + ']';
        return array == clauses_path ? take_clause(path, element) : take_variable(path, element);
    }

    PeriodProof finish(Fields& fields) {
        const std::size_t faults_before = faults_.count();
        if (const Value* problem = fields.required("problem", "a problem object")) {
            Fields problem_fields(*problem, "problem", faults_);
            proof_.problem = read_problem_fields(problem_fields, true, faults_);
        }
        const bool problem_read = faults_.count() == faults_before;
        for (int b = 0; problem_read && b < proof_.problem.num_blocks(); ++b)
            numbers_.emplace(proof_.problem.blocks[static_cast<std::size_t>(b)].name, b);
        proof_.copies = static_cast<int>(fields.integer("copies", 1, most_proof_copies, true).value_or(1));
        const std::optional<std::int64_t> period = fields.integer("period", 1, largest_number, true);
        proof_.period = period.value_or(1);
        const Value* starts = fields.array("starts", true);
        if (starts && problem_read) read_starts(*starts);
        if (const Value* refutation = fields.required("refutation", "an object")) {
            Fields inner(*refutation, "refutation", faults_);
            read_refutation(inner, period, problem_read);
        }
        fields.finish();
        return std::move(proof_);
    }

private:
    FaultList& faults_;
    PeriodProof proof_;
    std::map<std::string, int> numbers_;  // of blocks, by name
    std::int64_t steps_ = 0;

    Refutation& refutation() { return proof_.refutation; }

    bool too_many(const std::string& path, std::int64_t most, const char* what) {
        faults_.add(FaultCode::limit, path, "more than " + std::to_string(most) + ' ' + what);
        return false;
    }

    // Members `from` to the end of an array as integers; false when there are others than `count` of them.
    bool read_numbers(const Value& array, std::size_t from, std::size_t count, const std::string& path,
                      std::vector<int>& numbers) {
        if (array.items().size() != from + count) return false;
        for (std::size_t k = 0; k < count; ++k)
            numbers.push_back(static_cast<int>(
                read_integer(array.items()[from + k], item(path, from + k), 0, INT_MAX, faults_).value_or(0)));
        return true;
    }

    bool take_variable(const std::string& path, const Value& element) {
        if (static_cast<std::int64_t>(refutation().variables.size()) >= most_proof_variables)
            return too_many(variables_path, most_proof_variables, "variables");
        ProofVariable variable;
        std::vector<int> numbers;
        const bool named =
            element.is(Value::Kind::array) && !element.items().empty() && element.items()[0].is(Value::Kind::string);
        const std::string kind = named ? element.items()[0].text() : "";
        bool fits = true;
        if (kind == "count") {
            variable.kind = ProofVariable::Kind::count;
            fits = read_numbers(element, 1, 3, path, numbers);
            if (fits) variable.copy = numbers[2];
        } else if (kind == "position") {
            variable.kind = ProofVariable::Kind::position;
            fits = read_numbers(element, 1, 2, path, numbers);
        } else if (kind == "carry") {
            variable.kind = ProofVariable::Kind::carry;
            fits = read_numbers(element, 1, 3, path, numbers);
            if (fits) variable.third = numbers[2];
        } else {
            fits = false;
        }
        if (!fits) {
            add_type_fault(element, path, R"(["count", i, j, copy], ["position", i, j] or ["carry", i, j, k])",
                           faults_);
            return true;
        }
        variable.first = numbers[0];
        variable.second = numbers[1];
        refutation().variables.push_back(variable);
        return true;
    }

    bool take_clause(const std::string& path, const Value& element) {
        if (static_cast<std::int64_t>(refutation().clauses.size()) >= most_proof_clauses)
            return too_many(clauses_path, most_proof_clauses, "clauses");
        const bool pair = element.is(Value::Kind::array) && element.items().size() == 2 &&
                          element.items()[0].is(Value::Kind::array) && element.items()[1].is(Value::Kind::array);
        if (!pair || element.items()[0].items().size() % 2 != 0) {
            add_type_fault(element, path, "[bounds, uses], with two numbers a bound", faults_);
            return true;
        }
        const std::vector<Value>& bounds = element.items()[0].items();
        const std::vector<Value>& uses = element.items()[1].items();
        steps_ += static_cast<std::int64_t>(bounds.size() / 2 + uses.size());
        if (steps_ > most_proof_steps) return too_many(clauses_path, most_proof_steps, "bounds and uses");
        ProofClause clause;
        clause.literals.reserve(bounds.size() / 2);
        clause.hints.reserve(uses.size());
        for (std::size_t k = 0; k < bounds.size(); k += 2) {
            const std::string place = path + "[0]";
            const std::int64_t name =
                read_integer(bounds[k], item(place, k), -most_proof_variables, most_proof_variables, faults_)
                    .value_or(1);
            const std::int64_t value =
                read_integer(bounds[k + 1], item(place, k + 1), -largest_number, largest_number, faults_).value_or(0);
            if (name == 0) {
                faults_.add(FaultCode::range, item(place, k), "variables are named from 1 here, or from -1; found 0");
                continue;
            }
            clause.literals.push_back({static_cast<int>((name < 0 ? -name : name) - 1), name > 0, value});
        }
        for (std::size_t k = 0; k < uses.size(); ++k)
            clause.hints.push_back(
                read_integer(uses[k], item(path + "[1]", k), 0, most_proof_clauses, faults_).value_or(0));
        refutation().clauses.push_back(std::move(clause));
        return true;
    }

    std::optional<int> read_block(Fields& fields, std::string_view name) {
        const std::optional<std::string> text = fields.string(name, true);
        if (!text) return std::nullopt;
        if (const auto found = numbers_.find(*text); found != numbers_.end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [block, number] : numbers_) known.push_back(block);
        const std::string near = faults_.full() ? "" : nearest_name(*text, known);
        faults_.add(FaultCode::reference, fields.path_of(name),
                    "block " + in_quotes(*text) + " does not exist" +
                        (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
        return std::nullopt;
    }

    void read_starts(const Value& starts) {
        proof_.start.resize(proof_.problem.blocks.size());
        for (std::size_t k = 0; k < starts.items().size() && !faults_.full(); ++k) {
            Fields fields(starts.items()[k], item("starts", k), faults_);
            const std::optional<int> block = read_block(fields, "block");
            const Value* given = fields.array("starts", true);
            fields.finish();
            if (!block || !given) continue;
            std::vector<Ticks>& start = proof_.start[static_cast<std::size_t>(*block)];
            if (!start.empty()) {
                faults_.add(FaultCode::duplicate, fields.path_of("block"), "this block was there before");
                continue;
            }
            const std::string path = fields.path_of("starts");
            if (given->items().size() != static_cast<std::size_t>(proof_.copies)) {
                faults_.add(FaultCode::range, path,
                            "expected one start for each of the copies (" + std::to_string(proof_.copies) +
                                "), found " + std::to_string(given->items().size()));
                continue;
            }
            for (std::size_t c = 0; c < given->items().size(); ++c)
                start.push_back(read_integer(given->items()[c], item(path, c), -largest_number, largest_number, faults_)
                                    .value_or(0));
        }
        if (!faults_.empty()) return;
        for (std::size_t b = 0; b < proof_.start.size(); ++b)
            if (proof_.start[b].empty())
                faults_.add(FaultCode::missing, "starts",
                            "block " + in_quotes(proof_.problem.blocks[b].name) + " is missing");
    }

    void read_refutation(Fields& fields, std::optional<std::int64_t> period, bool problem_read) {
        const std::optional<std::int64_t> refuted = fields.integer("period", 0, largest_number, true);
        if (refuted && period && *refuted != *period - 1)
            faults_.add(FaultCode::range, fields.path_of("period"),
                        "expected " + std::to_string(*period - 1) + ", one below the period of the schedule, found " +
                            std::to_string(*refuted));
        const std::optional<std::string> kind = fields.string("kind", true);
        const std::map<std::string, RefutationKind> kinds = {{"load", RefutationKind::load},
                                                             {"energy", RefutationKind::energy},
                                                             {"gang", RefutationKind::gang},
                                                             {"clauses", RefutationKind::clauses}};
        if (!kind) return;
        const auto found = kinds.find(*kind);
        if (found == kinds.end()) {
            faults_.add(FaultCode::unknown, fields.path_of("kind"),
                        "expected load, energy, gang or clauses, found " + in_quotes(*kind));
            return;
        }
        refutation().kind = found->second;
        if (refutation().kind == RefutationKind::clauses) {
            fields.array("variables", true);
            fields.array("clauses", true);
        } else {
            refutation().device = static_cast<int>(fields.integer("device", 0, most_devices, true).value_or(0));
        }
        if (refutation().kind == RefutationKind::energy || refutation().kind == RefutationKind::gang) {
            const Value* matches = fields.array("matches", true);
            if (matches && problem_read) read_matches(*matches);
        }
        fields.finish();
    }

    void read_matches(const Value& matches) {
        for (std::size_t k = 0; k < matches.items().size() && !faults_.full(); ++k) {
            Fields fields(matches.items()[k], item("refutation.matches", k), faults_);
            ProofMatch match;
            match.allocation = read_block(fields, "allocation").value_or(0);
            match.release = read_block(fields, "release").value_or(0);
            match.amount = fields.integer("amount", 1, largest_number, true).value_or(1);
            fields.finish();
            refutation().matches.push_back(match);
        }
    }
};

}  // namespace

Result<PeriodProof> read_proof(std::string_view text) {
    FaultList faults;
    ProofReader reader(faults);
    StreamedArray stream;
    stream.paths = {variables_path, clauses_path};
    stream.sink = [&](const std::string& array, std::int64_t index, const Value& element) {
        return reader.take(array, index, element);
    };
    Value root;
    if (!parse_json(text, root, faults, &stream)) return faults.take();
    Fields fields(root, "", faults);
    FaultList only;
    Fields again(root, "", only);
    // Of another kind: what its `refutation` may hold does not matter.
    if (!read_format(again, "repetend.proof", false, only)) return only.take();
    read_format(fields, "repetend.proof", false, faults);
    PeriodProof proof = reader.finish(fields);
    if (!faults.empty()) return faults.take();
    return proof;
}

}  // namespace repetend
