#include "repetend/format/proof_check.hpp"

#include "json_writer.hpp"
#include "repetend/format/json.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/check_makespan.hpp"
#include "repetend/verify/check_proof.hpp"

namespace repetend {
namespace {

// What a problem asks for, without what it is called.
Problem bare(Problem problem) {
    problem.name.clear();
    problem.time_unit.clear();
    problem.memory_unit.clear();
    problem.micro_batches.reset();
    problem.extra.clear();
    for (Device& device : problem.devices) {
        device.name.clear();
        device.kind = DeviceKind::compute;
        device.extra.clear();
    }
    for (Block& block : problem.blocks) {
        block.kind = BlockKind::other;
        block.stage.reset();
        block.extra.clear();
    }
    for (Dependency& edge : problem.dependencies) edge.extra.clear();
    return problem;
}

}  // namespace

bool is_proof_format(std::string_view format) {
    return format == "repetend.proof" || format == "repetend.makespan_proof";
}

Result<CheckedProof> check_proof_text(std::string_view text) {
    CheckedProof checked;
    ProofVerdict verdict;
    if (document_format(text) == "repetend.makespan_proof") {
        Result<MakespanProof> proof = read_makespan_proof(text);
        if (!proof) return proof.faults();
        verdict = check_makespan_proof(*proof);
        checked.of_makespan = true;
        checked.value = makespan_ticks(proof->problem, proof->schedule);
        checked.count = proof->schedule.micro_batches;
        checked.problem = std::move(proof->problem);
    } else {
        Result<PeriodProof> proof = read_proof(text);
        if (!proof) return proof.faults();
        verdict = check_proof(*proof);
        checked.value = proof->period;
        checked.count = proof->copies;
        checked.problem = std::move(proof->problem);
    }
    checked.accepted = verdict.accepted;
    checked.words = std::move(verdict.words);
    return checked;
}

void hold_against(CheckedProof& proof, const Problem& given, std::string_view what_given) {
    if (!proof.accepted || bare(given) == bare(proof.problem)) return;
    proof.accepted = false;
    proof.words = "the proof holds, but for another problem than " + std::string(what_given);
}

std::string write_check(const CheckedProof& proof) {
    std::string claim, violation, out;
    format::LineObject claims(claim);
    claims.integer(proof.of_makespan ? "makespan" : "period", proof.value);
    claims.integer(proof.of_makespan ? "micro_batches" : "copies", proof.count);
    claims.text("message", proof.words);
    claims.close();
    format::LineObject document(out);
    document.text("format", "repetend.check");
    document.integer("version", 1);
    document.raw("valid", proof.accepted ? "true" : "false");
    document.raw("proof", claim);
    if (!proof.accepted) {
        format::LineObject why(violation);
        why.text("kind", "proof");
        why.text("message", proof.words);
        why.close();
        document.raw("violation", violation);
    }
    document.close();
    return out + '\n';
}

}  // namespace repetend
