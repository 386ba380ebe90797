// Schedules as traces. What viewers are particular about, and what is done for it:
// - Slices of one thread must nest or be disjoint: blocks and transfers have threads of their own, transfers that
//   overlap as many as it takes. All times come from the same integers, so neighbours touch and never overlap.
// - Perfetto colours a slice by its name, the older viewer by `cname` from a fixed list: all blocks of a kind have one
//   name and one cname; which block and micro-batch it is stands in `args`.
// - Lanes come in order whatever the viewer sorts by: process and thread numbers (from 1; 0 is taken by systems) and
//   names with zeros in front rise with the device, and the sort records say it once more.
#include <algorithm>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

#include "json_writer.hpp"
#include "repetend/execution/execution.hpp"
#include "repetend/format/trace.hpp"
#include "repetend/schedule/measures.hpp"

namespace repetend {
namespace {

using namespace format;

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// A number of ticks in microseconds, as decimal text without any rounding.
class Microseconds {
public:
    explicit Microseconds(std::string_view unit) {
        if (unit == "ns") decimals_ = 3;
        if (unit == "ms") zeros_ = 3;
        if (unit == "s") zeros_ = 6;
    }
    std::string text(Ticks ticks) const {
        std::string digits = std::to_string(ticks);
        if (ticks != 0) digits.append(at(zeros_), '0');
        if (decimals_ == 0) return digits;
        if (digits.size() <= at(decimals_)) digits.insert(0, at(decimals_) + 1 - digits.size(), '0');
        digits.insert(digits.size() - at(decimals_), 1, '.');
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.') digits.pop_back();
        return digits;
    }

private:
    int decimals_ = 0;
    int zeros_ = 0;
};

struct KindWords {
    const char* name;
    const char* colour;  // of the older viewer's list
};
KindWords kind_words(BlockKind kind) {
    switch (kind) {
        case BlockKind::forward:
            return {"forward", "rail_response"};
        case BlockKind::backward:
            return {"backward", "rail_idle"};
        case BlockKind::input_gradient:
            return {"input gradient", "rail_idle"};
        case BlockKind::weight_gradient:
            return {"weight gradient", "rail_load"};
        case BlockKind::transfer:
            return {"transfer", "grey"};
        case BlockKind::other:
            break;
    }
    return {"other", "rail_animation"};
}

// A message that takes time, on the device that receives it.
struct Transfer {
    Ticks from = 0, to = 0;
    int route = 0;
    std::int64_t micro_batch = 0;
    int track = 0;
};

class Writer {
public:
    Writer(const Problem& problem, const Schedule& schedule, const TextSink& sink)
        : problem_(problem),
          schedule_(schedule),
          sink_(sink),
          time_(problem.time_unit),
          routes_(find_routes(problem)),
          lanes_(problem.devices.size()),
          starts_(problem.blocks.size() * at(schedule.micro_batches), 0) {
        for (const Operation& operation : schedule.operations) {
            starts_[place(operation.block, operation.micro_batch)] = operation.start;
            for (const int device : problem.blocks[at(operation.block)].devices)
                lanes_[at(device)].push_back(operation);
        }
        prepare_args();
        find_transfers();
    }

    bool run() {
        head();
        for (int d = 0; d < problem_.num_devices() && going_; ++d) names(d);
        for (int d = 0; d < problem_.num_devices() && going_; ++d) {
            blocks(d);
            transfers(d);
            memory(d);
        }
        for (std::size_t r = 0; r < routes_.size() && going_; ++r) flow(static_cast<int>(r));
        out_ += "\n]}\n";
        flush();
        return going_;
    }

private:
    std::size_t place(int block, std::int64_t n) const { return at(n) * problem_.blocks.size() + at(block); }
    Ticks start(int block, std::int64_t n) const { return starts_[place(block, n)]; }
    Ticks end(int block, std::int64_t n) const { return start(block, n) + problem_.blocks[at(block)].time; }

    void flush() {
        if (going_ && !out_.empty()) going_ = sink_(out_);
        out_.clear();
    }
    void begin_event() {
        constexpr std::size_t piece = 1 << 16;
        if (out_.size() > piece) flush();
        out_ += first_ ? "\n" : ",\n";
        first_ = false;
    }

