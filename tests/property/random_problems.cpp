// Shape first (devices, blocks, edges), then times, then memory in matched pairs of allocation and release, then the
// exceptions, and at last capacities near the peak that one micro-batch alone reaches, where they matter most.
#include "property/random_problems.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "property/random.hpp"
#include "repetend/model/graph.hpp"

namespace repetend::testing {
namespace {

class Maker {
public:
    Maker(std::uint64_t seed, const ProblemShape& shape) : random_(seed), shape_(shape) {}

    Problem make() {
        make_devices();
        make_blocks();
        make_edges();
        make_times();
        reach_ = transitive_closure(problem_);
        make_memory();
        make_exceptions();
        make_capacities();
        return std::move(problem_);
    }

private:
    Block& block(int b) { return problem_.blocks[static_cast<std::size_t>(b)]; }

    void make_devices() {
        problem_.devices.resize(static_cast<std::size_t>(random_.from_to(shape_.least_devices, shape_.most_devices)));
        if (problem_.num_devices() > 1 && random_.percent(20)) problem_.devices.back().kind = DeviceKind::link;
        for (Device& device : problem_.devices) {
            if (device.kind == DeviceKind::compute && random_.percent(20)) device.memory_static = random_.from_to(1, 4);
        }
    }

    // Half of the problems are folded as pipelines are: down the devices and back up. The rest are placed freely.
    void make_blocks() {
        const auto count = static_cast<int>(random_.from_to(shape_.least_blocks, shape_.most_blocks));
        const int devices = problem_.num_devices();
        const bool folded = random_.percent(50);
        for (int b = 0; b < count; ++b) {
            Block& made = problem_.blocks.emplace_back();
            const bool returning = 2 * b >= count;
            made.kind = returning ? BlockKind::backward : BlockKind::forward;
            made.name = (returning ? "B" : "F") + std::to_string(b);
            const int step = returning ? count - 1 - b : b;
            made.devices = {folded ? step % devices : random_.index(problem_.devices.size())};
            if (devices > 1 && random_.percent(15)) {
                for (int d = 0; d < devices; ++d) {
                    if (d != made.devices.front() && random_.percent(70)) made.devices.push_back(d);
                }
            }
            const bool only_a_link =
                made.devices.size() == 1 &&
                problem_.devices[static_cast<std::size_t>(made.devices[0])].kind == DeviceKind::link;
            if (only_a_link) made.kind = BlockKind::transfer;
            made.memory.assign(made.devices.size(), 0);
            made.transient.assign(made.devices.size(), 0);
        }
    }

    void add_edge(int from, int to) {
        Dependency& made = problem_.dependencies.emplace_back();
        made.from = from;
        made.to = to;
    }

    // Mostly from the block before, so that chains are common; a second edge makes joins, parallel edges and cycles
    // of the undirected graph; no edge at all begins a new component or a branch that joins later.
    void make_edges() {
        const int count = problem_.num_blocks();
        for (int b = 1; b < count; ++b) {
            if (random_.percent(12)) continue;
            add_edge(random_.percent(65) ? b - 1 : static_cast<int>(random_.from_to(0, b - 1)), b);
            if (random_.percent(25)) add_edge(static_cast<int>(random_.from_to(0, b - 1)), b);
            if (random_.percent(5)) add_edge(problem_.dependencies.back().from, b);
        }
        // Edges need not follow the order of the list.
        if (random_.percent(20)) {
            for (Dependency& edge : problem_.dependencies) {
                edge.from = count - 1 - edge.from;
                edge.to = count - 1 - edge.to;
                std::swap(edge.from, edge.to);
            }
        }
    }

    void make_times() {
        const std::int64_t kind = random_.from_to(0, 9);
        const Ticks most = kind < 6 ? 5 : kind < 7 ? 2 : kind < 8 ? 30 : 1'000'000'000;
        for (Block& made : problem_.blocks) {
            made.time = random_.from_to(1, random_.percent(20) ? std::max<Ticks>(1, most / 20) : most);
        }
        const bool with_lags = random_.percent(40);
        for (Dependency& edge : problem_.dependencies) {
            if (with_lags && random_.percent(50))
                edge.lag = random_.from_to(0, random_.percent(20) ? 2 * most : most / 2);
        }
    }

    int place_on(const Block& made, int device) const {
        const auto found = std::find(made.devices.begin(), made.devices.end(), device);
        return found == made.devices.end() ? -1 : static_cast<int>(found - made.devices.begin());
    }

    void change(int b, int device, Memory amount) {
        block(b).memory[static_cast<std::size_t>(place_on(block(b), device))] += amount;
    }

