// DualPipe: two pipelines in opposite directions; device r of p holds stages r and p-1-r (DeepSeek-AI, DeepSeek-V3
// Technical Report, 2024). An even number of devices; m micro-batches in all, half in each direction, at least 2p: here
// a micro-batch of the problem runs both directions, so N = m/2 of at least p.
//
// The phases, with h = min(r, p-1-r), H = p/2, 0 for the direction that enters at the device's end of the pipeline and
// 1 for the other: (1) F0, 2(H-h-1) times. (2) F0 F1, h+1 times. (3) I1 W1 F1, H-h-1 times. (4) F0 B1 F1 B0,
// m/2-p+h+1 times. (5) B1 F1 B0, H-h-1 times. (6) B1 B0, h+1 times; the weight gradients of the second half are put
// off. (7) W I0, H-h-1 times. (8) W, h+1 times. The original overlaps the F and the B of phases 4 and 5 on one device;
// a device of ours runs one block at a time, so F&B = F + B. Where the backward is not split, its weight part stays
// with it.
#include "baseline/dualpipe.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "baseline/family.hpp"

namespace repetend::baseline {
namespace {

class PhaseWriter {
public:
    PhaseWriter(const Stage& own, const Stage& other) : sides_{{own, 0, 0}, {other, 0, 0}} {}

    void forward(int side) { add_forward(lane_, sides_[side].stage, sides_[side].forwards++); }
    void backward(int side) { add_backward(lane_, sides_[side].stage, sides_[side].backwards++); }
    // The input gradient alone; its weight gradient is put off.
    void input(int side) {
        Side& s = sides_[side];
        const std::int64_t n = s.backwards++;
        lane_.push_back({s.stage.backward, n});
        if (s.stage.weight >= 0) put_off_.push_back({s.stage.weight, n});
    }
    void weight() {
        if (put_off_.empty()) return;  // not split
        lane_.push_back(put_off_.front());
        put_off_.pop_front();
    }
    Lane take() { return std::move(lane_); }

private:
    struct Side {
        Stage stage;
        std::int64_t forwards = 0;
        std::int64_t backwards = 0;
    };
    Side sides_[2];
    std::deque<Task> put_off_;
    Lane lane_;
};

std::string why_not(const Pipeline& pipeline, std::int64_t micro_batches) {
    const int devices = pipeline.num_workers();
    return first_of(
        {why_no_training(pipeline), why_gangs(pipeline), why_not_two_way(pipeline),
         devices % 2 != 0 ? "an even number of devices is needed, there are " + std::to_string(devices) : "",
         micro_batches < devices
             ? "at least as many micro-batches as devices (" + std::to_string(devices) + ") are needed"
             : ""});
}

Result<Schedule> build(const Pipeline& pipeline, std::int64_t micro_batches) {
    const std::vector<Stage>& down = pipeline.chains.front().stages;
    const std::vector<Stage>& up = pipeline.chains.back().stages;
    const std::size_t devices = down.size();
    Orders orders(devices);
    for (std::size_t r = 0; r < devices; ++r) {
        const bool first_half = r < devices / 2;
        const Stage& one = down[r];
        const Stage& two = up[devices - 1 - r];
        orders[static_cast<std::size_t>(one.worker)] = dualpipe_lane(
            first_half ? one : two, first_half ? two : one, static_cast<std::int64_t>(std::min(r, devices - 1 - r)),
            static_cast<std::int64_t>(devices / 2), micro_batches);
    }
    return earliest_starts(pipeline, orders, micro_batches);
}

}  // namespace

Lane dualpipe_lane(const Stage& own, const Stage& other, std::int64_t rank, std::int64_t ranks,
                   std::int64_t micro_batches) {
    const std::int64_t outer = ranks - rank - 1;
    const std::int64_t inner = rank + 1;
    PhaseWriter write(own, other);
    for (std::int64_t k = 0; k < 2 * outer; ++k) write.forward(0);
    for (std::int64_t k = 0; k < inner; ++k) {
        write.forward(0);
        write.forward(1);
    }
    for (std::int64_t k = 0; k < outer; ++k) {
        write.input(1);
        write.weight();
        write.forward(1);
    }
    for (std::int64_t k = 0; k < micro_batches - 2 * ranks + inner; ++k) {
        write.forward(0);
        write.backward(1);
        write.forward(1);
        write.backward(0);
    }
    for (std::int64_t k = 0; k < outer; ++k) {
        write.backward(1);
        write.forward(1);
        write.backward(0);
    }
    // Of these 2(h+1) backwards the last h+1 put their weight gradients off.
    for (std::int64_t k = 0; k < 2 * inner; ++k) {
        const int side = k % 2 == 0 ? 1 : 0;
        if (k < inner) {
            write.backward(side);
        } else {
            write.input(side);
        }
    }
    for (std::int64_t k = 0; k < outer; ++k) {
        write.weight();
        write.input(0);
    }
    for (std::int64_t k = 0; k < inner; ++k) write.weight();
    return write.take();
}

Family family_dualpipe() {
    return {{"DualPipe", "two directions over an even number of devices (x), at least as many micro-batches as devices",
             "forwards of one direction beside backwards of the other"},
            why_not,
            build};
}

}  // namespace repetend::baseline
