#include "proofs.hpp"

#include "exit_status.hpp"
#include "files.hpp"
#include "gzip.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "repetend/format/makespan_proof.hpp"
#include "repetend/format/proof.hpp"
#include "repetend/format/proof_check.hpp"
#include "repetend/verify/check_makespan.hpp"
#include "repetend/verify/check_proof.hpp"
#include "report.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

// Writes `text`, the proof that `verdict` is about.
int write_accepted(const ProofVerdict& verdict, const std::string& text, const std::string& path,
                   const Invocation& invocation, const std::string& label, int status) {
    if (!verdict.accepted) {
        complain(label, "internal: the proof was refused by the checker: " + printable(verdict.words));
        return exit_failure;
    }
    const std::string error = write_file(path, invocation.options.flag("gzip") ? gzip(text) : text);
    if (!error.empty()) {
        complain(path == "-" ? "standard output" : path, error);
        return exit_failure;
    }
    if (path != "-" && !invocation.options.flag("quiet"))
        complain(label, "proved and checked: " + printable(verdict.words));
    return status;
}

}  // namespace

int write_checked_proof(const PeriodProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status) {
    return write_accepted(check_proof(proof), write_proof(proof), path, invocation, label, status);
}

int write_checked_proof(const MakespanProof& proof, const std::string& path, const Invocation& invocation,
                        const std::string& label, int status) {
    return write_accepted(check_makespan_proof(proof), write_makespan_proof(proof), path, invocation, label, status);
}

int run_check_proof(const Invocation& invocation, const std::string& text, const std::string& label) {
    Result<CheckedProof> proof = check_proof_text(text);
    if (!proof) return complain(label, proof.faults());
    if (invocation.options.has("problem")) {
        const std::string path = invocation.options.text("problem");
        Loaded<Problem> given = load_problem_file(path);
        if (!given) return given.exit_status();
        hold_against(*proof, *given, input_label(path));
    }
    proof->words = printable(proof->words);
    const int status = proof->accepted ? exit_good : exit_violation;
    if (invocation.options.flag("json")) return write_output(invocation, write_check(*proof), status);
    const std::string line = (proof->accepted ? "proved: " : "not proved: ") + proof->words;
    return write_output(invocation, wrapped(line, report_style(invocation).columns, 0) + '\n', status);
}

}  // namespace repetend::native
