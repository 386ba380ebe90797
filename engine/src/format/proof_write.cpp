// Proofs as text; the format stands in repetend/format/proof.hpp.
#include "json_writer.hpp"
#include "repetend/format/proof.hpp"

namespace repetend {
namespace {

using namespace format;

const char* name_of(RefutationKind kind) {
    switch (kind) {
        case RefutationKind::load:
            return "load";
        case RefutationKind::energy:
            return "energy";
        case RefutationKind::gang:
            return "gang";
        case RefutationKind::clauses:
            break;
    }
    return "clauses";
}

std::string variable_text(const ProofVariable& v) {
    const std::string blocks = std::to_string(v.first) + ", " + std::to_string(v.second);
    switch (v.kind) {
        case ProofVariable::Kind::count:
            return "[\"count\", " + blocks + ", " + std::to_string(v.copy) + ']';
        case ProofVariable::Kind::position:
            return "[\"position\", " + blocks + ']';
        case ProofVariable::Kind::carry:
            break;
    }
    return "[\"carry\", " + blocks + ", " + std::to_string(v.third) + ']';
}

void append_clause(std::string& out, const ProofClause& clause) {
    out += "[[";
    for (std::size_t k = 0; k < clause.literals.size(); ++k) {
        const ProofLiteral& literal = clause.literals[k];
        if (k > 0) out += ", ";
        if (!literal.at_least) out += '-';
        out += std::to_string(literal.variable + 1) + ", " + std::to_string(literal.value);
    }
    out += "], " + number_array(clause.hints) + ']';
}

void append_refutation(std::string& out, const PeriodProof& proof) {
    const Refutation& refutation = proof.refutation;
    TallObject object(out, 1);
    object.integer("period", proof.period - 1);
    object.text("kind", name_of(refutation.kind));
    if (refutation.kind == RefutationKind::clauses) {
        object.lines("variables", refutation.variables.size(),
                     [&](std::size_t x) { out += variable_text(refutation.variables[x]); });
        object.lines("clauses", refutation.clauses.size(),
                     [&](std::size_t k) { append_clause(out, refutation.clauses[k]); });
    } else {
        object.integer("device", refutation.device);
    }
    if (refutation.kind == RefutationKind::energy || refutation.kind == RefutationKind::gang) {
        object.lines("matches", refutation.matches.size(), [&](std::size_t k) {
            const ProofMatch& match = refutation.matches[k];
            LineObject line(out);
            line.text("allocation", proof.problem.blocks[static_cast<std::size_t>(match.allocation)].name);
            line.text("release", proof.problem.blocks[static_cast<std::size_t>(match.release)].name);
            line.integer("amount", match.amount);
            line.close();
        });
    }
    object.close();
}

}  // namespace

std::string write_proof(const PeriodProof& proof) {
    std::string out;
    TallObject object(out, 0);
    object.text("format", "repetend.proof");
    object.integer("version", 1);
    append_problem(object.member("problem"), proof.problem, 1);
    object.integer("copies", proof.copies);
    object.integer("period", proof.period);
    object.lines("starts", proof.start.size(), [&](std::size_t i) {
        LineObject line(out);
        line.text("block", proof.problem.blocks[i].name);
        line.numbers("starts", proof.start[i]);
        line.close();
    });
    append_refutation(object.member("refutation"), proof);
    object.close();
    return out + '\n';
}

}  // namespace repetend
