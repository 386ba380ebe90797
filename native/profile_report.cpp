#include "profile_report.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "text.hpp"

namespace repetend::native {
namespace {

using cost::BlockTerms;
using cost::MemoryTerms;
using cost::Profile;
using cost::TimeTerm;

constexpr int list_width = 26;
constexpr int amount_width = 13;
constexpr int time_width = 11;
constexpr int share_width = 9;

std::string scaled(double value, double step, const char* const* units, std::size_t count, const char* format) {
    std::size_t unit = 0;
    while (unit + 1 < count && value >= step) {
        value /= step;
        ++unit;
    }
    char text[64];
    std::snprintf(text, sizeof text, format, value, units[unit]);
    return text;
}

std::string flops_text(double flops) {
    static const char* const units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP", "EFLOP"};
    return scaled(flops, 1000, units, std::size(units), "%.4g %s");
}

std::string bytes_text(double bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    return scaled(bytes, 1024, units, std::size(units), "%.4g %s");
}

std::string count_of(double value) {
    static const char* const units[] = {"", "k", "M", "G", "T"};
    return scaled(value, 1000, units, std::size(units), "%.4g %s");
}

std::string ms_text(double ns) {
    char text[64];
    std::snprintf(text, sizeof text, "%.4f ms", ns / 1e6);
    return text;
}

bool same_terms(const BlockTerms& a, const BlockTerms& b) {
    return a.time_ns == b.time_ns && a.measured == b.measured &&
           std::equal(a.terms.begin(), a.terms.end(), b.terms.begin(), b.terms.end(),
                      [](const TimeTerm& x, const TimeTerm& y) {
                          return x.what == y.what && x.flops == y.flops && x.bytes == y.bytes && x.time_ns == y.time_ns;
                      });
}

// `f0 f1 f2 f3`, shortened in the middle.
std::string names_text(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    if (width_of(text) <= list_width) return text;
    return names.front() + " .. " + names.back() + " (" + std::to_string(names.size()) + ")";
}

std::string row(const std::string& first, const std::string& what, const std::string& amount, const std::string& time,
                const std::string& share, int what_width) {
    std::string line = padded(first, list_width + 1) + padded(what, what_width + 1) +
                       padded_left(amount, amount_width) + padded_left(time, time_width + 2) +
                       padded_left(share, share_width);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

void append_blocks(std::string& text, const Profile& profile) {
    int what_width = 5;
    for (const BlockTerms& block : profile.blocks) {
        for (const TimeTerm& term : block.terms) what_width = std::max(what_width, width_of(term.what));
    }
    text += row("blocks", "term", "amount", "time", "share", what_width);
    std::vector<bool> shown(profile.blocks.size(), false);
    for (std::size_t k = 0; k < profile.blocks.size(); ++k) {
        if (shown[k]) continue;
        const BlockTerms& block = profile.blocks[k];
        std::vector<std::string> names;
        for (std::size_t other = k; other < profile.blocks.size(); ++other) {
            if (shown[other] || !same_terms(block, profile.blocks[other])) continue;
            shown[other] = true;
            names.push_back(profile.blocks[other].block);
        }
        double sum = 0;
        for (const TimeTerm& term : block.terms) sum += term.time_ns;
        std::string first = names_text(names);
        for (const TimeTerm& term : block.terms) {
            text += row(first, term.what, term.flops > 0 ? flops_text(term.flops) : bytes_text(term.bytes),
                        ms_text(term.time_ns), sum > 0 ? percent(term.time_ns / sum) : "", what_width);
            first.clear();
        }
        text += row(first,
                    block.measured            ? "measured"
                    : block.terms.size() == 1 ? "rounded"
                                              : "together, rounded",
                    "", ms_text(static_cast<double>(block.time_ns)), "", what_width);
    }
}

void append_transfers(std::string& text, const Profile& profile) {
    if (profile.transfers.empty()) return;
    text += "\ntransfers" + std::string(list_width - 8, ' ') + padded_left("bytes", amount_width) +
            padded_left("time", time_width + 2) + '\n';
    std::vector<bool> shown(profile.transfers.size(), false);
    for (std::size_t k = 0; k < profile.transfers.size(); ++k) {
        if (shown[k]) continue;
        const cost::TransferTerm& term = profile.transfers[k];
        std::vector<std::string> names;
        for (std::size_t other = k; other < profile.transfers.size(); ++other) {
            const cost::TransferTerm& same = profile.transfers[other];
            if (shown[other] || same.bytes != term.bytes || same.time_ns != term.time_ns) continue;
            shown[other] = true;
            names.push_back(same.from + ">" + same.to);
        }
        text += padded(names_text(names), list_width + 1) + padded_left(bytes_text(term.bytes), amount_width) +
                padded_left(ms_text(static_cast<double>(term.time_ns)), time_width + 2) + '\n';
    }
}

void append_memory(std::string& text, const Profile& profile) {
    const char* const heads[] = {"parameters", "weights",   "gradients", "optimizer",
                                 "one mb",     "transient", "static",    "capacity"};
    text += "\n" + padded("memory of a GPU", 17);
    for (const char* head : heads) text += padded_left(head, 12);
    text += '\n';
    std::vector<std::string> lines;
    for (std::size_t d = 0; d < profile.facts.memory.size(); ++d) {
        const MemoryTerms& memory = profile.facts.memory[d];
        const Device& device = profile.problem.devices[d];
        std::string line = padded_left(count_of(memory.parameters), 12);
        for (const double bytes : {memory.weight_bytes, memory.gradient_bytes, memory.optimizer_bytes,
                                   memory.activation_bytes, memory.transient_bytes}) {
            line += padded_left(bytes_text(bytes), 12);
        }
        line += padded_left(bytes_text(static_cast<double>(device.memory_static)), 12);
        line += padded_left(device.memory_capacity ? bytes_text(static_cast<double>(*device.memory_capacity))
                                                   : std::string("unlimited"),
                            12);
        text += padded(device.name, 17) + line + '\n';
    }
    text += "one mb: activations of one micro-batch, from its forward to its backward blocks\n";
}

std::string fixed_text(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string stages_text(const std::vector<std::int64_t>& counts) {
    std::string text;
    for (const std::int64_t count : counts) text += (text.empty() ? "" : ",") + std::to_string(count);
    return text;
}

}  // namespace

std::string profile_table(const Profile& profile, int columns) {
    const cost::ProfileFacts& facts = profile.facts;
    std::string text = profile.problem.name + '\n';
    std::int64_t layers = 0;
    for (const std::int64_t count : profile.layers_per_stage) layers += count;
    text += wrapped("cluster: " + facts.cluster + "; layers of the stages: " + stages_text(profile.layers_per_stage) +
                        " (" + std::to_string(layers) + " of " + std::to_string(facts.layers) + ")" +
                        (layers < facts.layers ? ", the others run on all devices" : ""),
                    columns, 2) +
            "\n\n";
    append_blocks(text, profile);
    append_transfers(text, profile);
    append_memory(text, profile);
    text += "\nmicro-batch  " + std::to_string(facts.samples_per_micro_batch) +
            (facts.samples_per_micro_batch == 1 ? " sample, " : " samples, ") +
            std::to_string(facts.tokens_per_micro_batch) + " tokens, " + flops_text(facts.model_flops_per_micro_batch) +
            " of the model (without recomputation)\n";
    text += "iteration    " + plural(profile.problem.micro_batches.value_or(1), "micro-batch", "micro-batches") +
            (facts.data_parallel > 1 ? " on each of " + std::to_string(facts.data_parallel) + " replicas" : "") +
            "; after the last block: ";
    if (facts.gradients_ns > 0) {
        text += "all-reduce of the gradients " + ms_text(static_cast<double>(facts.gradients_ns)) + ", ";
    }
    text += "optimizer step " + ms_text(static_cast<double>(facts.optimizer_ns)) + '\n';
    return text;
}

std::string throughput_report(const Problem& problem, const cost::ProfileFacts& facts, const SearchResult& result,
                              int columns) {
    if (!result.makespan) return {};
    const cost::Throughput rates = cost::throughput(facts, result.micro_batches, *result.makespan);
    std::string text = labelled(
        "Iteration",
        fixed_text("%.4g s: ", rates.iteration_s) + "the makespan, " +
            (facts.gradients_ns > 0 ? "all-reduce of the gradients " + short_time(problem, facts.gradients_ns) + ", "
                                    : std::string()) +
            "optimizer step " + short_time(problem, facts.optimizer_ns) + "; " +
            fixed_text("%.0f tokens/s", rates.tokens_per_s) + fixed_text(" (%.3g samples/s)", rates.samples_per_s) +
            ", model FLOPs utilisation " + percent(rates.model_flops_utilisation) + " on " +
            std::to_string(facts.gpus) + " GPUs",
        columns);
    if (!result.measures) return text;
    // The GPU that comes nearest to its capacity stands for all.
    std::size_t fullest = 0;
    double share = -1;
    const std::vector<Memory>& peak = result.measures->peak_memory;
    for (std::size_t d = 0; d < facts.memory.size() && d < peak.size(); ++d) {
        const Memory capacity = problem.devices[d].memory_capacity.value_or(largest_number);
        const double mine = static_cast<double>(peak[d]) / static_cast<double>(std::max<Memory>(1, capacity));
        if (mine <= share) continue;
        share = mine;
        fullest = d;
    }
    if (share < 0) return text;
    const MemoryTerms& memory = facts.memory[fullest];
    const Memory held = peak[fullest] - problem.devices[fullest].memory_static;
    text += labelled("Per GPU",
                     "on the fullest, " + device_label(problem, static_cast<int>(fullest)) + ": " +
                         bytes_text(static_cast<double>(peak[fullest])) + " at its peak: weights " +
                         bytes_text(memory.weight_bytes) + ", gradients " + bytes_text(memory.gradient_bytes) +
                         ", optimizer " + bytes_text(memory.optimizer_bytes) + ", activations and transients " +
                         bytes_text(static_cast<double>(held)),
                     columns);
    return text;
}

}  // namespace repetend::native