    void head() {
        out_ +=
            "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"format\":\"repetend.trace\",\"version\":1,\"micro_"
            "batches\":" +
            std::to_string(schedule_.micro_batches);
        if (schedule_.repetend) {
            const RepetendMark& mark = *schedule_.repetend;
            out_ += ",\"repetend\":{\"period\":" + std::to_string(mark.period) +
                    ",\"copies\":" + std::to_string(mark.copies) + ",\"begin\":" + std::to_string(mark.begin) +
                    ",\"repeats\":" + std::to_string(mark.repeats) + '}';
        }
        out_ += ",\n\"problem\":";
        append_problem(out_, problem_, 0);
        out_ += "},\n\"traceEvents\":[";
    }

    int process(int device) const { return device + 1; }
    int thread(int device, int track) const { return device * (tracks_ + 1) + 1 + track; }  // 0: blocks

    static std::string padded(int number, std::size_t most) {
        const std::string digits = std::to_string(number);
        const std::size_t width = std::to_string(most).size();
        return std::string(width - std::min(width, digits.size()), '0') + digits;
    }

    void record(const char* what, int device, int track, const std::string& args) {
        begin_event();
        out_ += "{\"ph\":\"M\",\"name\":\"" + std::string(what) + "\",\"pid\":" + std::to_string(process(device)) +
                ",\"tid\":" + std::to_string(thread(device, track)) + ",\"args\":{" + args + "}}";
    }

    void names(int device) {
        const Device& described = problem_.devices[at(device)];
        const std::string number = padded(device, problem_.devices.size() - 1);
        std::string name;
        append_json_string(name, described.name.empty()
                                     ? (described.kind == DeviceKind::link ? "link " : "device ") + number
                                     : number + ' ' + described.name);
        record("process_name", device, 0, "\"name\":" + name);
        record("process_sort_index", device, 0, "\"sort_index\":" + std::to_string(device));
        for (int track = 0; track <= tracks_of_[at(device)]; ++track) {
            const std::string words =
                track == 0 ? "blocks" : "transfers" + (track == 1 ? "" : ' ' + std::to_string(track));
            record("thread_name", device, track, "\"name\":\"" + words + '"');
            record("thread_sort_index", device, track, "\"sort_index\":" + std::to_string(track));
        }
    }

    // What does not change from one micro-batch to the next.
    void prepare_args() {
        for (const Block& block : problem_.blocks) {
            const KindWords words = kind_words(block.kind);
            before_.push_back("{\"ph\":\"X\",\"name\":\"" + std::string(words.name) + "\",\"cat\":\"" +
                              std::string(to_string(block.kind)) + "\",\"cname\":\"" + words.colour + "\",\"pid\":");
            std::string name = "\"block\":";
            append_json_string(name, block.name);
            if (block.stage) name += ",\"stage\":" + std::to_string(*block.stage);
            names_.push_back(std::move(name));
        }
    }

    void slice(const std::string& before, int device, int track, Ticks from, Ticks to) {
        begin_event();
        out_ += before + std::to_string(process(device)) + ",\"tid\":" + std::to_string(thread(device, track)) +
                ",\"ts\":" + time_.text(from) + ",\"dur\":" + time_.text(to - from);
    }

    void blocks(int device) {
        for (const Operation& operation : lanes_[at(device)]) {
            if (!going_) return;
            const std::size_t b = at(operation.block);
            slice(before_[b], device, 0, operation.start, operation.start + problem_.blocks[b].time);
            out_ += ",\"args\":{" + names_[b] + ",\"micro_batch\":" + std::to_string(operation.micro_batch) +
                    ",\"start\":" + std::to_string(operation.start) + "}}";
        }
    }

