// `repetend.cluster` documents. Figures are in the units that people use (TFLOP/s, GB/s of 10^9 bytes, GiB, us); the
// engine's are per nanosecond, and 1 GB/s is 1 byte/ns.
#include <algorithm>

#include "decimal.hpp"
#include "repetend/format/profile_files.hpp"

namespace repetend::format {
namespace {

constexpr std::int64_t most_entries = 4096;
constexpr double least_rate = 0.000001;
constexpr double most_rate = 1'000'000;

class ClusterReader {
public:
    ClusterReader(Fields& fields, FaultList& faults) : fields_(fields), faults_(faults) {}

    cost::Cluster run() {
        cluster_.name = fields_.string("name", true).value_or("");
        cluster_.source = fields_.string("source", true).value_or("");
        object("gpu", true, [&](Fields& gpu) { read_gpu(gpu); });
        object("efficiency", true, [&](Fields& efficiency) { read_efficiency(efficiency); });
        cluster_.reserve_bytes = gibibytes(fields_, "reserve_gib", 0, false);
        if (cluster_.gpu.memory_bytes > 0 && cluster_.reserve_bytes >= cluster_.gpu.memory_bytes) {
            faults_.add(FaultCode::range, fields_.path_of("reserve_gib"),
                        "leaves nothing of the GPU's memory; expected less than gpu.memory_gib");
        }
        cluster_.gpus_per_node = fields_.integer("gpus_per_node", 1, 4096, true).value_or(1);
        cluster_.nodes = fields_.integer("nodes", 1, 1 << 20, false);
        object("inside", true, [&](Fields& link) { cluster_.inside = read_link(link); });
        object("all_reduce", false, [&](Fields& fits) { read_fits(fits); });
        object("network", true, [&](Fields& link) {
            cluster_.cards_per_node = link.integer("cards_per_node", 1, 4096, true).value_or(1);
            cluster_.network = read_link(link);
        });
        each(fields_, "measured", false, [&](Fields& row) { read_measured(row); });
        return std::move(cluster_);
    }

private:
    // Reads the object and refuses what was not asked for.
    template <class Read>
    void object(const char* name, bool needed, Read read) {
        const Value* value = needed ? fields_.required(name, "an object") : fields_.optional(name);
        if (!value) return;
        Fields inner(*value, fields_.path_of(name), faults_);
        read(inner);
        inner.finish();
    }

