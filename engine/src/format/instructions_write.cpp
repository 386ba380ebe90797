// Instruction lists, written device by device (the document is described in the header).
#include "json_writer.hpp"
#include "repetend/format/instructions.hpp"

namespace repetend {
namespace {

using namespace format;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

class Writer {
public:
    Writer(const Problem& problem, const Program& program, const TextSink& sink)
        : problem_(problem), program_(program), sink_(sink) {
        for (const Block& block : problem.blocks) {
            names_.emplace_back();
            append_json_string(names_.back(), block.name);
        }
    }

    bool run() {
        out_ = "{\n  \"format\": \"repetend.instructions\",\n  \"version\": 1,\n  \"problem\": ";
        append_problem(out_, problem_, 1);
        out_ += ",\n  \"micro_batches\": " + std::to_string(program_.micro_batches) + ",\n  \"devices\": [";
        bool first = true;
        for (int d = 0; d < problem_.num_devices() && going_; ++d) {
            if (problem_.devices[at(d)].kind == DeviceKind::link) continue;
            out_ += first ? "\n    " : ",\n    ";
            first = false;
            add_device(d);
        }
        out_ += "\n  ]\n}\n";
        flush();
        return going_;
    }

private:
    void flush() {
        if (going_) going_ = sink_(out_);
        out_.clear();
    }

    void add_device(int device) {
        BufferPlan buffers(problem_, program_, device);
        out_ += "{\"device\": " + std::to_string(device) + ", \"buffers\": [";
        for (std::size_t k = 0; k < buffers.pools().size(); ++k) {
            const BufferPool& pool = buffers.pools()[k];
            out_ += (k == 0 ? "" : ", ") + ("{\"holds\": " + names_[at(pool.block)]) +
                    ", \"first\": " + std::to_string(pool.first) + ", \"count\": " + std::to_string(pool.count) + '}';
        }
        out_ += "], \"instructions\": [";
        bool first = true;
        for (const Action& action : program_.devices[at(device)]) {
            constexpr std::size_t piece = 1 << 16;
            if (out_.size() > piece) flush();
            if (!going_) return;
            out_ += first ? "\n      " : ",\n      ";
            first = false;
            add_instruction(action, buffers.next());
        }
        out_ += "\n    ]}";
    }

    void add_instruction(const Action& action, const BufferUse& use) {
        const std::string n = ", \"micro_batch\": " + std::to_string(action.micro_batch);
        if (action.kind == ActionKind::compute) {
            out_ += "{\"do\": \"compute\", \"block\": " + names_[at(action.index)] + n +
                    ", \"reads\": " + number_array(use.read) +
                    ", \"writes\": " + (use.written < 0 ? "null" : std::to_string(use.written)) + '}';
            return;
        }
        const Route& route = program_.routes[at(action.index)];
        const bool sends = action.kind == ActionKind::send;
        out_ += std::string("{\"do\": \"") + (sends ? "send" : "receive") + "\", \"data\": " + names_[at(route.from)] +
                n + (sends ? ", \"to\": " : ", \"from\": ") + std::to_string(sends ? route.receiver : route.sender);
        if (sends && !route.transfers.empty()) {
            out_ += ", \"over\": [";
            for (std::size_t k = 0; k < route.transfers.size(); ++k)
                out_ += (k == 0 ? "" : ", ") + names_[at(route.transfers[k])];
            out_ += ']';
        }
        out_ += ", \"buffer\": " + std::to_string(sends ? use.read.front() : use.written) + '}';
    }

    const Problem& problem_;
    const Program& program_;
    const TextSink& sink_;
    std::vector<std::string> names_;  // by block, as JSON
    std::string out_;
    bool going_ = true;
};

}  // namespace

bool write_instructions(const Problem& problem, const Schedule& schedule, Receives receives, const TextSink& sink) {
    return Writer(problem, with_communication(problem, schedule, receives), sink).run();
}

}  // namespace repetend
