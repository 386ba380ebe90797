#include "proofs.hpp"

#include "exit_status.hpp"
#include "files.hpp"
#include "gzip.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/schedule/measures.hpp"
#include "repetend/verify/check_makespan.hpp"
#include "repetend/verify/check_proof.hpp"
#include "report.hpp"
#include "text.hpp"

namespace repetend::native {
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

// `claim`: what the proof is about, as members.
std::string verdict_json(const std::string& claim, const CheckedProof& verdict) {
    return "{\"format\": \"repetend.check\", \"version\": 1, \"valid\": " +
           std::string(verdict.accepted ? "true" : "false") + ", \"proof\": {" + claim +
           ", \"message\": " + json_text(verdict.words) + '}' +
           (verdict.accepted
                ? ""
                : ", \"violation\": {\"kind\": \"proof\", \"message\": " + json_text(verdict.words) + '}') +
           "}\n";
}

// Writes `text`, the proof that `verdict` is about.
int write_accepted(const CheckedProof& verdict, const std::string& text, const std::string& path,
                   const Invocation& invocation, const std::string& label, int status) {
    if (!verdict.accepted) {
        complain(label, "internal: the proof was refused by the checker: " + verdict.words);
        return exit_failure;
    }
    const std::string error = write_file(path, invocation.options.flag("gzip") ? gzip(text) : text);
    if (!error.empty()) {
        complain(path == "-" ? "standard output" : path, error);
        return exit_failure;
    }
    if (path != "-" && !invocation.options.flag("quiet")) complain(label, "proved and checked: " + verdict.words);
    return status;
}

// What `check` says of a proof about `problem`.
int tell_verdict(const Invocation& invocation, const Problem& problem, CheckedProof verdict, const std::string& claim) {
    if (invocation.options.has("problem")) {
        Loaded<Problem> given = load_problem_file(invocation.options.text("problem"));
        if (!given) return given.exit_status();
        if (verdict.accepted && !(bare(*given) == bare(problem))) {
            verdict.accepted = false;
            verdict.words = "the proof holds, but for another problem than " +
                            printable(input_label(invocation.options.text("problem")));
        }
    }
    const int status = verdict.accepted ? exit_good : exit_violation;
    if (invocation.options.flag("json")) return write_output(invocation, verdict_json(claim, verdict), status);
    const std::string line = (verdict.accepted ? "proved: " : "not proved: ") + verdict.words;
    return write_output(invocation, wrapped(line, report_style(invocation).columns, 0) + '\n', status);
}

}  // namespace

CheckedProof judge(const PeriodProof& proof) {
    const ProofVerdict verdict = check_proof(proof);
    return {verdict.accepted, printable(verdict.words)};
}

CheckedProof judge(const MakespanProof& proof) {
    const ProofVerdict verdict = check_makespan_proof(proof);
    return {verdict.accepted, printable(verdict.words)};
}

int write_checked_proof(const PeriodProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status) {
    return write_accepted(judge(proof), write_proof(proof), path, invocation, label, status);
}

int write_checked_proof(const MakespanProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status) {
    return write_accepted(judge(proof), write_makespan_proof(proof), path, invocation, label, status);
}

int run_check_proof(const Invocation& invocation, const std::string& text, const std::string& label) {
    const Result<PeriodProof> proof = read_proof(text);
    if (!proof) return complain(label, proof.faults());
    return tell_verdict(
        invocation, proof->problem, judge(*proof),
        "\"period\": " + std::to_string(proof->period) + ", \"copies\": " + std::to_string(proof->copies));
}

int run_check_makespan_proof(const Invocation& invocation, const std::string& text, const std::string& label) {
    const Result<MakespanProof> proof = read_makespan_proof(text);
    if (!proof) return complain(label, proof.faults());
    const Ticks makespan = makespan_ticks(proof->problem, proof->schedule);
    return tell_verdict(invocation, proof->problem, judge(*proof),
                        "\"makespan\": " + std::to_string(makespan) +
                            ", \"micro_batches\": " + std::to_string(proof->schedule.micro_batches));
}

}  // namespace repetend::native