    template <class Read>
    void each(Fields& fields, const char* name, bool needed, Read read) {
        const Value* array = fields.array(name, needed);
        if (!array) return;
        const std::string path = fields.path_of(name);
        if (array->items().size() > static_cast<std::size_t>(most_entries)) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_entries) + " entries");
            return;
        }
        for (std::size_t k = 0; k < array->items().size(); ++k) {
            Fields row(array->items()[k], path + '[' + std::to_string(k) + ']', faults_);
            read(row);
            row.finish();
        }
    }

    std::int64_t gibibytes(Fields& fields, const char* name, double least, bool needed) {
        return static_cast<std::int64_t>(read_decimal(fields, faults_, name, least, 1 << 20, needed).value_or(0) *
                                         (1 << 30));
    }

    void read_gpu(Fields& gpu) {
        cluster_.gpu.name = gpu.string("name", true).value_or("");
        cluster_.gpu.source = gpu.string("source", true).value_or("");
        cluster_.gpu.peak_flops_per_ns =
            1000 * read_decimal(gpu, faults_, "tflops", least_rate, most_rate, true).value_or(1);
        cluster_.gpu.memory_bytes = gibibytes(gpu, "memory_gib", 0.001, true);
        cluster_.gpu.memory_bytes_per_ns =
            read_decimal(gpu, faults_, "memory_gb_per_s", least_rate, most_rate, true).value_or(1);
    }

    void read_efficiency(Fields& efficiency) {
        efficiency.string("source", true);
        each(efficiency, "steps", true, [&](Fields& row) {
            cost::EfficiencyStep step;
            step.hidden = row.integer("hidden", 0, 1 << 20, true).value_or(0);
            step.fraction = read_decimal(row, faults_, "fraction", 0.001, 1, true).value_or(1);
            const bool first = cluster_.efficiency.empty();
            if (first ? step.hidden != 0 : step.hidden <= cluster_.efficiency.back().hidden) {
                faults_.add(FaultCode::range, row.path_of("hidden"),
                            first ? "the first step begins at 0" : "expected more than the step before");
            }
            cluster_.efficiency.push_back(step);
        });
        if (cluster_.efficiency.empty()) {
            if (efficiency.is_object()) {
                faults_.add(FaultCode::missing, efficiency.path_of("steps"), "at least one step is needed");
            }
            return;
        }
        cluster_.gpu.efficiency = cluster_.efficiency.front().fraction;
    }

    cost::Link read_link(Fields& link) {
        cost::Link read;
        read.source = link.string("source", true).value_or("");
        read.latency_ns = 1000 * read_decimal(link, faults_, "latency_us", 0, 1e9, true).value_or(0);
        const double rate = read_decimal(link, faults_, "gb_per_s", least_rate, most_rate, true).value_or(1);
        read.bytes_per_ns = rate * read_decimal(link, faults_, "fraction", 0.001, 1, false).value_or(1);
        return read;
    }

    void read_fits(Fields& fits) {
        fits.string("source", true);
        each(fits, "fits", true, [&](Fields& row) {
            cost::AllReduceFit fit;
            fit.gpus = row.integer("gpus", 2, 4096, true).value_or(2);
            fit.latency_ns = 1000 * read_decimal(row, faults_, "latency_us", 0, 1e9, true).value_or(0);
            fit.bytes_per_ns = read_decimal(row, faults_, "gb_per_s", least_rate, most_rate, true).value_or(1);
            if (!cluster_.all_reduce.empty() && fit.gpus <= cluster_.all_reduce.back().gpus) {
                faults_.add(FaultCode::range, row.path_of("gpus"), "expected more than the fit before");
            }
            cluster_.all_reduce.push_back(fit);
        });
    }

    void read_measured(Fields& row) {
        static const std::vector<std::string> kinds = {"forward", "backward", "input_gradient", "weight_gradient"};
        cost::MeasuredTime time;
        time.block = row.string("block", false).value_or("");
        time.stage = row.integer("stage", 0, most_blocks, false);
        time.kind = row.string("kind", false).value_or("");
        time.time_ns = row.integer("time_ns", 1, largest_number, true).value_or(1);
        const bool by_stage = time.stage.has_value() && !time.kind.empty();
        if (row.is_object() && time.block.empty() != by_stage) {
            faults_.add(FaultCode::usage, row.path(), "give `block`, or `stage` and `kind`");
        }
        if (!time.kind.empty() && std::find(kinds.begin(), kinds.end(), time.kind) == kinds.end()) {
            const std::string near = nearest_name(time.kind, kinds);
            faults_.add(FaultCode::unknown, row.path_of("kind"),
                        "unknown kind " + in_quotes(time.kind) +
                            (near.empty() ? "; expected forward, backward, input_gradient or weight_gradient"
                                          : "; did you mean " + in_quotes(near) + "?"));
        }
        cluster_.measured.push_back(std::move(time));
    }

    Fields& fields_;
    FaultList& faults_;
    cost::Cluster cluster_;
};

}  // namespace
}  // namespace repetend::format

namespace repetend {

Result<cost::Cluster> read_cluster(std::string_view text) {
    using namespace format;
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    Fields fields(root, "", faults);
    if (!read_format(fields, "repetend.cluster", false, faults)) return faults.take();
    cost::Cluster cluster = ClusterReader(fields, faults).run();
    fields.finish();
    if (!faults.empty()) return faults.take();
    return cluster;
}

}  // namespace repetend
