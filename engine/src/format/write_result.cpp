// The result of a search as a JSON document (`repetend.result`, version 1); null where there is no value.
#include "json_writer.hpp"
#include "repetend/cost/profile.hpp"
#include "repetend/format/json.hpp"

namespace repetend {
namespace {

using namespace format;

std::string or_null(const std::optional<Ticks>& value) { return value ? std::to_string(*value) : "null"; }

std::string_view kind_name(CertificateKind kind) {
    switch (kind) {
        case CertificateKind::load:
            return "load";
        case CertificateKind::cycle:
        case CertificateKind::gang:
            return "cycle";  // a cycle through the blocks on all devices
        case CertificateKind::capacity:
            return "capacity";
        case CertificateKind::exhausted:
            return "exhausted";
        case CertificateKind::none:
            break;
    }
    return "";
}

void append_certificate(std::string& out, const Problem& problem, const Certificate& certificate) {
    if (certificate.kind == CertificateKind::none) {
        out += "null";
        return;
    }
    LineObject object(out);
    object.text("kind", kind_name(certificate.kind));
    if (certificate.kind == CertificateKind::gang) object.raw("gang", "true");
    if (certificate.device >= 0) {
        object.integer("device", certificate.device);
        if (certificate.device < problem.num_devices()) {
            object.text("device_name", device_label(problem, certificate.device));
        }
    }
    if (!certificate.blocks.empty()) {
        std::string names = "[";
        for (const int block : certificate.blocks) {
            if (names.size() > 1) names += ", ";
            append_json_string(names, problem.blocks[static_cast<std::size_t>(block)].name);
        }
        object.raw("blocks", names + ']');
    }
    object.integer("bound", certificate.bound);
    if (certificate.kind == CertificateKind::exhausted) object.integer("nodes", certificate.nodes);
    object.text("words", certificate.words);
    object.close();
}

void append_bubble(std::string& out, const Problem& problem, const SearchResult& result) {
    if (!result.measures && !result.period) {
        out += "null";
        return;
    }
    // By its definition the steady bubble belongs to the period, whether or not N is large enough for the
    // schedule to repeat.
    std::string steady = "null";
    if (result.period && *result.period > 0) {
        const double work = static_cast<double>(most_work_ticks(problem)) * result.copies;
        steady = fixed(1 - work / static_cast<double>(*result.period), 6);
    }
    LineObject object(out);
    object.raw("steady", steady);
    object.raw("makespan", result.measures ? fixed(result.measures->bubble_makespan, 6) : "null");
    object.raw("span", result.measures ? fixed(result.measures->bubble_span, 6) : "null");
    object.close();
}

// For problems that a profile made: the result in a user's terms.
void append_throughput(TallObject& object, const Problem& problem, const SearchResult& result) {
    const std::optional<cost::ProfileFacts> facts = cost::facts_of(problem);
    if (!facts || !result.makespan) return;
    const cost::Throughput rates = cost::throughput(*facts, result.micro_batches, *result.makespan);
    LineObject line(object.member("throughput"));
    line.raw("iteration_seconds", fixed(rates.iteration_s, 9));
    line.raw("tokens_per_second", fixed(rates.tokens_per_s, 3));
    line.raw("samples_per_second", fixed(rates.samples_per_s, 6));
    line.raw("model_flops_utilisation", fixed(rates.model_flops_utilisation, 6));
    line.close();
}

}  // namespace

std::string write_result(const Problem& problem, const SearchResult& result, double seconds, std::string_view version) {
    std::string out;
    TallObject object(out, 0);
    object.text("format", "repetend.result");
    object.integer("version", 1);
    object.text("status", to_string(result.status));
    object.text("stop", to_string(result.stop));
    object.raw("period", or_null(result.period));
    object.integer("copies", result.copies);
    object.integer("period_lower_bound", result.period_lower_bound);
    object.boolean("period_optimal", result.period_optimal);
    append_certificate(object.member("certificate"), problem, result.certificate);
    object.raw("makespan", or_null(result.makespan));
    object.integer("makespan_lower_bound", result.makespan_lower_bound);
    object.boolean("makespan_optimal", result.makespan_optimal);
    append_bubble(object.member("bubble"), problem, result);
    object.raw("peak_memory", result.measures ? number_array(result.measures->peak_memory) : "null");
    append_throughput(object, problem, result);
    // Additions to the contract's fields, only where there is something to say.
    if (!result.infeasible_reason.empty()) object.text("reason", result.infeasible_reason);
    if (!result.copies_note.empty()) object.text("copies_note", result.copies_note);
    {
        LineObject line(object.member("search"));
        line.integer("nodes", result.nodes);
        line.raw("seconds", fixed(seconds, 3));
        line.raw("seed", std::to_string(result.seed));
        line.integer("threads", result.threads);
        line.text("version", version);
        line.close();
    }
    if (result.schedule) {
        append_schedule(object.member("schedule"), problem, *result.schedule, 1);
    } else {
        object.raw("schedule", "null");
    }
    object.close();
    return out + '\n';
}

}  // namespace repetend