    // Lags of routes, each on the first track of its receiver that is free.
    void find_transfers() {
        transfers_.resize(problem_.devices.size());
        tracks_of_.assign(problem_.devices.size(), 0);
        for (std::size_t r = 0; r < routes_.size(); ++r) {
            if (routes_[r].lag == 0) continue;
            for (std::int64_t n = 0; n < schedule_.micro_batches; ++n) {
                const Ticks from = end(routes_[r].from, n);
                transfers_[at(routes_[r].receiver)].push_back({from, from + routes_[r].lag, static_cast<int>(r), n, 0});
            }
        }
        for (std::size_t d = 0; d < transfers_.size(); ++d) {
            auto& list = transfers_[d];
            std::sort(list.begin(), list.end(), [](const Transfer& a, const Transfer& b) {
                return std::pair(a.from, a.route) < std::pair(b.from, b.route);
            });
            using Track = std::pair<Ticks, int>;  // free from, number
            std::priority_queue<Track, std::vector<Track>, std::greater<>> busy;
            std::priority_queue<int, std::vector<int>, std::greater<>> idle;
            for (Transfer& transfer : list) {
                for (; !busy.empty() && busy.top().first <= transfer.from; busy.pop()) idle.push(busy.top().second);
                if (idle.empty()) idle.push(++tracks_of_[d]);
                transfer.track = idle.top();
                idle.pop();
                busy.push({transfer.to, transfer.track});
            }
            tracks_ = std::max(tracks_, tracks_of_[d]);
        }
    }

    void transfers(int device) {
        for (const Transfer& transfer : transfers_[at(device)]) {
            if (!going_) return;
            static const std::string before =
                "{\"ph\":\"X\",\"name\":\"transfer\",\"cat\":\"communication\",\"cname\":\"grey\",\"pid\":";
            slice(before, device, transfer.track, transfer.from, transfer.to);
            const Route& route = routes_[at(transfer.route)];
            std::string data;
            append_json_string(data, problem_.blocks[at(route.from)].name);
            out_ += ",\"args\":{\"data\":" + data + ",\"micro_batch\":" + std::to_string(transfer.micro_batch) +
                    ",\"sender\":" + std::to_string(route.sender) + "}}";
        }
    }

    void memory(int device) {
        if (!going_) return;
        std::string name = "memory";
        if (!problem_.memory_unit.empty()) name += " (" + problem_.memory_unit + ')';
        std::string before = "{\"ph\":\"C\",\"name\":";
        append_json_string(before, name);
        before += ",\"pid\":" + std::to_string(process(device)) + ",\"ts\":";
        const std::vector<MemoryStep> curve = memory_curve(problem_, schedule_, device);
        const bool empty = std::all_of(curve.begin(), curve.end(), [](const MemoryStep& s) { return s.memory == 0; });
        if (empty) return;
        for (const MemoryStep& step : curve) {
            if (!going_) return;
            begin_event();
            out_ += before + time_.text(step.time) + ",\"args\":{\"held\":" + std::to_string(step.memory) + "}}";
        }
    }

    // An arrow from the last moment of the block that makes the data, over the link that carries them, to the first
    // block that needs them.
    void flow(int r) {
        const Route& route = routes_[at(r)];
        for (std::int64_t n = 0; n < schedule_.micro_batches && going_; ++n) {
            const std::int64_t id = static_cast<std::int64_t>(r) * schedule_.micro_batches + n + 1;
            int consumer = route.consumers.front();
            for (const int other : route.consumers) {
                if (start(other, n) < start(consumer, n)) consumer = other;
            }
            point('s', id, route.sender, end(route.from, n) - 1);
            for (const int transfer : route.transfers)
                point('t', id, problem_.blocks[at(transfer)].devices.front(), start(transfer, n));
            point('f', id, route.receiver, start(consumer, n));
        }
    }

    void point(char phase, std::int64_t id, int device, Ticks time) {
        begin_event();
        out_ += std::string("{\"ph\":\"") + phase + "\",\"id\":" + std::to_string(id) +
                ",\"name\":\"data\",\"cat\":\"data\",\"pid\":" + std::to_string(process(device)) +
                ",\"tid\":" + std::to_string(thread(device, 0)) + ",\"ts\":" + time_.text(time) +
                (phase == 'f' ? ",\"bp\":\"e\"}" : "}");
    }

    const Problem& problem_;
    const Schedule& schedule_;
    const TextSink& sink_;
    const Microseconds time_;
    const std::vector<Route> routes_;
    std::vector<std::vector<Operation>> lanes_;  // by device, in order of start
    std::vector<Ticks> starts_;
    std::vector<std::string> before_, names_;       // by block
    std::vector<std::vector<Transfer>> transfers_;  // by receiver
    std::vector<int> tracks_of_;
    int tracks_ = 0;
    std::string out_;
    bool first_ = true;
    bool going_ = true;
};

}  // namespace

bool write_trace(const Problem& problem, const Schedule& schedule, const TextSink& sink) {
    return Writer(problem, schedule, sink).run();
}

}  // namespace repetend
