#include "checker_api.hpp"

#include <string>

#include "repetend/format/json.hpp"
#include "repetend/format/proof_check.hpp"

namespace {

std::string one_per_line(const repetend::Faults& faults) {
    std::string lines;
    for (const repetend::Fault& fault : faults) {
        if (!lines.empty()) lines += '\n';
        lines += to_string(fault);
    }
    return lines;
}

std::string check(const char* text, const char* problem) {
    auto proof = repetend::check_proof_text(text);
    if (!proof) return one_per_line(proof.faults());
    if (*problem != '\0') {
        const auto given = repetend::read_problem(problem);
        if (!given) return one_per_line(given.faults());
        hold_against(*proof, *given, "the one that is shown");
    }
    return write_check(*proof);
}

}  // namespace

extern "C" {

const char* checker_check(const char* proof, const char* problem) {
    static std::string answer;
    answer = check(proof, problem);
    return answer.c_str();
}
}
