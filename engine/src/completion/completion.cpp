// The door of the room: ranges of what comes in, and the order in which the caller's work is spent.
#include "repetend/completion/completion.hpp"

#include <algorithm>

#include "completion/state.hpp"

namespace repetend {
namespace {

constexpr std::int64_t most_serial_ticks = std::int64_t{1} << 56;  // all operations one after another
constexpr std::int64_t most_total_memory = std::int64_t{1} << 60;

// a*b, or none beyond `most`.
std::optional<std::int64_t> product(std::int64_t a, std::int64_t b, std::int64_t most) {
    if (a != 0 && b > most / a) return std::nullopt;
    return a * b;
}

std::optional<Fault> range_fault(const Problem& problem, std::int64_t micro_batches) {
    if (micro_batches < 1) {
        return Fault{FaultCode::range, "micro_batches", "must be at least 1"};
    }
    if (!product(micro_batches, std::max(problem.num_blocks(), 1), most_operations)) {
        return Fault{FaultCode::limit, "micro_batches",
                     std::to_string(micro_batches) + " micro-batches of " + std::to_string(problem.num_blocks()) +
                         " blocks are more than " + std::to_string(most_operations) + " operations"};
    }
    Ticks ticks = 0;
    for (const Block& block : problem.blocks) ticks = std::min(most_serial_ticks, ticks + block.time);
    for (const Dependency& dependency : problem.dependencies)
        ticks = std::min(most_serial_ticks, ticks + dependency.lag);
    if (!product(micro_batches, ticks, most_serial_ticks - 1)) {
        return Fault{FaultCode::limit, "micro_batches", "all operations one after another take more than 2^56 ticks"};
    }
    for (int d = 0; d < problem.num_devices(); ++d) {
        Memory sum = 0;
        for (const Block& block : problem.blocks) {
            const Memory change = memory_on(block, d);
            sum = std::min(most_total_memory, sum + (change < 0 ? -change : change) + transient_on(block, d));
        }
        if (!product(micro_batches, sum, most_total_memory - 1)) {
            return Fault{FaultCode::limit, "micro_batches",
                         "all memory changes on " + device_label(problem, d) + " sum to more than 2^60"};
        }
    }
    return std::nullopt;
}

}  // namespace

Result<Completion> Completion::start(const Problem& problem, const CompletionOptions& options) {
    if (auto fault = range_fault(problem, options.micro_batches)) return *fault;
    auto state = std::make_unique<State>(problem, options);
    state->prepare();
    // Nobody could read or check such a schedule: times end at 2^53.
    if (state->bound > largest_number) {
        return Fault{FaultCode::limit, "micro_batches",
                     std::to_string(options.micro_batches) + " micro-batches take at least " +
                         std::to_string(state->bound) + " ticks, more than 2^53: use a coarser time unit"};
    }
    state->allowed = state->work;
    return Completion(std::move(state));
}

Completion::Completion(std::unique_ptr<State> state) : state_(std::move(state)) {}
Completion::Completion(Completion&&) noexcept = default;
Completion& Completion::operator=(Completion&&) noexcept = default;
Completion::~Completion() = default;

void Completion::add_pattern(const PeriodicPattern& pattern) {
    State& state = *state_;
    if (static_cast<int>(pattern.start.size()) != state.problem.num_blocks() || pattern.period < 1) return;
    for (const auto& copies : pattern.start) {
        if (static_cast<int>(copies.size()) != pattern.copies) return;
    }
    if (state.status == CompletionStatus::infeasible) return;
    const std::int64_t before = state.work;
    state.add(pattern);
    state.allowed += state.work - before;
    if (state.status == CompletionStatus::exhausted) state.status = CompletionStatus::running;
}

std::int64_t Completion::start_micro_batches() const {
    // Nothing was prepared where not even one micro-batch fits.
    return state_->status == CompletionStatus::infeasible ? state_->micro_batches : state_->core_size;
}

void Completion::add_schedule(const Schedule& schedule) {
    State& state = *state_;
    if (state.status == CompletionStatus::infeasible) return;
    const std::int64_t before = state.work;
    state.add(schedule);
    state.allowed += state.work - before;
    if (state.status == CompletionStatus::exhausted) state.status = CompletionStatus::running;
}

CompletionStatus Completion::step(std::int64_t work) {
    State& state = *state_;
    state.allowed += work;
    state.step(state.allowed);
    return state.status;
}

CompletionStatus Completion::status() const { return state_->status; }
const Schedule* Completion::best() const { return state_->written_out(); }
bool Completion::has_best() const { return state_->best.has_value(); }
Ticks Completion::best_makespan() const { return state_->best ? state_->best->makespan : 0; }
Ticks Completion::lower_bound() const { return state_->bound; }
std::int64_t Completion::work() const { return state_->work; }

}  // namespace repetend