    // Allocation and release pairs along paths. The sign of a block's sum may come out either way.
    void make_memory() {
        const Memory unit = random_.percent(10) ? 1'000'000'007 : 1;
        for (int d = 0; d < problem_.num_devices(); ++d) {
            if (problem_.devices[static_cast<std::size_t>(d)].kind == DeviceKind::link && random_.percent(80)) continue;
            std::vector<std::pair<int, int>> pairs;
            for (int a = 0; a < problem_.num_blocks(); ++a) {
                for (int b = 0; b < problem_.num_blocks(); ++b) {
                    const bool path = reach_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
                    if (path && place_on(block(a), d) >= 0 && place_on(block(b), d) >= 0) pairs.push_back({a, b});
                }
            }
            if (pairs.empty()) continue;
            const std::int64_t rounds = random_.from_to(1, 3);
            for (std::int64_t r = 0; r < rounds; ++r) {
                const auto [taker, giver] = random_.pick(pairs);
                const Memory amount = unit * random_.from_to(1, random_.percent(70) ? 2 : 5);
                change(taker, d, amount);
                change(giver, d, -amount);
            }
        }
        if (random_.percent(25)) {
            for (Block& made : problem_.blocks) {
                for (Memory& transient : made.transient)
                    transient = random_.percent(40) ? unit * random_.from_to(1, 3) : 0;
            }
        }
    }

    // A pair whose release does not wait for its allocation (or even comes first), and memory left behind.
    void make_exceptions() {
        if (random_.percent(8)) {
            const int a = random_.index(problem_.blocks.size());
            const int b = random_.index(problem_.blocks.size());
            const int device = block(a).devices.front();
            if (a != b && place_on(block(b), device) >= 0) {
                const Memory amount = random_.from_to(1, 3);
                change(a, device, amount);
                change(b, device, -amount);
            }
        }
        if (random_.percent(4)) {
            Block& made = block(random_.index(problem_.blocks.size()));
            made.memory.front() += random_.percent(50) ? 1 : -1;
        }
    }

    // The most a device holds when one micro-batch runs alone in topological order.
    Memory peak_alone(int device) {
        Memory held = problem_.devices[static_cast<std::size_t>(device)].memory_static;
        Memory peak = held;
        const std::vector<int> order = topological_order(problem_).value();
        for (const int b : order) {
            const Memory own = memory_on(block(b), device);
            peak = std::max(peak, held + std::max<Memory>(own, 0) + transient_on(block(b), device));
            held += own;
        }
        return peak;
    }

    void make_capacities() {
        const bool impossible = random_.percent(4);
        for (int d = 0; d < problem_.num_devices(); ++d) {
            Device& device = problem_.devices[static_cast<std::size_t>(d)];
            if (random_.percent(device.kind == DeviceKind::link ? 70 : 10)) continue;
            const Memory alone = peak_alone(d);
            const Memory held = std::max<Memory>(alone - device.memory_static, 1);
            const Memory room = random_.percent(40) ? 0 : random_.percent(70) ? random_.from_to(0, held) : 4 * held;
            device.memory_capacity =
                std::max(device.memory_static, alone - (impossible ? 1 : 0)) + room * (impossible ? 0 : 1);
        }
    }

    Random random_;
    ProblemShape shape_;
    Problem problem_;
    std::vector<std::vector<bool>> reach_;
};

}  // namespace

Problem random_problem(std::uint64_t seed, const ProblemShape& shape) { return Maker(seed, shape).make(); }

std::string text_of(const Problem& problem) {
    const auto list = [](const auto& numbers) {
        std::string text = "[";
        for (const auto number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
        return text + "]";
    };
    std::string text = "{\"format\": \"repetend.problem\", \"version\": 1, \"devices\": [";
    for (const Device& device : problem.devices) {
        text += text.back() == '[' ? "" : ", ";
        text += "{\"kind\": \"" + std::string(to_string(device.kind)) + "\"";
        if (device.memory_capacity) text += ", \"memory_capacity\": " + std::to_string(*device.memory_capacity);
        text += ", \"memory_static\": " + std::to_string(device.memory_static) + "}";
    }
    text += "], \"blocks\": [";
    for (const Block& block : problem.blocks) {
        text += text.back() == '[' ? "\n" : ",\n";
        text += "{\"name\": \"" + block.name + "\", \"kind\": \"" + std::string(to_string(block.kind)) +
                "\", \"devices\": " + list(block.devices) + ", \"time\": " + std::to_string(block.time) +
                ", \"memory\": " + list(block.memory) + ", \"transient\": " + list(block.transient) + "}";
    }
    text += "], \"dependencies\": [";
    for (const Dependency& edge : problem.dependencies) {
        text += text.back() == '[' ? "\n" : ", ";
        text += "{\"from\": \"" + problem.blocks[static_cast<std::size_t>(edge.from)].name + "\", \"to\": \"" +
                problem.blocks[static_cast<std::size_t>(edge.to)].name + "\", \"lag\": " + std::to_string(edge.lag) +
                "}";
    }
    return text + "]}";
}

}  // namespace repetend::testing
